//! What the report has of one relation.

use dlfrm::fit::{FittedModel, FittedRelation, RelationSummary, SweepInfo};
use dlfrm::posterior::{Coefficient, Convergence};
use serde::Serialize;

use super::adjacency::{Adjacency, Order};
use super::drawing::Drawing;
use super::features::Features;
use super::links::{PredictedLink, predicted_links};
use super::performance::{Labelled, Performance};
use super::traces::Traces;

/// One relation, or the network if it has none.
#[derive(Debug, Serialize)]
pub(super) struct RelationReport<'a> {
    #[serde(flatten)]
    figures: RelationSummary,
    symmetric: bool,
    traces: Traces,
    convergence: Vec<Convergence>,
    /// What the kernels did in all sweeps of each chain.
    sampler: Vec<SweepInfo>,
    coefficients: Vec<Coefficient>,
    /// None if no labels are known to evaluate on.
    performance: Option<Performance>,
    features: Features<'a>,
    adjacency: Adjacency,
    /// None if the network is too large to be drawn.
    drawing: Option<Drawing<'a>>,
    predicted: Vec<PredictedLink<'a>>,
}

impl<'a> RelationReport<'a> {
    pub(super) fn new(
        model: &'a FittedModel,
        relation: &'a FittedRelation,
        test: Option<&Labelled>,
        top: usize,
        seed: u64,
    ) -> Self {
        let (posterior, links) = (&relation.posterior, &relation.known_links());
        let draw = posterior.consensus().expect("a fitted relation has draws");
        let features = Features::new(model, posterior, &draw);
        let order = Order::new(&draw, &features.numbers, links);
        Self {
            figures: relation.summary(),
            symmetric: posterior.symmetric(),
            traces: Traces::new(posterior),
            convergence: posterior.convergence(),
            sampler: posterior.traces().iter().map(|trace| trace.total).collect(),
            performance: match test {
                Some(test) => Some(Performance::held_out(model, relation, test)),
                None => Performance::of_the_fit(model, relation)
                    .or_else(|| Performance::in_sample(model, relation, seed)),
            },
            adjacency: Adjacency::new(&order, links, model.directed),
            drawing: Drawing::new(model, &draw, &features.numbers, &order, links),
            predicted: predicted_links(model, relation, &features.numbers, top, &draw),
            coefficients: posterior.coefficients(),
            features,
        }
    }
}
