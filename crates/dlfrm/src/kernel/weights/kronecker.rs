//! An approximate inverse of the weights' precision, for conjugate gradients and Langevin steps.
//! See "Weights" in `docs/model.md`.
//!
//! The precision is a sum over pairs of rate (z_i' z_i) (x) (z_j' z_j), plus nu^2. If sources, targets and rates had
//! nothing to do with one another it would be A (x) B + nu^2 with A and B the weighted products of the sources' and the
//! targets' rows, which two eigendecompositions as wide as the features invert.

use std::f64::consts::FRAC_1_SQRT_2;

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Shape, State};
use crate::network::Pairs;
use crate::random::Stream;

use super::super::eigen::Eigen;
use super::super::linalg::{self, Blocks};

/// A (x) B + nu^2 by its eigenvectors.
#[derive(Debug, Default)]
pub(super) struct Kronecker {
    width: usize,
    symmetric: bool,
    precision: f64,
    sources: Factor,
    targets: Factor,
    half: Vec<f64>,
    blocks: Blocks,
}

/// One of the two factors: a product of rows, then its eigenvectors and eigenvalues.
#[derive(Debug, Default)]
struct Factor {
    product: Vec<f64>,
    eigen: Eigen,
    /// An eigenvector a row.
    vectors: Vec<f64>,
    /// An eigenvector a column.
    columns: Vec<f64>,
}

impl Kronecker {
    /// Prepares the inverse for the features and rates of a state.
    pub(super) fn prepare(&mut self, pairs: &Pairs, state: &State) {
        let width = state.features.slots();
        self.width = width;
        self.symmetric = state.weights.shape() == Shape::Symmetric;
        self.precision = state.nu.between.powi(2);
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
        let Self { width, symmetric, precision, sources, targets, half, blocks } = self;
        let width = *width;
        let targets = if *symmetric { &*sources } else { &*targets };
        half.clear();
        half.resize(2 * width * width, 0.0);
        let (noise, half) = half.split_at_mut(width * width);
        // The eigenvectors turn noise into noise of the same kind, so it may as well begin in their coordinates.
        for k in 0..width {
            for l in if *symmetric { k } else { 0 }..width {
                let normal: f64 = StandardNormal.sample(rng);
                let value = normal / (sources.value(k) * targets.value(l) + *precision).sqrt();
                if *symmetric && l > k {
                    // Each of the two entries of a free weight has half of its variance.
                    noise[k * width + l] = value * FRAC_1_SQRT_2;
                    noise[l * width + k] = value * FRAC_1_SQRT_2;
                } else {
                    noise[k * width + l] = value;
                }
            }
        }
        linalg::multiply(&sources.columns, noise, width, half, blocks);
        linalg::multiply(half, &targets.vectors, width, noise, blocks);
        for (value, noise) in values.iter_mut().zip(&*noise) {
            *value += scale * noise;
        }
    }

    /// Overwrites a residual over the free weights by the approximate solution.
    pub(super) fn solve(&mut self, residual: &[f64], solution: &mut [f64]) {
        let Self { width, symmetric, precision, sources, targets, half, blocks } = self;
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
        // Left' X Right; divided by the eigenvalues; and back.
        linalg::multiply(&sources.vectors, solution, width, half, blocks);
        linalg::multiply(half, &targets.columns, width, solution, blocks);
        for (k, line) in solution.chunks_exact_mut(width).enumerate() {
            for (l, value) in line.iter_mut().enumerate() {
                *value /= sources.value(k) * targets.value(l) + *precision;
            }
        }
        linalg::multiply(&sources.columns, solution, width, half, blocks);
        linalg::multiply(half, &targets.vectors, width, solution, blocks);
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
                    // Features are sorted, so this is below the diagonal.
                    self.product[k as usize * width + l as usize] += rate;
                }
            }
        }
    }

    fn decompose(&mut self, width: usize) {
        let Self { product, eigen, vectors, columns } = self;
        eigen.decompose(product, width);
        vectors.clear();
        columns.resize(width * width, 0.0);
        for (k, vector) in eigen.vectors().enumerate() {
            vectors.extend_from_slice(vector);
            for (to, &from) in columns[k..].iter_mut().step_by(width).zip(vector) {
                *to = from;
            }
        }
        for value in &mut eigen.values {
            *value = value.max(0.0);
        }
    }

    fn value(&self, k: usize) -> f64 {
        self.eigen.values[k]
    }
}
