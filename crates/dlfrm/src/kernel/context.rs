//! What all kernels take: pairs, settings, division of the work and the key of the random streams.

use crate::model::ValidSettings;
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream, StreamKey};

/// What every kernel takes beside the state and its scratch. It does not change during a step.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The observed pairs.
    pub pairs: &'a Pairs,
    /// The settings, with the costs of the current sweep.
    pub settings: &'a ValidSettings,
    /// What may run at the same time.
    pub division: &'a Division,
    /// The key of the sweep's random streams.
    pub key: StreamKey,
}

impl Context<'_> {
    /// The random stream of a block of a kernel.
    pub(crate) fn stream(&self, purpose: Purpose, block: u64) -> Stream {
        self.key.stream(purpose, block)
    }
}
