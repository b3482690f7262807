//! The columns of a pair of a bipartite network: a row and a column have no common neighbour, and no triangle is around them.

use super::walks::Between;
use super::{Column, Topology, indicator, write};
use crate::network::Modes;

/// What the columns are.
pub(super) const COLUMNS: [Column; 14] = [
    Column::activity("log row degree", 1),
    Column::activity("log column degree", 1),
    Column::activity("squared log row degree", 2),
    Column::activity("squared log column degree", 2),
    Column::activity("log row degree x log column degree", 2),
    Column::activity("row degree is 0", 0),
    Column::activity("column degree is 0", 0),
    Column::activity("mean log degree around the row", 1),
    Column::activity("mean log degree around the column", 1),
    Column::longer("no path of length 3", 0).tenfold(),
    Column::longer("log paths of length 3", 1).tenfold(),
    Column::longer("squared log paths of length 3", 2).tenfold(),
    Column::longer("log paths of length 3 by degrees", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// Fills in the columns of a pair.
pub(super) fn fill(
    topology: &Topology,
    modes: &Modes,
    pair: (u32, u32),
    between: &Between<1>,
    line: &mut [f32],
) {
    let &Between { three, linked, .. } = between;
    let (row, column) = modes.row_first(pair);
    let [of_row, of_column] = [(row, column), (column, row)].map(|(node, other)| {
        let degree = (topology.outgoing.degree(node) - usize::from(linked)) as f64;
        (degree, topology.ahead.around(node, degree, linked.then_some((other, 0.0))).degree)
    });
    let degrees = [of_row.0, of_column.0];
    let [log_row, log_column] = degrees.map(f64::ln_1p);
    let mean = (degrees[0] * degrees[1]).max(1.0).sqrt();
    let longer = (10.0 * three).ln_1p();
    let values = [
        log_row,
        log_column,
        log_row * log_row,
        log_column * log_column,
        log_row * log_column,
        indicator(degrees[0] == 0.0),
        indicator(degrees[1] == 0.0),
        of_row.1,
        of_column.1,
        indicator(three == 0.0),
        longer,
        longer * longer,
        (10.0 * three / mean).ln_1p(),
        topology.all_lengths(pair.0, pair.1, linked),
    ];
    write(values, line);
}
