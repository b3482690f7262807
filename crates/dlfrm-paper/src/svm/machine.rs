//! The machines by name, and as methods to evaluate.

use std::fmt;

use dlfrm::covariates::Attributes;
use dlfrm::evaluate::{Method, Scorer, Training, TrainingRelation};
use dlfrm::network::Pairs;
use dlfrm::{Error, Result};
use rayon::prelude::*;

use super::{linear, rbf};

/// A support vector machine on the attributes of both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SupportVectorMachine {
    /// Linear, with the squared hinge loss, on all training pairs (name: `svm-linear`). See `svm/linear.rs`.
    Linear,
    /// With a Gaussian kernel and the hinge loss, on 10,000 training pairs at most (`svm-rbf`). See `svm/rbf.rs`.
    Rbf,
}

impl SupportVectorMachine {
    /// All machines.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Rbf];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "svm-linear",
            Self::Rbf => "svm-rbf",
        }
    }

    /// Learns from labelled pairs and the attributes of their ends. The same seed gives the same machine on any number of
    /// threads.
    ///
    /// # Panics
    /// If there are attributes of fewer nodes than `train` has.
    pub fn fit(self, attributes: &Attributes, train: &Pairs, seed: u64) -> Result<TrainedMachine> {
        if train.links() == 0 || train.links() == train.len() {
            return Ok(TrainedMachine(Decision::Constant));
        }
        Ok(TrainedMachine(match self {
            Self::Linear => Decision::Linear(linear::Decision::new(attributes, train)),
            Self::Rbf => Decision::Rbf(rbf::Decision::new(attributes, train, seed)?),
        }))
    }
}

/// A machine that has learned from pairs.
#[derive(Debug)]
pub struct TrainedMachine(Decision);

#[derive(Debug)]
enum Decision {
    /// All training pairs had the same label.
    Constant,
    Linear(linear::Decision),
    Rbf(rbf::Decision),
}

impl TrainedMachine {
    /// The decision value of each pair (source, target): larger is likelier, and no more than that. All are 0 if the
    /// training pairs had one label.
    ///
    /// # Panics
    /// If a pair names a node that the training pairs do not have.
    pub fn score(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        match &self.0 {
            Decision::Constant => vec![0.0; pairs.len()],
            Decision::Linear(decision) => decision.score(pairs),
            Decision::Rbf(decision) => decision.score(pairs),
        }
    }
}

impl fmt::Display for SupportVectorMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl SupportVectorMachine {
    pub(crate) fn needs_attributes(self) -> Error {
        Error::Network(format!("{self} learns from attributes of nodes: add --node-attributes FILE"))
    }
}

impl Method for SupportVectorMachine {
    fn name(&self) -> &'static str {
        SupportVectorMachine::name(*self)
    }

    fn uses_attributes(&self) -> bool {
        true
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        let attributes = training.side_info.nodes.as_deref().ok_or_else(|| self.needs_attributes())?;
        let fit = |relation: &TrainingRelation<'_>| {
            let trained = SupportVectorMachine::fit(*self, attributes, relation.pairs, training.seed);
            trained.map_err(|error| match relation.name {
                Some(name) => Error::Relation { name: name.to_owned(), error: Box::new(error) },
                None => error,
            })
        };
        let machines = training.relations.par_iter().map(fit).collect::<Result<_>>()?;
        Ok(Box::new(TrainedMachines(machines)))
    }
}

/// One machine for each relation.
struct TrainedMachines(Vec<TrainedMachine>);

impl Scorer for TrainedMachines {
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
        Ok(self.0[relation].score(pairs))
    }
}
