//! Bayesian link prediction that finds by itself how many latent features a network has.

pub mod baseline;
pub mod error;
pub mod network;
pub mod random;
pub mod score;

pub use error::{Error, Result};
