//! How good scores and probabilities are, given the true labels, and how similar groups are ([`onmi`]).
//!
//! The others take one number and one label per pair, in the same order. A measure that the labels leave
//! undefined (no link among them, say) is `None`. Numbers that no model of this crate may produce (NaN, or
//! a probability outside 0 to 1) and lists of different lengths are our own mistakes and panic: a NaN that
//! is ranked silently would give a wrong figure.

mod bootstrap;
mod curves;
mod groups;
mod measure;
mod probability;
mod ranking;
mod summary;
mod top;

pub use bootstrap::{Resample, bootstrap, middle_95, resamples};
pub use curves::{
    area_of_precision, precision_recall_curve, roc_curve, thin_curve, weighted_calibration_curve,
};
pub use groups::onmi;
pub use measure::{Measure, Scored};
pub use probability::{CalibrationBin, brier, calibration_curve, expected_calibration_error, log_loss};
pub use ranking::{auc, average_precision};
pub use summary::{deviation, mean};
pub use top::{hits_at, mean_reciprocal_rank, precision_at};
