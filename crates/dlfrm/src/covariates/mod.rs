//! What is known about a pair beside its label: covariates of the logit's linear part.
//!
//! [`Covariates`] tells those of any pair, whether it was learned from or not; [`Matrix`] holds them for many pairs.

mod matrix;
mod paths;
mod topology;

pub use matrix::Matrix;
use topology::Topology;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::network::Pairs;

/// Which covariates a fit has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CovariateSet {
    /// None.
    None,
    /// What the links around a pair say of it: common neighbours, degrees, longer paths.
    Topology,
}

impl CovariateSet {
    /// Every set.
    pub const ALL: [Self; 2] = [Self::None, Self::Topology];

    /// The name that flags and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Topology => "topology",
        }
    }
}

named!(CovariateSet, "set of covariates", Self::ALL);

/// How a column is standardised: its mean and its standard deviation over the pairs that were learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// What is taken away.
    pub mean: f64,
    /// What the rest is divided by; 0 for a column that says nothing, which is left out.
    pub deviation: f64,
}

/// The covariates of every pair of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariates {
    topology: Topology,
    scales: Vec<Scale>,
}

impl Covariates {
    /// What the links among some pairs say of every pair; and the covariates of these pairs themselves, in their
    /// order. What is said of a pair is what would be said if it had no link.
    pub fn of_links(pairs: &Pairs) -> (Self, Matrix) {
        let topology = Topology::new(pairs);
        let mut matrix = Matrix::new(topology.names().len(), pairs.len());
        topology.fill(pairs, &mut matrix);
        let scales = matrix.standardise();
        (Self { topology, scales }, matrix)
    }

    /// The same as it was, of the links that it was told by and how its columns were standardised. `None` if there is
    /// not one scale for each column.
    pub fn from_scales(links: &Pairs, scales: Vec<Scale>) -> Option<Self> {
        let topology = Topology::new(links);
        (scales.len() == topology.names().len()).then_some(Self { topology, scales })
    }

    /// The names of the columns.
    pub fn names(&self) -> &'static [&'static str] {
        self.topology.names()
    }

    /// How each column is standardised.
    pub fn scales(&self) -> &[Scale] {
        &self.scales
    }

    /// The covariates of some pairs, in their order.
    pub fn rows(&self, pairs: &[(u32, u32)]) -> Matrix {
        let mut matrix = Matrix::new(self.scales.len(), pairs.len());
        self.topology.fill_rows(pairs, &mut matrix);
        matrix.scale(&self.scales);
        matrix
    }
}
