//! One Markov chain over the pairs of one network.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::covariates::{Covariates, Design, SideInfo};
use crate::error::{Error, Result};
use crate::kernel::augment::{self, Augmentation};
use crate::kernel::{Context, collapsed_rows, features, hyper, intercept, linear, unsampled, weights};
use crate::model::{Linear, LogJoint, Losses, Shape, State, ValidSettings, log_joint};
use crate::network::{Division, Pairs};
use crate::posterior::Draw;
use crate::random::StreamKey;

use super::{ChainRun, Step, SweepInfo, start};

#[derive(Debug, Default)]
struct Scratch {
    features: features::Scratch,
    collapsed_rows: collapsed_rows::Scratch,
    weights: weights::Scratch,
    intercept: Vec<intercept::Part>,
    linear: linear::Scratch,
    augment: augment::Scratch,
}

/// One Markov chain over the pairs of a network.
#[derive(Debug)]
pub struct Chain<'a> {
    pub(super) pairs: &'a Pairs,
    pub(super) design: Arc<Design>,
    pub(super) division: Arc<Division>,
    target: &'a ValidSettings,
    /// The target's settings, with the costs of the current sweep.
    pub(super) settings: ValidSettings,
    cost_share: f64,
    pub(super) augmentation: Augmentation,
    pub(super) key: StreamKey,
    pub(super) state: State,
    /// The losses of all pairs where the chain is, if a step has found them.
    losses: Option<Losses>,
    scratch: Scratch,
    largest_factor: usize,
    info: SweepInfo,
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
        let key = StreamKey { seed: target.seed, chain: chain as u64, sweep: 0 };
        let context = Context::new(pairs, &settings, &division, key);
        let state = start::start(&context, &design, &augmentation);
        Ok(Self {
            pairs,
            design,
            division,
            target,
            settings,
            cost_share,
            augmentation,
            key,
            state,
            losses: None,
            scratch: Scratch::default(),
            largest_factor: weights::LARGEST_FACTOR,
            info: SweepInfo::default(),
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

    /// The same chain at another point of its space (for tests).
    pub fn set_state(&mut self, state: State) {
        assert_eq!(state.rates.len(), self.state.rates.len(), "the state belongs to other pairs");
        self.state = state;
        self.forget_near();
        self.losses = None;
    }

    /// Its features become others: pairs whose ends had one in common may have none.
    pub(super) fn forget_near(&mut self) {
        self.scratch.augment.forget_near();
    }

    /// Where it proposes covariates alone from, once it has found that.
    pub(super) fn proposals(&self) -> Option<Arc<linear::Proposals>> {
        self.scratch.linear.proposals.clone()
    }

    /// Has it propose from what a chain over the same pairs has found.
    pub(super) fn set_proposals(&mut self, proposals: Option<Arc<linear::Proposals>>) {
        self.scratch.linear.proposals = proposals;
    }

    /// How many sweeps it has made.
    pub fn sweeps(&self) -> usize {
        self.key.sweep as usize
    }

    /// Goes to where another chain with the same number, settings and pairs was after its last sweep. Everything that it draws
    /// from there is, bit for bit, what that chain would have drawn.
    pub(crate) fn restore(&mut self, run: &ChainRun) -> Result<()> {
        let Some(packed) = &run.state else { return Ok(()) };
        let sweep = run.sweeps();
        self.check_fits(packed)?;
        self.key.sweep = sweep as u64;
        self.cost_share = self.target.cost_share(sweep);
        self.settings = self.target.with_cost_share(self.cost_share);
        self.augmentation = Augmentation::new(&self.settings)?;
        // Offsets are filled where the linear part is drawn; later intercepts are added to them, one after the other.
        let intercepts = &run.trace.intercept;
        let linear = &packed.linear;
        let alone = self.target.linear_alone(packed.features);
        let due = |&sweep: &usize| linear_is_due(sweep as u64, linear, alone);
        let filled = (1..=sweep).rev().find(due).unwrap_or(1).min(sweep);
        let intercept = if linear.is_empty() { packed.intercept } else { intercepts[filled - 1] };
        let rates = std::mem::take(&mut self.state.rates);
        self.state = State { rates, intercept, ..packed.state() };
        if self.bare() {
            return Ok(());
        }
        let Self { pairs, design, division, settings, key, state, .. } = self;
        let context = Context::new(pairs, settings, division, *key);
        linear::fill_offsets(&context, design, state);
        if !state.linear.is_empty() {
            intercepts[filled..].iter().for_each(|&intercept| state.set_intercept(intercept));
        }
        // Rates are the last thing that a sweep draws, each from a stream of its own: they are drawn again.
        self.timed(Step::Augment, self.key, &|| true);
        Ok(())
    }

    /// Refuses a state of another model or of other nodes.
    fn check_fits(&self, packed: &Draw) -> Result<()> {
        let State { features, weights, linear, .. } = &self.state;
        let lengths = |linear: &Linear| {
            let Linear { coefficients, effects, attributes, attribute_precisions, .. } = linear;
            [effects, attributes, attribute_precisions]
                .map(|ends| ends.each_ref().map(Vec::len))
                .into_iter()
                .chain([[coefficients.len(); 2]])
                .collect::<Vec<_>>()
        };
        let positive =
            packed.linear.precisions.iter().chain(packed.linear.attribute_precisions.iter().flatten());
        let mut positive = positive.chain([&packed.alpha, &packed.nu.own, &packed.nu.between]);
        let mut owned = vec![false; packed.features()];
        packed.items.iter().for_each(|&slot| owned[slot as usize] = true);
        let fits = packed.nodes() == features.nodes()
            && packed.shape == weights.shape()
            && lengths(&packed.linear) == lengths(linear)
            && positive.all(|&value| value > 0.0)
            && owned.iter().all(|&owned| owned);
        let error = "the state of a chain does not belong to this network and these settings";
        if fits { Ok(()) } else { Err(Error::Draws(error.to_owned())) }
    }

    /// Makes one sweep in the standard order.
    pub fn sweep(&mut self) -> SweepInfo {
        self.sweep_while(|| true).expect("nothing ends it")
    }

    /// Makes one sweep, unless it is to end before or in one of its steps: the chain is of no use then.
    pub(crate) fn sweep_while(&mut self, go_on: impl Fn() -> bool + Sync) -> Option<SweepInfo> {
        let ended = AtomicBool::new(false);
        let go_on = || {
            let goes_on = go_on();
            ended.fetch_or(!goes_on, Ordering::Relaxed);
            goes_on
        };
        self.begin_sweep();
        for step in Step::SWEEP {
            if !go_on() {
                return None;
            }
            self.timed(step, self.key, &go_on);
            if ended.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(self.info)
    }

    /// Whether its state has neither rates nor offsets, as nothing needs them.
    fn bare(&self) -> bool {
        self.state.rates.is_empty()
    }

    /// What the kernels did since the sweep began.
    pub fn info(&self) -> SweepInfo {
        self.info
    }

    /// Moves on to the random streams of the next sweep. In an annealed burn-in the costs may rise here; the augmentation variables
    /// are then drawn again.
    pub fn begin_sweep(&mut self) {
        self.info = SweepInfo::default();
        let share = self.target.cost_share(self.key.sweep as usize + 1);
        if share != self.cost_share {
            self.cost_share = share;
            self.settings = self.target.with_cost_share(share);
            self.augmentation = Augmentation::new(&self.settings).expect("smaller costs were accepted");
            // The stream of the last sweep's augmentation is spent: another seed keeps this one apart.
            let key = StreamKey { seed: !self.key.seed, ..self.key };
            self.timed(Step::Augment, key, &|| true);
        }
        self.key.sweep += 1;
    }

    /// Makes one step of the current sweep; [`info`](Self::info) has what it did.
    pub fn step(&mut self, step: Step) {
        self.timed(step, self.key, &|| true);
    }

    /// Makes a step with the random streams of a key, or a part of it if the run does not go on.
    fn timed(&mut self, step: Step, key: StreamKey, go_on: &(dyn Fn() -> bool + Sync)) {
        let began = Instant::now();
        let Self { pairs, design, division, settings, augmentation, state, scratch, info, .. } = self;
        let augment = &mut scratch.augment;
        let context = Context::new(pairs, settings, division, key).going_on(go_on);
        // Rows of features that are not there change nothing, and neither does what is drawn for them.
        let idle = matches!(step, Step::CollapsedRows | Step::Alpha | Step::Nu | Step::Augment);
        if !idle || state.features.slots() > 0 {
            self.losses = None;
        }
        match step {
            Step::Features if settings.births_disabled(key.sweep as usize) => {}
            Step::Features => info.features += features::update(&context, state, &mut scratch.features),
            // Intercept and coefficients are all there is.
            Step::Weights | Step::Augment if state.rates.is_empty() => {}
            Step::Weights => {
                let (context, scratch) = (context.with_near(augment.near()), &mut scratch.weights);
                info.weights += weights::update(&context, self.largest_factor, state, scratch);
            }
            Step::Intercept => {
                if settings.intercept && state.weights.shape() != Shape::Diagonal && state.linear.is_empty() {
                    intercept::update(&context, state, &mut scratch.intercept);
                }
            }
            Step::Linear => {
                let alone = settings.linear_alone(state.features.slots());
                if !state.linear.is_empty() && linear_is_due(key.sweep, &state.linear, alone) {
                    let (context, scratch) = (context.with_near(augment.near()), &mut scratch.linear);
                    info.linear += linear::update(&context, augmentation, design, state, scratch);
                    self.losses = scratch.losses();
                }
            }
            Step::CollapsedRows => {
                augment.forget_near();
                info.collapsed_rows += collapsed_rows::update(&context, state, &mut scratch.collapsed_rows);
            }
            Step::Alpha => hyper::update_alpha(&context, state),
            Step::Nu => hyper::update_nu(&context, state),
            Step::Augment => {
                info.augment += augment::update(&context, augmentation, state, augment);
                self.losses = Some(augment.losses());
            }
        }
        info.nanoseconds.add(step, nanoseconds_since(began));
    }

    /// The log joint density where the chain is.
    pub fn log_joint(&self) -> f64 {
        self.parts_of_log_joint().total()
    }

    pub(super) fn parts_of_log_joint(&self) -> LogJoint {
        let Self { pairs, state, target, design, .. } = self;
        let context = Context::new(pairs, target, &self.division, self.key);
        let context = context.with_near(self.scratch.augment.near());
        let losses = self.losses.unwrap_or_else(|| {
            if self.bare() {
                linear::losses(&context, design, state)
            } else {
                Losses::of(pairs, state, target)
            }
        });
        let mut parts = log_joint(state, target, design, losses);
        parts.labels -= unsampled::loss(&context, state);
        parts
    }
}

pub(super) fn nanoseconds_since(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Whether a sweep draws the linear part: always if it is alone. It has few unknowns for many pairs, so that it forgets its
/// last draw at once: after the first sweeps it is drawn in every third sweep, or in every fifth if it costs more because
/// nodes have effects or attributes. So it never costs more than the augmentation does.
fn linear_is_due(sweep: u64, linear: &Linear, alone: bool) -> bool {
    alone || sweep <= 6 || sweep.is_multiple_of(if linear.of_nodes() { 5 } else { 3 })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::model::Settings;
    use crate::network::Pair;

    /// It is asked before every step, and before every class of rows.
    #[test]
    fn a_sweep_ends_inside_a_step() {
        let pairs = (0..12).flat_map(|source| (0..source).map(move |target| (source, target)));
        let pairs =
            pairs.map(|(source, target)| Pair { source, target, link: (source * 5 + target) % 3 == 0 });
        let pairs = Pairs::new(12, true, pairs);
        let division = Arc::new(Division::fine(&pairs));
        assert!(division.coloured());
        let settings = Settings::default().check().unwrap();
        let sweep = |limit| {
            let asked = AtomicUsize::new(0);
            let (_, design) = Covariates::of_pairs(&pairs, settings.covariates, &SideInfo::default());
            let division = Arc::clone(&division);
            let mut chain = Chain::divided(&pairs, Arc::new(design), &settings, 0, division).unwrap();
            let info = chain.sweep_while(|| asked.fetch_add(1, Ordering::Relaxed) < limit);
            (info.is_some(), asked.into_inner())
        };
        let (ended, all) = sweep(usize::MAX);
        assert!(ended && all >= Step::SWEEP.len() + division.classes().count(), "{all}");
        for limit in 0..all {
            assert_eq!(sweep(limit), (false, limit + 1));
        }
        assert_eq!(sweep(all), (true, all));
    }
}
