//! Whether the chains of a fit agree, quantity by quantity.

use serde::Serialize;

use super::diagnose::{Diagnosis, diagnose};
use super::{Posterior, Trace};

/// The diagnosis of one quantity over the sweeps after burn-in.
#[derive(Debug, Clone, Serialize)]
pub struct Convergence {
    /// What was traced.
    pub quantity: &'static str,
    /// R-hat: near 1 where chains agree.
    pub r_hat: f64,
    /// Effective sample size of the bulk.
    pub ess_bulk: f64,
    /// Effective sample size of the tails.
    pub ess_tail: f64,
}

/// One quantity of a trace, sweep by sweep.
type Column = fn(&Trace) -> &[f64];

/// The quantities of a trace by name.
const QUANTITIES: [(&str, Column); 5] = [
    ("K", |trace| &trace.features),
    ("log joint", |trace| &trace.log_joint),
    ("alpha", |trace| &trace.alpha),
    ("nu", |trace| &trace.nu),
    ("intercept", |trace| &trace.intercept),
];

impl Posterior {
    /// The diagnosis of every quantity that varies; nothing if the chains are too short.
    pub fn convergence(&self) -> Vec<Convergence> {
        let burn_in = self.settings().burn_in;
        let diagnose_one = |(quantity, of): (&'static str, Column)| {
            // A fit that was ended early may have chains without a kept draw.
            let chains: Vec<&[f64]> = self
                .traces()
                .iter()
                .filter_map(|trace| of(trace).get(burn_in..))
                .filter(|values| !values.is_empty())
                .collect();
            let Diagnosis { r_hat, ess_bulk, ess_tail } = diagnose(&chains)?;
            Some(Convergence { quantity, r_hat, ess_bulk, ess_tail })
        };
        QUANTITIES.into_iter().filter_map(diagnose_one).collect()
    }

    /// The largest R-hat of all quantities; `None` if the chains are too short.
    pub fn worst_r_hat(&self) -> Option<f64> {
        self.convergence().iter().map(|one| one.r_hat).max_by(f64::total_cmp)
    }
}
