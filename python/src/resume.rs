//! Fits that go on: with more draws, until their chains agree, or with new links.

use dlfrm::fit::{Checkpoint, Event, Fit, FitOptions, Observer, Versions};
use dlfrm::{Error, Warning};
use pyo3::prelude::*;

use crate::fit::{Limits, run};
use crate::model::Model;
use crate::network::Network;

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

fn goes_on(checkpoint: Checkpoint, memory_limit: Option<f64>) -> Fit<'static> {
    Fit::resume(checkpoint).options(FitOptions { memory_limit, ..FitOptions::default() })
}
