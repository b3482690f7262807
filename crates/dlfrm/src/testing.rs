//! Internals for the statistical tests and benchmarks; no promise of stability.

pub use crate::chain::shared::{SharedChain, SharedRelation};
pub use crate::chain::single::Chain;
pub use crate::chain::sweep::Step;
pub use crate::kernel::augment::{self, Augmentation};
pub use crate::kernel::hyper::{self, ALPHA_PRIOR, PRECISION_PRIOR, RATIO_PRIOR};
pub use crate::kernel::{Context, collapsed_rows, features, intercept, linear, weights};
pub use crate::model::joint::{LogJoint, Losses, log_joint};
pub use crate::model::state::State;
pub use crate::network::division::Division;
pub use crate::posterior::run_chains;
pub use crate::random::inverse_gaussian::{fill_inverse_gaussian, inverse_gaussian};
pub use crate::random::polya_gamma::{PolyaGamma, polya_gamma_mean, polya_gamma_variance};
pub use crate::random::stream::StreamKey;

/// The Indian buffet process.
pub mod ibp {
    pub use crate::model::ibp::*;
}
