//! What is judged: models and baselines, by their names.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use dlfrm::baseline::{Baseline, BlockModel, SupportVectorMachine};
use dlfrm::chain::{self, Control, Progress};
use dlfrm::covariates::SideInfo;
use dlfrm::model::{Model, Settings, ValidSettings};
use dlfrm::network::{Pair, Pairs, Split};
use dlfrm::posterior::Posterior;

use crate::args::Sharing;
use crate::choice::{Candidates, Choice};
use crate::failure::Unfinished;

/// The scores of the test pairs of one relation, and K if a model gave them.
pub(super) struct Scored {
    pub(super) scores: Vec<f64>,
    pub(super) features: Option<f64>,
}

/// The name of the plain latent feature model.
pub(crate) const LFRM: &str = "lfrm";

/// What is judged.
#[derive(Debug, Clone)]
pub(crate) enum Contender {
    /// A model with its settings, perhaps to be chosen.
    Model(Box<Candidates>),
    /// The latent feature relational model of Miller, Griffiths and Jordan (2009): the plain likelihood (c+ = c- = 1).
    Lfrm(Box<ValidSettings>),
    /// A score that needs no fitting.
    Baseline(Baseline),
    /// A model of blocks.
    Blocks(BlockModel),
    /// A machine that learns from the attributes of the entities.
    Machine(SupportVectorMachine),
    /// A model that was fitted before: its fit of each relation that it knows.
    Fitted(Arc<[Option<Posterior>]>),
}

impl Contender {
    /// The name that commands and files use.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Model(candidates) => candidates.usual.model.name(),
            Self::Lfrm(_) => LFRM,
            Self::Baseline(baseline) => baseline.name(),
            Self::Blocks(model) => model.name(),
            Self::Machine(machine) => machine.name(),
            Self::Fitted(_) => "fitted",
        }
    }

    /// Every name that there is, models first and those that need attributes last.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::names_without_attributes().chain(SupportVectorMachine::ALL.map(SupportVectorMachine::name))
    }

    /// The names of those that need no attributes.
    pub(crate) fn names_without_attributes() -> impl Iterator<Item = &'static str> {
        let models = Model::ALL.map(Model::name).into_iter().chain(Baseline::ALL.map(Baseline::name));
        models.chain([LFRM]).chain(BlockModel::ALL.map(BlockModel::name))
    }

    /// Whether its scores are probabilities.
    pub(super) fn gives_probabilities(&self) -> bool {
        !matches!(self, Self::Baseline(_) | Self::Machine(_))
    }

    /// What it is fitted with, if it is fitted here and its chains are those of this program's models.
    pub(crate) fn settings(&self) -> Option<&ValidSettings> {
        match self {
            Self::Model(candidates) => Some(&candidates.usual),
            Self::Lfrm(settings) => Some(settings),
            Self::Baseline(_) | Self::Blocks(_) | Self::Machine(_) | Self::Fitted(_) => None,
        }
    }

    /// The same with settings that the training pairs have chosen, whether its relations share their features, and how all
    /// that was chosen.
    pub(super) fn choose(
        &self,
        given: &SideInfo,
        sharing: Sharing,
        seed: u64,
        splits: &[(usize, Split)],
    ) -> anyhow::Result<(Self, bool, Vec<Choice>)> {
        let Self::Model(candidates) = self else {
            return Ok((self.clone(), sharing == Sharing::Shared, vec![]));
        };
        let validation: Vec<&[Pair]> = splits.iter().map(|(_, split)| &split.validation[..]).collect();
        let chosen = candidates.choose(&trains(splits), &validation, given, sharing, seed)?;
        let settled = Self::Model(Box::new(Candidates::settled(chosen.settings)));
        Ok((settled, chosen.share_features, chosen.choices))
    }

    /// Learns from the training pairs of a relation and scores its test pairs.
    pub(super) fn score(
        &self,
        given: &SideInfo,
        seed: u64,
        (relation, split): &(usize, Split),
        watch: impl Fn(&Progress) -> Control + Sync,
    ) -> anyhow::Result<Scored> {
        match self {
            Self::Baseline(baseline) => {
                Ok(Scored { scores: baseline.score(&split.train, &split.test_pairs()), features: None })
            }
            Self::Blocks(model) => {
                Ok(Scored { scores: model.score(&split.train, &split.test_pairs(), seed)?, features: None })
            }
            Self::Machine(machine) => {
                let attributes = given.entities.as_deref().expect("who needs attributes is judged with them");
                let scores = machine.score(attributes, &split.train, &split.test_pairs(), seed)?;
                Ok(Scored { scores, features: None })
            }
            Self::Fitted(posteriors) => {
                let posterior = posteriors[*relation].as_ref();
                Ok(Scored::by(posterior.expect("a model knows the relations that it is judged on"), split))
            }
            Self::Model(_) | Self::Lfrm(_) => {
                let settings = self.settings().expect("models have settings");
                let fit = |settings: &ValidSettings, watch: &Watcher| {
                    chain::fit_given(&split.train, given, settings, watch)
                };
                Ok(Scored::by(&watched(settings, seed, watch, fit)?, split))
            }
        }
    }
}

impl Scored {
    fn by(posterior: &Posterior, split: &Split) -> Self {
        let scores = posterior.predict_mean(&split.test_pairs());
        Self { scores, features: Some(posterior.mean_features()) }
    }
}

/// Fits all relations at once, with the same features.
pub(super) fn score_shared(
    settings: &ValidSettings,
    given: &SideInfo,
    seed: u64,
    splits: &[(usize, Split)],
    watch: impl Fn(&Progress) -> Control + Sync,
) -> anyhow::Result<Vec<Scored>> {
    let trains = trains(splits);
    let fit = |settings: &ValidSettings, watch: &Watcher| chain::fit_shared(&trains, given, settings, watch);
    let posteriors = watched(settings, seed, watch, fit)?;
    let judged = posteriors.iter().zip(splits);
    Ok(judged.map(|(posterior, (_, split))| Scored::by(posterior, split)).collect())
}

/// What is learned from, of each relation.
fn trains(splits: &[(usize, Split)]) -> Vec<&Pairs> {
    splits.iter().map(|(_, split)| &split.train).collect()
}

/// What a fit tells after every sweep.
type Watcher<'a> = dyn Fn(&Progress) -> Control + Sync + 'a;

/// Fits with another seed; an error if the fit is ended before its time.
fn watched<T>(
    settings: &ValidSettings,
    seed: u64,
    watch: impl Fn(&Progress) -> Control + Sync,
    fit: impl FnOnce(&ValidSettings, &Watcher) -> dlfrm::Result<T>,
) -> anyhow::Result<T> {
    let settings = Settings { seed, ..settings.clone().into_inner() }.check()?;
    let stopped = AtomicBool::new(false);
    let fitted = fit(&settings, &|progress: &Progress| {
        let control = watch(progress);
        if control == Control::Stop {
            stopped.store(true, Ordering::Relaxed);
        }
        control
    })?;
    if stopped.into_inner() {
        bail!(Unfinished);
    }
    Ok(fitted)
}
