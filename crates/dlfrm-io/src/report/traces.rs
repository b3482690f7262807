//! How the chains went, sweep by sweep, in few enough points to draw.

use dlfrm::posterior::Posterior;
use serde::Serialize;

use super::rounded::{Rounded, rounded};

/// More points than this a line does not show.
const MOST_POINTS: usize = 500;

/// The traces of all chains, burn-in included.
#[derive(Debug, Serialize)]
pub(super) struct Traces {
    burn_in: usize,
    /// Every so many sweeps are drawn.
    step: usize,
    chains: Vec<ChainTrace>,
}

#[derive(Debug, Serialize)]
struct ChainTrace {
    k: Vec<Rounded>,
    log_joint: Vec<Rounded>,
}

impl Traces {
    pub(super) fn new(posterior: &Posterior) -> Self {
        let sweeps = posterior.traces().iter().map(|trace| trace.features.len()).max().unwrap_or(0);
        let step = sweeps.div_ceil(MOST_POINTS).max(1);
        // Sweeps are counted from 1: the first point is that after `step` of them.
        let some = |values: &[f64]| rounded(values.iter().copied().skip(step - 1).step_by(step));
        let chains = posterior.traces().iter();
        Self {
            burn_in: posterior.settings().burn_in,
            step,
            chains: chains
                .map(|trace| ChainTrace { k: some(&trace.features), log_joint: some(&trace.log_joint) })
                .collect(),
        }
    }
}
