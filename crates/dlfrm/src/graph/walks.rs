//! Random walks of up to ten steps from one node, to a neighbour chosen at random in each step.

use super::Adjacency;

/// How many steps a walk has.
pub(crate) const LENGTH: usize = 10;

/// The probabilities that a walk is at a node after 0, 1, ... steps.
pub(crate) type Probabilities = [f64; LENGTH + 1];

/// The walks from one node.
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

    /// Where the walks are at a node.
    pub(crate) fn at(&self, node: u32) -> &Probabilities {
        &self.at[node as usize]
    }
}

/// Walks from several nodes side by side.
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
