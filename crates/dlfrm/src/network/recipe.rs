//! How a split is made: which pairs are held out, how many, and which non-links are tested.

use super::Protocol;
use super::negatives::TestNegatives;
use crate::error::{Error, Result};

/// How pairs are divided into training and test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// What is held out.
    pub protocol: Protocol,
    /// How much of it.
    pub part: Part,
    /// Non-links a link in training, where the protocol samples them.
    pub negatives: f64,
    /// Which non-links are tested, where the protocol samples them.
    pub test_negatives: TestNegatives,
}

/// How much is held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
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

impl Recipe {
    /// What a protocol does unless told otherwise.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            part: Part::Fraction(protocol.test_fraction()),
            negatives: Protocol::NEGATIVES,
            test_negatives: TestNegatives::Uniform,
        }
    }

    /// Refuses what cannot be made.
    pub fn check(&self) -> Result<()> {
        let refuse = |name, expected, value| Err(Error::Setting { name, expected, value });
        match self.part {
            Part::Fraction(fraction) if !(fraction > 0.0 && fraction < 1.0) => {
                refuse("test-fraction", "between 0 and 1, both excluded", fraction.to_string())
            }
            Part::Fold { of, .. } if of < 2 => refuse("folds", "at least 2", of.to_string()),
            Part::Fold { of, .. } if self.protocol == Protocol::Connected => Err(Error::Network(format!(
                "the split connected has no folds ({of} were asked for): an entity's last link is never held out"
            ))),
            _ if self.test_negatives != TestNegatives::Uniform && !self.protocol.samples() => {
                let expected = "uniform unless the split is links or paper-links";
                refuse("test-negatives", expected, self.test_negatives.to_string())
            }
            _ => Ok(()),
        }
    }
}

impl Part {
    /// How many of `count` are held out.
    pub(super) fn of(self, count: usize) -> usize {
        match self {
            Self::Fraction(fraction) => (fraction * count as f64).round() as usize,
            Self::Fold { number, of } => (number + 1) * count / of - number * count / of,
        }
    }

    /// The fold's number, for what is drawn anew for every fold.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Fraction(_) => 0,
            Self::Fold { number, .. } => number as u64,
        }
    }
}
