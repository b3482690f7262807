//! A Langevin step. See "Weights" in `docs/model.md`.
//!
//! Weights that many pairs depend on are known a thousand times as well as others, and one step size suits not
//! both. Under the polynomial rule the step is preconditioned: with P the Kronecker approximation of the precision Q,
//!
//! ```text
//! u <- u + e/2 P^-1 gradient + N(0, e P^-1)
//! ```
//!
//! has the same limit for any fixed P. The size e is in units of 1 / L, where L is the largest eigenvalue of P^-1 Q by some
//! steps of power iteration: beyond 4 / L steps would diverge. `AdaGrad` has a size for each weight instead, as in the paper.

use crate::model::{Schedule, State, ValidSettings};
use crate::random::Stream;

use super::super::Context;
use super::super::kronecker::Kronecker;
use super::super::linalg;
use super::super::outer;
use super::super::precision::Precision;
use super::adaptive::Adaptive;

/// Products with the precision to find the largest eigenvalue by. Too small a value costs accuracy, and four times too
/// small a one stability: these few come within a few percent.
const POWER_STEPS: usize = 4;

/// What the steps of a sweep need to know.
#[derive(Debug, Default)]
pub(super) struct Integrator {
    kronecker: Kronecker,
    largest: f64,
    adaptive: Adaptive,
    precision: Precision,
    vector: Vec<f64>,
    product: Vec<f64>,
}

impl Integrator {
    /// Begins a sweep.
    pub(super) fn begin(&mut self, context: &Context<'_>, state: &State) {
        match context.settings.schedule {
            Schedule::Adagrad => self.adaptive.begin(state.features.slots().pow(2)),
            Schedule::Polynomial => {
                self.kronecker.prepare(context.pairs, state);
                self.find_largest(context, state);
            }
        }
    }

    /// The largest eigenvalue of P^-1 Q, from below.
    fn find_largest(&mut self, context: &Context<'_>, state: &State) {
        let Self { kronecker, largest, precision, vector, product, .. } = self;
        precision.prepare(context, state);
        let width = state.features.slots();
        vector.clear();
        // No entry of Q is negative: neither are those of its leading vector.
        vector.resize(width * width, 1.0);
        product.clear();
        product.resize(width * width, 0.0);
        *largest = 1.0;
        for _ in 0..POWER_STEPS {
            let size = linalg::dot(vector, vector).sqrt();
            for value in vector.iter_mut() {
                *value /= size;
            }
            precision.multiply(context, state, vector, product);
            kronecker.solve(product, vector);
            *largest = linalg::dot(vector, vector).sqrt();
        }
    }

    /// Takes inner step number `step` (from 1).
    pub(super) fn step(
        &mut self,
        settings: &ValidSettings,
        state: &State,
        step: usize,
        derivatives: &[f64],
        weights: &mut [f64],
        rng: &mut Stream,
    ) {
        let Self { kronecker, largest, adaptive, product, .. } = self;
        match settings.schedule {
            Schedule::Polynomial => {
                let size = Schedule::polynomial(settings, step) / *largest;
                kronecker.solve(derivatives, product);
                linalg::add_scaled(weights, 0.5 * size, product);
                kronecker.add_noise(size.sqrt(), rng, weights);
            }
            Schedule::Adagrad => {
                adaptive.find(settings, derivatives, state.nu * state.nu);
                for ((weight, derivative), size) in weights.iter_mut().zip(derivatives).zip(&adaptive.sizes) {
                    *weight += 0.5 * size * derivative;
                }
                let (shape, width) = (state.weights.shape(), state.features.slots());
                outer::add_noise(shape, width, weights, |at| adaptive.sizes[at].sqrt(), rng);
            }
        }
    }
}
