//! From a network to a fitted model.

mod fitted;
mod versions;

pub use fitted::{FittedModel, FittedRelation};
pub use versions::Versions;
