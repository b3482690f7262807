//! Conjugate gradients with a preconditioner, for draws by perturbation.
//! See "Weights" in `docs/model.md`.

use std::cmp::Ordering;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::linalg;

/// The error that is left, in standard deviations of an unknown.
pub(super) const TOLERANCE: f64 = 1e-2;

/// What ends iterations that do not converge; seen are some dozens.
const MOST_ITERATIONS: usize = 10_000;

/// What solving took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Systems solved.
    pub solves: usize,
    /// Products with the precision, over all systems.
    pub iterations: usize,
    /// The largest error that is left, in standard deviations of an unknown, as the preconditioner sees it.
    pub error: f64,
    /// Systems whose iterations ended with an error of more than a hundredth of a standard deviation.
    pub unconverged: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.solves += other.solves;
        self.iterations += other.iterations;
        self.error = self.error.max(other.error);
        self.unconverged += other.unconverged;
    }
}

/// What is solved: Q x = b, without ever forming Q.
pub(super) trait System {
    /// product = Q vector.
    fn multiply(&mut self, vector: &[f64], product: &mut [f64]);
    /// solved = P^-1 residual, with P near Q.
    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]);
    /// The inner product over the free entries.
    fn inner(&self, left: &[f64], right: &[f64]) -> f64 {
        linalg::dot(left, right)
    }
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    solved: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
}

/// Adds to `solution` what solves for `residual`, b less Q times the solution as it stands, with `count` free entries.
///
/// (x - mean)' Q (x - mean) of a draw has expectation `count`; iterations end when the error's e' Q e is a ten-thousandth of
/// that, as the preconditioner sees it.
pub(super) fn solve(
    system: &mut impl System,
    count: usize,
    solution: &mut [f64],
    residual: &mut [f64],
    scratch: &mut Scratch,
) -> Info {
    let Scratch { solved, direction, product } = scratch;
    for vector in [&mut *solved, &mut *product] {
        vector.clear();
        vector.resize(residual.len(), 0.0);
    }
    system.precondition(residual, solved);
    direction.clone_from(solved);
    let mut square = system.inner(residual, solved);
    let mut iterations = 0;
    let enough = TOLERANCE * TOLERANCE * count as f64;
    while square > enough && iterations < MOST_ITERATIONS {
        system.multiply(direction, product);
        let step = square / system.inner(direction, product);
        linalg::add_scaled(solution, step, direction);
        linalg::add_scaled(residual, -step, product);
        system.precondition(residual, solved);
        let before = square;
        square = system.inner(residual, solved);
        for (direction, solved) in direction.iter_mut().zip(&*solved) {
            *direction = solved + square / before * *direction;
        }
        iterations += 1;
    }
    Info {
        solves: 1,
        iterations,
        error: (square / count as f64).sqrt(),
        // A square that is no number has not converged, either.
        unconverged: usize::from(!matches!(
            square.partial_cmp(&enough),
            Some(Ordering::Less | Ordering::Equal)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal matrix without a preconditioner.
    struct Diagonal(Vec<f64>);

    impl System for Diagonal {
        fn multiply(&mut self, vector: &[f64], product: &mut [f64]) {
            for ((product, value), diagonal) in product.iter_mut().zip(vector).zip(&self.0) {
                *product = diagonal * value;
            }
        }

        fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
            solved.copy_from_slice(residual);
        }
    }

    fn solve_for_ones(diagonal: Vec<f64>) -> Info {
        let count = diagonal.len();
        let (mut solution, mut residual) = (vec![0.0; count], vec![1.0; count]);
        solve(&mut Diagonal(diagonal), count, &mut solution, &mut residual, &mut Scratch::default())
    }

    #[test]
    fn what_does_not_converge_is_counted() {
        let info = solve_for_ones((1..=20).map(f64::from).collect());
        assert!(info.error <= TOLERANCE && info.iterations <= 20, "{info:?}");
        assert_eq!((info.solves, info.unconverged), (1, 0));
        // A matrix that is not positive definite has no solution of this kind.
        for diagonal in [vec![0.0, 0.0], vec![1.0, -1.0]] {
            let mut sum = info;
            sum += solve_for_ones(diagonal);
            assert_eq!((sum.solves, sum.unconverged), (2, 1), "{sum:?}");
        }
    }
}
