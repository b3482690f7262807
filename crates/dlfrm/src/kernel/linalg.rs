//! Linear algebra of small matrices, every sum in a fixed order.
//!
//! Loops are written so that the compiler vectorises them over independent sums; callers run them inside
//! [`with_simd`] to have them compiled for the widest instructions of the machine. The matrix product
//! asks for its vectors by hand, because it is the one place where accumulators must stay in registers.
//! Matrices are row-major slices.

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

/// Reused memory of [`multiply`]: its right factor with rows padded to whole vectors.
#[derive(Debug, Default)]
pub(super) struct Padded(Vec<f64>);

/// product = left * right, with `right` square of the given width and `left` of as many rows as fit.
pub(super) fn multiply(
    left: &[f64],
    right: &[f64],
    width: usize,
    product: &mut [f64],
    Padded(padded): &mut Padded,
) {
    if width == 0 {
        return;
    }
    let stride = width.next_multiple_of(LANES);
    padded.clear();
    padded.resize(width * stride, 0.0);
    for (to, from) in padded.chunks_exact_mut(stride).zip(right.chunks_exact(width)) {
        to[..width].copy_from_slice(from);
    }
    Arch::new().dispatch(Multiply { left, right: padded, width, stride, product });
}

struct Multiply<'a> {
    left: &'a [f64],
    right: &'a [f64],
    width: usize,
    stride: usize,
    product: &'a mut [f64],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let rows = self.left.len() / self.width;
        let lanes = S::F64_LANES;
        let mut column = 0;
        while column < self.stride {
            let pair = column + 2 * lanes <= self.stride;
            let mut row = 0;
            while row < rows {
                match (rows - row >= ROWS, pair) {
                    (true, true) => self.tile::<S, ROWS, 2>(simd, row, column),
                    (true, false) => self.tile::<S, ROWS, 1>(simd, row, column),
                    (false, true) => self.tile::<S, 1, 2>(simd, row, column),
                    (false, false) => self.tile::<S, 1, 1>(simd, row, column),
                }
                row += if rows - row >= ROWS { ROWS } else { 1 };
            }
            column += if pair { 2 * lanes } else { lanes };
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
            std::array::from_fn(|line| &self.left[(row + line) * self.width..][..self.width]);
        for (i, line) in self.right.chunks_exact(self.stride).enumerate() {
            let (right, _) = S::as_simd_f64s(&line[column..column + VECTORS * lanes]);
            for (sums, left) in sums.iter_mut().zip(left) {
                let factor = simd.splat_f64s(left[i]);
                for (sum, &right) in sums.iter_mut().zip(right) {
                    *sum = simd.mul_add_e_f64s(factor, right, *sum);
                }
            }
        }
        let shown = (VECTORS * lanes).min(self.width - column.min(self.width));
        for (line, sums) in sums.iter().enumerate() {
            let start = (row + line) * self.width + column;
            let mut buffer = [0.0; 2 * LANES];
            let (out, _) = S::as_mut_simd_f64s(&mut buffer[..VECTORS * lanes]);
            out.copy_from_slice(sums);
            self.product[start..start + shown].copy_from_slice(&buffer[..shown]);
        }
    }
}

/// The Cholesky factor R of a symmetric matrix M = R'R, in place in its upper triangle, which is all that
/// is read and written. A matrix that rounding has made indefinite by a hair (rates can span thirty orders
/// of magnitude under the hinge loss) gets the smallest pivot that is still positive.
#[inline(always)]
pub(crate) fn cholesky(matrix: &mut [f64], width: usize) {
    for i in 0..width {
        let (above, rest) = matrix.split_at_mut(i * width);
        let row = &mut rest[i..width];
        let whole = row[0];
        let line = |j: usize| &above[j * width + i..(j + 1) * width];
        let mut j = 0;
        while j + 4 <= i {
            let lines = [line(j), line(j + 1), line(j + 2), line(j + 3)];
            subtract_four(row, lines.map(|line| line[0]), lines);
            j += 4;
        }
        while j < i {
            let line = line(j);
            add_scaled(row, -line[0], line);
            j += 1;
        }
        let pivot = row[0].max(whole * f64::EPSILON).max(f64::MIN_POSITIVE).sqrt();
        row[0] = pivot;
        let scale = 1.0 / pivot;
        for value in &mut row[1..] {
            *value *= scale;
        }
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
pub(super) fn draw_gaussian(precision: &mut [f64], width: usize, linear: &mut [f64], rng: &mut Stream) {
    with_simd(
        #[inline(always)]
        || {
            cholesky(precision, width);
            solve_lower(precision, width, linear);
            for value in linear.iter_mut() {
                let normal: f64 = StandardNormal.sample(rng);
                *value += normal;
            }
            solve_upper(precision, width, linear);
        },
    );
}

/// The inverse of the matrix that `factor` is the Cholesky factor of.
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

/// The log determinant of the matrix that `factor` is the Cholesky factor of.
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

    #[test]
    fn factor_and_solve() {
        for width in 1..=27 {
            factor_and_solve_one(width);
        }
    }

    fn factor_and_solve_one(width: usize) {
        let mut matrix = vec![0.0; width * width];
        for i in 0..width {
            for j in 0..width {
                matrix[i * width + j] = 1.0 / (1.0 + i.abs_diff(j) as f64) + f64::from(u8::from(i == j));
            }
        }
        let mut factor = matrix.clone();
        cholesky(&mut factor, width);
        let x: Vec<f64> = (0..width).map(|i| (i as f64).sin()).collect();
        let mut b: Vec<f64> = (0..width).map(|i| dot(&matrix[i * width..(i + 1) * width], &x)).collect();
        solve_lower(&factor, width, &mut b);
        solve_upper(&factor, width, &mut b);
        for (b, x) in b.iter().zip(&x) {
            assert!((b - x).abs() < 1e-12);
        }
        let mut inverse = Vec::new();
        invert(&factor, width, &mut inverse);
        let last = (width - 1) * width;
        let unit = dot(&inverse[last..], &matrix[last..]);
        assert!((unit - 1.0).abs() < 1e-12);
        let mut square = vec![0.0; width * width];
        multiply(&matrix, &matrix, width, &mut square, &mut Padded::default());
        for (position, &value) in square.iter().enumerate() {
            let (i, j) = (position / width, position % width);
            let entry = dot(&matrix[i * width..][..width], &matrix[j * width..][..width]);
            assert!((value - entry).abs() < 1e-12, "({i}, {j}): {value} {entry}");
        }
        cholesky(&mut square, width);
        let double = 2.0 * log_determinant(&factor, width);
        assert!((log_determinant(&square, width) - double).abs() < 1e-10);
    }
}
