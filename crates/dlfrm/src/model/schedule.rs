//! How far a Langevin step goes.

use serde::{Deserialize, Serialize};

use crate::named::named;

use super::ValidSettings;

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
    pub const fn name(self) -> &'static str {
        match self {
            Self::Polynomial => "polynomial",
            Self::Adagrad => "adagrad",
        }
    }

    /// The size of the first steps, where nothing else is known.
    pub fn usual_step(self) -> f64 {
        match self {
            Self::Polynomial => 1.0,
            Self::Adagrad => 0.1,
        }
    }

    /// The size of inner step number `step` (from 1) of a sweep under the polynomial rule.
    pub(crate) fn polynomial(settings: &ValidSettings, step: usize) -> f64 {
        settings.step * (settings.step_delay + step as f64).powf(-settings.step_decay)
    }
}

named!(Schedule, "schedule", Self::ALL);
