//! The shortest path between two nodes without their own link.

use super::by_source;
use crate::graph::Adjacency;
use crate::graph::distance::{Distance, Steps, TwoSided, limit};
use crate::network::Pairs;

/// 1 / the number of steps, 0 if there is no path.
pub(super) fn score(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    let most_arcs = limit(&graph);
    let start = || (Steps::new(graph.len()), TwoSided::new(graph.len()));
    by_source(pairs, start, |(steps, search), source, targets| {
        let distance = |target: u32| {
            let linked = graph.neighbours(source).binary_search(&target).is_ok();
            if most_arcs.is_none() && !linked {
                return steps.between(&graph, source, target);
            }
            let found = search.between(&graph, [source, target], linked, most_arcs);
            found.map(|Distance { steps, .. }| steps)
        };
        let score = |steps: Option<u32>| steps.map_or(0.0, |steps| 1.0 / f64::from(steps.max(1)));
        targets.map(distance).map(score).collect()
    })
}
