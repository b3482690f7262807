//! The weights: which kernel draws them.

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;

use super::{Place, weights_cholesky, weights_conjugate, weights_diagonal};

/// Reused memory of the kernels.
#[derive(Debug, Default)]
pub struct Scratch {
    diagonal: weights_diagonal::Scratch,
    cholesky: weights_cholesky::Scratch,
    conjugate: weights_conjugate::Scratch,
}

/// Draws all weights: a diagonal together with the intercept, up to `largest_factor` others by factorisation, more by
/// conjugate gradients.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    largest_factor: usize,
    scratch: &mut Scratch,
) {
    let shape = state.weights.shape();
    if shape == Shape::Diagonal {
        weights_diagonal::update(pairs, state, settings, place, &mut scratch.diagonal);
    } else if shape.free(state.features.slots()) <= largest_factor {
        weights_cholesky::update(pairs, state, settings, place, &mut scratch.cholesky);
    } else {
        weights_conjugate::update(pairs, state, settings, place, &mut scratch.conjugate);
    }
}
