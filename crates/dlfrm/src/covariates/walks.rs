//! Random walks between the ends of a pair, as if the pair had no link.
//!
//! P is the matrix of a random walk: P_ij = 1 / d(i) if i and j are linked. Without the link of x and y only the rows x and y
//! of P differ, so that the walks P' without it follow from those with it among the two ends alone:
//! P'^t = P^t + sum over s < t of P'^s (P' - P) P^(t - 1 - s), where row x of (P' - P) P^r is
//! (row x of P^(r + 1) - row y of P^r) / (d(x) - 1), or -(row y of P^r) if x has no other link.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::graph::Adjacency;
use crate::graph::walks::{LENGTH, Probabilities, RandomWalk, RandomWalks};
use crate::simd::{LANES, with_simd};

use super::all_pairs::{by_lanes, is_small, write_lanes};

/// The arcs that the walks from all nodes pass together: networks with more go without.
const MOST_ARCS: usize = 1_000_000_000;
/// So many nodes are tried first.
const SAMPLE: usize = 64;
/// Is added to the sum of a pair, so that pairs that no walk connects have a logarithm.
const FLOOR: f64 = 1e-4;

/// What is known of the walks of all nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Walks {
    /// The logarithms of all pairs of a small network, by rows.
    AllPairs(Vec<f32>),
    /// How walks from each node return to it.
    Returns(Vec<Probabilities>),
}

impl Walks {
    /// Of a network in which walks are short enough for it.
    pub(super) fn new(graph: &Adjacency) -> Option<Self> {
        if is_small(graph) { Some(Self::AllPairs(all_pairs(graph))) } else { Self::within(graph, MOST_ARCS) }
    }

    fn within(graph: &Adjacency, most_arcs: usize) -> Option<Self> {
        if expensive(graph, most_arcs) {
            return None;
        }
        let passed = AtomicUsize::new(0);
        let returns = (0..graph.len() as u32).into_par_iter().map_init(
            || RandomWalk::new(graph.len()),
            |walk, node| {
                // The sum only grows: whether it ends above the limit does not depend on the threads.
                if passed.load(Ordering::Relaxed) <= most_arcs {
                    passed.fetch_add(walk.start(graph, node), Ordering::Relaxed);
                }
                *walk.at(node)
            },
        );
        let returns = returns.collect();
        (passed.into_inner() <= most_arcs).then_some(Self::Returns(returns))
    }

    /// The least and the most of the pairs of a node with so many links: a walk is at one place after each step.
    pub(super) fn range(degree: usize) -> [f64; 2] {
        [FLOOR.ln(), (FLOOR + (LENGTH * degree) as f64).ln()]
    }

    /// Walks from the first end of pairs, where that is not done.
    pub(super) fn start(&self, graph: &Adjacency, walk: &mut RandomWalk, source: u32) {
        if matches!(self, Self::Returns(_)) {
            walk.start(graph, source);
        }
    }

    /// The logarithm of d(x) times the sum of the probabilities of going from x to y in 2, 3, ... steps, which is the same
    /// from y to x. The walk starts from x.
    pub(super) fn of(&self, graph: &Adjacency, walk: &RandomWalk, [x, y]: [u32; 2], linked: bool) -> f64 {
        let returns = match self {
            Self::AllPairs(table) => return table[x as usize * graph.len() + y as usize].into(),
            Self::Returns(returns) => returns,
        };
        let degrees = [x, y].map(|end| graph.degree(end) as f64);
        let there = walk.at(y);
        if linked {
            without_own_link(there, [x, y].map(|end| &returns[end as usize]), degrees)
        } else {
            logarithm(degrees[0] * there[2..].iter().sum::<f64>())
        }
    }
}

/// What the walks from a node of a small network say.
struct FromOne {
    returns: Probabilities,
    /// Of its neighbours.
    links: Vec<Probabilities>,
}

/// The logarithms of all pairs, by rows.
fn all_pairs(graph: &Adjacency) -> Vec<f32> {
    let nodes = graph.len();
    let mut table = vec![0.0; nodes * nodes];
    let start = || (RandomWalks::new(nodes), vec![[0.0; LANES]; nodes]);
    let blocks = by_lanes(nodes, &mut table).map_init(start, |(walks, sums), (sources, rows)| {
        with_simd(
            #[inline(always)]
            || without_links(graph, walks, sums, sources, rows),
        )
    });
    let from: Vec<FromOne> = blocks.collect::<Vec<_>>().into_iter().flatten().collect();
    table.par_chunks_mut(nodes.max(1)).enumerate().for_each(|(x, row)| {
        let (ours, neighbours) = (&from[x], graph.neighbours(x as u32));
        for (&y, there) in neighbours.iter().zip(&ours.links) {
            let degrees = [neighbours.len(), graph.degree(y)].map(|degree| degree as f64);
            let returns = [&ours.returns, &from[y as usize].returns];
            row[y as usize] = without_own_link(there, returns, degrees) as f32;
        }
    });
    table
}

/// Fills in the rows of some nodes as if none of their pairs were a link.
#[expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]
#[inline(always)]
fn without_links(
    graph: &Adjacency,
    walks: &mut RandomWalks<LANES>,
    sums: &mut [[f64; LANES]],
    sources: [u32; LANES],
    rows: &mut [f32],
) -> Vec<FromOne> {
    let sources = &sources;
    let none = |source: &u32| FromOne {
        returns: Probabilities::default(),
        links: vec![Probabilities::default(); graph.degree(*source)],
    };
    let mut from: Vec<FromOne> = sources[..rows.len() / graph.len()].iter().map(none).collect();
    sums.fill([0.0; LANES]);
    walks.start(
        graph,
        *sources,
        LENGTH,
        #[inline(always)]
        |step, at| {
            for (lane, (from, &source)) in from.iter_mut().zip(sources).enumerate() {
                from.returns[step] = at[source as usize][lane];
                for (link, &other) in from.links.iter_mut().zip(graph.neighbours(source)) {
                    link[step] = at[other as usize][lane];
                }
            }
            if step >= 2 {
                for (sum, at) in sums.iter_mut().zip(at) {
                    *sum = std::array::from_fn(|lane| sum[lane] + at[lane]);
                }
            }
        },
    );
    let degrees = sources.map(|source| graph.degree(source) as f64);
    write_lanes(sums, rows, |lane, sum| logarithm(degrees[lane] * sum) as f32);
    from
}

/// What the column holds of a sum.
fn logarithm(sum: f64) -> f64 {
    (sum.max(0.0) + FLOOR).ln()
}

/// The logarithm for two ends of a link, from the walks between them and those of each end back to itself.
fn without_own_link(there: &Probabilities, returns: [&Probabilities; 2], degrees: [f64; 2]) -> f64 {
    let back = degrees[0] / degrees[1];
    let rows = |t: usize| [[returns[0][t], there[t]], [there[t] * back, returns[1][t]]];
    let others = degrees.map(|degree| degree - 1.0);
    logarithm(others[0] * without_link(rows, others))
}

/// Whether the walks from some nodes, spread over the network, pass more than their part of the arcs: large networks are
/// found out at little cost.
fn expensive(graph: &Adjacency, most_arcs: usize) -> bool {
    let nodes = graph.len();
    let every = nodes.div_ceil(SAMPLE).max(1);
    let part = most_arcs / every;
    let mut walk = RandomWalk::new(nodes);
    let mut passed = 0;
    (0..nodes as u32).step_by(every).any(|node| {
        passed += walk.start(graph, node);
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

    /// The table of a small network has what walks from one node after the other say.
    #[test]
    fn all_pairs_are_those_of_single_walks() {
        for nodes in [1, 8, 21] {
            let all = (0..nodes).flat_map(|i| (0..i).map(move |j| (i, j)));
            let links = all.filter(|(i, j)| (i * 5 + j * 3) % 4 == 1 && j + 1 < nodes);
            let links = links.map(|(source, target)| Pair { source, target, link: true });
            let graph = Adjacency::undirected(&Pairs::new(nodes as usize, true, links));
            let [table, single] = [Walks::new(&graph), Walks::within(&graph, MOST_ARCS)].map(Option::unwrap);
            assert!(matches!((&table, &single), (Walks::AllPairs(_), Walks::Returns(_))));
            let mut walk = RandomWalk::new(nodes as usize);
            for x in 0..nodes {
                single.start(&graph, &mut walk, x);
                for y in (0..nodes).filter(|&y| y != x) {
                    let linked = graph.neighbours(x).contains(&y);
                    let [found, wanted] =
                        [&table, &single].map(|walks| walks.of(&graph, &walk, [x, y], linked));
                    assert!((found - wanted).abs() < 1e-6 * wanted.abs(), "{x} {y}: {found} {wanted}");
                }
            }
        }
    }

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
