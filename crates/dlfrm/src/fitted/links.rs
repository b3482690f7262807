//! The pairs of a fitted model: the links that it knows, the pairs that it learned from, and the most probable missing links.

use crate::error::Result;
use crate::fit::{FittedModel, FittedRelation, HeldOutPairs, LeftOut};
use crate::network::Unlisted;
use crate::posterior::{Prediction, TopPairs};

impl FittedRelation {
    /// The pairs that were held out of the fit, if any were.
    fn left_out(&self) -> Option<&LeftOut> {
        self.held_out.as_ref().map(|HeldOutPairs { left_out, .. }| left_out)
    }

    /// The links of the network, sorted: those that were learned from and those that were held out.
    pub fn known_links(&self) -> Vec<(u32, u32)> {
        let mut links = self.links.clone();
        links.extend(self.left_out().into_iter().flat_map(LeftOut::links));
        links.sort_unstable();
        links
    }

    /// Whether a pair was held out of the fit.
    pub fn is_held_out(&self, pair: (u32, u32)) -> bool {
        self.left_out().is_some_and(|out| out.label(pair).is_some())
    }

    /// Whether the network lists a pair, as a link or as a non-link, whether it was held out or not. An undirected pair has
    /// the smaller id first.
    pub fn is_listed(&self, pair: (u32, u32)) -> bool {
        let has = |list: &[(u32, u32)]| list.binary_search(&pair).is_ok();
        let held_out = |out: &LeftOut| out.label(pair) == Some(true) || has(&out.non_links);
        has(&self.links) || has(&self.non_links) || self.left_out().is_some_and(held_out)
    }
}

impl FittedModel {
    /// Whether each of some pairs was learned from, as a link or as a non-link, as far as the model knows: of non-links that
    /// were sampled it knows those that the network lists.
    pub fn learned_from(&self, relation: &FittedRelation, pairs: &[(u32, u32)]) -> Vec<bool> {
        let unlisted = self.unlisted_were_learned(relation);
        let unobserved = relation.chains.as_ref().map_or(&[][..], |chains| &chains.unobserved);
        let has = |list: &[(u32, u32)], pair: &(u32, u32)| list.binary_search(pair).is_ok();
        let learned = |&(i, j): &(u32, u32)| {
            let pair = &if self.directed { (i, j) } else { (i.min(j), i.max(j)) };
            let listed = has(&relation.links, pair) || has(&relation.non_links, pair);
            listed || (unlisted && !has(unobserved, pair) && !relation.is_held_out(*pair))
        };
        pairs.iter().map(learned).collect()
    }

    /// Whether all pairs were learned from that are neither listed nor held out nor known to be unobserved.
    fn unlisted_were_learned(&self, relation: &FittedRelation) -> bool {
        if relation.posterior.non_link_share() < 1.0 {
            return false;
        }
        if let Some(chains) = &relation.chains {
            return chains.unlisted == Unlisted::NonLink;
        }
        // A fit that was ended does not say: they were, if nothing else is left.
        let n = self.nodes.len() as u64;
        let all = if self.directed { n * n.saturating_sub(1) } else { n * n.saturating_sub(1) / 2 };
        let all = self.modes().map_or(all, |modes| modes.pairs());
        relation.observed + relation.left_out().map_or(0, |out| out.pairs.len() as u64) == all
    }
}

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
    /// The posterior probability of the link, and its score.
    pub prediction: Prediction,
}

impl FittedModel {
    /// The most probable pairs that the network lists neither as links nor as non-links, those with the highest
    /// [score](crate::posterior::Posterior::score) first, all relations together.
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
        // Stable: relations and pairs of the same score keep their order.
        links.sort_by(|a, b| b.prediction.score.total_cmp(&a.prediction.score));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fit::{Fit, FitOptions};
    use crate::model::Overrides;
    use crate::network::{Network, Nodes};

    const LISTED: [(u32, u32); 6] = [(0, 5), (0, 6), (1, 7), (2, 8), (3, 9), (4, 9)];

    /// A ring of ten nodes with some listed non-links and one pair that is given as unobserved.
    fn ring(unlisted: Unlisted) -> Network {
        let links = (0..10).map(|i| (i, (i + 1) % 10));
        let network = Network::new(Arc::new(Nodes::numbered(10)), false, links).unwrap();
        network.with_labels(LISTED, [(0, 4)], unlisted).unwrap()
    }

    fn fitted(unlisted: Unlisted, hold_out: Option<f64>, negatives: Option<f64>) -> FittedModel {
        let settings =
            Overrides { chains: Some(2), burn_in: Some(4), draws: Some(4), ..Overrides::default() };
        let options = FitOptions { settings, negatives, hold_out, ..FitOptions::default() };
        Fit::network(ring(unlisted)).options(options).run().unwrap()
    }

    fn all() -> Vec<(u32, u32)> {
        (0..10).flat_map(|i| (i + 1..10).map(move |j| (i, j))).collect()
    }

    #[test]
    fn pairs_that_the_network_lists_are_no_missing_links() {
        for unlisted in [Unlisted::NonLink, Unlisted::Unobserved] {
            let model = fitted(unlisted, Some(0.4), None);
            let relation = &model.relations[0];
            let network = ring(unlisted);
            assert_eq!(relation.known_links(), network.links());
            assert!(!relation.held_out.as_ref().unwrap().left_out.non_links.is_empty(), "{unlisted:?}");
            for &(i, j) in &all() {
                let listed = network.has_link(i, j) || LISTED.contains(&(i, j));
                assert_eq!(relation.is_listed((i, j)), listed, "{unlisted:?} {i} {j}");
            }
            assert_eq!(model.missing_of(relation, 100, None).len(), 45 - 10 - LISTED.len());
        }
    }

    #[test]
    fn pairs_that_were_learned_from() {
        let count = |model: &FittedModel| {
            let learned = model.learned_from(&model.relations[0], &all());
            learned.into_iter().filter(|&learned| learned).count()
        };
        assert_eq!(count(&fitted(Unlisted::NonLink, None, None)), 44);
        assert_eq!(count(&fitted(Unlisted::Unobserved, None, None)), 16);
        let mut model = fitted(Unlisted::NonLink, Some(0.25), None);
        assert_eq!(count(&model), 33);
        // Nobody knows which pair was unobserved.
        model.relations[0].chains = None;
        let listed = model.relations[0].links.len() + model.relations[0].non_links.len();
        assert_eq!(count(&model), listed);
        model.relations[0].observed += 1;
        assert_eq!(count(&model), 34);
        let sampled = fitted(Unlisted::NonLink, None, Some(1.0));
        assert_eq!(count(&sampled), 16, "the sample is not in the model");
    }
}
