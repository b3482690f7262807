//! Upper bounds of what a linear function of the covariates is for pairs that have no link, without their covariates.
//!
//! What the links around a pair say of it depends on its two ends alone, unless there are short paths between them. So each
//! [`End`] has what it adds by itself; paths of length two are enumerated from one end and their part is exact; of paths of length
//! three there is a bound ([`reach`]). An [`End`] may stand for several entities, so that they are bounded together.

mod directed;
mod end;
mod others;
mod reach;
mod three;
mod undirected;
mod ways;

pub(crate) use end::End;
pub(super) use others::extents;

use three::ThreeSteps;
use ways::{WaySlopes, Ways};

use super::topology::{Topology, Walker};
use super::{Covariates, Scale};

/// A linear function of the covariates of a pair, bounded.
#[derive(Debug)]
pub(crate) struct Bounds<'a> {
    topology: Option<OfLinks<'a>>,
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
}

/// The slope of each column of the links by its name, before it is standardised.
struct Slopes<'a> {
    names: &'a [&'a str],
    values: &'a [f64],
}

impl Slopes<'_> {
    /// Zero for a column that a network is too large for.
    fn of(&self, name: &str) -> f64 {
        self.names.iter().position(|&other| other == name).map_or(0.0, |column| self.values[column])
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
            return Self { topology: None, first, second };
        };
        let slopes = Slopes { names: topology.names(), values: &slopes };
        let parts = if topology.directed { directed::parts } else { undirected::parts };
        let Parts { mut first, second, product, ways, three } = parts(topology, &slopes);
        for (end, others) in first.iter_mut().zip(others) {
            *end = end.with(others);
        }
        let most = (0..topology.outgoing.len() as u32).map(|entity| topology.degree(entity)).max().unwrap_or(0);
        let ways = ways.into_iter().map(|slopes| Ways::new(slopes, most)).collect();
        let three = ThreeSteps::new(three, most);
        Self { topology: Some(OfLinks { topology, product, ways, three }), first, second }
    }

    /// What each entity adds as the first end of a pair: its source, or where a pair stands for both directions the end of
    /// the larger degree, of equal ones the smaller id.
    pub(crate) fn first(&self) -> &[End] {
        &self.first
    }

    /// What each entity adds as the other end.
    pub(crate) fn second(&self) -> &[End] {
        &self.second
    }

    /// The most that a pair without a path of length two has.
    pub(crate) fn far(&self, first: &End, second: &End) -> f64 {
        let own = first.own[End::FAR] + second.own[End::FAR];
        let Some(links) = &self.topology else { return own };
        own + links.of_degrees(first, second) + links.three.most(first, second, End::FAR)
    }

    /// The most that a pair has which a walk from its first end has reached. A bound below `needed` may be looser than one
    /// above it.
    pub(crate) fn near(&self, walker: &Walker, first: u32, second: u32, needed: f64) -> f64 {
        let ends = (&self.first[first as usize], &self.second[second as usize]);
        let own = ends.0.own[End::NEAR] + ends.1.own[End::NEAR];
        let Some(links) = &self.topology else { return own };
        let roots = links.topology.roots[first as usize] * links.topology.roots[second as usize];
        let ways = walker.ways(second).iter().zip(&links.ways).map(|(way, kind)| kind.of(way, roots));
        let known = own + links.of_degrees(ends.0, ends.1) + ways.sum::<f64>();
        let loose = known + links.three.most_of_all();
        if loose < needed { loose } else { known + links.three.most(ends.0, ends.1, End::NEAR) }
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
