//! Fits, fits that go on (with more draws, until their chains agree, or with new links) and searches for settings.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dlfrm::fit::{Checkpoint, Event, Fit, FitOptions, Keeper, Observer, Trial, Tuning, Versions};
use dlfrm::{Error, Warning};
use pyo3::exceptions::{PyKeyboardInterrupt, PyStopIteration, PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;

use crate::model::Model;
use crate::network::Network;
use crate::options::{SettingArgs, json, options};
use crate::side_info::{self, SideInfo};
use crate::watch::{Relay, Watched, watched};
use crate::words::exception;

/// How long a fit runs.
#[derive(Clone, Copy)]
struct Limits {
    /// The R-hat of link probabilities that it goes on to.
    until: Option<f64>,
    /// Seconds.
    time: Option<f64>,
}

impl Limits {
    /// How long the fit may run: as with the command, one that goes on until its chains agree ends some time.
    fn time(self) -> PyResult<Option<Duration>> {
        let Some(seconds) = self.time.or(self.until.map(|_| 600.0)) else { return Ok(None) };
        let time = Duration::try_from_secs_f64(seconds);
        time.map(Some)
            .map_err(|_| PyValueError::new_err(format!("time must be a number of seconds, is {seconds}")))
    }
}

/// Fits a model. An interrupt, a `StopIteration` of the callback or the end of its time ends the fit with the draws kept so far.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    network: &Network,
    model: Option<&str>,
    settings: SettingArgs,
    side_info: Option<&SideInfo>,
    asymmetric: bool,
    share_features: Option<bool>,
    negatives: Option<f64>,
    hold_out: Option<f64>,
    memory: Option<f64>,
    until: Option<f64>,
    time: Option<f64>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Model> {
    let options = options(model, &settings, share_features, negatives)?;
    let options = FitOptions { asymmetric, hold_out, memory_limit: memory, ..options };
    options.check_hold_out().map_err(|error| exception(&error))?;
    let known = side_info::of(side_info);
    run(py, Limits { until, time }, n_jobs, callback.as_ref(), |_| {
        let fit = Fit::relations(&network.relations).name(&network.name).options(options).side_info(known);
        Ok(if let Some(r_hat) = until { fit.until(r_hat) } else { fit })
    })
}

/// Runs a fit to its end, or as far as it may.
fn run<'a>(
    py: Python<'_>,
    limits: Limits,
    n_jobs: Option<isize>,
    callback: Option<&Py<PyAny>>,
    fit: impl FnOnce(&Relay) -> dlfrm::Result<Fit<'a>> + Send,
) -> PyResult<Model> {
    let time = limits.time()?;
    let Watched { result, raised } = watched(py, n_jobs, time, callback, |relay| {
        let unfinished = Unfinished { relay, checkpoint: Mutex::default() };
        let model = fit(relay)?.observer(relay).keeper(&unfinished).run()?;
        let checkpoint = unfinished.checkpoint.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((model, checkpoint))
    })?;
    match (result, raised) {
        (Ok((model, checkpoint)), Some(error)) if ends(py, &error) => {
            Ok(Model::unfinished(model, checkpoint))
        }
        (Err(Error::Interrupted), Some(error)) if error.is_instance_of::<PyStopIteration>(py) => {
            Err(PyValueError::new_err("callback: the fit was ended before its first draw"))
        }
        (_, Some(error)) => Err(error),
        (Ok((model, checkpoint)), None) => Ok(Model::unfinished(model, checkpoint)),
        (Err(Error::Interrupted), None) => {
            Err(PyTimeoutError::new_err("time: it was over before the first draw was kept"))
        }
        (Err(error), None) => Err(exception(&error)),
    }
}

/// Keeps what a fit has when it is ended early, so that it can go on.
struct Unfinished<'a> {
    relay: &'a Relay,
    checkpoint: Mutex<Option<Checkpoint<'static>>>,
}

impl Keeper for Unfinished<'_> {
    fn due(&self) -> bool {
        false
    }

    fn keep(&self, checkpoint: &Checkpoint<'_>) -> Result<(), String> {
        if self.relay.stopped() {
            let kept = Some(checkpoint.clone().into_owned());
            *self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        }
        Ok(())
    }
}

/// Whether an exception asks the work to end with what it has.
fn ends(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyKeyboardInterrupt>(py) || error.is_instance_of::<PyStopIteration>(py)
}

/// Goes on with a fit, as `dlfrm resume` does: with so many draws more of each chain, or until the chains agree.
#[pyfunction]
pub(crate) fn resume(
    py: Python<'_>,
    model: &Model,
    draws: usize,
    until: Option<f64>,
    time: Option<f64>,
    memory: Option<f64>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Model> {
    run(py, Limits { until, time }, n_jobs, callback.as_ref(), |relay| {
        let mut checkpoint = model.checkpoint()?;
        if draws > 0 {
            checkpoint.more_draws(draws)?;
        }
        if let Some(r_hat) = until {
            checkpoint.until(r_hat)?;
        }
        if checkpoint.complete() {
            return Err(Error::Draws("the fit is complete; draws or until goes on with it".to_owned()));
        }
        if checkpoint.versions != Versions::current() {
            relay.event(&Event::Warning(&Warning::OtherVersion));
        }
        Ok(goes_on(checkpoint, memory))
    })
}

/// The model with further links, non-links and nodes, as `dlfrm update` makes it.
#[pyfunction]
pub(crate) fn update(
    py: Python<'_>,
    model: &Model,
    more: &Network,
    until: Option<f64>,
    time: Option<f64>,
    memory: Option<f64>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Model> {
    run(py, Limits { until, time }, n_jobs, callback.as_ref(), |relay| {
        let (mut checkpoint, added) = model.fitted().clone().update(&more.relations)?;
        if let Some(r_hat) = until {
            checkpoint.until(r_hat)?;
        }
        relay.event(&Event::Warning(&Warning::Added(added)));
        let pairs = added.held_out;
        if pairs > 0 {
            let left: usize = checkpoint.held_out.iter().map(|out| out.pairs.len()).sum();
            relay.event(&Event::Warning(&Warning::HeldOutLearned { pairs, left }));
        }
        Ok(goes_on(checkpoint, memory))
    })
}

fn goes_on(checkpoint: Checkpoint<'static>, memory_limit: Option<f64>) -> Fit<'static> {
    Fit::resume(checkpoint).options(FitOptions { memory_limit, ..FitOptions::default() })
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
    model: Option<&str>,
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
    let Watched { result, raised } = watched(py, n_jobs, None, callback.as_ref(), |relay| {
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
