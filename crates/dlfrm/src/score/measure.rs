//! The measures by their names, so that a table, a flag and a file say the same; and means and deviations over runs.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

use super::probability::{brier, expected_calibration_error, log_loss};
use super::ranking::{auc, average_precision, hits_at, mean_reciprocal_rank, precision_at};

/// What is measured. The definitions are those of the functions of this module's parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The area under the ROC curve (name: `auc`).
    Auc,
    /// Average precision (`ap`).
    AveragePrecision,
    /// Links with fewer than so many non-links above them (`hits@K`).
    Hits(usize),
    /// Links among so many best pairs (`precision@K`).
    Precision(usize),
    /// Mean reciprocal rank (`mrr`).
    ReciprocalRank,
    /// Logarithmic loss (`log-loss`).
    LogLoss,
    /// Brier score (`brier`).
    Brier,
    /// Expected calibration error over ten bins of equal width (`ece`).
    CalibrationError,
}

/// Test pairs with what was said of them and what is true.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// A score for each pair.
    pub scores: &'a [f64],
    /// Whether it is a link.
    pub labels: &'a [bool],
    /// The ends of each pair.
    pub pairs: &'a [(u32, u32)],
    /// Whether a pair stands for both directions.
    pub symmetric: bool,
}

impl Measure {
    /// Bins of equal width that the calibration error is summed over.
    pub const CALIBRATION_BINS: usize = 10;

    /// The default measures.
    pub const USUAL: [Self; 11] = [
        Self::Auc,
        Self::AveragePrecision,
        Self::Hits(10),
        Self::Hits(50),
        Self::Hits(100),
        Self::Precision(10),
        Self::Precision(100),
        Self::ReciprocalRank,
        Self::LogLoss,
        Self::Brier,
        Self::CalibrationError,
    ];

    /// Whether it is defined for probabilities alone, and not for any ranking.
    pub fn of_probabilities(self) -> bool {
        matches!(self, Self::LogLoss | Self::Brier | Self::CalibrationError)
    }

    /// Measures test pairs; `None` if their labels leave it undefined.
    pub fn of(self, scored: &Scored<'_>) -> Option<f64> {
        let &Scored { scores, labels, .. } = scored;
        match self {
            Self::Auc => auc(scores, labels),
            Self::AveragePrecision => average_precision(scores, labels),
            Self::Hits(k) => hits_at(k, scores, labels),
            Self::Precision(k) => precision_at(k, scores, labels),
            Self::ReciprocalRank => scored.reciprocal_rank(),
            Self::LogLoss => log_loss(scores, labels),
            Self::Brier => brier(scores, labels),
            Self::CalibrationError => expected_calibration_error(scores, labels, Self::CALIBRATION_BINS),
        }
    }
}

impl Scored<'_> {
    /// Links are ranked among the pairs of their source; where pairs have no direction both ends of a pair are sources.
    fn reciprocal_rank(&self) -> Option<f64> {
        let mut groups: Vec<u32> = self.pairs.iter().map(|pair| pair.0).collect();
        if !self.symmetric {
            return mean_reciprocal_rank(self.scores, self.labels, &groups);
        }
        groups.extend(self.pairs.iter().map(|pair| pair.1));
        mean_reciprocal_rank(
            &[self.scores, self.scores].concat(),
            &[self.labels, self.labels].concat(),
            &groups,
        )
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auc => f.pad("auc"),
            Self::AveragePrecision => f.pad("ap"),
            Self::Hits(k) => write!(f, "hits@{k}"),
            Self::Precision(k) => write!(f, "precision@{k}"),
            Self::ReciprocalRank => f.pad("mrr"),
            Self::LogLoss => f.pad("log-loss"),
            Self::Brier => f.pad("brier"),
            Self::CalibrationError => f.pad("ece"),
        }
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let first = |prefix: &str| {
            let k = name.strip_prefix(prefix)?.parse().ok();
            k.filter(|&k: &usize| k > 0)
        };
        let plain = || Self::USUAL.into_iter().find(|measure| measure.to_string() == name);
        first("hits@")
            .map(Self::Hits)
            .or_else(|| first("precision@").map(Self::Precision))
            .or_else(plain)
            .ok_or_else(|| Error::Unknown {
                what: "score",
                name: name.to_owned(),
                known: "auc, ap, hits@K, precision@K, mrr, log-loss, brier, ece (K from 1)".to_owned(),
            })
    }
}

/// The mean of some values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sample standard deviation (n - 1); none of a single value.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for measure in Measure::USUAL.into_iter().chain([Measure::Hits(3), Measure::Precision(7)]) {
            assert_eq!(measure.to_string().parse::<Measure>().unwrap(), measure);
        }
        for bad in ["hits", "hits@0", "hits@-1", "AUC", "precision@", ""] {
            assert!(
                bad.parse::<Measure>()
                    .unwrap_err()
                    .to_string()
                    .contains(&format!("score '{bad}'; known are"))
            );
        }
    }

    #[test]
    fn both_ends_ask_where_there_is_no_direction() {
        // The link (0, 1) is second of source 0 and first of source 1.
        let (scores, labels, pairs) = ([0.5, 0.8, 0.2], [true, false, false], [(0, 1), (0, 2), (1, 2)]);
        let scored = |symmetric| Scored { scores: &scores, labels: &labels, pairs: &pairs, symmetric };
        assert_eq!(Measure::ReciprocalRank.of(&scored(false)), Some(0.5));
        assert_eq!(Measure::ReciprocalRank.of(&scored(true)), Some(0.75));
        assert_eq!(Measure::Auc.of(&scored(true)), Some(0.5));
        assert!(Measure::Brier.of_probabilities() && !Measure::Hits(2).of_probabilities());
    }
}
