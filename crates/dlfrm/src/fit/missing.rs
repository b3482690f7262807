//! The most probable links that a network does not have.

use super::{FittedModel, FittedRelation};
use crate::error::Result;
use crate::posterior::{Prediction, TopPairs};

/// Which missing links to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingLinks<'a> {
    /// At most so many.
    pub count: usize,
    /// Only pairs of this node.
    pub node: Option<&'a str>,
    /// Only those of this relation.
    pub relation: Option<&'a str>,
}

impl Default for MissingLinks<'_> {
    /// The ten most probable ones.
    fn default() -> Self {
        Self { count: 10, node: None, relation: None }
    }
}

/// A pair that the network lists neither as a link nor as a non-link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MissingLink<'a> {
    /// The relation, if the network has several.
    pub relation: Option<&'a str>,
    /// The name of the node that the link would start from.
    pub source: &'a str,
    /// The name of the node that it would go to.
    pub target: &'a str,
    /// The posterior probability of the link.
    pub prediction: Prediction,
}

impl FittedModel {
    /// The most probable pairs that the network lists neither as links nor as non-links, the most probable first, all
    /// relations together.
    ///
    /// A node or a relation that the model does not know is an error, and so is a node of a bipartite network that is
    /// neither a row nor a column.
    pub fn missing_links(&self, query: &MissingLinks<'_>) -> Result<Vec<MissingLink<'_>>> {
        let node = query.node.map(|name| self.nodes.id(name)).transpose()?;
        if let (Some(node), Some(modes)) = (node, self.modes()) {
            modes.check_node(&self.nodes, node)?;
        }
        let mut links = Vec::new();
        for relation in self.select(query.relation)? {
            for (source, target, prediction) in self.missing_of(relation, query.count, node) {
                let (source, target) = self.row_first((source, target));
                let [source, target] = [source, target].map(|id| self.nodes.name(id));
                links.push(MissingLink { relation: relation.name.as_deref(), source, target, prediction });
            }
        }
        // Stable: relations and pairs of the same probability keep their order.
        links.sort_by(|a, b| b.prediction.mean.total_cmp(&a.prediction.mean));
        links.truncate(query.count);
        Ok(links)
    }

    /// The most probable pairs of one relation that are listed neither as links nor as non-links, by the numbers of their
    /// nodes; only those of `node`, if there is one.
    pub fn missing_of(
        &self,
        relation: &FittedRelation,
        count: usize,
        node: Option<u32>,
    ) -> Vec<(u32, u32, Prediction)> {
        // A model of ordered pairs may be one of an undirected network: each of its pairs is listed once.
        let exclude = |i: u32, j: u32| (!self.directed && i > j) || relation.is_listed((i, j));
        relation.posterior.top_pairs(&TopPairs { count, node, exclude: &exclude })
    }
}
