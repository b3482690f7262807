//! An approximate inverse of the weights' precision, for conjugate gradients and Langevin steps.
//! See "Weights" in `docs/model.md`.
//!
//! The precision is a sum over pairs of rate (z_i' z_i) (x) (z_j' z_j), plus nu^2. If sources, targets and rates had
//! nothing to do with one another it would be A (x) B + nu^2 with A and B the weighted products of the sources' and the
//! targets' rows, which two eigendecompositions as wide as the features invert.

use std::f64::consts::FRAC_1_SQRT_2;

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{
    ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch,
};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par, Spec};

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Shape, State};
use crate::network::Pairs;
use crate::random::Stream;

/// A (x) B + nu^2 by its eigenvectors.
#[derive(Debug, Default)]
pub(super) struct Kronecker {
    width: usize,
    symmetric: bool,
    precision: f64,
    sources: Factor,
    targets: Factor,
    half: Vec<f64>,
}

/// One of the two factors: a product of rows, then its eigenvectors (by columns) and eigenvalues.
#[derive(Debug, Default)]
struct Factor {
    product: Vec<f64>,
    vectors: Vec<f64>,
    values: Vec<f64>,
}

impl Kronecker {
    /// Prepares the inverse for the features and rates of a state.
    pub(super) fn prepare(&mut self, pairs: &Pairs, state: &State) {
        let width = state.features.slots();
        self.width = width;
        self.symmetric = state.weights.shape() == Shape::Symmetric;
        self.precision = state.nu * state.nu;
        let total: f64 = state.rates.iter().sum();
        // Rates of zero would leave nothing to divide by.
        let scale = total.max(f64::MIN_POSITIVE).sqrt().recip();
        self.sources.clear(width);
        self.targets.clear(width);
        for node in 0..pairs.nodes() {
            let row = state.features.row(node);
            let from: f64 = state.rates[pairs.from(node)].iter().sum();
            let to: f64 = pairs.to(node).1.iter().map(|&pair| state.rates[pair as usize]).sum();
            // The ends of a symmetric pair are alike: both factors are their mean.
            let (from, to) = if self.symmetric { (0.5 * (from + to), 0.0) } else { (from, to) };
            self.sources.add(row, scale * from, width);
            self.targets.add(row, scale * to, width);
        }
        self.sources.decompose(width);
        if !self.symmetric {
            self.targets.decompose(width);
        }
    }

    /// Adds `scale` times a draw from the Gaussian that has the approximate precision.
    pub(super) fn add_noise(&mut self, scale: f64, rng: &mut Stream, values: &mut [f64]) {
        let Self { width, symmetric, precision, sources, targets, half } = self;
        let width = *width;
        let targets = if *symmetric { &*sources } else { &*targets };
        half.clear();
        half.resize(2 * width * width, 0.0);
        let (noise, half) = half.split_at_mut(width * width);
        // The eigenvectors turn noise into noise of the same kind, so it may as well begin in their coordinates.
        for k in 0..width {
            for l in if *symmetric { k } else { 0 }..width {
                let normal: f64 = StandardNormal.sample(rng);
                let value = normal / (sources.values[k] * targets.values[l] + *precision).sqrt();
                if *symmetric && l > k {
                    // Each of the two entries of a free weight has half of its variance.
                    noise[k * width + l] = value * FRAC_1_SQRT_2;
                    noise[l * width + k] = value * FRAC_1_SQRT_2;
                } else {
                    noise[k * width + l] = value;
                }
            }
        }
        let (left, right) = (square(&sources.vectors, width), square(&targets.vectors, width));
        product(rows_mut(half, width), left, rows(noise, width));
        product(rows_mut(noise, width), rows(half, width), right.transpose());
        for (value, noise) in values.iter_mut().zip(&*noise) {
            *value += scale * noise;
        }
    }

    /// Overwrites a residual over the free weights by the approximate solution.
    pub(super) fn solve(&mut self, residual: &[f64], solution: &mut [f64]) {
        let Self { width, symmetric, precision, sources, targets, half } = self;
        let width = *width;
        let targets = if *symmetric { &*sources } else { &*targets };
        solution.copy_from_slice(residual);
        if *symmetric {
            // Seen as matrices, symmetric ones have every free entry off the diagonal twice.
            for value in solution.iter_mut() {
                *value *= 0.5;
            }
            for value in solution.iter_mut().step_by(width + 1) {
                *value *= 2.0;
            }
        }
        half.resize(half.len().max(width * width), 0.0);
        let half = &mut half[..width * width];
        let (left, right) = (square(&sources.vectors, width), square(&targets.vectors, width));
        // Left' X Right, by rows; divided by the eigenvalues; and back.
        product(rows_mut(half, width), left.transpose(), rows(solution, width));
        product(rows_mut(solution, width), rows(half, width), right);
        for (line, &source) in solution.chunks_exact_mut(width).zip(&sources.values) {
            for (value, &target) in line.iter_mut().zip(&targets.values) {
                *value /= source * target + *precision;
            }
        }
        product(rows_mut(half, width), left, rows(solution, width));
        product(rows_mut(solution, width), rows(half, width), right.transpose());
    }
}

impl Factor {
    fn clear(&mut self, width: usize) {
        self.product.clear();
        self.product.resize(width * width, 0.0);
    }

    /// Adds rate row' row, the lower triangle of it.
    fn add(&mut self, row: &[u32], rate: f64, width: usize) {
        if rate > 0.0 {
            for (position, &k) in row.iter().enumerate() {
                for &l in &row[..=position] {
                    // Features are sorted, so this is below the diagonal of a matrix by columns.
                    self.product[l as usize * width + k as usize] += rate;
                }
            }
        }
    }

    fn decompose(&mut self, width: usize) {
        self.vectors.clear();
        self.vectors.resize(width * width, 0.0);
        self.values.clear();
        self.values.resize(width, 0.0);
        let params = Spec::<SelfAdjointEvdParams, f64>::default();
        let mut memory = MemBuffer::new(self_adjoint_evd_scratch::<f64>(
            width,
            ComputeEigenvectors::Yes,
            Par::Seq,
            params,
        ));
        let vectors = MatMut::from_column_major_slice_mut(&mut self.vectors, width, width);
        let done = self_adjoint_evd(
            square(&self.product, width),
            DiagMut::from_slice_mut(&mut self.values),
            Some(vectors),
            Par::Seq,
            MemStack::new(&mut memory),
            params,
        );
        if done.is_err() {
            // Any positive definite matrix will do: it costs iterations and not accuracy.
            self.vectors.fill(0.0);
            for (k, value) in self.values.iter_mut().enumerate() {
                self.vectors[k * width + k] = 1.0;
                *value = self.product[k * width + k];
            }
        }
        for value in &mut self.values {
            *value = value.max(0.0);
        }
    }
}

fn square(values: &[f64], width: usize) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(values, width, width)
}

fn rows(values: &[f64], width: usize) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice(values, width, width)
}

fn rows_mut(values: &mut [f64], width: usize) -> MatMut<'_, f64> {
    MatMut::from_row_major_slice_mut(values, width, width)
}

fn product(into: MatMut<'_, f64>, left: MatRef<'_, f64>, right: MatRef<'_, f64>) {
    matmul(into, Accum::Replace, left, right, 1.0, Par::Seq);
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{free, synthetic};
    use super::*;
    use crate::random::{Purpose, stream};

    /// Noise has the inverse as its covariance: E (r'x)^2 = r' P^-1 r for any r.
    #[test]
    fn noise_and_inverse_belong_together() {
        for shape in [Shape::Full, Shape::Symmetric] {
            let (pairs, state) = synthetic(shape, 9, 4);
            let mut kronecker = Kronecker::default();
            kronecker.prepare(&pairs, &state);
            let mut rng = stream(1, 0, 0, Purpose::Weights, 0);
            let runs = 40_000;
            for seed in 0..4 {
                let mut residual = vec![0.0; 16];
                super::super::outer::add_noise(
                    shape,
                    4,
                    &mut residual,
                    |_| 1.0,
                    &mut stream(seed, 0, 0, Purpose::Start, 0),
                );
                let mut solved = vec![0.0; 16];
                kronecker.solve(&residual, &mut solved);
                let along = |values: &[f64]| -> f64 {
                    free(&state, &residual).iter().zip(free(&state, values)).map(|(a, b)| a * b).sum()
                };
                let expected = along(&solved);
                let mut sum = 0.0;
                for _ in 0..runs {
                    let mut noise = vec![0.0; 16];
                    kronecker.add_noise(1.0, &mut rng, &mut noise);
                    sum += along(&noise).powi(2);
                }
                // A chi square with 40,000 degrees of freedom: five deviations are 3.5 %.
                let ratio = sum / f64::from(runs) / expected;
                assert!((ratio - 1.0).abs() < 0.036, "{shape:?}: {ratio}");
            }
        }
    }
}
