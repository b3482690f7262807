//! Weighted numbers of paths from a source to all nodes, longer ones counting less (Katz).
//!
//! Powers of the sparse matrix, source by source, and not the inverse of a dense one: sums of positive
//! terms keep their relative accuracy, so far pairs with scores of 1e-10 are ranked as rightly as near ones.

use super::Adjacency;

/// The sum ends when no score grows by more than this part of itself.
const TOLERANCE: f64 = 1e-13;
const RADIUS_POWER: u32 = 64;

/// The largest row sum of A^p to the power 1/p. It is a norm of A^p, hence never below the radius; 0 if
/// no path is as long as p, so that there can be no cycle.
pub(crate) fn radius_bound(graph: &Adjacency) -> f64 {
    let mut row_sums = vec![1.0; graph.len()];
    let mut next = vec![0.0; graph.len()];
    let mut log_scale = 0.0;
    for _ in 0..RADIUS_POWER {
        for (i, sum) in next.iter_mut().enumerate() {
            *sum = graph.neighbours(i as u32).iter().map(|&j| row_sums[j as usize]).sum();
        }
        let largest = next.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return 0.0;
        }
        log_scale += largest.ln();
        for sum in &mut next {
            *sum /= largest;
        }
        std::mem::swap(&mut row_sums, &mut next);
    }
    (log_scale / f64::from(RADIUS_POWER)).exp()
}

/// Weighted numbers of paths of every length from several sources side by side.
pub(crate) struct AllPaths<const SIDE: usize> {
    last: Vec<[f64; SIDE]>,
    next: Vec<[f64; SIDE]>,
    sum: Vec<[f64; SIDE]>,
}

impl<const SIDE: usize> AllPaths<SIDE> {
    pub(crate) fn new(nodes: usize) -> Self {
        let zeros = || vec![[0.0; SIDE]; nodes];
        Self { last: zeros(), next: zeros(), sum: zeros() }
    }

    /// The paths from the sources to all nodes.
    #[expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]
    #[inline(always)]
    pub(crate) fn count(&mut self, incoming: &Adjacency, beta: f64, sources: [u32; SIDE]) -> &[[f64; SIDE]] {
        self.sum.fill([0.0; SIDE]);
        self.last.fill([0.0; SIDE]);
        for (lane, source) in sources.into_iter().enumerate() {
            self.last[source as usize][lane] = 1.0;
        }
        loop {
            let mut growing = [false; SIDE];
            for (j, (next, sum)) in (0..).zip(self.next.iter_mut().zip(&mut self.sum)) {
                *next = incoming.sum_neighbours(j, &self.last).map(|paths| beta * paths);
                for lane in 0..SIDE {
                    sum[lane] += next[lane];
                    // A node reached for the first time grows by its whole sum: the walk goes on until all that
                    // can be reached are.
                    growing[lane] |= next[lane] > TOLERANCE * sum[lane];
                }
            }
            std::mem::swap(&mut self.last, &mut self.next);
            if growing == [false; SIDE] {
                return &self.sum;
            }
        }
    }
}

/// Weighted paths of up to three steps from one source, at the cost of what it reaches.
pub(crate) struct ShortPaths {
    /// Those of two steps.
    last: Vec<f64>,
    /// Those of one and two.
    sum: Vec<f64>,
    touched: Vec<u32>,
}

impl ShortPaths {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { last: vec![0.0; nodes], sum: vec![0.0; nodes], touched: vec![] }
    }

    /// Paths of one and two steps from `source`: one of one step is worth `first`, one of two what `second` says of the node
    /// between, and in their sum both have a weight.
    pub(crate) fn two_steps(
        &mut self,
        outgoing: &Adjacency,
        source: u32,
        first: f64,
        second: impl Fn(u32) -> f64,
        weights: [f64; 2],
    ) {
        for &middle in outgoing.neighbours(source) {
            self.sum[middle as usize] += weights[0] * first;
            self.touched.push(middle);
            let second = second(middle);
            for &end in outgoing.neighbours(middle) {
                self.last[end as usize] += second;
                self.sum[end as usize] += weights[1] * second;
                self.touched.push(end);
            }
        }
    }

    /// Paths of two steps to a node.
    pub(crate) fn second(&self, target: u32) -> f64 {
        self.last[target as usize]
    }

    /// The weighted sum of those of one and of two steps.
    pub(crate) fn sum(&self, target: u32) -> f64 {
        self.sum[target as usize]
    }

    /// Paths of three steps, the last one taken backwards from their end, each divided by what is said of the node before it.
    pub(crate) fn third(&self, incoming: &Adjacency, target: u32, among: impl Fn(u32) -> f64) -> f64 {
        incoming.neighbours(target).iter().map(|&i| self.last[i as usize] / among(i)).sum()
    }

    /// Undoes [`ShortPaths::two_steps`] at the cost of what it touched, not of the network's size.
    pub(crate) fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.last[node as usize] = 0.0;
            self.sum[node as usize] = 0.0;
        }
    }
}
