//! The models of this crate as methods to evaluate: fitted in each run, or fitted before.

use super::{Method, Scorer, Training, TrainingRelation};
use crate::chain::Stoppable;
use crate::error::{Error, Result};
use crate::fit::{Candidates, Choice, Chosen, Sharing, Task};
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

    fn posteriors(&self) -> Vec<&ValidSettings> {
        self.candidates.posteriors().collect()
    }

    fn reported_settings(&self) -> Option<Settings> {
        let usual = self.candidates.usual.clone().into_inner();
        Some(match &self.candidates.linear {
            Some(linear) => usual.combined_with(linear),
            None => usual,
        })
    }

    fn uses_attributes(&self) -> bool {
        true
    }

    fn uses_pair_covariates(&self) -> bool {
        true
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        let Training { relations, side_info, seed, observer } = training;
        let validation: Vec<&[Pair]> = relations.iter().map(|relation| relation.validation).collect();
        let stoppable = Stoppable::new(*observer);
        let named: Vec<(Option<&str>, &Pairs)> =
            relations.iter().map(|relation| (relation.name, relation.pairs)).collect();
        let candidates = self.candidates.with_seed(*seed)?;
        let [covariates, features] = Chosen::unchosen(&candidates).slots(relations.len());
        let slots = [&covariates, &features];
        let task = Task { relations: &named, side_info, observer: &stoppable, slots };
        let mut chosen = candidates.choose(&task, &validation, self.sharing, [0; 2])?;
        chosen.begin(&features);
        let posteriors = chosen.fit(&task)?;
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
