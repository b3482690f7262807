//! The columns of a pair of a bipartite network, as parts of a bound.

use super::end::End;
use super::reach::reaches;
use super::{Parts, Slopes};
use crate::covariates::topology::{Topology, indicator};

/// The first end is the row. What nodes add at the other end is never asked for.
pub(super) fn parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
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
