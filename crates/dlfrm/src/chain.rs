//! Chains: a sweep is a list of steps, a run is sweeps with kept draws, several runs go in parallel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::covariates::{Covariates, Design, Given};
use crate::error::{Error, Result};
use crate::kernel::augment::{self, Augmentation};
use crate::kernel::{Place, features, flips, hyper, intercept, linear, weights, weights_cholesky};
use crate::model::{Checked, PartOfJoint, Shape, State, log_joint, start};
use crate::named::named;
use crate::network::{Division, Pairs};
use crate::posterior::{Draw, Posterior, Trace};

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
    target: &'a Checked,
    /// The target's settings, with the costs of the current sweep.
    settings: Checked,
    cost_share: f64,
    augmentation: Augmentation,
    place: Place,
    state: State,
    scratch: Scratch,
    largest_factor: usize,
}

impl<'a> Chain<'a> {
    /// Starts chain number `chain`.
    pub fn new(pairs: &'a Pairs, settings: &'a Checked, chain: usize) -> Result<Self> {
        let (_, design) = Covariates::of_pairs(pairs, settings.covariates, &Given::default());
        Self::divided(pairs, Arc::new(design), settings, chain, Arc::new(Division::new(pairs)))
    }

    /// The same with what the linear part is linear in and a division of the work that are known already. Another division gives other draws from the same distribution.
    pub fn divided(
        pairs: &'a Pairs,
        design: Arc<Design>,
        settings: &'a Checked,
        chain: usize,
        division: Arc<Division>,
    ) -> Result<Self> {
        let target = settings;
        let cost_share = target.cost_share(1);
        let settings = target.with_cost_share(cost_share);
        let augmentation = Augmentation::new(&settings)?;
        let place = Place { seed: target.seed, chain: chain as u64, sweep: 0 };
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
            let place = Place { seed: !self.place.seed, ..self.place };
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
                if !state.linear.is_empty() && linear_is_due(place.sweep) {
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
        let Self { pairs, state, target, design, division, scratch, .. } = self;
        log_joint(pairs, state, target, design, division, &mut scratch.log_joint).total()
    }
}

/// Whether a sweep draws the linear part. It has few unknowns for many pairs, so that it forgets its last draw at once:
/// once it has found its place, it is drawn in every third sweep, which costs a third.
fn linear_is_due(sweep: u64) -> bool {
    sweep <= 6 || sweep.is_multiple_of(3)
}

/// What an observer is told after every sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The chain.
    pub chain: usize,
    /// Sweeps made, of all sweeps to make.
    pub sweep: usize,
    /// All sweeps that the chain will make.
    pub sweeps: usize,
    /// Active features.
    pub features: usize,
    /// Log joint density.
    pub log_joint: f64,
    /// Time since the chain started.
    pub elapsed: Duration,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End with the draws kept so far.
    Stop,
}

/// Watches a run; called after every sweep of every chain, from the chain's own thread.
pub trait Observer: Sync {
    /// Called after a sweep.
    fn sweep(&self, progress: &Progress) -> Control;
}

impl<F: Fn(&Progress) -> Control + Sync> Observer for F {
    fn sweep(&self, progress: &Progress) -> Control {
        self(progress)
    }
}

/// Runs all chains and gathers their draws. The draws do not depend on the number of threads.
pub fn fit(pairs: &Pairs, settings: &Checked, observer: &impl Observer) -> Result<Posterior> {
    fit_given(pairs, &Given::default(), settings, observer)
}

/// The same with what is known beside the links.
pub fn fit_given(
    pairs: &Pairs,
    given: &Given,
    settings: &Checked,
    observer: &impl Observer,
) -> Result<Posterior> {
    if pairs.entities() < 2 {
        return Err(Error::Network(format!(
            "a network needs at least two entities, this one has {}",
            pairs.entities()
        )));
    }
    if pairs.is_empty() {
        return Err(Error::Network("the network has no observed pair".to_owned()));
    }
    let division = Arc::new(Division::new(pairs));
    let (covariates, design) = Covariates::of_pairs(pairs, settings.covariates, given);
    let design = Arc::new(design);
    let run = |chain| run(pairs, &design, settings, chain, &division, observer);
    let runs = if division.shared() {
        // Threads share the work of a sweep: chains need not run at the same time, and take less memory one by one.
        let mut runs = Vec::with_capacity(settings.chains);
        for chain in 0..settings.chains {
            runs.push(run(chain)?);
            if runs[chain].1.features.len() < settings.sweeps() {
                break;
            }
        }
        runs
    } else {
        (0..settings.chains).into_par_iter().map(run).collect::<Result<Vec<_>>>()?
    };
    let (draws, traces): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let draws = draws.into_iter().flatten().collect();
    Ok(Posterior::new(pairs, settings, covariates, draws, traces))
}

/// Runs one chain.
fn run(
    pairs: &Pairs,
    design: &Arc<Design>,
    settings: &Checked,
    number: usize,
    division: &Arc<Division>,
    observer: &impl Observer,
) -> Result<(Vec<Draw>, Trace)> {
    let began = Instant::now();
    let mut chain = Chain::divided(pairs, Arc::clone(design), settings, number, Arc::clone(division))?;
    let mut draws = Vec::with_capacity(settings.draws);
    let mut trace = Trace::default();
    let sweeps = settings.sweeps();
    for sweep in 1..=sweeps {
        chain.sweep();
        let log_joint = chain.log_joint();
        trace.push(chain.state(), log_joint);
        if sweep > settings.burn_in && (sweep - settings.burn_in).is_multiple_of(settings.thin) {
            draws.push(Draw::new(chain.state(), design.entities.as_deref(), number, sweep, log_joint));
        }
        let features = chain.state().features.active();
        let progress =
            Progress { chain: number, sweep, sweeps, features, log_joint, elapsed: began.elapsed() };
        if observer.sweep(&progress) == Control::Stop {
            break;
        }
    }
    Ok((draws, trace))
}
