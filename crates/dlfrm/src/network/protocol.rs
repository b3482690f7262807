//! Which pairs are held out, and what that leaks.

use crate::named::named;

/// Which pairs are held out. Figures of different protocols are never comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Protocol {
    /// A uniformly random part of the observed pairs, links and non-links alike (name: `pairs`).
    ///
    /// **Leaks nothing.** In an undirected network an unordered pair goes whole into one side, so no
    /// test link has its own reverse in training. In a directed network (i, j) and (j, i) are two facts,
    /// and one may well be trained on while the other is tested: that is reciprocity, not a leak.
    #[default]
    Pairs,
    /// The same over ordered pairs, an undirected link counted in both directions (name: `paper-pairs`).
    ///
    /// **Leaks in an undirected network**: the reverse of most test links (at a test fraction f, of the
    /// part 1 - f) stands in training as a link, and the reverse of a test non-link as a non-link. The
    /// paper splits so; the protocol exists to compare with its figures. For a directed network it is the
    /// same split as [`Protocol::Pairs`], seed by seed.
    PaperPairs,
    /// For networks that are too large to look at every pair: a random part of the links, with as many
    /// non-links, is held out; the other links are trained on, with some non-links per link (name: `links`).
    ///
    /// **Leaks nothing**: an undirected link is one thing, and so is a non-link. Non-links are drawn from all
    /// observed pairs that are no links; no pair stands in both parts. A dense network that has fewer of them gives all, half
    /// of them at most to the test. AUC is easier here than under
    /// [`Protocol::Pairs`], where the test pairs are of the same kind.
    Links,
    /// The same over ordered pairs (name: `paper-links`).
    ///
    /// **Leaks in an undirected network** as [`Protocol::PaperPairs`] does: the reverse of most test links is
    /// trained on. For a directed network it is the same split as [`Protocol::Links`], seed by seed.
    PaperLinks,
    /// As [`Protocol::Pairs`], but no held-out link leaves a node without a training link (name: `connected`).
    ///
    /// **Leaks nothing.** It is easier than [`Protocol::Pairs`], as no test pair has a node without training
    /// links; the authors of edge partition models evaluate theirs so. Links and non-links are held out in the same part; fewer
    /// links, where more cannot be.
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
