//! Pairs in the order of their scores: the best so far, and how they are scored, exactly but for rounding.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::chain::Draw;
use crate::covariates::{Covariates, Distance, Matrix, Walker};
use crate::posterior::pool::score;
use crate::posterior::{Posterior, Prediction};

/// Which of the best pairs to list.
#[derive(Clone, Copy)]
pub struct TopPairs<'a> {
    /// At most so many.
    pub count: usize,
    /// Only pairs of this node: in a directed network those from it and to it.
    pub node: Option<u32>,
    /// Says which pairs to leave out: those that are known to be linked, say.
    pub exclude: &'a (dyn Fn(u32, u32) -> bool + Sync),
}

/// A pair with its score. The worst of several is the greatest, so that a heap gives it up first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) score: f64,
    pub(super) source: u32,
    pub(super) target: u32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ids break ties: the answer must not depend on which thread came first.
        (other.score.total_cmp(&self.score))
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
pub(super) struct Best {
    count: usize,
    heap: BinaryHeap<Candidate>,
}

impl Best {
    pub(super) fn new(count: usize) -> Self {
        Self { count, heap: BinaryHeap::new() }
    }

    /// The worst of them, once there are `count`.
    pub(super) fn worst(&self) -> Option<&Candidate> {
        self.heap.peek().filter(|_| self.heap.len() == self.count)
    }

    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self.heap.len() < self.count {
            self.heap.push(candidate);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }
}

/// Scores pairs whose covariates are computed in any order.
#[derive(Debug, Clone)]
pub(super) struct Scorer<'a> {
    /// Those of the features first.
    draws: Vec<&'a Draw>,
    parts: [(usize, f64); 2],
    pub(super) covariates: Option<&'a Covariates>,
    /// How far rounding may move a logit. Covariates are kept with 24 bits.
    pub(super) slack: f64,
    /// How far rounding may move a score: log-odds of a mean move as much as the logits at most. Twice
    /// that, as [`Posterior::predict`] rounds, too.
    pub(super) margin: f64,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(posterior: &'a Posterior) -> Self {
        let draws: Vec<&Draw> = posterior.mixture().into_iter().map(|(draw, _)| draw).collect();
        let covariates = posterior.covariates();
        let noise = (4 * draws.len() + 4_096) as f64 * f64::EPSILON;
        let slack = rounding(&draws, covariates);
        // The scores of a search lack what is taken from all pairs alike.
        let parts = posterior.part_counts().map(|(count, _)| (count, 0.0));
        Self { draws, parts, covariates, slack, margin: 2.0 * slack + noise }
    }

    /// Pairs with their scores.
    pub(super) fn candidates(&self, pairs: &[(u32, u32)]) -> Vec<Candidate> {
        let lines = self.covariates.map_or_else(|| Matrix::new(0, pairs.len()), |known| known.rows(pairs));
        let candidate = |(number, &(source, target)): (usize, &(u32, u32))| Candidate {
            score: self.score(source, target, lines.row(number)),
            source,
            target,
        };
        pairs.par_iter().enumerate().map(candidate).collect()
    }

    /// How many draws there are.
    pub(super) fn draws(&self) -> usize {
        self.draws.len()
    }

    /// The covariates of pairs from the node that was walked from to others, or if `back` from others to it.
    pub(super) fn rows_of(&self, walker: Option<&Walker>, node: u32, others: &[u32], back: bool) -> Matrix {
        let none = || Matrix::new(0, others.len());
        self.covariates.map_or_else(none, |covariates| covariates.rows_of(walker, node, others, back))
    }

    /// The score of a pair with these covariates.
    pub(super) fn score(&self, source: u32, target: u32, line: &[f32]) -> f64 {
        let logit = |draw: &&Draw| draw.logit(source as usize, target as usize, line);
        score(self.draws.iter().map(logit), self.parts)
    }
}

fn rounding(draws: &[&Draw], covariates: Option<&Covariates>) -> f64 {
    let largest = |of: &dyn Fn(&Draw) -> f64| draws.iter().map(|draw| of(draw)).fold(0.0, f64::max);
    let absolute = |numbers: &[f64]| numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut columns = 0.0;
    if let Some(covariates) = covariates {
        let ranges = [Distance::Far, Distance::Near].map(|distance| covariates.ranges(distance));
        for (column, scale) in covariates.scales().iter().enumerate() {
            let ends = ranges.iter().flat_map(|ranges| ranges[column]);
            let extent = ends.fold(0.0, |most: f64, end| most.max(end.abs()));
            let shift = if scale.deviation == 0.0 { 0.0 } else { scale.mean.abs() / scale.deviation };
            let coefficient =
                |draw: &Draw| draw.linear.coefficients.get(column).map_or(0.0, |beta| beta.abs());
            columns += largest(&coefficient) * (extent + shift);
        }
    }
    let intercept = largest(&|draw| draw.intercept.abs());
    let effects = largest(&|draw| absolute(&draw.linear.effects[0]) + absolute(&draw.linear.effects[1]));
    let weights = largest(&|draw| draw.weights.iter().map(|weight| weight.abs()).sum());
    columns * 0.5_f64.powi(21) + (1.0 + intercept + 2.0 * effects + weights) * 1e-11
}

/// Every pair so far that may be one of the best `count`, with scores that may be off in their last bits.
#[derive(Debug)]
pub(super) struct Finalists<'a> {
    posterior: &'a Posterior,
    count: usize,
    scorer: &'a Scorer<'a>,
    /// More pairs than this are not kept, unless more are asked for.
    most: usize,
    list: Vec<Candidate>,
}

impl<'a> Finalists<'a> {
    pub(super) fn new(posterior: &'a Posterior, count: usize, scorer: &'a Scorer<'a>, most: usize) -> Self {
        Self { posterior, count, scorer, most, list: vec![] }
    }

    /// The score that the last of the best `count` pairs has at least.
    pub(super) fn least(&mut self) -> f64 {
        if self.list.len() < self.count {
            return f64::NEG_INFINITY;
        }
        let (_, last, _) = self.list.select_nth_unstable(self.count - 1);
        last.score - self.scorer.margin
    }

    /// Adds pairs, and drops those that can no longer be among the best.
    pub(super) fn add(&mut self, found: Vec<Candidate>) {
        self.list.extend(found);
        let least = self.least();
        self.list.retain(|candidate| candidate.score + self.scorer.margin >= least);
        if self.list.len() > self.most.max(self.count.saturating_mul(2)) {
            settle(self.posterior, self.count, &mut self.list);
        }
    }

    /// The best pairs with their predictions, in order.
    pub(super) fn finish(self) -> Vec<(u32, u32, Prediction)> {
        let pairs: Vec<(u32, u32)> = self.list.iter().map(|c| (c.source, c.target)).collect();
        let predictions = self.posterior.predict(&pairs);
        let mut ranked: Vec<_> = pairs.into_iter().zip(predictions).map(|((i, j), p)| (i, j, p)).collect();
        ranked.sort_unstable_by(|a, b| {
            b.2.score.total_cmp(&a.2.score).then_with(|| (a.0, a.1).cmp(&(b.0, b.1)))
        });
        ranked.truncate(self.count);
        ranked
    }
}

/// Keeps the best of some pairs by their exact scores.
pub(super) fn settle(posterior: &Posterior, count: usize, list: &mut Vec<Candidate>) {
    let pairs: Vec<(u32, u32)> = list.iter().map(|c| (c.source, c.target)).collect();
    let exact = posterior.score(&pairs);
    let mut ranked: Vec<(Candidate, Candidate)> = list
        .iter()
        .zip(exact)
        .map(|(&candidate, score)| (Candidate { score, ..candidate }, candidate))
        .collect();
    ranked.sort_unstable_by_key(|&(exact, _)| exact);
    ranked.truncate(count);
    list.clear();
    list.extend(ranked.into_iter().map(|(_, candidate)| candidate));
}
