//! Mean probabilities that are exact but for rounding, and how far off that may be.

use crate::covariates::{Covariates, Distance, Matrix, Walker};
use crate::model::sigmoid;

use super::{Draw, Posterior};

/// Scores pairs whose covariates are computed in any order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scorer<'a> {
    draws: &'a [Draw],
    pub(super) covariates: Option<&'a Covariates>,
    /// How far rounding may move a logit. Covariates are kept with 24 bits.
    pub(super) slack: f64,
    /// How far it may move a mean of probabilities.
    noise: f64,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(posterior: &'a Posterior) -> Self {
        let (draws, covariates) = (posterior.draws(), posterior.covariates());
        let noise = (2 * draws.len() + 64) as f64 * f64::EPSILON;
        Self { draws, covariates, slack: rounding(draws, covariates), noise }
    }

    /// The covariates of pairs from the node that was walked from to others, or if `back` from others to it.
    pub(super) fn rows_of(&self, walker: Option<&Walker>, node: u32, others: &[u32], back: bool) -> Matrix {
        let none = || Matrix::new(0, others.len());
        self.covariates.map_or_else(none, |covariates| covariates.rows_of(walker, node, others, back))
    }

    /// The mean probability of a pair with these covariates.
    pub(super) fn probability(&self, source: u32, target: u32, line: &[f32]) -> f64 {
        let each = self.draws.iter().map(|draw| sigmoid(draw.logit(source as usize, target as usize, line)));
        each.sum::<f64>() / self.draws.len() as f64
    }

    /// How far a mean probability may be from that of [`Posterior::predict`]: by the slope of the
    /// sigmoid times the change of the logit, and twice that, as the slope changes too.
    pub(super) fn margin(&self, probability: f64) -> f64 {
        2.0 * self.slack * probability * (1.0 - probability) + self.noise
    }
}

fn rounding(draws: &[Draw], covariates: Option<&Covariates>) -> f64 {
    let largest = |of: &dyn Fn(&Draw) -> f64| draws.iter().map(of).fold(0.0, f64::max);
    let absolute = |numbers: &[f64]| numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut columns = 0.0;
    if let Some(covariates) = covariates {
        let ranges = [Distance::Far, Distance::Near].map(|distance| covariates.ranges(distance));
        for (column, scale) in covariates.scales().iter().enumerate() {
            let ends = ranges.iter().flat_map(|ranges| ranges[column]);
            let extent = ends.fold(0.0, |most: f64, end| most.max(end.abs()));
            let shift = if scale.deviation == 0.0 { 0.0 } else { scale.mean.abs() / scale.deviation };
            columns += largest(&|draw| draw.linear.coefficients[column].abs()) * (extent + shift);
        }
    }
    let intercept = largest(&|draw| draw.intercept.abs());
    let effects = largest(&|draw| absolute(&draw.linear.effects[0]) + absolute(&draw.linear.effects[1]));
    let weights = largest(&|draw| draw.weights.iter().map(|weight| weight.abs()).sum());
    columns * 0.5_f64.powi(21) + (1.0 + intercept + 2.0 * effects + weights) * 1e-11
}
