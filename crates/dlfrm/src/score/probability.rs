//! Scores of probabilities, how far the numbers themselves are from the labels, and curves to look at: receiver operating
//! characteristic, precision and recall, calibration.
//!
//! Where non-links are a sample, each of them stands for `non_link_weight` of them: precision and calibration
//! take that into account, and the ROC curve does not need to.

use serde::{Deserialize, Serialize};

use super::ranking::{Step, steps_downwards};

/// The mean of -log p(label). `None` if there is no pair.
///
/// Probabilities are kept away from 0 and 1 by the spacing of f64 at 1, as scikit-learn does, so that a
/// single certain mistake costs 36 and not infinity.
pub fn log_loss(probabilities: &[f64], labels: &[bool]) -> Option<f64> {
    mean_cost(probabilities, labels, |probability, link| {
        let kept = probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        if link { -kept.ln() } else { -(-kept).ln_1p() }
    })
}

/// The Brier score: the mean squared distance between probability and label. `None` if there is no pair.
pub fn brier(probabilities: &[f64], labels: &[bool]) -> Option<f64> {
    mean_cost(probabilities, labels, |probability, link| {
        let gap = probability - f64::from(u8::from(link));
        gap * gap
    })
}

/// One bin of a calibration curve. Calibrated probabilities have `mean_probability` near `link_rate`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// How many pairs fell into it.
    pub count: usize,
    /// Their mean probability.
    pub mean_probability: f64,
    /// The part of them that are links.
    pub link_rate: f64,
}

/// Pairs gathered by probability into `bins` bins of equal width; empty bins are left out.
///
/// A probability on a boundary belongs to the upper bin, 1 to the last.
pub fn calibration_curve(probabilities: &[f64], labels: &[bool], bins: usize) -> Vec<CalibrationBin> {
    weighted_calibration_curve(probabilities, labels, bins, 1.0)
}

/// Expected calibration error: the distance between mean probability and rate of links, averaged over
/// [`calibration_curve`]'s bins by the number of pairs in them. `None` if there is no pair.
pub fn expected_calibration_error(probabilities: &[f64], labels: &[bool], bins: usize) -> Option<f64> {
    let curve = calibration_curve(probabilities, labels, bins);
    let sum: f64 =
        curve.iter().map(|bin| bin.count as f64 * (bin.mean_probability - bin.link_rate).abs()).sum();
    (!labels.is_empty()).then(|| sum / labels.len() as f64)
}

fn mean_cost(probabilities: &[f64], labels: &[bool], cost: impl Fn(f64, bool) -> f64) -> Option<f64> {
    check(probabilities, labels);
    let sum: f64 = probabilities.iter().zip(labels).map(|(&p, &link)| cost(p, link)).sum();
    (!labels.is_empty()).then(|| sum / labels.len() as f64)
}

fn check(probabilities: &[f64], labels: &[bool]) {
    assert_eq!(probabilities.len(), labels.len(), "one label a probability");
    if let Some(place) = probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
        panic!("probability number {place} is {}, not between 0 and 1", probabilities[place]);
    }
}

/// The ROC curve: (share of the non-links, share of the links) above each distinct score, from (0, 0) to (1, 1).
///
/// Empty unless both links and non-links are there. The area below its straight lines is [`auc`](super::auc).
pub fn roc_curve(scores: &[f64], labels: &[bool]) -> Vec<(f64, f64)> {
    let steps = steps_downwards(scores, labels);
    let Step { links, non_links } = Step::total(&steps);
    if links == 0 || non_links == 0 {
        return Vec::new();
    }
    let share = |(found, taken)| (taken as f64 / non_links as f64, found as f64 / links as f64);
    std::iter::once((0.0, 0.0)).chain(running(&steps).map(share)).collect()
}

/// Precision and recall: (recall, precision) among the pairs at or above each distinct score, from the largest
/// down. Empty if there is no link.
pub fn precision_recall_curve(scores: &[f64], labels: &[bool], non_link_weight: f64) -> Vec<(f64, f64)> {
    let steps = steps_downwards(scores, labels);
    let links = Step::total(&steps).links;
    if links == 0 {
        return Vec::new();
    }
    let point = |(found, taken): (u64, u64)| {
        (found as f64 / links as f64, found as f64 / (found as f64 + non_link_weight * taken as f64))
    };
    running(&steps).map(point).collect()
}

/// The area below a [precision-recall curve](precision_recall_curve) as average precision counts it: every gain
/// of recall at the precision that is reached with it. `None` of an empty curve.
pub fn area_of_precision(curve: &[(f64, f64)]) -> Option<f64> {
    let mut before = 0.0;
    let gains = curve.iter().map(|&(recall, precision)| {
        let gain = recall - before;
        before = recall;
        gain * precision
    });
    (!curve.is_empty()).then(|| gains.sum())
}

/// A [`calibration_curve`] whose non-links stand for several each; the counts are those of the pairs themselves.
pub fn weighted_calibration_curve(
    probabilities: &[f64],
    labels: &[bool],
    bins: usize,
    non_link_weight: f64,
) -> Vec<CalibrationBin> {
    assert!(bins > 0, "a calibration curve needs a bin");
    check(probabilities, labels);
    let mut gathered = vec![(0_usize, 0.0, 0.0, 0.0); bins];
    for (&probability, &link) in probabilities.iter().zip(labels) {
        let place = ((probability * bins as f64) as usize).min(bins - 1);
        let weight = if link { 1.0 } else { non_link_weight };
        let (count, total, sum, links) = &mut gathered[place];
        *count += 1;
        *total += weight;
        *sum += weight * probability;
        *links += f64::from(u8::from(link));
    }
    gathered
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, total, sum, links)| CalibrationBin {
            count,
            mean_probability: sum / total,
            link_rate: links / total,
        })
        .collect()
}

/// At most about `most` points of a curve in the unit square that runs one way: a point that is closer than `2 / most` to
/// the last one kept, across and along, is left out. The ends stay.
pub fn thin_curve(curve: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let least = 2.0 / most as f64;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (number, &(x, y)) in curve.iter().enumerate() {
        let far = kept.last().is_none_or(|last| (x - last.0).abs() >= least || (y - last.1).abs() >= least);
        if far || number + 1 == curve.len() {
            kept.push((x, y));
        }
    }
    kept
}

/// How many links and how many non-links there are at or above each distinct score.
fn running(steps: &[Step]) -> impl Iterator<Item = (u64, u64)> + '_ {
    steps.iter().scan((0, 0), |sums, step| {
        sums.0 += step.links;
        sums.1 += step.non_links;
        Some(*sums)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{auc, average_precision};

    #[test]
    fn agrees_with_scikit_learn() {
        // scripts/reference_scores.py, scikit-learn 1.9.1
        let labels: Vec<bool> = (0..200).map(|i| (i * i + 3 * i) % 7 < 2).collect();
        let probabilities: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) / 100.0).collect();
        assert!(probabilities.contains(&0.0) && probabilities.contains(&1.0));
        let found = [
            log_loss(&probabilities, &labels),
            brier(&probabilities, &labels),
            expected_calibration_error(&probabilities, &labels, 10),
        ]
        .map(Option::unwrap);
        for (found, expected) in found.into_iter().zip([1.506_794_797_421_676_4, 0.343_337_5, 0.321_15]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn by_hand() {
        assert_eq!((brier(&[], &[]), expected_calibration_error(&[], &[], 10)), (None, None));
        let curve = calibration_curve(&[0.0, 0.5, 0.75, 1.0], &[false, true, false, true], 2);
        assert_eq!(curve[0], CalibrationBin { count: 1, mean_probability: 0.0, link_rate: 0.0 });
        assert_eq!(curve[1], CalibrationBin { count: 3, mean_probability: 0.75, link_rate: 2.0 / 3.0 });
    }

    #[test]
    #[should_panic(expected = "probability number 1 is NaN")]
    fn nan_panics() {
        brier(&[0.5, f64::NAN], &[true, true]);
    }

    /// Many ties; three pairs of ten are links.
    fn ranked() -> (Vec<f64>, Vec<bool>) {
        let labels: Vec<bool> = (0..300).map(|i| i * i % 10 < 3).collect();
        let scores = (0..300).map(|i| f64::from(i * 37 % 101 / 4) / 26.0).collect();
        (scores, labels)
    }

    #[test]
    fn areas_are_auc_and_average_precision() {
        let (scores, labels) = ranked();
        let roc = roc_curve(&scores, &labels);
        let area: f64 = roc.windows(2).map(|two| (two[1].0 - two[0].0) * (two[1].1 + two[0].1) / 2.0).sum();
        assert!((area - auc(&scores, &labels).unwrap()).abs() < 1e-12);
        assert_eq!((roc[0], roc[roc.len() - 1]), ((0.0, 0.0), (1.0, 1.0)));
        let precision = area_of_precision(&precision_recall_curve(&scores, &labels, 1.0)).unwrap();
        assert!((precision - average_precision(&scores, &labels).unwrap()).abs() < 1e-12);
        assert!(roc_curve(&[0.5], &[true]).is_empty());
        assert_eq!(area_of_precision(&precision_recall_curve(&[0.5], &[false], 1.0)), None);
    }

    /// A non-link of weight 3 is three non-links of the same score.
    #[test]
    fn weights_stand_for_repeated_non_links() {
        let (mut scores, mut labels) = ranked();
        let weighted = (
            precision_recall_curve(&scores, &labels, 3.0),
            weighted_calibration_curve(&scores, &labels, 7, 3.0),
        );
        for place in (0..scores.len()).filter(|&place| !labels[place]).collect::<Vec<_>>() {
            scores.extend([scores[place]; 2]);
            labels.extend([false; 2]);
        }
        assert_eq!(weighted.0, precision_recall_curve(&scores, &labels, 1.0));
        let repeated = weighted_calibration_curve(&scores, &labels, 7, 1.0);
        assert_eq!(weighted.1.len(), repeated.len());
        for (one, other) in weighted.1.iter().zip(&repeated) {
            assert!((one.mean_probability - other.mean_probability).abs() < 1e-12, "{one:?} {other:?}");
            assert!((one.link_rate - other.link_rate).abs() < 1e-12, "{one:?} {other:?}");
            assert!(one.count < other.count);
        }
    }

    #[test]
    fn thin_curves_keep_their_ends_and_their_shape() {
        // Steps of a thousandth at most, where it is steepest.
        let curve: Vec<(f64, f64)> =
            (0..=1_000_000).map(|i| f64::from(i) / 1e6).map(|x| (x, x.sqrt())).collect();
        let thin = thin_curve(&curve, 200);
        assert!(thin.len() <= 200 && thin.len() > 100, "{}", thin.len());
        assert_eq!((thin[0], thin[thin.len() - 1]), (curve[0], curve[1_000_000]));
        for two in thin.windows(2) {
            assert!(two[1].0 - two[0].0 <= 0.011 && two[1].1 - two[0].1 <= 0.011, "{two:?}");
        }
        assert_eq!(thin_curve(&curve[..1], 10), curve[..1]);
        assert!(thin_curve(&[], 10).is_empty());
    }
}
