//! Upper bounds of what a linear function of the covariates is for pairs that have no link, without their covariates.
//!
//! What the links around a pair say of it depends on its two ends alone, unless there are short paths between them. So each
//! [`End`] has what it adds by itself; paths of length two are enumerated from one end and their part is exact; of paths of length
//! three there is a bound. An [`End`] may stand for several nodes, so that they are bounded together.

use crate::graph::Adjacency;

use super::Covariates;
use super::columns::{Column, Distance};
use super::ends::{End, NearEnd, Reach, ThreeSteps, WaySlopes, Ways, reaches};
use super::matrix::Scale;
use super::topology::{Neighbourhood, Topology, Walker, indicator};

#[derive(Debug)]
pub(crate) struct Bounds<'a> {
    links: Option<OfLinks<'a>>,
    first: Vec<End>,
    second: Vec<End>,
}

/// The part of a bound that depends on both ends and on the links between them.
#[derive(Debug)]
struct OfLinks<'a> {
    topology: &'a Topology,
    /// The slope of the product of the logarithms of the two degrees.
    product: f64,
    ways: Vec<Ways>,
    three: ThreeSteps,
    long: Option<LongPaths>,
}

#[derive(Debug)]
struct LongPaths {
    slope: f64,
    /// The most that they add to the pairs of each first end.
    most: Vec<f64>,
}

/// The slope of each column of the links by its name, before it is standardised.
struct Slopes<'a> {
    columns: &'a [Column],
    values: &'a [f64],
}

impl Slopes<'_> {
    /// Zero for a column that a network is too large for.
    fn of(&self, name: &str) -> f64 {
        self.columns.iter().position(|column| column.name == name).map_or(0.0, |column| self.values[column])
    }

    /// Those of the paths of length three, where links have no direction.
    fn of_three(&self) -> [f64; 4] {
        [
            "no path of length 3",
            "log paths of length 3",
            "squared log paths of length 3",
            "log paths of length 3 by degrees",
        ]
        .map(|name| self.of(name))
    }
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(covariates: &'a Covariates, coefficients: &[f64]) -> Self {
        let scales = covariates.scales.iter().zip(coefficients);
        let slope = |(&Scale { deviation, .. }, beta)| if deviation == 0.0 { 0.0 } else { beta / deviation };
        let slopes: Vec<f64> = scales.map(slope).collect();
        let others = most_of_others(covariates, &slopes);
        let Some(topology) = &covariates.topology else {
            let first: Vec<End> = others.into_iter().map(End::of_itself).collect();
            let second = vec![End::of_itself(0.0); first.len()];
            return Self { links: None, first, second };
        };
        let slopes = Slopes { columns: topology.columns(), values: &slopes };
        let long = topology.paths.as_ref().map(|paths| {
            let slope = slopes.of("log paths of all lengths");
            let most = |[low, high]: [f64; 2]| (slope * low).max(slope * high);
            let most = (0..topology.outgoing.len()).map(|node| most(paths.range_from(node)));
            LongPaths { slope, most: most.collect() }
        });
        let parts = match (topology.directed, &topology.modes) {
            (true, _) => directed_parts,
            (false, None) => undirected_parts,
            (false, Some(_)) => bipartite_parts,
        };
        let Parts { mut first, second, product, ways, three } = parts(topology, &slopes);
        let further = topology.far.most(|name| slopes.of(name));
        for (node, (end, others)) in first.iter_mut().zip(others).enumerate() {
            *end = end.with(others + long.as_ref().map_or(0.0, |long| long.most[node]));
            end.own = [0, 1].map(|distance| end.own[distance] + further[node][distance]);
        }
        let most = topology.largest_degree();
        let ways = ways.into_iter().map(|slopes| Ways::new(slopes, most)).collect();
        let three = ThreeSteps::new(three, most);
        Self { links: Some(OfLinks { topology, product, ways, three, long }), first, second }
    }

    /// What each node adds as the first end of a pair: its source, its row in a bipartite network, or where a
    /// pair stands for both directions the end of the larger degree, of equal ones the smaller id.
    pub(crate) fn first(&self) -> &[End] {
        &self.first
    }

    pub(crate) fn second(&self) -> &[End] {
        &self.second
    }

    /// The most that a pair without a path of length two has.
    pub(crate) fn far(&self, first: &End, second: &End) -> f64 {
        self.far_apart(first, second) + self.three_most(first, second, Distance::Far)
    }

    /// The same without paths of length three.
    pub(crate) fn far_apart(&self, first: &End, second: &End) -> f64 {
        let own = first.own() + second.own();
        own + self.links.as_ref().map_or(0.0, |links| links.of_degrees(first, second))
    }

    pub(crate) fn near_end(&self, end: &End, node: u32) -> NearEnd {
        let root = self.links.as_ref().map_or(1.0, |links| links.topology.roots[node as usize]);
        NearEnd { own: end.own[Distance::Near as usize], logarithm: end.logarithm[0], root }
    }

    /// The most that a pair has which a walk from its first end has reached, without paths of length three.
    #[inline]
    pub(crate) fn near_apart(&self, walker: &Walker, first: &NearEnd, second: &NearEnd, target: u32) -> f64 {
        let own = first.own + second.own;
        let Some(links) = &self.links else { return own };
        let roots = first.root * second.root;
        let ways = walker.ways(target).iter().zip(&links.ways).map(|(way, kind)| kind.of(way, roots));
        own + links.product * first.logarithm * second.logarithm + ways.sum::<f64>()
    }

    pub(crate) fn three_most_of_all(&self) -> f64 {
        self.links.as_ref().map_or(0.0, |links| links.three.most_of_all())
    }

    pub(crate) fn three_most(&self, first: &End, second: &End, distance: Distance) -> f64 {
        self.links.as_ref().map_or(0.0, |links| links.three.most(first, second, distance))
    }

    /// What paths of length three add to a pair whose first end was walked from, and how much less paths of all lengths
    /// add than to another pair of that end.
    pub(crate) fn longer_paths(&self, walker: &Walker, first: u32, second: u32) -> f64 {
        let Some(links) = &self.links else { return 0.0 };
        let [one, other] = [&self.first[first as usize], &self.second[second as usize]];
        let paths = walker.three(links.topology, second);
        let less = links.long.as_ref().map_or(0.0, |long| {
            let here = long.slope * links.topology.all_lengths(first, second, false);
            here - long.most[first as usize]
        });
        links.three.of(paths, one, other) + less
    }
}

impl OfLinks<'_> {
    fn of_degrees(&self, first: &End, second: &End) -> f64 {
        let end = usize::from(self.product > 0.0);
        self.product * first.logarithm[end] * second.logarithm[end]
    }
}

/// What the columns of a network's links are made of.
struct Parts {
    first: Vec<End>,
    second: Vec<End>,
    product: f64,
    ways: Vec<WaySlopes>,
    /// Of no path of length three, of the logarithm of their sum, of its square, and of the logarithm by degrees.
    three: [f64; 4],
}

/// The columns of a pair that stands for both directions. The first end is that of the larger degree.
fn undirected_parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
    let graph = &topology.outgoing;
    let reaches = reaches([graph; 2], [graph; 2], &topology.roots);
    let ends = |which: &str, none: f64| -> Vec<End> {
        let slope = |name: &str| slopes.of(&format!("{name} {which}"));
        let degree_slopes = ["log", "squared log"].map(|name| slopes.of(&format!("{name} {which} degree")));
        let far = slopes.of(&format!("no common neighbour x log {which} degree"));
        let [clustering, triangle, mean] =
            ["clustering around the", "no triangle around the", "mean log degree around the"].map(slope);
        let isolated = slopes.of(&format!("{which} degree is 0"));
        let end = |(node, &reach)| {
            let degree = graph.degree(node) as f64;
            let (log, around) = (degree.ln_1p(), topology.ahead.around(node, degree, None));
            let own = log * (degree_slopes[0] + degree_slopes[1] * log)
                + clustering * around.clustering
                + triangle * indicator(around.clustering == 0.0)
                + mean * around.degree
                + isolated * indicator(degree == 0.0);
            End::of_degree([own + far * log + none, own], degree, reach)
        };
        (0..).zip(&reaches).map(end).collect()
    };
    Parts {
        first: ends("larger", slopes.of("no common neighbour")),
        second: ends("smaller", 0.0),
        product: slopes.of("log larger degree x log smaller degree"),
        ways: vec![WaySlopes {
            logarithm: ["log common neighbours", "squared log common neighbours"].map(|name| slopes.of(name)),
            adamic: slopes.of("log Adamic/Adar"),
            share: slopes.of("log resource allocation"),
            cosine: slopes.of("cosine"),
        }],
        three: slopes.of_three(),
    }
}

struct EndColumns<'a> {
    /// The logarithm of the number of its links in the direction of the pair, and in the other one.
    logarithms: [&'a str; 2],
    none: &'a str,
    clustering: &'a str,
    mean: &'a str,
}

/// The columns of a pair from i to j, whose link back is not there. The first end is the source.
fn directed_parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
    let (out, back) = (&topology.outgoing, topology.incoming());
    let behind = topology.behind.as_ref().unwrap_or(&topology.ahead);
    let source = EndColumns {
        logarithms: ["log links from i", "log links to i"],
        none: "no link from i",
        clustering: "clustering among those i links to",
        mean: "mean log links to those i links to",
    };
    let target = EndColumns {
        logarithms: ["log links to j", "log links from j"],
        none: "no link to j",
        clustering: "clustering among those that link to j",
        mean: "mean log links from those that link to j",
    };
    let around = [out, back];
    let from = reaches([out, back], around, &topology.roots);
    let to = reaches([back, out], around, &topology.roots);
    let none = slopes.of("no path of length 2");
    let kinds = ["i -> u -> j", "i -> u <- j", "i <- u -> j", "i <- u <- j"];
    let way = |kind| WaySlopes {
        logarithm: [slopes.of(&format!("log paths {kind}")), 0.0],
        share: slopes.of(&format!("resource allocation {kind}")),
        ..WaySlopes::default()
    };
    Parts {
        first: source.ends(slopes, [out, back], &topology.ahead, &from, none),
        second: target.ends(slopes, [back, out], behind, &to, 0.0),
        product: slopes.of("log links from i x log links to j"),
        ways: kinds.map(way).to_vec(),
        three: [slopes.of("no path i -> u <- v -> j"), slopes.of("log paths i -> u <- v -> j"), 0.0, 0.0],
    }
}

impl EndColumns<'_> {
    fn ends(
        &self,
        slopes: &Slopes<'_>,
        [along, against]: [&Adjacency; 2],
        neighbourhood: &Neighbourhood,
        reaches: &[[Reach; 2]],
        far: f64,
    ) -> Vec<End> {
        let logarithms = self.logarithms.map(|name| slopes.of(name));
        let [none, clustering, mean] = [self.none, self.clustering, self.mean].map(|name| slopes.of(name));
        let end = |(node, &reach): (u32, &[Reach; 2])| {
            let degree = along.degree(node) as f64;
            let around = neighbourhood.around(node, degree, None);
            let own = logarithms[0] * degree.ln_1p()
                + logarithms[1] * (against.degree(node) as f64).ln_1p()
                + none * indicator(degree == 0.0)
                + clustering * around.clustering
                + mean * around.degree;
            End::of_degree([own + far, own], degree, reach)
        };
        (0..).zip(reaches).map(end).collect()
    }
}

/// The columns of a pair of a bipartite network. The first end is the row. What nodes add at the other end is never asked for.
fn bipartite_parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
    let graph = &topology.outgoing;
    let reaches = reaches([graph; 2], [graph; 2], &topology.roots);
    let ends = |which: &str| -> Vec<End> {
        let degree_slopes = ["log", "squared log"].map(|name| slopes.of(&format!("{name} {which} degree")));
        let is = [0, 1, 2].map(|degree| slopes.of(&format!("{which} degree is {degree}")));
        let mean = slopes.of(&format!("mean log degree around the {which}"));
        let end = |(node, &reach)| {
            let degree = graph.degree(node) as f64;
            let (log, around) = (degree.ln_1p(), topology.ahead.around(node, degree, None));
            let few: f64 =
                (0..).zip(is).map(|(few, slope)| slope * indicator(degree == f64::from(few))).sum();
            let own = log * (degree_slopes[0] + degree_slopes[1] * log) + mean * around.degree + few;
            End::of_degree([own; 2], degree, reach)
        };
        (0..).zip(&reaches).map(end).collect()
    };
    Parts {
        first: ends("row"),
        second: ends("column"),
        product: slopes.of("log row degree x log column degree"),
        ways: vec![],
        three: slopes.of_three(),
    }
}

/// The most that all columns but those of the links add to the pairs of each node, and what the means of all columns add.
fn most_of_others(covariates: &Covariates, slopes: &[f64]) -> Vec<f64> {
    let Covariates { topology, side_info, similarity, scales, .. } = covariates;
    let [of_links, first] = covariates.firsts();
    let table = side_info.pairs.as_ref().map_or(0.0, |table| {
        let columns = of_links..first;
        table.most(&slopes[columns.clone()], &scales[columns])
    });
    let without_table = (0..scales.len()).filter(|column| !(of_links..first).contains(column));
    let shift: f64 = without_table.map(|column| slopes[column] * scales[column].mean).sum();
    let nodes = topology.as_ref().map(|topology| topology.outgoing.len());
    let nodes = nodes.or_else(|| side_info.nodes.as_ref().map(|attributes| attributes.nodes()));
    let nodes = nodes.or_else(|| side_info.pairs.as_ref().map(|table| table.nodes()));
    let mut most = vec![table - shift; nodes.unwrap_or(0)];
    if let Some(similarity) = similarity {
        similarity.add_most(&slopes[first..], &mut most);
    }
    most
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::covariates::{
        Attributes, CovariateSet, Field, FieldValues, PairColumn, PairTable, PairValues, SideInfo,
    };
    use crate::network::{Mode, Modes, Pair, Pairs};
    use crate::random::Stream;

    const NODES: u32 = 40;

    /// Every fourth node is a row.
    fn modes() -> Arc<Modes> {
        let mode = |i: u32| if i.is_multiple_of(4) { Mode::Row } else { Mode::Column };
        Arc::new(Modes::new((0..NODES).map(|i| Some(mode(i))).collect()))
    }

    /// A network with a hub, a clique, chains and nodes without a link.
    fn pairs(directed: bool, bipartite: bool, rng: &mut Stream) -> Pairs {
        let modes = bipartite.then(modes);
        let all = (0..NODES).flat_map(|i| (0..NODES).map(move |j| (i, j)));
        let linked = |i: u32, j: u32, rng: &mut Stream| match (i.min(j), i.max(j)) {
            (_, high) if high >= 38 => false,
            (3, high) => high % 2 == 0,
            (low, high) if low >= 20 && high < 26 => true,
            (low, high) if low >= 26 => high == low + 1,
            _ => rng.random::<f64>() < 0.07,
        };
        let possible = |i, j| i != j && modes.as_ref().is_none_or(|modes| modes.across(i, j));
        let all = all.filter(|&(i, j)| possible(i, j) && (directed || i < j));
        let list: Vec<Pair> =
            all.map(|(source, target)| Pair { source, target, link: linked(source, target, rng) }).collect();
        Pairs::new(NODES as usize, !directed, list).with_modes(modes.as_ref())
    }

    fn side_info(directed: bool, rng: &mut Stream) -> SideInfo {
        let mut number = || rng.random::<f64>();
        let numbers = FieldValues::Numbers((0..NODES).map(|i| (i % 7 > 0).then(&mut number)).collect());
        let list = |i: u32| {
            if i.is_multiple_of(5) { vec![] } else { vec![(0, 1.0), (1 + i % 2, f64::from(i % 3 + 1))] }
        };
        let words = ["a", "b", "c"].map(str::to_owned).to_vec();
        let words = FieldValues::Words { words, lists: (0..NODES).map(list).collect() };
        let field = |name: &str, values| Field { name: name.to_owned(), values };
        let fields = vec![field("x", numbers), field("w", words)];
        let pairs: Vec<(u32, u32)> = (0..NODES - 1).map(|i| (i, i + 1)).collect();
        let values = PairValues::Numbers(pairs.iter().map(|&(i, _)| (i % 4 > 0).then(&mut number)).collect());
        let column = PairColumn { name: "d".to_owned(), values };
        let table = PairTable::new(NODES as usize, !directed, &pairs, &[column]).unwrap();
        let attributes = Attributes::new(NODES as usize, fields).unwrap();
        SideInfo { nodes: Some(Arc::new(attributes)), pairs: Some(Arc::new(table)) }
    }

    /// The covariates of all pairs, and a random function of them.
    fn function(pairs: &Pairs, side_info: &SideInfo, rng: &mut Stream) -> (Covariates, Vec<f64>) {
        let (covariates, _) = Covariates::of_pairs(pairs, CovariateSet::Topology, side_info);
        let covariates = covariates.unwrap();
        let coefficients = covariates.names().iter().map(|_| rng.random::<f64>() * 4.0 - 2.0).collect();
        (covariates, coefficients)
    }

    /// All pairs without a link, the first end first; with whether they are near, their bound and what is true.
    fn compare(
        covariates: &Covariates,
        coefficients: &[f64],
        mut check: impl FnMut((u32, u32), bool, f64, f64),
    ) {
        let bounds = Bounds::new(covariates, coefficients);
        let topology = covariates.topology.as_ref().unwrap();
        let mut walker = covariates.walker().unwrap();
        for first in 0..NODES {
            covariates.walk(Some(&mut walker), first);
            for second in (0..NODES).filter(|&second| second != first) {
                let rank = |node: u32| (std::cmp::Reverse(topology.outgoing.degree(node)), node);
                let second_is_first = match &topology.modes {
                    Some(modes) => !modes.across(first, second) || modes.mode(first) == Some(Mode::Column),
                    None => !topology.directed && rank(second) < rank(first),
                };
                let linked_back = topology.directed && topology.linked(second, first);
                if second_is_first || linked_back || topology.linked(first, second) {
                    continue;
                }
                let ends =
                    if topology.directed { (first, second) } else { (first.min(second), first.max(second)) };
                let line = covariates.rows(&[ends]);
                let value: f64 =
                    line.row(0).iter().zip(coefficients).map(|(&x, beta)| f64::from(x) * beta).sum();
                let [one, other] = [&bounds.first()[first as usize], &bounds.second()[second as usize]];
                let near = walker.has_reached(second);
                let (apart, distance) = if near {
                    let ends = [bounds.near_end(one, first), bounds.near_end(other, second)];
                    (bounds.near_apart(&walker, &ends[0], &ends[1], second), Distance::Near)
                } else {
                    (bounds.far_apart(one, other), Distance::Far)
                };
                let (three, exact) =
                    (bounds.three_most(one, other, distance), bounds.longer_paths(&walker, first, second));
                assert!(three <= bounds.three_most_of_all() + 1e-9 && exact <= three + 1e-9);
                assert!(near || bounds.far(one, other) == apart + three);
                check(ends, near, apart + exact, value);
                let backwards = covariates.rows_of(Some(&walker), first, &[second], false);
                let mut both = backwards.row(0).iter().zip(line.row(0));
                assert!(both.all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + b.abs())));
            }
        }
    }

    #[test]
    fn no_pair_is_above_its_bound() {
        for seed in 0..60 {
            let rng = &mut Stream::seed_from_u64(seed);
            let (directed, bipartite) = (seed % 3 == 0, seed % 3 == 1);
            let (pairs, side_info) = (pairs(directed, bipartite, rng), side_info(directed, rng));
            let (covariates, coefficients) = function(&pairs, &side_info, rng);
            let ranges = [Distance::Far, Distance::Near].map(|distance| covariates.ranges(distance));
            compare(&covariates, &coefficients, |ends, near, bound, value| {
                assert!(bound >= value - 1e-4, "{seed} {ends:?} {near}: {bound} {value}");
                let line = covariates.rows(&[ends]);
                for (column, (&x, [low, high])) in
                    line.row(0).iter().zip(&ranges[usize::from(near)]).enumerate()
                {
                    let (x, name) = (f64::from(x), &covariates.names()[column]);
                    assert!(x >= low - 1e-4 && x <= high + 1e-4, "{name}: {x} of {low} to {high}");
                }
            });
            // Several ends together are bounded by what each of them is.
            let bounds = Bounds::new(&covariates, &coefficients);
            let hull = bounds.second().iter().copied().reduce(|one, other| one.or(&other)).unwrap();
            let far = |first: &End, second: &End| bounds.far(first, second);
            for first in bounds.first() {
                assert!(bounds.second().iter().all(|second| far(first, second) <= far(first, &hull) + 1e-9));
            }
        }
    }

    /// Without side information nothing of up to three steps is left open once longer paths are known.
    #[test]
    fn what_depends_on_links_is_exact() {
        for (directed, bipartite) in [(false, false), (true, false), (false, true)] {
            let rng = &mut Stream::seed_from_u64(7);
            let pairs = pairs(directed, bipartite, rng);
            let (covariates, mut coefficients) = function(&pairs, &SideInfo::default(), rng);
            // What lies beyond three steps is left open.
            let topology = covariates.topology.as_ref().unwrap();
            for (column, coefficient) in
                topology.columns().iter().zip(&mut coefficients).skip(topology.near())
            {
                if !column.name.contains("row") && !column.name.contains("column") {
                    *coefficient = 0.0;
                }
            }
            let mut seen = [0; 2];
            compare(&covariates, &coefficients, |ends, near, bound, value| {
                seen[usize::from(near)] += 1;
                assert!((bound - value).abs() < 1e-4, "{directed} {ends:?} {near}: {bound} {value}");
            });
            assert!(seen[0] > 100 && (seen[1] > 100) != bipartite, "{seen:?}");
        }
    }
}
