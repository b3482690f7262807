//! Threads: one pool per process, or one of the size that a caller asks for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::panicked;

/// The pool of a process. A process that was forked has none of the threads of its parent and needs its own.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool for so many jobs; `None` or -1 for one thread per core.
pub(crate) fn pool(jobs: Option<isize>) -> PyResult<Arc<ThreadPool>> {
    let build = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    };
    match jobs {
        None | Some(-1) => {
            let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
            let process = std::process::id();
            if let Some((owner, pool)) = &*shared
                && *owner == process
            {
                return Ok(pool.clone());
            }
            let pool = build(0)?;
            // Dropping the pool of a parent would wait for threads that are not there.
            std::mem::forget(shared.replace((process, pool.clone())));
            Ok(pool)
        }
        Some(jobs @ 1..=1024) => build(jobs as usize),
        Some(jobs) => Err(PyValueError::new_err(format!(
            "n_jobs must be None, -1 or a number from 1 to 1024, is {jobs}"
        ))),
    }
}

/// Runs something without the interpreter's lock, in the pool of the process. A panic is an exception.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool(None)?;
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    result.map_err(|payload| panicked(&*payload))
}
