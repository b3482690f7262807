//! Why a link is probable or not: what each part of the model adds to the logit of a pair.

use serde::Serialize;

use super::{Draw, Posterior, Prediction, feature_numbers};

/// What the parts of the model add to the logit of a pair, as means over the draws.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Posterior mean of the probability.
    pub probability: f64,
    /// 5 % quantile of the probability.
    pub low: f64,
    /// 95 % quantile of the probability.
    pub high: f64,
    /// The sum of all parts.
    pub logit: f64,
    /// The intercept, brought back from what costs and samples of non-links add to every logit.
    pub intercept: f64,
    /// The effect of the source; that of attributes included.
    pub source_effect: f64,
    /// The effect of the target; that of attributes included.
    pub target_effect: f64,
    /// Each covariate with what it adds, the strongest first.
    pub covariates: Vec<(String, f64)>,
    /// All features together.
    pub features: f64,
    /// The features of both ends that draws agree on, with what their consensus weight adds, the strongest first.
    pub feature_pairs: Vec<FeaturePair>,
}

/// A feature of the source and one of the target that interact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FeaturePair {
    /// The number of the source's feature: 1 for the largest.
    pub source: usize,
    /// The number of the target's feature.
    pub target: usize,
    /// What their weight adds to the logit.
    pub weight: f64,
}

impl Posterior {
    /// What each part of the model adds to the logit of a pair.
    ///
    /// # Panics
    /// If the pair has an entity that is not in the network, or there is no draw.
    pub fn explain(&self, (i, j): (u32, u32)) -> Explanation {
        let (source, target) = (i as usize, j as usize);
        let covariates = self.covariates_of(&[(i, j)]);
        let line = covariates.row(0);
        let mean = |part: &dyn Fn(&Draw) -> f64| {
            self.draws().iter().map(part).sum::<f64>() / self.draws().len() as f64
        };
        let names = self.covariates().map_or(&[][..], |known| known.names());
        let mut added: Vec<(String, f64)> = names
            .iter()
            .enumerate()
            .map(|(column, name)| {
                let product = |draw: &Draw| draw.linear.coefficients[column] * f64::from(line[column]);
                (name.clone(), mean(&product))
            })
            .collect();
        added.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let intercept = mean(&|draw| draw.intercept) - self.raised_log_odds();
        let effect = |end: usize, entity: usize| {
            mean(&|draw| draw.linear.effects[end].get(entity).copied().unwrap_or_default())
        };
        let source_effect = effect(0, source);
        let target_effect = effect(usize::from(!self.symmetric()), target);
        let logit = mean(&|draw| draw.logit(source, target, line)) - self.raised_log_odds();
        let linear = added.iter().map(|(_, value)| value).sum::<f64>() + source_effect + target_effect;
        let Prediction { mean: probability, low, high } = self.predict(&[(i, j)])[0];
        Explanation {
            probability,
            low,
            high,
            logit,
            intercept,
            source_effect,
            target_effect,
            covariates: added,
            features: logit - intercept - linear,
            feature_pairs: self.feature_pairs(source, target),
        }
    }

    /// The features of two entities in the consensus, pair by pair.
    fn feature_pairs(&self, source: usize, target: usize) -> Vec<FeaturePair> {
        let Some(consensus) = self.consensus() else { return vec![] };
        let numbers = feature_numbers(&self.summarise(&consensus));
        let scale = self.draws()[0].feature_scale;
        let mut pairs = vec![];
        for &k in consensus.row(source) {
            for &l in consensus.row(target) {
                let weight = scale * consensus.weight(k as usize, l as usize);
                if weight != 0.0 {
                    pairs.push(FeaturePair {
                        source: numbers[k as usize],
                        target: numbers[l as usize],
                        weight,
                    });
                }
            }
        }
        pairs.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        pairs
    }
}

#[cfg(test)]
mod tests {
    use crate::posterior::tests::small_posterior;

    /// The parts of the features are those of the draws: with one draw they are its own weights.
    #[test]
    fn parts_add_up() {
        for (model, directed) in [("dlfrm-l", true), ("dlfrm-l", false), ("diag-dlfrm-l", false)] {
            let mut posterior = small_posterior(model, directed, 12);
            posterior.draws.truncate(1);
            for pair in [(0, 1), (3, 9), (5, 7)] {
                let found = posterior.explain(pair);
                let probability = posterior.predict(&[pair])[0].mean;
                assert!((crate::model::sigmoid(found.logit) - probability).abs() < 1e-12);
                assert!(found.covariates.len() > 5);
                let of_pairs: f64 = found.feature_pairs.iter().map(|pair| pair.weight).sum();
                assert!((of_pairs - found.features).abs() < 1e-9, "{model}: {found:?}");
            }
        }
    }
}
