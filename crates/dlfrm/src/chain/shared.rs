//! Chains over several relations that share their features: one Z for all, weights and a linear part for each.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::covariates::Design;
use crate::error::{Error, PairsFor, Result};
use crate::kernel::{Context, RelationView, collapsed_rows, features, hyper};
use crate::model::{Settings, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, run_seed};

use super::single::{Chain, nanoseconds_since};
use super::start::start_with;
use super::{ChainRun, Step, SweepInfo};

/// One Markov chain over several relations with the same features. Each relation is a chain of its own as far as features
/// are not concerned; what changes these changes them in all.
#[derive(Debug)]
pub struct SharedChain<'a> {
    relations: Vec<Chain<'a>>,
    features: features::relations::Scratch,
    collapsed_rows: collapsed_rows::relations::Scratch,
    info: SweepInfo,
}

impl<'a> SharedChain<'a> {
    /// Starts chain number `chain` over some relations, each with what its linear part is linear in and with settings that
    /// differ in nothing but the seed.
    pub fn new(relations: &'a [SharedRelation<'_>], chain: usize) -> Result<Self> {
        let mut chains = vec![];
        for SharedRelation { pairs, design, settings, division } in relations {
            let (design, division) = (Arc::clone(design), Arc::clone(division));
            chains.push(Chain::divided(pairs, design, settings, chain, division)?);
        }
        let features = chains[0].state.features.clone();
        for chain in &mut chains[1..] {
            let Chain { pairs, design, division, settings, augmentation, key, .. } = &*chain;
            let context = Context::new(pairs, settings, division, *key);
            let mut rng = context.stream(Purpose::Start, 1);
            chain.state = start_with(features.clone(), &context, design, augmentation, &mut rng);
        }
        Ok(Self {
            relations: chains,
            features: features::relations::Scratch::default(),
            collapsed_rows: collapsed_rows::relations::Scratch::default(),
            info: SweepInfo::default(),
        })
    }

    /// The chains of the relations.
    pub fn relations(&self) -> &[Chain<'a>] {
        &self.relations
    }

    /// Goes to where another chain with the same number, settings and relations was after its last sweep.
    pub(crate) fn restore(&mut self, runs: &[ChainRun]) -> Result<()> {
        let first = &runs[0];
        for (chain, run) in self.relations.iter_mut().zip(runs) {
            let features =
                |run: &ChainRun| run.state.as_ref().map(|state| (state.items.clone(), state.alpha));
            if run.sweeps() != first.sweeps() || features(run) != features(first) {
                return Err(Error::Draws("the relations of a chain do not share their features".to_owned()));
            }
            chain.restore(run)?;
        }
        Ok(())
    }

    /// Makes one sweep in the standard order; the info has the sums over the relations.
    pub fn sweep(&mut self) -> SweepInfo {
        self.sweep_while(|| true).expect("nothing ends it")
    }

    /// Makes one sweep, unless it is to end before one of its steps: the chain is of no use then.
    pub(crate) fn sweep_while(&mut self, go_on: impl Fn() -> bool) -> Option<SweepInfo> {
        self.info = SweepInfo::default();
        self.relations.iter_mut().for_each(Chain::begin_sweep);
        for step in Step::SWEEP {
            if !go_on() {
                return None;
            }
            self.step(step);
        }
        let mut info = self.info;
        for chain in &self.relations {
            info += chain.info();
        }
        Some(info)
    }

    /// Makes one step: what concerns the features of all relations here, everything else by the chains of the relations.
    fn step(&mut self, step: Step) {
        let began = Instant::now();
        let Self { relations, features, collapsed_rows, info } = self;
        match step {
            Step::Features if relations[0].settings.births_disabled(relations[0].sweeps()) => {}
            Step::Features => info.features += features::relations::update(&mut views(relations), features),
            Step::CollapsedRows => {
                relations.iter_mut().for_each(Chain::forget_near);
                info.collapsed_rows +=
                    collapsed_rows::relations::update(&mut views(relations), collapsed_rows);
            }
            Step::Alpha => {
                let RelationView { context, state } = view(&mut relations[0]);
                hyper::update_alpha(&context, state);
                let alpha = state.alpha;
                for chain in relations {
                    chain.state.alpha = alpha;
                }
            }
            Step::Weights | Step::Intercept | Step::Linear | Step::Nu | Step::Augment => {
                // The chains count their own time.
                return relations.par_iter_mut().for_each(|chain| chain.step(step));
            }
        }
        info.nanoseconds.add(step, nanoseconds_since(began));
    }

    /// The log joint density of all relations, the features counted once.
    pub fn log_joint(&self) -> f64 {
        let parts: Vec<_> = self.relations.iter().map(Chain::parts_of_log_joint).collect();
        parts[0].features + parts.iter().map(|part| part.weights + part.labels).sum::<f64>()
    }
}

fn views<'b>(relations: &'b mut [Chain<'_>]) -> Vec<RelationView<'b>> {
    relations.iter_mut().map(view).collect()
}

fn view<'b>(chain: &'b mut Chain<'_>) -> RelationView<'b> {
    let Chain { pairs, settings, division, key, state, .. } = chain;
    RelationView { context: Context::new(pairs, settings, division, *key), state }
}

/// What is known of one relation before any chain runs.
#[derive(Debug)]
pub struct SharedRelation<'a> {
    pairs: &'a Pairs,
    design: Arc<Design>,
    settings: ValidSettings,
    division: Arc<Division>,
}

impl<'a> SharedRelation<'a> {
    /// Relation number `number` of several.
    pub fn new(
        pairs: &'a Pairs,
        design: Arc<Design>,
        settings: &ValidSettings,
        number: usize,
    ) -> Result<Self> {
        let division = Division::new(pairs);
        if division.coloured() {
            let (pairs, most) = (pairs.len(), Division::LARGE);
            return Err(Error::TooManyPairs { purpose: PairsFor::SharedFeatures { pairs, most } });
        }
        // No two relations may draw the same random numbers.
        let seed = if number == 0 { settings.seed } else { run_seed(settings.seed, number as u64) };
        let settings = Settings { seed, ..settings.clone().into_inner() }.check()?;
        Ok(Self { pairs, design, settings, division: Arc::new(division) })
    }

    pub(super) fn design(&self) -> &Design {
        &self.design
    }
}
