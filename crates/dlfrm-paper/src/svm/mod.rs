//! Support vector machines on the attributes of both ends of a pair: what the paper's authors compare with on WebKB.
//! They serve two rows of one table of the paper, so they live here and not among the baselines of the library.
//!
//! The vector of a pair (i, j) is that of i and that of j, one behind the other. The vector of a node has its attributes as
//! `Attributes` standardises them: a bag of words has Euclidean length 1, a category is a bag of one word, a number has
//! mean 0 and standard deviation 1, and is 0 where it is not known. The links of the network are labels and nothing else.
//!
//! Links and non-links weigh alike in total: of n pairs to learn from, the n(y) with a label cost n / (2 n(y)) each (C = 1).
//!
//! # Pairs that stand for both directions
//! Neither end is the first. The kernel of two such pairs is the mean over both orders of one of them, which is what learning
//! each pair in both orders, at half the cost each, amounts to.

mod linear;
mod machine;
mod rbf;
#[cfg(test)]
mod tests;

pub use machine::{SupportVectorMachine, TrainedMachine};
