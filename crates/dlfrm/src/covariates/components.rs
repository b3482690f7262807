//! The components of a network, and what becomes of them if one link is taken away.
//!
//! A link whose removal disconnects its ends is a bridge. One depth-first search finds all bridges (Tarjan 1974) and how many
//! nodes are on either side of each.

use std::collections::BTreeMap;

use crate::graph::Adjacency;

/// A node that a search starts from has no parent.
const NONE: u32 = u32::MAX;

/// The components of a network without directions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Components {
    /// The component of each node, and the nodes of each component.
    of: Vec<u32>,
    sizes: Vec<u32>,
    /// From where the search came to each node, and how many nodes it found from there on, this one included.
    parents: Vec<u32>,
    below: Vec<u32>,
    /// Whether the link to the parent is a bridge.
    bridges: Vec<bool>,
}

impl Components {
    pub(super) fn new(graph: &Adjacency) -> Self {
        let nodes = graph.len();
        let mut found = Self {
            of: vec![NONE; nodes],
            sizes: vec![],
            parents: vec![NONE; nodes],
            below: vec![1; nodes],
            bridges: vec![false; nodes],
        };
        let mut search = Search { order: vec![0; nodes], lowest: vec![0; nodes], path: vec![], count: 0 };
        for root in 0..nodes as u32 {
            if found.of[root as usize] == NONE {
                found.explore(graph, root, &mut search);
            }
        }
        found
    }

    /// Searches the component of a node. A path of its own and not recursion: chains may be as long as the network.
    fn explore(&mut self, graph: &Adjacency, root: u32, search: &mut Search) {
        let component = self.sizes.len() as u32;
        self.enter(root, component, search);
        while let Some((node, next)) = search.path.last_mut() {
            let (here, place) = (*node, *next);
            *next += 1;
            if let Some(&neighbour) = graph.neighbours(here).get(place) {
                if neighbour == self.parents[here as usize] {
                    continue;
                }
                if self.of[neighbour as usize] == NONE {
                    self.parents[neighbour as usize] = here;
                    self.enter(neighbour, component, search);
                } else {
                    let reached = search.order[neighbour as usize];
                    let lowest = &mut search.lowest[here as usize];
                    *lowest = reached.min(*lowest);
                }
                continue;
            }
            search.path.pop();
            let parent = self.parents[here as usize];
            if parent != NONE {
                let lowest = search.lowest[here as usize];
                self.bridges[here as usize] = lowest > search.order[parent as usize];
                self.below[parent as usize] += self.below[here as usize];
                let of_parent = &mut search.lowest[parent as usize];
                *of_parent = lowest.min(*of_parent);
            }
        }
        self.sizes.push(self.below[root as usize]);
    }

    fn enter(&mut self, node: u32, component: u32, search: &mut Search) {
        self.of[node as usize] = component;
        search.order[node as usize] = search.count;
        search.lowest[node as usize] = search.count;
        search.count += 1;
        search.path.push((node, 0));
    }

    /// Whether there are several.
    pub(super) fn several(&self) -> bool {
        self.sizes.len() > 1
    }

    /// How many nodes the largest has; 1 if there is none.
    pub(super) fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(1)
    }

    /// For each node the most that a function of two sizes is for its pairs with nodes of other components.
    pub(super) fn most_apart(&self, of_sizes: impl Fn(u32, u32) -> f64) -> Vec<f64> {
        let mut distinct: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
        self.sizes.iter().for_each(|&size| distinct.entry(size).or_insert((0, f64::NEG_INFINITY)).0 += 1);
        let known = distinct.clone();
        for (&size, (count, most)) in &mut distinct {
            let others = known.keys().filter(|&&other| other != size || *count > 1);
            *most = others.map(|&other| of_sizes(size, other)).fold(f64::NEG_INFINITY, f64::max);
        }
        self.of.iter().map(|&component| distinct[&self.sizes[component as usize]].1).collect()
    }

    /// How many nodes each end of a pair is connected with, itself included, if the ends are not connected with each other.
    /// If they are linked, this is without their link.
    pub(super) fn apart(&self, one: u32, other: u32, linked: bool) -> Option<[u32; 2]> {
        let size = |node: u32| self.sizes[self.of[node as usize] as usize];
        if !linked {
            let apart = self.of[one as usize] != self.of[other as usize];
            return apart.then(|| [size(one), size(other)]);
        }
        let is_bridge =
            |child: u32, parent: u32| self.parents[child as usize] == parent && self.bridges[child as usize];
        let split = |child: u32| (self.below[child as usize], size(child) - self.below[child as usize]);
        if is_bridge(one, other) {
            let (below, rest) = split(one);
            Some([below, rest])
        } else if is_bridge(other, one) {
            let (below, rest) = split(other);
            Some([rest, below])
        } else {
            None
        }
    }
}

/// What is needed while searching only.
struct Search {
    /// When each node was found, and the earliest that is reached from it or from what was found after it.
    order: Vec<u32>,
    lowest: Vec<u32>,
    /// The nodes from the root to the current one, each with the neighbour to look at next.
    path: Vec<(u32, usize)>,
    count: u32,
}
