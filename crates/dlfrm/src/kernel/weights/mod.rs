//! The weights: which kernel draws them. See "Weights" in `docs/model.md`.

mod cholesky;
mod conjugate_gradients;
pub(super) mod diagonal;
mod info;
mod kronecker;
mod langevin;
mod outer;
mod precision;

pub use cholesky::LARGEST as LARGEST_FACTOR;
pub use info::Info;

use crate::model::{State, Variant};

use super::Context;

/// Reused memory of the kernels.
#[derive(Debug, Default)]
pub struct Scratch {
    diagonal: diagonal::Scratch,
    cholesky: cholesky::Scratch,
    conjugate: conjugate_gradients::Scratch,
    langevin: langevin::Scratch,
}

/// Draws all weights: a diagonal together with the intercept, up to `largest_factor` others by factorisation, more by
/// conjugate gradients; those of a stochastic model by Langevin steps.
pub fn update(
    context: &Context<'_>,
    largest_factor: usize,
    state: &mut State,
    scratch: &mut Scratch,
) -> Info {
    let count = state.weights.shape().free(state.features.slots());
    match context.settings.model.variant {
        Variant::Diagonal => diagonal::update(context, state, &mut scratch.diagonal),
        Variant::Stochastic => langevin::update(context, state, &mut scratch.langevin),
        Variant::Full if count <= largest_factor => cholesky::update(context, state, &mut scratch.cholesky),
        Variant::Full => conjugate_gradients::update(context, state, &mut scratch.conjugate),
    }
}
