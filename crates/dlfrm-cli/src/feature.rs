//! A feature as it is told: by name and number.

use dlfrm::network::Entities;
use dlfrm::posterior::{FeatureSummary, Posterior};
use serde::Serialize;

/// One feature of the representative draw, numbered by its size.
#[derive(Debug, Serialize)]
pub(crate) struct Feature<'a> {
    #[serde(rename = "feature")]
    pub(crate) number: usize,
    pub(crate) size: usize,
    pub(crate) own_weight: f64,
    pub(crate) stability: Option<f64>,
    pub(crate) members: Vec<Member<'a>>,
    pub(crate) interactions: Vec<Interaction>,
}

/// Who has it, and in which part of the other draws.
#[derive(Debug, Serialize)]
pub(crate) struct Member<'a> {
    pub(crate) name: &'a str,
    pub(crate) certainty: Option<f64>,
}

/// The weight from a feature to another one.
#[derive(Debug, Serialize)]
pub(crate) struct Interaction {
    pub(crate) feature: usize,
    pub(crate) weight: f64,
}

impl<'a> Feature<'a> {
    /// All of them, the largest first.
    pub(crate) fn all(posterior: &Posterior, entities: &'a Entities) -> Vec<Self> {
        let summaries = posterior.summarise_features();
        let numbers = numbers(&summaries);
        let feature = |summary: &FeatureSummary| Self {
            number: numbers[summary.feature],
            size: summary.members.len(),
            own_weight: summary.own_weight,
            stability: summary.stability,
            members: summary
                .members
                .iter()
                .map(|member| Member { name: entities.name(member.entity), certainty: member.certainty })
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

/// The number that each feature of the representative draw is told by: 1 for the largest.
pub(crate) fn numbers(summaries: &[FeatureSummary]) -> Vec<usize> {
    let mut numbers = vec![0; summaries.len()];
    for (rank, summary) in summaries.iter().enumerate() {
        numbers[summary.feature] = rank + 1;
    }
    numbers
}
