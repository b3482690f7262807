//! Weighted sums over lines of covariates: products of covariates with each other, and with one more number per line. See "The linear part" in `docs/model.md`.

use pulp::{Arch, Simd, WithSimd};

use crate::covariates::Matrix;

use super::super::LANES;

/// So many lines are added at a time: with what is made of them they stay in the nearest memory.
pub(super) const CHUNK: usize = 64;

type Vector = [f64; LANES];

/// Sums over lines x with weights r and coefficients c.
#[derive(Debug, Default)]
pub(super) struct Gram {
    blocks: usize,
    /// The sum of r x x', by tiles of the upper triangle.
    tiles: Vec<[Vector; LANES]>,
    /// The sum of r x.
    weighted: Vec<Vector>,
    /// The sum of r.
    total: f64,
    /// The sum of c x.
    linear: Vec<Vector>,
    /// The lines that are added, block by block.
    lines: Vec<Vector>,
    /// The same times their weights.
    heavy: Vec<Vector>,
}

impl Gram {
    /// Nothing yet, of lines with so many blocks.
    pub(super) fn clear(&mut self, blocks: usize) {
        self.blocks = blocks;
        self.total = 0.0;
        for (vectors, count) in [
            (&mut self.weighted, blocks),
            (&mut self.linear, blocks),
            (&mut self.lines, blocks * CHUNK),
            (&mut self.heavy, blocks * CHUNK),
        ] {
            vectors.clear();
            vectors.resize(count, [0.0; LANES]);
        }
        self.tiles.clear();
        self.tiles.resize(blocks * (blocks + 1) / 2, [[0.0; LANES]; LANES]);
    }

    /// Adds the last pairs before number `end`, whose weights and coefficients are pending: no more than [`CHUNK`] of them.
    #[inline(always)]
    pub(super) fn add_pending(&mut self, covariates: &Matrix, end: usize, pending: &mut Vec<[f64; 2]>) {
        let lines = covariates.lines(end - pending.len()..end);
        let Self { blocks, tiles, weighted, total, linear, lines: light, heavy } = self;
        let count = pending.len();
        for (at, line) in lines.chunks_exact((*blocks).max(1)).enumerate() {
            for (block, values) in line.iter().enumerate() {
                let line: Vector = std::array::from_fn(|lane| f64::from(values[lane]));
                light[block * CHUNK + at] = line;
                heavy[block * CHUNK + at] = line.map(|value| value * pending[at][0]);
            }
        }
        *total += pending.iter().map(|[weight, _]| weight).sum::<f64>();
        let arch = Arch::new();
        let mut tiles = tiles.iter_mut();
        for left in 0..*blocks {
            let of = |block: usize| block * CHUNK..block * CHUNK + count;
            let heavy = &heavy[of(left)];
            let (mut sum, mut product) = (weighted[left], linear[left]);
            for ((heavy, light), [_, coefficient]) in heavy.iter().zip(&light[of(left)]).zip(&*pending) {
                sum = std::array::from_fn(|lane| sum[lane] + heavy[lane]);
                product = std::array::from_fn(|lane| product[lane] + coefficient * light[lane]);
            }
            (weighted[left], linear[left]) = (sum, product);
            for right in left..*blocks {
                let tile = tiles.next().expect("a tile for each two blocks");
                arch.dispatch(AddProducts { tile, left: heavy, right: &light[of(right)] });
            }
        }
        pending.clear();
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.total += other.total;
        for (sums, others) in [
            (self.tiles.as_flattened_mut(), other.tiles.as_flattened()),
            (&mut self.weighted, &other.weighted),
            (&mut self.linear, &other.linear),
        ] {
            for (sum, other) in sums.as_flattened_mut().iter_mut().zip(others.as_flattened()) {
                *sum += other;
            }
        }
    }

    pub(super) fn linear(&self) -> &[f64] {
        self.linear.as_flattened()
    }

    /// Writes the products of all lines, `one` standing before the covariates of each, as a symmetric matrix of this width.
    pub(super) fn write(&self, one: f64, width: usize, matrix: &mut [f64]) {
        matrix[0] = one * one * self.total;
        for (column, weighted) in (1..width).zip(self.weighted.as_flattened()) {
            matrix[column] = one * weighted;
            matrix[column * width] = one * weighted;
        }
        let mut tiles = self.tiles.iter();
        for left in 0..self.blocks {
            for right in left..self.blocks {
                let tile = tiles.next().expect("a tile for each two blocks");
                for (row, values) in (1 + left * LANES..width).zip(tile) {
                    for (column, value) in (1 + right * LANES..width).zip(values) {
                        if column >= row {
                            matrix[row * width + column] = *value;
                            matrix[column * width + row] = *value;
                        }
                    }
                }
            }
        }
    }
}

/// Adds the sum of the products of two lists of vectors to a tile, which stays in registers meanwhile.
pub(super) struct AddProducts<'a> {
    pub(super) tile: &'a mut [Vector; LANES],
    pub(super) left: &'a [Vector],
    pub(super) right: &'a [Vector],
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tile, left, right } = self;
        let lanes = S::F64_LANES;
        for column in (0..LANES).step_by(lanes) {
            let mut sums: [S::f64s; LANES] =
                std::array::from_fn(|row| S::as_simd_f64s(&tile[row][column..column + lanes]).0[0]);
            for (left, right) in left.iter().zip(right) {
                let right = S::as_simd_f64s(&right[column..column + lanes]).0[0];
                for (sum, &factor) in sums.iter_mut().zip(left) {
                    *sum = simd.mul_add_e_f64s(simd.splat_f64s(factor), right, *sum);
                }
            }
            for (row, sum) in tile.iter_mut().zip(sums) {
                S::as_mut_simd_f64s(&mut row[column..column + lanes]).0[0] = sum;
            }
        }
    }
}
