//! What is known about a pair beside its label: covariates of the logit's linear part.
//!
//! [`Covariates`] computes those of any pair, whether it was learned from or not; [`Matrix`] holds them for many pairs.

mod all_pairs;
mod attributes;
mod bounds;
mod column;
mod components;
mod far;
mod matrix;
mod neighbourhood;
mod of_node;
mod paths;
mod products;
mod similarity;
mod sources;
mod table;
mod topology;
mod walks;

#[cfg(test)]
pub(crate) use attributes::example;
pub use attributes::{Attributes, Field, FieldValues};
pub(crate) use bounds::{Bounds, Distance, End, NearEnd};
pub(crate) use column::Group;
pub use matrix::Matrix;
use similarity::Similarity;
use sources::Sources;
pub use table::{PairColumn, PairTable, PairValues};
use topology::Topology;
pub(crate) use topology::Walker;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::network::Pairs;

/// Which covariates a fit has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CovariateSet {
    /// None.
    None,
    /// What the links around a pair say of it: common neighbours, degrees, longer paths, distance.
    Topology,
}

impl CovariateSet {
    /// Every set.
    pub const ALL: [Self; 2] = [Self::None, Self::Topology];

    /// The name that flags and files use.
    pub const fn name(self) -> &'static str {
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

/// What is known beside the links: nothing, unless a user gives it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SideInfo {
    /// Of nodes.
    pub nodes: Option<Arc<Attributes>>,
    /// Of pairs.
    pub pairs: Option<Arc<PairTable>>,
}

impl SideInfo {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_none() && self.pairs.is_none()
    }
}

/// The bytes that the covariates of a pair take, at most.
pub(crate) fn bytes_a_pair(set: CovariateSet, side_info: &SideInfo) -> usize {
    let of_links = match set {
        CovariateSet::None => 0,
        CovariateSet::Topology => Topology::MOST_COLUMNS,
    };
    let of_pairs = side_info.pairs.as_ref().map_or(0, |table| table.names().count());
    let of_ends = side_info.nodes.as_ref().map_or(0, |attributes| attributes.fields().len());
    Matrix::bytes_a_line(of_links + of_pairs + of_ends)
}

/// What the linear part of a logit is linear in, for the pairs that are learned from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Design {
    /// A line for each pair.
    pub pairs: Matrix,
    /// Of nodes.
    pub nodes: Option<Arc<Attributes>>,
}

impl From<Matrix> for Design {
    fn from(pairs: Matrix) -> Self {
        Self { pairs, nodes: None }
    }
}

/// What a covariate is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The links around the pair: what they say is of one group.
    Links(Group),
    /// A table of pairs.
    Pairs,
    /// The attributes of the two ends.
    Attributes,
}

/// The covariates of every pair of a network: what its links say of it, what is known of it, and how alike its ends are.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariates {
    topology: Option<Topology>,
    side_info: SideInfo,
    similarity: Option<Similarity>,
    names: Vec<String>,
    scales: Vec<Scale>,
}

impl Covariates {
    /// Those of a fit to some pairs, if it has any, and what its linear part is linear in. What the links say of a pair is
    /// what they would say if it had no link.
    pub fn of_pairs(pairs: &Pairs, set: CovariateSet, side_info: &SideInfo) -> (Option<Self>, Design) {
        if set == CovariateSet::None && side_info.is_empty() {
            return (None, Design::default());
        }
        let mut covariates = Self::without_scales(pairs, set, side_info);
        let mut matrix = Matrix::new(covariates.names.len(), pairs.len());
        covariates.fill(&Sources::of(pairs), &mut matrix);
        covariates.scales = matrix.standardise();
        (Some(covariates), Design { pairs: matrix, nodes: side_info.nodes.clone() })
    }

    /// The same as they were, of the links that they were computed from and how their columns were standardised. `None` if there
    /// is not one scale for each column.
    pub fn from_scales(
        links: &Pairs,
        set: CovariateSet,
        side_info: &SideInfo,
        scales: Vec<Scale>,
    ) -> Option<Self> {
        let covariates = Self::without_scales(links, set, side_info);
        (scales.len() == covariates.names.len()).then_some(Self { scales, ..covariates })
    }

    fn without_scales(links: &Pairs, set: CovariateSet, side_info: &SideInfo) -> Self {
        let topology = match set {
            CovariateSet::None => None,
            CovariateSet::Topology => Some(Topology::new(links)),
        };
        let similarity = side_info.nodes.as_deref().map(Similarity::new);
        let of_links = topology.iter().flat_map(Topology::columns).map(|column| column.name.to_owned());
        let of_pairs = side_info.pairs.iter().flat_map(|table| table.names());
        let of_ends = side_info.nodes.iter().flat_map(|attributes| Similarity::names(attributes));
        let names = of_links.chain(of_pairs).chain(of_ends).collect();
        Self { names, topology, side_info: side_info.clone(), similarity, scales: vec![] }
    }

    fn fill(&self, sources: &Sources<'_>, matrix: &mut Matrix) {
        if let Some(topology) = &self.topology {
            topology.fill(sources, matrix);
        }
        self.fill_others(sources, matrix);
    }

    /// Fills in the columns that do not depend on links.
    fn fill_others(&self, sources: &Sources<'_>, matrix: &mut Matrix) {
        let mut first = self.topology.as_ref().map_or(0, |topology| topology.columns().len());
        if let Some(table) = &self.side_info.pairs {
            table.fill(sources, first, matrix);
            first += table.names().count();
        }
        if let Some(similarity) = &self.similarity {
            similarity.fill(sources, first, matrix);
        }
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What a column is computed from.
    pub(crate) fn origin(&self, column: usize) -> Origin {
        let of_links = self.topology.as_ref().map_or(&[][..], Topology::columns);
        let of_pairs = self.side_info.pairs.as_ref().map_or(0, |table| table.names().count());
        match of_links.get(column) {
            Some(column) => Origin::Links(column.group),
            None if column < of_links.len() + of_pairs => Origin::Pairs,
            None => Origin::Attributes,
        }
    }

    /// Pairs that the columns of links are compared on: links and other pairs, as many of either. None without such columns.
    pub(crate) fn reference_pairs(&self) -> Vec<(u32, u32)> {
        self.topology.as_ref().map_or_else(Vec::new, Topology::reference_pairs)
    }

    /// How each column is standardised.
    pub fn scales(&self) -> &[Scale] {
        &self.scales
    }

    /// The columns that vary among the pairs that were learned from; the others have no coefficient.
    pub fn varying(&self) -> impl Iterator<Item = usize> {
        (0..self.scales.len()).filter(|&column| self.scales[column].deviation > 0.0)
    }

    /// What is known beside the links.
    pub fn side_info(&self) -> &SideInfo {
        &self.side_info
    }

    /// A covariate that is not known of the pair, although it was known of every pair that was learned from.
    pub fn unheard(&self, pair: (u32, u32)) -> Option<&str> {
        let table = self.side_info.pairs.as_deref().filter(|table| !table.knows(pair))?;
        let first = self.topology.as_ref().map_or(0, |topology| topology.columns().len());
        let columns = table.columns().iter().zip(table.unknown_places());
        // The column that says whether a value is missing was 0 for all pairs.
        let always = |place: usize| self.scales[first + place] == Scale { mean: 0.0, deviation: 0.0 };
        columns.filter(|&(_, place)| always(place)).map(|(column, _)| column.name.as_str()).next()
    }

    /// The covariates of some pairs, in their order.
    pub fn rows(&self, pairs: &[(u32, u32)]) -> Matrix {
        let mut matrix = Matrix::new(self.names.len(), pairs.len());
        Sources::with_pairs(pairs, &mut matrix, |sources, matrix| self.fill(sources, matrix));
        matrix.scale(&self.scales);
        matrix
    }
}
