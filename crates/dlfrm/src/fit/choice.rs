//! What is chosen on a development set: how much covariates and features count, and whether relations share their features.

use serde::{Deserialize, Serialize};

use super::chosen::{Chosen, Stage, StageRan, Task, each_run};
use super::development::{Development, Ranked, pilot};
use super::{PairPlan, Sharing};
use crate::chain::{ChainRun, Observer, OfTrial, Slots, Stoppable, no_runs};
use crate::covariates::{CovariateSet, SideInfo};
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
    /// development set; otherwise some of the pairs to learn from are held out. `later` are the sweeps beyond the burn-in that
    /// the chains of both posteriors have before their first draw.
    pub(crate) fn choose(
        &self,
        task: &Task<'_>,
        validation: &[&[Pair]],
        sharing: Sharing,
        later: [usize; 2],
    ) -> Result<Chosen> {
        let unchosen = Chosen::unchosen(self);
        let mut chosen = Chosen { share_features: sharing == Sharing::Shared, later, ..unchosen };
        let relations: Vec<&Pairs> = task.relations.iter().map(|relation| relation.1).collect();
        let open = sharing == Sharing::Auto && relations.len() > 1;
        if self.linear.is_none() && !open {
            return Ok(chosen);
        }
        let development = if validation.iter().all(|pairs| pairs.is_empty()) {
            Development::new(&relations, Development::share(&relations), self.usual.seed)
        } else {
            Development::from_pairs(&relations, validation)
        };
        let Ok(development) = development else { return Ok(chosen) };
        let observer = &OfTrial(task.observer);
        let known = task.of_features(self.linear.is_some()).side_info;
        let trial =
            |name: &str, share: bool| fit_trial(&development, name, known, &chosen.settings, share, observer);
        let mut features = trial("trial of features", chosen.share_features)?;
        if open {
            let names = ["features for each relation", "shared features"].map(str::to_owned);
            let shared = trial("trial of shared features", true)?;
            let [one, other] = [&features, &shared].map(|trial| development.rank(&trial.posteriors));
            let (choice, changed) = Choice::between(names, [&one, &other]);
            chosen.choices.push(choice);
            chosen.share_features = changed;
            if changed {
                features = shared;
            }
        }
        if let Some((settings, combination)) = &mut chosen.linear {
            let linear = if development.takes_little() {
                let (ran, posteriors) = fit_covariates(task, settings, later[0])?;
                chosen.covariates = Some(ran);
                posteriors
            } else {
                let short = short_trial(settings, &relations)?;
                fit_trial(&development, "trial of covariates", task.side_info, &short, false, observer)?
                    .posteriors
            };
            *combination = Combination::learn(&development.relations(&linear, &features.posteriors));
            let alone = development.rank(&linear);
            let both = linear.iter().zip(features.posteriors);
            let combined: Vec<Posterior> =
                both.map(|(linear, features)| Posterior::combine(linear, features, *combination)).collect();
            chosen.choices.push(Choice {
                chosen: combination.in_words(),
                development_auc: development.rank(&combined).auc(),
                other: "covariates alone".to_owned(),
                other_development_auc: alone.auc(),
            });
        }
        let same = development.count() == relations.len()
            && features.chains.iter().all(|runs| runs.len() == chosen.settings.chains);
        let many = relations.iter().all(|pairs| pairs.len() > Settings::MANY);
        chosen.trial = (same && many && self.linear.is_some()).then_some(features.chains);
        Ok(chosen)
    }
}

/// The settings of a trial of covariates, however many draws the fit has, so that it can be asked for more.
fn short_trial(settings: &ValidSettings, relations: &[&Pairs]) -> Result<ValidSettings> {
    let pairs: usize = relations.iter().map(|pairs| pairs.len()).sum();
    let most = (TRIAL_VISITS / pairs.max(1)).clamp(TRIAL_DRAWS[0], TRIAL_DRAWS[1]);
    let (draws, burn_in) = (settings.draws.min(most), settings.burn_in.min(most));
    Settings { burn_in, draws, ..settings.clone().into_inner() }.check()
}

/// The covariates' posterior of all pairs, by the chains of the fit itself; an error if the observer ends them.
///
/// Pairs of the development set are among them. So few of them say nothing of the coefficients, and the covariates of a pair
/// do not know of its own link.
fn fit_covariates(
    task: &Task<'_>,
    settings: &ValidSettings,
    later: usize,
) -> Result<(StageRan, Vec<Posterior>)> {
    let stoppable = Stoppable::new(task.observer);
    let slots = task.slots[0];
    let stage = Stage::of_covariates(settings, later);
    let ran = stage.run(&Task { observer: &stoppable, ..*task }, slots)?;
    if stoppable.stopped() {
        return Err(Error::Interrupted);
    }
    let posteriors = stage.posteriors(task.relations, &ran, each_run(slots, |run| run.clone()));
    Ok((ran, posteriors))
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

/// A short fit to what a development set leaves to learn from.
pub(crate) struct FittedTrial {
    pub(crate) posteriors: Vec<Posterior>,
    /// Its chains at their first draw.
    chains: Vec<Vec<ChainRun>>,
}

/// A short fit with some settings; an error if the observer ends it.
pub(crate) fn fit_trial(
    development: &Development,
    name: &str,
    side_info: &SideInfo,
    settings: &Settings,
    share_features: bool,
    observer: &dyn Observer,
) -> Result<FittedTrial> {
    let settings = pilot(settings).check()?;
    let stoppable = Stoppable::new(observer);
    let pairs = development.pairs();
    let slots: Slots = pairs.iter().map(|_| no_runs(&settings)).collect();
    let task = Task { relations: &pairs, side_info, observer: &stoppable, slots: [&vec![], &slots] };
    let stage = Stage { purpose: name, settings: &settings, later: 0, share: share_features };
    let ran = stage.run(&task, &slots)?;
    if stoppable.stopped() {
        return Err(Error::Interrupted);
    }
    let chains = each_run(&slots, |run| run.at_first_draw().unwrap_or_default());
    let posteriors = stage.posteriors(&pairs, &ran, each_run(&slots, std::mem::take));
    Ok(FittedTrial { posteriors, chains })
}
