//! The columns of a pair from i to j.

use super::walks::Between;
use super::{Column, Topology, indicator, write};

/// What the columns are.
pub(super) const COLUMNS: [Column; 24] = [
    Column::reciprocity("reverse link"),
    Column::no_common("no path of length 2", 0),
    Column::common("log paths i -> u -> j", 1),
    Column::common("resource allocation i -> u -> j", 1).tenfold(),
    Column::common("log paths i -> u <- j", 1),
    Column::common("resource allocation i -> u <- j", 1).tenfold(),
    Column::common("log paths i <- u -> j", 1),
    Column::common("resource allocation i <- u -> j", 1).tenfold(),
    Column::common("log paths i <- u <- j", 1),
    Column::common("resource allocation i <- u <- j", 1).tenfold(),
    Column::activity("log links from i", 1),
    Column::activity("log links to j", 1),
    Column::activity("log links to i", 1),
    Column::activity("log links from j", 1),
    Column::activity("log links from i x log links to j", 2),
    Column::activity("no link from i", 0),
    Column::activity("no link to j", 0),
    Column::activity("clustering among those i links to", 0),
    Column::activity("clustering among those that link to j", 0),
    Column::activity("mean log links to those i links to", 1),
    Column::activity("mean log links from those that link to j", 1),
    Column::longer("no path i -> u <- v -> j", 0).tenfold(),
    Column::longer("log paths i -> u <- v -> j", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// Fills in the columns of a pair.
pub(super) fn fill(topology: &Topology, source: u32, target: u32, between: &Between<4>, line: &mut [f32]) {
    let &Between { ways: kinds, three, linked } = between;
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
