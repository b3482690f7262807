//! The most probable pairs of one node: all of them are scored, with one walk along the links for all.

use rayon::prelude::*;

use crate::covariates::Covariates;

use super::candidate::Candidate;
use super::finalists::Finalists;
use super::scorer::Scorer;
use super::{Posterior, Prediction, TopPairs};

/// Pairs whose covariates are computed at once.
const PAIRS: usize = 1_024;

/// The best of one node in a posterior, which is also given [corrected](Posterior::corrected).
pub(super) fn of_node(
    original: &Posterior,
    posterior: &Posterior,
    query: &TopPairs<'_>,
    node: u32,
) -> Vec<(u32, u32, Prediction)> {
    let nodes = posterior.nodes() as u32;
    assert!(node < nodes, "node {node} of {nodes}");
    let (scorer, symmetric) = (Scorer::new(posterior), posterior.symmetric());
    let mut finalists = Finalists::new(original, query.count, scorer, usize::MAX);
    let mut walker = scorer.covariates.and_then(Covariates::walker);
    if let Some(covariates) = scorer.covariates {
        covariates.walk(walker.as_mut(), node);
    }
    let linked =
        |(source, target)| scorer.covariates.is_some_and(|covariates| covariates.linked(source, target));
    for back in if symmetric { &[false][..] } else { &[false, true] } {
        let pair = |other: u32| match (symmetric, back) {
            (true, _) => (node.min(other), node.max(other)),
            (false, false) => (node, other),
            (false, true) => (other, node),
        };
        let wanted =
            |&other: &u32| original.possible(node, other) && !(query.exclude)(pair(other).0, pair(other).1);
        // Only the covariates of pairs without a link are known from both ends.
        let (linked, others): (Vec<u32>, Vec<u32>) =
            (0..nodes).filter(wanted).partition(|&other| linked(pair(other)));
        finalists.add(posterior.candidates(&linked.into_iter().map(pair).collect::<Vec<_>>()));
        let scored = others.par_chunks(PAIRS).flat_map_iter(|others| {
            let lines = scorer.rows_of(walker.as_ref(), node, others, *back);
            let score = |(number, &other): (usize, &u32)| {
                let (source, target) = pair(other);
                Candidate { mean: scorer.probability(source, target, lines.row(number)), source, target }
            };
            others.iter().enumerate().map(score).collect::<Vec<_>>()
        });
        finalists.add(scored.collect());
    }
    finalists.finish()
}
