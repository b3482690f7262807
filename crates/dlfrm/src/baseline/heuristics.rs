//! The heuristics: each scores a pair by the training links around it.

use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::graph::Adjacency;
use crate::graph::distance::{Distance, Steps, TwoSided, limit};
use crate::graph::walks::{AllPaths, RandomWalks, ShortPaths, radius_bound};
use crate::network::{Pair, Pairs};
use crate::random::{Purpose, Stream, stream};
use crate::score::auc;

type Score = fn(&Pairs, &[(u32, u32)]) -> Vec<f64>;

/// A score of pairs that needs no fitting.
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// The name that commands and files use.
    pub name: &'static str,
    score: Score,
}

/// Every heuristic. A new one is its score and a line here.
pub static HEURISTICS: &[Heuristic] = &[
    Heuristic { name: "cn", score: |train, pairs| each_pair(train, pairs, common) },
    Heuristic { name: "jaccard", score: |train, pairs| each_pair(train, pairs, jaccard) },
    Heuristic { name: "aa", score: |train, pairs| each_pair(train, pairs, adamic_adar) },
    Heuristic { name: "ra", score: |train, pairs| each_pair(train, pairs, resource_allocation) },
    Heuristic { name: "pa", score: preferential_attachment },
    Heuristic { name: "katz", score: katz },
    Heuristic { name: "lp", score: local_paths },
    Heuristic { name: "lrw", score: local_walks },
    Heuristic { name: "ppr", score: page_rank },
    Heuristic { name: "spd", score: shortest_path },
];

impl Heuristic {
    /// The heuristic of a name.
    pub fn named(name: &str) -> Option<Self> {
        HEURISTICS.iter().copied().find(|heuristic| heuristic.name == name)
    }

    /// One score for each pair (source, target), from the links in `train`; larger is likelier.
    ///
    /// The scores do not depend on the number of threads, nor on the other pairs.
    pub fn score(self, train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
        let unknown = |&id: &u32| id as usize >= train.nodes();
        if let Some(bad) = pairs.iter().flat_map(|&(i, j)| [i, j]).find(unknown) {
            panic!("a pair names node {bad} of {}", train.nodes());
        }
        (self.score)(train, pairs)
    }
}

impl std::fmt::Display for Heuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name)
    }
}

/// Scores every pair by itself in the graph without directions.
fn each_pair(
    train: &Pairs,
    pairs: &[(u32, u32)],
    score: impl Fn(&Adjacency, u32, u32) -> f64 + Sync,
) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    pairs.par_iter().with_min_len(1024).map(|&(i, j)| score(&graph, i, j)).collect()
}

/// Scores pairs by what is gathered once for each distinct source: `score` gets a source and its targets, and returns their
/// scores in this order.
fn by_source<S>(
    pairs: &[(u32, u32)],
    start: impl Fn() -> S + Sync + Send,
    score: impl Fn(&mut S, u32, &mut dyn Iterator<Item = u32>) -> Vec<f64> + Sync + Send,
) -> Vec<f64> {
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    order.sort_unstable_by_key(|&place| pairs[place as usize].0);
    let groups: Vec<&[u32]> = order.chunk_by(|&a, &b| pairs[a as usize].0 == pairs[b as usize].0).collect();
    let scored: Vec<Vec<f64>> = groups
        .par_iter()
        .map_init(start, |state, group| {
            let source = pairs[group[0] as usize].0;
            score(state, source, &mut group.iter().map(|&place| pairs[place as usize].1))
        })
        .collect();
    let mut scores = vec![0.0; pairs.len()];
    for (group, found) in groups.iter().zip(scored) {
        for (&place, score) in group.iter().zip(found) {
            scores[place as usize] = score;
        }
    }
    scores
}

/// d(i) d(j); for ordered pairs the out-degree of i times the in-degree of j.
fn preferential_attachment(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let (outgoing, incoming) = (Adjacency::outgoing(train), Adjacency::incoming(train));
    pairs.iter().map(|&(i, j)| outgoing.degree(i) as f64 * incoming.degree(j) as f64).collect()
}

/// |N(i) ∩ N(j)|.
fn common(graph: &Adjacency, i: u32, j: u32) -> f64 {
    count(graph, i, j) as f64
}

/// |N(i) ∩ N(j)| / |N(i) ∪ N(j)|, with i and j themselves counted in the union if they are linked, as
/// networkx does.
fn jaccard(graph: &Adjacency, i: u32, j: u32) -> f64 {
    let common = count(graph, i, j);
    let either = graph.degree(i) + graph.degree(j) - common;
    if either == 0 { 0.0 } else { common as f64 / either as f64 }
}

/// Sum of 1 / log d(u) over common neighbours u (Adamic and Adar 2003).
fn adamic_adar(graph: &Adjacency, i: u32, j: u32) -> f64 {
    weighted(graph, i, j, |degree| {
        // Degree 1 happens only if i and j are one node; an infinite score would be of no use.
        if degree > 1 { 1.0 / (degree as f64).ln() } else { 0.0 }
    })
}

/// Sum of 1 / d(u) over common neighbours u (Zhou, Lü and Zhang 2009).
fn resource_allocation(graph: &Adjacency, i: u32, j: u32) -> f64 {
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

/// What a step of a Katz path usually counts.
const BETA: f64 = 0.05;
/// How near to divergence beta may come, as a part of 1 / spectral radius.
const MARGIN: f64 = 0.9;
/// Of nodes times arcs: beyond it only short paths are summed. The worst case (beta at its margin, every
/// node a source) takes some 280 multiplications for each: by estimate half a minute on two cores.
const LARGEST_EXACT: usize = 200_000_000;

/// Katz scores: paths of all lengths from source to target, longer ones counting less.
fn katz(train: &Pairs, test: &[(u32, u32)]) -> Vec<f64> {
    let (outgoing, incoming) = (Adjacency::outgoing(train), Adjacency::incoming(train));
    // Decided by the training pairs alone: other test pairs must not change a pair's score.
    let all_lengths = outgoing.len().saturating_mul(outgoing.arcs()) <= LARGEST_EXACT;
    let beta = chosen_beta(train, &outgoing, all_lengths);
    sum_paths(&outgoing, &incoming, test, beta, all_lengths)
}

/// Sums paths of all lengths, or those of length 3 or less, one walk for each distinct source.
fn sum_paths(
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
    let walk = |paths: &mut ShortPaths, source| {
        paths.two_steps(outgoing, source, beta, |_| beta * beta, [1.0; 2]);
    };
    by_short_paths(nodes, test, walk, |paths, _, target| {
        paths.sum(target) + beta * paths.third(incoming, target, |_| 1.0)
    })
}

/// Scores pairs by paths of up to three steps: `walk` takes the first two from each source.
fn by_short_paths(
    nodes: usize,
    pairs: &[(u32, u32)],
    walk: impl Fn(&mut ShortPaths, u32) + Sync + Send,
    score: impl Fn(&ShortPaths, u32, u32) -> f64 + Sync + Send,
) -> Vec<f64> {
    by_source(
        pairs,
        || ShortPaths::new(nodes),
        |paths, source, targets| {
            walk(paths, source);
            let scores = targets.map(|target| score(paths, source, target)).collect();
            paths.clear();
            scores
        },
    )
}

/// The weight of a step, unless one is chosen, given a bound on the spectral radius.
fn usual_beta(bound: f64) -> f64 {
    // All paths are short: any beta converges.
    if bound == 0.0 { BETA } else { BETA.min(MARGIN / bound) }
}

/// Fewer training links than this leave too few to choose by.
const LEAST_LINKS: usize = 200;
/// The part of the training links that is held out, and the most of them: more would not choose better.
const DEVELOPMENT: f64 = 0.1;
const MOST: usize = 10_000;
/// What is tried beside the usual weight, as parts of the largest one that is sure to converge.
const SHARES: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];

/// The weight of a step. A tenth of the training links (at most 10,000) is held out with as many training non-links (pairs without a
/// training link, if there are none), and the weight that separates them best by AUC is taken, relative to where the
/// series diverges. It depends on the training pairs alone: neither on what is tested nor on a seed.
fn chosen_beta(train: &Pairs, graph: &Adjacency, all_lengths: bool) -> f64 {
    let bound = radius_bound(graph);
    if train.links() < LEAST_LINKS || bound == 0.0 {
        return usual_beta(bound);
    }
    let mut rng = stream(0, 0, 0, Purpose::Development, 0);
    let (rest, development) = develop(train, &mut rng);
    let (outgoing, incoming) = (Adjacency::outgoing(&rest), Adjacency::incoming(&rest));
    let rest_bound = radius_bound(&outgoing);
    let pairs: Vec<(u32, u32)> = development.iter().map(|pair| (pair.source, pair.target)).collect();
    let labels: Vec<bool> = development.iter().map(|pair| pair.link).collect();
    let score = |beta: f64| auc(&sum_paths(&outgoing, &incoming, &pairs, beta, all_lengths), &labels);
    let mut best = (score(usual_beta(rest_bound)), usual_beta(bound));
    if rest_bound > 0.0 {
        for share in SHARES.map(|share| share * MARGIN) {
            let here = score(share / rest_bound);
            // A tie leaves what is usual.
            if here > best.0 {
                best = (here, share / bound);
            }
        }
    }
    best.1
}

fn develop(train: &Pairs, rng: &mut Stream) -> (Pairs, Vec<Pair>) {
    let (mut links, mut non_links): (Vec<Pair>, Vec<Pair>) = train.iter().partition(|pair| pair.link);
    let count = MOST.min((DEVELOPMENT * links.len() as f64) as usize);
    links.shuffle(rng);
    let mut development = links.split_off(links.len() - count);
    if non_links.is_empty() {
        development.extend(strangers(train, count, rng));
    } else {
        let (drawn, _) = non_links.partial_shuffle(rng, count);
        development.extend_from_slice(drawn);
    }
    (Pairs::new(train.nodes(), train.symmetric(), links).with_modes(train.modes()), development)
}

/// Pairs at random that are no training links.
fn strangers(train: &Pairs, count: usize, rng: &mut Stream) -> Vec<Pair> {
    let graph = Adjacency::outgoing(train);
    let nodes = train.nodes() as u32;
    // A network that has next to no such pairs has none to choose by, either.
    let draws = (0..100 * count).map(|_| (rng.random_range(0..nodes), rng.random_range(0..nodes)));
    draws
        .filter(|&(i, j)| i != j && graph.neighbours(i).binary_search(&j).is_err())
        .map(|(source, target)| Pair { source, target, link: false })
        .take(count)
        .collect()
}

/// What a walk of length 3 counts among local paths.
const LONGER: f64 = 0.01;

/// Local paths: walks of length 2, and those of length 3 that count less (Zhou, Lü and Zhang 2009).
fn local_paths(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    let walk = |paths: &mut ShortPaths, source| paths.two_steps(&graph, source, 1.0, |_| 1.0, [0.0, 1.0]);
    by_short_paths(graph.len(), pairs, walk, |paths, _, target| {
        paths.sum(target) + LONGER * paths.third(&graph, target, |_| 1.0)
    })
}

/// How many steps local walks have.
const WALK_LENGTH: usize = 10;
/// The probability that PageRank goes on, and how many of its steps are summed: what is left is below 1e-10.
const DAMPING: f64 = 0.85;
const LONGEST: i32 = 142;

/// The sum over t from 1 to 10 of q_i p_ij(t) + q_j p_ji(t), q_i being d(i) / (2 links) (Liu and Lü 2010).
fn local_walks(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let mut weights = [1.0; WALK_LENGTH + 1];
    weights[0] = 0.0;
    let links = |graph: &Adjacency| (graph.arcs() / 2).max(1) as f64;
    walk_scores(train, pairs, &weights, |graph, i, _| graph.degree(i) as f64 / links(graph))
}

/// r_ij + r_ji, r_i being the personalised PageRank of a walk that returns to i with probability 0.15.
fn page_rank(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let weights: Vec<f64> = (0..=LONGEST).map(|t| (1.0 - DAMPING) * DAMPING.powi(t)).collect();
    walk_scores(train, pairs, &weights, |graph, i, j| {
        1.0 + graph.degree(i) as f64 / (graph.degree(j) as f64).max(1.0)
    })
}

/// The weighted sums over lengths of p_ij(t), times a factor; in large networks over the first three lengths. With p_ij(t) the
/// probability that a random walk from i is at j after t steps, d(i) p_ij(t) = d(j) p_ji(t): one direction gives the other.
fn walk_scores(
    train: &Pairs,
    pairs: &[(u32, u32)],
    weights: &[f64],
    factor: impl Fn(&Adjacency, u32, u32) -> f64 + Sync + Send,
) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    // Decided by the training pairs alone, as for Katz.
    let all_lengths = graph.len().saturating_mul(graph.arcs()) <= LARGEST_EXACT;
    sum_walks(&graph, pairs, weights, all_lengths, factor)
}

/// The same with all lengths or with three.
fn sum_walks(
    graph: &Adjacency,
    pairs: &[(u32, u32)],
    weights: &[f64],
    all_lengths: bool,
    factor: impl Fn(&Adjacency, u32, u32) -> f64 + Sync + Send,
) -> Vec<f64> {
    let nodes = graph.len();
    if all_lengths {
        let start = || (RandomWalks::<1>::new(nodes), vec![0.0; nodes]);
        return by_source(pairs, start, |(walks, sums), source, targets| {
            sums.fill(0.0);
            walks.start(graph, [source], weights.len() - 1, |step, at| {
                for (sum, [at]) in sums.iter_mut().zip(at) {
                    *sum += weights[step] * at;
                }
            });
            targets.map(|target| sums[target as usize] * factor(graph, source, target)).collect()
        });
    }
    let degree = |node: u32| graph.degree(node) as f64;
    let walk = |paths: &mut ShortPaths, source| {
        let first = 1.0 / degree(source);
        paths.two_steps(graph, source, first, |middle| first / degree(middle), [weights[1], weights[2]]);
    };
    by_short_paths(nodes, pairs, walk, |paths, source, target| {
        let factor = factor(graph, source, target);
        paths.sum(target) * factor + weights[3] * paths.third(graph, target, degree) * factor
    })
}

/// 1 / the number of steps of the shortest path without the own link, 0 if there is no path.
fn shortest_path(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
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

#[cfg(test)]
mod tests;
