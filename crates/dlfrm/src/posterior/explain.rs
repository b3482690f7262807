//! What makes up the log-odds of a pair: groups of covariates, effects of its ends, features.
//!
//! A logit is a sum, so every draw gives each part a number. Covariates are standardised and effects are taken from their
//! mean: a part is what the pair has more or less than an average pair.

use rayon::prelude::*;
use serde::Serialize;

use crate::covariates::{Attributes, Group, Origin};
use crate::model::sigmoid;

use super::predict::quantile;
use super::{Draw, Posterior};

/// What a part of the log-odds comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// Entities that both ends are linked with.
    CommonNeighbours,
    /// Paths of more than two links, distances and walks.
    LongerPaths,
    /// How many links the ends and those around them have.
    Activity,
    /// The link in the other direction.
    Reciprocity,
    /// Attributes of the ends, and how alike they are.
    Attributes,
    /// Covariates of pairs that the user gave.
    PairCovariates,
    /// The effects of the two entities in the posterior of the features.
    Effects,
    /// Features of the two entities.
    Features,
}

impl PartKind {
    /// All of them, those that come from covariates first.
    pub const ALL: [Self; 8] = [
        Self::CommonNeighbours,
        Self::LongerPaths,
        Self::Activity,
        Self::Reciprocity,
        Self::Attributes,
        Self::PairCovariates,
        Self::Effects,
        Self::Features,
    ];

    /// Whether it belongs to the posterior of the features, where there are two.
    pub fn of_features(self) -> bool {
        matches!(self, Self::Effects | Self::Features)
    }

    /// The kind of a covariate.
    fn of_covariate(origin: Origin) -> Self {
        match origin {
            Origin::Pairs => Self::PairCovariates,
            Origin::Attributes => Self::Attributes,
            Origin::Links(Group::CommonNeighbours) => Self::CommonNeighbours,
            Origin::Links(Group::LongerPaths) => Self::LongerPaths,
            Origin::Links(Group::Activity) => Self::Activity,
            Origin::Links(Group::Reciprocity) => Self::Reciprocity,
        }
    }
}

/// What one kind of evidence adds to the log-odds of a pair, beside an average pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// Where it comes from.
    pub kind: PartKind,
    /// Posterior mean.
    pub log_odds: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
    /// The probability of the link if the pair were an average one in this.
    pub probability_without: f64,
}

/// What entities add in a draw: by their attributes and beside them, both less the mean of all entities.
struct Ends {
    /// By the side of a pair: the source's list, and the target's where it has its own.
    sides: [Vec<[f64; 2]>; 2],
}

impl Ends {
    fn of(draw: &Draw, known: Option<&Attributes>) -> Self {
        let side = |side: usize| {
            let effects = &draw.linear.effects[side];
            let mut attributes = vec![0.0; effects.len()];
            if let (Some(known), coefficients) = (known, &draw.linear.attributes[side])
                && !coefficients.is_empty()
                && !effects.is_empty()
            {
                known.add_products(coefficients, &mut attributes);
            }
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let (mean_effect, mean_attribute) = (mean(effects), mean(&attributes));
            let both = effects.iter().zip(&attributes).map(|(effect, attribute)| {
                let of_attributes = attribute - mean_attribute;
                [of_attributes, effect - mean_effect - of_attributes]
            });
            both.collect::<Vec<_>>()
        };
        Self { sides: [side(0), side(1)] }
    }

    fn add(&self, source: u32, target: u32) -> [f64; 2] {
        let [of_sources, own] = &self.sides;
        let of_targets = if own.is_empty() { of_sources } else { own };
        let at = |list: &Vec<[f64; 2]>, entity: u32| list.get(entity as usize).copied().unwrap_or_default();
        let (one, other) = (at(of_sources, source), at(of_targets, target));
        [one[0] + other[0], one[1] + other[1]]
    }
}

impl Posterior {
    /// The parts of the log-odds of each pair, the strongest first; kinds that the model does not have are left out.
    pub fn parts(&self, pairs: &[(u32, u32)]) -> Vec<Vec<Part>> {
        let matrix = self.covariates_of(pairs);
        let kinds: Vec<PartKind> = self.covariates().map_or(vec![], |covariates| {
            let kind = |column: usize| PartKind::of_covariate(covariates.origin(column));
            (0..covariates.names().len()).map(kind).collect()
        });
        let known = self.covariates().and_then(|covariates| covariates.side_info().entities.as_deref());
        let raised = self.raised_log_odds();
        // A line for each draw: the parts of every pair, and its logit.
        let draws: Vec<Vec<([f64; PartKind::ALL.len()], f64)>> = self
            .draws
            .par_iter()
            .map(|draw| {
                let ends = Ends::of(draw, known);
                let of_pair = |(number, &(source, target)): (usize, &(u32, u32))| {
                    let row = matrix.row(number);
                    let mut parts = [0.0; PartKind::ALL.len()];
                    for ((coefficient, &value), &kind) in draw.linear.coefficients.iter().zip(row).zip(&kinds)
                    {
                        parts[kind as usize] += coefficient * f64::from(value);
                    }
                    let [of_attributes, of_effects] = ends.add(source, target);
                    let (i, j) = (source as usize, target as usize);
                    parts[PartKind::Attributes as usize] += of_attributes;
                    parts[PartKind::Effects as usize] += of_effects;
                    parts[PartKind::Features as usize] += draw.feature_scale * draw.latent(i, j);
                    (parts, draw.logit(i, j, row) - raised)
                };
                pairs.iter().enumerate().map(of_pair).collect()
            })
            .collect();
        (0..pairs.len())
            .map(|pair| summarised(&draws.iter().map(|draw| draw[pair]).collect::<Vec<_>>()))
            .collect()
    }
}

/// The parts of one pair over all draws, the strongest first.
fn summarised(draws: &[([f64; PartKind::ALL.len()], f64)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for kind in PartKind::ALL {
        let mut values: Vec<f64> = draws.iter().map(|(parts, _)| parts[kind as usize]).collect();
        if values.iter().all(|&value| value == 0.0) {
            continue;
        }
        let count = values.len() as f64;
        let without = draws.iter().map(|(parts, logit)| sigmoid(logit - parts[kind as usize]));
        let probability_without = without.sum::<f64>() / count;
        let log_odds = values.iter().sum::<f64>() / count;
        values.sort_unstable_by(f64::total_cmp);
        let [low, high] = [0.05, 0.95].map(|level| quantile(&values, level));
        parts.push(Part { kind, log_odds, low, high, probability_without });
    }
    parts.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then(a.kind.cmp(&b.kind)));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::tests::small_posterior;

    /// The parts and what an average pair has make up the logit.
    #[test]
    fn parts_add_up() {
        for directed in [false, true] {
            let posterior = small_posterior("diag-dlfrm-l", directed, 14);
            let mean_logit = |(i, j): (u32, u32)| {
                let matrix = posterior.covariates_of(&[(i, j)]);
                let logits =
                    posterior.draws().iter().map(|draw| draw.logit(i as usize, j as usize, matrix.row(0)));
                logits.sum::<f64>() / posterior.draws().len() as f64
            };
            let rest = |pair| {
                mean_logit(pair) - posterior.parts(&[pair])[0].iter().map(|part| part.log_odds).sum::<f64>()
            };
            let first = rest((0, 1));
            for pair in [(2, 5), (3, 13), (7, 8)] {
                assert!((rest(pair) - first).abs() < 1e-9, "what is left is the same for all pairs");
                for part in &posterior.parts(&[pair])[0] {
                    assert!(part.low <= part.high && (0.0..=1.0).contains(&part.probability_without));
                }
            }
        }
    }
}
