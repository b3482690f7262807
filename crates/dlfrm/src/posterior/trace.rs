//! How a chain went: a few numbers per sweep.

use crate::chain::{Nanoseconds, SweepInfo};
use crate::model::State;

/// The trace of one chain over all of its sweeps, burn-in included.
#[derive(Debug, Clone, Default)]
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
    /// What the kernels did in all sweeps together.
    pub total: SweepInfo,
}

impl PartialEq for Trace {
    /// Whether the chains went the same way, however long it took.
    fn eq(&self, other: &Self) -> bool {
        let work = |trace: &Self| SweepInfo { nanoseconds: Nanoseconds::default(), ..trace.total };
        self.columns() == other.columns() && work(self) == work(other)
    }
}

impl Trace {
    fn columns(&self) -> [&Vec<f64>; 5] {
        [&self.features, &self.log_joint, &self.alpha, &self.nu, &self.intercept]
    }

    /// Whether all columns have as many sweeps.
    pub(crate) fn is_whole(&self) -> bool {
        self.columns().iter().all(|column| column.len() == self.features.len())
    }

    /// Its first sweeps, without what the kernels did.
    pub(crate) fn beginning(&self, sweeps: usize) -> Self {
        let [features, log_joint, alpha, nu, intercept] =
            self.columns().map(|column| column[..sweeps].to_vec());
        Self { features, log_joint, alpha, nu, intercept, total: SweepInfo::default() }
    }

    /// Adds a sweep.
    pub(crate) fn push(&mut self, state: &State, log_joint: f64, info: SweepInfo) {
        self.features.push(state.features.active() as f64);
        self.log_joint.push(log_joint);
        self.alpha.push(state.alpha);
        self.nu.push(state.nu);
        self.intercept.push(state.intercept);
        self.total += info;
    }
}
