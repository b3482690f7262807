//! Covariates of many pairs, one row per pair; and the pairs grouped by their source, so that what is known of the source is
//! gathered once for all its pairs.

use std::ops::Range;

use rayon::prelude::*;

use crate::network::Pairs;
use crate::simd::LANES;

/// A line of covariates for each of some pairs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    width: usize,
    blocks: usize,
    values: Vec<[f32; LANES]>,
}

impl Matrix {
    /// Zeros.
    pub fn new(width: usize, lines: usize) -> Self {
        let blocks = width.div_ceil(LANES);
        Self { width, blocks, values: vec![[0.0; LANES]; blocks * lines] }
    }

    /// Of such lines, all as long as each other.
    pub fn from_rows(rows: &[Vec<f32>]) -> Self {
        let mut matrix = Self::new(rows.first().map_or(0, Vec::len), rows.len());
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), matrix.width, "line {number}");
            matrix.line_mut(number).as_flattened_mut()[..row.len()].copy_from_slice(row);
        }
        matrix
    }

    /// How many covariates there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The covariates of a pair.
    pub fn row(&self, line: usize) -> &[f32] {
        &self.blocks(line).as_flattened()[..self.width]
    }

    /// The same in whole blocks, with zeros at the end.
    #[inline]
    pub(crate) fn blocks(&self, line: usize) -> &[[f32; LANES]] {
        &self.values[line * self.blocks..][..self.blocks]
    }

    #[inline]
    pub(crate) fn lines(&self, lines: Range<usize>) -> &[[f32; LANES]] {
        &self.values[lines.start * self.blocks..lines.end * self.blocks]
    }

    /// The covariates of some consecutive pairs one by one, each with a place for every pair.
    pub(crate) fn columns<const N: usize>(&self, lines: Range<usize>, columns: &mut Vec<[f64; N]>) {
        columns.clear();
        columns.resize(self.width, [0.0; N]);
        for (place, line) in lines.enumerate() {
            for (column, &x) in columns.iter_mut().zip(self.row(line)) {
                column[place] = f64::from(x);
            }
        }
    }

    /// The bytes that so many covariates of a pair take.
    pub(super) fn bytes_a_line(width: usize) -> usize {
        width.div_ceil(LANES) * size_of::<[f32; LANES]>()
    }

    pub(crate) fn blocks_a_line(&self) -> usize {
        self.blocks
    }

    pub(super) fn lines_mut(&mut self) -> impl Iterator<Item = &mut [[f32; LANES]]> {
        self.values.chunks_exact_mut(self.blocks.max(1))
    }

    fn line_mut(&mut self, line: usize) -> &mut [[f32; LANES]] {
        &mut self.values[line * self.blocks..][..self.blocks]
    }

    /// Takes the mean of each column away and divides by its standard deviation; returns both. What is not a number is not
    /// known, and becomes the mean.
    pub(super) fn standardise(&mut self) -> Vec<Scale> {
        let mut columns = vec![Column::default(); self.width];
        for line in self.values.chunks_exact(self.blocks.max(1)) {
            for (column, &value) in columns.iter_mut().zip(line.as_flattened()) {
                column.add(value.into());
            }
        }
        let scales: Vec<Scale> = columns.into_iter().map(Column::scale).collect();
        self.scale(&scales);
        scales
    }

    pub(super) fn scale(&mut self, scales: &[Scale]) {
        for line in self.lines_mut() {
            for (value, &Scale { mean, deviation }) in line.as_flattened_mut().iter_mut().zip(scales) {
                let unsaid = deviation == 0.0 || value.is_nan();
                *value = if unsaid { 0.0 } else { ((f64::from(*value) - mean) / deviation) as f32 };
            }
        }
    }
}

/// How a column is standardised: its mean and its standard deviation over the pairs that were learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// What is taken away.
    pub mean: f64,
    /// What the rest is divided by; 0 for a column that says nothing, which is left out.
    pub deviation: f64,
}

/// Sums over the known values of a column, less the first one so that squares do not lose what they differ by.
#[derive(Debug, Clone, Copy, Default)]
struct Column {
    first: f64,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Column {
    fn add(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        if self.count == 0.0 {
            self.first = value;
        }
        let value = value - self.first;
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn scale(self) -> Scale {
        let count = self.count.max(1.0);
        let (first, mean) = (self.first, self.sum / count);
        let deviation = (self.squares / count - mean * mean).max(0.0).sqrt();
        let constant = deviation <= 1e-6 * (first + mean).abs().max(1e-6);
        Scale { mean: first + mean, deviation: if constant { 0.0 } else { deviation } }
    }
}

/// Some sources with their targets, in the order of the lines of a matrix.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    list: Vec<(u32, &'a [u32])>,
}

impl<'a> Sources<'a> {
    pub(super) fn of(pairs: &'a Pairs) -> Self {
        let targets = (0..pairs.nodes()).map(|source| &pairs.targets()[pairs.from(source)]);
        Self { list: (0..).zip(targets).filter(|(_, targets)| !targets.is_empty()).collect() }
    }

    pub(super) fn from(source: u32, targets: &'a [u32]) -> Self {
        Self { list: vec![(source, targets)] }
    }

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
        let (blocks, mut left) = (matrix.blocks, &mut *matrix.values);
        let mut work = Vec::with_capacity(self.list.len());
        for &(source, targets) in &self.list {
            let (here, others) = left.split_at_mut(targets.len() * blocks);
            work.push((source, targets, here));
            left = others;
        }
        work.into_par_iter().with_min_len(16).for_each_init(start, |state, (source, targets, lines)| {
            let lines = lines
                .chunks_exact_mut(blocks.max(1))
                .map(|line| &mut line.as_flattened_mut()[columns.clone()]);
            fill(state, source, &mut targets.iter().copied().zip(lines));
        });
    }
}
