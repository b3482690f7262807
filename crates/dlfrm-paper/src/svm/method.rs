//! The machines as methods to evaluate.

use dlfrm::evaluate::{Method, Scorer, Training, TrainingRelation};
use dlfrm::{Error, Result};
use rayon::prelude::*;

use super::{SupportVectorMachine, TrainedMachine};

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
