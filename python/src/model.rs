//! Fitted models: predictions, features, figures, files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use dlfrm::fit::{Checkpoint, Explainer, Explanation, FittedModel, FittedRelation, Keeper, MissingLinks};
use dlfrm::posterior::{Coefficient, Convergence};
use dlfrm_io::model_file::{
    CheckpointFile, checkpoint_from_bytes, checkpoint_to_bytes, from_bytes, to_bytes, write_file,
};
use dlfrm_io::report::{Labelled, Report, ReportOptions, page};
use numpy::ndarray::Array2;
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::arrays::{self, Given1, Given2, Made, Made1, Made2};
use crate::network::Network;
use crate::options::json;
use crate::watch::run;
use crate::words::{exception, model_file};

/// A fitted model.
#[pyclass(frozen, module = "dlfrm._dlfrm")]
pub(crate) struct Model {
    fitted: FittedModel,
    /// What a fit that was ended early goes on with.
    checkpoint: Option<Checkpoint<'static>>,
}

/// An explanation in numbers and in sentences.
#[derive(Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    explanation: Explanation<'a>,
    text: String,
}

/// The figures of a relation.
#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    summary: dlfrm::fit::RelationSummary,
    k_distribution: Vec<(usize, f64)>,
    coefficients: Vec<Coefficient>,
    attributes: Vec<Coefficient>,
    convergence: Vec<Convergence>,
    combination: Option<dlfrm::posterior::Combination>,
}

/// A missing link: the number of its relation, its ends, and the mean, low and high probability.
type Link = (usize, u32, u32, f64, f64, f64, f64);

type Array<'py> = Made1<'py, f64>;

impl Model {
    /// The model of a fit that may have been ended early.
    pub(crate) fn unfinished(fitted: FittedModel, checkpoint: Option<Checkpoint<'static>>) -> Self {
        let checkpoint = checkpoint.filter(|_| fitted.interrupted);
        Self { fitted, checkpoint }
    }

    /// What the fit goes on with.
    pub(crate) fn checkpoint(&self) -> dlfrm::Result<Checkpoint<'static>> {
        self.checkpoint.clone().map_or_else(|| self.fitted.clone().into_checkpoint(), Ok)
    }

    pub(crate) fn fitted(&self) -> &FittedModel {
        &self.fitted
    }

    fn relation(&self, number: usize) -> PyResult<&FittedRelation> {
        let count = self.fitted.relations.len();
        let none = || PyValueError::new_err(format!("relation number {number} is not one of {count}"));
        self.fitted.relations.get(number).ok_or_else(none)
    }

    /// Pairs to predict, each undirected one as the model has it.
    fn pairs(&self, array: &Given2<'_, i64>, relation: &FittedRelation) -> PyResult<Vec<(u32, u32)>> {
        let mut pairs = arrays::pairs(array, self.fitted.nodes.len())?;
        if let Some(&(id, _)) = pairs.iter().find(|(i, j)| i == j) {
            let name = self.fitted.nodes.name(id);
            return Err(PyValueError::new_err(format!("pairs: '{name}' is paired with itself")));
        }
        if !self.fitted.directed {
            for pair in &mut pairs {
                *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
            }
        }
        self.fitted.check_pairs(relation, &pairs).map_err(|error| exception(&error))?;
        Ok(pairs)
    }
}

#[pymethods]
impl Model {
    /// Reads a file, and the checkpoint beside it if the fit was ended early.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = || {
            let fitted = dlfrm_io::load_model(&path)?;
            let beside = || CheckpointFile::take(&path, Duration::MAX).ok().filter(CheckpointFile::exists);
            let checkpoint = if fitted.interrupted { beside() } else { None };
            let checkpoint = checkpoint.and_then(|file| file.read().ok());
            Ok(Self::unfinished(fitted, checkpoint))
        };
        run(py, read)?.map_err(|error| model_file(&error))
    }

    /// Writes a file, and the checkpoint beside it if the fit was ended early, as the command does.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let write = || {
            let file = CheckpointFile::take(&path, Duration::MAX).map_err(|error| model_file(&error))?;
            if let Some(checkpoint) = &self.checkpoint {
                file.keep(checkpoint).map_err(PyOSError::new_err)?;
            }
            dlfrm_io::save_model(&self.fitted, &path).map_err(|error| model_file(&error))?;
            if self.checkpoint.is_some() { Ok(()) } else { file.remove().map_err(|error| model_file(&error)) }
        };
        run(py, write)?
    }

    /// The bytes of the model file, and of the checkpoint if the fit was ended early.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>)> {
        let checkpoint = || self.checkpoint.as_ref().map(|kept| checkpoint_to_bytes(kept));
        let (model, checkpoint) = run(py, || (to_bytes(&self.fitted), checkpoint()))?;
        Ok((PyBytes::new(py, &model), checkpoint.map(|bytes| PyBytes::new(py, &bytes))))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8], checkpoint: Option<&[u8]>) -> PyResult<Self> {
        let read = || {
            let checkpoint = checkpoint.map(|bytes| checkpoint_from_bytes(bytes, "data")).transpose()?;
            Ok(Self::unfinished(from_bytes(data, "data")?, checkpoint))
        };
        run(py, read)?.map_err(|error| model_file(&error))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.fitted.name
    }

    #[getter]
    fn directed(&self) -> bool {
        self.fitted.directed
    }

    #[getter]
    fn interrupted(&self) -> bool {
        self.fitted.interrupted
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.fitted.nodes.names().to_vec()
    }

    #[getter]
    fn relations(&self) -> Vec<Option<String>> {
        self.fitted.relations.iter().map(|relation| relation.name.clone()).collect()
    }

    /// The settings of the fit, as JSON.
    #[getter]
    fn settings(&self) -> String {
        json(self.fitted.settings())
    }

    /// The versions that the model was fitted with, as JSON.
    #[getter]
    fn versions(&self) -> String {
        json(&self.fitted.versions)
    }

    /// The model with nodes that were not there at the fit, to predict with.
    fn with_new_nodes(&self, py: Python<'_>, links: &Network) -> PyResult<Self> {
        let fitted = run(py, || self.fitted.with_new_nodes(&links.relations))?;
        Ok(Self::unfinished(fitted.map_err(|error| exception(&error))?, None))
    }

    /// The posterior mean of the probability of each pair.
    fn predict_mean<'py>(
        &self,
        py: Python<'py>,
        pairs: Given2<'_, i64>,
        relation: usize,
    ) -> PyResult<Array<'py>> {
        let relation = self.relation(relation)?;
        let pairs = self.pairs(&pairs, relation)?;
        Ok(Made(PyArray1::from_vec(py, run(py, || relation.posterior.predict_mean(&pairs))?)))
    }

    /// The score of each pair, which ranks.
    fn score<'py>(&self, py: Python<'py>, pairs: Given2<'_, i64>, relation: usize) -> PyResult<Array<'py>> {
        let relation = self.relation(relation)?;
        let pairs = self.pairs(&pairs, relation)?;
        Ok(Made(PyArray1::from_vec(py, run(py, || relation.posterior.score(&pairs))?)))
    }

    /// The mean, the 5 % and the 95 % quantile of the probability of each pair.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        pairs: Given2<'_, i64>,
        relation: usize,
    ) -> PyResult<(Array<'py>, Array<'py>, Array<'py>)> {
        let relation = self.relation(relation)?;
        let pairs = self.pairs(&pairs, relation)?;
        let found = run(py, || self.fitted.predict(relation, &pairs))?;
        let column = |of: fn(&dlfrm::posterior::Prediction) -> f64| {
            Made(PyArray1::from_iter(py, found.iter().map(of)))
        };
        Ok((column(|one| one.mean), column(|one| one.low), column(|one| one.high)))
    }

    /// The probability of each pair in every draw: a row per pair.
    fn predict_draws<'py>(
        &self,
        py: Python<'py>,
        pairs: Given2<'_, i64>,
        relation: usize,
    ) -> PyResult<Made2<'py, f64>> {
        let relation = self.relation(relation)?;
        let pairs = self.pairs(&pairs, relation)?;
        let values = run(py, || relation.posterior.predict_draws(&pairs))?;
        let shape = (pairs.len(), relation.posterior.mixture_draws());
        Ok(Made(Array2::from_shape_vec(shape, values).expect("a row per pair").to_pyarray(py)))
    }

    /// The most probable pairs that are no links.
    fn top(
        &self,
        py: Python<'_>,
        count: usize,
        node: Option<u32>,
        relation: Option<usize>,
    ) -> PyResult<Vec<Link>> {
        let name = |id: u32| self.fitted.nodes.name(id);
        let only = relation.map(|number| self.relation(number)).transpose()?;
        let query = MissingLinks {
            count,
            node: node.map(name),
            relation: only.and_then(|relation| relation.name.as_deref()),
        };
        let found = run(py, || self.fitted.missing_links(&query))?.map_err(|error| exception(&error))?;
        let id = |name: &str| self.fitted.nodes.get(name).expect("a link has known ends");
        let number = |name: Option<&str>| {
            self.fitted.relations.iter().position(|known| known.name.as_deref() == name).unwrap_or_default()
        };
        let links = found.iter().map(|link| {
            let one = link.prediction;
            (number(link.relation), id(link.source), id(link.target), one.mean, one.low, one.high, one.score)
        });
        Ok(links.collect())
    }

    /// The features of a relation that draws agree on, as JSON.
    fn features(&self, py: Python<'_>, relation: usize) -> PyResult<String> {
        let relation = self.relation(relation)?;
        run(py, || json(&self.fitted.features_of(relation)))
    }

    /// The figures of a relation, as JSON.
    fn figures(&self, py: Python<'_>, relation: usize) -> PyResult<String> {
        let relation = self.relation(relation)?;
        let posterior = &relation.posterior;
        run(py, || {
            json(&Figures {
                summary: relation.summary(),
                k_distribution: posterior.features_distribution(),
                coefficients: posterior.coefficients(),
                attributes: posterior.attribute_coefficients(),
                convergence: posterior.convergence(),
                combination: posterior.combination(),
            })
        })
    }

    /// Why a pair has its probability, as JSON; `text` has the sentences of `dlfrm explain`.
    fn explain(&self, py: Python<'_>, pair: Given2<'_, i64>, relation: usize) -> PyResult<String> {
        let relation = self.relation(relation)?;
        let pairs = self.pairs(&pair, relation)?;
        let &[pair] = &pairs[..] else {
            return Err(PyValueError::new_err("one pair is explained at a time"));
        };
        run(py, || {
            let explainer = Explainer::new(&self.fitted, relation);
            let explanation = explainer.explain(&[pair]).remove(0);
            let text = explanation.text();
            json(&Explained { explanation, text })
        })
    }

    /// The links that the model learned from.
    fn links<'py>(&self, py: Python<'py>, relation: usize) -> PyResult<Made2<'py, i64>> {
        Ok(arrays::array(py, self.relation(relation)?.links.iter().copied()))
    }

    /// The traces of the chains over all sweeps: an array per quantity.
    fn traces<'py>(
        &self,
        py: Python<'py>,
        relation: usize,
    ) -> PyResult<Vec<BTreeMap<&'static str, Array<'py>>>> {
        let traces = self.relation(relation)?.posterior.traces();
        let columns = |trace: &dlfrm::posterior::Trace| {
            let columns = [
                ("K", &trace.features),
                ("log_joint", &trace.log_joint),
                ("alpha", &trace.alpha),
                ("nu", &trace.nu),
                ("nu_between", &trace.nu_between),
                ("intercept", &trace.intercept),
            ];
            columns.into_iter().map(|(name, values)| (name, Made(values.to_pyarray(py)))).collect()
        };
        Ok(traces.iter().map(columns).collect())
    }

    /// The chain and the sweep of every kept draw.
    fn draws<'py>(&self, py: Python<'py>, relation: usize) -> PyResult<Made2<'py, i64>> {
        let draws = self.relation(relation)?.posterior.draws();
        Ok(arrays::array(py, draws.iter().map(|draw| (draw.chain as u32, draw.sweep as u32))))
    }

    /// The page of the report.
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        top: usize,
        seed: u64,
        test: Option<(Given2<'_, i64>, Given1<'_, bool>)>,
    ) -> PyResult<()> {
        let all: Vec<&FittedRelation> = self.fitted.relations.iter().collect();
        let test = match test {
            None => None,
            Some((pairs, labels)) if all.len() == 1 => {
                let pairs = self.pairs(&pairs, all[0])?;
                let labels: Vec<bool> = labels.as_array().iter().copied().collect();
                if labels.len() != pairs.len() {
                    return Err(PyValueError::new_err(format!(
                        "labels: {} of {} pairs",
                        labels.len(),
                        pairs.len()
                    )));
                }
                Some([Labelled { pairs, labels }])
            }
            Some(_) => {
                return Err(PyValueError::new_err("pairs: held-out pairs are for a model of one relation"));
            }
        };
        let options = ReportOptions { top, seed, test: test.as_ref().map(<[Labelled; 1]>::as_slice) };
        let text = run(py, || page(&Report::new(&self.fitted, &all, options)))?;
        let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
        write_file(&path, text.as_bytes()).map_err(|error| model_file(&error))
    }
}
