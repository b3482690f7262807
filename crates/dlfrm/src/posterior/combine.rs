//! Two posteriors of one network as one: what covariates say and what features say, weighed on the scale of logits.
//! See "Covariates and features together" in `docs/model.md`.
//!
//! Both are linear in what a draw holds, so that a weighted sum of two draws is a draw again.

mod weights;

pub(crate) use weights::Relation;

use serde::{Deserialize, Serialize};

use crate::model::Linear;

use super::{Draw, DrawParts, Posterior};

/// How much the logits of two posteriors count in their combination.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// What is added to every logit.
    pub intercept: f64,
    /// The weight of the posterior with covariates and without features.
    pub covariates: f64,
    /// The weight of the posterior with features and without covariates.
    pub features: f64,
}

impl Default for Combination {
    /// The weights that did best for networks of all kinds together (docs/defaults.md).
    fn default() -> Self {
        Self { intercept: 0.0, covariates: 0.7, features: 0.3 }
    }
}

impl Combination {
    /// What the weights say.
    pub(crate) fn in_words(self) -> String {
        if self.features == 0.0 {
            return "covariates alone, because features do not improve predictions".to_owned();
        }
        format!("covariates with weight {:.2} and features with weight {:.2}", self.covariates, self.features)
    }
}

impl Posterior {
    /// The combination of two posteriors of the same pairs: of one with covariates and one with features.
    ///
    /// Its draws are those of the second, each with a draw of the first: the two posteriors are independent, so that any
    /// pairing will do. A chain takes the draws of one chain in turn, so that chains of covariates that do not agree show.
    /// Features keep their weights; predictions count them as much as the combination says.
    pub(crate) fn combine(covariates: &Self, features: Self, combination: Combination) -> Self {
        let settings = features.settings.clone().combined_with(&covariates.settings);
        let [raised, raised_features] = [covariates, &features].map(Self::raised_log_odds);
        let base = combination.intercept + raised_features
            - combination.covariates * raised
            - combination.features * raised_features;
        let others = covariates.chains();
        // A run that was ended may have no draw of the first.
        let kept = if others.is_empty() { vec![] } else { features.chains() };
        let draws = kept.iter().flat_map(|chain| chain.iter().enumerate()).map(|(number, &draw)| {
            let chain = &others[draw.chain % others.len()];
            let other = chain[number % chain.len()];
            Draw::of(DrawParts {
                intercept: base
                    + combination.covariates * other.intercept
                    + combination.features * draw.intercept,
                linear: sum(combination, &other.linear, &draw.linear),
                feature_scale: combination.features,
                ..(**draw).clone()
            })
        });
        Self {
            draws: draws.collect(),
            settings,
            covariates: covariates.covariates.clone(),
            combination: Some(combination),
            ..features
        }
    }

    /// This posterior of covariates, weighed as in a combination in which features do not count.
    pub(crate) fn weighed(mut self, combination: Combination) -> Self {
        let raised = self.raised_log_odds();
        let scale = combination.covariates;
        for draw in &mut self.draws {
            *draw = Draw::of(DrawParts {
                intercept: combination.intercept + raised + scale * (draw.intercept - raised),
                linear: sum(combination, &draw.linear, &Linear::default()),
                ..(**draw).clone()
            });
        }
        self.combination = Some(combination);
        self
    }

    /// The same with how its draws were combined, for draws that were stored after that.
    #[must_use]
    pub fn with_combination(mut self, combination: Option<Combination>) -> Self {
        self.combination = combination;
        self
    }

    /// How the posterior was combined of two, if it was.
    pub fn combination(&self) -> Option<Combination> {
        self.combination
    }
}

/// The weighted sum of two linear parts.
fn sum(Combination { covariates, features, .. }: Combination, one: &Linear, other: &Linear) -> Linear {
    let scaled = |values: &[f64], by: f64| values.iter().map(|value| by * value).collect::<Vec<f64>>();
    let effects = [0, 1].map(|end| {
        let (one, other) = (&one.effects[end], &other.effects[end]);
        let at = |values: &[f64], node: usize| values.get(node).copied().unwrap_or_default();
        let both = |node| covariates * at(one, node) + features * at(other, node);
        (0..one.len().max(other.len())).map(both).collect()
    });
    Linear {
        coefficients: scaled(&one.coefficients, covariates),
        effects,
        precisions: other.precisions,
        attributes: one.attributes.each_ref().map(|values| scaled(values, covariates)),
        attribute_precisions: one.attribute_precisions.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Silent;
    use crate::chain::run::run_chains;
    use crate::covariates::{CovariateSet, SideInfo};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::Settings;
    use crate::network::Pairs;

    fn posteriors() -> (Posterior, Posterior) {
        let made = generate(&GenerateSettings { nodes: 40, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::observed(&made.network, false).with_non_link_share(0.5);
        let short = Settings { chains: 2, burn_in: 20, draws: 10, ..Settings::default() };
        let linear = Settings {
            covariates: CovariateSet::Topology,
            c_pos: 1.5,
            c_neg: 0.15,
            ..short.clone().linear()
        };
        let features = Settings { covariates: CovariateSet::None, node_effects: true, ..short };
        let fit = |settings: Settings| {
            run_chains(&pairs, &SideInfo::default(), &settings.check().unwrap(), 0, &Silent).unwrap()
        };
        (fit(linear), fit(features))
    }

    /// The logit of a combined draw is the weighted sum of the logits of two draws, both with the odds that their costs and
    /// samples raised brought back.
    #[test]
    fn logits_are_weighted_sums() {
        let (one, other) = posteriors();
        assert!(one.draws().iter().all(|draw| draw.features() == 0));
        let weights = Combination { intercept: 0.3, covariates: 0.6, features: 0.5 };
        let both = Posterior::combine(&one, other.clone(), weights);
        for (number, draw) in both.draws().iter().enumerate() {
            for pair in [(0, 1), (3, 20), (7, 39)] {
                let logit = |posterior: &Posterior, draw: &Draw| {
                    let covariates = posterior.covariates_of(&[pair]);
                    let logit = draw.logit(pair.0 as usize, pair.1 as usize, covariates.row(0));
                    logit - posterior.raised_log_odds()
                };
                let expected = 0.3
                    + 0.6 * logit(&one, &one.draws()[number])
                    + 0.5 * logit(&other, &other.draws()[number]);
                assert!((logit(&both, draw) - expected).abs() < 1e-9);
            }
        }
        assert_eq!(both.settings().covariates, CovariateSet::Topology);
        // Covariates alone are weighed as they are together with features that do not count.
        let weights = Combination { features: 0.0, ..weights };
        let pairs = [(0, 1), (3, 20), (7, 39)];
        let alone = one.clone().weighed(weights);
        assert_eq!(alone.combination(), Some(weights));
        let combined = Posterior::combine(&one, other, weights);
        for (alone, combined) in alone.predict_mean(&pairs).into_iter().zip(combined.predict_mean(&pairs)) {
            assert!((alone - combined).abs() < 1e-9, "{alone} {combined}");
        }
    }
}
