//! Link probabilities: means and intervals over draws and chains.

use rayon::prelude::*;

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
        let raised = self.raised_log_odds();
        let covariates = self.covariates_of(pairs);
        pairs
            .par_iter()
            .enumerate()
            .map_init(Vec::new, |values, (number, &(i, j))| {
                let line = covariates.row(number);
                values.clear();
                let logits = self.draws.iter().map(|draw| draw.logit(i as usize, j as usize, line));
                values.extend(logits.map(|logit| sigmoid(logit - raised)));
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                values.sort_unstable_by(f64::total_cmp);
                Prediction { mean, low: quantile(values, 0.05), high: quantile(values, 0.95) }
            })
            .collect()
    }

    /// The posterior mean alone: what pairs are ranked by.
    pub fn predict_mean(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let raised = self.raised_log_odds();
        let covariates = self.covariates_of(pairs);
        pairs
            .par_iter()
            .enumerate()
            .map(|(number, &(i, j))| {
                let line = covariates.row(number);
                let logits = self.draws.iter().map(|draw| draw.logit(i as usize, j as usize, line));
                let sum: f64 = logits.map(|logit| sigmoid(logit - raised)).sum();
                sum / self.draws.len() as f64
            })
            .collect()
    }

    /// The probability of a link between each pair in every draw: a row per pair, with the draws in their order.
    pub fn predict_draws(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let raised = self.raised_log_odds();
        let covariates = self.covariates_of(pairs);
        let rows = pairs.par_iter().enumerate().map(|(number, &(i, j))| {
            let line = covariates.row(number);
            let logits = self.draws.iter().map(|draw| draw.logit(i as usize, j as usize, line));
            logits.map(|logit| sigmoid(logit - raised)).collect::<Vec<f64>>()
        });
        rows.flatten_iter().collect()
    }
}

/// The quantile of sorted values, interpolated.
pub(super) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::super::Draw;
    use super::super::tests::small_posterior;
    use super::*;

    /// Missing non-links raise the odds of a link by one over their share in every draw.
    #[test]
    fn a_sample_of_non_links_is_taken_into_account() {
        let whole = small_posterior("dlfrm-l", true, 8);
        let mut sampled = whole.clone();
        sampled.non_link_share = 0.1;
        let lowered = |probability: f64| probability / (probability + (1.0 - probability) * 10.0);
        for pair in [(0, 1), (3, 2), (7, 4)] {
            // By hand: the odds of each draw are lowered, and then the probabilities averaged.
            let each = |draw: &Draw| {
                lowered(sigmoid(
                    draw.logit(pair.0 as usize, pair.1 as usize, whole.covariates_of(&[pair]).row(0))
                        - whole.raised_log_odds(),
                ))
            };
            let mut values: Vec<f64> = whole.draws().iter().map(each).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.sort_unstable_by(f64::total_cmp);
            let found = sampled.predict(&[pair])[0];
            let expected = [mean, quantile(&values, 0.05), quantile(&values, 0.95)];
            for (found, expected) in [found.mean, found.low, found.high].into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
            assert!((sampled.predict_mean(&[pair])[0] - mean).abs() < 1e-12);
            let mut draws = sampled.predict_draws(&[(1, 0), pair]).split_off(sampled.draws().len());
            draws.sort_unstable_by(f64::total_cmp);
            assert!(draws.iter().zip(&values).all(|(draw, value)| (draw - value).abs() < 1e-12));
        }
    }
}
