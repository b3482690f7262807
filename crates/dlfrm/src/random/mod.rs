//! Reproducible streams of random numbers and the distributions that the sampler draws from.

pub(crate) mod inverse_gaussian;
pub(crate) mod polya_gamma;
pub(crate) mod stream;

pub(crate) use inverse_gaussian::fill_inverse_gaussian;
pub(crate) use polya_gamma::PolyaGamma;
pub use stream::{Purpose, Stream, run_seed, stream};
pub(crate) use stream::{StreamKey, scatter};
