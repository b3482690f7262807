//! Linear algebra of small matrices, every sum in a fixed order.
//!
//! Loops are written so that the compiler vectorises them over independent sums; callers run them inside
//! [`with_simd`] to have them compiled for the widest instructions of the machine. The matrix product
//! asks for its vectors by hand, because it is the one place where accumulators must stay in registers.
//! Matrices are row-major slices.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rand_distr::{Distribution, StandardNormal};

use crate::random::Stream;

use super::{LANES, TILE_ROWS as ROWS, with_simd};

/// The inner product, over eight independent sums.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut rest = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest += a * b;
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])) + rest
}

/// y += factor * x.
#[inline(always)]
pub(super) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// y -= a p + b q + c r + d s, in one pass over y.
#[inline(always)]
fn subtract_four(y: &mut [f64], [a, b, c, d]: [f64; 4], [p, q, r, s]: [&[f64]; 4]) {
    for ((((y, p), q), r), s) in y.iter_mut().zip(p).zip(q).zip(r).zip(s) {
        *y -= (a * p + b * q) + (c * r + d * s);
    }
}

/// Rows of a factorisation that are found one by one, and then subtracted from the rows of their large block.
const BLOCK: usize = 32;

/// Rows that are then subtracted from all others: the rest of a large matrix comes from far.
const LARGE: usize = 128;

#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The right factor of a product, its rows padded to whole vectors.
    right: Vec<f64>,
    /// The left factor of a product that is subtracted: the right one turned.
    left: Vec<f64>,
    /// The diagonal before a factorisation.
    whole: Vec<f64>,
}

/// product = left * right, with `right` square of the given width and `left` of as many rows as fit.
pub(super) fn multiply(left: &[f64], right: &[f64], width: usize, product: &mut [f64], blocks: &mut Blocks) {
    if width > 0 {
        let (right, stride) = pad(&mut blocks.right, right.chunks_exact(width), width);
        multiply_padded(Multiply { left, right, depth: width, stride, out: product, width, upper: None });
    }
}

/// Copies rows of the same length to where vectors begin, with room to the next whole one; and how far they are from one
/// another.
#[inline(always)]
fn pad<'a, 'b>(
    memory: &'b mut Vec<f64>,
    rows: impl ExactSizeIterator<Item = &'a [f64]>,
    width: usize,
) -> (&'b [f64], usize) {
    let mut stride = width.next_multiple_of(LANES);
    if stride.is_multiple_of(8 * LANES) {
        // Rows that are a power of two apart would get into each other's way.
        stride += LANES;
    }
    memory.clear();
    memory.resize(rows.len() * stride + LANES, 0.0);
    let skip = memory.as_ptr().align_offset(LANES * size_of::<f64>()).min(LANES);
    let padded = &mut memory[skip..][..rows.len() * stride];
    for (to, from) in padded.chunks_exact_mut(stride).zip(rows) {
        to[..width].copy_from_slice(from);
    }
    (padded, stride)
}

#[inline(never)]
fn multiply_padded(product: Multiply<'_>) {
    Arch::new().dispatch(product);
}

/// The product of a left factor by rows and a padded right one.
struct Multiply<'a> {
    left: &'a [f64],
    right: &'a [f64],
    depth: usize,
    stride: usize,
    out: &'a mut [f64],
    width: usize,
    /// Where the columns of a square begin from whose upper triangle the product is to be subtracted.
    upper: Option<usize>,
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let rows = self.left.len() / self.depth;
        let lanes = S::F64_LANES;
        let shown = (self.width - self.upper.unwrap_or(0)).next_multiple_of(LANES);
        for first in (0..rows).step_by(BLOCK) {
            let end = rows.min(first + BLOCK);
            let mut column = if self.upper.is_some() { first } else { 0 };
            while column < shown {
                let pair = column + 2 * lanes <= shown;
                let columns = if pair { 2 * lanes } else { lanes };
                let last = if self.upper.is_some() { end.min(column + columns) } else { end };
                let mut row = first;
                while row < last {
                    match (end - row >= ROWS, pair) {
                        (true, true) => self.tile::<S, ROWS, 2>(simd, row, column),
                        (true, false) => self.tile::<S, ROWS, 1>(simd, row, column),
                        (false, true) => self.tile::<S, 1, 2>(simd, row, column),
                        (false, false) => self.tile::<S, 1, 1>(simd, row, column),
                    }
                    row += if end - row >= ROWS { ROWS } else { 1 };
                }
                column += columns;
            }
        }
    }
}

impl Multiply<'_> {
    /// A few rows and vectors of the product.
    #[inline(always)]
    fn tile<S: Simd, const LINES: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
    ) {
        let lanes = S::F64_LANES;
        let mut sums = [[simd.splat_f64s(0.0); VECTORS]; LINES];
        let left: [&[f64]; LINES] =
            std::array::from_fn(|line| &self.left[(row + line) * self.depth..][..self.depth]);
        for (i, line) in self.right.chunks_exact(self.stride).enumerate() {
            let (right, _) = S::as_simd_f64s(&line[column..column + VECTORS * lanes]);
            for (sums, left) in sums.iter_mut().zip(left) {
                let factor = simd.splat_f64s(left[i]);
                for (sum, &right) in sums.iter_mut().zip(right) {
                    *sum = simd.mul_add_e_f64s(factor, right, *sum);
                }
            }
        }
        let skip = self.upper.unwrap_or(0);
        let shown = (VECTORS * lanes).min(self.width - (skip + column).min(self.width));
        for (line, sums) in sums.iter().enumerate() {
            let start = (row + line) * self.width + skip + column;
            let mut buffer = [0.0; 2 * LANES];
            let (out, _) = S::as_mut_simd_f64s(&mut buffer[..VECTORS * lanes]);
            out.copy_from_slice(sums);
            let out = &mut self.out[start..start + shown];
            if self.upper.is_some() {
                for (out, product) in out.iter_mut().zip(&buffer) {
                    *out -= product;
                }
            } else {
                out.copy_from_slice(&buffer[..shown]);
            }
        }
    }
}

/// The Cholesky factor R of a symmetric matrix M = R'R, in place in its upper triangle, which is all that
/// is read and written. A matrix that rounding has made indefinite by a hair (rates can span thirty orders
/// of magnitude under the hinge loss) gets the smallest pivot that is still positive.
#[inline(always)]
pub(crate) fn cholesky(matrix: &mut [f64], width: usize) {
    for i in 0..width {
        let whole = matrix[i * width + i];
        factorise_row(matrix, width, 0, i, width, whole);
    }
}

/// The same as [`cholesky`] where matrices may be large, block by block; what is below the diagonal is overwritten.
#[inline(never)]
pub(super) fn factorise(matrix: &mut [f64], width: usize, blocks: &mut Blocks) {
    let mut whole = std::mem::take(&mut blocks.whole);
    whole.clear();
    whole.extend(matrix.iter().step_by(width + 1));
    for large in (0..width).step_by(LARGE) {
        let large_end = width.min(large + LARGE);
        for first in (large..large_end).step_by(BLOCK) {
            let end = large_end.min(first + BLOCK);
            with_simd(
                #[inline(always)]
                || {
                    for (i, &whole) in (first..end).zip(&whole[first..end]) {
                        factorise_row(matrix, width, first, i, end, whole);
                    }
                    // As many columns at a time as fit the nearest memory.
                    for start in (end..width).step_by(LARGE) {
                        let stop = width.min(start + LARGE);
                        for i in first..end {
                            let scale = 1.0 / matrix[i * width + i];
                            let (above, rest) = matrix.split_at_mut(i * width);
                            eliminate(above, width, first, i, &mut rest[start..stop], start);
                            rest[start..stop].iter_mut().for_each(|value| *value *= scale);
                        }
                    }
                },
            );
            subtract(matrix, width, first..end, end..large_end, blocks);
        }
        subtract(matrix, width, large..large_end, large_end..width, blocks);
    }
    blocks.whole = whole;
}

/// Subtracts some rows of a factor from some of the rows that follow.
fn subtract(
    matrix: &mut [f64],
    width: usize,
    factor: Range<usize>,
    rows: Range<usize>,
    Blocks { right, left, .. }: &mut Blocks,
) {
    if rows.is_empty() {
        return;
    }
    let (depth, upper) = (factor.len(), rows.start);
    let (above, out) = matrix.split_at_mut(upper * width);
    let lines = above[factor.start * width..].chunks_exact(width).take(depth);
    let (right, stride) = pad(right, lines.clone().map(|line| &line[upper..]), width - upper);
    left.clear();
    left.resize(depth * rows.len(), 0.0);
    for (k, line) in lines.enumerate() {
        for (to, &from) in left[k..].iter_mut().step_by(depth).zip(&line[rows.clone()]) {
            *to = from;
        }
    }
    multiply_padded(Multiply { left, right, depth, stride, out, width, upper: Some(upper) });
}

/// Row i of a factor, up to column `end`, where the rows before `first` are subtracted already; `whole` is the entry of
/// the diagonal before anything was.
#[inline(always)]
fn factorise_row(matrix: &mut [f64], width: usize, first: usize, i: usize, end: usize, whole: f64) {
    let (above, rest) = matrix.split_at_mut(i * width);
    let row = &mut rest[i..end];
    eliminate(above, width, first, i, row, i);
    let pivot = row[0].max(whole * f64::EPSILON).max(f64::MIN_POSITIVE).sqrt();
    row[0] = pivot;
    let scale = 1.0 / pivot;
    for value in &mut row[1..] {
        *value *= scale;
    }
}

/// Subtracts rows `first` to i of a factor from row i, or what of it begins at column `start`.
#[inline(always)]
fn eliminate(above: &[f64], width: usize, first: usize, i: usize, row: &mut [f64], start: usize) {
    let length = row.len();
    let line = |j: usize| &above[j * width + start..][..length];
    let factor = |j: usize| above[j * width + i];
    let mut j = first;
    while j + 4 <= i {
        let lines = [line(j), line(j + 1), line(j + 2), line(j + 3)];
        subtract_four(row, [factor(j), factor(j + 1), factor(j + 2), factor(j + 3)], lines);
        j += 4;
    }
    while j < i {
        add_scaled(row, -factor(j), line(j));
        j += 1;
    }
}

/// x <- R'^-1 x for a factor R.
#[inline(always)]
pub(crate) fn solve_lower(factor: &[f64], width: usize, x: &mut [f64]) {
    for i in 0..width {
        let row = &factor[i * width + i..(i + 1) * width];
        let value = x[i] / row[0];
        x[i] = value;
        add_scaled(&mut x[i + 1..width], -value, &row[1..]);
    }
}

/// x <- R^-1 x for a factor R.
#[inline(always)]
pub(super) fn solve_upper(factor: &[f64], width: usize, x: &mut [f64]) {
    for i in (0..width).rev() {
        let row = &factor[i * width + i..(i + 1) * width];
        x[i] = (x[i] - dot(&row[1..], &x[i + 1..width])) / row[0];
    }
}

/// Replaces `linear` by a draw from N(P^-1 linear, P^-1), and the upper triangle of P by its factor.
pub(super) fn draw_gaussian(
    precision: &mut [f64],
    width: usize,
    linear: &mut [f64],
    blocks: &mut Blocks,
    rng: &mut Stream,
) {
    factorise(precision, width, blocks);
    with_simd(
        #[inline(always)]
        || {
            solve_lower(precision, width, linear);
            for value in linear.iter_mut() {
                let normal: f64 = StandardNormal.sample(rng);
                *value += normal;
            }
            solve_upper(precision, width, linear);
        },
    );
}

pub(super) fn solve(factor: &[f64], x: &mut [f64]) {
    with_simd(
        #[inline(always)]
        || {
            solve_lower(factor, x.len(), x);
            solve_upper(factor, x.len(), x);
        },
    );
}

#[inline(always)]
pub(super) fn invert(factor: &[f64], width: usize, inverse: &mut Vec<f64>) {
    inverse.clear();
    inverse.resize(width * width, 0.0);
    if width == 0 {
        return;
    }
    for (i, row) in inverse.chunks_exact_mut(width).enumerate() {
        row[i] = 1.0;
        solve_lower(factor, width, row);
        solve_upper(factor, width, row);
    }
}

#[inline(always)]
pub(super) fn log_determinant(factor: &[f64], width: usize) -> f64 {
    // Products of eight pivots between logarithms: pivots are within 1e-150..1e150, far from overflow.
    let mut sum = 0.0;
    let mut product = 1.0;
    for i in 0..width {
        product *= factor[i * width + i];
        if !(1e-150..1e150).contains(&product) || i % 8 == 7 {
            sum += f64::ln(product);
            product = 1.0;
        }
    }
    2.0 * (sum + f64::ln(product))
}

/// Copies the lower triangle of a square matrix onto its upper one.
#[inline(always)]
pub(super) fn mirror(matrix: &mut [f64], width: usize) {
    for i in 0..width {
        for j in 0..i {
            matrix[j * width + i] = matrix[i * width + j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Block by block as row by row, also of a matrix that is singular but for rounding.
    #[test]
    fn factors_make_the_matrix() {
        let (mut blocks, mut inverse) = (Blocks::default(), vec![]);
        for width in (0..10).chain([27, 63, 64, 65, 127, 130, 200, 300]) {
            for ridge in [1.0, 1e-12] {
                let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
                let entry = |i: usize, j: usize| (-0.01 * i.abs_diff(j) as f64).exp() + ridge * unit(i, j);
                let matrix: Vec<f64> = (0..width * width).map(|at| entry(at / width, at % width)).collect();
                let (mut rows, mut factor) = (matrix.clone(), matrix.clone());
                cholesky(&mut rows, width);
                factorise(&mut factor, width, &mut blocks);
                for i in 0..width {
                    for j in i..width {
                        let product: f64 =
                            (0..=i).map(|k| factor[k * width + i] * factor[k * width + j]).sum();
                        assert!((product - entry(i, j)).abs() < 1e-13, "{width}: {product}");
                        let off = factor[i * width + j] - rows[i * width + j];
                        assert!(off.abs() < 1e-10, "{width}, {ridge}: ({i}, {j}) is off by {off}");
                    }
                }
                if ridge < 1.0 {
                    continue;
                }
                let logs = (0..width).map(|i| factor[i * width + i].ln()).sum::<f64>();
                assert!((log_determinant(&factor, width) - 2.0 * logs).abs() < 1e-9);
                invert(&factor, width, &mut inverse);
                let mut product = vec![0.0; width * width];
                multiply(&matrix, &inverse, width, &mut product, &mut blocks);
                for (at, product) in product.iter().enumerate() {
                    assert!((product - unit(at / width, at % width)).abs() < 1e-11, "{width}: {product}");
                }
                let mut x = matrix[..width].to_vec();
                solve(&factor, &mut x);
                assert!(x.iter().enumerate().all(|(at, x)| (x - unit(0, at)).abs() < 1e-12), "{x:?}");
            }
        }
    }
}
