//! Diagonal weights: one Gaussian as wide as there are features.

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, State};
use crate::network::Pairs;
use crate::random::{Purpose, stream};

use super::{Place, dense};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    precision: Vec<f64>,
    linear: Vec<f64>,
    /// Whether the source at hand has each feature.
    has: Vec<bool>,
    /// The features that both ends of a pair have.
    common: Vec<usize>,
}

/// Draws all weights at once from N(P^-1 b, P^-1): with x = z_i o z_j the features that both ends have,
/// P = nu^2 I + sum rate x'x and b = sum (pull - rate * offset) x.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Weights, 0);
    let width = state.features.slots();
    scratch.precision.clear();
    scratch.precision.resize(width * width, 0.0);
    scratch.linear.clear();
    scratch.linear.resize(width, 0.0);
    scratch.has.clear();
    scratch.has.resize(width, false);
    for diagonal in scratch.precision.iter_mut().step_by(width + 1) {
        *diagonal = state.nu * state.nu;
    }
    for source in 0..pairs.entities() {
        scratch.add_source(source, pairs, state, settings);
    }
    let Scratch { precision, linear, .. } = scratch;
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            dense::cholesky(precision, width);
            dense::solve_lower(precision, width, linear);
            for value in linear.iter_mut() {
                let normal: f64 = StandardNormal.sample(&mut rng);
                *value += normal;
            }
            dense::solve_upper(precision, width, linear);
        },
    );
    for (slot, &value) in linear.iter().enumerate() {
        state.weights.set(slot, slot, value);
    }
}

impl Scratch {
    /// Adds the pairs that start at one entity.
    fn add_source(&mut self, source: usize, pairs: &Pairs, state: &State, settings: &Checked) {
        let row = state.features.row(source);
        if row.is_empty() {
            return;
        }
        let width = self.linear.len();
        for &slot in row {
            self.has[slot as usize] = true;
        }
        for pair in pairs.from(source) {
            self.common.clear();
            for &slot in state.features.row(pairs.targets()[pair] as usize) {
                if self.has[slot as usize] {
                    self.common.push(slot as usize);
                }
            }
            if self.common.is_empty() {
                continue;
            }
            let (rate, link) = (state.rates[pair], pairs.label(pair));
            let pull = settings.model.loss.pull(link, rate, settings.cost(link), settings.margin)
                - rate * state.intercept;
            for (position, &k) in self.common.iter().enumerate() {
                self.linear[k] += pull;
                for &l in &self.common[position..] {
                    self.precision[k * width + l] += rate;
                }
            }
        }
        for &slot in row {
            self.has[slot as usize] = false;
        }
    }
}
