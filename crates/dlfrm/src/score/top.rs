//! Scores of the top of a ranking. Among tied pairs every order is equally likely, and what is given is the expectation.

use super::ranking::{check, steps_downwards};

/// Hits@K: the share of links that fewer than `k` non-links are ranked above.
///
/// Without ties that is the share of links whose score is above that of the K-th best non-link, as in the Open Graph
/// Benchmark, which counts a link that is tied with that non-link as a miss; here it counts as what it is worth in a
/// random order of the tied. 1 if there are fewer than `k` non-links; `None` if there is no link.
///
/// # Panics
/// If `k` is 0, a score is NaN or the lengths differ.
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
///
/// # Panics
/// If `k` is 0, a score is NaN or the lengths differ.
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
/// `groups` has a number for every pair: the node whose pairs are ranked. The rank of a link is 1, and 1
/// for every non-link of its group with a larger score, and one half for every one with the same score: its expected
/// rank, as in the Open Graph Benchmark. A link whose group has no non-link is left out, as it cannot be ranked;
/// `None` if that leaves none.
///
/// # Panics
/// If a score is NaN or the lengths differ.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every order of the tied pairs, by permuting pairs and keeping those orders that are sorted.
    fn mean_over_orders(pairs: &[(f64, bool)], measure: &dyn Fn(&[bool]) -> f64) -> f64 {
        fn walk(
            left: &mut Vec<(f64, bool)>,
            taken: &mut Vec<bool>,
            found: &mut (f64, f64),
            measure: &dyn Fn(&[bool]) -> f64,
        ) {
            let Some(best) = left.iter().map(|pair| pair.0).reduce(f64::max) else {
                *found = (found.0 + measure(taken), found.1 + 1.0);
                return;
            };
            for place in 0..left.len() {
                if left[place].0 == best {
                    let pair = left.remove(place);
                    taken.push(pair.1);
                    walk(left, taken, found, measure);
                    taken.pop();
                    left.insert(place, pair);
                }
            }
        }
        let mut found = (0.0, 0.0);
        walk(&mut pairs.to_vec(), &mut Vec::new(), &mut found, measure);
        found.0 / found.1
    }

    proptest! {
        #[test]
        fn ties_are_worth_the_mean_over_their_orders(
            pairs in prop::collection::vec((0_u8..3, any::<bool>()), 1..7),
            k in 1_usize..8,
        ) {
            let pairs: Vec<(f64, bool)> = pairs.iter().map(|&(s, link)| (f64::from(s), link)).collect();
            let (scores, labels): (Vec<f64>, Vec<bool>) = pairs.iter().copied().unzip();
            let links = labels.iter().filter(|&&link| link).count();
            let hits = |order: &[bool]| {
                let before = |place: usize| order[..place].iter().filter(|&&link| !link).count();
                let hit = (0..order.len()).filter(|&place| order[place] && before(place) < k).count();
                hit as f64 / links as f64
            };
            match hits_at(k, &scores, &labels) {
                None => prop_assert_eq!(links, 0),
                Some(found) => prop_assert!((found - mean_over_orders(&pairs, &hits)).abs() < 1e-12),
            }
            let precision = |order: &[bool]| {
                let first = &order[..k.min(order.len())];
                first.iter().filter(|&&link| link).count() as f64 / first.len() as f64
            };
            let found = precision_at(k, &scores, &labels).unwrap();
            prop_assert!((found - mean_over_orders(&pairs, &precision)).abs() < 1e-12);
        }
    }

    #[test]
    fn by_hand() {
        let scores = [0.9, 0.8, 0.8, 0.5, 0.1];
        let labels = [true, false, true, false, true];
        assert_eq!(hits_at(1, &scores, &labels), Some(1.5 / 3.0));
        assert_eq!(hits_at(2, &scores, &labels), Some(2.0 / 3.0));
        assert_eq!(hits_at(3, &scores, &labels), Some(1.0), "there is no third non-link");
        assert_eq!(precision_at(2, &scores, &labels), Some(0.75));
        assert_eq!(precision_at(100, &scores, &labels), Some(0.6));
        // Group 0: ranks 1 and 1.5; group 1: its link is below its non-link; group 2 has nothing to rank against.
        assert_eq!(
            mean_reciprocal_rank(&scores, &labels, &[0, 0, 0, 1, 1]),
            Some((1.0 + 1.0 / 1.5 + 0.5) / 3.0)
        );
        assert_eq!(mean_reciprocal_rank(&[0.3, 0.2], &[true, true], &[2, 2]), None);
        assert_eq!(hits_at(1, &[0.3], &[false]), None);
        assert_eq!(precision_at(1, &[], &[]), None);
    }

    #[test]
    fn agrees_with_scikit_learn() {
        // scripts/reference_scores.py, scikit-learn 1.9.1
        let labels: Vec<bool> = (0..200).map(|i| (i * i + 3 * i) % 7 < 2).collect();
        let scores: Vec<f64> =
            (0..200).map(|i| f64::from(i * 37 % 101 / 12 + 2 * i32::from(labels[i as usize]))).collect();
        let groups: Vec<u32> = (0..200).map(|i| i % 9).collect();
        let found = [
            hits_at(10, &scores, &labels),
            hits_at(60, &scores, &labels),
            precision_at(20, &scores, &labels),
            precision_at(61, &scores, &labels),
            mean_reciprocal_rank(&scores, &labels, &groups),
        ];
        let expected = [
            0.284_210_526_315_789_47,
            0.644_506_001_846_721_9,
            0.7,
            0.428_367_783_321_454_03,
            0.363_842_618_796_179_2,
        ];
        for (found, expected) in found.map(Option::unwrap).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    #[should_panic(expected = "score number 1 is not a number")]
    fn nan_panics() {
        mean_reciprocal_rank(&[0.0, f64::NAN], &[true, false], &[0, 0]);
    }
}
