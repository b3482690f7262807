//! Small dense linear algebra in fixed order, so that its bits do not depend on the machine.
//!
//! Loops are written so that the compiler vectorises them over independent sums; callers run them inside
//! `pulp`'s dispatch to have them compiled for the widest instructions of the machine. Matrices are
//! row-major slices.

/// The inner product, over eight independent sums.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..8 {
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

/// product = left * right, with `right` square of the given width and `left` of as many rows as fit.
#[inline(always)]
pub(super) fn multiply(left: &[f64], right: &[f64], width: usize, product: &mut [f64]) {
    if width == 0 {
        return;
    }
    for (left, product) in left.chunks_exact(width).zip(product.chunks_exact_mut(width)) {
        product.fill(0.0);
        // Four rows of `right` at a time: a quarter of the passes over `product`.
        let (fours, rest) = left.as_chunks::<4>();
        for (block, &[a, b, c, d]) in fours.iter().enumerate() {
            let rows = &right[4 * block * width..(4 * block + 4) * width];
            let (first, rows) = rows.split_at(width);
            let (second, rows) = rows.split_at(width);
            let (third, fourth) = rows.split_at(width);
            for (((product, p), (q, r)), s) in
                product.iter_mut().zip(first).zip(second.iter().zip(third)).zip(fourth)
            {
                *product += (a * p + b * q) + (c * r + d * s);
            }
        }
        let done = 4 * fours.len();
        for (offset, &factor) in rest.iter().enumerate() {
            add_scaled(product, factor, &right[(done + offset) * width..(done + offset + 1) * width]);
        }
    }
}

/// The lower Cholesky factor, in place, of a symmetric matrix given by its lower triangle. What stands
/// above the diagonal is left alone. A matrix that rounding has made indefinite by a hair (rates can
/// span thirty orders of magnitude under the hinge loss) gets the smallest pivot that is still positive.
#[inline(always)]
pub(super) fn cholesky(matrix: &mut [f64], width: usize) {
    for i in 0..width {
        let (above, row) = matrix.split_at_mut(i * width);
        let row = &mut row[..=i];
        for j in 0..i {
            let other = &above[j * width..=j * width + j];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let pivot = row[i] - dot(&row[..i], &row[..i]);
        row[i] = pivot.max(row[i] * f64::EPSILON).max(f64::MIN_POSITIVE).sqrt();
    }
}

/// x <- L^-1 x for a lower factor.
#[inline(always)]
pub(super) fn solve_lower(factor: &[f64], width: usize, x: &mut [f64]) {
    for i in 0..width {
        let row = &factor[i * width..=i * width + i];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
}

/// x <- L'^-1 x for a lower factor.
#[inline(always)]
pub(super) fn solve_upper(factor: &[f64], width: usize, x: &mut [f64]) {
    for i in (0..width).rev() {
        let row = &factor[i * width..=i * width + i];
        x[i] /= row[i];
        let value = x[i];
        add_scaled(&mut x[..i], -value, &row[..i]);
    }
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
        let width = 13;
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
        let unit = dot(&inverse[5 * width..6 * width], &matrix[5 * width..6 * width]);
        assert!((unit - 1.0).abs() < 1e-12);
        let mut square = vec![0.0; width * width];
        multiply(&matrix, &matrix, width, &mut square);
        let entry = dot(&matrix[3 * width..4 * width], &matrix[7 * width..8 * width]);
        assert!((square[3 * width + 7] - entry).abs() < 1e-12);
        cholesky(&mut square, width);
        let double = 2.0 * log_determinant(&factor, width);
        assert!((log_determinant(&square, width) - double).abs() < 1e-10);
    }
}
