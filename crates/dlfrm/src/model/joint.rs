//! The logarithm of the joint density of features, weights and labels: the trace to watch.

use crate::covariates::{Attributes, Design};
use crate::network::{Division, Pairs};

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

/// Reused memory of a part: the density of its labels, and sums of weights.
pub type PartOfJoint = (f64, Vec<f64>);

/// The log joint density of a state whose slots are all active.
pub fn log_joint(
    pairs: &Pairs,
    state: &State,
    settings: &ValidSettings,
    design: &Design,
    division: &Division,
    scratch: &mut Vec<PartOfJoint>,
) -> LogJoint {
    let features = state.features.slots();
    let gaussian = |x: f64, precision: f64| {
        0.5 * (precision.ln() - (2.0 * std::f64::consts::PI).ln() - precision * x * x)
    };
    let mut weights = 0.0;
    state.weights.for_each_free(features, |_, _, weight| weights += gaussian(weight, state.nu * state.nu));
    if settings.intercept {
        weights += gaussian(state.intercept, settings.intercept_precision());
    }
    let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = &state.linear;
    weights += coefficients.iter().map(|&x| gaussian(x, settings.coefficient_precision())).sum::<f64>();
    for (effects, &precision) in effects.iter().zip(precisions) {
        weights += effects.iter().map(|&effect| gaussian(effect, precision)).sum::<f64>();
    }
    let groups = design.entities.as_deref().map_or(&[][..], Attributes::groups);
    for (coefficients, precisions) in attributes.iter().zip(attribute_precisions) {
        for (group, &precision) in groups.iter().zip(precisions) {
            weights += coefficients[group.clone()].iter().map(|&x| gaussian(x, precision)).sum::<f64>();
        }
    }
    division.for_parts(scratch, |_, sources, (labels, sums)| {
        sums.resize(sums.len().max(features), 0.0);
        *labels = 0.0;
        for source in sources {
            state.weights.add_rows(state.features.row(source), features, sums);
            for pair in pairs.from(source) {
                let mut logit = state.offset(pair);
                for &l in state.features.row(pairs.targets()[pair] as usize) {
                    logit += sums[l as usize];
                }
                let link = pairs.label(pair);
                *labels +=
                    settings.model.loss.log_likelihood(link, logit, settings.cost(link), settings.margin);
            }
        }
    });
    let labels = scratch.iter().map(|(labels, _)| labels).sum();
    LogJoint { features: ibp::log_probability(&state.features, state.alpha), weights, labels }
}
