//! How far a Langevin step goes.

use serde::{Deserialize, Serialize};

use crate::model::{Checked, State};
use crate::named::named;
use crate::network::Pairs;

use super::super::outer::{self, Outer};
use super::super::wide;

/// A rule for the sizes of Langevin steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// a (b + t)^-gamma at inner step t of a sweep, in units of what the curvature of a weight allows.
    Polynomial,
    /// a over the root of the summed squares of a weight's derivatives (Duchi et al. 2011).
    Adagrad,
}

impl Schedule {
    /// Every schedule.
    pub const ALL: [Self; 2] = [Self::Polynomial, Self::Adagrad];

    /// The name that flags and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Polynomial => "polynomial",
            Self::Adagrad => "adagrad",
        }
    }
}

named!(Schedule, "schedule", Self::ALL);

/// The step size of every weight, for one sweep: its features and rates are others in the next.
#[derive(Debug, Default)]
pub(super) struct Steps {
    outer: Outer,
    /// The current step sizes, and what they are worked out from: the largest allowed ones, or summed squares.
    pub(super) sizes: Vec<f64>,
    basis: Vec<f64>,
    spare: Vec<f64>,
}

impl Steps {
    /// Begins a sweep.
    pub(super) fn begin(&mut self, schedule: Schedule, pairs: &Pairs, state: &State) {
        let width = state.features.slots();
        for values in [&mut self.sizes, &mut self.basis, &mut self.spare] {
            values.clear();
            values.resize(width * width, 0.0);
        }
        if schedule == Schedule::Polynomial {
            self.find_largest(pairs, state);
        }
    }

    /// The step that the curvature of each weight allows, 1 / (D L): D is the weight's own curvature and L at least the
    /// largest eigenvalue of D^-1 Q. Q has no negative entry, so the largest of (D^-1 Q 1) is such a bound (Collatz).
    fn find_largest(&mut self, pairs: &Pairs, state: &State) {
        let Self { outer, basis, spare, sizes } = self;
        let (width, shape) = (state.features.slots(), state.weights.shape());
        let precision = state.nu * state.nu;
        sizes.fill(1.0);
        wide(
            #[inline(always)]
            || {
                outer.sum(pairs, &state.features, sizes, spare, |pair, logit| state.rates[pair] * logit);
                outer.sum(pairs, &state.features, sizes, basis, |pair, _| state.rates[pair]);
            },
        );
        outer::fold(shape, width, spare);
        outer::fold(shape, width, basis);
        // The prior is diagonal, and in D as in Q.
        let bound = spare.iter().zip(&*basis).map(|(all, own)| (all + precision) / (own + precision));
        let bound = bound.fold(1.0, f64::max);
        for own in basis.iter_mut() {
            *own = 1.0 / (bound * (*own + precision));
        }
    }

    /// The sizes of inner step number `step` (from 1), given the derivatives at hand and the prior precision of a weight.
    pub(super) fn find(&mut self, settings: &Checked, step: usize, derivatives: &[f64], precision: f64) {
        match settings.schedule {
            Schedule::Polynomial => {
                let share = settings.step * (settings.step_delay + step as f64).powf(-settings.step_decay);
                for (size, largest) in self.sizes.iter_mut().zip(&self.basis) {
                    *size = share * largest;
                }
            }
            Schedule::Adagrad => {
                for ((size, sum), derivative) in self.sizes.iter_mut().zip(&mut self.basis).zip(derivatives) {
                    *sum += derivative * derivative;
                    // A weight with next to no derivatives must not go further than its prior allows.
                    *size = (settings.step / sum.sqrt()).min(1.0 / precision);
                }
            }
        }
    }
}
