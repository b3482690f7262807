//! Walks and paths of many lengths between the ends of a pair, as if the pair had no link; of small networks for all pairs at
//! once, several rows of their table side by side, one in each lane.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::simd::{LANES, with_simd};

use super::Adjacency;
use super::walks::{AllPaths, LENGTH, Probabilities, RandomWalk, RandomWalks, radius_bound};

/// Nodes, and nodes times arcs: larger networks go without.
const MOST_NODES: usize = 3_000;
const MOST_WORK: usize = 100_000_000;

/// Whether a network is small enough for something to be kept of all its pairs.
fn is_small(graph: &Adjacency) -> bool {
    let nodes = graph.len();
    nodes <= MOST_NODES && nodes.saturating_mul(graph.arcs()) <= MOST_WORK
}

/// The rows of a table by blocks, each with the nodes whose rows they are. The last block may have fewer rows than lanes:
/// the other lanes repeat its last node.
fn by_lanes<T: Send>(
    nodes: usize,
    table: &mut [T],
) -> impl IndexedParallelIterator<Item = ([u32; LANES], &mut [T])> {
    let last = nodes.saturating_sub(1);
    let sources = move |block: usize| std::array::from_fn(|lane| (block * LANES + lane).min(last) as u32);
    let rows = table.par_chunks_mut(LANES * nodes.max(1));
    rows.enumerate().map(move |(block, rows)| (sources(block), rows))
}

/// Writes something of what each lane holds of all nodes to the row of the lane, whose number it gets, too.
#[expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]
#[inline(always)]
fn write_lanes<T>(lanes: &[[f64; LANES]], rows: &mut [T], of: impl Fn(usize, f64) -> T) {
    for (lane, row) in rows.chunks_exact_mut(lanes.len()).enumerate() {
        for (to, from) in row.iter_mut().zip(lanes) {
            *to = of(lane, from[lane]);
        }
    }
}

/// The arcs that the walks from all nodes pass together: networks with more go without.
const MOST_ARCS: usize = 1_000_000_000;
/// So many nodes are tried first.
const SAMPLE: usize = 64;
/// Is added to the sum of a pair, so that pairs that no walk connects have a logarithm.
const FLOOR: f64 = 1e-4;

/// Random walks between the ends of pairs.
///
/// P is the matrix of a random walk: P_ij = 1 / d(i) if i and j are linked. Without the link of x and y only the rows x and y
/// of P differ, so that the walks P' without it follow from those with it among the two ends alone:
/// P'^t = P^t + sum over s < t of P'^s (P' - P) P^(t - 1 - s), where row x of (P' - P) P^r is
/// (row x of P^(r + 1) - row y of P^r) / (d(x) - 1), or -(row y of P^r) if x has no other link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PairWalks {
    /// The logarithms of all pairs of a small network, by rows.
    AllPairs(Vec<f32>),
    /// How walks from each node return to it.
    Returns(Vec<Probabilities>),
}

impl PairWalks {
    pub(crate) fn new(graph: &Adjacency) -> Option<Self> {
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
    pub(crate) fn range(degree: usize) -> [f64; 2] {
        [FLOOR.ln(), (FLOOR + (LENGTH * degree) as f64).ln()]
    }

    /// PairWalks from the first end of pairs, where that is not done.
    pub(crate) fn start(&self, graph: &Adjacency, walk: &mut RandomWalk, source: u32) {
        if matches!(self, Self::Returns(_)) {
            walk.start(graph, source);
        }
    }

    /// The logarithm of d(x) times the sum of the probabilities of going from x to y in 2, 3, ... steps, which is the same
    /// from y to x. The walk starts from x.
    pub(crate) fn of(&self, graph: &Adjacency, walk: &RandomWalk, [x, y]: [u32; 2], linked: bool) -> f64 {
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

struct FromOne {
    returns: Probabilities,
    links: Vec<Probabilities>,
}

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

/// How near to divergence beta comes, as a part of 1 / spectral radius.
const NEARNESS: f64 = 0.5;

/// Paths of all lengths between the ends of the pairs of a small network.
///
/// K = (I - beta A)^-1 sums beta^length over all paths. Taking one link away changes A by one or two entries, and the entry of
/// the pair itself follows from the entries among its two ends alone (Sherman and Morrison): with G the two rows and
/// columns of the ends of an undirected link, G' = (G^-1 + B)^-1, where B has beta off its diagonal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PairPaths {
    nodes: usize,
    directed: bool,
    beta: f64,
    /// K by rows.
    sums: Vec<f64>,
}

impl PairPaths {
    pub(crate) fn new(outgoing: &Adjacency, incoming: &Adjacency, directed: bool) -> Option<Self> {
        if !is_small(outgoing) {
            return None;
        }
        let nodes = outgoing.len();
        let bound = radius_bound(outgoing);
        let beta = if bound == 0.0 { NEARNESS } else { NEARNESS / bound };
        let mut sums = vec![0.0; nodes * nodes];
        by_lanes(nodes, &mut sums).for_each_init(
            || AllPaths::<LANES>::new(nodes),
            |paths, (sources, rows)| {
                with_simd(
                    #[inline(always)]
                    || write_lanes(paths.count(incoming, beta, sources), rows, |_, sum| sum),
                );
            },
        );
        sums.iter_mut().step_by(nodes + 1).for_each(|sum| *sum += 1.0);
        Some(Self { nodes, directed, beta, sums })
    }

    /// The logarithm of the sum for a pair as if it had no link, held above what a single path of some length has.
    pub(crate) fn of(&self, source: u32, target: u32, linked: bool) -> f64 {
        let at = |i: u32, j: u32| self.sums[i as usize * self.nodes + j as usize];
        let (here, there) = (at(source, target), at(source, source) * at(target, target));
        let beta = self.beta;
        let sum = match (linked, self.directed) {
            (false, _) => here,
            (true, true) => here - beta * there / (1.0 + beta * at(target, source)),
            (true, false) => {
                // The off-diagonal entry of the inverse of G^-1 + B.
                let determinant = there - here * here;
                let off = beta - here / determinant;
                -off / (there / (determinant * determinant) - off * off)
            }
        };
        (sum.max(0.0) + beta.powi(6)).ln()
    }

    /// The least and the most of the logarithms for pairs from a node, as if they had no link.
    pub(crate) fn range_from(&self, source: usize) -> [f64; 2] {
        let row = &self.sums[source * self.nodes..][..self.nodes];
        let others = row.iter().enumerate().filter(|&(target, _)| target != source).map(|(_, &sum)| sum);
        let range =
            others.fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], sum| [low.min(sum), high.max(sum)]);
        range.map(|sum| (sum.clamp(0.0, range[1]) + self.beta.powi(6)).ln())
    }
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
            let [table, single] =
                [PairWalks::new(&graph), PairWalks::within(&graph, MOST_ARCS)].map(Option::unwrap);
            assert!(matches!((&table, &single), (PairWalks::AllPairs(_), PairWalks::Returns(_))));
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
        assert!(PairWalks::within(&graph, arcs).is_some());
        assert!(PairWalks::within(&graph, arcs - 1).is_none());
    }

    /// The links of a small network but one.
    fn links(directed: bool, without: Option<(u32, u32)>) -> Pairs {
        let all = (0..9_u32).flat_map(|i| (0..9).map(move |j| (i, j)));
        let list = all.filter(|&(i, j)| i != j && (directed || i < j) && (i * 5 + j * 3) % 4 == 1);
        let list = list.filter(|&link| Some(link) != without);
        Pairs::new(9, !directed, list.map(|(source, target)| Pair { source, target, link: true }))
    }

    #[test]
    fn a_link_does_not_see_itself() {
        for directed in [false, true] {
            let whole = links(directed, None);
            let (outgoing, incoming) = (Adjacency::outgoing(&whole), Adjacency::incoming(&whole));
            let paths = PairPaths::new(&outgoing, &incoming, directed).unwrap();
            for Pair { source, target, .. } in whole.iter() {
                let incoming = Adjacency::incoming(&links(directed, Some((source, target))));
                // At the same beta, which depends on the links a little.
                let mut walk = AllPaths::new(9);
                let sums = walk.count(&incoming, paths.beta, [source]);
                let without = (sums[target as usize][0] + paths.beta.powi(6)).ln();
                let seen = paths.of(source, target, true);
                assert!((seen - without).abs() < 1e-9, "{directed} {source} {target}: {seen} {without}");
            }
        }
    }
}
