//! Methods to evaluate that come from Python: a callable, or a method under another name.

use std::sync::{Mutex, PoisonError};

use dlfrm::evaluate::{Method, Scorer, Training, TrainingRelation};
use dlfrm::model::{Settings, ValidSettings};
use dlfrm::{Error, Result};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::splits::TrainingPairs;

/// The first exception that a callable raised.
pub(crate) type Raised = Mutex<Option<PyErr>>;

/// A method under a name of the caller's.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) method: Box<dyn Method>,
}

impl Method for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn probabilities(&self) -> bool {
        self.method.probabilities()
    }

    fn settings(&self) -> Option<&ValidSettings> {
        self.method.settings()
    }

    fn reported_settings(&self) -> Option<Settings> {
        self.method.reported_settings()
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        self.method.fit(training)
    }
}

/// A function `fit_predict(training pairs, relation, seed, pairs)` of Python that returns a score for each pair.
pub(crate) struct Callable {
    pub(crate) name: String,
    pub(crate) function: Py<PyAny>,
    pub(crate) probabilities: bool,
    pub(crate) raised: std::sync::Arc<Raised>,
}

impl Method for Callable {
    fn name(&self) -> &str {
        &self.name
    }

    fn probabilities(&self) -> bool {
        self.probabilities
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        Ok(Box::new(Called { method: self, relations: training.relations.clone(), seed: training.seed }))
    }
}

struct Called<'a> {
    method: &'a Callable,
    relations: Vec<TrainingRelation<'a>>,
    seed: u64,
}

impl Called<'_> {
    fn call(
        &self,
        py: Python<'_>,
        relation: &TrainingRelation<'_>,
        pairs: &[(u32, u32)],
    ) -> PyResult<Vec<f64>> {
        let train = TrainingPairs { pairs: relation.pairs.clone() };
        let asked = arrays::array(py, pairs.iter().copied());
        let scores = self.method.function.call1(py, (train, relation.number, self.seed, asked))?;
        let scores: PyReadonlyArray1<'_, f64> = scores.extract(py)?;
        let scores: Vec<f64> = scores.as_array().iter().copied().collect();
        let name = &self.method.name;
        if scores.len() != pairs.len() {
            let message = format!("methods[{name:?}] gave {} scores of {} pairs", scores.len(), pairs.len());
            return Err(PyValueError::new_err(message));
        }
        let bad = |score: &f64| score.is_nan() || (self.method.probabilities && !(0.0..=1.0).contains(score));
        if let Some(row) = scores.iter().position(bad) {
            let message = format!("methods[{name:?}] gave the score {} to pair {row}", scores[row]);
            return Err(PyValueError::new_err(message));
        }
        Ok(scores)
    }
}

impl Scorer for Called<'_> {
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
        let result = Python::attach(|py| self.call(py, &self.relations[relation], pairs));
        result.map_err(|error| {
            // The exception itself waits for the caller; the evaluation only needs to end.
            let mut raised = self.method.raised.lock().unwrap_or_else(PoisonError::into_inner);
            let text = error.to_string();
            raised.get_or_insert(error);
            Error::Network(text)
        })
    }
}
