//! Reproducible streams of random numbers and the distributions that the sampler draws from.

mod inverse_gaussian;
mod polya_gamma;
mod stream;

pub use inverse_gaussian::{InverseGaussian, inverse_gaussian};
pub use polya_gamma::{PolyaGamma, polya_gamma_mean, polya_gamma_variance};
pub(crate) use stream::scatter;
pub use stream::{Purpose, Stream, StreamKey, run_seed, stream};
