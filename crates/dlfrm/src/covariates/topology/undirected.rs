//! The columns of a pair that stands for both directions.

use super::super::neighbourhood::Around;
use super::walks::Between;
use super::{Column, Topology, indicator, write};

/// What the columns are.
pub(super) const COLUMNS: [Column; 24] = [
    Column::no_common("no common neighbour", 0),
    Column::common("log common neighbours", 1),
    Column::common("squared log common neighbours", 2),
    Column::common("log Adamic/Adar", 1),
    Column::common("log resource allocation", 1).tenfold(),
    Column::common("cosine", 0),
    Column::activity("log larger degree", 1),
    Column::activity("log smaller degree", 1),
    Column::no_common("no common neighbour x log larger degree", 1),
    Column::no_common("no common neighbour x log smaller degree", 1),
    Column::activity("squared log larger degree", 2),
    Column::activity("squared log smaller degree", 2),
    Column::activity("log larger degree x log smaller degree", 2),
    Column::activity("smaller degree is 0", 0),
    Column::activity("clustering around the larger", 0),
    Column::activity("clustering around the smaller", 0),
    Column::activity("no triangle around the larger", 0),
    Column::activity("mean log degree around the larger", 1),
    Column::activity("mean log degree around the smaller", 1),
    Column::longer("no path of length 3", 0).tenfold(),
    Column::longer("log paths of length 3", 1).tenfold(),
    Column::longer("squared log paths of length 3", 2).tenfold(),
    Column::longer("log paths of length 3 by degrees", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// Fills in the columns of a pair.
pub(super) fn fill(topology: &Topology, source: u32, target: u32, between: &Between<1>, line: &mut [f32]) {
    let &Between { ways: [way], three, linked } = between;
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
