//! What a fit leaves: draws and traces, and what can be asked of them.

mod count;
mod draw;
mod parts;
mod predict;
mod trace;

pub use draw::Draw;
pub use parts::DrawParts;
pub use predict::Prediction;
pub use trace::Trace;

use crate::model::{Checked, Settings};
use crate::network::Pairs;

/// The draws of all chains with what is needed to turn them into predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    settings: Settings,
    symmetric: bool,
    entities: usize,
    draws: Vec<Draw>,
    traces: Vec<Trace>,
}

impl Posterior {
    /// Gathers the draws of a fit to `pairs`.
    pub fn new(pairs: &Pairs, settings: &Checked, draws: Vec<Draw>, traces: Vec<Trace>) -> Self {
        Self {
            settings: settings.clone().into_inner(),
            symmetric: pairs.symmetric(),
            entities: pairs.entities(),
            draws,
            traces,
        }
    }

    /// The settings of the fit.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many entities there are.
    pub fn entities(&self) -> usize {
        self.entities
    }

    /// Whether (i, j) and (j, i) are one pair.
    pub fn symmetric(&self) -> bool {
        self.symmetric
    }

    /// The kept draws, chain after chain.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// One trace a chain, over all sweeps.
    pub fn traces(&self) -> &[Trace] {
        &self.traces
    }

    /// The posterior mean of the number of features.
    pub fn mean_features(&self) -> f64 {
        self.draws.iter().map(|draw| draw.features() as f64).sum::<f64>() / self.draws.len() as f64
    }

    /// The draw with the highest log joint density: one coherent picture of features and weights.
    pub fn representative(&self) -> Option<&Draw> {
        self.draws.iter().max_by(|a, b| a.log_joint.total_cmp(&b.log_joint))
    }
}
