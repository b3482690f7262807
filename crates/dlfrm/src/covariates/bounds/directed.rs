//! The columns of a pair from i to j, as parts of a bound. The link back is not there.

use super::end::End;
use super::reach::{Reach, reaches};
use super::ways::WaySlopes;
use super::{Parts, Slopes};
use crate::covariates::neighbourhood::Neighbourhood;
use crate::covariates::topology::{Topology, indicator};
use crate::graph::Adjacency;

/// The columns of one end.
struct Columns<'a> {
    /// The logarithm of the number of its links in the direction of the pair, and in the other one.
    logarithms: [&'a str; 2],
    none: &'a str,
    clustering: &'a str,
    mean: &'a str,
}

/// The first end is the source.
pub(super) fn parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
    let (out, back) = (&topology.outgoing, topology.incoming());
    let behind = topology.behind.as_ref().unwrap_or(&topology.ahead);
    let source = Columns {
        logarithms: ["log links from i", "log links to i"],
        none: "no link from i",
        clustering: "clustering among those i links to",
        mean: "mean log links to those i links to",
    };
    let target = Columns {
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

impl Columns<'_> {
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
