//! What can be computed from links: neighbours, distances, walks, paths, communities.

mod adjacency;
pub(crate) mod communities;
pub(crate) mod distance;
pub(crate) mod walks;
pub(crate) mod without_link;

pub use adjacency::Adjacency;
