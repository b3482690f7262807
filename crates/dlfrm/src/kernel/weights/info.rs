//! What drawing the weights took.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::super::conjugate;

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
