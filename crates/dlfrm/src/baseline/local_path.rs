//! Local paths: walks of length 2, and those of length 3 that count less (Zhou, Lü and Zhang 2009).

use super::by_source;
use crate::graph::Adjacency;
use crate::graph::katz::ShortPaths;
use crate::network::Pairs;

/// What a walk of length 3 counts.
pub(super) const LONGER: f64 = 0.01;

pub(super) fn score(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    by_source(
        pairs,
        || ShortPaths::new(graph.len()),
        |paths, source, targets| {
            paths.two_steps(&graph, 1.0, source);
            let scores = targets.map(|target| paths.second_and_third(&graph, LONGER, target)).collect();
            paths.clear();
            scores
        },
    )
}
