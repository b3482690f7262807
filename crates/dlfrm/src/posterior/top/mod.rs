//! The pairs with the highest scores among the pairs that are not known to be linked.

mod bounds;
mod candidates;
mod search;

pub use candidates::TopPairs;

use rayon::prelude::*;

use crate::covariates::Covariates;

use super::{Posterior, Prediction};
use candidates::{Candidate, Finalists, Scorer};
use search::Search;

impl Posterior {
    /// The pairs with the highest [scores](Posterior::score), the best first, ties in the order of ids: those that scoring all
    /// pairs would give.
    ///
    /// In a symmetric network a pair is listed once, the smaller id first; in a bipartite network only pairs of a row and a
    /// column. Where bounds are too loose the time grows with the square of the number of nodes. Panics if `node` is not a node.
    pub fn top_pairs(&self, query: &TopPairs<'_>) -> Vec<(u32, u32, Prediction)> {
        if query.count == 0 || self.draws().is_empty() {
            return Vec::new();
        }
        match query.node {
            Some(node) => of_node(self, query, node),
            None => Search::new(self, query).run().0,
        }
    }
}

/// Pairs whose covariates are computed at once.
const AT_ONCE: usize = 1_024;

/// The best of one node.
fn of_node(posterior: &Posterior, query: &TopPairs<'_>, node: u32) -> Vec<(u32, u32, Prediction)> {
    let nodes = posterior.nodes() as u32;
    assert!(node < nodes, "node {node} of {nodes}");
    let (scorer, symmetric) = (&Scorer::new(posterior), posterior.symmetric());
    let mut finalists = Finalists::new(posterior, query.count, scorer, usize::MAX);
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
            |&other: &u32| posterior.possible(node, other) && !(query.exclude)(pair(other).0, pair(other).1);
        // Only the covariates of pairs without a link are known from both ends.
        let (linked, others): (Vec<u32>, Vec<u32>) =
            (0..nodes).filter(wanted).partition(|&other| linked(pair(other)));
        finalists.add(scorer.candidates(&linked.into_iter().map(pair).collect::<Vec<_>>()));
        let scored = others.par_chunks(AT_ONCE).flat_map_iter(|others| {
            let lines = scorer.rows_of(walker.as_ref(), node, others, *back);
            let score = |(number, &other): (usize, &u32)| {
                let (source, target) = pair(other);
                Candidate { score: scorer.score(source, target, lines.row(number)), source, target }
            };
            others.iter().enumerate().map(score).collect::<Vec<_>>()
        });
        finalists.add(scored.collect());
    }
    finalists.finish()
}

#[cfg(test)]
mod tests;
