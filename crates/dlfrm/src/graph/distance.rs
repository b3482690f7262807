//! Numbers of steps between two nodes: from one to all others, or between the ends of a pair without their own link.

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

/// A search from both ends of a pair at once.
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

    /// One step further from one side. Whether it meets the other side.
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

/// The steps from one node to all others.
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
