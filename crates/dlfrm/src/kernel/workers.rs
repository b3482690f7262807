//! Reused memory for work in parallel: a piece for each thread.

use std::sync::{Mutex, PoisonError};

/// Reused memory, a piece for each thread that works at the same time.
#[derive(Debug, Default)]
pub(crate) struct Workers<W>(Mutex<Vec<W>>);

impl<W: Default> Workers<W> {
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut W) -> R) -> R {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = free().pop().unwrap_or_default();
        let result = work(&mut worker);
        free().push(worker);
        result
    }
}
