//! Tables over all pairs of nodes, for networks that are small enough: several rows side by side, one in each lane.

#![expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]

use rayon::prelude::*;

use crate::graph::Adjacency;
use crate::simd::LANES;

/// Nodes, and nodes times arcs: larger networks go without.
const MOST_NODES: usize = 3_000;
const MOST_WORK: usize = 100_000_000;

/// Whether a network is small enough for something to be kept of all its pairs.
pub(super) fn is_small(graph: &Adjacency) -> bool {
    let nodes = graph.len();
    nodes <= MOST_NODES && nodes.saturating_mul(graph.arcs()) <= MOST_WORK
}

/// The rows of a table by blocks, each with the nodes whose rows they are. The last block may have fewer rows than lanes:
/// the other lanes repeat its last node.
pub(super) fn by_lanes<T: Send>(
    nodes: usize,
    table: &mut [T],
) -> impl IndexedParallelIterator<Item = ([u32; LANES], &mut [T])> {
    let last = nodes.saturating_sub(1);
    let sources = move |block: usize| std::array::from_fn(|lane| (block * LANES + lane).min(last) as u32);
    let rows = table.par_chunks_mut(LANES * nodes.max(1));
    rows.enumerate().map(move |(block, rows)| (sources(block), rows))
}

/// Writes something of what each lane holds of all nodes to the row of the lane, whose number it gets, too.
#[inline(always)]
pub(super) fn write_lanes<T>(lanes: &[[f64; LANES]], rows: &mut [T], of: impl Fn(usize, f64) -> T) {
    for (lane, row) in rows.chunks_exact_mut(lanes.len()).enumerate() {
        for (to, from) in row.iter_mut().zip(lanes) {
            *to = of(lane, from[lane]);
        }
    }
}
