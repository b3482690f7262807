//! What the kernels did in a sweep.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

pub use crate::kernel::augment::Info as AugmentInfo;
pub use crate::kernel::collapsed_rows::Info as CollapsedRowsInfo;
pub use crate::kernel::conjugate::Info as ConjugateGradientsInfo;
pub use crate::kernel::features::Info as FeaturesInfo;
pub use crate::kernel::linear::Info as LinearInfo;
pub use crate::kernel::weights::Info as WeightsInfo;

use super::Step;

/// What the kernels did in one sweep. Over several relations with shared features it has the sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SweepInfo {
    /// Rows of features given the augmentation: births, deaths and flips.
    pub features: FeaturesInfo,
    /// The weights: how they were drawn.
    pub weights: WeightsInfo,
    /// The linear part: whether and how it was drawn.
    pub linear: LinearInfo,
    /// Rows of features with the augmentation integrated out: entries drawn and flips.
    pub collapsed_rows: CollapsedRowsInfo,
    /// The augmentation variables.
    pub augment: AugmentInfo,
    /// The time of each kernel.
    pub nanoseconds: Nanoseconds,
}

impl SweepInfo {
    /// How many systems conjugate gradients gave up on: their solutions are less exact than they should be.
    pub fn unconverged(&self) -> usize {
        self.weights.conjugate_gradients.unconverged + self.linear.conjugate_gradients.unconverged
    }
}

impl AddAssign for SweepInfo {
    fn add_assign(&mut self, other: Self) {
        self.features += other.features;
        self.weights += other.weights;
        self.linear += other.linear;
        self.collapsed_rows += other.collapsed_rows;
        self.augment += other.augment;
        self.nanoseconds += other.nanoseconds;
    }
}

/// The time of each step of a sweep, in nanoseconds. Relations whose steps ran at the same time count one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Nanoseconds {
    /// Rows of features given the augmentation.
    pub features: u64,
    /// The weights.
    pub weights: u64,
    /// The intercept, where it is drawn by itself.
    pub intercept: u64,
    /// The linear part.
    pub linear: u64,
    /// The mass of the buffet.
    pub alpha: u64,
    /// The scale of the weights.
    pub nu: u64,
    /// Rows of features with the augmentation integrated out.
    pub collapsed_rows: u64,
    /// The augmentation variables.
    pub augment: u64,
}

impl Nanoseconds {
    /// The time of one step.
    pub(super) fn of(&self, step: Step) -> u64 {
        match step {
            Step::Features => self.features,
            Step::Weights => self.weights,
            Step::Intercept => self.intercept,
            Step::Linear => self.linear,
            Step::Alpha => self.alpha,
            Step::Nu => self.nu,
            Step::CollapsedRows => self.collapsed_rows,
            Step::Augment => self.augment,
        }
    }

    /// The time of all steps.
    pub fn total(&self) -> u64 {
        Step::SWEEP.iter().map(|&step| self.of(step)).sum()
    }

    /// Adds the time of one step.
    pub(super) fn add(&mut self, step: Step, nanoseconds: u64) {
        *match step {
            Step::Features => &mut self.features,
            Step::Weights => &mut self.weights,
            Step::Intercept => &mut self.intercept,
            Step::Linear => &mut self.linear,
            Step::Alpha => &mut self.alpha,
            Step::Nu => &mut self.nu,
            Step::CollapsedRows => &mut self.collapsed_rows,
            Step::Augment => &mut self.augment,
        } += nanoseconds;
    }
}

impl AddAssign for Nanoseconds {
    fn add_assign(&mut self, other: Self) {
        for step in Step::SWEEP {
            self.add(step, other.of(step));
        }
    }
}
