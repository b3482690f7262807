//! The features of a fitted model, with the names of their members.

use serde::Serialize;

use crate::fit::{FittedModel, FittedRelation};
use crate::posterior::{FeatureRole, FeatureSummary, feature_numbers};

/// One feature that draws agree on, numbered by its size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Feature<'a> {
    /// Its number: 1 for the largest.
    #[serde(rename = "feature")]
    pub number: usize,
    /// How many nodes have it.
    pub size: usize,
    /// Whether it is a group, or what else it is.
    pub role: FeatureRole,
    /// Its weight with itself: what two of its members gain in their logit.
    pub own_weight: f64,
    /// How much of it the other draws contain, 1 at most; `None` without other draws.
    pub stability: Option<f64>,
    /// The nodes that have it, the surest first.
    pub members: Vec<Member<'a>>,
    /// Its weights to the other features, the strongest first; none in a diagonal model.
    pub interactions: Vec<Interaction>,
}

/// A node that has a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// The share of the other draws in which it has the most similar feature too.
    pub certainty: Option<f64>,
}

/// The weight from a feature to another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interaction {
    /// The number of the other feature.
    pub feature: usize,
    /// The weight.
    pub weight: f64,
}

impl FittedModel {
    /// The features of a relation that its draws agree on, the largest first.
    pub fn features_of(&self, relation: &FittedRelation) -> Vec<Feature<'_>> {
        let summaries = relation.posterior.summarise_features();
        let numbers = feature_numbers(&summaries);
        let feature = |summary: &FeatureSummary| Feature {
            number: numbers[summary.feature],
            size: summary.members.len(),
            role: summary.role(self.nodes.len()),
            own_weight: summary.own_weight,
            stability: summary.stability,
            members: summary
                .members
                .iter()
                .map(|member| Member { name: self.nodes.name(member.node), certainty: member.certainty })
                .collect(),
            interactions: summary
                .interactions
                .iter()
                .map(|other| Interaction { feature: numbers[other.feature], weight: other.weight })
                .collect(),
        };
        summaries.iter().map(feature).collect()
    }
}
