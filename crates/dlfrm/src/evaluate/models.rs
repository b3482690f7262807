//! The models of this crate as methods to evaluate: fitted in each run, or fitted before.

use rayon::prelude::*;

use super::{Method, Scorer, Training, TrainingRelation};
use crate::chain::{Event, Observer, Stoppable, run_chains, run_shared_chains};
use crate::error::{Error, Result};
use crate::fit::{Candidates, Choice, Sharing};
use crate::model::{Settings, ValidSettings};
use crate::network::{Pair, Pairs};
use crate::posterior::Posterior;

/// A model with its settings, perhaps to be chosen in each run.
#[derive(Debug, Clone)]
pub struct ModelMethod {
    name: String,
    candidates: Candidates,
    sharing: Sharing,
}

impl ModelMethod {
    /// A model under its own name.
    pub fn new(candidates: Candidates, sharing: Sharing) -> Self {
        Self::named(candidates.usual.model.name(), candidates, sharing)
    }

    /// A model under another name.
    pub fn named(name: &str, candidates: Candidates, sharing: Sharing) -> Self {
        Self { name: name.to_owned(), candidates, sharing }
    }
}

impl Method for ModelMethod {
    fn name(&self) -> &str {
        &self.name
    }

    fn probabilities(&self) -> bool {
        true
    }

    fn settings(&self) -> Option<&ValidSettings> {
        Some(&self.candidates.usual)
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        let Training { relations, side_info, seed, observer } = training;
        let pairs: Vec<&Pairs> = relations.iter().map(|relation| relation.pairs).collect();
        let validation: Vec<&[Pair]> = relations.iter().map(|relation| relation.validation).collect();
        let stoppable = Stoppable::new(*observer);
        let chosen =
            self.candidates.choose(&pairs, &validation, side_info, self.sharing, *seed, &stoppable)?;
        let settings = Settings { seed: *seed, ..chosen.settings.into_inner() }.check()?;
        let fits = if chosen.share_features { 1 } else { relations.len() };
        stoppable.event(&Event::Chains { purpose: "", fits, settings: &settings });
        let posteriors = if chosen.share_features {
            run_shared_chains(&pairs, side_info, &settings, &stoppable)?
        } else {
            let fit = |(number, relation): (usize, &TrainingRelation<'_>)| {
                run_chains(relation.pairs, side_info, &settings, number, &stoppable)
                    .map_err(|error| error.in_relation(relation.name))
            };
            relations.par_iter().enumerate().map(fit).collect::<Result<_>>()?
        };
        if stoppable.stopped() {
            return Err(Error::Interrupted);
        }
        Ok(Box::new(FittedModels { posteriors, choices: chosen.choices }))
    }
}

/// A fit of each relation.
struct FittedModels {
    posteriors: Vec<Posterior>,
    choices: Vec<Choice>,
}

impl Scorer for FittedModels {
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
        Ok(self.posteriors[relation].predict_mean(pairs))
    }

    fn features(&self, relation: usize) -> Option<f64> {
        Some(self.posteriors[relation].mean_features())
    }

    fn choices(&self) -> &[Choice] {
        &self.choices
    }
}

/// A model that was fitted before (name: `fitted`). It learns nothing from the training pairs.
#[derive(Debug, Clone)]
pub struct FittedMethod {
    /// The fit of each relation of the data set, where there is one.
    pub posteriors: Vec<Option<Posterior>>,
}

impl Method for FittedMethod {
    fn name(&self) -> &'static str {
        "fitted"
    }

    fn probabilities(&self) -> bool {
        true
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        let fit = |relation: &TrainingRelation<'_>| {
            let posterior = self.posteriors.get(relation.number).cloned().flatten();
            let unknown = || Error::Network("the fitted model does not know the relation".to_owned());
            posterior.ok_or_else(|| unknown().in_relation(relation.name))
        };
        let posteriors = training.relations.iter().map(fit).collect::<Result<_>>()?;
        Ok(Box::new(FittedModels { posteriors, choices: vec![] }))
    }
}
