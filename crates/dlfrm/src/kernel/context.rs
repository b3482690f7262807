//! What all kernels take: pairs, settings, division of the work and the key of the random streams.

use std::fmt;

use crate::model::{State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream, StreamKey};

use super::near::NearPairs;

/// What every kernel takes beside the state and its scratch. It does not change during a step.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The observed pairs.
    pub pairs: &'a Pairs,
    /// The settings, with the costs of the current sweep.
    pub settings: &'a ValidSettings,
    /// What may run at the same time.
    pub division: &'a Division,
    /// The key of the sweep's random streams.
    pub key: StreamKey,
    /// The pairs whose ends have a feature in common, if they are listed already.
    pub(crate) near: Option<&'a NearPairs>,
    /// Whether the run goes on: a kernel that takes long may ask, and end at once if not. Its state is of no use then.
    go_on: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Context<'a> {
    /// What kernels of a run take that nobody ends.
    pub fn new(
        pairs: &'a Pairs,
        settings: &'a ValidSettings,
        division: &'a Division,
        key: StreamKey,
    ) -> Self {
        Self { pairs, settings, division, key, near: None, go_on: &|| true }
    }

    /// The same where the pairs whose ends have a feature in common may be listed.
    #[must_use]
    pub(crate) fn with_near(self, near: Option<&'a NearPairs>) -> Self {
        Self { near, ..self }
    }

    /// The same for a run that may be ended.
    #[must_use]
    pub(crate) fn going_on(self, go_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { go_on, ..self }
    }

    pub(crate) fn goes_on(&self) -> bool {
        (self.go_on)()
    }

    pub(crate) fn stream(&self, purpose: Purpose, block: u64) -> Stream {
        self.key.stream(purpose, block)
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("key", &self.key).finish_non_exhaustive()
    }
}

/// One of several relations that share their features: what changes the features of one state changes them in all. See
/// "Relations with shared features" in `docs/model.md`.
#[derive(Debug)]
pub struct RelationView<'a> {
    /// Its pairs, settings and random streams: no two relations have the same streams.
    pub context: Context<'a>,
    pub state: &'a mut State,
}
