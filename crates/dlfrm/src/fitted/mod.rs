//! What is computed from a fitted model: figures, features with names, missing links, reasons, predictions of new nodes.

mod explain;
mod features;
mod links;
mod new_nodes;

pub use explain::{ExplainedPart, Explainer, Explanation, Reason, SharedFeature};
pub use features::{Feature, Interaction, Member};
pub use links::{MissingLink, MissingLinks};

use serde::Serialize;

use crate::fit::{FittedRelation, HeldOutScores};
use crate::posterior::{Agreement, Verdict};

/// The figures of one relation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelationSummary {
    /// Its name, if the network has several.
    pub relation: Option<String>,
    /// Links that were learned from.
    pub links: usize,
    /// Pairs that were learned from.
    pub observed_pairs: u64,
    /// Kept draws of all chains.
    pub draws: usize,
    /// Posterior mean of the number of features (K).
    pub k_mean: f64,
    /// 5 % quantile of K.
    pub k_low: f64,
    /// 95 % quantile of K.
    pub k_high: f64,
    /// Mean log joint density of the draws.
    pub log_joint_mean: f64,
    /// The largest R-hat of K, log joint density and what else varies; `None` if the chains are too short.
    pub r_hat: Option<f64>,
    /// How far the chains agree on predictions and features.
    pub agreement: Agreement,
    /// What that says.
    pub verdict_code: Verdict,
    /// The same in words, with what to do.
    pub verdict: String,
    /// How long the fit took.
    pub seconds: f64,
    /// Sweeps of all chains per second.
    pub sweeps_per_second: f64,
    /// How well it predicts pairs that were held out, if any were.
    pub held_out: Option<HeldOutScores>,
    /// Systems that conjugate gradients gave up on: those draws are less exact than they should be.
    pub unconverged: usize,
}

impl FittedRelation {
    /// How far its chains agree.
    pub fn agreement(&self) -> Agreement {
        self.posterior.agreement(&self.links, self.seconds)
    }

    /// Its figures. Panics if it has no draw: neither a fit nor a file makes one without.
    pub fn summary(&self) -> RelationSummary {
        let posterior = &self.posterior;
        let (k_low, k_high) = posterior.features_interval().expect("a fitted relation has draws");
        let agreement = self.agreement();
        let sweeps: usize = posterior.traces().iter().map(|trace| trace.features.len()).sum();
        RelationSummary {
            relation: self.name.clone(),
            links: self.links.len(),
            observed_pairs: self.observed,
            draws: posterior.draws().len(),
            k_mean: posterior.mean_features(),
            k_low,
            k_high,
            log_joint_mean: posterior.mean_log_joint(),
            r_hat: posterior.worst_r_hat(),
            agreement,
            verdict_code: agreement.verdict(),
            verdict: agreement.to_string(),
            seconds: self.seconds,
            sweeps_per_second: sweeps as f64 / self.seconds,
            held_out: self.held_out.as_ref().map(|held_out| held_out.scores),
            unconverged: posterior.traces().iter().map(|trace| trace.total.unconverged()).sum(),
        }
    }
}
