//! Support vector machines on the attributes of both ends of a pair: what the paper's authors compare with on WebKB.
//! They serve two rows of one table of the paper, so they live here and not among the baselines of the library.
//!
//! The vector of a pair (i, j) is that of i and that of j, one behind the other. The vector of a node has its attributes as
//! [`Attributes`] standardises them: a bag of words has Euclidean length 1, a category is a bag of one word, a number has
//! mean 0 and standard deviation 1, and is 0 where it is not known. The links of the network are labels and nothing else.
//!
//! Links and non-links weigh alike in total: of n pairs to learn from, the n(y) with a label cost n / (2 n(y)) each (C = 1).
//!
//! # Pairs that stand for both directions
//! Neither end is the first. The kernel of two such pairs is the mean over both orders of one of them, which is what learning
//! each pair in both orders, at half the cost each, amounts to.

mod linear;
mod method;
mod newton;
mod rbf;
mod smo;
#[cfg(test)]
mod tests;

use std::fmt;

use dlfrm::Result;
use dlfrm::covariates::Attributes;
use dlfrm::network::Pairs;

/// A support vector machine on the attributes of both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SupportVectorMachine {
    /// Linear, with the squared hinge loss, on all training pairs (name: `svm-linear`). See `svm/linear.rs`.
    Linear,
    /// With a Gaussian kernel and the hinge loss, on 10,000 training pairs at most (`svm-rbf`). See `svm/rbf.rs`.
    Rbf,
}

impl SupportVectorMachine {
    /// All machines.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Rbf];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "svm-linear",
            Self::Rbf => "svm-rbf",
        }
    }

    /// Learns from labelled pairs and the attributes of their ends. The same seed gives the same machine on any number of
    /// threads.
    ///
    /// # Panics
    /// If there are attributes of fewer nodes than `train` has.
    pub fn fit(self, attributes: &Attributes, train: &Pairs, seed: u64) -> Result<TrainedMachine> {
        if train.links() == 0 || train.links() == train.len() {
            return Ok(TrainedMachine(Decision::Constant));
        }
        Ok(TrainedMachine(match self {
            Self::Linear => Decision::Linear(linear::Decision::new(attributes, train)),
            Self::Rbf => Decision::Rbf(rbf::Decision::new(attributes, train, seed)?),
        }))
    }
}

/// A machine that has learned from pairs.
#[derive(Debug)]
pub struct TrainedMachine(Decision);

#[derive(Debug)]
enum Decision {
    /// All training pairs had the same label.
    Constant,
    Linear(linear::Decision),
    Rbf(rbf::Decision),
}

impl TrainedMachine {
    /// The decision value of each pair (source, target): larger is likelier, and no more than that. All are 0 if the
    /// training pairs had one label.
    ///
    /// # Panics
    /// If a pair names a node that the training pairs do not have.
    pub fn score(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        match &self.0 {
            Decision::Constant => vec![0.0; pairs.len()],
            Decision::Linear(decision) => decision.score(pairs),
            Decision::Rbf(decision) => decision.score(pairs),
        }
    }
}

/// What a pair costs on the wrong side of its margin, a non-link and a link, of so many.
fn balanced([non_links, links]: [usize; 2]) -> [f64; 2] {
    [non_links, links].map(|count| (non_links + links) as f64 / (2 * count) as f64)
}

impl fmt::Display for SupportVectorMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
