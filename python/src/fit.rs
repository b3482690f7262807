//! Fits and searches for settings.

use std::time::Duration;

use dlfrm::fit::{Fit, FitOptions, Trial, Tuning};
use pyo3::exceptions::{PyKeyboardInterrupt, PyStopIteration, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::exception;
use crate::model::Model;
use crate::network::Network;
use crate::options::{SettingArgs, json, options};
use crate::side_info::{self, SideInfo};
use crate::watch::{Watched, watched};

/// Fits a model. An interrupt or a `StopIteration` of the callback ends the fit with the draws kept so far; `None` if there is
/// none yet.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    network: &Network,
    model: &str,
    settings: SettingArgs,
    side_info: Option<&SideInfo>,
    asymmetric: bool,
    share_features: Option<bool>,
    negatives: Option<f64>,
    memory: Option<f64>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Model> {
    let options = options(model, &settings, share_features, negatives)?;
    let options = FitOptions { asymmetric, memory_limit: memory, ..options };
    let known = side_info::of(side_info);
    let Watched { result, raised } = watched(py, n_jobs, callback.as_ref(), |relay| {
        let fit = Fit::relations(&network.relations).name(&network.name).options(options).side_info(known);
        fit.observer(relay).run()
    })?;
    match (result, raised) {
        (Ok(model), Some(error)) if ends(py, &error) => Ok(Model::new(model)),
        (Err(dlfrm::Error::Interrupted), Some(error)) if error.is_instance_of::<PyStopIteration>(py) => {
            Err(PyValueError::new_err("callback: the fit was ended before its first draw"))
        }
        (_, Some(error)) => Err(error),
        (Ok(model), None) => Ok(Model::new(model)),
        (Err(error), None) => Err(exception(&error)),
    }
}

/// Whether an exception asks the work to end with what it has.
fn ends(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyKeyboardInterrupt>(py) || error.is_instance_of::<PyStopIteration>(py)
}

/// What a search found.
#[derive(Serialize)]
struct Found<'a> {
    development_links: usize,
    complete: bool,
    interrupted: bool,
    best: &'a Trial,
    trials: &'a [Trial],
}

/// Searches for settings, as JSON.
#[pyfunction]
pub(crate) fn tune(
    py: Python<'_>,
    network: &Network,
    model: &str,
    settings: SettingArgs,
    side_info: Option<&SideInfo>,
    budget: f64,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<String> {
    let options = options(model, &settings, None, None)?;
    let known = side_info::of(side_info);
    if !(budget >= 0.0 && budget.is_finite()) {
        return Err(PyValueError::new_err(format!("budget must be a number of seconds, is {budget}")));
    }
    let Watched { result, raised } = watched(py, n_jobs, callback.as_ref(), |relay| {
        let tuning = Tuning {
            side_info: known,
            options,
            budget: Duration::try_from_secs_f64(budget).unwrap_or(Duration::MAX),
            observer: relay,
            ..Tuning::new(&network.relations)
        };
        tuning.run()
    })?;
    let search = match (result, raised) {
        (_, Some(error)) if !ends(py, &error) => return Err(error),
        (Err(_), Some(error)) => return Err(error),
        (Err(error), None) => return Err(exception(&error)),
        (Ok(search), _) => search,
    };
    Ok(json(&Found {
        development_links: search.development_links,
        complete: search.complete,
        interrupted: search.interrupted,
        best: search.best(),
        trials: &search.trials,
    }))
}
