//! Whether the chains of a fit agree, quantity by quantity.

use dlfrm::posterior::diagnose::{Diagnosis, diagnose};
use dlfrm::posterior::{Posterior, Trace};
use serde::Serialize;

/// The diagnosis of one quantity over the sweeps after burn-in.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Convergence {
    pub(crate) quantity: &'static str,
    pub(crate) r_hat: f64,
    pub(crate) ess_bulk: f64,
    pub(crate) ess_tail: f64,
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

/// Every quantity that varies; nothing of chains that are too short to judge.
pub(crate) fn convergence(posterior: &Posterior) -> Vec<Convergence> {
    let burn_in = posterior.settings().burn_in;
    let judge = |(quantity, of): (&'static str, Column)| {
        // A fit that was ended early may have chains without a kept draw.
        let chains: Vec<&[f64]> = posterior
            .traces()
            .iter()
            .filter_map(|trace| of(trace).get(burn_in..))
            .filter(|values| !values.is_empty())
            .collect();
        let Diagnosis { r_hat, ess_bulk, ess_tail } = diagnose(&chains)?;
        Some(Convergence { quantity, r_hat, ess_bulk, ess_tail })
    };
    QUANTITIES.into_iter().filter_map(judge).collect()
}

/// The largest R-hat of all quantities.
pub(crate) fn worst(all: &[Convergence]) -> Option<f64> {
    all.iter().map(|one| one.r_hat).max_by(f64::total_cmp)
}
