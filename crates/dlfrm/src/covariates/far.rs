//! What the network says of a pair beyond three steps: distance, components, random walks; and whether its ends are on chains.
//!
//! Directions are forgotten, and a link between the ends, in either direction, says nothing: every number is that of the network
//! without it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::Adjacency;
use crate::graph::distance::{Components, Distance, Steps, TwoSided, limit};
use crate::graph::walks::RandomWalk;
use crate::graph::without_link::PairWalks;
use crate::network::Modes;

use super::columns::{Column, FAR, FAR_BIPARTITE};
use super::matrix::{Matrix, Sources};

/// The links of a network without directions, ready to compute the columns of any pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Far {
    graph: Adjacency,
    modes: Option<Arc<Modes>>,
    components: Components,
    /// The arcs that the search of a distance looks at, if there is a limit.
    most_arcs: Option<usize>,
    walks: Option<PairWalks>,
    memory: Memory,
}

#[derive(Debug)]
struct State {
    steps: Steps,
    search: TwoSided,
    walk: RandomWalk,
}

impl Far {
    pub(super) fn new(graph: Adjacency, modes: Option<Arc<Modes>>) -> Self {
        let (components, walks) = (Components::new(&graph), PairWalks::new(&graph));
        Self { components, most_arcs: limit(&graph), walks, graph, modes, memory: Memory::default() }
    }

    pub(super) fn columns(&self) -> &'static [Column] {
        let all = if self.modes.is_some() { &FAR_BIPARTITE } else { &FAR };
        &all[..all.len() - usize::from(self.walks.is_none())]
    }

    pub(super) fn fill(&self, sources: &Sources<'_>, first: usize, matrix: &mut Matrix) {
        let start = || self.memory.take(|| self.state());
        let columns = first..first + self.columns().len();
        sources.fill(matrix, columns, start, |borrowed, source, pairs| {
            let state = borrowed.state();
            if let Some(walks) = &self.walks {
                walks.start(&self.graph, &mut state.walk, source);
            }
            for (target, line) in pairs {
                let values = self.of([source, target], state);
                for (to, value) in line.iter_mut().zip(values) {
                    *to = value as f32;
                }
            }
        });
    }

    fn state(&self) -> State {
        let nodes = self.graph.len();
        State {
            steps: Steps::new(nodes),
            search: TwoSided::new(nodes),
            walk: RandomWalk::new(if self.walks.is_some() { nodes } else { 0 }),
        }
    }

    fn of(&self, ends: [u32; 2], state: &mut State) -> [f64; FAR.len()] {
        let [source, target] = ends;
        let linked = self.graph.neighbours(source).binary_search(&target).is_ok();
        let walks = self.walks.as_ref();
        let walks = walks.map_or(0.0, |walks| walks.of(&self.graph, &state.walk, ends, linked));
        let [distance, squared, even, apart, smaller, larger] = self.connection(ends, linked, state);
        // In stretched networks an end that has no other link, or only one, is on a chain: logarithms of degrees are too
        // smooth to say so.
        let degrees = ends.map(|end| self.graph.degree(end) - usize::from(linked));
        let is = |degree: usize, value: usize| f64::from(u8::from(degree == value));
        if let Some(modes) = &self.modes {
            let turned = modes.row_first((source, target)).0 != source;
            let [row, column] = if turned { [degrees[1], degrees[0]] } else { degrees };
            let few = [is(row, 1), is(row, 2), is(column, 1), is(column, 2)];
            return [distance, squared, apart, smaller, larger, few[0], few[1], few[2], few[3], walks];
        }
        let (most, least) = (degrees[0].max(degrees[1]), degrees[0].min(degrees[1]));
        let chain = [is(most, 1), is(most, 2), is(least, 1)];
        [distance, squared, even, apart, smaller, larger, chain[0], chain[1], chain[2], walks]
    }

    fn connection(&self, ends: [u32; 2], linked: bool, state: &mut State) -> [f64; 6] {
        if let Some(sizes) = self.components.apart(ends[0], ends[1], linked) {
            let [one, other] = sizes.map(|size| f64::from(size).ln());
            return [0.0, 0.0, 0.0, 1.0, one.min(other), one.max(other)];
        }
        let found = if self.most_arcs.is_none() && !linked {
            // One search from the source does for all its pairs.
            let steps = state.steps.between(&self.graph, ends[0], ends[1]);
            steps.map(|steps| Distance { steps, bound: false })
        } else {
            state.search.between(&self.graph, ends, linked, self.most_arcs)
        };
        let Distance { steps, bound } = found.expect("the ends are in one component");
        let logarithm = f64::from(steps.max(1)).ln();
        let even = !bound && steps.is_multiple_of(2);
        [logarithm, logarithm * logarithm, f64::from(u8::from(even)), 0.0, 0.0, 0.0]
    }

    fn longest(&self) -> u32 {
        let mut seen = vec![false; self.graph.len()];
        let mut longest = 1;
        for first in 0..self.graph.len() as u32 {
            let (mut edge, mut steps) = (vec![first], 0);
            while !edge.is_empty() {
                // Their neighbours that were not seen before.
                let mut next = vec![];
                for node in edge {
                    seen[node as usize] = true;
                    let new = |&&other: &&u32| !std::mem::replace(&mut seen[other as usize], true);
                    next.extend(self.graph.neighbours(node).iter().filter(new));
                }
                edge = next;
                steps += u32::from(!edge.is_empty());
            }
            // Over the node that the search began with.
            longest = longest.max(2 * steps);
        }
        longest
    }

    /// The least and the most of each column, for pairs without a link: for any, or for those with a path of length two.
    pub(super) fn ranges(&self, near: bool) -> Vec<[f64; 2]> {
        let most = (0..self.graph.len() as u32).map(|node| self.graph.degree(node)).max().unwrap_or(0);
        let (steps, size) = (f64::from(self.longest()).ln(), f64::from(self.components.largest()).ln());
        let apart = f64::from(u8::from(self.components.several()));
        let walks = PairWalks::range(most);
        let yes = [0.0, 1.0];
        let two = std::f64::consts::LN_2;
        let connection = match (near, self.most_arcs) {
            (false, _) => [
                [0.0, steps],
                [0.0, steps * steps],
                yes,
                [0.0, apart],
                [0.0, apart * size],
                [0.0, apart * size],
            ],
            (true, None) => [[two; 2], [two * two; 2], [1.0; 2], [0.0; 2], [0.0; 2], [0.0; 2]],
            // A search may end too soon.
            (true, Some(_)) => [[0.0, two], [0.0, two * two], yes, [0.0; 2], [0.0; 2], [0.0; 2]],
        };
        let mut all = [&connection[..], &[yes; 3], &[walks]].concat();
        if self.modes.is_some() {
            // One column that says whether the distance is even is not there, and one more about degrees is.
            all = [&connection[..2], &connection[3..], &[yes; 4], &[walks]].concat();
        }
        all[..self.columns().len()].to_vec()
    }

    /// The most that a linear function of the columns is for the pairs of each node without and with a path of length two, by
    /// the slopes of the columns.
    pub(super) fn most(&self, slope: impl Fn(&str) -> f64) -> Vec<[f64; 2]> {
        // In a bipartite network columns that it does not have are of slope zero, and what degrees add is known of each end.
        let slopes = FAR.map(|column| slope(column.name));
        let at = |steps: u32, even: bool| {
            let logarithm = f64::from(steps).ln();
            slopes[0] * logarithm + slopes[1] * logarithm * logarithm + if even { slopes[2] } else { 0.0 }
        };
        let longest = self.longest();
        let further = (3..=longest).map(|steps| at(steps, steps.is_multiple_of(2)));
        let (mut far, mut near) = (further.fold(f64::NEG_INFINITY, f64::max), at(2, true));
        if self.most_arcs.is_some() {
            // A search may end too soon.
            let ended = (2..=longest).map(|steps| at(steps, false));
            (far, near) = (ended.fold(far, f64::max), near.max(at(2, false)));
        }
        let apart = self.components.most_apart(|one, other| {
            let [one, other] = [one, other].map(|size| f64::from(size).ln());
            slopes[3] + slopes[4] * one.min(other) + slopes[5] * one.max(other)
        });
        let chain = slopes[6].max(slopes[7]).max(0.0) + slopes[8].max(0.0);
        let of = |(node, apart): (u32, f64)| {
            let degree = self.graph.degree(node);
            let walks = PairWalks::range(degree).map(|value| slopes[9] * value);
            let walks = if self.walks.is_some() { walks[0].max(walks[1]) } else { 0.0 };
            // Only a search between ends with more links than that ends at once.
            let at_once =
                self.most_arcs.filter(|&most| degree > most).map_or(f64::NEG_INFINITY, |_| at(1, false));
            [far.max(apart).max(at_once), near.max(at_once)].map(|most| most + chain + walks)
        };
        (0..).zip(apart).map(of).collect()
    }
}

/// States that are kept for the next pairs: they are as large as the network.
#[derive(Debug, Clone, Default)]
struct Memory(Arc<Mutex<Vec<State>>>);

impl Memory {
    fn take(&self, new: impl FnOnce() -> State) -> Borrowed {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Borrowed { state: Some(state.unwrap_or_else(new)), memory: self.clone() }
    }
}

/// Memory says nothing of the network.
impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A state that returns to where it was taken from.
struct Borrowed {
    state: Option<State>,
    memory: Memory,
}

impl Borrowed {
    fn state(&mut self) -> &mut State {
        self.state.as_mut().expect("it is there until the end")
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let mut states = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        states.extend(self.state.take());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::walks::LENGTH;
    use crate::network::{Pair, Pairs};

    /// A network as a matrix without directions and without the links between two nodes.
    fn without(pairs: &Pairs, ends: (u32, u32)) -> Vec<Vec<bool>> {
        let n = pairs.nodes();
        let mut matrix = vec![vec![false; n]; n];
        for Pair { source, target, .. } in pairs.iter().filter(|pair| pair.link) {
            if (source, target) != ends && (target, source) != ends {
                matrix[source as usize][target as usize] = true;
                matrix[target as usize][source as usize] = true;
            }
        }
        matrix
    }

    /// The columns by their definitions.
    fn defined(matrix: &[Vec<bool>], (i, j): (usize, usize)) -> [f64; FAR.len()] {
        let n = matrix.len();
        let degree = |u: usize| matrix[u].iter().filter(|&&link| link).count() as f64;
        // Steps by as many rounds over all links as there are nodes.
        let steps = |from: usize| {
            let mut steps = vec![usize::MAX; n];
            steps[from] = 0;
            for _ in 0..n {
                for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))) {
                    if matrix[u][v] && steps[u] != usize::MAX {
                        steps[v] = steps[v].min(steps[u] + 1);
                    }
                }
            }
            steps
        };
        let size = |from: usize| steps(from).iter().filter(|&&steps| steps != usize::MAX).count() as f64;
        let mut walk: Vec<f64> = (0..n).map(|u| f64::from(u8::from(u == i))).collect();
        let mut sum = 0.0;
        for length in 1..=LENGTH {
            walk =
                (0..n).map(|v| (0..n).filter(|&u| matrix[u][v]).map(|u| walk[u] / degree(u)).sum()).collect();
            if length > 1 {
                sum += degree(i) * walk[j];
            }
        }
        let walks = (sum + 1e-4).ln();
        let (larger, smaller) = (degree(i).max(degree(j)), degree(i).min(degree(j)));
        let chain = [larger == 1.0, larger == 2.0, smaller == 1.0].map(|yes| f64::from(u8::from(yes)));
        let connection = match steps(i)[j] {
            usize::MAX => {
                let (one, other) = (size(i).ln(), size(j).ln());
                [0.0, 0.0, 0.0, 1.0, one.min(other), one.max(other)]
            }
            steps => {
                let logarithm = (steps as f64).ln();
                let even = f64::from(u8::from(steps % 2 == 0));
                [logarithm, logarithm * logarithm, even, 0.0, 0.0, 0.0]
            }
        };
        let values: Vec<f64> = connection.into_iter().chain(chain).chain([walks]).collect();
        values.try_into().expect("one value for each name")
    }

    fn columns(far: &Far, pairs: &[(u32, u32)]) -> Matrix {
        let mut matrix = Matrix::new(far.columns().len(), pairs.len());
        Sources::with_pairs(pairs, &mut matrix, |sources, matrix| far.fill(sources, 0, matrix));
        matrix
    }

    /// Sparse networks of up to 18 nodes, with trees, cycles and parts that are not connected.
    fn some_links() -> impl Strategy<Value = Pairs> {
        (2_usize..18, any::<bool>(), 0.3_f64..3.0).prop_flat_map(|(n, symmetric, degree)| {
            prop::collection::vec(0.0_f64..1.0, n * n).prop_map(move |draws| {
                let ids = (0..n as u32).flat_map(|i| (0..n as u32).map(move |j| (i, j)));
                let links = ids
                    .zip(&draws)
                    .filter(|&((i, j), &draw)| i != j && (!symmetric || i < j) && draw < degree / n as f64)
                    .map(|((source, target), _)| Pair { source, target, link: true });
                Pairs::new(n, symmetric, links)
            })
        })
    }

    fn all_pairs(n: usize) -> Vec<(u32, u32)> {
        let n = n as u32;
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn columns_are_those_of_the_network_without_the_link(links in some_links()) {
            let pairs = all_pairs(links.nodes());
            let exact = Far::new(Adjacency::undirected(&links), None);
            // A search that may look at every arc, for pairs without a link, too.
            let searched = Far { most_arcs: Some(usize::MAX), ..exact.clone() };
            for far in [exact, searched] {
                let found = columns(&far, &pairs);
                for (line, &(i, j)) in pairs.iter().enumerate() {
                    let expected = defined(&without(&links, (i, j)), (i as usize, j as usize));
                    for ((&found, expected), name) in found.row(line).iter().zip(expected).zip(FAR.map(|column| column.name)) {
                        let difference = (f64::from(found) - expected).abs();
                        prop_assert!(difference < 1e-5, "{} of {:?}: {} {}", name, (i, j), found, expected);
                    }
                }
            }
        }

        /// A bounded search says the same of a pair in both orders, and the same with its link as without.
        #[test]
        fn bounds_do_not_see_the_link_either(links in some_links(), most_arcs in 1_usize..12) {
            let bounded = |links: &Pairs| Far { most_arcs: Some(most_arcs), walks: None, ..Far::new(Adjacency::undirected(links), None) };
            let whole = bounded(&links);
            for (i, j) in all_pairs(links.nodes()) {
                let others = links.iter().filter(|pair| {
                    (pair.source, pair.target) != (i, j) && (pair.target, pair.source) != (i, j)
                });
                let without = bounded(&Pairs::new(links.nodes(), links.symmetric(), others));
                let found = columns(&whole, &[(i, j), (j, i)]);
                prop_assert_eq!(found.row(0), found.row(1));
                let expected = columns(&without, &[(i, j)]);
                prop_assert_eq!(found.row(0), expected.row(0));
                let exact = defined(&self::without(&links, (i, j)), (i as usize, j as usize))[0] as f32;
                prop_assert!(found.row(0)[0] <= exact, "a bound above the distance");
            }
        }
    }

    #[test]
    fn long_chains_are_searched_and_threads_do_not_matter() {
        let link = |i: u32| Pair { source: i, target: i + 1, link: true };
        let chain = Pairs::new(50_000, true, (0..49_999).map(link));
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let far = Far::new(Adjacency::undirected(&chain), None);
                let pairs: Vec<(u32, u32)> = (0..100).map(|i| (i * 400, i * 400 + 1 + i % 3)).collect();
                (far.columns().len(), columns(&far, &[vec![(0, 49_999)], pairs].concat()))
            })
        };
        let (names, found) = on(1);
        assert_eq!((names, found.clone()), on(4));
        // The first step from either end looks at one arc and every other one at two: 501 steps are taken with 1,000 arcs.
        assert_eq!(found.row(0)[0], 502_f64.ln() as f32);
        // A link of a chain is a bridge, with 1 and 49,999 nodes on its sides.
        assert_eq!(found.row(1)[3..6], [1.0, 0.0, 49_999_f32.ln()]);
    }
}
