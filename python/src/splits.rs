//! Splits into training and test pairs.

use dlfrm::evaluate::{Evaluation, Splits};
use dlfrm::network::{Network as Graph, Pairs, Relation, Unlisted};
use dlfrm::split::{HeldOut, Split, SplitOptions};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, Made, Made1, Made2};
use crate::network::Network;
use crate::watch::run;
use crate::words::exception;

/// Pairs that a method may learn from.
#[pyclass(frozen, module = "dlfrm._dlfrm")]
pub(crate) struct TrainingPairs {
    pub(crate) pairs: Pairs,
}

#[pymethods]
impl TrainingPairs {
    #[getter]
    fn nodes(&self) -> usize {
        self.pairs.nodes()
    }

    /// Whether (i, j) and (j, i) are one pair.
    #[getter]
    fn symmetric(&self) -> bool {
        self.pairs.symmetric()
    }

    fn __len__(&self) -> usize {
        self.pairs.len()
    }

    /// The links.
    fn links<'py>(&self, py: Python<'py>) -> Made2<'py, i64> {
        let links = self.pairs.iter().filter(|pair| pair.link).map(|pair| (pair.source, pair.target));
        arrays::array(py, links.collect::<Vec<_>>().into_iter())
    }

    /// All pairs, and whether they are links.
    fn labelled<'py>(&self, py: Python<'py>) -> (Made2<'py, i64>, Made1<'py, bool>) {
        let ends: Vec<(u32, u32)> = self.pairs.iter().map(|pair| (pair.source, pair.target)).collect();
        let labels = Made(PyArray1::from_iter(py, self.pairs.iter().map(|pair| pair.link)));
        (arrays::array(py, ends.into_iter()), labels)
    }
}

/// How pairs are divided, as Python gives it: protocol, fraction, folds, negatives and test negatives.
pub(crate) type SplitArgs = (String, Option<f64>, Option<usize>, Option<f64>, Option<String>);

/// How pairs are divided, and into how many folds.
pub(crate) fn options(given: &SplitArgs) -> PyResult<(SplitOptions, Option<usize>)> {
    let (protocol, fraction, folds, negatives, test_negatives) = given;
    let protocol = protocol.parse().map_err(|error| exception(&error))?;
    let mut options = SplitOptions::new(protocol);
    if let Some(fraction) = fraction {
        options.held_out = HeldOut::Fraction(*fraction);
    }
    if let Some(negatives) = negatives {
        options.negatives = *negatives;
    }
    if let Some(kind) = test_negatives {
        options.test_negatives = kind.parse().map_err(|error| exception(&error))?;
    }
    let held_out = folds.map_or(options.held_out, |of| HeldOut::Fold { number: 0, of });
    SplitOptions { held_out, ..options }.check().map_err(|error| exception(&error))?;
    Ok((options, *folds))
}

/// Where the splits of an evaluation come from, and its runs.
pub(crate) fn splits(given: &SplitArgs, runs: usize) -> PyResult<(Splits<'static>, usize)> {
    let (options, folds) = options(given)?;
    if runs == 0 {
        return Err(PyValueError::new_err("runs must be at least 1, is 0"));
    }
    Ok(folds.map_or((Splits::Drawn(options), runs), |folds| (Splits::Folds(options, folds), folds)))
}

/// One relation of a split: training pairs, test pairs and their labels.
type Part<'py> = (TrainingPairs, Made2<'py, i64>, Made1<'py, bool>);

/// The splits of some runs: the parts of each relation, and the network to learn from if there is one.
#[pyfunction]
pub(crate) fn split<'py>(
    py: Python<'py>,
    network: &Network,
    how: SplitArgs,
    runs: usize,
    seed: u64,
) -> PyResult<Vec<(Vec<Part<'py>>, Option<Network>)>> {
    let (splits, runs) = splits(&how, runs)?;
    let evaluation = Evaluation { splits, runs, seed, ..Evaluation::new(&network.relations) };
    let mut all = vec![];
    for number in 0..runs {
        let drawn = run(py, || evaluation.draw(number))?.map_err(|error| exception(&error))?;
        let rest = training(network, &drawn).map_err(|error| exception(&error))?;
        let part = |split: Split| {
            let test = arrays::array(py, split.test_pairs().into_iter());
            let labels = Made(PyArray1::from_vec(py, split.test_labels()));
            (TrainingPairs { pairs: split.train }, test, labels)
        };
        all.push((drawn.into_iter().map(part).collect(), rest));
    }
    Ok(all)
}

/// The network that a split leaves to learn from; none where an undirected pair stands for two.
fn training(network: &Network, splits: &[Split]) -> dlfrm::Result<Option<Network>> {
    let mut relations = vec![];
    for (relation, split) in network.relations.iter().zip(splits) {
        let graph = &relation.network;
        if split.train.symmetric() == graph.directed() {
            return Ok(None);
        }
        let of = |link: bool| {
            split.train.iter().filter(move |pair| pair.link == link).map(|pair| (pair.source, pair.target))
        };
        let rest = Graph::new(graph.nodes().clone(), graph.directed(), of(true))?;
        let rest = match graph.modes() {
            Some(modes) => rest.with_modes(modes.clone())?,
            None => rest,
        };
        let listed = split.train.non_link_share() < 1.0 || graph.unlisted() == Unlisted::Unobserved;
        let rest = if listed {
            rest.with_labels(of(false), [], Unlisted::Unobserved)?
        } else {
            let unknown = graph.unobserved().iter().copied().chain(split.test_pairs());
            rest.with_labels([], unknown, Unlisted::NonLink)?
        };
        relations.push(Relation { name: relation.name.clone(), network: rest });
    }
    Ok(Some(Network::of(&network.name, relations)))
}
