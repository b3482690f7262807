//! Distances of pairs with a common neighbour, where searches have a limit: what a search would find, without one.
//!
//! Most pairs that are looked at have a common neighbour. The entities that two steps from a source reach are marked once for all
//! its pairs.

use crate::network::Adjacency;
use crate::network::distance::Distance;

/// Arcs that a search looks at, about: as soon as searches would have cost as much, entities are marked.
const SEARCH: usize = 256;

/// The arcs two steps ahead of each entity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TwoSteps {
    ahead: Vec<usize>,
}

/// The entities that two steps from a source reach.
#[derive(Debug, Default)]
pub(super) struct Marks {
    source: Option<u32>,
    /// Pairs of the source so far.
    pairs: usize,
    marked: bool,
    mark: u32,
    of: Vec<u32>,
}

impl TwoSteps {
    pub(super) fn new(graph: &Adjacency) -> Self {
        let ahead = |entity| graph.neighbours(entity).iter().map(|&other| graph.degree(other)).sum();
        Self { ahead: (0..graph.len() as u32).map(ahead).collect() }
    }

    /// The distance of two entities without a link, as [`TwoSided::between`](crate::network::distance::TwoSided::between) with
    /// this limit has it, if they are known to have a common neighbour.
    pub(super) fn between(
        &self,
        graph: &Adjacency,
        ends: [u32; 2],
        most_arcs: usize,
        marks: &mut Marks,
    ) -> Option<Distance> {
        if !self.common(graph, ends, marks) {
            return None;
        }
        let mut ahead = ends.map(|end| graph.degree(end));
        let next = |ahead: [usize; 2]| usize::from((ahead[1], ends[1]) < (ahead[0], ends[0]));
        let first = next(ahead);
        let mut looked_at = ahead[first];
        if looked_at > most_arcs {
            return Some(Distance { steps: 1, bound: true });
        }
        ahead[first] = self.ahead[ends[first] as usize];
        looked_at += ahead[next(ahead)];
        Some(Distance { steps: 2, bound: looked_at > most_arcs })
    }

    /// Whether two entities are known to have a common neighbour.
    fn common(&self, graph: &Adjacency, [source, target]: [u32; 2], marks: &mut Marks) -> bool {
        if marks.source != Some(source) {
            (marks.source, marks.pairs, marks.marked) = (Some(source), 0, false);
        }
        marks.pairs += 1;
        if !marks.marked {
            if marks.pairs * SEARCH < self.ahead[source as usize] {
                return false;
            }
            marks.of.resize(graph.len(), 0);
            if marks.mark == u32::MAX {
                marks.of.fill(0);
                marks.mark = 0;
            }
            marks.mark += 1;
            for &neighbour in graph.neighbours(source) {
                for &other in graph.neighbours(neighbour) {
                    marks.of[other as usize] = marks.mark;
                }
            }
            marks.marked = true;
        }
        marks.of[target as usize] == marks.mark
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::network::distance::TwoSided;
    use crate::network::{Pair, Pairs};
    use crate::random::{Purpose, stream};

    #[test]
    fn a_search_finds_the_same() {
        let mut rng = stream(1, 0, 0, Purpose::Split, 0);
        let mut found = 0;
        for n in [5_u32, 30, 200] {
            let mut link = || (rng.random_range(0..n), rng.random_range(0..n));
            // A hub has many.
            let links = (0..3 * n).map(|k| if k % 3 == 0 { (0, link().1) } else { link() });
            let mut links: Vec<(u32, u32)> =
                links.filter(|(i, j)| i != j).map(|(i, j)| (i.min(j), i.max(j))).collect();
            links.sort_unstable();
            links.dedup();
            let pairs = links.iter().map(|&(source, target)| Pair { source, target, link: true });
            let graph = Adjacency::undirected(&Pairs::new(n as usize, true, pairs));
            let (steps, mut marks) = (TwoSteps::new(&graph), Marks::default());
            let mut search = TwoSided::new(n as usize);
            for most in [0, 1, 3, 10, 40, 1_000] {
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j) {
                    if links.binary_search(&(i.min(j), i.max(j))).is_ok() {
                        continue;
                    }
                    if let Some(distance) = steps.between(&graph, [i, j], most, &mut marks) {
                        assert_eq!(
                            Some(distance),
                            search.between(&graph, [i, j], false, Some(most)),
                            "{i} {j} {most}"
                        );
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
