//! The models of the paper: what they are called, their settings, their state, their prior and losses.

mod features;
pub mod ibp;
mod joint;
mod loss;
mod settings;
mod start;
mod state;
mod weights;

pub use features::Features;
pub use joint::{LogJoint, log_joint};
pub use loss::Loss;
pub(crate) use loss::sigmoid;
pub use settings::{Checked, Settings};
pub use start::Start;
pub(crate) use start::start;
pub use state::State;
pub use weights::{Shape, Weights};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::named::named;

/// A model of the paper: how features interact, and the loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub struct Model {
    /// Whether a feature interacts with itself only (the paper's diagDLFRM).
    pub diagonal: bool,
    /// The loss that the weights are learned with.
    pub loss: Loss,
}

impl Model {
    /// Every model there is, in the paper's order.
    pub const ALL: [Self; 4] = [
        Self { diagonal: false, loss: Loss::Logistic },
        Self { diagonal: false, loss: Loss::Hinge },
        Self { diagonal: true, loss: Loss::Logistic },
        Self { diagonal: true, loss: Loss::Hinge },
    ];

    /// The name that the command line and the files use.
    pub fn name(self) -> &'static str {
        match (self.diagonal, self.loss) {
            (false, Loss::Logistic) => "dlfrm-l",
            (false, Loss::Hinge) => "dlfrm-h",
            (true, Loss::Logistic) => "diag-dlfrm-l",
            (true, Loss::Hinge) => "diag-dlfrm-h",
        }
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
