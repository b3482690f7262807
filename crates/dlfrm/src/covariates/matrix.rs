//! Covariates of many pairs, one row per pair.

use crate::simd::LANES;

use super::Scale;

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

    /// Those of some consecutive pairs, in whole blocks.
    #[inline]
    pub(crate) fn lines(&self, lines: std::ops::Range<usize>) -> &[[f32; LANES]] {
        &self.values[lines.start * self.blocks..lines.end * self.blocks]
    }

    /// The covariates of some consecutive pairs one by one, each with a place for every pair.
    pub(crate) fn columns<const N: usize>(&self, lines: std::ops::Range<usize>, columns: &mut Vec<[f64; N]>) {
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

    /// How many blocks a line has.
    pub(crate) fn blocks_a_line(&self) -> usize {
        self.blocks
    }

    /// All lines, in whole blocks.
    pub(super) fn lines_mut(&mut self) -> Lines<'_> {
        Lines { blocks: self.blocks, values: &mut self.values }
    }

    /// A line, in whole blocks.
    pub(super) fn line_mut(&mut self, line: usize) -> &mut [[f32; LANES]] {
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

    /// Standardises columns as others were.
    pub(super) fn scale(&mut self, scales: &[Scale]) {
        for line in self.lines_mut() {
            for (value, &Scale { mean, deviation }) in line.as_flattened_mut().iter_mut().zip(scales) {
                let unsaid = deviation == 0.0 || value.is_nan();
                *value = if unsaid { 0.0 } else { ((f64::from(*value) - mean) / deviation) as f32 };
            }
        }
    }
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

/// Lines one after the other.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    blocks: usize,
    values: &'a mut [[f32; LANES]],
}

impl Lines<'_> {
    /// The first lines, which are no longer here then.
    pub(super) fn take_lines(&mut self, count: usize) -> Self {
        let (taken, left) = std::mem::take(&mut self.values).split_at_mut(count * self.blocks);
        self.values = left;
        Self { blocks: self.blocks, values: taken }
    }
}

impl<'a> IntoIterator for Lines<'a> {
    type Item = &'a mut [[f32; LANES]];
    type IntoIter = std::slice::ChunksExactMut<'a, [f32; LANES]>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.chunks_exact_mut(self.blocks.max(1))
    }
}
