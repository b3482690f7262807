//! Where a chain is: plain arrays, without settings or generators, so that it can be saved and compared.

use super::{Features, Weights};

/// One point of the augmented posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Who has which feature (Z).
    pub features: Features,
    /// How features interact (U).
    pub weights: Weights,
    /// The quadratic coefficient of every pair (rho), from its augmentation variable.
    pub rates: Vec<f64>,
    /// What is added to every logit.
    pub intercept: f64,
    /// Mass of the Indian buffet process.
    pub alpha: f64,
    /// Inverse standard deviation of the weights.
    pub nu: f64,
}

impl State {
    /// The logit of a pair of entities.
    pub fn logit(&self, source: usize, target: usize) -> f64 {
        self.intercept + self.weights.logit(self.features.row(source), self.features.row(target))
    }
}
