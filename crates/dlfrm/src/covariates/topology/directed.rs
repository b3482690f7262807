//! The columns of a pair from i to j.

use super::walks::Between;
use super::{Topology, indicator, write};

/// What the columns are.
pub(super) const NAMES: [&str; 24] = [
    "reverse link",
    "no path of length 2",
    "log paths i -> u -> j",
    "resource allocation i -> u -> j",
    "log paths i -> u <- j",
    "resource allocation i -> u <- j",
    "log paths i <- u -> j",
    "resource allocation i <- u -> j",
    "log paths i <- u <- j",
    "resource allocation i <- u <- j",
    "log links from i",
    "log links to j",
    "log links to i",
    "log links from j",
    "log links from i x log links to j",
    "no link from i",
    "no link to j",
    "clustering among those i links to",
    "clustering among those that link to j",
    "mean log links to those i links to",
    "mean log links from those that link to j",
    "no path i -> u <- v -> j",
    "log paths i -> u <- v -> j",
    "log paths of all lengths",
];

/// What they are bounded by: 0 for shares, 1 for logarithms, 2 for products of two logarithms.
pub(super) const POWERS: [i32; 24] = [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 1, 1, 0, 1, 1];

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
