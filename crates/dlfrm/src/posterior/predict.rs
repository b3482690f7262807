//! What draws say in numbers: link probabilities, the number of features and coefficients, with intervals.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::chain::Draw;
use crate::covariates::Attributes;
use crate::model::{Linear, sigmoid};
use crate::simd::with_simd;

use super::Posterior;
use super::pool::{log_odds_of_mean, score};

/// The probability of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Posterior mean.
    pub mean: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
    /// What pairs are ranked by ([`Posterior::score`]).
    pub score: f64,
}

/// Pairs that are predicted together: a draw is then read from memory once for all of them.
const TOGETHER: usize = 32;
/// Pairs whose covariates are computed at once.
const AT_ONCE: usize = 1 << 17;

impl Posterior {
    /// The probability of a link between each pair, with 90 % intervals, and its score.
    pub fn predict(&self, pairs: &[(u32, u32)]) -> Vec<Prediction> {
        let parts = self.part_counts();
        self.over_spread(pairs, |logits, raised, before| {
            let score = score(logits[before..].iter().copied(), parts);
            let mean = mean(&logits[before..], &raised[before..]);
            let values = &mut probabilities(logits, raised, before + parts[0].0)[before..];
            Some(Prediction { mean, low: quantile_of(values, 0.05), high: quantile_of(values, 0.95), score })
        })
    }

    /// The posterior mean alone.
    pub fn predict_mean(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        self.over(&self.mixture(), pairs, |logits, raised| Some(mean(logits, raised)))
    }

    /// What pairs are ranked by: log-odds of a link.
    ///
    /// The largest of some small probabilities decides their mean. So a mean over draws is that of the probabilities before
    /// costs and sampled non-links are undone, and of both parts of a mixture the log-odds are averaged.
    pub fn score(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let parts = self.part_counts();
        self.over(&self.mixture(), pairs, |logits, _| Some(score(logits.iter().copied(), parts)))
    }

    /// The probability of a link between each pair in every draw: a row per pair, with the draws in their order. Draws of a
    /// mixture are those of its parts, as many as their shares say, those of the features first.
    pub fn predict_draws(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let features = self.part_counts()[0].0;
        self.over_spread(pairs, |logits, raised, before| {
            probabilities(logits, raised, before + features)[before..].to_vec()
        })
    }

    /// What is made of the logits of each pair: in the draws that count, after so many that only lend their spread.
    fn over_spread<I: IntoIterator<Item: Send>>(
        &self,
        pairs: &[(u32, u32)],
        made: impl Fn(&mut [f64], &[f64], usize) -> I + Sync,
    ) -> Vec<I::Item> {
        let mixture = self.mixture();
        let mut draws = if self.part_counts()[0].0 > 0 { vec![] } else { self.features_draws() };
        let before = draws.len();
        draws.extend(mixture);
        self.over(&draws, pairs, |logits, raised| made(logits, raised, before))
    }

    /// What is made of the logits of each pair, one in every draw, and of what is taken from them; pair after pair.
    pub(super) fn over<I: IntoIterator<Item: Send>>(
        &self,
        draws: &[(&Draw, f64)],
        pairs: &[(u32, u32)],
        made: impl Fn(&mut [f64], &[f64]) -> I + Sync,
    ) -> Vec<I::Item> {
        let count = draws.len();
        let raised: Vec<f64> = draws.iter().map(|&(_, raised)| raised).collect();
        let features = draws.iter().map(|(draw, _)| draw.features()).max().unwrap_or_default();
        let mut all = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(AT_ONCE) {
            let covariates = self.covariates_of(pairs);
            let together = pairs.par_chunks(TOGETHER).enumerate().map_init(
                || (vec![0.0; TOGETHER * count], vec![], vec![0.0; features]),
                |(values, columns, spare), (block, pairs)| {
                    covariates.columns(block * TOGETHER..block * TOGETHER + pairs.len(), columns);
                    for (number, &(draw, _)) in draws.iter().enumerate() {
                        let sums = products(&draw.linear.coefficients, columns);
                        for (place, (&(i, j), sum)) in pairs.iter().zip(sums).enumerate() {
                            let logit = draw.logit_with(i as usize, j as usize, sum, spare);
                            values[place * count + number] = logit;
                        }
                    }
                    let each = values.chunks_mut(count).take(pairs.len());
                    each.flat_map(|logits| made(logits, &raised)).collect::<Vec<_>>()
                },
            );
            all.par_extend(together.flatten_iter());
        }
        all
    }
}

/// The mean probability of a pair.
fn mean(logits: &[f64], raised: &[f64]) -> f64 {
    let values = logits.iter().zip(raised).map(|(logit, raised)| sigmoid(logit - raised));
    values.sum::<f64>() / logits.len() as f64
}

/// The probabilities of a pair, in place of its logits; so many of them, the first, are of draws of the features.
fn probabilities<'a>(logits: &'a mut [f64], raised: &[f64], features: usize) -> &'a mut [f64] {
    logits.iter_mut().zip(raised).for_each(|(logit, raised)| *logit -= raised);
    let (features, covariates) = logits.split_at_mut(features);
    spread(features, covariates);
    for logit in logits.iter_mut() {
        *logit = sigmoid(*logit);
    }
    logits
}

/// Newton steps to the shift that keeps a mean probability.
const SHIFTS: usize = 6;

/// Gives logits in draws of the covariates the spread that those in draws of the features have, and leaves the mean probability
/// where it is. See "Covariates and features together" in `docs/model.md`.
fn spread(features: &[f64], covariates: &mut [f64]) {
    if features.is_empty() || covariates.is_empty() {
        return;
    }
    let count = covariates.len() as f64;
    let aim = log_odds_of_mean(covariates.iter().copied());
    let centre = features.iter().sum::<f64>() / features.len() as f64;
    let places = 2 * covariates.len();
    for (number, logit) in covariates.iter_mut().enumerate() {
        *logit += features[(2 * number + 1) * features.len() / places] - centre;
    }
    for _ in 0..SHIFTS {
        let (mut mean, mut slope) = (0.0, 0.0);
        for &logit in &*covariates {
            let p = sigmoid(logit);
            mean += p / count;
            slope += p * (1.0 - p) / count;
        }
        let off = log_odds_of_mean(covariates.iter().copied()) - aim;
        // Far from the aim a step is no longer than that of one logit alone would be.
        let shift = off * (mean * (1.0 - mean) / slope.max(f64::MIN_POSITIVE)).clamp(1.0, 4.0);
        for logit in covariates.iter_mut() {
            *logit -= shift;
        }
    }
}

/// What coefficients and covariates add up to, for each of some pairs.
fn products(coefficients: &[f64], columns: &[[f64; TOGETHER]]) -> [f64; TOGETHER] {
    with_simd(
        #[inline(always)]
        || {
            let mut sums = [0.0; TOGETHER];
            for (beta, column) in coefficients.iter().zip(columns) {
                for (sum, x) in sums.iter_mut().zip(column) {
                    *sum += beta * x;
                }
            }
            sums
        },
    )
}

/// The quantile of values in any order, which are moved about.
fn quantile_of(values: &mut [f64], level: f64) -> f64 {
    let place = level * (values.len() - 1) as f64;
    let (_, &mut below, above) = values.select_nth_unstable_by(place.floor() as usize, f64::total_cmp);
    let above = above.iter().copied().min_by(f64::total_cmp).unwrap_or(below);
    below + place.fract() * (above - below)
}

/// The quantile of sorted values, interpolated.
pub(super) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

impl Posterior {
    /// Every number of features that some draw has, in increasing order, with its posterior probability.
    pub fn features_distribution(&self) -> Vec<(usize, f64)> {
        let mut counts = BTreeMap::new();
        for draw in self.draws() {
            *counts.entry(draw.features()).or_insert(0_usize) += 1;
        }
        counts
            .into_iter()
            .map(|(features, count)| (features, count as f64 / self.draws().len() as f64))
            .collect()
    }

    /// The 90 % interval of the number of features; `None` without draws.
    pub fn features_interval(&self) -> Option<(f64, f64)> {
        let mut counts: Vec<f64> = self.draws().iter().map(|draw| draw.features() as f64).collect();
        counts.sort_unstable_by(f64::total_cmp);
        (!counts.is_empty()).then(|| (quantile(&counts, 0.05), quantile(&counts, 0.95)))
    }

    /// The mean of the log joint density over the draws.
    pub fn mean_log_joint(&self) -> f64 {
        self.draws().iter().map(|draw| draw.log_joint).sum::<f64>() / self.draws().len() as f64
    }
}

/// The coefficient of a covariate: what one standard deviation of it adds to a logit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coefficient {
    /// The covariate.
    pub covariate: String,
    /// Posterior mean.
    pub mean: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
}

impl Posterior {
    /// The coefficients of all covariates of pairs that vary, in their order.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        let Some(covariates) = self.covariates() else { return vec![] };
        let coefficients = covariates.varying().map(|column| {
            self.coefficient(covariates.names()[column].clone(), |linear| linear.coefficients[column])
        });
        coefficients.collect()
    }

    /// The coefficients of the attributes of nodes, those of the source before those of the target, in their order.
    pub fn attribute_coefficients(&self) -> Vec<Coefficient> {
        let attributes = self.covariates().and_then(|covariates| covariates.side_info().nodes.as_deref());
        let names = attributes.map_or(&[][..], Attributes::names);
        let ends: &[&str] = if self.symmetric() { &["either end"] } else { &["source", "target"] };
        let coefficients = ends.iter().enumerate().flat_map(|(end, title)| {
            let named = names.iter().enumerate();
            named.map(move |(column, name)| {
                self.coefficient(format!("{title}: {name}"), |linear| linear.attributes[end][column])
            })
        });
        coefficients.collect()
    }

    /// One number of the linear part over all draws of the part that has covariates.
    fn coefficient(&self, covariate: String, of: impl Fn(&Linear) -> f64) -> Coefficient {
        let draws = self.covariates_part().map_or(self.draws(), |(draws, _)| draws);
        let mut values: Vec<f64> = draws.iter().map(|draw| of(&draw.linear)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Coefficient { covariate, mean, low: quantile(&values, 0.05), high: quantile(&values, 0.95) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::small_posterior;
    use super::*;
    use crate::chain::Draw;

    /// Draws of the covariates are as far apart as those of the features, and have the mean that they had.
    #[test]
    fn draws_of_covariates_have_the_spread_of_the_features() {
        let features: Vec<f64> = (0..100).map(|draw| f64::from(draw * 37 % 100) / 20.0 - 9.0).collect();
        for centre in [-12.0, -2.0, 0.5, 30.0] {
            let mut covariates: Vec<f64> = (0..50).map(|draw| centre + f64::from(draw % 7) / 100.0).collect();
            let mean = |logits: &[f64]| log_odds_of_mean(logits.iter().copied());
            let range = |values: &[f64]| {
                let [low, high] = [f64::min, f64::max].map(|of| values.iter().copied().reduce(of).unwrap());
                high - low
            };
            let before = mean(&covariates);
            spread(&features, &mut covariates);
            assert!((mean(&covariates) - before).abs() < 1e-6, "{} {before}", mean(&covariates));
            assert!((range(&covariates) - range(&features)).abs() < 0.15);
        }
        let mut alone = [0.3, 0.4];
        spread(&[], &mut alone);
        assert_eq!(alone, [0.3, 0.4]);
    }

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

    /// Pairs that are predicted together have the probabilities that each has alone, bit by bit.
    #[test]
    fn pairs_together_and_alone() {
        for (model, directed) in [("dlfrm-l", true), ("diag-dlfrm-l", false)] {
            let posterior = small_posterior(model, directed, 12);
            let pairs: Vec<(u32, u32)> = (0..12).flat_map(|i| (0..12).map(move |j| (i, j))).collect();
            let pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|(i, j)| i != j).collect();
            assert!(posterior.covariates().is_some() && !pairs.len().is_multiple_of(TOGETHER));
            let mut expected = vec![];
            for &(i, j) in &pairs {
                let line = posterior.covariates_of(&[(i, j)]);
                let logits =
                    posterior.draws().iter().map(|draw| draw.logit(i as usize, j as usize, line.row(0)));
                expected.extend(logits.map(|logit| sigmoid(logit - posterior.raised_log_odds())));
            }
            assert_eq!(posterior.predict_draws(&pairs), expected);
            let means =
                expected.chunks(posterior.draws().len()).map(|of| of.iter().sum::<f64>() / of.len() as f64);
            let means: Vec<f64> = means.collect();
            assert_eq!(posterior.predict_mean(&pairs), means);
            let predicted = posterior.predict(&pairs);
            assert!(predicted.iter().map(|prediction| prediction.score).eq(posterior.score(&pairs)));
            assert!(predicted.iter().map(|prediction| prediction.mean).eq(means));
            for (found, values) in predicted.iter().zip(expected.chunks_mut(posterior.draws().len())) {
                values.sort_unstable_by(f64::total_cmp);
                assert_eq!([found.low, found.high], [0.05, 0.95].map(|level| quantile(values, level)));
            }
        }
    }
}
