//! The features that draws agree on: sizes, members, and the weights between them.

use dlfrm::fit::{FittedModel, nearly_all};
use dlfrm::model::Shape;
use dlfrm::posterior::{Draw, FeatureSummary, Posterior, feature_numbers};
use serde::Serialize;

use super::rounded::Rounded;

/// Of more features the page shows the largest.
const MOST_FEATURES: usize = 300;
/// Members that are named.
const NAMED: usize = 30;

/// The features that draws agree on.
#[derive(Debug, Serialize)]
pub(super) struct Features<'a> {
    chain: usize,
    sweep: usize,
    /// How many there are; the lists below may have fewer.
    count: usize,
    diagonal: bool,
    intercept: Rounded,
    list: Vec<Feature<'a>>,
    /// Row by row, from feature 1 on; of a diagonal model one number per feature.
    weights: Vec<Rounded>,
    /// The number of each feature of the draw: 1 for the largest.
    #[serde(skip)]
    pub(super) numbers: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Feature<'a> {
    size: usize,
    stability: Option<Rounded>,
    /// Whether nearly all nodes have it: it is part of the intercept then, and no group.
    common: bool,
    /// Whether its members avoid each other: it is no group then, either.
    avoidance: bool,
    /// The surest first.
    members: Vec<&'a str>,
    /// The share of the draws in which each of them is a member; empty without other draws.
    certainties: Vec<Rounded>,
}

impl<'a> Features<'a> {
    pub(super) fn new(model: &'a FittedModel, posterior: &Posterior, draw: &Draw) -> Self {
        let summaries = posterior.summarise(draw);
        let numbers = feature_numbers(&summaries);
        let shown = &summaries[..summaries.len().min(MOST_FEATURES)];
        let diagonal = draw.shape == Shape::Diagonal;
        let row = |one: &FeatureSummary| {
            let others = shown.iter().filter(|other| !diagonal || other.feature == one.feature);
            others.map(|other| Rounded(draw.weight(one.feature, other.feature))).collect::<Vec<_>>()
        };
        let feature = |summary: &FeatureSummary| Feature {
            size: summary.members.len(),
            stability: summary.stability.map(Rounded),
            common: nearly_all(summary.members.len(), model.nodes.len()),
            avoidance: draw.weight(summary.feature, summary.feature) < 0.0,
            members: summary.members.iter().take(NAMED).map(|one| model.nodes.name(one.node)).collect(),
            certainties: summary
                .members
                .iter()
                .take(NAMED)
                .filter_map(|one| one.certainty.map(Rounded))
                .collect(),
        };
        Self {
            chain: draw.chain + 1,
            sweep: draw.sweep,
            count: summaries.len(),
            diagonal,
            intercept: Rounded(draw.intercept),
            list: shown.iter().map(feature).collect(),
            weights: shown.iter().flat_map(row).collect(),
            numbers,
        }
    }
}
