//! The pairs that columns are compared on: links and other pairs, as many of either.

use crate::network::Mode;
use crate::random::scatter;

use super::Topology;

/// So many links at most.
const MOST: usize = 1_000;

impl Topology {
    /// Links at even distances in their list, and as many pairs of nodes that are drawn with fixed numbers.
    pub(in super::super) fn reference_pairs(&self) -> Vec<(u32, u32)> {
        let nodes = self.outgoing.len() as u32;
        let arcs = (0..nodes)
            .flat_map(|source| self.outgoing.neighbours(source).iter().map(move |&target| (source, target)));
        let links = arcs.filter(|&(source, target)| self.directed || source < target);
        let count = self.outgoing.arcs() / if self.directed { 1 } else { 2 };
        let mut pairs: Vec<(u32, u32)> = links.step_by(count.div_ceil(MOST).max(1)).collect();
        let all: Vec<u32> = (0..nodes).collect();
        let [sources, targets] = self
            .modes
            .as_deref()
            .map_or([&all[..]; 2], |modes| [Mode::Row, Mode::Column].map(|mode| modes.members(mode)));
        let any = |number: usize, of: &[u32]| of[(scatter(number as u64) % of.len() as u64) as usize];
        let others = (0..pairs.len()).map(|number| (any(2 * number, sources), any(2 * number + 1, targets)));
        let others: Vec<(u32, u32)> = others.filter(|(source, target)| source != target).collect();
        pairs.extend(others);
        pairs
    }
}
