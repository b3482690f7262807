//! How far a Langevin step goes.

use serde::{Deserialize, Serialize};

use crate::model::Checked;
use crate::named::named;

/// A rule for the sizes of Langevin steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// a (b + t)^-gamma at inner step t of a sweep, in units of what the curvature allows.
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

impl Schedule {
    /// The size of the first steps, where nothing else is known.
    pub fn usual_step(self) -> f64 {
        match self {
            Self::Polynomial => 1.0,
            Self::Adagrad => 0.1,
        }
    }

    /// The size of inner step number `step` (from 1) of a sweep under the polynomial rule.
    pub(super) fn polynomial(settings: &Checked, step: usize) -> f64 {
        settings.step * (settings.step_delay + step as f64).powf(-settings.step_decay)
    }
}

named!(Schedule, "schedule", Self::ALL);

/// The sizes of AdaGrad's steps, one a weight; they begin anew with every sweep, which has other features and rates.
#[derive(Debug, Default)]
pub(super) struct Adaptive {
    /// The current sizes.
    pub(super) sizes: Vec<f64>,
    squares: Vec<f64>,
}

impl Adaptive {
    /// Forgets all derivatives.
    pub(super) fn begin(&mut self, weights: usize) {
        for values in [&mut self.sizes, &mut self.squares] {
            values.clear();
            values.resize(weights, 0.0);
        }
    }

    /// Finds the sizes for the derivatives at hand, given the prior precision of a weight.
    pub(super) fn find(&mut self, settings: &Checked, derivatives: &[f64], precision: f64) {
        for ((size, sum), derivative) in self.sizes.iter_mut().zip(&mut self.squares).zip(derivatives) {
            *sum += derivative * derivative;
            // A weight with next to no derivatives must not go further than its prior allows.
            *size = (settings.step / sum.sqrt()).min(1.0 / precision);
        }
    }
}
