//! What a model learns from and what it is judged by: splits of a network, folds, sampled non-links.

mod divide;
mod non_links;
mod options;

pub use divide::{Split, Training};
pub use non_links::Sample;
pub(crate) use non_links::check_negatives;
pub use options::{HeldOut, Protocol, SplitOptions, TestNegatives};
