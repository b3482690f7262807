//! Paths of all lengths between two nodes of a small network, without those over the pair's own link.
//!
//! K = (I - beta A)^-1 sums beta^length over all paths. Taking one link away changes A by one or two entries, and the entry of
//! the pair itself follows from the entries among its two ends alone (Sherman and Morrison): with G the two rows and
//! columns of the ends of an undirected link, G' = (G^-1 + B)^-1, where B has beta off its diagonal.

use rayon::prelude::*;

use crate::graph::Adjacency;
use crate::graph::katz::{AllPaths, radius_bound};
use crate::simd::{LANES, with_simd};

use super::all_pairs::{by_lanes, is_small, write_lanes};

/// How near to divergence beta comes, as a part of 1 / spectral radius.
const NEARNESS: f64 = 0.5;

/// The sums of a small network.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paths {
    nodes: usize,
    directed: bool,
    beta: f64,
    /// K by rows.
    sums: Vec<f64>,
}

impl Paths {
    /// Sums over all paths, if the network is small enough for it.
    pub(super) fn new(outgoing: &Adjacency, incoming: &Adjacency, directed: bool) -> Option<Self> {
        if !is_small(outgoing) {
            return None;
        }
        let nodes = outgoing.len();
        let bound = radius_bound(outgoing);
        let beta = if bound == 0.0 { NEARNESS } else { NEARNESS / bound };
        let mut sums = vec![0.0; nodes * nodes];
        by_lanes(nodes, &mut sums).for_each_init(
            || AllPaths::<LANES>::new(nodes),
            |paths, (sources, rows)| {
                with_simd(
                    #[inline(always)]
                    || write_lanes(paths.count(incoming, beta, sources), rows, |_, sum| sum),
                );
            },
        );
        sums.iter_mut().step_by(nodes + 1).for_each(|sum| *sum += 1.0);
        Some(Self { nodes, directed, beta, sums })
    }

    /// The logarithm of the sum for a pair as if it had no link, held above what a single path of some length has.
    pub(super) fn of(&self, source: u32, target: u32, linked: bool) -> f64 {
        let at = |i: u32, j: u32| self.sums[i as usize * self.nodes + j as usize];
        let (here, there) = (at(source, target), at(source, source) * at(target, target));
        let beta = self.beta;
        let sum = match (linked, self.directed) {
            (false, _) => here,
            (true, true) => here - beta * there / (1.0 + beta * at(target, source)),
            (true, false) => {
                // The off-diagonal entry of the inverse of G^-1 + B.
                let determinant = there - here * here;
                let off = beta - here / determinant;
                -off / (there / (determinant * determinant) - off * off)
            }
        };
        (sum.max(0.0) + beta.powi(6)).ln()
    }
}

impl Paths {
    /// The least and the most of the logarithms for pairs from a node, as if they had no link.
    pub(super) fn range_from(&self, source: usize) -> [f64; 2] {
        let row = &self.sums[source * self.nodes..][..self.nodes];
        let others = row.iter().enumerate().filter(|&(target, _)| target != source).map(|(_, &sum)| sum);
        let range =
            others.fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], sum| [low.min(sum), high.max(sum)]);
        range.map(|sum| (sum.clamp(0.0, range[1]) + self.beta.powi(6)).ln())
    }
}

#[cfg(test)]
mod tests {
    use crate::network::{Pair, Pairs};

    use super::*;

    /// The links of a small network but one.
    fn links(directed: bool, without: Option<(u32, u32)>) -> Pairs {
        let all = (0..9_u32).flat_map(|i| (0..9).map(move |j| (i, j)));
        let list = all.filter(|&(i, j)| i != j && (directed || i < j) && (i * 5 + j * 3) % 4 == 1);
        let list = list.filter(|&link| Some(link) != without);
        Pairs::new(9, !directed, list.map(|(source, target)| Pair { source, target, link: true }))
    }

    #[test]
    fn a_link_does_not_see_itself() {
        for directed in [false, true] {
            let whole = links(directed, None);
            let (outgoing, incoming) = (Adjacency::outgoing(&whole), Adjacency::incoming(&whole));
            let paths = Paths::new(&outgoing, &incoming, directed).unwrap();
            for Pair { source, target, .. } in whole.iter() {
                let incoming = Adjacency::incoming(&links(directed, Some((source, target))));
                // At the same beta, which depends on the links a little.
                let mut walk = AllPaths::new(9);
                let sums = walk.count(&incoming, paths.beta, [source]);
                let without = (sums[target as usize][0] + paths.beta.powi(6)).ln();
                let seen = paths.of(source, target, true);
                assert!((seen - without).abs() < 1e-9, "{directed} {source} {target}: {seen} {without}");
            }
        }
    }
}
