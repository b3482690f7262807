//! The most probable links that a fitted relation does not have.

use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::posterior::Prediction;

/// At most `count` of them, the most probable first; only those of `node`, if one is given.
pub(crate) fn missing_links(
    model: &FittedModel,
    relation: &FittedRelation,
    count: usize,
    node: Option<u32>,
) -> Vec<(u32, u32, Prediction)> {
    // A model of ordered pairs may be one of an undirected network: each of its pairs is told once.
    let known = |i: u32, j: u32| (!model.directed && i > j) || relation.links.binary_search(&(i, j)).is_ok();
    relation.posterior.top_missing(known, count, node)
}
