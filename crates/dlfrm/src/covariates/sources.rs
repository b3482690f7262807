//! Pairs grouped by their source, so that what is known of the source is gathered once for all its pairs.

use std::ops::Range;

use rayon::prelude::*;

use crate::network::Pairs;

use super::Matrix;

/// Some sources with their targets, in the order of the lines of a matrix.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    list: Vec<(u32, &'a [u32])>,
}

impl<'a> Sources<'a> {
    /// All pairs in their order.
    pub(super) fn of(pairs: &'a Pairs) -> Self {
        let targets = (0..pairs.nodes()).map(|source| &pairs.targets()[pairs.from(source)]);
        let list = (0..).zip(targets).filter(|(_, targets)| !targets.is_empty()).collect();
        Self { list }
    }

    /// Pairs from one node to others.
    pub(super) fn from(source: u32, targets: &'a [u32]) -> Self {
        Self { list: vec![(source, targets)] }
    }

    /// Pairs from some nodes to one.
    pub(super) fn to(sources: &[u32], target: &'a [u32; 1]) -> Self {
        Self { list: sources.iter().map(|&source| (source, &target[..])).collect() }
    }

    /// Lets `fill` see pairs of any order by source; the lines of the matrix end up in the order of the pairs.
    pub(super) fn with_pairs(
        pairs: &[(u32, u32)],
        matrix: &mut Matrix,
        fill: impl FnOnce(&Sources<'_>, &mut Matrix),
    ) {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&place| pairs[place].0);
        let targets: Vec<u32> = order.iter().map(|&place| pairs[place].1).collect();
        let mut left = targets.as_slice();
        let sources = order.chunk_by(|&a, &b| pairs[a].0 == pairs[b].0).map(|group| {
            let (here, others) = left.split_at(group.len());
            left = others;
            (pairs[group[0]].0, here)
        });
        let mut ordered = Matrix::new(matrix.width(), pairs.len());
        fill(&Sources { list: sources.collect() }, &mut ordered);
        for (place, line) in order.into_iter().zip(ordered.lines_mut()) {
            matrix.line_mut(place).copy_from_slice(line);
        }
    }

    /// Fills in some columns on all threads: `fill` gets a source, and its targets each with the columns to fill.
    pub(super) fn fill<S>(
        &self,
        matrix: &mut Matrix,
        columns: Range<usize>,
        start: impl Fn() -> S + Sync + Send,
        fill: impl Fn(&mut S, u32, &mut dyn Iterator<Item = (u32, &mut [f32])>) + Sync + Send,
    ) {
        let mut left = matrix.lines_mut();
        let mut work = Vec::with_capacity(self.list.len());
        for &(source, targets) in &self.list {
            work.push((source, targets, left.take_lines(targets.len())));
        }
        work.into_par_iter().with_min_len(16).for_each_init(start, |state, (source, targets, lines)| {
            let lines = lines.into_iter().map(|line| &mut line.as_flattened_mut()[columns.clone()]);
            fill(state, source, &mut targets.iter().copied().zip(lines));
        });
    }
}
