//! The kernels of a sweep: free functions over (pairs, state, settings, stream, scratch), one file each.
//!
//! A kernel loops over data, not over sweeps; it prints nothing and allocates nothing per row once its
//! scratch has grown to the size of the problem.

// Code that runs inside pulp's dispatch is compiled for the wide instructions only where it is inlined.
#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

pub mod augment;
mod common;
pub mod conjugate;
mod dense;
mod factor;
pub mod features;
pub mod flips;
pub mod hyper;
mod incident;
pub mod intercept;
mod kronecker;
pub mod layers;
pub mod linear;
mod losses;
#[cfg(test)]
mod made_up;
mod new_features;
mod newborn;
mod outer;
mod prior;
mod shared;
mod sums;
pub mod weights;
pub mod weights_cholesky;
pub mod weights_conjugate;
pub mod weights_diagonal;
pub mod weights_langevin;
mod workers;

use crate::random::{Purpose, Stream, stream};

/// Independent sums of a vectorised loop: as many numbers as the widest vectors hold.
pub(crate) const LANES: usize = 8;
/// Rows of a tile of sums that are held in registers.
const TILE_ROWS: usize = 4;
/// The place of something that is not in a list.
const ABSENT: u32 = u32::MAX;

/// Runs code compiled for the widest instructions of the machine; the closure and everything it calls must be
/// `#[inline(always)]` for that. (`Arch::dispatch` takes a closure too, but calls it through a shim that the
/// compiler need not inline, and then the body is compiled for the oldest machines.)
#[inline(always)]
fn wide<R>(work: impl FnMut() -> R) -> R {
    struct Work<F>(F);
    impl<R, F: FnMut() -> R> pulp::WithSimd for Work<F> {
        type Output = R;

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(mut self, _: S) -> R {
            (self.0)()
        }
    }
    pulp::Arch::new().dispatch(Work(work))
}

/// Where a run is: with the purpose and the block it names a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamKey {
    /// The seed of the run.
    pub seed: u64,
    /// The chain.
    pub chain: u64,
    /// The sweep, counted from 1; 0 is the start.
    pub sweep: u64,
}

impl StreamKey {
    /// The stream of a block of a kernel at this place.
    pub(crate) fn stream(self, purpose: Purpose, block: u64) -> Stream {
        stream(self.seed, self.chain, self.sweep, purpose, block)
    }
}
