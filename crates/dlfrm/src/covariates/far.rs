//! What the network says of a pair beyond three steps: distance, components, random walks; and whether its ends are on chains.
//!
//! Directions are forgotten, and a link between the ends, in either direction, says nothing: every number is that of the network
//! without it.

use crate::network::Adjacency;
use crate::network::distance::{Distance, Steps, TwoSided, limit};
use crate::network::walks::RandomWalk;

use super::Matrix;
use super::components::Components;
use super::sources::Sources;
use super::walks::Walks;

/// What the columns are. The last is left out of networks that are too large for it.
pub(super) const NAMES: [&str; 10] = [
    "log distance",
    "squared log distance",
    "even distance",
    "not connected",
    "log smaller component if not connected",
    "log larger component if not connected",
    "larger degree is 1",
    "larger degree is 2",
    "smaller degree is 1",
    "log walks of length 2 to 10",
];

/// The links of a network without directions, ready to compute the columns of any pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Far {
    graph: Adjacency,
    components: Components,
    /// The arcs that the search of a distance looks at, if there is a limit.
    most_arcs: Option<usize>,
    walks: Option<Walks>,
}

/// What the pairs of one source share.
struct State {
    steps: Steps,
    search: TwoSided,
    walk: RandomWalk,
}

impl Far {
    /// Looks at links without directions.
    pub(super) fn new(graph: Adjacency) -> Self {
        let (components, walks) = (Components::new(&graph), Walks::new(&graph));
        Self { components, most_arcs: limit(&graph), walks, graph }
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> &'static [&'static str] {
        &NAMES[..NAMES.len() - usize::from(self.walks.is_none())]
    }

    /// Fills in the columns from some column on.
    pub(super) fn fill(&self, sources: &Sources<'_>, first: usize, matrix: &mut Matrix) {
        let entities = self.graph.len();
        let start = || State {
            steps: Steps::new(entities),
            search: TwoSided::new(entities),
            walk: RandomWalk::new(if self.walks.is_some() { entities } else { 0 }),
        };
        let columns = first..first + self.names().len();
        sources.fill(matrix, columns, start, |state, source, pairs| {
            if self.walks.is_some() {
                state.walk.start(&self.graph, source);
            }
            for (target, line) in pairs {
                let values = self.of([source, target], state);
                for (to, value) in line.iter_mut().zip(values) {
                    *to = value as f32;
                }
            }
        });
    }

    fn of(&self, ends: [u32; 2], state: &mut State) -> [f64; NAMES.len()] {
        let [source, target] = ends;
        let linked = self.graph.neighbours(source).binary_search(&target).is_ok();
        let walks = self.walks.as_ref();
        let walks = walks.map_or(0.0, |walks| walks.of(&self.graph, &state.walk, ends, linked));
        let [distance, squared, even, apart, smaller, larger] = self.connection(ends, linked, state);
        // In stretched networks an end that has no other link, or only one, is on a chain: logarithms of degrees are too
        // smooth to say so.
        let degrees = ends.map(|end| self.graph.degree(end) - usize::from(linked));
        let is = |degree: usize, value: usize| f64::from(u8::from(degree == value));
        let (most, least) = (degrees[0].max(degrees[1]), degrees[0].min(degrees[1]));
        let chain = [is(most, 1), is(most, 2), is(least, 1)];
        [distance, squared, even, apart, smaller, larger, chain[0], chain[1], chain[2], walks]
    }

    /// The columns of distance and components.
    fn connection(&self, ends: [u32; 2], linked: bool, state: &mut State) -> [f64; 6] {
        if let Some(sizes) = self.components.apart(ends[0], ends[1], linked) {
            let [one, other] = sizes.map(|size| f64::from(size).ln());
            return [0.0, 0.0, 0.0, 1.0, one.min(other), one.max(other)];
        }
        let Distance { steps, bound } = self.distance(ends, linked, state);
        let logarithm = f64::from(steps.max(1)).ln();
        let even = !bound && steps.is_multiple_of(2);
        [logarithm, logarithm * logarithm, f64::from(u8::from(even)), 0.0, 0.0, 0.0]
    }

    /// The distance of two entities that are connected.
    fn distance(&self, ends: [u32; 2], linked: bool, state: &mut State) -> Distance {
        let found = if self.most_arcs.is_none() && !linked {
            // One search from the source does for all its pairs.
            let steps = state.steps.between(&self.graph, ends[0], ends[1]);
            steps.map(|steps| Distance { steps, bound: false })
        } else {
            state.search.between(&self.graph, ends, linked, self.most_arcs)
        };
        found.expect("the ends are in one component")
    }
}

#[cfg(test)]
mod tests;
