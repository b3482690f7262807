//! A search for settings: one change at a time from the best so far, compared on a development set.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::choice;
use super::development::{DEVELOPMENT_SHARE, Development};
use super::options::{FitOptions, PairPlan};
use super::part::Parts;
use crate::chain::{Event, Observer, Silent};
use crate::covariates::{CovariateSet, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, SETTINGS, Setting, Settings};
use crate::network::{Pairs, Relation};
use crate::warning::Warning;

/// A search to be made: from the defaults of one posterior and what the options say, one setting at a time and on from the best,
/// until nothing is better or the time is over.
pub struct Tuning<'a> {
    /// The relations to tune for, each with features of its own.
    pub relations: &'a [Relation],
    /// What is known beside the links.
    pub side_info: SideInfo,
    /// Where the search begins.
    pub options: FitOptions,
    /// No further candidates begin after this time.
    pub budget: Duration,
    /// Watches the search, and may end it.
    pub observer: &'a dyn Observer,
    /// Keeps trials, so that another search need not make them again.
    pub keeper: Option<&'a dyn TrialKeeper>,
}

/// Keeps the trials of a search.
pub trait TrialKeeper: Sync {
    /// The trial of these settings, if it was made before.
    fn find(&self, settings: &Settings) -> Option<Trial>;

    /// Keeps a trial. A failure is the keeper's own to report: the search goes on.
    fn keep(&self, trial: &Trial);
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Search {
    /// Links in the development set.
    pub development_links: usize,
    /// Whether the search ended because nothing was better, and not by the clock or the observer.
    pub complete: bool,
    /// Whether the observer ended the search.
    pub interrupted: bool,
    /// Every candidate in the order of trial; there is one at least.
    pub trials: Vec<Trial>,
    /// What the defaults depend on.
    pairs: usize,
}

/// A candidate and its score.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trial {
    /// What is different from the candidate before it.
    pub change: String,
    /// AUC on the development set.
    pub auc: f64,
    /// How long the trial took.
    pub seconds: f64,
    /// Its settings.
    pub settings: Settings,
}

impl<'a> Tuning<'a> {
    /// A search with the default options, for five minutes.
    pub fn new(relations: &'a [Relation]) -> Self {
        Self {
            relations,
            side_info: SideInfo::default(),
            options: FitOptions::default(),
            budget: Duration::from_secs(300),
            observer: &Silent,
            keeper: None,
        }
    }

    /// The settings that a search begins with: those of the one posterior that a fit has if covariates are given; topology where
    /// they are not.
    pub fn first(model: Model, given: &Overrides, pairs: usize) -> Result<Settings> {
        let covariates = given.covariates.or(Some(CovariateSet::Topology));
        let parts = Parts::new(model, &Overrides { covariates, ..given.clone() }, pairs, false)?;
        Ok(parts.features().settings.clone().into_inner())
    }

    /// Searches. The first candidate is tried whatever the time; an observer that ends the search gets the trials made until
    /// then, or [`Error::Interrupted`] if there is none.
    pub fn run(&self) -> Result<Search> {
        let networks = || self.relations.iter().map(|relation| &relation.network);
        let plan = PairPlan::new(networks(), false, self.options.negatives);
        plan.check(networks())?;
        let pairs = plan.largest(networks()) as usize;
        let model = self.options.model.unwrap_or_else(|| Model::usual(plan.all(networks()) as usize));
        let first = Self::first(model, &self.options.settings, pairs)?;
        let gathered = networks().map(|network| plan.gather(network, first.seed));
        let gathered: Vec<Pairs> = gathered.collect::<Result<_>>()?;
        let gathered: Vec<&Pairs> = gathered.iter().collect();
        let development = Development::new(&gathered, DEVELOPMENT_SHARE, first.seed)?;
        let mut search = Search {
            development_links: development.links(),
            complete: false,
            interrupted: false,
            trials: vec![],
            pairs,
        };
        match self.search(&development, &first, &mut search.trials) {
            Ok(complete) => search.complete = complete,
            Err(Error::Interrupted) if !search.trials.is_empty() => search.interrupted = true,
            Err(error) => return Err(error),
        }
        Ok(search)
    }

    /// Searches until nothing is better (true) or the time is over.
    fn search(&self, development: &Development, first: &Settings, trials: &mut Vec<Trial>) -> Result<bool> {
        let ends = Instant::now().checked_add(self.budget);
        let mut tried = HashSet::from([key(first)]);
        self.note(trials, self.try_out(development, "as chosen".to_owned(), first.clone())?);
        loop {
            let before = best(trials).clone();
            let mut candidates: Vec<(String, Settings)> = neighbours(&before.settings);
            candidates.retain(|(_, settings)| tried.insert(key(settings)));
            // Some at a time, so that the clock is looked at.
            for some in candidates.chunks(rayon::current_num_threads().max(1)) {
                if ends.is_some_and(|ends| Instant::now() >= ends) {
                    return Ok(false);
                }
                let scored: Vec<Result<Trial>> = some
                    .par_iter()
                    .map(|(change, settings)| self.try_out(development, change.clone(), settings.clone()))
                    .collect();
                // Those that were complete before an interruption count.
                let mut failed = None;
                for trial in scored {
                    match trial {
                        Ok(trial) => self.note(trials, trial),
                        Err(error) => failed = failed.or(Some(error)),
                    }
                }
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            if best(trials).auc <= before.auc {
                return Ok(true);
            }
        }
    }

    fn try_out(&self, development: &Development, change: String, settings: Settings) -> Result<Trial> {
        if let Some(trial) = self.keeper.and_then(|keeper| keeper.find(&settings)) {
            return Ok(Trial { change, ..trial });
        }
        let began = Instant::now();
        let trial = choice::Trial {
            development,
            name: &change,
            side_info: &self.side_info,
            share_features: false,
            observer: self.observer,
        };
        let ranked = development.rank(&trial.fit(&settings, vec![])?.posteriors);
        let trial = Trial { change, auc: ranked.auc(), seconds: began.elapsed().as_secs_f64(), settings };
        self.keeper.iter().for_each(|keeper| keeper.keep(&trial));
        Ok(trial)
    }

    fn note(&self, trials: &mut Vec<Trial>, trial: Trial) {
        let Trial { change, auc, seconds, .. } = trial.clone();
        self.observer.event(&Event::Warning(&Warning::Tried { change, auc, seconds }));
        trials.push(trial);
    }
}

impl Search {
    /// The settings that a fit must be given, as text, to have those of a trial: the model, the covariates, and what differs from
    /// the defaults that a fit has with these.
    pub fn needed(&self, trial: &Trial) -> Vec<(&'static Setting, String)> {
        let settings = &trial.settings;
        let decisive = Overrides {
            covariates: Some(settings.covariates),
            max_new: (settings.max_new == 0).then_some(0),
            ..Overrides::default()
        };
        let defaults =
            Tuning::first(settings.model, &decisive, self.pairs).expect("all defaults are in range");
        let mut given = decisive.clone();
        let mut needed = vec![];
        for setting in SETTINGS {
            let value = setting.value(settings);
            // A setting may depend on one that is given.
            if setting.given(&decisive) || setting.value(&given.over(defaults.clone())) != value {
                setting.set(&mut given, &value).expect("it is a value of this setting");
                needed.push((setting, value));
            }
        }
        needed
    }

    /// The best trial, the first of equals.
    pub fn best(&self) -> &Trial {
        best(&self.trials)
    }
}

fn best(trials: &[Trial]) -> &Trial {
    trials.iter().rev().max_by(|a, b| a.auc.total_cmp(&b.auc)).expect("one was tried")
}

/// A number without the rounding of a product: 0.05, not 0.049999999999999996.
fn plain(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// Settings that differ in one thing.
fn neighbours(settings: &Settings) -> Vec<(String, Settings)> {
    let mut all = vec![];
    let mut add = |change: String, other: Settings| all.push((change, other));
    for factor in [1.0 / 3.0, 3.0] {
        let (c_pos, c_neg) = (plain(settings.c_pos * factor), plain(settings.c_neg * factor));
        add(format!("c-pos {c_pos:.3}, c-neg {c_neg:.3}"), Settings { c_pos, c_neg, ..settings.clone() });
        add(format!("c-neg {c_neg:.3}"), Settings { c_neg, ..settings.clone() });
    }
    // Without features there are no weights between them.
    for factor in [0.5, 2.0].into_iter().filter(|_| settings.max_new > 0) {
        let (nu, alpha) = (plain(settings.nu * factor), plain(settings.alpha * factor));
        add(format!("nu {nu:.3}"), Settings { nu, ..settings.clone() });
        add(format!("alpha {alpha:.3}"), Settings { alpha, ..settings.clone() });
    }
    let covariates = match settings.covariates {
        CovariateSet::None => CovariateSet::Topology,
        CovariateSet::Topology => CovariateSet::None,
    };
    add(format!("covariates {covariates}"), Settings { covariates, ..settings.clone() });
    let node_effects = !settings.node_effects;
    let effects = if node_effects { "node effects" } else { "no node effects" };
    add(effects.to_owned(), Settings { node_effects, ..settings.clone() });
    all
}

/// What distinguishes candidates: factors of three and back leave nothing but rounding.
fn key(settings: &Settings) -> String {
    let Settings { c_pos, c_neg, nu, alpha, covariates, node_effects, .. } = settings;
    format!("{c_pos:.6e} {c_neg:.6e} {nu:.6e} {alpha:.6e} {covariates} {node_effects}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Schedule;

    /// A fit that is given what is needed has the settings of the trial, in one posterior.
    #[test]
    fn a_trial_can_be_fitted() {
        let changes: [fn(&mut Settings); 7] = [
            |_| {},
            |settings| settings.c_neg = 0.3,
            |settings| settings.schedule = Schedule::Adagrad,
            |settings| (settings.learn_alpha, settings.learn_nu) = (false, true),
            |settings| (settings.chains, settings.burn_in, settings.seed) = (3, 0, 7),
            |settings| settings.node_effects = true,
            |settings| *settings = Settings { chains: 3, ..settings.clone() }.linear(),
        ];
        for (model, pairs) in Model::ALL.into_iter().flat_map(|model| [(model, 100), (model, 20_000_000)]) {
            for covariates in [CovariateSet::None, CovariateSet::Topology] {
                for change in changes {
                    let mut settings = Settings { covariates, ..Settings::defaults(model, pairs) };
                    change(&mut settings);
                    let trial = Trial { change: String::new(), auc: 0.5, seconds: 0.0, settings };
                    let search = Search {
                        development_links: 1,
                        complete: true,
                        interrupted: false,
                        trials: vec![trial],
                        pairs,
                    };
                    let mut given = Overrides::default();
                    for (setting, value) in search.needed(search.best()) {
                        setting.set(&mut given, &value).unwrap();
                    }
                    let parts = Parts::new(model, &given, pairs, false).unwrap();
                    assert_eq!(*parts.features().settings, search.best().settings);
                    assert!(parts.covariates().is_none());
                }
            }
        }
    }

    #[test]
    fn candidates_have_plain_numbers() {
        assert_ne!((0.15 / 3.0_f64).to_string(), "0.05", "a product that is rounded");
        assert_eq!(plain(0.15 / 3.0).to_string(), "0.05");
        assert_eq!(plain(1.0 / 3.0 * 3.0).to_string(), "1");
    }
}
