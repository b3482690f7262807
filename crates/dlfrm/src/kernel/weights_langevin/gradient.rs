//! The gradient of the weights' log density given the augmentation, from a part of the pairs.

use rand::RngExt;

use crate::model::{Checked, State};
use crate::network::{Division, Pairs};
use crate::random::Stream;

use super::super::dense;
use super::super::outer::{self, Outer};

/// Estimates -nu^2 u + M/m sum over m of the M pairs of (pull - rate w) a, with a = z_i' z_j: the paper's update rule.
#[derive(Debug, Default)]
pub(super) struct Gradient {
    outer: Outer,
    /// By rows, as wide as the features; a free weight of a symmetric matrix has its derivative in both places.
    pub(super) values: Vec<f64>,
}

impl Gradient {
    /// Estimates it at `weights` from `batch` pairs, drawn with replacement; all pairs are taken if that is as few.
    #[expect(clippy::too_many_arguments, reason = "what is observed, where, and how much of it is looked at")]
    pub(super) fn estimate(
        &mut self,
        pairs: &Pairs,
        state: &State,
        settings: &Checked,
        division: &Division,
        weights: &[f64],
        batch: usize,
        rng: &mut Stream,
    ) {
        let Self { outer, values } = self;
        let width = state.features.slots();
        values.clear();
        values.resize(width * width, 0.0);
        let residual = |pair: usize, logit: f64| {
            let (rate, link) = (state.rates[pair], pairs.label(pair));
            let pull = settings.pull(link, rate);
            pull - rate * (state.intercept + logit)
        };
        if batch >= pairs.len() {
            outer.sum(pairs, &state.features, division, weights, values, |_| residual);
        } else {
            let share = batch as f64 / pairs.len() as f64;
            for _ in 0..batch {
                let pair = rng.random_range(0..pairs.len());
                let source = state.features.row(pairs.source(pair));
                let target = state.features.row(pairs.targets()[pair] as usize);
                let mut logit = 0.0;
                for &k in source {
                    let line = &weights[k as usize * width..][..width];
                    for &l in target {
                        logit += line[l as usize];
                    }
                }
                let residual = residual(pair, logit) / share;
                for &k in source {
                    let line = &mut values[k as usize * width..][..width];
                    for &l in target {
                        line[l as usize] += residual;
                    }
                }
            }
        }
        outer::fold(state.weights.shape(), width, values);
        dense::add_scaled(values, -state.nu * state.nu, weights);
    }
}
