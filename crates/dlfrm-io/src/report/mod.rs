//! The report of a fitted model: what the page shows, and the page itself.

mod adjacency;
mod drawing;
mod features;
mod links;
mod page;
mod performance;
mod relation;
mod rounded;
mod traces;

use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::model::{Loss, Settings};
use serde::Serialize;

pub(crate) use drawing::{MOST_LINKS, MOST_NODES};
pub use page::{escaped, is_report, page, palette};
pub use performance::Labelled;
use relation::RelationReport;

/// What a report shows.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions<'a> {
    /// How many predicted links are shown for each relation.
    pub top: usize,
    /// Random seed of samples of pairs.
    pub seed: u64,
    /// Held-out pairs by relation, in the order of the relations; none to evaluate on what the fit held out, else on the
    /// network itself.
    pub test: Option<&'a [Labelled]>,
}

/// Everything that the page shows.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    network: &'a str,
    model: String,
    /// The hinge loss gives scores between 0 and 1 that are no probabilities.
    probabilities: bool,
    nodes: usize,
    directed: bool,
    /// The same in a word, or that there are two kinds of nodes.
    kind: &'static str,
    interrupted: bool,
    version: &'a str,
    settings: &'a Settings,
    relations: Vec<RelationReport<'a>>,
}

impl<'a> Report<'a> {
    /// Gathers what is shown of some relations of a model.
    pub fn new(model: &'a FittedModel, relations: &[&'a FittedRelation], options: ReportOptions<'_>) -> Self {
        let each = relations.iter().enumerate();
        Self {
            network: &model.name,
            model: model.settings().model.to_string(),
            probabilities: model.settings().model.loss == Loss::Logistic,
            nodes: model.nodes.len(),
            directed: model.directed,
            kind: match (model.modes(), model.directed) {
                (Some(_), _) => "bipartite",
                (None, true) => "directed",
                (None, false) => "undirected",
            },
            interrupted: model.interrupted,
            version: &model.versions.dlfrm,
            settings: model.settings(),
            relations: each
                .map(|(number, relation)| {
                    let test = options.test.map(|test| &test[number]);
                    RelationReport::new(model, relation, test, options.top, options.seed)
                })
                .collect(),
        }
    }
}
