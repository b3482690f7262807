//! What is known about a pair beside its label: covariates of the logit's linear part.
//!
//! [`Covariates`] computes those of any pair, whether it was learned from or not; [`Matrix`] holds them for many pairs.

mod attributes;
mod bounds;
mod columns;
mod ends;
mod far;
mod leaks;
mod matrix;
mod table;
mod topology;

#[cfg(test)]
pub(crate) use attributes::example;
pub use attributes::{Attributes, Field, FieldValues};
pub(crate) use bounds::Bounds;
pub(crate) use columns::{Distance, Group};
pub(crate) use ends::{End, NearEnd};
pub use leaks::PairTableWarning;
pub use matrix::{Matrix, Scale};
pub use table::{PairColumn, PairTable, PairValues};
pub(crate) use topology::Walker;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::network::Pairs;

use attributes::Similarity;
use matrix::Sources;
use topology::Topology;

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

    fn fill_others(&self, sources: &Sources<'_>, matrix: &mut Matrix) {
        let [of_pairs, of_ends] = self.firsts();
        if let Some(table) = &self.side_info.pairs {
            table.fill(sources, of_pairs, matrix);
        }
        if let Some(similarity) = &self.similarity {
            similarity.fill(sources, of_ends, matrix);
        }
    }

    /// Where the columns of the table of pairs begin, and those of the attributes.
    fn firsts(&self) -> [usize; 2] {
        let of_links = self.topology.as_ref().map_or(0, |topology| topology.columns().len());
        [of_links, of_links + self.side_info.pairs.as_ref().map_or(0, |table| table.names().count())]
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn origin(&self, column: usize) -> Origin {
        let of_links = self.topology.as_ref().map_or(&[][..], Topology::columns);
        match of_links.get(column) {
            Some(column) => Origin::Links(column.group),
            None if column < self.firsts()[1] => Origin::Pairs,
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
        let [first, _] = self.firsts();
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

    pub(crate) fn know_links(&self) -> bool {
        self.topology.is_some()
    }

    pub(crate) fn walker(&self) -> Option<Walker> {
        self.topology.as_ref().map(Walker::new)
    }

    pub(crate) fn walk(&self, walker: Option<&mut Walker>, from: u32) {
        if let (Some(topology), Some(walker)) = (&self.topology, walker) {
            walker.walk(topology, from);
        }
    }

    /// The nodes that a walk has reached, and those that link to the one it is from: the others are far.
    pub(crate) fn near<'a>(&'a self, walker: &'a Walker, from: u32) -> [&'a [u32]; 2] {
        let topology = self.topology.as_ref().filter(|topology| topology.directed);
        let linked = topology.map_or(&[][..], |topology| topology.incoming().neighbours(from));
        [walker.reached(), linked]
    }

    /// The least and the most of each standardised column, for pairs without a link that a walk has reached or has not. In a
    /// directed network pairs with a link back count as reached.
    pub(crate) fn ranges(&self, distance: Distance) -> Vec<[f64; 2]> {
        let Covariates { topology, side_info, similarity, scales, .. } = self;
        let mut ranges: Vec<[f64; 2]> =
            topology.iter().flat_map(|topology| topology.ranges(distance)).collect();
        ranges.extend(side_info.pairs.iter().flat_map(|table| table.ranges()));
        ranges.extend(similarity.iter().flat_map(Similarity::ranges));
        let standard = |(range, scale): ([f64; 2], &Scale)| {
            range.map(|x| if scale.deviation == 0.0 { 0.0 } else { (x - scale.mean) / scale.deviation })
        };
        ranges.into_iter().zip(scales).map(standard).collect()
    }

    pub(crate) fn linked(&self, source: u32, target: u32) -> bool {
        self.topology.as_ref().is_some_and(|topology| topology.linked(source, target))
    }

    /// All links that the covariates know of, an undirected one once.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u32, u32)> {
        self.topology.iter().flat_map(|topology| {
            let sources = 0..topology.outgoing.len() as u32;
            let link = move |source: u32| {
                let targets = topology.outgoing.neighbours(source).iter();
                targets.map(move |&target| (source, target))
            };
            sources.flat_map(link).filter(|&(i, j)| topology.directed || i < j)
        })
    }

    /// The covariates of pairs from the node that was walked from to others, or if `back` from others to it; pairs that are
    /// linked are of the first kind only. They may differ from [`rows`](Self::rows) in their last bits.
    pub(crate) fn rows_of(&self, walker: Option<&Walker>, node: u32, others: &[u32], back: bool) -> Matrix {
        let mut matrix = Matrix::new(self.names.len(), others.len());
        if let (Some(topology), Some(walker)) = (&self.topology, walker) {
            let columns = topology.near();
            for (line, &other) in matrix.lines_mut().zip(others) {
                let line = &mut line.as_flattened_mut()[..columns];
                if back {
                    walker.fill_to(topology, other, node, line);
                } else {
                    walker.fill_from(topology, node, other, line);
                }
            }
            // What lies further has no direction.
            topology.far.fill(&Sources::from(node, others), columns, &mut matrix);
        }
        let target = [node];
        let sources = if back { Sources::to(others, &target) } else { Sources::from(node, others) };
        self.fill_others(&sources, &mut matrix);
        matrix.scale(&self.scales);
        matrix
    }
}
