//! What the links around a pair say of it. Its own link says nothing: every number is that of the network without it.
//!
//! One walk of two steps from a source reaches all nodes it has a common neighbour with, and with it the counts and sums of
//! all its pairs; a third step back from each target adds the paths of length three.

mod bipartite;
mod directed;
mod reference;
mod undirected;
mod walks;

pub(crate) use walks::Walker;
pub(super) use walks::Way;

use std::sync::Arc;

use crate::graph::Adjacency;
use crate::network::{Modes, Pairs};

use super::column::{Column, PathsOfTwo};
use super::far::{self, Far};
use super::neighbourhood::Neighbourhood;
use super::paths::Paths;
use super::sources::Sources;
use super::{Matrix, bounds};

/// The links of a network, ready to compute the covariates of any pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Topology {
    pub(super) directed: bool,
    /// Which nodes are rows and which are columns, in a bipartite network.
    pub(super) modes: Option<Arc<Modes>>,
    pub(super) outgoing: Adjacency,
    /// The same list if a pair stands for both directions.
    incoming: Option<Adjacency>,
    /// 1 / root of the degree, whatever the direction, and its sum over those that link to a node.
    pub(super) roots: Vec<f64>,
    sums: Vec<f64>,
    /// Around those that a source links to, and around those that link to a target: the same if a pair stands for both
    /// directions.
    pub(super) ahead: Neighbourhood,
    pub(super) behind: Option<Neighbourhood>,
    pub(super) paths: Option<Paths>,
    pub(super) far: Far,
    columns: Vec<Column>,
}

impl Topology {
    /// No pair has more columns.
    pub(super) const MOST_COLUMNS: usize =
        max(directed::COLUMNS.len(), undirected::COLUMNS.len()) + far::COLUMNS.len();

    /// Looks at the links among some pairs.
    pub(super) fn new(pairs: &Pairs) -> Self {
        let directed = !pairs.symmetric();
        let outgoing = Adjacency::outgoing(pairs);
        let incoming = directed.then(|| Adjacency::incoming(pairs));
        let back = incoming.as_ref().unwrap_or(&outgoing);
        let nodes = 0..pairs.nodes() as u32;
        let degree = |u: u32| degree(&outgoing, incoming.as_ref(), u);
        let roots: Vec<f64> = nodes.clone().map(|u| 1.0 / (degree(u).max(1) as f64).sqrt()).collect();
        let sum = |u: u32| back.neighbours(u).iter().map(|&v| roots[v as usize]).sum();
        let sums = nodes.map(sum).collect();
        let paths = Paths::new(&outgoing, back, directed);
        let ahead = Neighbourhood::new(&outgoing, &outgoing, back);
        let behind = incoming.as_ref().map(|incoming| Neighbourhood::new(incoming, &outgoing, &outgoing));
        let modes = pairs.modes().filter(|_| !directed).cloned();
        let far = Far::new(Adjacency::undirected(pairs), modes.clone());
        let near: &[Column] = match (directed, &modes) {
            (true, _) => &directed::COLUMNS,
            (false, None) => &undirected::COLUMNS,
            (false, Some(_)) => &bipartite::COLUMNS,
        };
        let near = &near[..near.len() - usize::from(paths.is_none())];
        let columns = [near, far.columns()].concat();
        Self { directed, modes, outgoing, incoming, roots, sums, ahead, behind, paths, far, columns }
    }

    /// The columns.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many columns are about paths of up to three steps, or of all lengths; the others see further.
    pub(super) fn near(&self) -> usize {
        self.columns.len() - self.far.columns().len()
    }

    /// The least and the most of each column, for pairs without a link at some distance.
    pub(super) fn ranges(&self, distance: bounds::Distance) -> Vec<[f64; 2]> {
        // In a directed network a pair that a walk has not reached may still be near, because of its link back.
        let known = !(self.directed && distance == bounds::Distance::Near);
        let nodes = 0..self.outgoing.len();
        let most = self.largest_degree();
        let range = |column: &Column| {
            let any = [0.0, column.most(most)];
            match (column.paths_of_two, distance) {
                _ if !known => any,
                (PathsOfTwo::AreNone, bounds::Distance::Far) => [1.0; 2],
                (PathsOfTwo::AreNone | PathsOfTwo::MustBeNone, bounds::Distance::Near)
                | (PathsOfTwo::MustBe, bounds::Distance::Far) => [0.0; 2],
                _ => any,
            }
        };
        let mut ranges: Vec<[f64; 2]> = self.columns[..self.near()].iter().map(range).collect();
        if let (Some(paths), Some(last)) = (&self.paths, ranges.last_mut()) {
            let all = nodes.map(|node| paths.range_from(node));
            let hull = |one: [f64; 2], other: [f64; 2]| [one[0].min(other[0]), one[1].max(other[1])];
            *last = all.reduce(hull).unwrap_or_default();
        }
        ranges.extend(self.far.ranges(known && distance == bounds::Distance::Near));
        ranges
    }

    /// The most links that a node has, whatever their direction.
    pub(super) fn largest_degree(&self) -> usize {
        (0..self.outgoing.len() as u32).map(|node| self.degree(node)).max().unwrap_or(0)
    }

    /// How many links a node has, whatever their direction.
    pub(super) fn degree(&self, node: u32) -> usize {
        degree(&self.outgoing, self.incoming.as_ref(), node)
    }

    pub(super) fn incoming(&self) -> &Adjacency {
        self.incoming.as_ref().unwrap_or(&self.outgoing)
    }

    /// Fills in the first columns.
    pub(super) fn fill(&self, sources: &Sources<'_>, matrix: &mut Matrix) {
        sources.fill(
            matrix,
            0..self.near(),
            || Walker::new(self),
            |walker, source, pairs| {
                walker.walk(self, source);
                for (target, line) in pairs {
                    walker.fill_from(self, source, target, line);
                }
            },
        );
        self.far.fill(sources, self.near(), matrix);
    }

    pub(super) fn linked(&self, source: u32, target: u32) -> bool {
        self.outgoing.neighbours(source).binary_search(&target).is_ok()
    }

    /// The logarithm of the sum over paths of all lengths, of a small network.
    pub(super) fn all_lengths(&self, source: u32, target: u32, linked: bool) -> f64 {
        self.paths.as_ref().map_or(0.0, |paths| paths.of(source, target, linked))
    }
}

fn degree(outgoing: &Adjacency, incoming: Option<&Adjacency>, node: u32) -> usize {
    outgoing.degree(node) + incoming.map_or(0, |incoming| incoming.degree(node))
}

const fn max(one: usize, other: usize) -> usize {
    if one < other { other } else { one }
}

pub(super) fn indicator(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// Writes the columns that there are.
fn write<const COLUMNS: usize>(values: [f64; COLUMNS], line: &mut [f32]) {
    for (to, value) in line.iter_mut().zip(values) {
        *to = value as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Pair;

    fn pairs(directed: bool, link: impl Fn(u32, u32) -> bool) -> Pairs {
        let all = (0..14_u32).flat_map(|i| (0..14).map(move |j| (i, j)));
        let all = all.filter(|&(i, j)| i != j && (directed || i < j));
        Pairs::new(
            14,
            !directed,
            all.map(|(source, target)| Pair { source, target, link: link(source, target) }),
        )
    }

    fn raw(topology: &Topology, pair: (u32, u32)) -> Vec<f32> {
        let mut matrix = Matrix::new(topology.columns().len(), 1);
        Sources::with_pairs(&[pair], &mut matrix, |sources, matrix| topology.fill(sources, matrix));
        matrix.row(0).to_vec()
    }

    /// The covariates of a link are those of the same pair where it is no link.
    #[test]
    fn a_link_does_not_see_itself() {
        for directed in [false, true] {
            let link = |i: u32, j: u32| (i * 5 + j * 3 + i * j) % 4 == 1;
            // Paths of all lengths depend on the links by their weight, too; they have a test of their own.
            let strip = |topology: Topology| Topology { paths: None, ..topology };
            let whole = strip(Topology::new(&pairs(directed, link)));
            for pair in pairs(directed, link).iter().filter(|pair| pair.link) {
                let ends = (pair.source, pair.target);
                let without = strip(Topology::new(&pairs(directed, |i, j| link(i, j) && (i, j) != ends)));
                let (seen, expected) = (raw(&whole, ends), raw(&without, ends));
                for ((seen, expected), column) in seen.iter().zip(&expected).zip(whole.columns()) {
                    let name = column.name;
                    assert!((seen - expected).abs() < 1e-5, "{directed} {ends:?} {name}: {seen} {expected}");
                }
            }
        }
    }

    /// All pairs at once and pairs one by one have the same covariates; and the numbers are what their names say.
    #[test]
    fn columns_are_what_they_are_called() {
        for directed in [false, true] {
            let link = |i: u32, j: u32| (i * 7 + j * 2 + i * j) % 5 == 1;
            let pairs = pairs(directed, link);
            let topology = Topology::new(&pairs);
            let mut matrix = Matrix::new(topology.columns().len(), pairs.len());
            topology.fill(&Sources::of(&pairs), &mut matrix);
            let linked = |i: u32, j: u32| i != j && if directed || i < j { link(i, j) } else { link(j, i) };
            let degree = |u: u32| {
                let count = |way: &dyn Fn(u32) -> bool| (0..14).filter(|&v| way(v)).count() as f64;
                count(&|v| linked(u, v)) + if directed { count(&|v| linked(v, u)) } else { 0.0 }
            };
            let column = |name: &str| topology.columns().iter().position(|other| other.name == name).unwrap();
            for (number, pair) in pairs.iter().enumerate() {
                let (i, j) = (pair.source, pair.target);
                assert_eq!(matrix.row(number), raw(&topology, (i, j)));
                let between: Vec<u32> = (0..14).filter(|&u| linked(i, u) && linked(u, j)).collect();
                let share: f64 = between.iter().map(|&u| 1.0 / degree(u)).sum();
                let three: f64 = (0..14)
                    .flat_map(|u| (0..14).map(move |v| (u, v)))
                    .filter(|&(u, v)| u != j && v != i && linked(i, u) && linked(v, u) && linked(v, j))
                    .map(|(u, v)| 1.0 / (degree(u) * degree(v)).sqrt())
                    .sum();
                // Those that i links to but for j, those that link to j but for i, and the degrees that these have.
                let ahead: Vec<u32> = (0..14).filter(|&u| u != j && linked(i, u)).collect();
                let behind: Vec<u32> = (0..14).filter(|&u| u != i && linked(u, j)).collect();
                let to = |u: u32| (0..14).filter(|&v| linked(v, u)).count() as f64;
                let from = |u: u32| (0..14).filter(|&v| linked(u, v)).count() as f64;
                let clustering = |list: &[u32]| {
                    let ordered = list.iter().flat_map(|&u| list.iter().map(move |&v| (u, v)));
                    let closed = ordered.filter(|&(u, v)| linked(u, v)).count() as f64;
                    if list.len() < 2 { 0.0 } else { closed / (list.len() * (list.len() - 1)) as f64 }
                };
                let mean = |list: &[u32], degree: &dyn Fn(u32) -> f64| {
                    list.iter().map(|&u| degree(u).ln_1p()).sum::<f64>() / (list.len() as f64).max(1.0)
                };
                let around =
                    [[clustering(&ahead), clustering(&behind)], [mean(&ahead, &to), mean(&behind, &from)]];
                let (names, places) = if directed {
                    (
                        [
                            "log paths i -> u -> j",
                            "resource allocation i -> u -> j",
                            "log paths i -> u <- v -> j",
                            "clustering among those i links to",
                            "clustering among those that link to j",
                            "mean log links to those i links to",
                            "mean log links from those that link to j",
                        ],
                        [0, 1],
                    )
                } else {
                    (
                        [
                            "log common neighbours",
                            "log resource allocation",
                            "log paths of length 3",
                            "clustering around the larger",
                            "clustering around the smaller",
                            "mean log degree around the larger",
                            "mean log degree around the smaller",
                        ],
                        if ahead.len() < behind.len() { [1, 0] } else { [0, 1] },
                    )
                };
                let sums = [between.len() as f64, 10.0 * share, 10.0 * three].map(f64::ln_1p);
                let values =
                    sums.into_iter().chain(around.iter().flat_map(|end| places.map(|place| end[place])));
                for (name, value) in names.into_iter().zip(values) {
                    let seen = f64::from(matrix.row(number)[column(name)]);
                    assert!((seen - value).abs() < 1e-5, "{name} of {i} {j}: {seen} {value}");
                }
            }
        }
    }
}
