//! Walks of two steps from one node to all that it reaches, and what lies between the ends of a pair.

use crate::graph::Adjacency;

use super::{Topology, bipartite, directed, undirected};

/// What two steps to a node add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::covariates) struct Way {
    /// How many there are.
    pub(in crate::covariates) count: f64,
    /// Each counted by 1 / log degree of the node between (Adamic and Adar).
    pub(in crate::covariates) adamic: f64,
    /// Each counted by 1 / degree (resource allocation).
    pub(in crate::covariates) share: f64,
    /// Each counted by 1 / root of the degree: the first two steps of a path of length three.
    pub(in crate::covariates) step: f64,
}

/// What lies between the ends of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Between<const KINDS: usize> {
    /// Paths of length two.
    pub(super) ways: [Way; KINDS],
    /// Summed paths of length three.
    pub(super) three: f64,
    /// Whether the pair is a link.
    pub(super) linked: bool,
}

/// What walks from one node have reached.
#[derive(Debug)]
pub(crate) struct Walks<const KINDS: usize> {
    ways: Vec<[Way; KINDS]>,
    reached: Vec<u32>,
}

impl<const KINDS: usize> Walks<KINDS> {
    fn new(nodes: usize) -> Self {
        Self { ways: vec![[Way::default(); KINDS]; nodes], reached: vec![] }
    }

    /// Forgets what was reached, at the cost of that and not of the network's size.
    fn clear(&mut self) {
        for node in self.reached.drain(..) {
            self.ways[node as usize] = [Way::default(); KINDS];
        }
    }

    /// Two steps of each kind to all nodes but the first one itself.
    fn walk(&mut self, topology: &Topology, kinds: [[&Adjacency; 2]; KINDS], from: u32) {
        self.clear();
        for (kind, [first, second]) in kinds.into_iter().enumerate() {
            for &between in first.neighbours(from) {
                let step = topology.roots[between as usize];
                let share = step * step;
                let adamic = -1.0 / share.ln();
                for &end in second.neighbours(between) {
                    if end == from {
                        continue;
                    }
                    let ways = &mut self.ways[end as usize];
                    if ways.iter().all(|way| way.count == 0.0) {
                        self.reached.push(end);
                    }
                    let way = &mut ways[kind];
                    way.count += 1.0;
                    way.adamic += adamic;
                    way.share += share;
                    way.step += step;
                }
            }
        }
    }

    /// The summed paths of length three whose first two steps are of one kind and whose last is from one of these.
    fn three_steps(&self, topology: &Topology, last: &[u32], kind: usize) -> f64 {
        last.iter().map(|&v| self.ways[v as usize][kind].step * topology.roots[v as usize]).sum()
    }

    /// What lies between the node that was walked from and a target.
    fn between(&self, topology: &Topology, source: u32, target: u32, kind: usize) -> Between<KINDS> {
        let linked = topology.linked(source, target);
        let sum = self.three_steps(topology, topology.incoming().neighbours(target), kind);
        let three = if linked { topology.without_own_link(source, target, sum) } else { sum };
        Between { ways: self.ways[target as usize], three, linked }
    }
}

/// Walks in a network of either kind, from one node at a time.
#[derive(Debug)]
pub(crate) enum Walker {
    /// Where a pair stands for both directions.
    Undirected(Walks<1>),
    /// Along and against the links.
    Directed(Walks<4>),
}

impl Walker {
    pub(in crate::covariates) fn new(topology: &Topology) -> Self {
        let nodes = topology.outgoing.len();
        if topology.directed {
            Self::Directed(Walks::new(nodes))
        } else {
            Self::Undirected(Walks::new(nodes))
        }
    }

    /// Walks from a node; what was reached before is forgotten.
    pub(in crate::covariates) fn walk(&mut self, topology: &Topology, from: u32) {
        let (out, back) = (&topology.outgoing, topology.incoming());
        match self {
            Self::Undirected(walks) => walks.walk(topology, [[out, out]], from),
            Self::Directed(walks) => {
                walks.walk(topology, [[out, out], [out, back], [back, out], [back, back]], from);
            }
        }
    }

    /// The nodes that two steps lead to, each once.
    pub(in crate::covariates) fn reached(&self) -> &[u32] {
        match self {
            Self::Undirected(walks) => &walks.reached,
            Self::Directed(walks) => &walks.reached,
        }
    }

    /// Whether two steps lead to a node.
    pub(crate) fn has_reached(&self, node: u32) -> bool {
        self.ways(node).iter().any(|way| way.count > 0.0)
    }

    /// The steps of each kind to a node.
    pub(in crate::covariates) fn ways(&self, to: u32) -> &[Way] {
        match self {
            Self::Undirected(walks) => &walks.ways[to as usize],
            Self::Directed(walks) => &walks.ways[to as usize],
        }
    }

    /// The summed paths of length three to a node, which the one that was walked from does not link to.
    pub(in crate::covariates) fn three(&self, topology: &Topology, to: u32) -> f64 {
        let last = topology.incoming().neighbours(to);
        match self {
            Self::Undirected(walks) => walks.three_steps(topology, last, 0),
            Self::Directed(walks) => walks.three_steps(topology, last, 1),
        }
    }

    /// Fills in the columns of a pair from the node that was walked from.
    pub(in crate::covariates) fn fill_from(
        &self,
        topology: &Topology,
        source: u32,
        target: u32,
        line: &mut [f32],
    ) {
        match self {
            Self::Undirected(walks) => {
                let between = walks.between(topology, source, target, 0);
                match &topology.modes {
                    Some(modes) => bipartite::fill(topology, modes, (source, target), &between, line),
                    None => undirected::fill(topology, source, target, &between, line),
                }
            }
            Self::Directed(walks) => {
                directed::fill(topology, source, target, &walks.between(topology, source, target, 1), line);
            }
        }
    }

    /// Fills in the columns of a pair to the node that was walked from, which is no link. Sums may differ from those of
    /// [`fill_from`](Self::fill_from) in their last bits.
    pub(in crate::covariates) fn fill_to(
        &self,
        topology: &Topology,
        source: u32,
        target: u32,
        line: &mut [f32],
    ) {
        let Self::Directed(walks) = self else { return self.fill_from(topology, target, source, line) };
        // Walked backwards, a path along both links is one against both, and the other way round.
        let [on, ahead, behind, round] = walks.ways[source as usize];
        let three = walks.three_steps(topology, topology.outgoing.neighbours(source), 2);
        let between = Between { ways: [round, ahead, behind, on], three, linked: false };
        directed::fill(topology, source, target, &between, line);
    }
}

impl Topology {
    /// A sum over paths of length three without those that begin with the pair's own link: over it to the target, on to one
    /// of those that link to it, and back.
    fn without_own_link(&self, source: u32, target: u32, sum: f64) -> f64 {
        let over = self.roots[target as usize] * (self.sums[target as usize] - self.roots[source as usize]);
        let left = sum - over;
        if left < 1e-9 * sum { 0.0 } else { left }
    }
}
