//! The ways in which a chain can start.

use serde::{Deserialize, Serialize};

use crate::named::named;

/// How a chain starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The paper's Algorithm 1: features from the Indian buffet process, weights from their prior, every
    /// augmentation variable 1.
    Paper,
    /// As the paper's, but the augmentation variables are drawn given the first logits.
    Prior,
    /// No feature; the augmentation variables are drawn given logits of zero.
    Empty,
    /// As [`Prior`](Self::Prior), and the costs rise to their full size in steps over the first two fifths
    /// of the burn-in: features are born one by one where many pairs ask for them, instead of one for
    /// every row at once. None are born in the first tenth of it (five sweeps at most), and while the costs rise the
    /// logistic loss stands in for the hinge.
    Annealed,
    /// With groups of nodes that have many links among them as features, found anew for each chain. Each own weight is
    /// the log-odds of a link within the group against those of a link outside all groups.
    Groups,
}

impl Start {
    /// Every start.
    pub const ALL: [Self; 5] = [Self::Paper, Self::Prior, Self::Empty, Self::Annealed, Self::Groups];

    /// The name that flags and files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Prior => "prior",
            Self::Empty => "empty",
            Self::Annealed => "annealed",
            Self::Groups => "groups",
        }
    }
}

named!(Start, "start", Self::ALL);
