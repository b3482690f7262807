//! The weights: which kernel draws them. See "Weights" in `docs/model.md`.

mod cholesky;
mod conjugate_gradients;
pub(super) mod diagonal;
mod kronecker;
mod langevin;
mod outer;
mod precision;

pub use cholesky::LARGEST as LARGEST_FACTOR;

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::model::{State, Variant};

use super::{Context, conjugate};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    diagonal: diagonal::Scratch,
    cholesky: cholesky::Scratch,
    conjugate: conjugate_gradients::Scratch,
    langevin: langevin::Scratch,
}

/// What the kernel did: how the weights were drawn, counted over relations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Draws by factorisation of the whole precision.
    pub factorisations: usize,
    /// Draws by conjugate gradients.
    pub conjugate_gradients: conjugate::Info,
    /// Langevin steps.
    pub langevin_steps: usize,
    /// Updates whose Langevin steps diverged, so that the weights stayed as they were.
    pub diverged: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.factorisations += other.factorisations;
        self.conjugate_gradients += other.conjugate_gradients;
        self.langevin_steps += other.langevin_steps;
        self.diverged += other.diverged;
    }
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
