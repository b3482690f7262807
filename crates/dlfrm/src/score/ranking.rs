//! Scores of a ranking: only the order of the numbers counts. Ties are handled exactly: of the top of a ranking every order of tied
//! pairs is equally likely, and what is given is the expectation.
//!
//! How far the area under the ROC curve and the average precision would spread had other test pairs been drawn is told by a
//! stratified bootstrap. A resample draws as many links from the links and as many non-links from the non-links as there are, with
//! replacement. It has the spread of the test pairs alone: not that of other splits, nor that of other chains.

use rand::RngExt;
use rayon::prelude::*;

use crate::random::{Purpose, stream};

/// The area under the ROC curve: the probability that a random link has a larger score than a random
/// non-link, a tie counting one half.
///
/// `None` unless both links and non-links are there.
pub fn auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    area(&steps_downwards(scores, labels))
}

/// Average precision: the sum over distinct scores, from the largest down, of the precision at that
/// threshold times the recall gained there (scikit-learn's `average_precision_score`).
///
/// Pairs with equal scores enter together. `None` if there is no link.
pub fn average_precision(scores: &[f64], labels: &[bool]) -> Option<f64> {
    precision(&steps_downwards(scores, labels))
}

fn area(steps: &[Step]) -> Option<f64> {
    let Step { links, non_links } = Step::total(steps);
    if links == 0 || non_links == 0 {
        return None;
    }
    // Twice the Mann-Whitney statistic is a whole number: summed exactly, rounded once.
    let mut won_twice = 0_u128;
    let mut below = non_links;
    for step in steps {
        below -= step.non_links;
        won_twice += u128::from(step.links) * (2 * u128::from(below) + u128::from(step.non_links));
    }
    Some(won_twice as f64 / (2.0 * links as f64 * non_links as f64))
}

fn precision(steps: &[Step]) -> Option<f64> {
    let links = Step::total(steps).links;
    if links == 0 {
        return None;
    }
    let (mut found, mut taken) = (0_u64, 0_u64);
    let mut sum = 0.0;
    for step in steps.iter().filter(|step| step.links + step.non_links > 0) {
        found += step.links;
        taken += step.links + step.non_links;
        sum += step.links as f64 * (found as f64 / taken as f64);
    }
    Some(sum / links as f64)
}

/// The pairs that share one score.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) links: u64,
    pub(super) non_links: u64,
}

impl Step {
    pub(super) fn total(steps: &[Self]) -> Self {
        let sum = |count: fn(&Self) -> u64| steps.iter().map(count).sum();
        Self { links: sum(|step| step.links), non_links: sum(|step| step.non_links) }
    }
}

/// The pairs gathered by score, the largest score first.
pub(super) fn steps_downwards(scores: &[f64], labels: &[bool]) -> Vec<Step> {
    check(scores, labels);
    let mut ranked: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    // Equality, not total_cmp, decides a tie: 0 and -0 are one score.
    ranked
        .chunk_by(|a, b| a.0 == b.0)
        .map(|tied| {
            let links = tied.iter().filter(|(_, link)| *link).count() as u64;
            Step { links, non_links: tied.len() as u64 - links }
        })
        .collect()
}

fn check(scores: &[f64], labels: &[bool]) {
    assert_eq!(scores.len(), labels.len(), "one label a score");
    if let Some(place) = scores.iter().position(|score| score.is_nan()) {
        panic!("score number {place} is not a number");
    }
}

/// Hits@K: the share of links that fewer than `k` non-links are ranked above.
///
/// The Open Graph Benchmark counts a link that is tied with the K-th best non-link as a miss; here it counts as what it is
/// worth in a random order of the tied. 1 if there are fewer than `k` non-links; `None` if there is no link.
pub fn hits_at(k: usize, scores: &[f64], labels: &[bool]) -> Option<f64> {
    assert!(k > 0, "hits among the first 0");
    let (mut above, mut links, mut hits) = (0_u64, 0_u64, 0.0);
    for step in steps_downwards(scores, labels) {
        // A link has 0 to non_links of the tied non-links above it, each number being equally likely.
        let places = step.non_links + 1;
        let good = (k as u64).saturating_sub(above).min(places);
        hits += step.links as f64 * good as f64 / places as f64;
        links += step.links;
        above += step.non_links;
    }
    (links > 0).then(|| hits / links as f64)
}

/// Precision@K: the share of links among the `k` best pairs; among all of them, if there are fewer than `k`.
///
/// `None` if there is no pair.
pub fn precision_at(k: usize, scores: &[f64], labels: &[bool]) -> Option<f64> {
    assert!(k > 0, "precision among the first 0");
    let wanted = k.min(scores.len()) as u64;
    let (mut taken, mut found) = (0_u64, 0.0);
    for step in steps_downwards(scores, labels) {
        let tied = step.links + step.non_links;
        let fit = (wanted - taken).min(tied);
        found += step.links as f64 * fit as f64 / tied as f64;
        taken += fit;
        if taken == wanted {
            break;
        }
    }
    (wanted > 0).then(|| found / wanted as f64)
}

/// Mean reciprocal rank: the mean over links of 1 / rank, the rank being that among the link and the non-links of the
/// same group.
///
/// `groups` has a number for every pair: the node whose pairs are ranked. Ties count one half: the expected rank, as in the
/// Open Graph Benchmark. A link whose group has no non-link is left out; `None` if that leaves none.
pub fn mean_reciprocal_rank(scores: &[f64], labels: &[bool], groups: &[u32]) -> Option<f64> {
    check(scores, labels);
    assert_eq!(scores.len(), groups.len(), "one group a score");
    let mut order: Vec<u32> = (0..scores.len() as u32).collect();
    order.sort_unstable_by_key(|&place| (groups[place as usize], place));
    let (mut sum, mut ranked) = (0.0, 0_usize);
    let mut rivals: Vec<f64> = Vec::new();
    for group in order.chunk_by(|&a, &b| groups[a as usize] == groups[b as usize]) {
        let of_label = |link: bool| {
            group.iter().map(|&place| place as usize).filter(move |&place| labels[place] == link)
        };
        rivals.clear();
        rivals.extend(of_label(false).map(|place| scores[place]));
        if rivals.is_empty() {
            continue;
        }
        rivals.sort_unstable_by(f64::total_cmp);
        for score in of_label(true).map(|place| scores[place]) {
            let below = rivals.partition_point(|&rival| rival < score);
            let not_above = rivals.partition_point(|&rival| rival <= score);
            let above = rivals.len() - not_above;
            sum += 1.0 / (1.0 + above as f64 + (not_above - below) as f64 / 2.0);
            ranked += 1;
        }
    }
    (ranked > 0).then(|| sum / ranked as f64)
}

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

    #[test]
    #[should_panic(expected = "score number 1 is not a number")]
    fn nan_panics() {
        auc(&[0.0, f64::NAN], &[true, false]);
    }

    #[test]
    fn the_top_by_hand() {
        // Zeros of both signs are one score, of which the only link is worth half of a better rank.
        let (zeros, one) = ([0.0, -0.0, -1.0], [true, false, false]);
        assert_eq!((auc(&zeros, &one), average_precision(&zeros, &one)), (Some(0.75), Some(0.5)));
        let (scores, labels) = ([0.9, 0.8, 0.8, 0.5, 0.1], [true, false, true, false, true]);
        // Group 0: ranks 1 and 1.5; group 1: its link is below its non-link; group 2 has nothing to rank against.
        assert_eq!(
            mean_reciprocal_rank(&scores, &labels, &[0, 0, 0, 1, 1]),
            Some((1.0 + 1.0 / 1.5 + 0.5) / 3.0)
        );
        assert_eq!(mean_reciprocal_rank(&[0.3, 0.2], &[true, true], &[2, 2]), None);
        assert_eq!((hits_at(1, &[0.3], &[false]), precision_at(1, &[], &[])), (None, None));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        // scripts/reference_scores.py, and roc_auc_score(y, s), average_precision_score(y, s) of scikit-learn 1.9.1
        let close = |found: Option<f64>, expected: f64| {
            assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?} {expected}");
        };
        let labels: Vec<bool> = (0..200).map(|i| (i * i + 3 * i) % 7 < 2).collect();
        let raised = |i: i32, by: f64| if labels[i as usize] { by } else { 0.0 };
        let scores: Vec<f64> =
            (0..200).map(|i| f64::from(i * 37 % 101 / 4) / 25.0 + raised(i, 0.3)).collect();
        close(auc(&scores, &labels), 0.739_909_213_593_424_1);
        close(average_precision(&scores, &labels), 0.624_737_993_757_948_7);
        let scores: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101 / 12) + raised(i, 2.0)).collect();
        let groups: Vec<u32> = (0..200).map(|i| i % 9).collect();
        close(hits_at(10, &scores, &labels), 0.284_210_526_315_789_47);
        close(hits_at(60, &scores, &labels), 0.644_506_001_846_721_9);
        close(precision_at(20, &scores, &labels), 0.7);
        close(precision_at(61, &scores, &labels), 0.428_367_783_321_454_03);
        close(mean_reciprocal_rank(&scores, &labels, &groups), 0.363_842_618_796_179_2);
    }

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
