//! The kernels of a sweep: free functions over (context, state, scratch) that return what they did, one file each.
//!
//! A kernel loops over data, not over sweeps; it prints nothing and allocates nothing per row once its
//! scratch has grown to the size of the problem. `docs/model.md` has the conditional that each of them draws from.

// Code that runs inside pulp's dispatch is compiled for the wide instructions only where it is inlined.
#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

pub mod augment;
pub mod collapsed_rows;
pub(crate) mod conjugate;
mod context;
mod dense_columns;
mod eigen;
pub mod features;
pub mod hyper;
mod incident;
pub mod intercept;
pub(crate) mod linalg;
pub mod linear;
mod losses;
pub(crate) mod near;
mod new_features;
pub(crate) mod new_nodes;
mod pending_births;
mod prior;
mod row;
mod sums;
mod table_sums;
#[cfg(test)]
pub(crate) mod test_support;
pub(crate) mod unsampled;
pub mod weights;
pub(crate) mod workers;

pub use context::Context;
pub(crate) use context::RelationView;

use crate::simd::{LANES, with_simd};

/// Rows of a tile of sums that are held in registers.
const TILE_ROWS: usize = 4;
/// The position of something that is not in a list.
const ABSENT: u32 = u32::MAX;
