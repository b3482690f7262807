//! Eigenvalues and eigenvectors of a symmetric matrix: tridiagonal form, then implicit QL steps.
//!
//! Everything works on rows: reflectors lie where the rows were that they have cleared, and eigenvectors are rows, whose
//! rotations are gathered for a whole step and then applied a strip of columns at a time.

use super::linalg::{add_scaled, dot};
use super::with_simd;

/// Columns that are rotated at once.
const STRIP: usize = 16;
/// Squares below this have lost digits: what they are of counts for zero.
const NOTHING: f64 = 1e-280;
/// Steps per eigenvalue, of which two are usual.
const MOST_STEPS: usize = 60;

/// The eigenvalues of a symmetric matrix, and the orthogonal matrix whose rows are its eigenvectors.
#[derive(Debug, Default)]
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    /// Rows with room to a whole strip.
    rows: Vec<f64>,
    /// What is beside the diagonal of the tridiagonal form: entry i between i and i + 1.
    beside: Vec<f64>,
    halves: Vec<f64>,
    product: Vec<f64>,
    update: Vec<f64>,
    rotations: Vec<(f64, f64)>,
}

impl Eigen {
    /// Decomposes a matrix given by its lower triangle by rows, which is overwritten.
    #[inline(never)]
    pub(super) fn decompose(&mut self, matrix: &mut [f64], width: usize) {
        for memory in
            [&mut self.values, &mut self.beside, &mut self.halves, &mut self.product, &mut self.update]
        {
            memory.clear();
            memory.resize(width, 0.0);
        }
        with_simd(
            #[inline(always)]
            || {
                self.make_tridiagonal(matrix, width);
                self.multiply_reflectors(matrix, width);
                self.make_diagonal(width);
            },
        );
    }

    pub(super) fn vectors(&self) -> impl Iterator<Item = &[f64]> {
        let width = self.values.len();
        self.rows.chunks_exact(stride(width)).map(move |row| &row[..width])
    }

    /// Reflects row by row, from the last: 1 - u u' / h turns row i into its last entry, and u takes its place. The rest
    /// of the matrix becomes A - u q' - q u' with q = A u / h - (u' A u / 2 h^2) u. Each pass over the matrix does this for
    /// the row before, and finds A u for the next.
    #[inline(always)]
    fn make_tridiagonal(&mut self, matrix: &mut [f64], width: usize) {
        let Self { values, beside, halves, product, update, .. } = self;
        for i in (0..width).rev() {
            let (above, rest) = matrix.split_at_mut(i * width);
            let (row, former) = rest.split_at_mut(width);
            // Of the last row there is none before.
            let former = if former.is_empty() { &[][..] } else { &former[..=i] };
            reflect(&mut row[..=i], former, update, i);
            values[i] = row[i];
            if i == 0 {
                return;
            }
            let row = &mut row[..i];
            let last = row[i - 1];
            let others = dot(&row[..i - 1], &row[..i - 1]);
            if others < NOTHING {
                beside[i - 1] = last;
                row.fill(0.0);
            } else {
                let length = (others + last * last).sqrt();
                beside[i - 1] = -length.copysign(last);
                row[i - 1] = last - beside[i - 1];
                halves[i] = others + last * last + length * last.abs();
            }
            product[..i].fill(0.0);
            for (r, line) in above.chunks_exact_mut(width).enumerate() {
                reflect(&mut line[..=r], former, update, r);
                product[r] += dot(&line[..=r], &row[..=r]);
                add_scaled(&mut product[..r], row[r], &line[..r]);
            }
            update.fill(0.0);
            if halves[i] > 0.0 {
                let share = dot(row, &product[..i]) / (2.0 * halves[i]);
                for ((update, product), u) in update.iter_mut().zip(&*product).zip(row) {
                    *update = (product - share * *u) / halves[i];
                }
            }
        }
    }

    /// The product of all reflectors, a row at a time.
    #[inline(always)]
    fn multiply_reflectors(&mut self, matrix: &[f64], width: usize) {
        let stride = stride(width);
        self.rows.clear();
        self.rows.resize(width * stride, 0.0);
        for (r, row) in self.rows.chunks_exact_mut(stride).enumerate() {
            row[r] = 1.0;
            for i in r + 1..width {
                if self.halves[i] > 0.0 {
                    let u = &matrix[i * width..][..i];
                    let share = dot(&row[..i], u) / self.halves[i];
                    add_scaled(&mut row[..i], -share, u);
                }
            }
        }
    }

    /// Implicit QL steps, each with the shift of Wilkinson.
    #[inline(always)]
    fn make_diagonal(&mut self, width: usize) {
        for first in 0..width {
            for _ in 0..MOST_STEPS {
                let Self { values, beside, .. } = &*self;
                let small =
                    |&i: &usize| beside[i].abs() <= f64::EPSILON * (values[i].abs() + values[i + 1].abs());
                let last = (first..width - 1).find(small).unwrap_or(width - 1);
                if last == first {
                    break;
                }
                self.step(first, last);
            }
        }
    }

    /// A step on the part of the tridiagonal form from `first` to `last`.
    #[inline(always)]
    fn step(&mut self, first: usize, last: usize) {
        let Self { values, beside, rotations, .. } = self;
        rotations.clear();
        let ahead = (values[first + 1] - values[first]) / (2.0 * beside[first]);
        let root = (ahead * ahead + 1.0).sqrt().copysign(ahead);
        let mut bulge = values[last] - values[first] + beside[first] / (ahead + root);
        let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
        let mut end = first;
        for i in (first..last).rev() {
            let (over, near) = (sine * beside[i], cosine * beside[i]);
            let length = (over * over + bulge * bulge).sqrt();
            beside[i + 1] = length;
            if length == 0.0 {
                // The part falls in two.
                values[i + 1] -= shift;
                end = i + 1;
                break;
            }
            (sine, cosine) = (over / length, bulge / length);
            let value = values[i + 1] - shift;
            let both = (values[i] - value) * sine + 2.0 * cosine * near;
            shift = sine * both;
            values[i + 1] = value + shift;
            bulge = cosine * both - near;
            rotations.push((sine, cosine));
        }
        if end == first {
            values[first] -= shift;
            beside[first] = bulge;
        }
        beside[last] = 0.0;
        self.rotate(last);
    }

    /// Applies the rotations of a step to the eigenvectors: the first turns rows `last - 1` and `last`.
    #[inline(always)]
    fn rotate(&mut self, last: usize) {
        let stride = stride(self.values.len());
        let low = last - self.rotations.len();
        let rows = &mut self.rows[low * stride..(last + 1) * stride];
        for column in (0..stride).step_by(STRIP) {
            let at = |row: usize| row * stride + column;
            let strip =
                |rows: &[f64], row: usize| *rows[at(row)..].first_chunk::<STRIP>().expect("rows have room");
            let mut carried = strip(rows, last - low);
            for (turn, &(sine, cosine)) in self.rotations.iter().enumerate() {
                let row = last - low - turn;
                let next = strip(rows, row - 1);
                let turned = &mut rows[at(row)..][..STRIP];
                for lane in 0..STRIP {
                    turned[lane] = sine * next[lane] + cosine * carried[lane];
                    carried[lane] = cosine * next[lane] - sine * carried[lane];
                }
            }
            rows[at(0)..][..STRIP].copy_from_slice(&carried);
        }
    }
}

/// How far rows with room to a whole strip are from one another: not a power of two, which would get into each other's way.
fn stride(width: usize) -> usize {
    width.next_multiple_of(STRIP) + if width.div_ceil(STRIP).is_multiple_of(4) { STRIP } else { 0 }
}

/// Subtracts u[row] q + q[row] u from what there is of a row, if there was a reflector before.
#[inline(always)]
fn reflect(line: &mut [f64], u: &[f64], q: &[f64], row: usize) {
    if !u.is_empty() {
        let (a, b) = (u[row], q[row]);
        for ((value, u), q) in line.iter_mut().zip(u).zip(q) {
            *value -= a * q + b * u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors are orthonormal and turn the matrix into its values, of random matrices, of ones with many equal values, of
    /// tiny entries and of rank one.
    #[test]
    fn vectors_and_values_make_the_matrix() {
        for width in (0..20).chain([63, 64, 65, 130]) {
            for kind in 0..4 {
                let noise = |i: usize, j: usize| ((i * j) as f64 * 0.7 + (i + j) as f64).sin();
                let entry = |i: usize, j: usize| match kind {
                    0 => noise(i, j),
                    1 => f64::from(u8::from(i == j)) + f64::from(u8::from(i / 5 == j / 5)),
                    2 => noise(i, j) * 0.01_f64.powi((i + j) as i32),
                    _ => noise(i, 1) * noise(j, 1),
                };
                let matrix: Vec<f64> = (0..width * width).map(|at| entry(at / width, at % width)).collect();
                let mut eigen = Eigen::default();
                // Memory is used again.
                eigen.decompose(&mut [2.0, 0.0, 1.0, 3.0], 2);
                eigen.decompose(&mut matrix.clone(), width);
                let vectors: Vec<&[f64]> = eigen.vectors().collect();
                assert_eq!(vectors.len(), width);
                for i in 0..width {
                    for j in 0..width {
                        let unit = dot(vectors[i], vectors[j]) - f64::from(u8::from(i == j));
                        assert!(unit.abs() < 1e-13, "{width}, {kind}: {unit}");
                        let made: f64 =
                            vectors.iter().zip(&eigen.values).map(|(v, value)| v[i] * value * v[j]).sum();
                        let off = made - matrix[i * width + j];
                        assert!(off.abs() < 1e-13 * width as f64, "{width}, {kind}: {off}");
                    }
                }
            }
        }
    }
}
