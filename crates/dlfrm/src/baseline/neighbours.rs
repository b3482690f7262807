//! Scores from common neighbours: how many they are and how exclusive.

use crate::graph::Adjacency;
use crate::network::Pairs;

/// d(i) d(j); for ordered pairs the out-degree of i times the in-degree of j.
pub(super) fn preferential_attachment(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let (outgoing, incoming) = (Adjacency::outgoing(train), Adjacency::incoming(train));
    pairs.iter().map(|&(i, j)| outgoing.degree(i) as f64 * incoming.degree(j) as f64).collect()
}

/// |N(i) ∩ N(j)|.
pub(super) fn common(graph: &Adjacency, i: u32, j: u32) -> f64 {
    count(graph, i, j) as f64
}

/// |N(i) ∩ N(j)| / |N(i) ∪ N(j)|, with i and j themselves counted in the union if they are linked, as
/// networkx does.
pub(super) fn jaccard(graph: &Adjacency, i: u32, j: u32) -> f64 {
    let common = count(graph, i, j);
    let either = graph.degree(i) + graph.degree(j) - common;
    if either == 0 { 0.0 } else { common as f64 / either as f64 }
}

/// Sum of 1 / log d(u) over common neighbours u (Adamic and Adar 2003).
pub(super) fn adamic_adar(graph: &Adjacency, i: u32, j: u32) -> f64 {
    weighted(graph, i, j, |degree| {
        // Degree 1 happens only if i and j are one node; an infinite score would be of no use.
        if degree > 1 { 1.0 / (degree as f64).ln() } else { 0.0 }
    })
}

/// Sum of 1 / d(u) over common neighbours u (Zhou, Lü and Zhang 2009).
pub(super) fn resource_allocation(graph: &Adjacency, i: u32, j: u32) -> f64 {
    weighted(graph, i, j, |degree| 1.0 / degree as f64)
}

fn count(graph: &Adjacency, i: u32, j: u32) -> usize {
    let mut count = 0;
    graph.for_each_common(i, j, |_| count += 1);
    count
}

fn weighted(graph: &Adjacency, i: u32, j: u32, weight: impl Fn(usize) -> f64) -> f64 {
    let mut sum = 0.0;
    graph.for_each_common(i, j, |u| sum += weight(graph.degree(u)));
    sum
}
