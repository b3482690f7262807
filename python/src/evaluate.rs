//! Evaluations of known methods and of methods that come from Python, and the scores of single methods.

use std::sync::{Arc, Mutex, PoisonError};

use dlfrm::evaluate::{
    Evaluation, Method, MethodOptions, ModelMethod, Scorer, Training, TrainingRelation, expand, method, names,
};
use dlfrm::fit::{PairPlan, Parts, Silent};
use dlfrm::model::{Model, Settings, ValidSettings};
use dlfrm::score::Measure;
use dlfrm::split::Protocol;
use dlfrm::{Error, Result};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyboardInterrupt, PyStopIteration, PyValueError};
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{self, Given2, Made, Made1};
use crate::network::Network;
use crate::options::{SettingArgs, overrides, sharing};
use crate::side_info::{self, SideInfo};
use crate::splits::{SplitArgs, TrainingPairs, splits};
use crate::watch::{Watched, run, watched};
use crate::words::exception;

/// A method: the name of a known one with settings, or a callable that says whether it gives probabilities.
#[derive(FromPyObject)]
pub(crate) enum MethodArg {
    Known((String, SettingArgs)),
    Callable((Py<PyAny>, bool)),
}

/// The names of all methods, models first; groups of methods are replaced by theirs.
#[pyfunction]
#[pyo3(signature = (of = None))]
pub(crate) fn methods(of: Option<Vec<String>>) -> Vec<String> {
    of.map_or_else(|| names().map(str::to_owned).collect(), |of| expand(&of))
}

/// The names of the protocols.
#[pyfunction]
pub(crate) fn protocols() -> Vec<&'static str> {
    Protocol::ALL.map(Protocol::name).to_vec()
}

/// Evaluates methods, as JSON.
#[pyfunction]
pub(crate) fn evaluate(
    py: Python<'_>,
    network: &Network,
    side_info: Option<&SideInfo>,
    methods: Vec<(String, MethodArg)>,
    how: SplitArgs,
    runs: usize,
    seed: u64,
    scores: Option<Vec<String>>,
    share_features: Option<bool>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<String> {
    let refused = |error: dlfrm::Error| exception(&error);
    let (splits, runs) = splits(&how, runs)?;
    let mut evaluation = Evaluation {
        splits,
        runs,
        seed,
        side_info: side_info::of(side_info),
        intervals: runs == 1,
        ..Evaluation::new(&network.relations)
    };
    if let Some(scores) = scores {
        let measures = scores.iter().map(|name| name.parse::<Measure>());
        evaluation.measures = measures.collect::<dlfrm::Result<_>>().map_err(refused)?;
    }
    evaluation.check_relations().map_err(refused)?;
    let sharing = evaluation.sharing(sharing(share_features)).map_err(refused)?;
    let raised: Arc<Raised> = Arc::default();
    let mut all: Vec<Box<dyn Method>> = vec![];
    for (name, given) in methods {
        all.push(match given {
            MethodArg::Known((known, settings)) => {
                let settings = overrides(&settings)?;
                let options = MethodOptions { settings, sharing, ..evaluation.method_options() };
                if let Ok(model) = known.parse::<Model>() {
                    let parts = Parts::new(model, &options.settings, options.pairs, options.paper);
                    Box::new(ModelMethod::named(&name, parts.map_err(refused)?, sharing))
                } else {
                    Box::new(Named { name, method: method(&known, &options).map_err(refused)? })
                }
            }
            MethodArg::Callable((function, probabilities)) => {
                Box::new(Callable { name, function, probabilities, raised: raised.clone() })
            }
        });
    }
    let Watched { result, raised: signal } = watched(py, n_jobs, None, callback.as_ref(), |relay| {
        evaluation.check()?;
        let report = evaluation.run(&all, relay)?;
        Ok::<_, dlfrm::Error>((report, relay.figures()))
    })?;
    if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    let (report, figures) = match (result, signal) {
        (Ok(found), Some(error))
            if error.is_instance_of::<PyKeyboardInterrupt>(py)
                || error.is_instance_of::<PyStopIteration>(py) =>
        {
            found
        }
        (_, Some(error)) => return Err(error),
        (result, None) => result.map_err(refused)?,
    };
    let measures: Vec<String> = evaluation.measures.iter().map(ToString::to_string).collect();
    Ok(json!({"report": report, "measures": measures, "runs": figures}).to_string())
}

/// The scores that a known method gives to some pairs after learning from a relation.
#[pyfunction]
pub(crate) fn score_pairs<'py>(
    py: Python<'py>,
    name: &str,
    network: &Network,
    relation: usize,
    pairs: Given2<'_, i64>,
    settings: SettingArgs,
    seed: u64,
) -> PyResult<Made1<'py, f64>> {
    let refused = |error: dlfrm::Error| exception(&error);
    let graph = &network.relation(relation)?.network;
    let pairs = arrays::pairs(&pairs, graph.len())?;
    dlfrm::fit::check_network(graph).map_err(refused)?;
    let plan = PairPlan::new([graph], false, None);
    let options = MethodOptions {
        settings: overrides(&settings)?,
        pairs: plan.largest([graph]) as usize,
        ..MethodOptions::default()
    };
    let method = method(name, &options).map_err(refused)?;
    let scores = run(py, || {
        let train = plan.gather(graph, seed)?;
        let known = dlfrm::covariates::SideInfo::default();
        let relation = TrainingRelation { number: 0, name: None, pairs: &train, validation: &[] };
        let training = Training { relations: vec![relation], side_info: &known, seed, observer: &Silent };
        method.fit(&training)?.score(0, &pairs)
    })?;
    Ok(Made(PyArray1::from_vec(py, scores.map_err(refused)?)))
}

/// The first exception that a callable raised.
type Raised = Mutex<Option<PyErr>>;

/// A method under a name of the caller's.
struct Named {
    name: String,
    method: Box<dyn Method>,
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
struct Callable {
    name: String,
    function: Py<PyAny>,
    probabilities: bool,
    raised: Arc<Raised>,
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
