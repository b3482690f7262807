//! Scores of probabilities: how far the numbers themselves are from the labels.

use serde::{Deserialize, Serialize};

use super::curves::weighted_calibration_curve;

/// The mean of -log p(label). `None` if there is no pair.
///
/// Probabilities are kept away from 0 and 1 by the spacing of f64 at 1, as scikit-learn does, so that a
/// single certain mistake costs 36 and not infinity.
///
/// # Panics
/// If a probability is not between 0 and 1 or the lengths differ.
pub fn log_loss(probabilities: &[f64], labels: &[bool]) -> Option<f64> {
    mean_cost(probabilities, labels, |probability, link| {
        let kept = probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        if link { -kept.ln() } else { -(-kept).ln_1p() }
    })
}

/// The Brier score: the mean squared distance between probability and label. `None` if there is no pair.
///
/// # Panics
/// If a probability is not between 0 and 1 or the lengths differ.
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
///
/// # Panics
/// If `bins` is 0, a probability is not between 0 and 1 or the lengths differ.
pub fn calibration_curve(probabilities: &[f64], labels: &[bool], bins: usize) -> Vec<CalibrationBin> {
    weighted_calibration_curve(probabilities, labels, bins, 1.0)
}

/// Expected calibration error: the distance between mean probability and rate of links, averaged over
/// [`calibration_curve`]'s bins by the number of pairs in them. `None` if there is no pair.
///
/// # Panics
/// If `bins` is 0, a probability is not between 0 and 1 or the lengths differ.
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

pub(super) fn check(probabilities: &[f64], labels: &[bool]) {
    assert_eq!(probabilities.len(), labels.len(), "one label a probability");
    if let Some(place) = probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
        panic!("probability number {place} is {}, not between 0 and 1", probabilities[place]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_scikit_learn() {
        // from sklearn.metrics import log_loss, brier_score_loss               # 1.9.1
        // y = [(i * i + 3 * i) % 7 < 2 for i in range(200)]
        // p = [(i * 37 % 101) / 100 for i in range(200)]      # 0 and 1 are among them
        // log_loss(y, p), brier_score_loss(y, p)
        // import numpy as np
        // y, p = np.array(y), np.array(p); b = np.minimum((p * 10).astype(int), 9)
        // sum(abs((p[b == k] - y[b == k]).sum()) for k in range(10)) / 200
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
        let labels = [true, false];
        assert_eq!(brier(&[0.5, 0.25], &labels), Some(0.15625));
        assert_eq!(log_loss(&[0.5, 0.5], &labels), Some(std::f64::consts::LN_2));
        assert!(log_loss(&[0.0, 1.0], &labels).unwrap().is_finite());
        assert_eq!(brier(&[], &[]), None);
        assert_eq!(expected_calibration_error(&[], &[], 10), None);
        let curve = calibration_curve(&[0.0, 0.5, 0.75, 1.0], &[false, true, false, true], 2);
        assert_eq!(curve[0], CalibrationBin { count: 1, mean_probability: 0.0, link_rate: 0.0 });
        assert_eq!(curve[1], CalibrationBin { count: 3, mean_probability: 0.75, link_rate: 2.0 / 3.0 });
    }

    #[test]
    #[should_panic(expected = "probability number 1 is NaN")]
    fn nan_panics() {
        brier(&[0.5, f64::NAN], &[true, true]);
    }

    #[test]
    #[should_panic(expected = "probability number 0 is 1.5")]
    fn more_than_certain_panics() {
        log_loss(&[1.5], &[true]);
    }
}
