//! The report of a fit: what is told of a model, gathered here, and the page that shows it.

mod adjacency;
mod drawing;
mod features;
mod judged;
mod links;
mod page;
mod relation;
mod rounded;
mod traces;

use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::model::{Loss, Settings};
use serde::Serialize;

pub(crate) use judged::Labelled;
pub(crate) use page::{escaped, page, palette};
use relation::RelationReport;

/// What the user chose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    /// How many predicted links a relation is shown with.
    pub(crate) top: usize,
    /// What samples of pairs follow from.
    pub(crate) seed: u64,
    /// Held-out pairs by relation, in the order of the relations; none to judge on the network itself.
    pub(crate) test: Option<&'a [Labelled]>,
}

/// Everything that the page shows.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    network: &'a str,
    model: String,
    /// The hinge loss gives scores between 0 and 1 that are no probabilities.
    probabilities: bool,
    entities: usize,
    directed: bool,
    interrupted: bool,
    version: &'a str,
    settings: &'a Settings,
    relations: Vec<RelationReport<'a>>,
}

impl<'a> Report<'a> {
    /// Gathers what is told of some relations of a model.
    pub(crate) fn new(model: &'a FittedModel, relations: &[&'a FittedRelation], plan: Plan<'_>) -> Self {
        let each = relations.iter().enumerate();
        Self {
            network: &model.name,
            model: model.settings().model.to_string(),
            probabilities: model.settings().model.loss == Loss::Logistic,
            entities: model.entities.len(),
            directed: model.directed,
            interrupted: model.interrupted,
            version: &model.versions.dlfrm,
            settings: model.settings(),
            relations: each
                .map(|(number, relation)| {
                    let test = plan.test.map(|test| &test[number]);
                    RelationReport::new(model, relation, test, plan.top, plan.seed)
                })
                .collect(),
        }
    }
}
