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
        let shift = log_odds_shift(&self.settings);
        pairs
            .par_iter()
            .map_init(Vec::new, |values, &(i, j)| {
                values.clear();
                values.extend(
                    self.draws.iter().map(|draw| sigmoid(draw.logit(i as usize, j as usize) - shift)),
                );
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                values.sort_unstable_by(f64::total_cmp);
                Prediction { mean, low: quantile(values, 0.05), high: quantile(values, 0.95) }
            })
            .collect()
    }

    /// The posterior mean alone: what pairs are ranked by.
    pub fn predict_mean(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let shift = log_odds_shift(&self.settings);
        pairs
            .par_iter()
            .map(|&(i, j)| {
                let sum: f64 =
                    self.draws.iter().map(|draw| sigmoid(draw.logit(i as usize, j as usize) - shift)).sum();
                sum / self.draws.len() as f64
            })
            .collect()
    }
}

/// Unequal costs shift the logit that fits best by log(c+ / c-); a probability takes that back.
pub(super) fn log_odds_shift(settings: &Settings) -> f64 {
    (settings.c_pos / settings.c_neg).ln()
}

/// The quantile of sorted values, interpolated.
pub(super) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}
