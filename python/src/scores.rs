//! Scores and curves of predictions.

use dlfrm::score::{Measure, Scored, calibration_curve, precision_recall_curve, roc_curve};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, Given1, Given2};
use crate::watch::run;
use crate::words::exception;

/// Scores and labels, as many of both, and no score that is not a number.
fn scored(
    labels: &Given1<'_, bool>,
    scores: &Given1<'_, f64>,
    probabilities: bool,
) -> PyResult<(Vec<f64>, Vec<bool>)> {
    let scores: Vec<f64> = scores.as_array().iter().copied().collect();
    let labels: Vec<bool> = labels.as_array().iter().copied().collect();
    if scores.len() != labels.len() {
        return Err(PyValueError::new_err(format!("{} scores of {} labels", scores.len(), labels.len())));
    }
    let bad = |&score: &f64| score.is_nan() || (probabilities && !(0.0..=1.0).contains(&score));
    if let Some(row) = scores.iter().position(bad) {
        let what = if probabilities { "a probability" } else { "a number" };
        return Err(PyValueError::new_err(format!("scores[{row}] must be {what}, is {}", scores[row])));
    }
    Ok((scores, labels))
}

/// A measure by its name; `None` if the labels leave it undefined.
#[pyfunction]
pub(crate) fn measure(
    py: Python<'_>,
    name: &str,
    labels: Given1<'_, bool>,
    scores: Given1<'_, f64>,
    pairs: Option<Given2<'_, i64>>,
    symmetric: bool,
) -> PyResult<Option<f64>> {
    let measure = name.parse::<Measure>().map_err(|error| exception(&error))?;
    let (scores, labels) = scored(&labels, &scores, measure.of_probabilities())?;
    let pairs = pairs.map(|pairs| arrays::pairs(&pairs, u32::MAX as usize)).transpose()?.unwrap_or_default();
    if measure == Measure::ReciprocalRank && pairs.len() != scores.len() {
        return Err(PyValueError::new_err(format!("{} pairs of {} scores", pairs.len(), scores.len())));
    }
    run(py, || measure.of(&Scored { scores: &scores, labels: &labels, pairs: &pairs, symmetric }))
}

/// The points of a curve: `roc` or `precision-recall`.
#[pyfunction]
pub(crate) fn curve(
    kind: &str,
    labels: Given1<'_, bool>,
    scores: Given1<'_, f64>,
) -> PyResult<Vec<(f64, f64)>> {
    let (scores, labels) = scored(&labels, &scores, false)?;
    match kind {
        "roc" => Ok(roc_curve(&scores, &labels)),
        "precision-recall" => Ok(precision_recall_curve(&scores, &labels, 1.0)),
        _ => Err(PyValueError::new_err(format!("no curve is called '{kind}'"))),
    }
}

/// The calibration curve: pairs, mean probability and share of links of each bin that is not empty.
#[pyfunction]
pub(crate) fn calibration(
    labels: Given1<'_, bool>,
    probabilities: Given1<'_, f64>,
    bins: usize,
) -> PyResult<Vec<(usize, f64, f64)>> {
    let (probabilities, labels) = scored(&labels, &probabilities, true)?;
    if bins == 0 {
        return Err(PyValueError::new_err("bins must be at least 1, is 0"));
    }
    let curve = calibration_curve(&probabilities, &labels, bins);
    Ok(curve.into_iter().map(|bin| (bin.count, bin.mean_probability, bin.link_rate)).collect())
}

/// How similar two lists of groups of so many nodes are.
#[pyfunction]
pub(crate) fn onmi(found: Vec<Vec<u32>>, truth: Vec<Vec<u32>>, nodes: usize) -> PyResult<f64> {
    if let Some(id) = found.iter().chain(&truth).flatten().find(|&&id| id as usize >= nodes) {
        return Err(PyValueError::new_err(format!("node number {id} is not one of {nodes}")));
    }
    Ok(dlfrm::score::onmi(&found, &truth, nodes))
}
