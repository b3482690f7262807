//! What is chosen on a development set: how much covariates and features count, and whether relations share their features.

use super::development::{Development, Ranked, pilot};
use super::options::Sharing;
use super::part::{Live, Part, PartName, Parts, Ran, Task, each_run, short_trial};
use super::state::{Choice, Chosen, FitState};
use crate::chain::{ChainRun, Observer, OfTrial, Slots, Stoppable, no_runs, noted};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::model::Settings;
use crate::network::{Pair, Pairs};
use crate::posterior::{Combination, Posterior};

impl FitState {
    /// Chooses on a development set, and returns what the chains leave that have run to choose by. Where there are too few
    /// links to decide, features are not shared unless the caller says so, and features and covariates count as they do by
    /// default. `validation` pairs, if there are any, are the development set; otherwise some of the pairs to learn from are
    /// held out.
    pub(crate) fn choose(&mut self, task: &Task<'_>, validation: &[&[Pair]]) -> Result<Ran> {
        let mut ran = Ran::default();
        let (before, shared) = (self.chosen, self.parts.features().shared);
        (self.chosen, self.choices, self.combination) = (Chosen::Yes, vec![], Combination::default());
        self.parts.features_mut().shared = self.sharing == Sharing::Shared;
        let trial = self.compare(task, validation, &mut ran)?;
        let slots = task.live.of(PartName::Features);
        match (before, trial) {
            (Chosen::Again, _) if shared != self.parts.features().shared => {
                // Chains with features of another kind are of no use.
                slots.iter().flatten().for_each(|slot| *noted(slot) = ChainRun::default());
            }
            (Chosen::No, Some(trial)) => self.parts.features_mut().go_on_from_trial(trial, slots),
            _ => {}
        }
        Ok(ran)
    }

    /// Compares on a development set what is open, and notes what is better. Returns the chains of the features' trial at
    /// their first draw, if those of the fit can go on from there.
    fn compare(
        &mut self,
        task: &Task<'_>,
        validation: &[&[Pair]],
        ran: &mut Ran,
    ) -> Result<Option<Vec<Vec<ChainRun>>>> {
        let relations: Vec<&Pairs> = task.relations.iter().map(|relation| relation.1).collect();
        let open = self.sharing == Sharing::Auto && relations.len() > 1;
        let (covariates, settings) =
            (self.parts.covariates().cloned(), self.parts.features().settings.clone());
        if covariates.is_none() && !open {
            return Ok(None);
        }
        // Before the development set is made: they take the most memory.
        let fitted = match &covariates {
            Some(part) if Development::takes_little(&relations, validation) => {
                Some(fit_covariates(&self.parts, part, task, ran)?)
            }
            _ => None,
        };
        let development = Development::usual(&relations, validation, settings.seed);
        let Ok(development) = development else { return Ok(None) };
        let observer = &OfTrial(task.observer);
        let known = self.parts.task_of(PartName::Features, task).side_info;
        let trial = |name, share_features| Trial {
            development: &development,
            name,
            side_info: known,
            share_features,
            observer,
        };
        let of_features = trial("trial of features", self.parts.features().shared);
        let mut features = match &fitted {
            Some(covariates) if !open => {
                // One chain is enough to see that features save next to nothing.
                let one_chain = Settings { chains: 1, ..settings.clone().into_inner() };
                let first = of_features.fit(&one_chain, vec![])?;
                if Combination::clearly_alone(&development.relations(covariates, &first.posteriors)) {
                    first
                } else {
                    of_features.fit(&settings, first.runs)?
                }
            }
            _ => of_features.fit(&settings, vec![])?,
        };
        if open {
            let names = ["features for each relation", "shared features"].map(str::to_owned);
            let shared = trial("trial of shared features", true).fit(&settings, vec![])?;
            let [one, other] = [&features, &shared].map(|trial| development.rank(&trial.posteriors));
            let (choice, changed) = between(names, [&one, &other]);
            self.choices.push(choice);
            self.parts.features_mut().shared = changed;
            if changed {
                features = shared;
            }
        }
        let Some(part) = covariates else { return Ok(None) };
        let covariates = if let Some(posteriors) = fitted {
            posteriors
        } else {
            let of_covariates = Trial { side_info: task.side_info, ..trial("trial of covariates", false) };
            of_covariates.fit(&short_trial(&part.settings, &relations), vec![])?.posteriors
        };
        self.combination = Combination::learn(&development.relations(&covariates, &features.posteriors));
        let alone = development.rank(&covariates);
        let both = covariates.into_iter().zip(features.posteriors);
        let combined: Vec<Posterior> = both
            .map(|(covariates, features)| Posterior::combine(covariates, features, self.combination))
            .collect();
        self.choices.push(Choice {
            chosen: match self.combination {
                Combination { features: 0.0, .. } => ALONE.to_owned(),
                Combination { covariates, features } => {
                    format!("covariates {covariates:.2}, features {features:.2}")
                }
            },
            development_auc: development.rank(&combined).auc(),
            other: ALONE.to_owned(),
            other_development_auc: alone.auc(),
        });
        let same = development.count() == relations.len()
            && features.runs.iter().all(|runs| runs.len() == settings.chains);
        let many = relations.iter().all(|pairs| pairs.len() > Settings::MANY);
        let at_first_draw = |run: &ChainRun| run.at_first_draw().unwrap_or_default();
        Ok((same && many)
            .then(|| features.runs.iter().map(|runs| runs.iter().map(at_first_draw).collect()).collect()))
    }
}

/// What is chosen where features do not count.
const ALONE: &str = "covariates alone";

/// The covariates' posterior of all pairs, by the chains of the fit itself; an error if the observer ends them.
///
/// Pairs of the development set are among them. So few of them say nothing of the coefficients, and the covariates of a pair
/// do not know of its own link.
fn fit_covariates(parts: &Parts, part: &Part, task: &Task<'_>, ran: &mut Ran) -> Result<Vec<Posterior>> {
    let stoppable = Stoppable::new(task.observer);
    parts.run(part.name, &Task { observer: &stoppable, ..*task }, ran)?;
    if stoppable.stopped() {
        return Err(Error::Interrupted);
    }
    let ran = ran.get(part.name).expect("the part has run");
    Ok(part.posteriors(task.relations, ran, task.live.each(part.name, |run| run.clone())))
}

/// The choice between the usual way and another, and whether it is the other.
fn between([usual, other]: [String; 2], [usual_ranked, other_ranked]: [&Ranked; 2]) -> (Choice, bool) {
    let changed = other_ranked.clearly_better(usual_ranked);
    let (mut chosen, mut left) = ((usual, usual_ranked.auc()), (other, other_ranked.auc()));
    if changed {
        std::mem::swap(&mut chosen, &mut left);
    }
    let ((chosen, development_auc), (other, other_development_auc)) = (chosen, left);
    (Choice { chosen, development_auc, other, other_development_auc }, changed)
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
        let part = Part { shared: share_features, ..Part::new(PartName::Features, settings) };
        let task = Task { relations: &pairs, side_info, observer: &stoppable, live: &Live::default() };
        let ran = part.run(name, &task, &slots)?;
        if stoppable.stopped() {
            return Err(Error::Interrupted);
        }
        let runs = each_run(&slots, |run| run.clone());
        let posteriors = part.posteriors(&pairs, &ran, each_run(&slots, std::mem::take));
        Ok(FittedTrial { posteriors, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Silent;
    use crate::generate::{GenerateSettings, generate};
    use crate::model::{Model, Overrides};

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
        let features = Settings::features_defaults(Model::usual(pairs.len()), pairs.len());
        let settings = Settings { burn_in: 8, draws: 4, ..features };
        let first = trial.fit(&Settings { chains: 1, ..settings.clone() }, vec![]).unwrap();
        let lengths = |fitted: &FittedTrial| (fitted.runs[0].len(), fitted.posteriors[0].draws().len());
        assert_eq!(lengths(&first), (1, 4));
        let all = trial.fit(&settings, vec![]).unwrap();
        let gone_on = trial.fit(&settings, first.runs).unwrap();
        assert_eq!([&gone_on, &all].map(lengths), [(2, 8); 2]);
        assert!(gone_on.runs == all.runs, "other draws");
    }

    /// Chooses for a network with so many nodes and chains, and does something with that.
    fn chosen(nodes: usize, chains: usize, burn_in: usize, then: impl FnOnce(&mut FitState, &Task<'_>, Ran)) {
        // Few links and features: the chains are what is looked at.
        let few = GenerateSettings { nodes, alpha: 0.5, intercept: -4.0, ..GenerateSettings::default() };
        let made = generate(&few).unwrap();
        let pairs = Pairs::observed(&made.network, false);
        let overrides = Overrides {
            chains: Some(chains),
            burn_in: Some(burn_in),
            draws: Some(5),
            ..Overrides::default()
        };
        let parts = Parts::new(Model::usual(pairs.len()), &overrides, pairs.len(), false).unwrap();
        let mut state = FitState::of_pairs(1, Sharing::Auto, parts);
        let (live, side_info) = (Live::take(&mut state.parts, 1).unwrap(), &SideInfo::default());
        let task = Task { relations: &[(None, &pairs)], side_info, observer: &Silent, live: &live };
        let ran = state.choose(&task, &[]).unwrap();
        then(&mut state, &task, ran);
    }

    /// With as many chains as a trial has, those of the fit go on from there; with more, or few pairs, they begin anew.
    #[test]
    fn chains_go_on_from_those_of_the_trial() {
        // The trial has the same burn-in, of which a quarter is made again; or one of 150 sweeps, and the burn-in goes on.
        let cases = [(460, 2, 8, [9, 3]), (460, 2, 200, [151, 1]), (460, 4, 8, [0, 0]), (60, 2, 40, [0, 0])];
        for (nodes, chains, burn_in, [begun, later]) in cases {
            chosen(nodes, chains, burn_in, |state, task, ran| {
                assert_eq!(state.parts.covariates().unwrap().later, 0);
                assert_eq!(state.parts.features().later, later);
                let slots = task.live.of(PartName::Features);
                assert!(slots.iter().flatten().all(|slot| noted(slot).sweeps() == begun));
                assert_eq!(state.fit(task, ran).unwrap()[0].draws().len(), chains * 5);
            });
        }
    }

    /// Predictions to which features add nothing need none.
    #[test]
    fn features_that_do_not_count_are_not_fitted() {
        chosen(60, 4, 10, |state, task, ran| {
            assert!(state.combination.features > 0.0);
            state.combination = Combination::of_features(0.0);
            let posteriors = state.fit(task, ran).unwrap();
            assert!(!posteriors[0].draws().is_empty() && posteriors[0].mean_features() == 0.0);
            let slots = task.live.of(PartName::Features);
            assert!(slots.iter().flatten().all(|slot| noted(slot).sweeps() == 0));
        });
    }
}
