//! The features that many entities have, as a dense table.
//!
//! Sums over the partners of an entity need the outer products of sparse rows. Where many rows have many
//! features, a dense product with its accumulators in registers is several times faster than scattered
//! additions; rare features stay sparse. Features are numbered by how many entities have them
//! ([`Features::compact`]), so the common ones are the first ones. The table holds zeros and ones: every
//! product is exact and every sum runs in the order of the partners, so its bits do not depend on the
//! width of the machine's vectors.

use pulp::{Arch, Simd, WithSimd};

use crate::model::Features;

/// Columns come in blocks of as many numbers as the widest vectors hold.
const BLOCK: usize = 8;
/// What a scattered addition costs, in multiply-adds of a whole block.
const SCATTER: f64 = 6.0;

/// The first columns of Z as a dense table.
#[derive(Debug, Default)]
pub(super) struct Common {
    /// The number of columns, a multiple of [`BLOCK`] and possibly more than there are features.
    columns: usize,
    table: Vec<f64>,
}

impl Common {
    /// Chooses the columns and fills the table. A block of columns is worth having if what it spares,
    /// scattered additions, costs more than the products that it adds.
    pub(super) fn fill(&mut self, features: &Features) {
        let entities = features.entities() as f64;
        let row = features.counts().iter().map(|&count| f64::from(count)).sum::<f64>() / entities;
        self.columns = 0;
        for block in features.counts().chunks(BLOCK) {
            let share = block.iter().map(|&count| f64::from(count)).sum::<f64>() / entities;
            if SCATTER * share * row < (self.columns + BLOCK) as f64 {
                break;
            }
            self.columns += BLOCK;
        }
        self.table.clear();
        self.table.resize(features.entities() * self.columns, 0.0);
        for entity in 0..features.entities() {
            self.refresh(entity, features);
        }
    }

    /// Takes over a row that has changed.
    pub(super) fn refresh(&mut self, entity: usize, features: &Features) {
        let line = &mut self.table[entity * self.columns..(entity + 1) * self.columns];
        line.fill(0.0);
        for &slot in features.row(entity) {
            match line.get_mut(slot as usize) {
                Some(entry) => *entry = 1.0,
                None => break,
            }
        }
    }

    /// The number of columns.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// The sums of the partners' rows times `rates` with themselves (the lower triangle, at least) and
    /// times `pulls`.
    pub(super) fn sums(
        &self,
        partners: &[u32],
        rates: &[f64],
        pulls: &[f64],
        square: &mut Vec<f64>,
        linear: &mut Vec<f64>,
    ) {
        square.clear();
        square.resize(self.columns * self.columns, 0.0);
        linear.clear();
        linear.resize(self.columns, 0.0);
        let columns = self.columns;
        if columns > 0 {
            Arch::new().dispatch(Products {
                table: &self.table,
                columns,
                partners,
                rates,
                pulls,
                square,
                linear,
            });
        }
    }
}

struct Products<'a> {
    table: &'a [f64],
    columns: usize,
    partners: &'a [u32],
    rates: &'a [f64],
    pulls: &'a [f64],
    square: &'a mut [f64],
    linear: &'a mut [f64],
}

/// Rows of a tile of accumulators.
const ROWS: usize = 4;

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
        let mut column = 0;
        while column + 4 * lanes <= self.columns {
            self.line::<S, 4>(simd, column);
            column += 4 * lanes;
        }
        while column < self.columns {
            self.line::<S, 1>(simd, column);
            column += lanes;
        }
    }
}

impl Products<'_> {
    /// `square[row + a][column + b] = sum rate z[row + a] z[column + b]` for a few rows and vectors.
    #[inline(always)]
    fn tile<S: Simd, const VECTORS: usize>(&mut self, simd: S, row: usize, column: usize) {
        let lanes = S::F64_LANES;
        let mut sums = [[simd.splat_f64s(0.0); VECTORS]; ROWS];
        for (&partner, &rate) in self.partners.iter().zip(self.rates) {
            let line = &self.table[partner as usize * self.columns..][..self.columns];
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

    /// `linear[column + b] = sum pull z[column + b]` for a few vectors.
    #[inline(always)]
    fn line<S: Simd, const VECTORS: usize>(&mut self, simd: S, column: usize) {
        let lanes = S::F64_LANES;
        let mut sums = [simd.splat_f64s(0.0); VECTORS];
        for (&partner, &pull) in self.partners.iter().zip(self.pulls) {
            let start = partner as usize * self.columns + column;
            let (right, _) = S::as_simd_f64s(&self.table[start..start + VECTORS * lanes]);
            let pull = simd.splat_f64s(pull);
            for (sum, &right) in sums.iter_mut().zip(right) {
                *sum = simd.mul_add_e_f64s(pull, right, *sum);
            }
        }
        let (out, _) = S::as_mut_simd_f64s(&mut self.linear[column..column + VECTORS * lanes]);
        out.copy_from_slice(&sums);
    }
}
