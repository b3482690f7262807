//! The weights: which kernel draws them.

use crate::model::{State, ValidSettings, Variant};
use crate::network::{Division, Pairs};

use super::{StreamKey, weights_cholesky, weights_conjugate, weights_diagonal, weights_langevin};

/// Reused memory of the kernels.
#[derive(Debug, Default)]
pub struct Scratch {
    diagonal: weights_diagonal::Scratch,
    cholesky: weights_cholesky::Scratch,
    conjugate: weights_conjugate::Scratch,
    langevin: weights_langevin::Scratch,
}

/// Draws all weights: a diagonal together with the intercept, up to `largest_factor` others by factorisation, more by
/// conjugate gradients; those of a stochastic model by Langevin steps.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &ValidSettings,
    division: &Division,
    place: StreamKey,
    largest_factor: usize,
    scratch: &mut Scratch,
) {
    let count = state.weights.shape().free(state.features.slots());
    match settings.model.variant {
        Variant::Diagonal => {
            weights_diagonal::update(pairs, state, settings, division, place, &mut scratch.diagonal);
        }
        Variant::Stochastic => {
            weights_langevin::update(pairs, state, settings, division, place, &mut scratch.langevin);
        }
        Variant::Full if count <= largest_factor => {
            weights_cholesky::update(pairs, state, settings, place, &mut scratch.cholesky);
        }
        Variant::Full => {
            weights_conjugate::update(pairs, state, settings, division, place, &mut scratch.conjugate);
        }
    }
}
