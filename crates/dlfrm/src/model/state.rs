//! Where a chain is: plain arrays, without settings or generators, so that it can be saved and compared.

use super::{Features, Linear, Nu, Weights};

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
    /// The rest of the linear part: effects of nodes, coefficients of covariates.
    pub linear: Linear,
    /// The intercept and the linear part of every pair; none if there is nothing but the intercept.
    pub offsets: Vec<f64>,
    /// Mass of the Indian buffet process.
    pub alpha: f64,
    /// Inverse standard deviations of the weights.
    pub nu: Nu,
}

impl State {
    /// What is added to the logit of a pair beside its features: intercept and linear part.
    #[inline]
    pub fn offset(&self, pair: usize) -> f64 {
        if self.offsets.is_empty() { self.intercept } else { self.offsets[pair] }
    }

    /// What the features of two nodes add to the logit of their pair.
    pub fn latent(&self, source: usize, target: usize) -> f64 {
        self.weights.logit(self.features.row(source), self.features.row(target))
    }

    /// The intercept is another: so are all offsets.
    pub(crate) fn set_intercept(&mut self, intercept: f64) {
        let step = intercept - self.intercept;
        self.offsets.iter_mut().for_each(|offset| *offset += step);
        self.intercept = intercept;
    }
}
