//! How a chain went: a few numbers a sweep.

use crate::model::State;

/// The trace of one chain over all of its sweeps, burn-in included.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// Active features.
    pub features: Vec<f64>,
    /// Log joint density.
    pub log_joint: Vec<f64>,
    /// Mass of the buffet.
    pub alpha: Vec<f64>,
    /// Inverse standard deviation of the weights.
    pub nu: Vec<f64>,
    /// Intercept.
    pub intercept: Vec<f64>,
}

impl Trace {
    /// Adds a sweep.
    pub(crate) fn push(&mut self, state: &State, log_joint: f64) {
        self.features.push(state.features.active() as f64);
        self.log_joint.push(log_joint);
        self.alpha.push(state.alpha);
        self.nu.push(state.nu);
        self.intercept.push(state.intercept);
    }
}
