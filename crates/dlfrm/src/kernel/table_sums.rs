//! Weighted sums over lines of a table of zeros and ones, with their accumulators in registers.
//! See "Sums over the pairs of a row" in `docs/model.md`.

use pulp::{Arch, Simd, WithSimd};

use super::TILE_ROWS as ROWS;

/// `square = sum rate z'z` over the chosen lines z of a table whose width is a multiple of `LANES`.
pub(super) fn products(table: &[f64], columns: usize, lines: &[u32], rates: &[f64], square: &mut [f64]) {
    if columns > 0 {
        Arch::new().dispatch(Products { table, columns, lines, rates, square });
    }
}

/// `sums = sum value z` over the chosen lines z of such a table.
pub(super) fn column_sums(table: &[f64], columns: usize, lines: &[u32], values: &[f64], sums: &mut [f64]) {
    if columns > 0 {
        Arch::new().dispatch(ColumnSums { table, columns, lines, values, sums });
    }
}

struct Products<'a> {
    table: &'a [f64],
    columns: usize,
    lines: &'a [u32],
    rates: &'a [f64],
    square: &'a mut [f64],
}

struct ColumnSums<'a> {
    table: &'a [f64],
    columns: usize,
    lines: &'a [u32],
    values: &'a [f64],
    sums: &'a mut [f64],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = S::F64_LANES;
        for row in (0..self.columns).step_by(ROWS) {
            let end = (row + ROWS).next_multiple_of(lanes);
            let mut column = 0;
            while column + 2 * lanes <= end {
                self.tile::<S, 2>(simd, row, column);
                column += 2 * lanes;
            }
            if column < end {
                self.tile::<S, 1>(simd, row, column);
            }
        }
    }
}

impl Products<'_> {
    /// `square[row + a][column + b] = sum rate z[row + a] z[column + b]` for a few rows and vectors.
    #[inline(always)]
    fn tile<S: Simd, const VECTORS: usize>(&mut self, simd: S, row: usize, column: usize) {
        let lanes = S::F64_LANES;
        let mut sums = [[simd.splat_f64s(0.0); VECTORS]; ROWS];
        for (&line, &rate) in self.lines.iter().zip(self.rates) {
            let line = &self.table[line as usize * self.columns..][..self.columns];
            let (right, _) = S::as_simd_f64s(&line[column..column + VECTORS * lanes]);
            let rate = simd.splat_f64s(rate);
            let scaled: [S::f64s; VECTORS] = std::array::from_fn(|v| simd.mul_f64s(rate, right[v]));
            let left = &line[row..row + ROWS];
            for (sums, &left) in sums.iter_mut().zip(left) {
                let left = simd.splat_f64s(left);
                for (sum, &scaled) in sums.iter_mut().zip(&scaled) {
                    *sum = simd.mul_add_e_f64s(left, scaled, *sum);
                }
            }
        }
        for (offset, sums) in sums.iter().enumerate() {
            let start = (row + offset) * self.columns + column;
            let (out, _) = S::as_mut_simd_f64s(&mut self.square[start..start + VECTORS * lanes]);
            out.copy_from_slice(sums);
        }
    }
}

impl WithSimd for ColumnSums<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = S::F64_LANES;
        let mut column = 0;
        while column < self.columns {
            let vectors = ((self.columns - column) / lanes).min(4);
            match vectors {
                1 => self.line::<S, 1>(simd, column),
                2 => self.line::<S, 2>(simd, column),
                3 => self.line::<S, 3>(simd, column),
                _ => self.line::<S, 4>(simd, column),
            }
            column += vectors * lanes;
        }
    }
}

impl ColumnSums<'_> {
    /// `sums[column + b] = sum value z[column + b]` for a few vectors.
    #[inline(always)]
    fn line<S: Simd, const VECTORS: usize>(&mut self, simd: S, column: usize) {
        let lanes = S::F64_LANES;
        let mut sums = [simd.splat_f64s(0.0); VECTORS];
        for (&line, &value) in self.lines.iter().zip(self.values) {
            let start = line as usize * self.columns + column;
            let (right, _) = S::as_simd_f64s(&self.table[start..start + VECTORS * lanes]);
            let value = simd.splat_f64s(value);
            for (sum, &right) in sums.iter_mut().zip(right) {
                *sum = simd.mul_add_e_f64s(value, right, *sum);
            }
        }
        let (out, _) = S::as_mut_simd_f64s(&mut self.sums[column..column + VECTORS * lanes]);
        out.copy_from_slice(&sums);
    }
}
