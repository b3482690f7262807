//! The gradient of the weights' log density given the augmentation, from a part of the pairs.
//! See "Weights" in `docs/model.md`.

use rand::RngExt;

use crate::model::State;
use crate::random::Purpose;

use super::super::outer::{self, Outer};
use super::super::{Context, linalg};

/// Estimates -nu^2 u + sum (pull - rate w) a, with a = z_i' z_j, from some of the pairs: the paper's update rule.
#[derive(Debug, Default)]
pub(super) struct Gradient {
    outer: Outer,
    /// By rows, as wide as the features; a free weight of a symmetric matrix has its derivative in both entries.
    pub(super) values: Vec<f64>,
}

impl Gradient {
    /// Estimates it at `weights` for inner step number `step` from a share of the pairs, each of them in or not by
    /// itself: the batch is found by skipping ahead, in the order in which the pairs stand.
    pub(super) fn estimate(
        &mut self,
        context: &Context<'_>,
        state: &State,
        weights: &[f64],
        share: f64,
        step: usize,
    ) {
        let Context { pairs, settings, division, .. } = *context;
        let Self { outer, values } = self;
        let width = state.features.slots();
        values.clear();
        values.resize(width * width, 0.0);
        let residual = |pair: usize, logit: f64| {
            let (rate, link) = (state.rates[pair], pairs.label(pair));
            let pull = settings.pull(link, rate);
            pull - rate * (state.offset(pair) + logit)
        };
        let (parts, scale) = (division.parts().len(), (-share).ln_1p().recip());
        outer.sum(context, &state.features, weights, values, |number| {
            let mut rng = context.stream(Purpose::Weights, (step * parts + number) as u64);
            // Geometric: the pairs passed over before one is in.
            let gap = move || {
                if share < 1.0 { ((1.0 - rng.random::<f64>()).ln() * scale) as usize } else { outer::none() }
            };
            (|pair, logit| residual(pair, logit) / share, gap)
        });
        outer::fold(state.weights.shape(), width, values);
        linalg::add_scaled(values, -state.nu * state.nu, weights);
    }
}
