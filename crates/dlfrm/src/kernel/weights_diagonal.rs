//! Diagonal weights: one Gaussian as wide as there are features.

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, State};
use crate::network::Pairs;
use crate::random::{Purpose, stream};

use super::sums::{Side, Sums};
use super::{Place, dense};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Sums,
    precision: Vec<f64>,
    linear: Vec<f64>,
}

/// Draws all weights at once from N(P^-1 b, P^-1), P = nu^2 I + sum_i (z_i' z_i) o S_i, b = sum_i z_i o t_i.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Weights, 0);
    let Scratch { sums, precision, linear } = scratch;
    let width = state.features.slots();
    precision.clear();
    precision.resize(width * width, 0.0);
    linear.clear();
    linear.resize(width, 0.0);
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            for diagonal in precision.iter_mut().step_by(width + 1) {
                *diagonal = state.nu * state.nu;
            }
            for entity in 0..pairs.entities() {
                let row = state.features.row(entity);
                if row.is_empty() || pairs.from(entity).is_empty() {
                    continue;
                }
                sums.gather(Side::Out, entity, pairs, state, settings);
                add_entity(sums, row, precision, linear, width);
            }
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

#[inline(always)]
fn add_entity(sums: &Sums, row: &[u32], precision: &mut [f64], linear: &mut [f64], width: usize) {
    for (position, &slot) in row.iter().enumerate() {
        let k = slot as usize;
        let Some(place) = sums.place_of(k) else { continue };
        linear[k] += sums.linear[place];
        let quadratic = &sums.quadratic[place * sums.width()..(place + 1) * sums.width()];
        for &other in &row[..=position] {
            if let Some(place) = sums.place_of(other as usize) {
                precision[k * width + other as usize] += quadratic[place];
            }
        }
    }
}
