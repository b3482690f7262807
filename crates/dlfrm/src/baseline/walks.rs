//! Scores from random walks without directions: superposed local random walks and personalised PageRank.
//!
//! A walk goes to a neighbour chosen at random in each step. With p_ij(t) the probability that a walk from i is at j after t
//! steps, d(i) p_ij(t) = d(j) p_ji(t), so that one direction gives the other.

use super::by_source;
use super::katz::LARGEST_EXACT;
use crate::graph::Adjacency;
use crate::network::Pairs;

/// How many steps local walks have.
const LENGTH: usize = 10;
/// The probability that PageRank goes on, and how many of its steps are summed: what is left is below 1e-10.
const DAMPING: f64 = 0.85;
const LONGEST: i32 = 142;

/// The sum over t from 1 to 10 of q_i p_ij(t) + q_j p_ji(t), q_i being d(i) / (2 links) (Liu and Lü 2010).
pub(super) fn local(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let mut weights = [1.0; LENGTH + 1];
    weights[0] = 0.0;
    let links = |graph: &Adjacency| (graph.arcs() / 2).max(1) as f64;
    scores(train, pairs, &weights, |graph, i, _| graph.degree(i) as f64 / links(graph))
}

/// r_ij + r_ji, r_i being the personalised PageRank of a walk that returns to i with probability 0.15.
pub(super) fn page_rank(train: &Pairs, pairs: &[(u32, u32)]) -> Vec<f64> {
    let weights: Vec<f64> = (0..=LONGEST).map(|t| (1.0 - DAMPING) * DAMPING.powi(t)).collect();
    scores(train, pairs, &weights, |graph, i, j| {
        1.0 + graph.degree(i) as f64 / (graph.degree(j) as f64).max(1.0)
    })
}

/// The weighted sums over lengths of p_ij(t), times a factor; in large networks over the first three lengths.
fn scores(
    train: &Pairs,
    pairs: &[(u32, u32)],
    weights: &[f64],
    factor: impl Fn(&Adjacency, u32, u32) -> f64 + Sync + Send,
) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    // Decided by the training pairs alone, as for Katz.
    let all_lengths = graph.len().saturating_mul(graph.arcs()) <= LARGEST_EXACT;
    sums(&graph, pairs, weights, all_lengths, factor)
}

/// The same with all lengths or with three.
pub(super) fn sums(
    graph: &Adjacency,
    pairs: &[(u32, u32)],
    weights: &[f64],
    all_lengths: bool,
    factor: impl Fn(&Adjacency, u32, u32) -> f64 + Sync + Send,
) -> Vec<f64> {
    let start = || Walk::new(graph.len());
    by_source(pairs, start, |walk, source, targets| {
        let sum = |walk: &Walk, target: u32| walk.sum[target as usize] * factor(graph, source, target);
        if all_lengths {
            walk.all_steps(graph, weights, source);
            targets.map(|target| sum(walk, target)).collect()
        } else {
            walk.two_steps(graph, weights, source);
            let third = |target: u32| {
                let last = graph.neighbours(target).iter();
                let last: f64 = last.map(|&v| walk.last[v as usize] / graph.degree(v) as f64).sum();
                sum(walk, target) + weights[3] * last * factor(graph, source, target)
            };
            let scores = targets.map(third).collect();
            walk.clear();
            scores
        }
    })
}

/// The walk from one source: its probabilities after the last step, and their weighted sums so far.
struct Walk {
    last: Vec<f64>,
    next: Vec<f64>,
    sum: Vec<f64>,
    touched: Vec<u32>,
}

impl Walk {
    fn new(nodes: usize) -> Self {
        let zeros = || vec![0.0; nodes];
        Self { last: zeros(), next: zeros(), sum: zeros(), touched: vec![] }
    }

    /// As many steps as there are weights.
    fn all_steps(&mut self, graph: &Adjacency, weights: &[f64], source: u32) {
        self.last.fill(0.0);
        self.sum.fill(0.0);
        self.last[source as usize] = 1.0;
        self.sum[source as usize] = weights[0];
        for weight in &weights[1..] {
            for (i, last) in self.last.iter_mut().enumerate() {
                *last /= (graph.degree(i as u32) as f64).max(1.0);
            }
            for (j, next) in self.next.iter_mut().enumerate() {
                *next = graph.neighbours(j as u32).iter().map(|&i| self.last[i as usize]).sum();
                self.sum[j] += weight * *next;
            }
            std::mem::swap(&mut self.last, &mut self.next);
        }
    }

    /// Leaves in `last` the probabilities after two steps, in `sum` the sums over one and two, at the cost of what is touched.
    fn two_steps(&mut self, graph: &Adjacency, weights: &[f64], source: u32) {
        let neighbours = graph.neighbours(source);
        for &middle in neighbours {
            let first = 1.0 / neighbours.len() as f64;
            self.sum[middle as usize] += weights[1] * first;
            self.touched.push(middle);
            let ends = graph.neighbours(middle);
            let second = first / ends.len() as f64;
            for &end in ends {
                self.last[end as usize] += second;
                self.sum[end as usize] += weights[2] * second;
                self.touched.push(end);
            }
        }
    }

    fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.last[node as usize] = 0.0;
            self.sum[node as usize] = 0.0;
        }
    }
}
