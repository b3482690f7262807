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
        let odds = self.raised_odds();
        let covariates = self.covariates_of(pairs);
        pairs
            .par_iter()
            .enumerate()
            .map_init(Vec::new, |values, (number, &(i, j))| {
                let line = covariates.row(number);
                values.clear();
                values
                    .extend(self.draws.iter().map(|draw| sigmoid(draw.logit(i as usize, j as usize, line))));
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
        let odds = self.raised_odds();
        let covariates = self.covariates_of(pairs);
        pairs
            .par_iter()
            .enumerate()
            .map(|(number, &(i, j))| {
                let line = covariates.row(number);
                let logits = self.draws.iter().map(|draw| draw.logit(i as usize, j as usize, line));
                let sum: f64 = logits.map(sigmoid).sum();
                take_back(sum / self.draws.len() as f64, odds)
            })
            .collect()
    }
}

/// A probability whose odds were raised by a factor, brought back. It keeps ranks. It is applied to the mean over
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

#[cfg(test)]
mod tests {
    use super::super::tests::small_posterior;

    /// Missing non-links raise the odds of a link by one over their share; this is taken back.
    #[test]
    fn a_sample_of_non_links_is_taken_into_account() {
        let whole = small_posterior("dlfrm-l", true, 8);
        let mut sampled = whole.clone();
        sampled.non_link_share = 0.1;
        let odds = |probability: f64| probability / (1.0 - probability);
        for pair in [(0, 1), (3, 2), (7, 4)] {
            let [one, other] = [&whole, &sampled].map(|posterior| posterior.predict(&[pair])[0]);
            for (one, other) in [(one.mean, other.mean), (one.low, other.low), (one.high, other.high)] {
                assert!((odds(one) / odds(other) / 10.0 - 1.0).abs() < 1e-9, "{one} {other}");
            }
            let [one, other] = [&whole, &sampled].map(|posterior| posterior.predict_mean(&[pair])[0]);
            assert!((odds(one) / odds(other) / 10.0 - 1.0).abs() < 1e-9, "{one} {other}");
        }
    }
}
