//! How good scores and probabilities are, given the true labels, and how similar groups are ([`onmi`]).
//!
//! The others take one number and one label per pair, in the same order. A measure that the labels leave
//! undefined (no link among them, say) is `None`. Numbers that no model of this crate may produce (NaN, or
//! a probability outside 0 to 1) and lists of different lengths are our own mistakes and panic: a NaN that
//! is ranked silently would give a wrong figure.

mod groups;
mod measure;
mod probability;
mod ranking;

pub use groups::onmi;
pub use measure::{Measure, Scored, deviation, mean};
pub use probability::{
    CalibrationBin, area_of_precision, brier, calibration_curve, expected_calibration_error, log_loss,
    precision_recall_curve, roc_curve, thin_curve, weighted_calibration_curve,
};
pub use ranking::{
    Resample, auc, average_precision, bootstrap, hits_at, mean_reciprocal_rank, middle_95, precision_at,
    resamples,
};
