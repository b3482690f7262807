//! Link probabilities: means and intervals over draws and chains.

use rayon::prelude::*;

use crate::model::Settings;
use crate::model::sigmoid;

use super::Posterior;

/// The probability of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Posterior mean.
    pub mean: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
}

impl Posterior {
    /// The probability of a link between each pair, with 90 % intervals.
    pub fn predict(&self, pairs: &[(u32, u32)]) -> Vec<Prediction> {
        let odds = cost_odds(&self.settings);
        pairs
            .par_iter()
            .map_init(Vec::new, |values, &(i, j)| {
                values.clear();
                values.extend(self.draws.iter().map(|draw| sigmoid(draw.logit(i as usize, j as usize))));
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                values.sort_unstable_by(f64::total_cmp);
                Prediction {
                    mean: take_back(mean, odds),
                    low: take_back(quantile(values, 0.05), odds),
                    high: take_back(quantile(values, 0.95), odds),
                }
            })
            .collect()
    }

    /// The posterior mean alone: what pairs are ranked by.
    pub fn predict_mean(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let odds = cost_odds(&self.settings);
        pairs
            .par_iter()
            .map(|&(i, j)| {
                let sum: f64 =
                    self.draws.iter().map(|draw| sigmoid(draw.logit(i as usize, j as usize))).sum();
                take_back(sum / self.draws.len() as f64, odds)
            })
            .collect()
    }
}

/// The factor by which unequal costs raise the odds of a link: c+ / c-.
pub(super) fn cost_odds(settings: &Settings) -> f64 {
    settings.c_pos / settings.c_neg
}

/// A probability under unequal costs, brought back to equal ones. It keeps ranks. It is applied to the mean over
/// draws; applied to each draw before averaging it would rank a little differently, neither always better.
pub(super) fn take_back(probability: f64, odds: f64) -> f64 {
    probability / (probability + (1.0 - probability) * odds)
}

/// The quantile of sorted values, interpolated.
pub(super) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}
