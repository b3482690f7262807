//! The report of a fitted model: what the page shows, and the page itself.

mod features;
mod network;
mod page;
mod performance;
mod rounded;

use dlfrm::fit::{FittedModel, FittedRelation, RelationSummary, SweepInfo};
use dlfrm::model::{Loss, Settings};
use dlfrm::posterior::{Coefficient, Convergence, Posterior};
use serde::Serialize;

pub use page::{escaped, is_report, page, palette};
pub use performance::Labelled;

use features::{Features, PredictedLink, predicted_links};
use network::{Adjacency, Drawing, Order};
use performance::Performance;
use rounded::{Rounded, rounded};

/// More points than this a line does not show.
const MOST_POINTS: usize = 500;

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

/// One relation, or the network if it has none.
#[derive(Debug, Serialize)]
struct RelationReport<'a> {
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
    fn new(
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

/// The traces of all chains, burn-in included.
#[derive(Debug, Serialize)]
struct Traces {
    burn_in: usize,
    /// Every so many sweeps are drawn.
    step: usize,
    chains: Vec<ChainTrace>,
}

#[derive(Debug, Serialize)]
struct ChainTrace {
    k: Vec<Rounded>,
    log_joint: Vec<Rounded>,
}

impl Traces {
    fn new(posterior: &Posterior) -> Self {
        let sweeps = posterior.traces().iter().map(|trace| trace.features.len()).max().unwrap_or(0);
        let step = sweeps.div_ceil(MOST_POINTS).max(1);
        // Sweeps are counted from 1: the first point is that after `step` of them.
        let some = |values: &[f64]| rounded(values.iter().copied().skip(step - 1).step_by(step));
        let chains = posterior.traces().iter();
        Self {
            burn_in: posterior.settings().burn_in,
            step,
            chains: chains
                .map(|trace| ChainTrace { k: some(&trace.features), log_joint: some(&trace.log_joint) })
                .collect(),
        }
    }
}
