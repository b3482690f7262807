//! Covariates of many pairs, a line each.

use crate::kernel::LANES;

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

    /// Takes the mean of each column away and divides by its standard deviation; tells both.
    pub(super) fn standardise(&mut self) -> Vec<Scale> {
        let lines = self.values.len() / self.blocks.max(1);
        let mut sums = vec![[0.0; 2]; self.width];
        // Less the first line, so that sums of squares do not lose what columns differ by.
        let first: Vec<f64> =
            if lines == 0 { vec![] } else { self.row(0).iter().map(|&x| x.into()).collect() };
        for line in self.values.chunks_exact(self.blocks.max(1)) {
            for (([sum, squares], &value), first) in sums.iter_mut().zip(line.as_flattened()).zip(&first) {
                let value = f64::from(value) - first;
                *sum += value;
                *squares += value * value;
            }
        }
        let scales = sums.iter().zip(&first).map(|([sum, squares], first)| {
            let mean = sum / lines as f64;
            let deviation = (squares / lines as f64 - mean * mean).max(0.0).sqrt();
            let constant = deviation <= 1e-6 * (first + mean).abs().max(1e-6);
            Scale { mean: first + mean, deviation: if constant { 0.0 } else { deviation } }
        });
        let scales: Vec<Scale> = scales.collect();
        self.scale(&scales);
        scales
    }

    /// Standardises columns as others were.
    pub(super) fn scale(&mut self, scales: &[Scale]) {
        for line in self.lines_mut() {
            for (value, &Scale { mean, deviation }) in line.as_flattened_mut().iter_mut().zip(scales) {
                *value = if deviation == 0.0 { 0.0 } else { ((f64::from(*value) - mean) / deviation) as f32 };
            }
        }
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
