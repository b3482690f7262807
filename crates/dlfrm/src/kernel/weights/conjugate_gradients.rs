//! Full and symmetric weights of many features: exact Gaussian draws by perturbation and conjugate gradients.
//! See "Weights" in `docs/model.md`.
//!
//! Adding to the right-hand side a normal number times sqrt(rate) a for each pair, a = z_i' z_j, and one times nu for each
//! weight, perturbs it with covariance Q: the solution is a draw.

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Shape, State};
use crate::random::Purpose;

use super::super::conjugate::{self, System};
use super::super::{Context, linalg};
use super::Info;
use super::kronecker::Kronecker;
use super::outer::{self, Outer};
use super::precision::Precision;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    outer: Outer,
    precision: Precision,
    kronecker: Kronecker,
    weights: Vec<f64>,
    residual: Vec<f64>,
    conjugate: conjugate::Scratch,
}

pub(super) fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    if state.features.slots() == 0 {
        return Info::default();
    }
    scratch.perturb(context, state);
    let conjugate_gradients = scratch.solve(context, state);
    outer::restore(&scratch.weights, state);
    Info { conjugate_gradients, ..Info::default() }
}

impl Scratch {
    /// Starts at the current weights; leaves the perturbed right-hand side less Q times them in `residual`.
    fn perturb(&mut self, context: &Context<'_>, state: &State) {
        let Context { pairs, settings, .. } = *context;
        let width = state.features.slots();
        let shape = state.weights.shape();
        let stream = |block| context.stream(Purpose::Weights, block);
        outer::copy(state, &mut self.weights);
        self.residual.clear();
        self.residual.resize(width * width, 0.0);
        let Self { outer, weights, residual, .. } = self;
        outer.sum(context, &state.features, weights, residual, |part| {
            let mut rng = stream(1 + part as u64);
            (
                #[inline(always)]
                move |pair: usize, logit: f64| {
                    let (rate, link) = (state.rates[pair], pairs.label(pair));
                    let normal: f64 = StandardNormal.sample(&mut rng);
                    settings.pull(link, rate) - rate * (state.offset(pair) + logit) + rate.sqrt() * normal
                },
                outer::none,
            )
        });
        outer::fold(shape, width, residual);
        outer::add_prior(state, -1.0, weights, residual);
        outer::add_noise(shape, width, residual, |k, l| state.nu.of(k, l), &mut stream(0));
    }

    /// Solves for the residual, and adds the solution to the weights.
    fn solve(&mut self, context: &Context<'_>, state: &State) -> conjugate::Info {
        let Self { precision, kronecker, weights, residual, conjugate, .. } = self;
        precision.prepare(context, state);
        kronecker.prepare(context.pairs, state);
        let count = state.weights.shape().free(state.features.slots());
        let mut system = Preconditioned { context, state, precision, kronecker };
        conjugate::solve(&mut system, count, weights, residual, conjugate)
    }
}

struct Preconditioned<'a> {
    context: &'a Context<'a>,
    state: &'a State,
    precision: &'a mut Precision,
    kronecker: &'a mut Kronecker,
}

impl System for Preconditioned<'_> {
    fn multiply(&mut self, vector: &[f64], product: &mut [f64]) {
        self.precision.multiply(self.context, self.state, vector, product);
    }

    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
        self.kronecker.solve(residual, solved);
    }

    fn inner(&self, left: &[f64], right: &[f64]) -> f64 {
        let all = linalg::dot(left, right);
        if self.state.weights.shape() != Shape::Symmetric {
            return all;
        }
        let width = self.state.features.slots();
        let diagonal: f64 = (0..width).map(|k| left[k * width + k] * right[k * width + k]).sum();
        0.5 * (all + diagonal)
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::test_support::{for_each_synthetic, free, precision};

    use super::conjugate::TOLERANCE;
    use super::*;

    /// What the iterations leave is a hundredth of a standard deviation, in truth and not only as the
    /// preconditioner sees it; and the preconditioner is worth having.
    #[test]
    fn the_error_is_what_the_tolerance_says() {
        for_each_synthetic(|context, state| {
            let (shape, width) = (state.weights.shape(), state.features.slots());
            let mut scratch = Scratch::default();
            scratch.perturb(context, &state);
            let (right, before) = (free(&state, &scratch.residual), free(&state, &scratch.weights));
            let info = scratch.solve(context, &state);
            let solution = free(&state, &scratch.weights);
            let count = solution.len();
            let precision = precision(context.pairs, &state);
            let mut exact = right;
            let mut factor = precision.clone();
            linalg::cholesky(&mut factor, count);
            linalg::solve_lower(&factor, count, &mut exact);
            linalg::solve_upper(&factor, count, &mut exact);
            let off: Vec<f64> =
                exact.iter().zip(before).zip(&solution).map(|((step, from), to)| to - from - step).collect();
            let mut square = 0.0;
            for (line, left) in precision.chunks_exact(count).zip(&off) {
                square += left * linalg::dot(line, &off);
            }
            let error = (square / count as f64).sqrt();
            assert!(error < 2.0 * TOLERANCE, "{shape:?} {width}: {error}, reported {}", info.error);
            assert!(info.error <= TOLERANCE && info.iterations <= count, "{info:?} of {count}");
            assert_eq!((info.solves, info.unconverged), (1, 0));
            if shape == Shape::Symmetric {
                let lower = |k: usize, l: usize| scratch.weights[k * width + l];
                assert!((0..width).all(|k| (0..k).all(|l| (lower(k, l) - lower(l, k)).abs() < 1e-9)));
            }
        });
    }
}
