//! How far apart nodes are, from one to all others or between the ends of a pair without their own link; and which are connected.

use std::collections::BTreeMap;

use super::Adjacency;

/// Nodes times arcs: in larger networks a search looks at no more than so many arcs.
const MOST_WORK: usize = 1_000_000_000;
const MOST_ARCS: usize = 1_000;

/// How many arcs the search of a distance looks at, at most, if that is limited.
pub(crate) fn limit(graph: &Adjacency) -> Option<usize> {
    let large = graph.len().saturating_mul(graph.arcs()) > MOST_WORK;
    large.then_some(MOST_ARCS)
}

/// How many steps lead from one end of a pair to the other, at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Distance {
    pub(crate) steps: u32,
    /// Whether the search ended before it found the other end: there may be more steps.
    pub(crate) bound: bool,
}

#[derive(Debug)]
pub(crate) struct TwoSided {
    /// The last search in which each node was reached, from either end.
    reached: [Vec<u32>; 2],
    search: u32,
    /// The nodes that were reached last, from either end.
    edges: [Vec<u32>; 2],
    next: Vec<u32>,
}

impl TwoSided {
    pub(crate) fn new(nodes: usize) -> Self {
        let zeros = || vec![0; nodes];
        Self { reached: [zeros(), zeros()], search: 0, edges: [vec![], vec![]], next: vec![] }
    }

    /// The distance between two nodes without their own link, if they have one; `None` if they are not connected. The search
    /// looks at no more than so many arcs, and then ends with a bound. The side with fewer arcs ahead of it goes first, so that the
    /// result is the same for both orders of the pair.
    pub(crate) fn between(
        &mut self,
        graph: &Adjacency,
        ends: [u32; 2],
        linked: bool,
        most_arcs: Option<usize>,
    ) -> Option<Distance> {
        self.begin(ends);
        let mut ahead = ends.map(|end| graph.degree(end) - usize::from(linked));
        let (mut steps, mut looked_at) = (1, 0);
        loop {
            let side = usize::from((ahead[1], ends[1]) < (ahead[0], ends[0]));
            looked_at += ahead[side];
            if most_arcs.is_some_and(|most| looked_at > most) {
                return Some(Distance { steps, bound: true });
            }
            if self.advance(graph, side, ends) {
                return Some(Distance { steps, bound: false });
            }
            if self.edges[side].is_empty() {
                return None;
            }
            ahead[side] = self.edges[side].iter().map(|&node| graph.degree(node)).sum();
            steps += 1;
        }
    }

    fn begin(&mut self, ends: [u32; 2]) {
        if self.search == u32::MAX {
            self.reached.iter_mut().for_each(|reached| reached.fill(0));
            self.search = 0;
        }
        self.search += 1;
        for (side, end) in ends.into_iter().enumerate() {
            self.reached[side][end as usize] = self.search;
            self.edges[side].clear();
            self.edges[side].push(end);
        }
    }

    fn advance(&mut self, graph: &Adjacency, side: usize, ends: [u32; 2]) -> bool {
        let (here, there) = (ends[side], ends[1 - side]);
        self.next.clear();
        for &node in &self.edges[side] {
            for &neighbour in graph.neighbours(node) {
                if node == here && neighbour == there {
                    continue;
                }
                if self.reached[1 - side][neighbour as usize] == self.search {
                    return true;
                }
                let reached = &mut self.reached[side][neighbour as usize];
                if *reached != self.search {
                    *reached = self.search;
                    self.next.push(neighbour);
                }
            }
        }
        std::mem::swap(&mut self.edges[side], &mut self.next);
        false
    }
}

#[derive(Debug)]
pub(crate) struct Steps {
    from: Option<u32>,
    to: Vec<u32>,
    reached: Vec<u32>,
}

impl Steps {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { from: None, to: vec![u32::MAX; nodes], reached: vec![] }
    }

    /// The steps from one node to another, if there are any. All steps from the first one are counted at once.
    pub(crate) fn between(&mut self, graph: &Adjacency, source: u32, target: u32) -> Option<u32> {
        if self.from != Some(source) {
            self.count(graph, source);
        }
        Some(self.to[target as usize]).filter(|&steps| steps != u32::MAX)
    }

    fn count(&mut self, graph: &Adjacency, source: u32) {
        for node in self.reached.drain(..) {
            self.to[node as usize] = u32::MAX;
        }
        self.from = Some(source);
        self.to[source as usize] = 0;
        self.reached.push(source);
        let mut place = 0;
        while let Some(&node) = self.reached.get(place) {
            place += 1;
            let steps = self.to[node as usize] + 1;
            for &neighbour in graph.neighbours(node) {
                if self.to[neighbour as usize] == u32::MAX {
                    self.to[neighbour as usize] = steps;
                    self.reached.push(neighbour);
                }
            }
        }
    }
}

/// A node that a search starts from has no parent.
const NONE: u32 = u32::MAX;

/// The components of a network without directions, and what becomes of them if one link is taken away.
///
/// A link whose removal disconnects its ends is a bridge. One depth-first search finds all bridges (Tarjan 1974) and how many
/// nodes are on either side of each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Components {
    /// The component of each node, and the nodes of each component.
    of: Vec<u32>,
    sizes: Vec<u32>,
    /// From where the search came to each node, and how many nodes it found from there on, this one included.
    parents: Vec<u32>,
    below: Vec<u32>,
    bridges: Vec<bool>,
}

impl Components {
    pub(crate) fn new(graph: &Adjacency) -> Self {
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

    pub(crate) fn several(&self) -> bool {
        self.sizes.len() > 1
    }

    /// How many nodes the largest has; 1 if there is none.
    pub(crate) fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(1)
    }

    /// For each node the most that a function of two sizes is for its pairs with nodes of other components.
    pub(crate) fn most_apart(&self, of_sizes: impl Fn(u32, u32) -> f64) -> Vec<f64> {
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
    pub(crate) fn apart(&self, one: u32, other: u32, linked: bool) -> Option<[u32; 2]> {
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

struct Search {
    /// When each node was found, and the earliest that is reached from it or from what was found after it.
    order: Vec<u32>,
    lowest: Vec<u32>,
    /// The nodes from the root to the current one, each with the neighbour to look at next.
    path: Vec<(u32, usize)>,
    count: u32,
}
