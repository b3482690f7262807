//! How a split is made: which pairs are held out, how many, and which non-links are tested.

use super::Protocol;
use super::negatives::TestNegatives;
use crate::error::{Error, Result};
use crate::model::number;

/// How pairs are divided into training and test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitOptions {
    /// What is held out.
    pub protocol: Protocol,
    /// How much of it.
    pub held_out: HeldOut,
    /// Non-links per link in training, where the protocol samples them.
    pub negatives: f64,
    /// Which non-links are tested, where the protocol samples them.
    pub test_negatives: TestNegatives,
}

/// How much is held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeldOut {
    /// A share of the pairs, or of the links, between 0 and 1; rounded to whole ones.
    Fraction(f64),
    /// One of several parts of about the same size. Over all numbers from 0 every pair (or every link) is held out once,
    /// if the seed is the same.
    Fold {
        /// Which one, from 0.
        number: usize,
        /// Of how many.
        of: usize,
    },
}

impl SplitOptions {
    /// The defaults of a protocol.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            held_out: HeldOut::Fraction(protocol.test_fraction()),
            negatives: Protocol::NEGATIVES,
            test_negatives: TestNegatives::Uniform,
        }
    }

    /// Refuses what cannot be made.
    pub fn check(&self) -> Result<()> {
        let refuse = |name, expected, value| Err(Error::Setting { name, expected, value });
        match self.held_out {
            HeldOut::Fraction(fraction) if !(fraction > 0.0 && fraction < 1.0) => {
                refuse("test-fraction", "between 0 and 1, both excluded", number(fraction))
            }
            HeldOut::Fold { of, .. } if of < 2 => refuse("folds", "at least 2", of.to_string()),
            HeldOut::Fold { of, .. } if self.protocol == Protocol::Connected => Err(Error::Network(format!(
                "the split connected has no folds ({of} were asked for): a node's last link is never held out"
            ))),
            _ if self.test_negatives != TestNegatives::Uniform && !self.protocol.samples() => {
                let expected = "uniform unless the split is links or paper-links";
                refuse("test-negatives", expected, self.test_negatives.to_string())
            }
            _ => Ok(()),
        }
    }
}

impl HeldOut {
    /// The share that is held out.
    pub fn share(self) -> f64 {
        match self {
            Self::Fraction(fraction) => fraction,
            Self::Fold { of, .. } => 1.0 / of as f64,
        }
    }

    /// How many of `count` are held out.
    pub(super) fn of(self, count: usize) -> usize {
        match self {
            Self::Fraction(fraction) => (fraction * count as f64).round() as usize,
            Self::Fold { number, of } => (number + 1) * count / of - number * count / of,
        }
    }

    /// The fold's number, for what is drawn for every fold.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Fraction(_) => 0,
            Self::Fold { number, .. } => number as u64,
        }
    }
}
