//! Upper bounds of what a linear function of the covariates is for pairs that have no link, without their covariates.
//!
//! What the links around a pair say of it depends on its two ends alone, unless there are short paths between them. So each
//! [`End`] has what it adds by itself; paths of length two are enumerated from one end and their part is exact; of paths of length
//! three there is a bound ([`reach`]). An [`End`] may stand for several nodes, so that they are bounded together.

mod bipartite;
mod directed;
mod end;
mod others;
mod reach;
mod three;
mod undirected;
mod ways;

pub(crate) use end::End;
pub(super) use others::ranges;

use three::ThreeSteps;
use ways::{WaySlopes, Ways};

use super::column::Column;
use super::topology::{Topology, Walker};
use super::{Covariates, Scale};

/// A linear function of the covariates of a pair, bounded.
#[derive(Debug)]
pub(crate) struct Bounds<'a> {
    links: Option<OfLinks<'a>>,
    first: Vec<End>,
    second: Vec<End>,
}

/// One end of a pair with a path of length two.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct NearEnd {
    /// What it adds by itself.
    own: f64,
    /// The logarithm of 1 + its degree.
    logarithm: f64,
    /// 1 / root of its degree, whatever the direction.
    root: f64,
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

/// Paths of all lengths.
#[derive(Debug)]
struct LongPaths {
    slope: f64,
    /// The most that they add to the pairs of each first end.
    most: Vec<f64>,
}

impl LongPaths {
    fn less(&self, links: &OfLinks<'_>, first: u32, second: u32) -> f64 {
        let here = self.slope * links.topology.all_lengths(first, second, false);
        here - self.most[first as usize]
    }
}

/// Whether there is a path of length two between the ends of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    /// There is none.
    Far,
    /// There is one.
    Near,
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
    /// Of the function with these coefficients of the standardised columns.
    pub(crate) fn new(covariates: &'a Covariates, coefficients: &[f64]) -> Self {
        let scales = covariates.scales.iter().zip(coefficients);
        let slope = |(&Scale { deviation, .. }, beta)| if deviation == 0.0 { 0.0 } else { beta / deviation };
        let slopes: Vec<f64> = scales.map(slope).collect();
        let others = others::most(covariates, &slopes);
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
            (true, _) => directed::parts,
            (false, None) => undirected::parts,
            (false, Some(_)) => bipartite::parts,
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

    /// What each node adds as the other end.
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

    /// What an end adds to pairs with a path of length two.
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

    /// The most that paths of length three add to any pair.
    pub(crate) fn three_most_of_all(&self) -> f64 {
        self.links.as_ref().map_or(0.0, |links| links.three.most_of_all())
    }

    /// The most that paths of length three add to a pair.
    pub(crate) fn three_most(&self, first: &End, second: &End, distance: Distance) -> f64 {
        self.links.as_ref().map_or(0.0, |links| links.three.most(first, second, distance))
    }

    /// What paths of length three add to a pair whose first end was walked from, and how much less paths of all lengths
    /// add than to another pair of that end.
    pub(crate) fn longer_paths(&self, walker: &Walker, first: u32, second: u32) -> f64 {
        let Some(links) = &self.links else { return 0.0 };
        let [one, other] = [&self.first[first as usize], &self.second[second as usize]];
        let paths = walker.three(links.topology, second);
        links.three.of(paths, one, other)
            + links.long.as_ref().map_or(0.0, |long| long.less(links, first, second))
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

#[cfg(test)]
mod tests;
