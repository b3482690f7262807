//! A sweep is a list of steps, each of them one kernel, and what the kernels did in it.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

pub use crate::kernel::augment::Info as AugmentInfo;
pub use crate::kernel::collapsed_rows::Info as CollapsedRowsInfo;
pub use crate::kernel::conjugate::Info as ConjugateGradientsInfo;
pub use crate::kernel::features::Info as FeaturesInfo;
pub use crate::kernel::linear::Info as LinearInfo;
pub use crate::kernel::weights::Info as WeightsInfo;

/// One step of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Rows of the feature matrix, with births and deaths of features.
    Features,
    /// The weights; diagonal ones together with the intercept, if the settings have one.
    Weights,
    /// The intercept beside full or symmetric weights, if the settings have one and nothing else is linear.
    Intercept,
    /// The whole linear part, if there is more to it than an intercept.
    Linear,
    /// The mass of the buffet, if it is learned.
    Alpha,
    /// The scale of the weights, if it is learned.
    Nu,
    /// Rows of the feature matrix with the augmentation integrated out; the augmentation must follow.
    CollapsedRows,
    /// The augmentation variables.
    Augment,
}

impl Step {
    /// A sweep in the order of the paper's Algorithm 1, with the hyperparameters between.
    pub const SWEEP: [Self; 8] = [
        Self::Features,
        Self::Weights,
        Self::Intercept,
        Self::Linear,
        Self::Alpha,
        Self::Nu,
        Self::CollapsedRows,
        Self::Augment,
    ];
}

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
    fn of(&mut self, step: Step) -> &mut u64 {
        match step {
            Step::Features => &mut self.features,
            Step::Weights => &mut self.weights,
            Step::Intercept => &mut self.intercept,
            Step::Linear => &mut self.linear,
            Step::Alpha => &mut self.alpha,
            Step::Nu => &mut self.nu,
            Step::CollapsedRows => &mut self.collapsed_rows,
            Step::Augment => &mut self.augment,
        }
    }

    /// The time of all steps.
    pub fn total(mut self) -> u64 {
        Step::SWEEP.iter().map(|&step| *self.of(step)).sum()
    }

    pub(super) fn add(&mut self, step: Step, nanoseconds: u64) {
        *self.of(step) += nanoseconds;
    }
}

impl AddAssign for Nanoseconds {
    fn add_assign(&mut self, mut other: Self) {
        for step in Step::SWEEP {
            self.add(step, *other.of(step));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use crate::generate::{GenerateSettings, generate};
    use crate::model::{Model, Settings};
    use crate::network::Pairs;

    #[test]
    fn counts_are_those_of_the_sweep() {
        let made = GenerateSettings { nodes: 20, directed: true, seed: 1, ..GenerateSettings::default() };
        let pairs = Pairs::new(20, false, generate(&made).unwrap().network.observed());
        for model in Model::ALL {
            let settings =
                Settings { alpha: 3.0, node_effects: true, burn_in: 10, ..Settings::for_model(model) };
            let settings = settings.check().unwrap();
            for largest_factor in [0, 2500] {
                let mut chain = Chain::new(&pairs, &settings, 0).unwrap().with_largest_factor(largest_factor);
                let mut total = SweepInfo::default();
                let first = chain.state().features.active();
                for _ in 0..20 {
                    let before = chain.state().features.active();
                    let info = chain.sweep();
                    let FeaturesInfo { births, deaths, .. } = info.features;
                    assert_eq!(chain.state().features.active() + deaths, before + births);
                    assert!(info.augment.pairs >= pairs.len() && info.nanoseconds.augment > 0);
                    assert!(info.nanoseconds.total() >= info.nanoseconds.augment);
                    total += info;
                }
                let SweepInfo { features, linear, collapsed_rows, .. } = total;
                assert_eq!(chain.state().features.active() + features.deaths, first + features.births);
                assert!(features.births > 0 && collapsed_rows.entries > collapsed_rows.flips);
                assert!(linear.draws > 0 && linear.draws == linear.conjugate_gradients.solves);
                let WeightsInfo { factorisations, conjugate_gradients, langevin_steps, .. } = total.weights;
                let kinds = [factorisations, conjugate_gradients.solves, langevin_steps];
                assert_eq!(kinds.iter().filter(|&&count| count > 0).count(), 1, "{model}: {kinds:?}");
                assert_eq!(total.unconverged(), 0);
            }
        }
    }
}
