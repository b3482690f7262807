//! What was chosen, and the chains that are run with it.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Candidates, Choice};
use crate::chain::{
    ChainRun, Event, Length, Observer, Slots, continue_chains, continue_shared_chains, no_runs, noted,
};
use crate::covariates::{Covariates, SideInfo};
use crate::error::Result;
use crate::model::ValidSettings;
use crate::network::Pairs;
use crate::posterior::{Combination, Posterior};

/// What chains run on and who watches them.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The pairs of each relation, which may have a name.
    pub(crate) relations: &'a [(Option<&'a str>, &'a Pairs)],
    pub(crate) side_info: &'a SideInfo,
    pub(crate) observer: &'a dyn Observer,
    /// The chains so far: of the covariates' posterior, and of the features'.
    pub(crate) slots: [&'a Slots; 2],
}

static NOTHING: SideInfo = SideInfo { nodes: None, pairs: None };

impl Task<'_> {
    /// The same for features, which are drawn without the side information if covariates have a posterior of their own.
    pub(super) fn of_features(self, two_posteriors: bool) -> Self {
        if two_posteriors { Self { side_info: &NOTHING, ..self } } else { self }
    }
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
    /// The chains of the features' trial at their first draw, if those of the fit can go on from there.
    pub(super) trial: Option<Vec<Vec<ChainRun>>>,
    /// The covariates' chains have run already, to choose by.
    pub(super) covariates: Option<StageRan>,
}

/// What the chains of a posterior leave beside their draws.
#[derive(Debug, Clone)]
pub(super) struct StageRan {
    /// What computes the covariates of each relation.
    pub(super) covariates: Vec<Option<Covariates>>,
    /// How long each relation took.
    took: Vec<Duration>,
}

/// What the chains of both posteriors leave beside their draws. There may be one of them.
pub(crate) struct Ran([Option<StageRan>; 2]);

/// The part of the burn-in that chains have once more, if they go on from those of a trial with the pairs that were held out of
/// it.
const AGAIN: usize = 4;

impl Chosen {
    /// What is fitted with, if nothing is chosen.
    pub(crate) fn unchosen(candidates: &Candidates) -> Self {
        Self {
            settings: candidates.usual.clone(),
            linear: candidates.linear.clone().map(|settings| (settings, Combination::default())),
            share_features: false,
            choices: vec![],
            later: [0; 2],
            trial: None,
            covariates: None,
        }
    }

    /// Has the features' chains go on from those of their trial, if they can.
    pub(crate) fn begin(&mut self, slots: &Slots) {
        let Some(trial) = self.trial.take() else { return };
        let (burn_in, swept) = (self.settings.burn_in, trial[0][0].sweeps());
        let later = (swept + burn_in / AGAIN).saturating_sub(burn_in);
        // A chain cannot have more sweeps than there may be.
        if self.settings.with_longer_burn_in(later).into_inner().check().is_err() {
            return;
        }
        self.later[1] = later;
        for (slot, run) in slots.iter().flatten().zip(trial.into_iter().flatten()) {
            *noted(slot) = run;
        }
    }

    /// Counts the first draws of each chain of the features as sweeps before the first draw.
    pub(super) fn leave_out(&mut self, draws: usize) {
        self.later[1] += draws * self.settings.thin;
        self.settings = self.settings.with_fewer_draws(draws);
    }

    /// Whether predictions look at features.
    fn features_count(&self) -> bool {
        self.linear.as_ref().is_none_or(|(_, combination)| combination.features != 0.0)
    }

    /// Fits all relations to predict with; a posterior for each. Features that do not count are not fitted. An observer that ends
    /// the fit gets the draws that were kept.
    pub(crate) fn fit(&self, task: &Task<'_>) -> Result<Vec<Posterior>> {
        let ran =
            if self.features_count() { self.run(task)? } else { Ran([self.run_covariates(task)?, None]) };
        Ok(self.posteriors(task.relations, &ran, task.slots.map(|slots| each_run(slots, std::mem::take))))
    }

    /// The chains of both posteriors, before their first sweep.
    pub(crate) fn slots(&self, relations: usize) -> [Slots; 2] {
        let each = |settings: &ValidSettings| (0..relations).map(|_| no_runs(settings)).collect();
        [self.linear.as_ref().map_or(vec![], |linear| each(&linear.0)), each(&self.settings)]
    }

    /// Has the chains of both posteriors go on from where they are.
    pub(crate) fn run(&self, task: &Task<'_>) -> Result<Ran> {
        let covariates = self.run_covariates(task)?;
        let features = self.features_stage().run(&task.of_features(self.linear.is_some()), task.slots[1])?;
        Ok(Ran([covariates, Some(features)]))
    }

    fn features_stage(&self) -> Stage<'_> {
        Stage { purpose: "", settings: &self.settings, later: self.later[1], share: self.share_features }
    }

    /// Has the covariates' chains go on, if they have not run far enough to choose by them.
    fn run_covariates(&self, task: &Task<'_>) -> Result<Option<StageRan>> {
        let Some((settings, _)) = &self.linear else { return Ok(None) };
        let sweeps = Length::new(settings, self.later[0]).sweeps();
        let done = task.slots[0].iter().flatten().all(|slot| noted(slot).sweeps() == sweeps);
        if done && self.covariates.is_some() {
            return Ok(self.covariates.clone());
        }
        Stage::of_covariates(settings, self.later[0]).run(task, task.slots[0]).map(Some)
    }

    /// The posterior of each relation from what the chains have.
    pub(crate) fn posteriors(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        ran: &Ran,
        [covariates, features]: [Vec<Vec<ChainRun>>; 2],
    ) -> Vec<Posterior> {
        let Ran([of_covariates, of_features]) = ran;
        let features =
            of_features.as_ref().map(|ran| self.features_stage().posteriors(relations, ran, features));
        let (Some((linear, combination)), Some(ran)) = (&self.linear, of_covariates) else {
            return features.unwrap_or_default();
        };
        let stage = Stage::of_covariates(linear, self.later[0]);
        let covariates = stage.posteriors(relations, ran, covariates).into_iter();
        match features {
            Some(features) => covariates
                .zip(features)
                .map(|(covariates, features)| Posterior::combine(&covariates, features, *combination))
                .collect(),
            None => covariates.map(|covariates| covariates.weighed(*combination)).collect(),
        }
    }
}

impl Ran {
    /// Adds how long the chains of each relation took.
    pub(crate) fn add_seconds(&self, seconds: &mut [f64]) {
        for StageRan { took, .. } in self.0.iter().flatten() {
            seconds.iter_mut().zip(took).for_each(|(seconds, took)| *seconds += took.as_secs_f64());
        }
    }
}

/// One posterior of all relations.
pub(super) struct Stage<'a> {
    pub(super) purpose: &'a str,
    pub(super) settings: &'a ValidSettings,
    pub(super) later: usize,
    /// Whether all relations have the same features.
    pub(super) share: bool,
}

impl<'a> Stage<'a> {
    /// The covariates' posterior.
    pub(super) fn of_covariates(settings: &'a ValidSettings, later: usize) -> Self {
        Self { purpose: "covariates", settings, later, share: false }
    }

    /// Has its chains go on.
    pub(super) fn run(&self, task: &Task<'_>, slots: &Slots) -> Result<StageRan> {
        let &Self { purpose, settings, later, share } = self;
        let &Task { relations, side_info, observer, .. } = task;
        let longer = settings.with_longer_burn_in(later);
        let fits = if share { 1 } else { relations.len() };
        observer.event(&Event::Chains { purpose, fits, settings: &longer });
        let length = Length::new(settings, later);
        if share {
            let began = Instant::now();
            let pairs: Vec<&Pairs> = relations.iter().map(|relation| relation.1).collect();
            let covariates = continue_shared_chains(&pairs, side_info, settings, length, observer, slots)?;
            return Ok(StageRan { covariates, took: vec![began.elapsed(); relations.len()] });
        }
        let fit = |(number, &(name, pairs)): (usize, &(Option<&str>, &Pairs))| {
            let began = Instant::now();
            let known = continue_chains(pairs, side_info, settings, length, number, observer, &slots[number]);
            known.map(|known| (known, began.elapsed())).map_err(|error| error.in_relation(name))
        };
        let fitted: Vec<_> = relations.par_iter().enumerate().map(fit).collect::<Result<_>>()?;
        let (covariates, took) = fitted.into_iter().unzip();
        Ok(StageRan { covariates, took })
    }

    /// The posterior of each relation from what its chains have.
    pub(super) fn posteriors(
        &self,
        relations: &[(Option<&str>, &Pairs)],
        ran: &StageRan,
        runs: Vec<Vec<ChainRun>>,
    ) -> Vec<Posterior> {
        let settings = self.settings.with_longer_burn_in(self.later);
        let each = relations.iter().zip(&ran.covariates).zip(runs);
        each.map(|((&(_, pairs), known), runs)| Posterior::of_runs(pairs, &settings, known.clone(), runs))
            .collect()
    }
}

/// Something of what each chain has so far.
pub(super) fn each_run(slots: &Slots, take: impl Fn(&mut ChainRun) -> ChainRun) -> Vec<Vec<ChainRun>> {
    slots.iter().map(|slots| slots.iter().map(|slot| take(&mut noted(slot))).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Sharing;
    use super::*;
    use crate::chain::Silent;
    use crate::generate::{GenerateSettings, generate};
    use crate::model::{Model, Overrides};

    /// Chooses for a network with so many nodes and chains, begins, and does something with that.
    fn chosen(nodes: usize, chains: usize, burn_in: usize, then: impl FnOnce(&mut Chosen, &Task<'_>)) {
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
        let candidates = Candidates::new(Model::DEFAULT, &overrides, pairs.len(), false).unwrap();
        let [covariates, features] = Chosen::unchosen(&candidates).slots(1);
        let (slots, side_info) = ([&covariates, &features], &SideInfo::default());
        let task = Task { relations: &[(None, &pairs)], side_info, observer: &Silent, slots };
        let mut chosen = candidates.choose(&task, &[], Sharing::Auto, [0; 2]).unwrap();
        chosen.begin(&features);
        then(&mut chosen, &task);
    }

    /// With as many chains as a trial has, those of the fit go on from there; with more, or few pairs, they begin anew.
    #[test]
    fn chains_go_on_from_those_of_the_trial() {
        // The trial has the same burn-in, of which a quarter is made again; or one of 150 sweeps, and the burn-in goes on.
        let cases = [(460, 2, 8, [9, 3]), (460, 2, 200, [151, 1]), (460, 4, 8, [0, 0]), (60, 2, 40, [0, 0])];
        for (nodes, chains, burn_in, [begun, later]) in cases {
            chosen(nodes, chains, burn_in, |chosen, task| {
                assert_eq!(chosen.later, [0, later]);
                assert!(task.slots[1].iter().flatten().all(|slot| noted(slot).sweeps() == begun));
                let posteriors = chosen.fit(task).unwrap();
                assert_eq!(posteriors[0].draws().len(), chains * 5);
            });
        }
    }

    /// Predictions to which features add nothing need none.
    #[test]
    fn features_that_do_not_count_are_not_fitted() {
        chosen(60, 4, 10, |chosen, task| {
            let (_, combination) = chosen.linear.as_mut().unwrap();
            assert!(combination.features > 0.0);
            combination.features = 0.0;
            let posteriors = chosen.fit(task).unwrap();
            assert!(!posteriors[0].draws().is_empty() && posteriors[0].mean_features() == 0.0);
            assert!(task.slots[1].iter().flatten().all(|slot| noted(slot).sweeps() == 0));
        });
    }
}
