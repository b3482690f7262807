//! Scores of a ranking: only the order of the numbers counts, and ties are handled exactly.

/// The area under the ROC curve: the probability that a random link has a larger score than a random
/// non-link, a tie counting one half.
///
/// `None` unless both links and non-links are there. The result does not depend on the order of the
/// pairs. Infinite scores are ranked as such.
///
/// ```
/// use dlfrm::score::auc;
/// assert_eq!(auc(&[0.9, 0.4, 0.4, 0.1], &[true, true, false, false]), Some(0.875));
/// assert_eq!(auc(&[0.9, 0.4], &[true, true]), None);
/// ```
///
/// # Panics
/// If a score is NaN or the lengths differ.
pub fn auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    area(&steps_downwards(scores, labels))
}

/// Average precision: the sum over distinct scores, from the largest down, of the precision at that
/// threshold times the recall gained there (scikit-learn's `average_precision_score`).
///
/// Pairs with equal scores enter together. `None` if there is no link.
///
/// # Panics
/// If a score is NaN or the lengths differ.
pub fn average_precision(scores: &[f64], labels: &[bool]) -> Option<f64> {
    precision(&steps_downwards(scores, labels))
}

/// The area under the ROC curve of pairs gathered by score.
pub(super) fn area(steps: &[Step]) -> Option<f64> {
    let links: u64 = steps.iter().map(|step| step.links).sum();
    let non_links: u64 = steps.iter().map(|step| step.non_links).sum();
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

/// The average precision of pairs gathered by score.
pub(super) fn precision(steps: &[Step]) -> Option<f64> {
    let links: u64 = steps.iter().map(|step| step.links).sum();
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

/// Refuses what no ranking can be made of.
pub(super) fn check(scores: &[f64], labels: &[bool]) {
    assert_eq!(scores.len(), labels.len(), "one label a score");
    if let Some(place) = scores.iter().position(|score| score.is_nan()) {
        panic!("score number {place} is not a number");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By the definition: all pairs of a link and a non-link.
    fn auc_by_counting(scores: &[f64], labels: &[bool]) -> Option<f64> {
        let (mut won, mut all) = (0.0, 0.0);
        for (a, _) in scores.iter().zip(labels).filter(|(_, link)| **link) {
            for (b, _) in scores.iter().zip(labels).filter(|(_, link)| !**link) {
                all += 1.0;
                won += if a > b { 1.0 } else { f64::from(u8::from(a == b)) / 2.0 };
            }
        }
        (all > 0.0).then(|| won / all)
    }

    /// By the definition: for every link, the precision among the pairs scored at least as high.
    fn average_precision_by_counting(scores: &[f64], labels: &[bool]) -> Option<f64> {
        let links: Vec<f64> = scores.iter().zip(labels).filter(|(_, l)| **l).map(|(s, _)| *s).collect();
        let precision = |at: f64| {
            let taken = scores.iter().filter(|&&score| score >= at).count();
            links.iter().filter(|&&score| score >= at).count() as f64 / taken as f64
        };
        let sum: f64 = links.iter().map(|&at| precision(at)).sum();
        (!links.is_empty()).then(|| sum / links.len() as f64)
    }

    proptest! {
        #[test]
        fn agrees_with_counting(pairs in prop::collection::vec((-6_i8..6, any::<bool>()), 0..60)) {
            // Few distinct values, both zeros among them: most pairs are tied.
            let scores: Vec<f64> = pairs
                .iter()
                .map(|&(s, link)| if s == 0 && link { -0.0 } else { f64::from(s) / 3.0 })
                .collect();
            let labels: Vec<bool> = pairs.iter().map(|pair| pair.1).collect();
            let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                (a, b) => a == b,
            };
            prop_assert!(close(auc(&scores, &labels), auc_by_counting(&scores, &labels)));
            let (fast, slow) =
                (average_precision(&scores, &labels), average_precision_by_counting(&scores, &labels));
            prop_assert!(close(fast, slow), "{:?} {:?}", fast, slow);
        }
    }

    #[test]
    fn ties_by_hand() {
        // Links at 2, 1, 1; non-links at 1, 0. Six comparisons: won 2 + 1.5 + 1.5.
        let scores = [2.0, 1.0, 1.0, 1.0, 0.0];
        let labels = [true, true, true, false, false];
        assert_eq!(auc(&scores, &labels), Some(5.0 / 6.0));
        // Thresholds 2: precision 1, recall +1/3; 1: precision 3/4, recall +2/3.
        assert_eq!(average_precision(&scores, &labels), Some(5.0 / 6.0));
        assert_eq!(auc(&[1.0; 5], &labels), Some(0.5));
        assert_eq!(auc(&[f64::INFINITY, 0.0, f64::NEG_INFINITY], &[true, false, false]), Some(1.0));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        // from sklearn.metrics import roc_auc_score, average_precision_score   # 1.9.1
        // y = [(i * i + 3 * i) % 7 < 2 for i in range(200)]
        // s = [(i * 37 % 101 // 4) / 25 + 0.3 * y[i] for i in range(200)]
        // roc_auc_score(y, s), average_precision_score(y, s)
        let labels: Vec<bool> = (0..200).map(|i| (i * i + 3 * i) % 7 < 2).collect();
        let scores: Vec<f64> = (0..200)
            .map(|i| f64::from(i * 37 % 101 / 4) / 25.0 + if labels[i as usize] { 0.3 } else { 0.0 })
            .collect();
        let (area, precision) = (auc(&scores, &labels), average_precision(&scores, &labels));
        assert!((area.unwrap() - 0.739_909_213_593_424_1).abs() < 1e-12, "{area:?}");
        assert!((precision.unwrap() - 0.624_737_993_757_948_7).abs() < 1e-12, "{precision:?}");
    }

    #[test]
    fn missing_classes_are_none() {
        assert_eq!(auc(&[], &[]), None);
        assert_eq!(auc(&[0.1, 0.2], &[false, false]), None);
        assert_eq!(average_precision(&[0.1], &[false]), None);
        assert_eq!(average_precision(&[0.1], &[true]), Some(1.0));
    }

    #[test]
    #[should_panic(expected = "score number 1 is not a number")]
    fn nan_panics() {
        auc(&[0.0, f64::NAN], &[true, false]);
    }
}
