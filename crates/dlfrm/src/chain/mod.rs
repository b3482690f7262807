//! Chains: a sweep is a list of steps, a run is sweeps with kept draws, several runs go in parallel.

mod observer;
mod run;
mod shared;

pub(crate) use observer::Stoppable;
pub use observer::{Control, Event, Observer, Progress, Silent};
pub use run::{run_chains, run_shared_chains};
pub use shared::{SharedChain, SharedRelation};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::covariates::{Covariates, Design, SideInfo};
use crate::error::Result;
use crate::kernel::augment::{self, Augmentation};
use crate::kernel::{StreamKey, features, flips, hyper, intercept, linear, weights, weights_cholesky};
use crate::model::{Linear, LogJoint, PartOfJoint, Shape, State, ValidSettings, log_joint, start};
use crate::named::named;
use crate::network::{Division, Pairs};

/// One step of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// Shared features once more with the augmentation integrated out; the augmentation must follow.
    Flips,
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
        Self::Flips,
        Self::Augment,
    ];

    /// The name that files and flags use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Features => "features",
            Self::Weights => "weights",
            Self::Intercept => "intercept",
            Self::Linear => "linear",
            Self::Alpha => "alpha",
            Self::Nu => "nu",
            Self::Flips => "flips",
            Self::Augment => "augment",
        }
    }
}

named!(Step, "step", Self::SWEEP);

/// Reused memory of all kernels.
#[derive(Debug, Default)]
struct Scratch {
    features: features::Scratch,
    flips: flips::Scratch,
    weights: weights::Scratch,
    intercept: Vec<intercept::Part>,
    linear: linear::Scratch,
    augment: Vec<Vec<f64>>,
    log_joint: Vec<PartOfJoint>,
}

/// One Markov chain over the pairs of a network.
#[derive(Debug)]
pub struct Chain<'a> {
    pairs: &'a Pairs,
    design: Arc<Design>,
    division: Arc<Division>,
    target: &'a ValidSettings,
    /// The target's settings, with the costs of the current sweep.
    settings: ValidSettings,
    cost_share: f64,
    augmentation: Augmentation,
    place: StreamKey,
    state: State,
    scratch: Scratch,
    largest_factor: usize,
}

impl<'a> Chain<'a> {
    /// Starts chain number `chain`.
    pub fn new(pairs: &'a Pairs, settings: &'a ValidSettings, chain: usize) -> Result<Self> {
        let (_, design) = Covariates::of_pairs(pairs, settings.covariates, &SideInfo::default());
        Self::divided(pairs, Arc::new(design), settings, chain, Arc::new(Division::new(pairs)))
    }

    /// The same with what the linear part is linear in and a division of the work that are known already. Another division gives other draws from the same distribution.
    pub fn divided(
        pairs: &'a Pairs,
        design: Arc<Design>,
        settings: &'a ValidSettings,
        chain: usize,
        division: Arc<Division>,
    ) -> Result<Self> {
        let target = settings;
        let cost_share = target.cost_share(1);
        let settings = target.with_cost_share(cost_share);
        let augmentation = Augmentation::new(&settings)?;
        let place = StreamKey { seed: target.seed, chain: chain as u64, sweep: 0 };
        let state = start(pairs, &settings, &design, &augmentation, &division, place.seed, place.chain);
        Ok(Self {
            pairs,
            design,
            division,
            target,
            settings,
            cost_share,
            augmentation,
            place,
            state,
            scratch: Scratch::default(),
            largest_factor: weights_cholesky::LARGEST,
        })
    }

    /// Draws more weights than this by conjugate gradients, others by factorisation. The default suits every purpose but
    /// tests.
    #[must_use]
    pub fn with_largest_factor(mut self, weights: usize) -> Self {
        self.largest_factor = weights;
        self
    }

    /// Where the chain is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The same chain at another point of its space (for tests and for resuming).
    pub fn set_state(&mut self, state: State) {
        assert_eq!(state.rates.len(), self.pairs.len(), "the state belongs to other pairs");
        self.state = state;
    }

    /// How many sweeps it has made.
    pub fn sweeps(&self) -> usize {
        self.place.sweep as usize
    }

    /// One sweep in the standard order.
    pub fn sweep(&mut self) {
        self.begin_sweep();
        for step in Step::SWEEP {
            self.step(step);
        }
    }

    /// Moves on to the random streams of the next sweep; [`sweep`](Self::sweep) does this by itself.
    ///
    /// In an annealed burn-in the costs may rise here; the augmentation variables are then drawn anew.
    pub fn begin_sweep(&mut self) {
        let share = self.target.cost_share(self.place.sweep as usize + 1);
        if share != self.cost_share {
            self.cost_share = share;
            self.settings = self.target.with_cost_share(share);
            self.augmentation = Augmentation::new(&self.settings).expect("smaller costs were accepted");
            // The stream of the last sweep's augmentation is spent: another seed keeps this one apart.
            let place = StreamKey { seed: !self.place.seed, ..self.place };
            let Self { pairs, state, augmentation, division, scratch, .. } = self;
            augment::update(pairs, state, augmentation, division, place, &mut scratch.augment);
        }
        self.place.sweep += 1;
    }

    /// One step of the current sweep.
    pub fn step(&mut self, step: Step) {
        let Self {
            pairs,
            design,
            division,
            settings,
            augmentation,
            place,
            state,
            scratch,
            largest_factor,
            ..
        } = self;
        match step {
            Step::Features if settings.rests(place.sweep as usize) => {}
            Step::Features => {
                features::update(pairs, state, settings, division, *place, &mut scratch.features);
            }
            Step::Weights => {
                weights::update(
                    pairs,
                    state,
                    settings,
                    division,
                    *place,
                    *largest_factor,
                    &mut scratch.weights,
                );
            }
            Step::Intercept => {
                if settings.intercept && state.weights.shape() != Shape::Diagonal && state.linear.is_empty() {
                    intercept::update(pairs, state, settings, division, *place, &mut scratch.intercept);
                }
            }
            Step::Linear => {
                if !state.linear.is_empty() && linear_is_due(place.sweep, &state.linear) {
                    let scratch = &mut scratch.linear;
                    linear::update(pairs, state, settings, design, division, *place, scratch);
                }
            }
            Step::Flips => flips::update(pairs, state, settings, division, *place, &mut scratch.flips),
            Step::Alpha => hyper::update_alpha(state, settings, *place),
            Step::Nu => hyper::update_nu(state, settings, *place),
            Step::Augment => {
                augment::update(pairs, state, augmentation, division, *place, &mut scratch.augment);
            }
        }
    }

    /// The log joint density where the chain is.
    pub fn log_joint(&mut self) -> f64 {
        self.parts_of_log_joint().total()
    }

    fn parts_of_log_joint(&mut self) -> LogJoint {
        let Self { pairs, state, target, design, division, scratch, .. } = self;
        log_joint(pairs, state, target, design, division, &mut scratch.log_joint)
    }
}

/// Whether a sweep draws the linear part. It has few unknowns for many pairs, so that it forgets its last draw at once:
/// once it has found its place, it is drawn in every third sweep, or in every fifth if it costs more because entities have
/// effects or attributes. So it never costs more than the augmentation does.
fn linear_is_due(sweep: u64, linear: &Linear) -> bool {
    sweep <= 6 || sweep.is_multiple_of(if linear.of_entities() { 5 } else { 3 })
}
