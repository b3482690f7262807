//! How far AUC and average precision would spread had other test pairs been drawn: a stratified bootstrap.
//!
//! A resample draws as many links from the links and as many non-links from the non-links as there are, with
//! replacement. It has the spread of the test pairs alone: not that of other splits, nor that of other chains.

use rand::RngExt;
use rayon::prelude::*;

use super::ranking::{Step, area, check, precision};
use crate::random::{Purpose, stream};

/// How many resamples, of test sets that are not large.
const RESAMPLES: usize = 1000;
/// How many of larger ones, whose intervals are narrow.
const FEW_RESAMPLES: usize = 200;
/// Test sets beyond so many pairs are large.
const LARGE: usize = 200_000;

/// AUC and average precision of one resample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resample {
    /// The area under the ROC curve.
    pub auc: f64,
    /// The average precision.
    pub average_precision: f64,
}

/// How many resamples are worth drawing of so many test pairs.
pub fn resamples(pairs: usize) -> usize {
    if pairs <= LARGE { RESAMPLES } else { FEW_RESAMPLES }
}

/// Draws `count` resamples of test pairs; none unless both links and non-links are there.
///
/// The same `seed` and `block` give the same resamples on any number of threads; blocks are independent.
///
/// # Panics
/// If a score is NaN or the lengths differ.
pub fn bootstrap(scores: &[f64], labels: &[bool], count: usize, seed: u64, block: u64) -> Vec<Resample> {
    check(scores, labels);
    let mut ranked: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    // The step that each link, and each non-link, stands on.
    let (mut links, mut non_links, mut steps) = (Vec::new(), Vec::new(), 0_u32);
    for tied in ranked.chunk_by(|a, b| a.0 == b.0) {
        for &(_, link) in tied {
            if link { &mut links } else { &mut non_links }.push(steps);
        }
        steps += 1;
    }
    if links.is_empty() || non_links.is_empty() {
        return Vec::new();
    }
    let one = |counts: &mut Vec<Step>, number: usize| {
        counts.clear();
        counts.resize(steps as usize, Step::default());
        let mut rng = stream(seed, block, number as u64, Purpose::Bootstrap, 0);
        for _ in 0..links.len() {
            counts[links[rng.random_range(0..links.len())] as usize].links += 1;
        }
        for _ in 0..non_links.len() {
            counts[non_links[rng.random_range(0..non_links.len())] as usize].non_links += 1;
        }
        let kept = "as many of both as there are";
        Resample { auc: area(counts).expect(kept), average_precision: precision(counts).expect(kept) }
    };
    (0..count).into_par_iter().map_init(Vec::new, one).collect()
}

/// The interval that holds the middle 95 % of some values, ends interpolated as numpy's `quantile` does. `None` if there
/// is no value.
pub fn middle_95(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let quantile = |share: f64| {
        let place = share * last as f64;
        let (below, part) = (place as usize, place.fract());
        sorted[below] + part * (sorted[(below + 1).min(last)] - sorted[below])
    };
    Some((quantile(0.025), quantile(0.975)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{auc, average_precision};

    #[test]
    fn resamples_are_as_likely_as_they_should_be() {
        // All 27 * 27 resamples of three links and three non-links, with a tie, against 40,000 drawn ones: means and mean
        // squares within five standard errors; four comparisons, 2e-6 by chance.
        let (links, non_links) = ([0.9, 0.5, 0.2], [0.6, 0.5, 0.1]);
        let labels = [true, true, true, false, false, false];
        let mut every = Vec::new();
        for number in 0..729_usize {
            let digit = |place: u32| number / 3_usize.pow(place) % 3;
            let scores =
                [0, 1, 2, 3, 4, 5].map(|p| if p < 3 { links[digit(p)] } else { non_links[digit(p)] });
            every.push([auc(&scores, &labels).unwrap(), average_precision(&scores, &labels).unwrap()]);
        }
        let scores = [0.9, 0.5, 0.2, 0.6, 0.5, 0.1];
        let drawn = bootstrap(&scores, &labels, 40_000, 1, 0);
        let drawn: Vec<[f64; 2]> = drawn.iter().map(|d| [d.auc, d.average_precision]).collect();
        for which in 0..2 {
            for power in [1, 2] {
                let mean = |list: &[[f64; 2]], power: i32| {
                    list.iter().map(|values| values[which].powi(power)).sum::<f64>() / list.len() as f64
                };
                let expected = mean(&every, power);
                let error = ((mean(&every, 2 * power) - expected * expected) / drawn.len() as f64).sqrt();
                let z = (mean(&drawn, power) - expected) / error;
                assert!(z.abs() < 5.0, "{which} {power}: {z}");
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let labels: Vec<bool> = (0..300).map(|i| i % 3 == 0).collect();
        let scores: Vec<f64> = (0..300).map(|i| f64::from(i * 37 % 101)).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bootstrap(&scores, &labels, 50, 7, 2))
        };
        assert_eq!(on(1), on(3));
        assert_ne!(on(1), bootstrap(&scores, &labels, 50, 7, 3));
        assert!(bootstrap(&scores, &[true; 300], 50, 7, 2).is_empty());
    }

    #[test]
    fn quantiles_are_interpolated() {
        // numpy.quantile(range(11), [0.025, 0.975])
        let values: Vec<f64> = (0..11).rev().map(f64::from).collect();
        let (low, high) = middle_95(&values).unwrap();
        assert!((low - 0.25).abs() < 1e-12 && (high - 9.75).abs() < 1e-12);
        assert_eq!(middle_95(&[0.5]), Some((0.5, 0.5)));
        assert_eq!(middle_95(&[]), None);
    }
}
