//! What the links around a pair say of it. Its own link says nothing: every number is that of the network without it.
//!
//! One walk of two steps from a source reaches all nodes it has a common neighbour with, and with it the counts and sums of
//! all its pairs; a third step back from each target adds the paths of length three.

use std::sync::Arc;

use rayon::prelude::*;

use crate::graph::Adjacency;
use crate::graph::without_link::PairPaths;
use crate::network::{Mode, Modes, Pairs};
use crate::random::scatter;

use super::columns::{BIPARTITE, Column, DIRECTED, Distance, FAR, PathsOfTwo, UNDIRECTED};
use super::far::Far;
use super::matrix::{Matrix, Sources};

/// So many links at most are among the pairs that columns are compared on.
const MOST_REFERENCES: usize = 1_000;

/// The links of a network, ready to compute the covariates of any pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Topology {
    pub(super) directed: bool,
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
    pub(super) paths: Option<PairPaths>,
    pub(super) far: Far,
    columns: Vec<Column>,
}

impl Topology {
    /// No pair has more columns.
    pub(super) const MOST_COLUMNS: usize = max(DIRECTED.len(), UNDIRECTED.len()) + FAR.len();

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
        let paths = PairPaths::new(&outgoing, back, directed);
        let ahead = Neighbourhood::new(&outgoing, &outgoing, back);
        let behind = incoming.as_ref().map(|incoming| Neighbourhood::new(incoming, &outgoing, &outgoing));
        let modes = pairs.modes().filter(|_| !directed).cloned();
        let far = Far::new(Adjacency::undirected(pairs), modes.clone());
        let near: &[Column] = match (directed, &modes) {
            (true, _) => &DIRECTED,
            (false, None) => &UNDIRECTED,
            (false, Some(_)) => &BIPARTITE,
        };
        let near = &near[..near.len() - usize::from(paths.is_none())];
        let columns = [near, far.columns()].concat();
        Self { directed, modes, outgoing, incoming, roots, sums, ahead, behind, paths, far, columns }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many columns are about paths of up to three steps, or of all lengths; the others see further.
    pub(super) fn near(&self) -> usize {
        self.columns.len() - self.far.columns().len()
    }

    /// The least and the most of each column, for pairs without a link at some distance.
    pub(super) fn ranges(&self, distance: Distance) -> Vec<[f64; 2]> {
        // In a directed network a pair that a walk has not reached may still be near, because of its link back.
        let known = !(self.directed && distance == Distance::Near);
        let nodes = 0..self.outgoing.len();
        let most = self.largest_degree();
        let range = |column: &Column| {
            let any = [0.0, column.most(most)];
            match (column.paths_of_two, distance) {
                _ if !known => any,
                (PathsOfTwo::AreNone, Distance::Far) => [1.0; 2],
                (PathsOfTwo::AreNone | PathsOfTwo::MustBeNone, Distance::Near)
                | (PathsOfTwo::MustBe, Distance::Far) => [0.0; 2],
                _ => any,
            }
        };
        let mut ranges: Vec<[f64; 2]> = self.columns[..self.near()].iter().map(range).collect();
        if let (Some(paths), Some(last)) = (&self.paths, ranges.last_mut()) {
            let all = nodes.map(|node| paths.range_from(node));
            let hull = |one: [f64; 2], other: [f64; 2]| [one[0].min(other[0]), one[1].max(other[1])];
            *last = all.reduce(hull).unwrap_or_default();
        }
        ranges.extend(self.far.ranges(known && distance == Distance::Near));
        ranges
    }

    /// The most links that a node has, whatever their direction.
    pub(super) fn largest_degree(&self) -> usize {
        (0..self.outgoing.len() as u32).map(|node| self.degree(node)).max().unwrap_or(0)
    }

    pub(super) fn degree(&self, node: u32) -> usize {
        degree(&self.outgoing, self.incoming.as_ref(), node)
    }

    pub(super) fn incoming(&self) -> &Adjacency {
        self.incoming.as_ref().unwrap_or(&self.outgoing)
    }

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

    /// Links at even distances in their list, and as many pairs of nodes that are drawn with fixed numbers.
    pub(super) fn reference_pairs(&self) -> Vec<(u32, u32)> {
        let nodes = self.outgoing.len() as u32;
        let arcs = (0..nodes)
            .flat_map(|source| self.outgoing.neighbours(source).iter().map(move |&target| (source, target)));
        let links = arcs.filter(|&(source, target)| self.directed || source < target);
        let count = self.outgoing.arcs() / if self.directed { 1 } else { 2 };
        let mut pairs: Vec<(u32, u32)> = links.step_by(count.div_ceil(MOST_REFERENCES).max(1)).collect();
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

    /// A sum over paths of length three without those that begin with the pair's own link: over it to the target, on to one
    /// of those that link to it, and back.
    fn without_own_link(&self, source: u32, target: u32, sum: f64) -> f64 {
        let over = self.roots[target as usize] * (self.sums[target as usize] - self.roots[source as usize]);
        let left = sum - over;
        if left < 1e-9 * sum { 0.0 } else { left }
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

fn write<const COLUMNS: usize>(values: [f64; COLUMNS], line: &mut [f32]) {
    for (to, value) in line.iter_mut().zip(values) {
        *to = value as f32;
    }
}

/// Of every node, over its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Neighbourhood {
    /// Ordered pairs of neighbours that are linked.
    closed: Vec<f64>,
    /// The sum of the logarithms of their degrees.
    degrees: Vec<f64>,
    /// The logarithm of the degree of each node, as a neighbour.
    logarithms: Vec<f64>,
}

/// Of one end of a pair, its own link apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Around {
    /// The share of the ordered pairs of neighbours that are linked; 0 with fewer than two.
    pub(super) clustering: f64,
    /// The mean of the logarithms of their degrees; 0 without any.
    pub(super) degree: f64,
}

impl Neighbourhood {
    /// Of the neighbours in one list, linked by another, with the degrees of a third.
    pub(super) fn new(neighbours: &Adjacency, links: &Adjacency, degrees: &Adjacency) -> Self {
        let nodes = neighbours.len();
        let logarithms: Vec<f64> = (0..nodes as u32).map(|u| (degrees.degree(u) as f64).ln_1p()).collect();
        let closed = (0..nodes as u32).into_par_iter().map_init(
            || vec![false; nodes],
            |marked, node| {
                let around = neighbours.neighbours(node);
                for &u in around {
                    marked[u as usize] = true;
                }
                let linked = |&u: &u32| links.neighbours(u).iter().filter(|&&v| marked[v as usize]).count();
                let count: usize = around.iter().map(linked).sum();
                for &u in around {
                    marked[u as usize] = false;
                }
                count as f64
            },
        );
        let sum = |u: u32| neighbours.neighbours(u).iter().map(|&v| logarithms[v as usize]).sum();
        Self { closed: closed.collect(), degrees: (0..nodes as u32).map(sum).collect(), logarithms }
    }

    /// Around a node with so many neighbours but for the other end of the pair. If that is a neighbour, it is so in
    /// `closing` of the linked pairs.
    pub(super) fn around(&self, node: u32, others: f64, own: Option<(u32, f64)>) -> Around {
        let node = node as usize;
        let (degree, closing) =
            own.map_or((0.0, 0.0), |(end, closing)| (self.logarithms[end as usize], closing));
        let (closed, degrees) = (self.closed[node] - closing, self.degrees[node] - degree);
        Around {
            clustering: if others < 2.0 { 0.0 } else { closed / (others * (others - 1.0)) },
            degree: if others < 1.0 { 0.0 } else { degrees / others },
        }
    }
}

/// What two steps to a node add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Way {
    pub(super) count: f64,
    /// Each counted by 1 / log degree of the node between (Adamic and Adar).
    pub(super) adamic: f64,
    /// Each counted by 1 / degree (resource allocation).
    pub(super) share: f64,
    /// Each counted by 1 / root of the degree: the first two steps of a path of length three.
    pub(super) step: f64,
}

/// What walks of two steps from one node at a time have reached.
#[derive(Debug)]
pub(crate) struct Walker {
    /// One where a pair stands for both directions; else four, along and against the links.
    kinds: usize,
    ways: Vec<Way>,
    reached: Vec<u32>,
}

impl Walker {
    pub(super) fn new(topology: &Topology) -> Self {
        let kinds = if topology.directed { 4 } else { 1 };
        Self { kinds, ways: vec![Way::default(); kinds * topology.outgoing.len()], reached: vec![] }
    }

    /// Two steps of each kind to all nodes but the first one itself; what was reached before is forgotten.
    pub(super) fn walk(&mut self, topology: &Topology, from: u32) {
        for node in self.reached.drain(..) {
            self.ways[node as usize * self.kinds..][..self.kinds].fill(Way::default());
        }
        let (out, back) = (&topology.outgoing, topology.incoming());
        let kinds = [[out, out], [out, back], [back, out], [back, back]].into_iter().take(self.kinds);
        for (kind, [first, second]) in kinds.enumerate() {
            for &between in first.neighbours(from) {
                let step = topology.roots[between as usize];
                let share = step * step;
                let adamic = -1.0 / share.ln();
                for &end in second.neighbours(between) {
                    if end == from {
                        continue;
                    }
                    let ways = &mut self.ways[end as usize * self.kinds..][..self.kinds];
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

    pub(super) fn reached(&self) -> &[u32] {
        &self.reached
    }

    pub(crate) fn has_reached(&self, node: u32) -> bool {
        self.ways(node).iter().any(|way| way.count > 0.0)
    }

    pub(super) fn ways(&self, to: u32) -> &[Way] {
        &self.ways[to as usize * self.kinds..][..self.kinds]
    }

    /// The summed paths of length three whose first two steps are of one kind and whose last is from one of these.
    fn three_steps(&self, topology: &Topology, last: &[u32], kind: usize) -> f64 {
        last.iter().map(|&v| self.ways(v)[kind].step * topology.roots[v as usize]).sum()
    }

    /// The summed paths of length three to a node, which the one that was walked from does not link to.
    pub(super) fn three(&self, topology: &Topology, to: u32) -> f64 {
        self.three_steps(topology, topology.incoming().neighbours(to), usize::from(self.kinds > 1))
    }

    pub(super) fn fill_from(&self, topology: &Topology, source: u32, target: u32, line: &mut [f32]) {
        let linked = topology.linked(source, target);
        let sum = self.three(topology, target);
        let three = if linked { topology.without_own_link(source, target, sum) } else { sum };
        let (pair, ways) = ((source, target), self.ways(target));
        if let Some(modes) = &topology.modes {
            fill_bipartite(topology, modes, pair, three, linked, line);
        } else if let &[on, ahead, behind, round] = ways {
            fill_directed(topology, pair, [on, ahead, behind, round], three, linked, line);
        } else {
            fill_undirected(topology, pair, ways[0], three, linked, line);
        }
    }

    /// Fills in the columns of a pair to the node that was walked from, which is no link. Sums may differ from those of
    /// [`fill_from`](Self::fill_from) in their last bits.
    pub(super) fn fill_to(&self, topology: &Topology, source: u32, target: u32, line: &mut [f32]) {
        let &[on, ahead, behind, round] = self.ways(source) else {
            return self.fill_from(topology, target, source, line);
        };
        // Walked backwards, a path along both links is one against both, and the other way round.
        let three = self.three_steps(topology, topology.outgoing.neighbours(source), 2);
        fill_directed(topology, (source, target), [round, ahead, behind, on], three, false, line);
    }
}

fn fill_undirected(
    topology: &Topology,
    (source, target): (u32, u32),
    way: Way,
    three: f64,
    linked: bool,
    line: &mut [f32],
) {
    let degree = |u: u32| (topology.outgoing.degree(u) - usize::from(linked)) as f64;
    let ends = [(degree(source), source, target), (degree(target), target, source)];
    // Of two degrees that are the same that of the smaller id counts as the larger.
    let turned = ends[0].0 < ends[1].0 || (ends[0].0 == ends[1].0 && source > target);
    let ends = if turned { [ends[1], ends[0]] } else { ends };
    let around = ends.map(|(degree, node, other)| {
        // The other end is linked to each common neighbour, and each of them to it.
        let own = linked.then_some((other, 2.0 * way.count));
        topology.ahead.around(node, degree, own)
    });
    let [Around { clustering, degree: around_larger }, smaller_end] = around;
    let degrees = ends.map(|(degree, ..)| degree);
    let [larger, smaller] = degrees.map(f64::ln_1p);
    let mean = (degrees[0] * degrees[1]).max(1.0).sqrt();
    let (none, common, longer) = (indicator(way.count == 0.0), way.count.ln_1p(), (10.0 * three).ln_1p());
    let values = [
        none,
        common,
        common * common,
        way.adamic.ln_1p(),
        (10.0 * way.share).ln_1p(),
        way.count / mean,
        larger,
        smaller,
        none * larger,
        none * smaller,
        larger * larger,
        smaller * smaller,
        larger * smaller,
        indicator(degrees[1] == 0.0),
        clustering,
        smaller_end.clustering,
        indicator(clustering == 0.0),
        around_larger,
        smaller_end.degree,
        indicator(three == 0.0),
        longer,
        longer * longer,
        (10.0 * three / mean).ln_1p(),
        topology.all_lengths(source, target, linked),
    ];
    write(values, line);
}

fn fill_directed(
    topology: &Topology,
    (source, target): (u32, u32),
    kinds: [Way; 4],
    three: f64,
    linked: bool,
    line: &mut [f32],
) {
    let own = usize::from(linked);
    let (outgoing, incoming) = (&topology.outgoing, topology.incoming());
    let degrees = [
        outgoing.degree(source) - own,
        incoming.degree(target) - own,
        incoming.degree(source),
        outgoing.degree(target),
    ];
    let degrees = degrees.map(|degree| degree as f64);
    let [from, to, back_to, back_from] = degrees.map(f64::ln_1p);
    let [counted_on, counted_ahead, counted_behind, _] = kinds.map(|way| way.count);
    // Among those i links to, j is linked by u of i -> u -> j, and links to u of i -> u <- j; among those that link to
    // j, i links to u of i -> u -> j, and is linked by u of i <- u -> j.
    let ahead = linked.then_some((target, counted_on + counted_ahead));
    let ahead = topology.ahead.around(source, degrees[0], ahead);
    let behind = linked.then_some((source, counted_on + counted_behind));
    let behind = topology.behind.as_ref().unwrap_or(&topology.ahead).around(target, degrees[1], behind);
    let none = kinds.iter().all(|way| way.count == 0.0);
    let [on, ahead_of, behind_of, round] = kinds.map(|way| [way.count.ln_1p(), (10.0 * way.share).ln_1p()]);
    let values = [
        indicator(topology.linked(target, source)),
        indicator(none),
        on[0],
        on[1],
        ahead_of[0],
        ahead_of[1],
        behind_of[0],
        behind_of[1],
        round[0],
        round[1],
        from,
        to,
        back_to,
        back_from,
        from * to,
        indicator(degrees[0] == 0.0),
        indicator(degrees[1] == 0.0),
        ahead.clustering,
        behind.clustering,
        ahead.degree,
        behind.degree,
        indicator(three == 0.0),
        (10.0 * three).ln_1p(),
        topology.all_lengths(source, target, linked),
    ];
    write(values, line);
}

fn fill_bipartite(
    topology: &Topology,
    modes: &Modes,
    pair: (u32, u32),
    three: f64,
    linked: bool,
    line: &mut [f32],
) {
    let (row, column) = modes.row_first(pair);
    let [of_row, of_column] = [(row, column), (column, row)].map(|(node, other)| {
        let degree = (topology.outgoing.degree(node) - usize::from(linked)) as f64;
        (degree, topology.ahead.around(node, degree, linked.then_some((other, 0.0))).degree)
    });
    let degrees = [of_row.0, of_column.0];
    let [log_row, log_column] = degrees.map(f64::ln_1p);
    let mean = (degrees[0] * degrees[1]).max(1.0).sqrt();
    let longer = (10.0 * three).ln_1p();
    let values = [
        log_row,
        log_column,
        log_row * log_row,
        log_column * log_column,
        log_row * log_column,
        indicator(degrees[0] == 0.0),
        indicator(degrees[1] == 0.0),
        of_row.1,
        of_column.1,
        indicator(three == 0.0),
        longer,
        longer * longer,
        (10.0 * three / mean).ln_1p(),
        topology.all_lengths(pair.0, pair.1, linked),
    ];
    write(values, line);
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
