//! A sweep is a list of steps, each of them one kernel.

use serde::{Deserialize, Serialize};

use crate::named::named;

/// One step of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Rows of the feature matrix, with births and deaths of features.
    Features,
    /// The weights; diagonal ones together with the intercept, if the settings have one.
    Weights,
    /// The intercept beside full or symmetric weights, if the settings have one and nothing else is linear.
    Intercept,
    /// The whole linear part, if there is more to it than an intercept.
    Linear,
    /// The mass of the buffet, if it is learned.
    Alpha,
    /// The scale of the weights, if it is learned.
    Nu,
    /// Rows of the feature matrix with the augmentation integrated out; the augmentation must follow.
    CollapsedRows,
    /// The augmentation variables.
    Augment,
}

impl Step {
    /// A sweep in the order of the paper's Algorithm 1, with the hyperparameters between.
    pub const SWEEP: [Self; 8] = [
        Self::Features,
        Self::Weights,
        Self::Intercept,
        Self::Linear,
        Self::Alpha,
        Self::Nu,
        Self::CollapsedRows,
        Self::Augment,
    ];

    /// The name that files and flags use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Features => "features",
            Self::Weights => "weights",
            Self::Intercept => "intercept",
            Self::Linear => "linear",
            Self::Alpha => "alpha",
            Self::Nu => "nu",
            Self::CollapsedRows => "collapsed-rows",
            Self::Augment => "augment",
        }
    }
}

named!(Step, "step", Self::SWEEP);
