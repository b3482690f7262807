//! How a split is made: which pairs are held out and what that leaks, how many, and which non-links are tested.

use crate::error::{Error, Result};
use crate::model::number;
use crate::named::named;

/// Which pairs are held out. Figures of different protocols are never comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Protocol {
    /// A uniformly random part of the observed pairs, links and non-links alike (name: `pairs`).
    ///
    /// **Leaks nothing**: an undirected pair is in one part. In a directed network (i, j) may be trained on while (j, i) is
    /// tested: that is reciprocity, not a leak.
    #[default]
    Pairs,
    /// The same over ordered pairs, an undirected link counted in both directions (name: `paper-pairs`).
    ///
    /// **Leaks in an undirected network**: the reverse of most test pairs is trained on. The paper splits so. For a directed
    /// network it is the same split as [`Protocol::Pairs`], seed by seed.
    PaperPairs,
    /// For networks that are too large to look at every pair: a random part of the links, with as many
    /// non-links, is held out; the other links are trained on, with some non-links per link (name: `links`).
    ///
    /// **Leaks nothing.** Non-links are drawn from all observed pairs that are no links; a dense network that has fewer of
    /// them gives all, half of them at most to the test. AUC is easier here than under [`Protocol::Pairs`].
    Links,
    /// The same over ordered pairs (name: `paper-links`).
    ///
    /// **Leaks in an undirected network** as [`Protocol::PaperPairs`] does.
    PaperLinks,
    /// As [`Protocol::Pairs`], but no held-out link leaves a node without a training link (name: `connected`).
    ///
    /// **Leaks nothing**, and is easier than [`Protocol::Pairs`]; the authors of edge partition models evaluate theirs so.
    /// Where not as many can be held out, fewer links are.
    Connected,
}

impl Protocol {
    /// Every protocol that there is.
    pub const ALL: [Self; 5] =
        [Self::Pairs, Self::PaperPairs, Self::Links, Self::PaperLinks, Self::Connected];
    /// Non-links per link in training by default: those of the paper.
    pub const NEGATIVES: f64 = 10.0;

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::PaperPairs => "paper-pairs",
            Self::Links => "links",
            Self::PaperLinks => "paper-links",
            Self::Connected => "connected",
        }
    }

    /// Whether an undirected pair is two pairs, one in each direction.
    pub fn ordered(self) -> bool {
        matches!(self, Self::PaperPairs | Self::PaperLinks)
    }

    /// Whether links are held out, and non-links sampled.
    pub fn samples(self) -> bool {
        matches!(self, Self::Links | Self::PaperLinks)
    }

    /// The part that is held out by default: the paper's.
    pub fn test_fraction(self) -> f64 {
        if self.samples() { 0.1 } else { 0.2 }
    }
}

named!(Protocol, "split", Self::ALL);

/// Which non-links are tested, where links are held out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TestNegatives {
    /// Any observed non-link, all being equally likely (name: `uniform`).
    ///
    /// Most are between nodes of few links, so that degrees alone predict well.
    #[default]
    Uniform,
    /// A non-link with the probability of its ends meeting by chance: the source in proportion to its training links, the
    /// target to its own, one after the other without repeats (name: `degree`). Degrees alone predict little then.
    Degree,
    /// Any non-link whose ends have a common neighbour in training, directions ignored, all being equally likely (name:
    /// `hard`). Triadic closure alone predicts little then.
    Hard,
}

impl TestNegatives {
    /// Every kind that there is.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Degree, Self::Hard];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Degree => "degree",
            Self::Hard => "hard",
        }
    }
}

named!(TestNegatives, "kind of negatives", Self::ALL);

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
}
