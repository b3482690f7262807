//! The models of the paper: what they are called, their settings, their state, their prior and losses.

mod annealing;
mod features;
pub(crate) mod ibp;
pub(crate) mod joint;
mod linear;
mod loss;
mod settings;
mod start;
pub(crate) mod state;
mod weights;

pub use features::Features;
pub(crate) use features::{FeatureBits, MOST_WORDS};
pub(crate) use joint::{LogJoint, Losses, log_joint};
pub use linear::Linear;
pub use loss::Loss;
pub(crate) use loss::{sigmoid, softplus};
pub use settings::{
    Idle, Overrides, SETTINGS, Schedule, Setting, SettingKind, Settings, ValidSettings, number,
};
pub use start::Start;
pub(crate) use state::State;
pub use weights::{Nu, Shape, Weights};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::named::named;

/// How features interact, and how their weights are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Any two features, exact draws (DLFRM).
    Full,
    /// Any two features, stochastic gradient Langevin dynamics (stoDLFRM).
    Stochastic,
    /// A feature with itself only (diagDLFRM).
    Diagonal,
}

/// A model of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub struct Model {
    /// How features interact, and how their weights are drawn.
    pub variant: Variant,
    /// The loss that the weights are learned with.
    pub loss: Loss,
}

impl Model {
    /// The most pairs that a fit learns weights between all features from, if it names no model: more would take long.
    pub const MOST_OF_FULL: usize = 50_000;

    /// The model of a fit to so many pairs that names none.
    pub fn usual(pairs: usize) -> Self {
        let variant = if pairs <= Self::MOST_OF_FULL { Variant::Full } else { Variant::Diagonal };
        Self { variant, loss: Loss::Logistic }
    }

    /// Every model there is, in the paper's order.
    pub const ALL: [Self; 6] = [
        Self { variant: Variant::Full, loss: Loss::Logistic },
        Self { variant: Variant::Full, loss: Loss::Hinge },
        Self { variant: Variant::Stochastic, loss: Loss::Logistic },
        Self { variant: Variant::Stochastic, loss: Loss::Hinge },
        Self { variant: Variant::Diagonal, loss: Loss::Logistic },
        Self { variant: Variant::Diagonal, loss: Loss::Hinge },
    ];

    /// The name that the command line and the files use.
    pub fn name(self) -> &'static str {
        match (self.variant, self.loss) {
            (Variant::Full, Loss::Logistic) => "dlfrm-l",
            (Variant::Full, Loss::Hinge) => "dlfrm-h",
            (Variant::Stochastic, Loss::Logistic) => "sto-dlfrm-l",
            (Variant::Stochastic, Loss::Hinge) => "sto-dlfrm-h",
            (Variant::Diagonal, Loss::Logistic) => "diag-dlfrm-l",
            (Variant::Diagonal, Loss::Hinge) => "diag-dlfrm-h",
        }
    }

    /// Whether features interact with themselves only.
    pub fn diagonal(self) -> bool {
        self.variant == Variant::Diagonal
    }
}

impl From<Model> for &'static str {
    fn from(model: Model) -> Self {
        model.name()
    }
}

impl TryFrom<String> for Model {
    type Error = Error;

    fn try_from(name: String) -> Result<Self> {
        name.parse()
    }
}

named!(Model, "model", Self::ALL);
