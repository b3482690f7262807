//! Support vector machines on what is known of the two ends of a pair: what the paper's authors compare with on WebKB.
//!
//! The vector of a pair (i, j) is that of i and that of j, one behind the other. The vector of an entity has its attributes as
//! [`Attributes`] standardises them: a bag of words has Euclidean length 1, a category is a bag of one word, a number has
//! mean 0 and standard deviation 1, and is 0 where it is not known. The links of the network are labels and nothing else.
//!
//! Links and non-links weigh alike in total: of n pairs to learn from, the n(y) with a label cost n / (2 n(y)) each (C = 1).
//!
//! # Pairs that stand for both directions
//! Neither end is the first. The kernel of two such pairs is the mean over both orders of one of them, which is what learning
//! each pair in both orders, at half the cost each, amounts to.

mod linear;
mod newton;
mod rbf;
mod smo;
#[cfg(test)]
mod tests;

use crate::covariates::Attributes;
use crate::error::{Error, Result};
use crate::named::named;
use crate::network::Pairs;

/// A support vector machine on the attributes of both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SupportVectorMachine {
    /// Linear, with the squared hinge loss, on all training pairs (name: `svm-linear`). See `baseline/svm/linear.rs`.
    Linear,
    /// With a Gaussian kernel and the hinge loss, on 10,000 training pairs at most (`svm-rbf`). See `baseline/svm/rbf.rs`.
    Rbf,
}

impl SupportVectorMachine {
    /// Every machine that there is.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Rbf];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "svm-linear",
            Self::Rbf => "svm-rbf",
        }
    }

    /// The decision value of each pair (source, target) of `test`, fitted to `train`: larger is likelier, and no more than
    /// that. All are 0 if the training pairs have one label, so that there is nothing to tell apart. The same seed gives the
    /// same answer on any number of threads.
    ///
    /// # Panics
    /// If there are attributes of fewer entities than `train` has, or a pair names an entity that it does not have.
    pub fn score(
        self,
        attributes: &Attributes,
        train: &Pairs,
        test: &[(u32, u32)],
        seed: u64,
    ) -> Result<Vec<f64>> {
        if train.links() == 0 || train.links() == train.len() {
            return Ok(vec![0.0; test.len()]);
        }
        match self {
            Self::Linear => Ok(linear::score(attributes, train, test)),
            Self::Rbf => rbf::score(attributes, train, test, seed),
        }
    }
}

/// What a pair costs on the wrong side of its margin, a non-link and a link, of so many.
fn balanced([non_links, links]: [usize; 2]) -> [f64; 2] {
    [non_links, links].map(|count| (non_links + links) as f64 / (2 * count) as f64)
}

impl crate::evaluate::Method for SupportVectorMachine {
    fn name(&self) -> &'static str {
        SupportVectorMachine::name(*self)
    }

    fn fit<'a>(
        &'a self,
        training: &crate::evaluate::Training<'a>,
    ) -> Result<Box<dyn crate::evaluate::Scorer + 'a>> {
        let needed =
            || Error::Network(format!("{self} learns from attributes of entities, and there are none"));
        let attributes = training.side_info.entities.as_deref().ok_or_else(needed)?;
        let seed = training.seed;
        Ok(crate::evaluate::scorer(training, move |train, pairs| {
            SupportVectorMachine::score(*self, attributes, train, pairs, seed)
        }))
    }
}

named!(SupportVectorMachine, "support vector machine", Self::ALL);
