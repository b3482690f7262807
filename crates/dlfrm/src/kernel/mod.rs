//! The kernels of a sweep: free functions over (pairs, state, settings, stream, scratch), one file each.
//!
//! A kernel loops over data, not over sweeps; it prints nothing and allocates nothing per row once its
//! scratch has grown to the size of the problem.

// Code that runs inside pulp's dispatch is compiled for the wide instructions only where it is inlined.
#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

pub mod augment;
mod common;
mod dense;
pub mod features;
pub mod flips;
pub mod hyper;
mod incident;
pub mod intercept;
mod new_features;
mod sums;
pub mod weights_cholesky;
pub mod weights_diagonal;

/// Where a run is: with the purpose and the block it names a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The seed of the run.
    pub seed: u64,
    /// The chain.
    pub chain: u64,
    /// The sweep, counted from 1; 0 is the start.
    pub sweep: u64,
}
