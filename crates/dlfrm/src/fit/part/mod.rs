//! The parts of a fit: posteriors with a name, and with settings, chains and draws of their own.
//!
//! A fit is a list of parts, which are found by name. Their chains run in the order of the list, so that a part may take what
//! those before it predict as input. How much each of them counts is chosen on a development set (`fit/choice.rs`), and a step
//! on top of all makes one posterior of theirs (`posterior/combine.rs`). A further part is a file or folder of its own beside
//! `covariates.rs`, and touches those two files and this one: its name, which fits have it, and in which order they run.

mod covariates;
mod features;

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::options::PairPlan;
use crate::chain::{
    ChainRun, Event, Length, Observer, Slots, continue_chains, continue_shared_chains, no_runs, noted,
};
use crate::covariates::{CovariateSet, Covariates, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Network, Pairs};
use crate::posterior::{Combination, Posterior};

pub(super) use covariates::short_trial;

/// The name of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartName {
    /// Covariates alone.
    Covariates,
    /// Latent features, with whatever else the settings say; every fit has them, and may have no other part.
    Features,
}

impl PartName {
    /// The name in files and on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Covariates => "covariates",
            Self::Features => "features",
        }
    }
}

/// A part of a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: PartName,
    /// Its settings.
    pub settings: ValidSettings,
    /// Sweeps beyond the burn-in that come before the first draw.
    pub(crate) later: usize,
    /// Whether all relations have the same features.
    pub(crate) shared: bool,
    /// The most draws that each chain keeps.
    pub(crate) most: usize,
    /// Of how many draws one is kept at least.
    pub(crate) every: usize,
    /// Its chains, for each relation that is learned from; none while they run.
    #[serde(skip)]
    pub chains: Vec<Vec<ChainRun>>,
}

impl Part {
    pub(super) fn new(name: PartName, settings: ValidSettings) -> Self {
        Self { name, settings, later: 0, shared: false, most: usize::MAX, every: 1, chains: vec![] }
    }

    pub(super) fn length(&self) -> Length {
        Length { most: self.most, every: self.every, ..Length::new(&self.settings, self.later) }
    }

    /// How many sweeps the chain that has most of them has made.
    pub(super) fn swept(&self) -> usize {
        self.chains.iter().flatten().map(ChainRun::sweeps).max().unwrap_or(0)
    }

    /// Counts the first draws of each chain, which has made so many sweeps, as sweeps before the first draw. Some draws fewer
    /// where the others would not be those that are kept.
    pub(super) fn leave_out(&mut self, draws: usize, sweeps: usize) {
        self.every = self.length().every(sweeps);
        let draws = draws - draws % self.every;
        self.later += draws * self.settings.thin;
        self.settings = self.settings.with_fewer_draws(draws);
    }

    /// Has its chains go on from where they are.
    pub(super) fn run(&self, purpose: &str, task: &Task<'_>, slots: &Slots) -> Result<PartRan> {
        let Self { settings, shared, .. } = self;
        let &Task { relations, side_info, observer, .. } = task;
        let longer = settings.with_longer_burn_in(self.later);
        let fits = if *shared { 1 } else { relations.len() };
        observer.event(&Event::Chains { purpose, fits, settings: &longer });
        let length = self.length();
        if *shared {
            let began = Instant::now();
            let pairs: Vec<&Pairs> = relations.iter().map(|relation| relation.1).collect();
            let covariates = continue_shared_chains(&pairs, side_info, settings, length, observer, slots)?;
            return Ok(PartRan { covariates, took: vec![began.elapsed(); relations.len()] });
        }
        let fit = |(number, &(name, pairs)): (usize, &(Option<&str>, &Pairs))| {
            let began = Instant::now();
            let known = continue_chains(pairs, side_info, settings, length, number, observer, &slots[number]);
            known.map(|known| (known, began.elapsed())).map_err(|error| error.in_relation(name))
        };
        let fitted: Vec<_> = relations.par_iter().enumerate().map(fit).collect::<Result<_>>()?;
        let (covariates, took) = fitted.into_iter().unzip();
        Ok(PartRan { covariates, took })
    }

    pub(super) fn posteriors(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        ran: &PartRan,
        mut chains: Vec<Vec<ChainRun>>,
    ) -> Vec<Posterior> {
        // Where a fit was ended, some chains have made more sweeps than others.
        let length = self.length();
        let runs = || chains.iter().flatten().map(|run| length.every(run.sweeps()));
        let every = runs().max().unwrap_or(self.every);
        chains.iter_mut().flatten().for_each(|run| run.thin_out(Length { every, ..length }));
        let settings = self.settings.with_longer_burn_in(self.later);
        let each = relations.iter().zip(&ran.covariates).zip(chains);
        each.map(|((&(_, pairs), known), runs)| Posterior::of_runs(pairs, &settings, known.clone(), runs))
            .collect()
    }
}

/// What the chains of a part leave beside their draws.
#[derive(Debug, Clone)]
pub(crate) struct PartRan {
    /// What computes the covariates of each relation.
    covariates: Vec<Option<Covariates>>,
    /// How long each relation took.
    took: Vec<Duration>,
}

/// What the chains of some parts leave beside their draws.
#[derive(Debug, Default)]
pub(crate) struct Ran(Vec<(PartName, PartRan)>);

impl Ran {
    pub(super) fn get(&self, name: PartName) -> Option<&PartRan> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, ran)| ran)
    }

    /// Notes that the chains of a part have gone on.
    pub(super) fn add(&mut self, name: PartName, mut ran: PartRan) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, before)) => {
                ran.took.iter_mut().zip(&before.took).for_each(|(took, before)| *took += *before);
                *before = ran;
            }
            None => self.0.push((name, ran)),
        }
    }

    pub(super) fn seconds(&self, relation: usize) -> f64 {
        self.0.iter().map(|(_, ran)| ran.took[relation].as_secs_f64()).sum()
    }
}

/// What chains run on, and who watches them.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The pairs of each relation, which may have a name.
    pub(crate) relations: &'a [(Option<&'a str>, &'a Pairs)],
    pub(crate) side_info: &'a SideInfo,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) live: &'a Live,
}

static NOTHING: SideInfo = SideInfo { nodes: None, pairs: None };

/// The parts of a fit, in the order in which they run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Part>", into = "Vec<Part>")]
pub struct Parts(Vec<Part>);

impl TryFrom<Vec<Part>> for Parts {
    type Error = Error;

    fn try_from(parts: Vec<Part>) -> Result<Self> {
        match &parts.iter().map(|part| part.name).collect::<Vec<_>>()[..] {
            [PartName::Features] | [PartName::Covariates, PartName::Features] => Ok(Self(parts)),
            _ => Err(Error::Draws("the parts are not those of a fit".to_owned())),
        }
    }
}

impl From<Parts> for Vec<Part> {
    fn from(parts: Parts) -> Self {
        parts.0
    }
}

impl Parts {
    /// Draws of all chains that a part keeps, unless it is asked for more.
    const KEPT: usize = 1_000;
    /// A chain keeps at least as many.
    const LEAST: usize = 10;

    /// One part with these settings, which leave nothing to choose.
    pub fn fixed(settings: ValidSettings) -> Self {
        Self(vec![Part::new(PartName::Features, settings)])
    }

    /// The parts of a model for so many pairs.
    ///
    /// Where the caller leaves covariates and costs open, covariates and features are a part each. Where the caller
    /// asks for covariates or costs there is one part; for the `paper`'s splits it is the paper's model. Without
    /// features there are covariates alone, unless the caller wants none.
    pub fn new(model: Model, overrides: &Overrides, pairs: usize, paper: bool) -> Result<Self> {
        if paper {
            return Ok(Self::fixed(overrides.over(Settings::paper_defaults(model, pairs)).check()?));
        }
        let covariates = overrides.covariates != Some(CovariateSet::None);
        if covariates && overrides.max_new == Some(0) {
            return Ok(Self::fixed(
                overrides.over(Settings::linear_defaults(model, pairs)).linear().check()?,
            ));
        }
        let costs = overrides.c_pos.is_some() || overrides.c_neg.is_some();
        if covariates && (costs || overrides.covariates.is_some()) {
            return Ok(Self::fixed(overrides.over(Settings::defaults(model, pairs)).check()?));
        }
        let features = overrides.over(Settings::features_defaults(model, pairs)).check()?;
        let mut parts = vec![];
        if covariates {
            parts.push(Part::new(PartName::Covariates, covariates::settings(&features, pairs)?));
        }
        parts.push(Part::new(PartName::Features, features));
        Ok(Self(parts))
    }

    /// The part of a name.
    pub fn get(&self, name: PartName) -> Option<&Part> {
        self.0.iter().find(|part| part.name == name)
    }

    /// The covariates alone, where they are a part.
    pub fn covariates(&self) -> Option<&Part> {
        self.get(PartName::Covariates)
    }

    /// The features: the part whose draws are those of the fit. Every fit has it.
    pub fn features(&self) -> &Part {
        self.get(PartName::Features).expect("every fit has features")
    }

    pub(crate) fn get_mut(&mut self, name: PartName) -> Option<&mut Part> {
        self.iter_mut().find(|part| part.name == name)
    }

    pub(crate) fn features_mut(&mut self) -> &mut Part {
        self.get_mut(PartName::Features).expect("every fit has features")
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        self.0.iter()
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.0.iter_mut()
    }

    pub(crate) fn with_seed(&self, seed: u64) -> Result<Self> {
        let mut parts = self.clone();
        for part in parts.iter_mut() {
            part.settings = Settings { seed, ..part.settings.clone().into_inner() }.check()?;
        }
        Ok(parts)
    }

    /// Asks for so many draws of each chain of the features, and for as many of the covariates as go with them.
    pub(super) fn ask_for_draws(&mut self, draws: usize) -> Result<()> {
        for part in self.iter_mut() {
            let settings = part.settings.clone().into_inner();
            let draws = match part.name {
                PartName::Covariates => covariates::keep_up(settings.draws, draws),
                PartName::Features => draws,
            };
            part.settings = Settings { draws, ..settings }.check()?;
        }
        Ok(())
    }

    /// Keeps at most so many draws of all chains of a part; without a number [`Self::KEPT`], or all that the settings ask for.
    pub(super) fn keep(&mut self, draws: Option<usize>) -> Result<()> {
        for part in self.iter_mut() {
            let Settings { chains, draws: asked, .. } = *part.settings;
            if let Some(draws) = draws.filter(|draws| draws / chains < Self::LEAST) {
                let (name, expected) = ("keep", "at least 10 for each chain");
                return Err(Error::Setting { name, expected, value: draws.to_string() });
            }
            part.every = part.length().every(part.swept());
            part.most = draws.map_or((Self::KEPT / chains).max(asked), |draws| draws / chains);
        }
        Ok(())
    }

    /// The estimated bytes of fits to some networks: one part is drawn after the other.
    pub(crate) fn memory<'a>(
        &self,
        pairs: PairPlan,
        networks: &(impl Iterator<Item = &'a Network> + Clone),
        side_info: &SideInfo,
    ) -> f64 {
        let each = self.iter().map(|part| {
            let fewer = part.settings.draws.saturating_sub(part.most);
            pairs.memory(networks.clone(), side_info, &part.settings.with_fewer_draws(fewer))
        });
        each.fold(0.0, f64::max)
    }

    /// The task of one part. What is known beside the links is for the first of them.
    pub(super) fn task_of<'a>(&self, name: PartName, task: &Task<'a>) -> Task<'a> {
        let first = self.0.first().is_some_and(|part| part.name == name);
        if first { *task } else { Task { side_info: &NOTHING, ..*task } }
    }

    /// Has the chains of a part go on, unless they have ended and left what they leave.
    pub(super) fn run(&self, name: PartName, task: &Task<'_>, ran: &mut Ran) -> Result<()> {
        let Some(part) = self.get(name) else { return Ok(()) };
        let (slots, sweeps) = (task.live.of(name), part.length().sweeps());
        if ran.get(name).is_none() || slots.iter().flatten().any(|slot| noted(slot).sweeps() != sweeps) {
            // What is said of the features' chains is said of the fit.
            let purpose = if name == PartName::Features { "" } else { name.name() };
            ran.add(name, part.run(purpose, &self.task_of(name, task), slots)?);
        }
        Ok(())
    }

    pub(super) fn run_all(&self, task: &Task<'_>, ran: &mut Ran) -> Result<()> {
        self.iter().try_for_each(|part| self.run(part.name, task, ran))
    }

    pub(super) fn posteriors(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        ran: &Ran,
        combination: Combination,
        mut chains: impl FnMut(PartName) -> Vec<Vec<ChainRun>>,
    ) -> Vec<Posterior> {
        let mut of = |name| {
            let (part, ran) = (self.get(name)?, ran.get(name)?);
            Some(part.posteriors(relations, ran, chains(name)))
        };
        match (of(PartName::Covariates), of(PartName::Features)) {
            (Some(covariates), Some(features)) => (covariates.into_iter().zip(features))
                .map(|(covariates, features)| Posterior::combine(covariates, features, combination))
                .collect(),
            (covariates, features) => covariates.or(features).unwrap_or_default(),
        }
    }
}

/// The chains of every part while they run. Whoever notes a sweep of a chain, or looks at it, locks it.
#[derive(Default)]
pub(crate) struct Live(Vec<(PartName, Slots)>);

impl Live {
    /// Takes the chains of so many relations out of the parts. Those of a part that has none have made no sweep.
    pub(crate) fn take(parts: &mut Parts, relations: usize) -> Result<Self> {
        let take = |part: &mut Part| {
            let chains = std::mem::take(&mut part.chains);
            if chains.is_empty() {
                return Ok((part.name, (0..relations).map(|_| no_runs(&part.settings)).collect()));
            }
            let count = part.settings.chains;
            if chains.len() != relations || chains.iter().any(|runs| runs.len() != count) {
                return Err(unfit());
            }
            let slots = chains.into_iter().map(|runs| runs.into_iter().map(Mutex::new).collect());
            Ok((part.name, slots.collect()))
        };
        parts.iter_mut().map(take).collect::<Result<_>>().map(Self)
    }

    pub(crate) fn of(&self, name: PartName) -> &Slots {
        let slots = self.0.iter().find(|(known, _)| *known == name).map(|(_, slots)| slots);
        slots.expect("the chains of all parts are here")
    }

    pub(crate) fn each(
        &self,
        name: PartName,
        take: impl Fn(&mut ChainRun) -> ChainRun,
    ) -> Vec<Vec<ChainRun>> {
        each_run(self.of(name), take)
    }

    /// All of them, none of which notes a sweep meanwhile.
    pub(super) fn locked(&self) -> Locked<'_> {
        let mut locked = vec![];
        for (_, slots) in &self.0 {
            locked.push(slots.iter().map(|slots| slots.iter().map(noted).collect()).collect());
        }
        Locked(locked)
    }
}

/// The chains of every part of each relation, which are locked.
pub(super) struct Locked<'a>(Vec<Vec<Vec<MutexGuard<'a, ChainRun>>>>);

impl Locked<'_> {
    pub(super) fn exchange(&mut self, parts: &mut Parts) {
        for (part, runs) in parts.iter_mut().zip(&mut self.0) {
            let mut others = std::mem::take(&mut part.chains).into_iter().flatten();
            let mut exchange = |run: &mut MutexGuard<'_, ChainRun>| {
                std::mem::replace(&mut **run, others.next().unwrap_or_default())
            };
            part.chains = runs.iter_mut().map(|runs| runs.iter_mut().map(&mut exchange).collect()).collect();
        }
    }
}

/// Something of what each chain has so far.
pub(super) fn each_run(slots: &Slots, take: impl Fn(&mut ChainRun) -> ChainRun) -> Vec<Vec<ChainRun>> {
    slots.iter().map(|slots| slots.iter().map(|slot| take(&mut noted(slot))).collect()).collect()
}

/// The error for chains that are not those of the relations and settings.
pub(super) fn unfit() -> Error {
    Error::Draws("the chains are not those of the relations and settings".to_owned())
}
