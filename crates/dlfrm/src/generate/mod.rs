//! Networks with a known truth, for tests and for teaching: drawn from the model, or with planted groups.
//!
//! [`generate`] draws features, weights and links from the model itself. [`plant`] makes a network of another recipe, whose
//! groups the model has to find.

mod model;
mod planted;
mod planting;

pub use model::{GenerateSettings, Generated, generate, generate_links};
pub use planted::{Planted, PlantedSettings, plant};
