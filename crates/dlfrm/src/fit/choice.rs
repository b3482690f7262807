//! What is chosen on a development set: how much covariates and features count, and whether relations share their features.

use serde::{Deserialize, Serialize};

use super::chosen::{Chosen, Stage, StageRan, Task, each_run};
use super::development::{Development, Ranked, pilot};
use super::{PairPlan, Sharing};
use crate::chain::{ChainRun, Observer, OfTrial, Slots, Stoppable, no_runs, noted};
use crate::covariates::{CovariateSet, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Network, Pair, Pairs};
use crate::posterior::{Combination, Posterior};
use crate::warning::Warning;

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
    /// asks for covariates or costs there is one posterior; for the `paper`'s splits it is that of the paper's model. Without
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
        let usual = overrides.over(Settings::features_defaults(model, pairs)).check()?;
        let linear = || {
            let Settings { seed, chains, coefficient_sd, .. } = *usual;
            let defaults = Settings::linear_defaults(Settings::default().model, pairs);
            let mut settings = Settings { coefficient_sd, chains, seed, ..defaults };
            keep_up(&mut settings, usual.draws);
            settings.check()
        };
        Ok(Self { linear: covariates.then(linear).transpose()?, usual })
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
        let each = self.posteriors().map(|settings| pairs.memory(networks.clone(), side_info, settings));
        each.fold(0.0, f64::max)
    }

    /// The settings of each posterior.
    pub(crate) fn posteriors(&self) -> impl Iterator<Item = &ValidSettings> {
        std::iter::once(&self.usual).chain(&self.linear)
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
        // Before the development set is made: they take the most memory.
        let covariates = match &chosen.linear {
            Some((settings, _)) if Development::takes_little(&relations, validation) => {
                Some(fit_covariates(task, settings, later[0])?)
            }
            _ => None,
        };
        let development = Development::usual(&relations, validation, self.usual.seed);
        let Ok(development) = development else { return Ok(chosen) };
        let observer = &OfTrial(task.observer);
        let known = task.of_features(self.linear.is_some()).side_info;
        let trial = |name, share_features| Trial {
            development: &development,
            name,
            side_info: known,
            share_features,
            observer,
        };
        let of_features = trial("trial of features", chosen.share_features);
        let mut features = match &covariates {
            Some((_, linear)) if !open => {
                // One chain is enough to see that features save next to nothing.
                let one_chain = Settings { chains: 1, ..chosen.settings.clone().into_inner() };
                let first = of_features.fit(&one_chain, vec![])?;
                if Combination::clearly_alone(&development.relations(linear, &first.posteriors)) {
                    first
                } else {
                    of_features.fit(&chosen.settings, first.runs)?
                }
            }
            _ => of_features.fit(&chosen.settings, vec![])?,
        };
        if open {
            let names = ["features for each relation", "shared features"].map(str::to_owned);
            let shared = trial("trial of shared features", true).fit(&chosen.settings, vec![])?;
            let [one, other] = [&features, &shared].map(|trial| development.rank(&trial.posteriors));
            let (choice, changed) = Choice::between(names, [&one, &other]);
            chosen.choices.push(choice);
            chosen.share_features = changed;
            if changed {
                features = shared;
            }
        }
        if let Some((settings, combination)) = &mut chosen.linear {
            let linear = if let Some((ran, posteriors)) = covariates {
                chosen.covariates = Some(ran);
                posteriors
            } else {
                let of_covariates =
                    Trial { side_info: task.side_info, ..trial("trial of covariates", false) };
                of_covariates.fit(&short_trial(settings, &relations), vec![])?.posteriors
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
            && features.runs.iter().all(|runs| runs.len() == chosen.settings.chains);
        let many = relations.iter().all(|pairs| pairs.len() > Settings::MANY);
        let at_first_draw = |run: &ChainRun| run.at_first_draw().unwrap_or_default();
        chosen.trial = (same && many && self.linear.is_some())
            .then(|| features.runs.iter().map(|runs| runs.iter().map(at_first_draw).collect()).collect());
        Ok(chosen)
    }
}

/// The settings of a trial of covariates, however many draws the fit has, so that it can be asked for more.
fn short_trial(settings: &ValidSettings, relations: &[&Pairs]) -> Settings {
    let pairs: usize = relations.iter().map(|pairs| pairs.len()).sum();
    let most = (TRIAL_VISITS / pairs.max(1)).clamp(TRIAL_DRAWS[0], TRIAL_DRAWS[1]);
    let (draws, burn_in) = (settings.draws.min(most), settings.burn_in.min(most));
    Settings { burn_in, draws, ..settings.clone().into_inner() }
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

    /// The same for an observer.
    pub fn warning(&self) -> Warning {
        let Self { chosen, development_auc, other, other_development_auc } = self.clone();
        Warning::Chosen { chosen, development_auc, other, other_development_auc }
    }
}

/// A short fit to what a development set leaves to learn from.
pub(crate) struct Trial<'a> {
    pub(crate) development: &'a Development,
    pub(crate) name: &'a str,
    pub(crate) side_info: &'a SideInfo,
    pub(crate) share_features: bool,
    pub(crate) observer: &'a dyn Observer,
}

/// What a trial gives.
pub(crate) struct FittedTrial {
    pub(crate) posteriors: Vec<Posterior>,
    /// The chains of each relation.
    runs: Vec<Vec<ChainRun>>,
}

impl Trial<'_> {
    /// Fits with some settings; an error if the observer ends it. Chains may have begun in a trial that had fewer of them.
    pub(crate) fn fit(&self, settings: &Settings, begun: Vec<Vec<ChainRun>>) -> Result<FittedTrial> {
        let &Self { development, name, side_info, share_features, observer } = self;
        let settings = pilot(settings).check()?;
        let stoppable = Stoppable::new(observer);
        let pairs = development.pairs();
        let slots: Slots = pairs.iter().map(|_| no_runs(&settings)).collect();
        for (slots, runs) in slots.iter().zip(begun) {
            slots.iter().zip(runs).for_each(|(slot, run)| *noted(slot) = run);
        }
        let task = Task { relations: &pairs, side_info, observer: &stoppable, slots: [&vec![], &slots] };
        let stage = Stage { purpose: name, settings: &settings, later: 0, share: share_features };
        let ran = stage.run(&task, &slots)?;
        if stoppable.stopped() {
            return Err(Error::Interrupted);
        }
        let runs = each_run(&slots, |run| run.clone());
        let posteriors = stage.posteriors(&pairs, &ran, each_run(&slots, std::mem::take));
        Ok(FittedTrial { posteriors, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Silent;
    use crate::generate::{GenerateSettings, generate};

    /// A trial that begins with one chain and goes on with all is the one that has all from the start.
    #[test]
    fn a_trial_goes_on_with_more_chains() {
        let made = generate(&GenerateSettings { nodes: 60, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::observed(&made.network, false);
        let development = Development::new(&[&pairs], 0.2, 5).unwrap();
        let side_info = &SideInfo::default();
        let trial = Trial {
            development: &development,
            name: "",
            side_info,
            share_features: false,
            observer: &Silent,
        };
        let features = Settings::features_defaults(Model::DEFAULT, pairs.len());
        let settings = Settings { burn_in: 8, draws: 4, ..features };
        let first = trial.fit(&Settings { chains: 1, ..settings.clone() }, vec![]).unwrap();
        let lengths = |fitted: &FittedTrial| (fitted.runs[0].len(), fitted.posteriors[0].draws().len());
        assert_eq!(lengths(&first), (1, 4));
        let all = trial.fit(&settings, vec![]).unwrap();
        let gone_on = trial.fit(&settings, first.runs).unwrap();
        assert_eq!([&gone_on, &all].map(lengths), [(2, 8); 2]);
        assert!(gone_on.runs == all.runs, "other draws");
    }
}
