//! Why a link is predicted, in numbers and in sentences: the same for every command and the report.

mod words;

use serde::Serialize;

use super::features::nearly_all;
use super::{FittedModel, FittedRelation};
use crate::posterior::{Breakdown, Draw, Part, PartKind, Prediction, feature_numbers};
use words::fold;

/// So many names are in a sentence at most.
const NAMED: usize = 5;

/// Why a pair has the probability that it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation<'a> {
    /// The relation, if the network has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<&'a str>,
    /// The node that the link starts from.
    pub source: &'a str,
    /// The node that it goes to.
    pub target: &'a str,
    /// Whether it is a link that the model was fitted to.
    pub known_link: bool,
    /// Posterior mean of its probability.
    pub probability: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
    /// The share of links among the observed pairs, whether or not their non-links were sampled.
    pub base_rate: f64,
    /// The probability of a pair that is an average one in all parts.
    pub average: f64,
    /// What covariates and the effects of nodes add to the log-odds, beside an average pair.
    pub by_covariates: f64,
    /// What features add.
    pub by_features: f64,
    /// What it is made of, the strongest first.
    pub parts: Vec<ExplainedPart>,
    /// The nodes that both ends are linked with, whatever the direction, those with the fewest links first.
    pub common_neighbours: Vec<&'a str>,
    /// The features that both ends have in the consensus of all draws, but for those of nearly all nodes.
    pub shared_features: Vec<SharedFeature>,
}

/// One part of the log-odds with its sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedPart {
    /// The numbers.
    #[serde(flatten)]
    pub part: Part,
    /// The same in words.
    pub sentence: String,
}

/// A feature that both ends have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedFeature {
    /// Its number: 1 for the largest.
    pub feature: usize,
    /// How many nodes have it.
    pub size: usize,
    /// What it adds to the log-odds of two members.
    pub log_odds: f64,
}

/// Explains the pairs of one relation: what they have in common is computed once.
#[derive(Debug)]
pub struct Explainer<'a> {
    model: &'a FittedModel,
    relation: &'a FittedRelation,
    consensus: Option<Draw>,
    /// The number and the size of each feature of the consensus.
    features: Vec<(usize, usize)>,
    /// The neighbours of each node in increasing order, whatever the direction.
    neighbours: Vec<Vec<u32>>,
    /// How many links each node has: from it and to it.
    degrees: Vec<[usize; 2]>,
}

impl<'a> Explainer<'a> {
    /// For pairs of a relation of the model.
    pub fn new(model: &'a FittedModel, relation: &'a FittedRelation) -> Self {
        Self::with_consensus(model, relation, relation.posterior.consensus())
    }

    /// The same for a caller that has the consensus of the relation already.
    pub fn with_consensus(
        model: &'a FittedModel,
        relation: &'a FittedRelation,
        consensus: Option<Draw>,
    ) -> Self {
        let summaries = consensus.as_ref().map_or_else(Vec::new, |draw| relation.posterior.summarise(draw));
        let numbers = feature_numbers(&summaries);
        let mut features = vec![(0, 0); summaries.len()];
        for summary in &summaries {
            features[summary.feature] = (numbers[summary.feature], summary.members.len());
        }
        let mut neighbours = vec![Vec::new(); model.nodes.len()];
        let mut degrees = vec![[0, 0]; model.nodes.len()];
        for &(source, target) in &relation.links {
            neighbours[source as usize].push(target);
            neighbours[target as usize].push(source);
            degrees[source as usize][0] += 1;
            degrees[target as usize][1] += 1;
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self { model, relation, consensus, features, neighbours, degrees }
    }

    /// Explains pairs of different nodes.
    pub fn explain(&self, pairs: &[(u32, u32)]) -> Vec<Explanation<'a>> {
        let directed = self.model.directed;
        let oriented = |&(i, j): &(u32, u32)| if directed { (i, j) } else { (i.min(j), i.max(j)) };
        let oriented: Vec<(u32, u32)> = pairs.iter().map(oriented).collect();
        let predictions = self.model.predict(self.relation, &oriented);
        let parts = self.relation.posterior.parts(&oriented);
        let numbers = predictions.into_iter().zip(parts);
        pairs
            .iter()
            .zip(oriented)
            .zip(numbers)
            .map(|((&pair, oriented), numbers)| self.one(pair, oriented, numbers))
            .collect()
    }

    fn one(
        &self,
        (source, target): (u32, u32),
        pair: (u32, u32),
        (prediction, Breakdown { parts, average }): (Prediction, Breakdown),
    ) -> Explanation<'a> {
        let Self { model, relation, .. } = self;
        let common = self.common(source, target);
        let shared = self.shared(pair);
        let sum = |features: bool| {
            let some = parts.iter().filter(|part| (part.kind == PartKind::Features) == features);
            some.fold(0.0, |sum, part| sum + part.log_odds)
        };
        let (by_covariates, by_features) = (sum(false), sum(true));
        let known_link = relation.links.binary_search(&pair).is_ok();
        let links = relation.links.len() as f64;
        let non_links = (relation.observed as f64 - links) / relation.posterior.non_link_share();
        let sentence = |part: Part| {
            let subject = self.subject(part.kind, pair, known_link, (&common, &shared));
            let sentence = format!("{subject}: {}", fold(&part));
            ExplainedPart { part, sentence }
        };
        Explanation {
            relation: relation.name.as_deref(),
            source: model.nodes.name(source),
            target: model.nodes.name(target),
            known_link,
            probability: prediction.mean,
            low: prediction.low,
            high: prediction.high,
            base_rate: links / (links + non_links).max(1.0),
            average,
            by_covariates,
            by_features,
            parts: parts.into_iter().map(sentence).collect(),
            common_neighbours: common.iter().map(|&id| model.nodes.name(id)).collect(),
            shared_features: shared,
        }
    }

    /// The common neighbours, those with the fewest links first: they say most.
    fn common(&self, source: u32, target: u32) -> Vec<u32> {
        let [one, other] = [source, target].map(|node| &self.neighbours[node as usize]);
        let mut common: Vec<u32> =
            one.iter().copied().filter(|node| other.binary_search(node).is_ok()).collect();
        common.sort_by_key(|&node| (self.neighbours[node as usize].len(), node));
        common
    }

    fn shared(&self, (source, target): (u32, u32)) -> Vec<SharedFeature> {
        let Some(draw) = &self.consensus else { return vec![] };
        let target = draw.row(target as usize);
        let both = draw.row(source as usize).iter().filter(|feature| target.contains(feature));
        let nodes = self.model.nodes.len();
        let mut shared: Vec<SharedFeature> = both
            .filter(|&&feature| !nearly_all(self.features[feature as usize].1, nodes))
            .map(|&feature| {
                let (number, size) = self.features[feature as usize];
                let log_odds = draw.feature_scale * draw.weight(feature as usize, feature as usize);
                SharedFeature { feature: number, size, log_odds }
            })
            .collect();
        shared.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then(a.feature.cmp(&b.feature)));
        shared
    }

    /// What a part is about, in words. The link of a pair says nothing of the pair, so it does not count.
    fn subject(
        &self,
        kind: PartKind,
        (source, target): (u32, u32),
        known_link: bool,
        (common, shared): (&[u32], &[SharedFeature]),
    ) -> String {
        let name = |node: u32| self.model.nodes.name(node);
        match kind {
            PartKind::CommonNeighbours => {
                let counted = match common.len() {
                    0 => "no common neighbour".to_owned(),
                    1 => format!("one common neighbour ({})", name(common[0])),
                    count => {
                        let names: Vec<&str> = common.iter().take(NAMED).map(|&node| name(node)).collect();
                        let more = if count > NAMED {
                            format!(" and {} more", count - NAMED)
                        } else {
                            String::new()
                        };
                        format!("{count} common neighbours ({}{more})", names.join(", "))
                    }
                };
                format!("{counted}, given how many links they have")
            }
            PartKind::LongerPaths => {
                // A row and a column have no common neighbour.
                let given =
                    if self.relation.posterior.modes().is_some() { "" } else { " and common neighbours" };
                format!("longer paths and walks between them, given their links{given}")
            }
            PartKind::Activity => {
                let own = usize::from(known_link);
                let beside = if known_link { "beside this one: " } else { "" };
                let [[from, other_to], [other_from, to]] =
                    [source, target].map(|node| self.degrees[node as usize]);
                let (source, target) = (name(source), name(target));
                if self.model.directed {
                    let (from, to) = (from - own, to - own);
                    format!(
                        "how many links the two have ({beside}{from} from and {other_to} to {source}, {other_from} from and {to} to {target})"
                    )
                } else {
                    let [one, other] = [from + other_to - own, other_from + to - own];
                    format!("how many links the two have ({beside}{source} {one}, {target} {other})")
                }
            }
            PartKind::Reciprocity => {
                let reverse = self.relation.links.binary_search(&(target, source)).is_ok();
                let (from, to) = (name(target), name(source));
                if reverse {
                    format!("the link from {from} to {to}")
                } else {
                    format!("no link from {from} to {to}")
                }
            }
            PartKind::Attributes => "attributes of the two".to_owned(),
            PartKind::PairCovariates => "covariates of the pair".to_owned(),
            PartKind::Effects => "how active the two are".to_owned(),
            PartKind::Features => match shared {
                [] => "features (none in common in most draws)".to_owned(),
                [one] if one.log_odds < 0.0 => format!(
                    "one feature in common (feature {}, whose {} members avoid each other)",
                    one.feature, one.size
                ),
                [one] => format!("one feature in common (feature {}, {} members)", one.feature, one.size),
                several => {
                    let numbers: Vec<String> =
                        several.iter().take(NAMED).map(|one| one.feature.to_string()).collect();
                    format!("{} features in common ({})", several.len(), numbers.join(", "))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fit::{Fit, FitOptions};
    use crate::model::Overrides;
    use crate::network::{Network, Nodes};

    /// Sampled or not, non-links are those of the network.
    #[test]
    fn the_base_rate_is_that_of_all_pairs() {
        let nodes: Nodes = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().collect();
        let links = (0..8).map(|node| (node, (node + 1) % 8));
        let network = Network::new(Arc::new(nodes), false, links).unwrap();
        let settings =
            Overrides { chains: Some(2), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
        for negatives in [None, Some(1.0)] {
            let options = FitOptions { settings: settings.clone(), negatives, ..FitOptions::default() };
            let model = Fit::network(network.clone()).options(options).run().unwrap();
            let relation = &model.relations[0];
            assert_eq!(relation.posterior.non_link_share() < 1.0, negatives.is_some());
            let found = Explainer::new(&model, relation).explain(&[(0, 4)]).remove(0);
            assert!((found.base_rate - 8.0 / 28.0).abs() < 1e-12, "{}", found.base_rate);
        }
    }

    #[test]
    fn common_neighbours_and_links_are_named() {
        for directed in [false, true] {
            let mut people = Nodes::default();
            let links = ["Ada Bob", "Ada Cleo", "Bob Dan", "Cleo Dan", "Cleo Eve", "Eve Finn", "Finn Dan"];
            let links = links
                .map(|link| link.split_once(' ').unwrap())
                .map(|(a, b)| (people.intern(a), people.intern(b)));
            let network = Network::new(Arc::new(people), directed, links).unwrap();
            let settings =
                Overrides { chains: Some(2), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
            let options = FitOptions { settings, ..FitOptions::default() };
            let model = Fit::network(network).options(options).run().unwrap();
            let explainer = Explainer::new(&model, &model.relations[0]);
            let id = |name: &str| model.nodes.id(name).unwrap();
            let explain = |one: &str, other: &str| explainer.explain(&[(id(one), id(other))]).remove(0);
            let found = explain("Ada", "Dan");
            assert_eq!(found.common_neighbours, ["Bob", "Cleo"]);
            assert!(!found.known_link && explain("Ada", "Bob").known_link);
            let total: f64 = found.parts.iter().map(|part| part.part.log_odds).sum();
            assert!((total - found.by_covariates - found.by_features).abs() < 1e-9);
            let common =
                found.parts.iter().find(|part| part.part.kind == PartKind::CommonNeighbours).unwrap();
            let counted = "2 common neighbours (Bob, Cleo), given how many links they have: ";
            assert!(common.sentence.starts_with(counted), "{}", common.sentence);
            let active = found.parts.iter().find(|part| part.part.kind == PartKind::Activity).unwrap();
            let counted = if directed {
                "how many links the two have (2 from and 0 to Ada, 0 from and 3 to Dan): "
            } else {
                "how many links the two have (Ada 2, Dan 3): "
            };
            assert!(active.sentence.starts_with(counted), "{}", active.sentence);
            let known = explain("Ada", "Bob");
            let active = known.parts.iter().find(|part| part.part.kind == PartKind::Activity).unwrap();
            let counted = "how many links the two have (beside this one: ";
            assert!(active.sentence.starts_with(counted), "{}", active.sentence);
            let predicted = model.predict(&model.relations[0], &[(id("Ada"), id("Dan"))])[0];
            assert_eq!(
                (found.probability, found.low, found.high),
                (predicted.mean, predicted.low, predicted.high)
            );
            if directed {
                let sentence = &found.parts.iter().find(|part| part.part.kind == PartKind::Reciprocity);
                assert!(sentence.is_none_or(|part| part.sentence.starts_with("no link from Dan to Ada: ")));
            } else {
                let turned = explain("Dan", "Ada");
                assert_eq!(turned.parts, found.parts);
            }
        }
    }
}
