//! Walks from a node: random ones, to a neighbour chosen at random in each step, and weighted numbers of paths to all nodes,
//! longer ones counting less (Katz).
//!
//! Paths are summed by powers of the sparse matrix, source by source, and not by the inverse of a dense one: sums of positive
//! terms keep their relative accuracy, so far pairs with scores of 1e-10 are ranked as rightly as near ones.

use super::Adjacency;

/// How many steps a walk has.
pub(crate) const LENGTH: usize = 10;

/// The probabilities that a walk is at a node after 0, 1, ... steps.
pub(crate) type Probabilities = [f64; LENGTH + 1];

#[derive(Debug)]
pub(crate) struct RandomWalk {
    at: Vec<Probabilities>,
    seen: Vec<bool>,
    reached: Vec<u32>,
}

impl RandomWalk {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { at: vec![[0.0; LENGTH + 1]; nodes], seen: vec![false; nodes], reached: vec![] }
    }

    /// Walks from a node. Returns how many arcs it passed. The cost is that of what is reached, not of the network's size.
    pub(crate) fn start(&mut self, graph: &Adjacency, source: u32) -> usize {
        for node in self.reached.drain(..) {
            self.at[node as usize] = [0.0; LENGTH + 1];
            self.seen[node as usize] = false;
        }
        self.at[source as usize][0] = 1.0;
        self.seen[source as usize] = true;
        self.reached.push(source);
        let mut arcs = 0;
        for step in 1..=LENGTH {
            for place in 0..self.reached.len() {
                let node = self.reached[place];
                let here = self.at[node as usize][step - 1];
                let neighbours = graph.neighbours(node);
                if here == 0.0 || neighbours.is_empty() {
                    continue;
                }
                arcs += neighbours.len();
                let share = here / neighbours.len() as f64;
                for &neighbour in neighbours {
                    let there = &mut self.at[neighbour as usize][step];
                    // Whether it was reached before is looked up once per step at most.
                    if *there == 0.0 && !self.seen[neighbour as usize] {
                        self.seen[neighbour as usize] = true;
                        self.reached.push(neighbour);
                    }
                    *there += share;
                }
            }
        }
        arcs
    }

    pub(crate) fn at(&self, node: u32) -> &Probabilities {
        &self.at[node as usize]
    }
}

#[derive(Debug)]
pub(crate) struct RandomWalks<const SIDE: usize> {
    at: Vec<[f64; SIDE]>,
    shares: Vec<[f64; SIDE]>,
}

impl<const SIDE: usize> RandomWalks<SIDE> {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { at: vec![[0.0; SIDE]; nodes], shares: vec![[0.0; SIDE]; nodes] }
    }

    /// Walks so many steps from some nodes; `visit` sees with what probabilities the walks are at each node after 0, 1, ... steps.
    /// The cost is that of the network's size.
    #[expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]
    #[inline(always)]
    pub(crate) fn start(
        &mut self,
        graph: &Adjacency,
        sources: [u32; SIDE],
        steps: usize,
        mut visit: impl FnMut(usize, &[[f64; SIDE]]),
    ) {
        let Self { at, shares } = self;
        at.fill([0.0; SIDE]);
        for (lane, source) in sources.into_iter().enumerate() {
            at[source as usize][lane] = 1.0;
        }
        visit(0, at);
        for step in 1..=steps {
            for (node, (share, at)) in (0..).zip(shares.iter_mut().zip(&*at)) {
                let degree = graph.degree(node).max(1) as f64;
                *share = at.map(|here| here / degree);
            }
            for (node, at) in (0..).zip(&mut *at) {
                *at = graph.sum_neighbours(node, shares);
            }
            visit(step, at);
        }
    }
}

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
    last: Vec<f64>,
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
