//! Reproducible streams of random numbers and the distributions that the sampler draws from.

mod polya_gamma;
mod stream;

pub use polya_gamma::{PolyaGamma, inverse_gaussian};
pub use stream::{Purpose, Stream, stream};
