//! Bayesian link prediction that finds by itself how many latent features a network has.

pub mod baseline;
pub mod chain;
pub mod error;
pub mod generate;
pub mod kernel;
pub mod model;
pub mod network;
pub mod posterior;
pub mod random;
pub mod score;

pub use error::{Error, Result};
