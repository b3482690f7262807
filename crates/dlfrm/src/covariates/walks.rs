//! Random walks between the ends of a pair, as if the pair had no link.
//!
//! P is the matrix of a random walk: P_ij = 1 / d(i) if i and j are linked. Without the link of x and y only the rows x and y
//! of P differ, so that the walks P' without it follow from those with it among the two ends alone:
//! P'^t = P^t + sum over s < t of P'^s (P' - P) P^(t - 1 - s), where row x of (P' - P) P^r is
//! (row x of P^(r + 1) - row y of P^r) / (d(x) - 1), or -(row y of P^r) if x has no other link.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::network::Adjacency;
use crate::network::walks::{LENGTH, Probabilities, RandomWalk};

/// The arcs that the walks from all entities pass together: networks with more go without.
const MOST_ARCS: usize = 1_000_000_000;
/// So many entities are tried first.
const SAMPLE: usize = 64;
/// Is added to the sum of a pair, so that pairs that no walk connects have a logarithm.
const FLOOR: f64 = 1e-4;

/// How walks from each entity return to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Walks {
    returns: Vec<Probabilities>,
}

impl Walks {
    /// Of a network in which walks are short enough for it.
    pub(super) fn new(graph: &Adjacency) -> Option<Self> {
        Self::within(graph, MOST_ARCS)
    }

    fn within(graph: &Adjacency, most_arcs: usize) -> Option<Self> {
        if expensive(graph, most_arcs) {
            return None;
        }
        let passed = AtomicUsize::new(0);
        let returns = (0..graph.len() as u32).into_par_iter().map_init(
            || RandomWalk::new(graph.len()),
            |walk, entity| {
                // The sum only grows: whether it ends above the limit does not depend on the threads.
                if passed.load(Ordering::Relaxed) <= most_arcs {
                    passed.fetch_add(walk.start(graph, entity), Ordering::Relaxed);
                }
                *walk.at(entity)
            },
        );
        let returns = returns.collect();
        (passed.into_inner() <= most_arcs).then_some(Self { returns })
    }

    /// The least and the most of the pairs of an entity with so many links: a walk is at one place after each step.
    pub(super) fn range(degree: usize) -> [f64; 2] {
        [FLOOR.ln(), (FLOOR + (LENGTH * degree) as f64).ln()]
    }

    /// The logarithm of d(x) times the sum of the probabilities of going from x to y in 2, 3, ... steps, which is the same
    /// from y to x. The walk starts from x.
    pub(super) fn of(&self, graph: &Adjacency, walk: &RandomWalk, [x, y]: [u32; 2], linked: bool) -> f64 {
        let [from, to] = [x, y].map(|end| graph.degree(end) as f64);
        let there = walk.at(y);
        let sum = if linked {
            let back = |t: usize| there[t] * from / to;
            let [returns_x, returns_y] = [x, y].map(|end| &self.returns[end as usize]);
            let rows = |t: usize| [[returns_x[t], there[t]], [back(t), returns_y[t]]];
            (from - 1.0) * without_link(rows, [from - 1.0, to - 1.0])
        } else {
            from * there[2..].iter().sum::<f64>()
        };
        (sum.max(0.0) + FLOOR).ln()
    }
}

/// Whether the walks from some entities, spread over the network, pass more than their part of the arcs: large networks are
/// found out at little cost.
fn expensive(graph: &Adjacency, most_arcs: usize) -> bool {
    let entities = graph.len();
    let every = entities.div_ceil(SAMPLE).max(1);
    let part = most_arcs / every;
    let mut walk = RandomWalk::new(entities);
    let mut passed = 0;
    (0..entities as u32).step_by(every).any(|entity| {
        passed += walk.start(graph, entity);
        passed > part
    })
}

/// The sum over lengths from 2 of the entry (x, y) of P'^t, from the rows x and y of P^t and their columns x and y.
fn without_link(rows: impl Fn(usize) -> [[f64; 2]; 2], others: [f64; 2]) -> f64 {
    let powers: [[[f64; 2]; 2]; LENGTH + 1] = std::array::from_fn(rows);
    let change = |r: usize, end: usize, column: usize| {
        let over = powers[r][1 - end][column];
        if others[end] > 0.0 { (powers[r + 1][end][column] - over) / others[end] } else { -over }
    };
    let mut walks = [[0.0; 2]; LENGTH + 1];
    walks[0] = [1.0, 0.0];
    for t in 1..=LENGTH {
        let mut row = powers[t][0];
        for (s, before) in walks[..t].iter().enumerate() {
            for (column, value) in row.iter_mut().enumerate() {
                *value += before[0] * change(t - 1 - s, 0, column) + before[1] * change(t - 1 - s, 1, column);
            }
        }
        walks[t] = row;
    }
    walks[2..].iter().map(|row| row[1]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Pair, Pairs};

    /// Networks whose walks would pass too many arcs go without.
    #[test]
    fn the_budget_is_kept() {
        let star = (1..20_u32).map(|target| Pair { source: 0, target, link: true });
        let graph = Adjacency::undirected(&Pairs::new(20, true, star));
        let walk = |source: u32| RandomWalk::new(20).start(&graph, source);
        let arcs: usize = (0..20).map(walk).sum();
        assert!(Walks::within(&graph, arcs).is_some());
        assert!(Walks::within(&graph, arcs - 1).is_none());
    }
}
