//! Katz scores: paths of all lengths from source to target, longer ones counting less.

use super::by_source;
use super::katz_beta::chosen;
use crate::graph::Adjacency;
use crate::graph::katz::{AllPaths, ShortPaths};
use crate::network::Pairs;

const BETA: f64 = 0.05;
/// How near to divergence beta may come, as a part of 1 / spectral radius.
pub(super) const MARGIN: f64 = 0.9;
/// Of nodes times arcs: beyond it only short paths are summed. The worst case (beta at its margin, every
/// node a source) takes some 280 multiplications for each: by estimate half a minute on two cores.
pub(super) const LARGEST_EXACT: usize = 200_000_000;

pub(super) fn score(train: &Pairs, test: &[(u32, u32)]) -> Vec<f64> {
    let (outgoing, incoming) = (Adjacency::outgoing(train), Adjacency::incoming(train));
    // Decided by the training pairs alone: other test pairs must not change a pair's score.
    let all_lengths = outgoing.len().saturating_mul(outgoing.arcs()) <= LARGEST_EXACT;
    let beta = chosen(train, &outgoing, all_lengths);
    sum_paths(&outgoing, &incoming, test, beta, all_lengths)
}

/// Sums paths of all lengths, or those of length 3 or less, one walk for each distinct source.
pub(super) fn sum_paths(
    outgoing: &Adjacency,
    incoming: &Adjacency,
    test: &[(u32, u32)],
    beta: f64,
    all_lengths: bool,
) -> Vec<f64> {
    let nodes = outgoing.len();
    if all_lengths {
        let start = || AllPaths::new(nodes);
        return by_source(test, start, |paths, source, targets| {
            let sums = paths.count(incoming, beta, [source]);
            targets.map(|target| sums[target as usize][0]).collect()
        });
    }
    by_source(
        test,
        || ShortPaths::new(nodes),
        |paths, source, targets| {
            paths.two_steps(outgoing, beta, source);
            let scores = targets.map(|target| paths.and_a_third(incoming, beta, target)).collect();
            paths.clear();
            scores
        },
    )
}

/// The weight of a step, unless one is chosen, given a bound on the spectral radius.
pub(super) fn usual_beta(bound: f64) -> f64 {
    // All paths are short: any beta converges.
    if bound == 0.0 { BETA } else { BETA.min(MARGIN / bound) }
}
