//! The columns of a pair that stands for both directions.

use super::super::neighbourhood::Around;
use super::walks::Between;
use super::{Topology, indicator, write};

/// What the columns are.
pub(super) const NAMES: [&str; 24] = [
    "no common neighbour",
    "log common neighbours",
    "squared log common neighbours",
    "log Adamic/Adar",
    "log resource allocation",
    "cosine",
    "log larger degree",
    "log smaller degree",
    "no common neighbour x log larger degree",
    "no common neighbour x log smaller degree",
    "squared log larger degree",
    "squared log smaller degree",
    "log larger degree x log smaller degree",
    "smaller degree is 0",
    "clustering around the larger",
    "clustering around the smaller",
    "no triangle around the larger",
    "mean log degree around the larger",
    "mean log degree around the smaller",
    "no path of length 3",
    "log paths of length 3",
    "squared log paths of length 3",
    "log paths of length 3 by degrees",
    "log paths of all lengths",
];

/// What they are bounded by: 0 for shares, 1 for logarithms, 2 for products of two logarithms.
pub(super) const POWERS: [i32; 24] = [0, 1, 2, 1, 1, 0, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 1, 1, 0, 1, 2, 1, 1];

/// Fills in the columns of a pair.
pub(super) fn fill(topology: &Topology, source: u32, target: u32, between: &Between<1>, line: &mut [f32]) {
    let &Between { ways: [way], three, linked } = between;
    let degree = |u: u32| (topology.outgoing.degree(u) - usize::from(linked)) as f64;
    let ends = [(degree(source), source, target), (degree(target), target, source)];
    // Of two degrees that are the same that of the smaller id counts as the larger.
    let turned = ends[0].0 < ends[1].0 || (ends[0].0 == ends[1].0 && source > target);
    let ends = if turned { [ends[1], ends[0]] } else { ends };
    let around = ends.map(|(degree, entity, other)| {
        // The other end is linked to each common neighbour, and each of them to it.
        let own = linked.then_some((other, 2.0 * way.count));
        topology.ahead.around(entity, degree, own)
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
