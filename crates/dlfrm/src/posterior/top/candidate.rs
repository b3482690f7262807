//! Pairs in the order of their probabilities, and the best of them so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A pair with its mean probability. The worst of several is the greatest, so that a heap gives it up first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mean: f64,
    pub(super) source: u32,
    pub(super) target: u32,
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

    pub(super) fn merge(mut self, other: Self) -> Self {
        other.heap.into_iter().for_each(|candidate| self.offer(candidate));
        self
    }

    /// All of them, in no order.
    pub(super) fn into_vec(self) -> Vec<Candidate> {
        self.heap.into_vec()
    }
}
