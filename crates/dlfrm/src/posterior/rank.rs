//! The most probable links among the pairs that are not known to be linked.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::model::{Shape, sigmoid};

use super::{Draw, Posterior, Prediction};

/// A pair with its mean probability. The worst of several is the greatest, so that a heap gives it up first.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    mean: f64,
    source: u32,
    target: u32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ids break ties: the answer must not depend on which thread came first.
        (other.mean.total_cmp(&self.mean))
            .then_with(|| (self.source, self.target).cmp(&(other.source, other.target)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// The best candidates so far, and no more than `count` of them.
#[derive(Debug)]
struct Best {
    count: usize,
    heap: BinaryHeap<Candidate>,
}

impl Best {
    fn new(count: usize) -> Self {
        Self { count, heap: BinaryHeap::new() }
    }

    fn offer(&mut self, candidate: Candidate) {
        if self.heap.len() < self.count {
            self.heap.push(candidate);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }

    fn merge(mut self, other: Self) -> Self {
        other.heap.into_iter().for_each(|candidate| self.offer(candidate));
        self
    }
}

/// Which of the most probable pairs to list.
#[derive(Clone, Copy)]
pub struct TopPairs<'a> {
    /// At most so many.
    pub count: usize,
    /// Only pairs of this entity: in a directed network those from it and to it.
    pub node: Option<u32>,
    /// Says which pairs to leave out: those that are known to be linked, say.
    pub exclude: &'a (dyn Fn(u32, u32) -> bool + Sync),
}

impl Posterior {
    /// The most probable pairs, the most probable first, ties in the order of ids.
    ///
    /// In a symmetric network a pair is scored and listed once, the smaller id first. Every pair is scored: the time
    /// grows with the square of the number of entities, the memory with the number itself. The result does not depend on
    /// the number of threads; it is empty if there is no draw.
    ///
    /// # Panics
    /// If `node` is not an entity of the network.
    pub fn top_pairs(
        &self,
        &TopPairs { count, node, exclude: known }: &TopPairs<'_>,
    ) -> Vec<(u32, u32, Prediction)> {
        if count == 0 || self.draws().is_empty() {
            return Vec::new();
        }
        let best = match node {
            Some(node) => self.best_of_node(known, count, node),
            None => self.best_of_all(known, count),
        };
        let pairs: Vec<(u32, u32)> = best.heap.into_iter().map(|c| (c.source, c.target)).collect();
        let mut ranked: Vec<_> =
            pairs.iter().zip(self.predict(&pairs)).map(|(&(i, j), prediction)| (i, j, prediction)).collect();
        // By the numbers that are returned, which differ from those of the search by rounding.
        ranked
            .sort_unstable_by(|a, b| b.2.mean.total_cmp(&a.2.mean).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        ranked
    }

    fn best_of_node(&self, known: impl Fn(u32, u32) -> bool, count: usize, node: u32) -> Best {
        let entities = self.entities() as u32;
        assert!(node < entities, "entity {node} of {entities}");
        let others = (0..entities).filter(|&other| other != node);
        let pairs: Vec<(u32, u32)> = if self.symmetric() {
            others.map(|other| (node.min(other), node.max(other))).collect()
        } else {
            others.flat_map(|other| [(node, other), (other, node)]).collect()
        };
        let pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|&(i, j)| !known(i, j)).collect();
        let mut best = Best::new(count);
        for (&(source, target), mean) in pairs.iter().zip(self.predict_mean(&pairs)) {
            best.offer(Candidate { mean, source, target });
        }
        best
    }

    fn best_of_all(&self, known: impl Fn(u32, u32) -> bool + Sync, count: usize) -> Best {
        let entities = self.entities();
        let start = || (Best::new(count), vec![0.0; entities], Vec::new());
        let search = |(mut best, mut means, mut row): (Best, Vec<f64>, Vec<f64>), source: usize| {
            let first = if self.symmetric() { source + 1 } else { 0 };
            self.means_from(source, first, &mut means, &mut row);
            for target in (first..entities).filter(|&target| target != source) {
                let candidate =
                    Candidate { mean: means[target], source: source as u32, target: target as u32 };
                // The look-up of a known link costs more than the comparison with the worst so far.
                let enters = best.heap.len() < count || best.heap.peek().is_some_and(|w| candidate < *w);
                if enters && !known(candidate.source, candidate.target) {
                    best.offer(candidate);
                }
            }
            (best, means, row)
        };
        (0..entities)
            .into_par_iter()
            .fold(start, search)
            .map(|(best, ..)| best)
            .reduce(|| Best::new(count), Best::merge)
    }

    /// The mean probabilities of links from `source` to the entities from `first` on. The weights of the
    /// source's features are summed once a draw, so that a target costs as much as it has features.
    fn means_from(&self, source: usize, first: usize, means: &mut [f64], row: &mut Vec<f64>) {
        let raised = self.raised_log_odds();
        means.fill(0.0);
        let targets = first as u32..means.len() as u32;
        let pairs: Vec<(u32, u32)> = match self.covariates {
            Some(_) => targets.map(|target| (source as u32, target)).collect(),
            None => vec![],
        };
        let covariates = self.covariates_of(&pairs);
        for draw in self.draws() {
            sum_rows(draw, source, row);
            let (base, plain) = (draw.intercept - raised, draw.linear.is_empty());
            // In large networks most targets share no weight with the source: one sigmoid for all of them.
            let without = sigmoid(base);
            for (target, mean) in means.iter_mut().enumerate().skip(first) {
                let logit: f64 = draw.row(target).iter().map(|&l| row[l as usize]).sum();
                *mean += if !plain {
                    sigmoid(base + logit + draw.linear.of(source, target, covariates.row(target - first)))
                } else if logit == 0.0 {
                    without
                } else {
                    sigmoid(base + logit)
                };
            }
        }
        for mean in means {
            *mean /= self.draws().len() as f64;
        }
    }
}

/// z_i U: for every feature the weight that it would add to a logit as the target's.
fn sum_rows(draw: &Draw, source: usize, row: &mut Vec<f64>) {
    row.clear();
    row.resize(draw.features(), 0.0);
    for &k in draw.row(source) {
        if draw.shape == Shape::Diagonal {
            row[k as usize] = draw.feature_scale * draw.weight(k as usize, k as usize);
        } else {
            row.iter_mut()
                .enumerate()
                .for_each(|(l, sum)| *sum += draw.feature_scale * draw.weight(k as usize, l));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::posterior::tests::small_posterior;

    use super::*;

    /// All pairs sorted by brute force.
    fn by_hand(posterior: &Posterior, known: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32, Prediction)> {
        let n = posterior.entities() as u32;
        let ordered = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let wanted = |&(i, j): &(u32, u32)| i != j && !(posterior.symmetric() && i > j) && !known(i, j);
        let pairs: Vec<_> = ordered.filter(wanted).collect();
        let mut all: Vec<_> =
            pairs.iter().zip(posterior.predict(&pairs)).map(|(&(i, j), p)| (i, j, p)).collect();
        all.sort_by(|a, b| b.2.mean.total_cmp(&a.2.mean).then((a.0, a.1).cmp(&(b.0, b.1))));
        all
    }

    #[test]
    fn agrees_with_brute_force() {
        for model in ["dlfrm-l", "diag-dlfrm-h"] {
            for directed in [false, true] {
                let posterior = small_posterior(model, directed, 12);
                let known = |i: u32, j: u32| (i + j).is_multiple_of(4);
                let top = |posterior: &Posterior, count, node| {
                    posterior.top_pairs(&TopPairs { count, node, exclude: &known })
                };
                let all = by_hand(&posterior, known);
                assert_eq!(top(&posterior, usize::MAX, None), all);
                assert_eq!(top(&posterior, 5, None), all[..5]);
                let of_two: Vec<_> = all.iter().copied().filter(|&(i, j, _)| i == 2 || j == 2).collect();
                assert_eq!(top(&posterior, usize::MAX, Some(2)), of_two);
                assert_eq!(top(&posterior, 3, Some(2)), of_two[..3]);
            }
        }
    }

    #[test]
    fn does_not_depend_on_threads() {
        let posterior = small_posterior("dlfrm-l", true, 25);
        let top = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| posterior.top_pairs(&TopPairs { count: 40, node: None, exclude: &|_, _| false }))
        };
        assert_eq!(top(1), top(4));
    }

    #[test]
    fn nothing_to_list() {
        let posterior = small_posterior("dlfrm-l", false, 6);
        let top =
            |count, excluded| posterior.top_pairs(&TopPairs { count, node: None, exclude: &|_, _| excluded });
        assert!(top(5, true).is_empty() && top(0, false).is_empty());
    }
}
