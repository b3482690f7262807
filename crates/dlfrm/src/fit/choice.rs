//! What is chosen on a development set: how much covariates and features count, and whether relations share their features.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::development::{Development, Ranked, pilot};
use super::{PairPlan, Sharing};
use crate::chain::{
    ChainRun, Event, Length, Observer, Slots, Stoppable, continue_chains, continue_shared_chains, no_runs,
    taken,
};
use crate::covariates::{CovariateSet, Covariates, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Network, Pair, Pairs};
use crate::posterior::{Combination, Posterior};

/// Settings to fit with, and perhaps those of a second posterior that the first is combined with.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub(crate) usual: ValidSettings,
    pub(crate) linear: Option<ValidSettings>,
}

/// What to fit with, after all choices.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) settings: ValidSettings,
    /// Settings of covariates alone, with how much they and the features count.
    pub(crate) linear: Option<(ValidSettings, Combination)>,
    pub(crate) share_features: bool,
    /// In the order in which they were made.
    pub(crate) choices: Vec<Choice>,
    /// Sweeps beyond the burn-in that come before the first draw: of the covariates' posterior, and of the features'.
    pub(crate) later: [usize; 2],
}

/// What chains leave beside their draws: what computes covariates, for the two posteriors of each relation, and how long they
/// took.
pub(crate) struct Ran {
    covariates: [Vec<Option<Covariates>>; 2],
    pub(crate) took: Vec<Duration>,
}

/// One choice, with the AUC of both alternatives on a development set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What was chosen.
    pub chosen: String,
    /// Its AUC on the development set.
    pub development_auc: f64,
    /// What was not.
    pub other: String,
    /// Its AUC on the development set.
    pub other_development_auc: f64,
}

/// Draws of each chain in a trial of covariates: at least, and at most. The more pairs there are, the less draws differ.
const TRIAL_DRAWS: [usize; 2] = [8, 25];
/// Pairs that these draws look at, unless there are more or fewer of them.
const TRIAL_VISITS: usize = 4_000_000;

/// Draws of covariates beyond which their error does not count.
const ENOUGH_DRAWS: usize = 1_000;

/// Has the posterior of the covariates half as many draws as that of the features, or enough.
pub(super) fn keep_up(linear: &mut Settings, draws: usize) {
    linear.draws = linear.draws.max((draws / 2).min(ENOUGH_DRAWS));
}

impl Candidates {
    /// One posterior with these settings, which leave nothing to choose.
    pub fn fixed(settings: ValidSettings) -> Self {
        Self { usual: settings, linear: None }
    }

    /// The settings of a model for so many pairs.
    ///
    /// Where the caller leaves covariates and costs open, features and covariates have a posterior each. Where the caller
    /// asks for covariates or costs there is one posterior; for the `paper`'s splits it is that of the paper's model.
    pub fn new(model: Model, overrides: &Overrides, pairs: usize, paper: bool) -> Result<Self> {
        if paper {
            return Ok(Self::fixed(overrides.over(Settings::paper_defaults(model, pairs)).check()?));
        }
        let costs = overrides.c_pos.is_some() || overrides.c_neg.is_some();
        let joint = overrides.covariates.map_or(costs, |set| set != CovariateSet::None);
        if joint {
            return Ok(Self::fixed(overrides.over(Settings::defaults(model, pairs)).check()?));
        }
        let usual = overrides.over(Settings::features_defaults(model, pairs)).check()?;
        // A model without features, or one that is to have no covariates, has nothing to be combined with.
        let alone = overrides.covariates.is_some() || usual.max_new == 0;
        let linear = || {
            let Settings { seed, chains, coefficient_sd, .. } = *usual;
            let mut settings = Settings { coefficient_sd, chains, seed, ..Settings::linear_defaults(pairs) };
            keep_up(&mut settings, usual.draws);
            settings.check()
        };
        Ok(Self { linear: (!alone).then(linear).transpose()?, usual })
    }

    /// The settings of the features' posterior, or of the only one.
    pub fn settings(&self) -> &ValidSettings {
        &self.usual
    }

    /// The settings of the posterior with covariates alone, if there are two.
    pub fn linear(&self) -> Option<&ValidSettings> {
        self.linear.as_ref()
    }

    /// The estimated bytes of fits to some networks: one posterior is drawn after the other.
    pub(crate) fn memory<'a>(
        &self,
        pairs: PairPlan,
        networks: &(impl Iterator<Item = &'a Network> + Clone),
        side_info: &SideInfo,
    ) -> f64 {
        let each = std::iter::once(&self.usual).chain(&self.linear);
        each.map(|settings| pairs.memory(networks.clone(), side_info, settings)).fold(0.0, f64::max)
    }

    /// The same with another seed.
    pub(crate) fn with_seed(&self, seed: u64) -> Result<Self> {
        let seeded = |settings: &ValidSettings| Settings { seed, ..settings.clone().into_inner() }.check();
        Ok(Self { usual: seeded(&self.usual)?, linear: self.linear.as_ref().map(seeded).transpose()? })
    }

    /// Chooses on a development set. Where there are too few links to decide, features are not shared unless the caller
    /// says so, and features and covariates count as they do by default. `validation` pairs, if there are any, are the
    /// development set; otherwise some of the pairs to learn from are held out.
    pub(crate) fn choose(
        &self,
        relations: &[&Pairs],
        validation: &[&[Pair]],
        side_info: &SideInfo,
        sharing: Sharing,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Chosen> {
        let mut chosen = Chosen { share_features: sharing == Sharing::Shared, ..Chosen::unchosen(self) };
        let open = sharing == Sharing::Auto && relations.len() > 1;
        if self.linear.is_none() && !open {
            return Ok(chosen);
        }
        let development = if validation.iter().all(|pairs| pairs.is_empty()) {
            Development::new(relations, Development::share(relations), seed)
        } else {
            Development::from_pairs(relations, validation)
        };
        let Ok(development) = development else { return Ok(chosen) };
        // Features are drawn without the side information, if covariates have a posterior of their own.
        let nothing = SideInfo::default();
        let known = if self.linear.is_some() { &nothing } else { side_info };
        let trial = |name: &str, settings: &ValidSettings, share: bool, side_info: &SideInfo| {
            fit_trial(&development, name, side_info, settings, share, observer)
        };
        let mut features = trial("trial of features", &chosen.settings, chosen.share_features, known)?;
        if open {
            let names = ["features for each relation", "shared features"].map(str::to_owned);
            let shared = trial("trial of shared features", &chosen.settings, true, known)?;
            let [one, other] = [&features, &shared].map(|posteriors| development.rank(posteriors));
            let (choice, changed) = Choice::between(names, [&one, &other]);
            chosen.choices.push(choice);
            chosen.share_features = changed;
            if changed {
                features = shared;
            }
        }
        if let Some((settings, combination)) = &mut chosen.linear {
            // However many draws the fit has, so that it can be asked for more.
            let pairs: usize = relations.iter().map(|pairs| pairs.len()).sum();
            let most = (TRIAL_VISITS / pairs.max(1)).clamp(TRIAL_DRAWS[0], TRIAL_DRAWS[1]);
            let (draws, burn_in) = (settings.draws.min(most), settings.burn_in.min(most));
            let short = Settings { burn_in, draws, ..settings.clone().into_inner() };
            let linear = trial("trial of covariates", &short.check()?, false, side_info)?;
            *combination = Combination::learn(&development.relations(&linear, &features));
            let alone = development.rank(&linear);
            let pairs = linear.iter().zip(features);
            let combined: Vec<Posterior> =
                pairs.map(|(linear, features)| Posterior::combine(linear, features, *combination)).collect();
            chosen.choices.push(Choice {
                chosen: combination.in_words(),
                development_auc: development.rank(&combined).auc(),
                other: "covariates alone".to_owned(),
                other_development_auc: alone.auc(),
            });
        }
        Ok(chosen)
    }
}

impl Chosen {
    /// What is fitted with, if nothing is chosen.
    pub(crate) fn unchosen(candidates: &Candidates) -> Self {
        Self {
            settings: candidates.usual.clone(),
            linear: candidates.linear.clone().map(|settings| (settings, Combination::default())),
            share_features: false,
            choices: vec![],
            later: [0; 2],
        }
    }

    /// Fits all relations, which may have names; a posterior for each. An observer that ends the fit gets the draws that were
    /// kept.
    pub(crate) fn fit(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        side_info: &SideInfo,
        observer: &dyn Observer,
    ) -> Result<Vec<Posterior>> {
        let [covariates, features] = self.slots(relations.len());
        let ran = self.run(relations, side_info, observer, [&covariates, &features])?;
        let taken =
            |slots: Slots| slots.into_iter().map(|slots| slots.into_iter().map(taken).collect()).collect();
        Ok(self.posteriors(relations, &ran, [taken(covariates), taken(features)]))
    }

    /// The chains of both posteriors, before their first sweep.
    pub(crate) fn slots(&self, relations: usize) -> [Slots; 2] {
        let each = |settings: &ValidSettings| (0..relations).map(|_| no_runs(settings)).collect();
        [self.linear.as_ref().map_or(vec![], |linear| each(&linear.0)), each(&self.settings)]
    }

    /// Has the chains of both posteriors go on from where they are.
    pub(crate) fn run(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        side_info: &SideInfo,
        observer: &dyn Observer,
        slots: [&Slots; 2],
    ) -> Result<Ran> {
        let mut ran = Ran { covariates: Default::default(), took: vec![Duration::ZERO; relations.len()] };
        let mut known = side_info;
        let nothing = SideInfo::default();
        if let Some((linear, _)) = &self.linear {
            let stage = Stage { purpose: "covariates", settings: linear, later: self.later[0], share: false };
            ran.covariates[0] = stage.run(relations, known, observer, slots[0], &mut ran.took)?;
            // Features are drawn without the side information, if covariates have a posterior of their own.
            known = &nothing;
        }
        let share = self.share_features;
        let stage = Stage { purpose: "", settings: &self.settings, later: self.later[1], share };
        ran.covariates[1] = stage.run(relations, known, observer, slots[1], &mut ran.took)?;
        Ok(ran)
    }

    /// The posterior of each relation from what the chains have.
    pub(crate) fn posteriors(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        ran: &Ran,
        [covariates, features]: [Vec<Vec<ChainRun>>; 2],
    ) -> Vec<Posterior> {
        let gather = |runs: Vec<Vec<ChainRun>>, which: usize, settings: &ValidSettings| -> Vec<Posterior> {
            let settings = settings.with_longer_burn_in(self.later[which]);
            let each = relations.iter().zip(&ran.covariates[which]).zip(runs);
            each.map(|((&(_, pairs), known), runs)| Posterior::of_runs(pairs, &settings, known.clone(), runs))
                .collect()
        };
        let features = gather(features, 1, &self.settings);
        let Some((linear, combination)) = &self.linear else { return features };
        let covariates = gather(covariates, 0, linear);
        let both = covariates.iter().zip(features);
        both.map(|(covariates, features)| Posterior::combine(covariates, features, *combination)).collect()
    }
}

/// One posterior of all relations.
struct Stage<'a> {
    purpose: &'a str,
    settings: &'a ValidSettings,
    later: usize,
    /// Whether all relations have the same features.
    share: bool,
}

impl Stage<'_> {
    /// Has its chains go on; returns what computes the covariates of each relation, and adds the time that it took.
    fn run(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        side_info: &SideInfo,
        observer: &dyn Observer,
        slots: &Slots,
        took: &mut [Duration],
    ) -> Result<Vec<Option<Covariates>>> {
        let &Self { purpose, settings, later, share } = self;
        let longer = settings.with_longer_burn_in(later);
        let fits = if share { 1 } else { relations.len() };
        observer.event(&Event::Chains { purpose, fits, settings: &longer });
        let length = Length::new(settings, later);
        if share {
            let began = Instant::now();
            let pairs: Vec<&Pairs> = relations.iter().map(|relation| relation.1).collect();
            let known = continue_shared_chains(&pairs, side_info, settings, length, observer, slots);
            for took in took {
                *took += began.elapsed();
            }
            return known;
        }
        let fit = |(number, (&(name, pairs), took)): (usize, (&(Option<&str>, &Pairs), &mut Duration))| {
            let began = Instant::now();
            let known = continue_chains(pairs, side_info, settings, length, number, observer, &slots[number]);
            *took += began.elapsed();
            known.map_err(|error| error.in_relation(name))
        };
        relations.par_iter().zip(took).enumerate().map(fit).collect()
    }
}

impl Choice {
    /// Between the usual way and another, and whether it is the other.
    fn between([usual, other]: [String; 2], [usual_ranked, other_ranked]: [&Ranked; 2]) -> (Self, bool) {
        let changed = other_ranked.clearly_better(usual_ranked);
        let (mut chosen, mut left) = ((usual, usual_ranked.auc()), (other, other_ranked.auc()));
        if changed {
            std::mem::swap(&mut chosen, &mut left);
        }
        let choice = Self {
            chosen: chosen.0,
            development_auc: chosen.1,
            other: left.0,
            other_development_auc: left.1,
        };
        (choice, changed)
    }

    /// The choice in words.
    pub fn sentence(&self) -> String {
        format!(
            "{} (AUC {:.4} on a development set, {} {:.4})",
            self.chosen, self.development_auc, self.other, self.other_development_auc
        )
    }
}

/// A short fit with some settings to what a development set leaves to learn from; an error if the observer ends it.
pub(crate) fn fit_trial(
    development: &Development,
    name: &str,
    side_info: &SideInfo,
    settings: &Settings,
    share_features: bool,
    observer: &dyn Observer,
) -> Result<Vec<Posterior>> {
    let settings = pilot(settings).check()?;
    let stoppable = Stoppable::new(observer);
    let fits = if share_features { 1 } else { development.count() };
    stoppable.event(&Event::Chains { purpose: name, fits, settings: &settings });
    let posteriors = development.fit(side_info, &settings, share_features, &stoppable)?;
    if stoppable.stopped() { Err(Error::Interrupted) } else { Ok(posteriors) }
}
