//! Fitted networks for other programs: groups, probabilities of membership and predicted links.

mod csv;
mod picture;
mod xml;

use dlfrm::fit::{Explainer, Feature, FittedModel, FittedRelation, Member};
use dlfrm::network::Mode;
use dlfrm::posterior::Prediction;

pub use csv::csv_files;
pub use picture::{TooLarge, picture};
pub use xml::{gexf, graphml};

/// One relation of a fitted model as it is exported.
#[derive(Debug)]
pub struct Export<'a> {
    model: &'a FittedModel,
    features: Vec<Feature<'a>>,
    /// The numbers of the features that are no groups.
    left_out: Vec<usize>,
    /// By node: the number of each of its groups and the share of the draws in which it is a member.
    memberships: Vec<Vec<(usize, f64)>>,
    /// The links of the network and the most probable other pairs.
    links: Vec<ExportedLink>,
}

/// A link or a predicted link; in a bipartite network the row is its source.
#[derive(Debug)]
struct ExportedLink {
    source: u32,
    target: u32,
    predicted: bool,
    prediction: Prediction,
    /// The strongest reasons of a predicted link, in words.
    why: String,
}

impl ExportedLink {
    fn kind(&self) -> &'static str {
        if self.predicted { "predicted" } else { "link" }
    }
}

/// Sentences for a predicted link.
const REASONS: usize = 2;

impl<'a> Export<'a> {
    /// A relation of a model with its links and the `top` most probable missing ones.
    pub fn new(model: &'a FittedModel, relation: &FittedRelation, top: usize) -> Self {
        let mut features = model.features_of(relation);
        // What nearly all nodes have is part of the intercept, and no group.
        let common: Vec<Feature<'_>> =
            features.extract_if(.., |feature| feature.is_common(model.nodes.len())).collect();
        let left_out = common.iter().map(|feature| feature.number).collect();
        let mut memberships = vec![Vec::new(); model.nodes.len()];
        for feature in &features {
            for member in &feature.members {
                if let Some(node) = model.nodes.get(member.name) {
                    memberships[node as usize].push((feature.number, member.certainty.unwrap_or(1.0)));
                }
            }
        }
        let links = relation.known_links();
        let known = model.predict(relation, &links);
        let link = |pair, predicted, prediction, why| {
            let (source, target) = model.row_first(pair);
            ExportedLink { source, target, predicted, prediction, why }
        };
        let known = links.iter().zip(known);
        let known = known.map(|(&pair, prediction)| link(pair, false, prediction, String::new()));
        let missing = model.missing_of(relation, top, None);
        let pairs: Vec<(u32, u32)> = missing.iter().map(|&(source, target, _)| (source, target)).collect();
        let reasons = Explainer::new(model, relation).explain(&pairs);
        let predicted = missing.into_iter().zip(&reasons);
        let predicted = predicted
            .map(|((i, j, prediction), reason)| link((i, j), true, prediction, reason.summary(REASONS)));
        let links = known.chain(predicted).collect();
        Self { model, features, left_out, memberships, links }
    }

    /// The numbers of the features that are left out, because nearly all nodes have them.
    pub fn left_out(&self) -> &[usize] {
        &self.left_out
    }

    /// The members of each group, in the order of the groups.
    fn members(&self) -> Vec<Vec<u32>> {
        let id = |member: &Member<'_>| self.model.nodes.get(member.name);
        self.features.iter().map(|feature| feature.members.iter().filter_map(id).collect()).collect()
    }

    /// Whether a node is a row or a column, in a bipartite network.
    fn mode(&self, node: u32) -> Option<&'static str> {
        self.model.modes()?.mode(node).map(Mode::word)
    }

    /// The groups of a node, the surest first.
    fn groups(&self, node: usize) -> Vec<(usize, f64)> {
        let mut groups = self.memberships[node].clone();
        groups.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        groups
    }
}
