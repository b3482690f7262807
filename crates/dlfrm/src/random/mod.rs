//! Reproducible streams of random numbers and the distributions that the sampler draws from.

mod stream;

pub use stream::{Purpose, Stream, stream};
