//! The logarithm of the joint density of features, weights and labels: the trace to watch.

use crate::covariates::{Attributes, Design};
use crate::network::Pairs;

use super::{Linear, State, ValidSettings, ibp};

/// The parts of the log joint density, without the augmentation variables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogJoint {
    /// Of the feature matrix under the Indian buffet process.
    pub features: f64,
    /// Of the free weights and the linear part under their Gaussian priors.
    pub weights: f64,
    /// Of the labels: the pseudo-likelihood.
    pub labels: f64,
}

impl LogJoint {
    /// Their sum.
    pub fn total(self) -> f64 {
        self.features + self.weights + self.labels
    }
}

/// The losses of links and of non-links at unit cost, summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Losses {
    /// Of the links.
    pub links: f64,
    /// Of the non-links.
    pub non_links: f64,
}

impl Losses {
    /// Of all pairs of a state, one after the other.
    pub fn of(pairs: &Pairs, state: &State, settings: &ValidSettings) -> Self {
        let mut losses = Self::default();
        for (number, pair) in pairs.iter().enumerate() {
            let logit = state.offset(number) + state.latent(pair.source as usize, pair.target as usize);
            let sum = if pair.link { &mut losses.links } else { &mut losses.non_links };
            *sum -= settings.model.loss.log_likelihood(pair.link, logit, 1.0, settings.margin);
        }
        losses
    }
}

/// The log joint density of a state whose slots are all active and whose pairs have these losses.
pub fn log_joint(state: &State, settings: &ValidSettings, design: &Design, losses: Losses) -> LogJoint {
    let features = state.features.slots();
    let gaussian = |x: f64, precision: f64| {
        0.5 * (precision.ln() - (2.0 * std::f64::consts::PI).ln() - precision * x * x)
    };
    let mut weights = 0.0;
    let nu = state.nu;
    state.weights.for_each_free(features, |k, l, weight| weights += gaussian(weight, nu.precision(k, l)));
    if settings.intercept {
        weights += gaussian(state.intercept, settings.intercept_precision());
    }
    let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = &state.linear;
    weights += coefficients.iter().map(|&x| gaussian(x, settings.coefficient_precision())).sum::<f64>();
    for (effects, &precision) in effects.iter().zip(precisions) {
        weights += effects.iter().map(|&effect| gaussian(effect, precision)).sum::<f64>();
    }
    let groups = design.nodes.as_deref().map_or(&[][..], Attributes::groups);
    for (coefficients, precisions) in attributes.iter().zip(attribute_precisions) {
        for (group, &precision) in groups.iter().zip(precisions) {
            weights += coefficients[group.clone()].iter().map(|&x| gaussian(x, precision)).sum::<f64>();
        }
    }
    let labels = -settings.cost(true) * losses.links - settings.cost(false) * losses.non_links;
    LogJoint { features: ibp::log_probability(&state.features, state.alpha), weights, labels }
}
