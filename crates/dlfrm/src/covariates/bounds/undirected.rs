//! The columns of a pair that stands for both directions, as parts of a bound.

use super::end::End;
use super::reach::reaches;
use super::ways::WaySlopes;
use super::{Parts, Slopes};
use crate::covariates::topology::{Topology, indicator};

/// The first end is that of the larger degree.
pub(super) fn parts(topology: &Topology, slopes: &Slopes<'_>) -> Parts {
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
