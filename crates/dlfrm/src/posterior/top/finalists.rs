//! The pairs that may be among the most probable ones, with probabilities that may still be off in their last bits.

use super::candidate::Candidate;
use super::scorer::Scorer;
use super::{Posterior, Prediction};

/// Every pair so far that may be one of the `count` most probable ones.
#[derive(Debug)]
pub(super) struct Finalists<'a> {
    posterior: &'a Posterior,
    count: usize,
    scorer: Scorer<'a>,
    /// More pairs than this are not kept, unless more are asked for.
    most: usize,
    list: Vec<Candidate>,
}

impl<'a> Finalists<'a> {
    pub(super) fn new(posterior: &'a Posterior, count: usize, scorer: Scorer<'a>, most: usize) -> Self {
        Self { posterior, count, scorer, most, list: vec![] }
    }

    /// The probability that the last of the `count` most probable pairs has at least.
    pub(super) fn least(&mut self) -> f64 {
        if self.list.len() < self.count {
            return f64::NEG_INFINITY;
        }
        let (_, last, _) = self.list.select_nth_unstable(self.count - 1);
        last.mean - self.scorer.margin(last.mean)
    }

    /// Adds pairs, and drops those that can no longer be among the best.
    pub(super) fn add(&mut self, found: Vec<Candidate>) {
        self.list.extend(found);
        let least = self.least();
        self.list.retain(|candidate| candidate.mean + self.scorer.margin(candidate.mean) >= least);
        if self.list.len() > self.most.max(self.count.saturating_mul(2)) {
            settle(self.posterior, self.count, &mut self.list);
        }
    }

    /// The most probable pairs with their predictions, in order.
    pub(super) fn finish(self) -> Vec<(u32, u32, Prediction)> {
        let pairs: Vec<(u32, u32)> = self.list.iter().map(|c| (c.source, c.target)).collect();
        let predictions = self.posterior.predict(&pairs);
        let mut ranked: Vec<_> = pairs.into_iter().zip(predictions).map(|((i, j), p)| (i, j, p)).collect();
        ranked
            .sort_unstable_by(|a, b| b.2.mean.total_cmp(&a.2.mean).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        ranked.truncate(self.count);
        ranked
    }
}

/// Keeps the best of some pairs by their exact probabilities.
pub(super) fn settle(posterior: &Posterior, count: usize, list: &mut Vec<Candidate>) {
    let pairs: Vec<(u32, u32)> = list.iter().map(|c| (c.source, c.target)).collect();
    let exact = posterior.predict_mean(&pairs);
    let mut ranked: Vec<(Candidate, Candidate)> = list
        .iter()
        .zip(exact)
        .map(|(&candidate, mean)| (Candidate { mean, ..candidate }, candidate))
        .collect();
    ranked.sort_unstable_by_key(|&(exact, _)| exact);
    ranked.truncate(count);
    list.clear();
    list.extend(ranked.into_iter().map(|(_, candidate)| candidate));
}
