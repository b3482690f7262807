//! The links among observed pairs as sorted lists of neighbours, for everything that walks along links.

use crate::network::Pairs;

/// For every node its neighbours along the links of some pairs, sorted, each once.
///
/// Only links count: non-links and unobserved pairs are alike here. Of pairs that stand for both
/// directions ([`Pairs::symmetric`]) the three constructors make the same graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacency {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    /// Neighbours whatever the direction of the link: those linked to and those linked from.
    pub fn undirected(pairs: &Pairs) -> Self {
        Self::gather(pairs.nodes(), |i, list| {
            list.extend(linked_to(pairs, i));
            list.extend(linked_from(pairs, i));
            // Two sorted runs; in ordered pairs a neighbour both ways stands in both.
            list.sort_unstable();
            list.dedup();
        })
    }

    /// The nodes that a node links to.
    pub fn outgoing(pairs: &Pairs) -> Self {
        if pairs.symmetric() {
            return Self::undirected(pairs);
        }
        Self::gather(pairs.nodes(), |i, list| list.extend(linked_to(pairs, i)))
    }

    /// The nodes that link to a node.
    pub fn incoming(pairs: &Pairs) -> Self {
        if pairs.symmetric() {
            return Self::undirected(pairs);
        }
        Self::gather(pairs.nodes(), |i, list| list.extend(linked_from(pairs, i)))
    }

    fn gather(nodes: usize, mut neighbours_of: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let mut starts = Vec::with_capacity(nodes + 1);
        starts.push(0);
        let mut neighbours = Vec::new();
        let mut list = Vec::new();
        for i in 0..nodes {
            list.clear();
            neighbours_of(i, &mut list);
            neighbours.extend_from_slice(&list);
            starts.push(neighbours.len());
        }
        Self { starts, neighbours }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many neighbours all nodes have together.
    pub fn arcs(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of `node`, sorted.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.neighbours[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// How many neighbours `node` has.
    pub fn degree(&self, node: u32) -> usize {
        self.starts[node as usize + 1] - self.starts[node as usize]
    }

    /// The sums over the neighbours of `node` of several values side by side.
    #[expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]
    #[inline(always)]
    pub(crate) fn sum_neighbours<const SIDE: usize>(&self, node: u32, values: &[[f64; SIDE]]) -> [f64; SIDE] {
        let mut sums = [0.0; SIDE];
        for &neighbour in self.neighbours(node) {
            let here = values[neighbour as usize];
            sums = std::array::from_fn(|lane| sums[lane] + here[lane]);
        }
        sums
    }

    /// Calls `visit` for every common neighbour of two nodes, in the order of ids.
    pub fn for_each_common(&self, one: u32, other: u32, visit: impl FnMut(u32)) {
        for_each_common(self.neighbours(one), self.neighbours(other), visit);
    }
}

fn linked_to(pairs: &Pairs, i: usize) -> impl Iterator<Item = u32> + '_ {
    pairs.from(i).filter(|&d| pairs.label(d)).map(|d| pairs.targets()[d])
}

fn linked_from(pairs: &Pairs, i: usize) -> impl Iterator<Item = u32> + '_ {
    let (sources, numbers) = pairs.to(i);
    sources.iter().zip(numbers).filter(|&(_, &d)| pairs.label(d as usize)).map(|(&source, _)| source)
}

/// Beyond this ratio of lengths a search in the longer list is cheaper than walking through it: social
/// networks have hubs of ten thousand neighbours beside nodes of three.
const SEARCH_RATIO: usize = 16;

fn for_each_common(one: &[u32], other: &[u32], mut visit: impl FnMut(u32)) {
    let (short, mut long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.len() > SEARCH_RATIO * short.len() {
        for &id in short {
            let place = long.partition_point(|&candidate| candidate < id);
            long = &long[place..];
            if long.first() == Some(&id) {
                visit(id);
            }
        }
        return;
    }
    let (mut a, mut b) = (0, 0);
    while a < short.len() && b < long.len() {
        let (left, right) = (short[a], long[b]);
        if left == right {
            visit(left);
        }
        // Both comparisons as additions: the branch would be unpredictable.
        a += usize::from(left <= right);
        b += usize::from(right <= left);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn common_neighbours_of_short_and_long_lists(
            one in prop::collection::btree_set(0_u32..300, 0..8),
            other in prop::collection::btree_set(0_u32..300, 0..250),
        ) {
            let expected: Vec<u32> = one.intersection(&other).copied().collect();
            let (one, other): (Vec<_>, Vec<_>) = (one.into_iter().collect(), other.into_iter().collect());
            for (a, b) in [(&one, &other), (&other, &one)] {
                let mut found = Vec::new();
                for_each_common(a, b, |id| found.push(id));
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
