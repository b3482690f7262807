//! What is evaluated: models of this crate, fitted in each run or before, and the baselines; by their names.

use crate::baseline::{BLOCK_MODELS, BlockModel, HEURISTICS, Heuristic};
use crate::chain::Stoppable;
use crate::error::{Error, Result};
use crate::fit::{Candidates, Choice, Chosen, Sharing, Task};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Pair, Pairs};
use crate::posterior::Posterior;

use super::method::{Method, Scorer, Training, TrainingRelation, scorer};

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

impl Method for Heuristic {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        Ok(scorer(training, |train, pairs| Ok(Heuristic::score(*self, train, pairs))))
    }
}

impl Method for BlockModel {
    fn name(&self) -> &'static str {
        self.name
    }

    fn probabilities(&self) -> bool {
        true
    }

    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
        let seed = training.seed;
        Ok(scorer(training, move |train, pairs| BlockModel::score(*self, train, pairs, seed)))
    }
}

/// The name of the latent feature relational model of Miller, Griffiths and Jordan (2009): the plain likelihood
/// (c+ = c- = 1), features and an intercept.
pub const LFRM: &str = "lfrm";

/// The name of covariates alone: the models without features.
const LINEAR: &str = "linear";

/// Names that stand for several methods: the models of the paper, the heuristics, all methods.
pub const GROUPS: [&str; 3] = ["models", "baselines", "all"];

/// How methods are made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodOptions {
    /// Settings of models that differ from the defaults.
    pub settings: Overrides,
    /// How many pairs there are to learn from: the defaults depend on it.
    pub pairs: usize,
    /// Whether models have the paper's defaults, as on the paper's splits.
    pub paper: bool,
    /// Whether several relations share their features.
    pub sharing: Sharing,
}

/// Every name, models first.
pub fn names() -> impl Iterator<Item = &'static str> {
    let models = Model::ALL.map(Model::name).into_iter();
    let heuristics = HEURISTICS.iter().map(|heuristic| heuristic.name);
    models.chain([LINEAR]).chain(heuristics).chain([LFRM]).chain(BLOCK_MODELS.iter().map(|model| model.name))
}

/// The names with those that stand for several replaced by these, each once, in the order of naming.
pub fn expand<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !all.iter().any(|known| known == name) {
            all.push(name.to_owned());
        }
    };
    for name in names {
        match name.as_ref().trim() {
            "all" => self::names().for_each(&mut add),
            "models" => Model::ALL.iter().for_each(|model| add(model.name())),
            "baselines" => HEURISTICS.iter().for_each(|heuristic| add(heuristic.name)),
            name => add(name),
        }
    }
    all
}

/// The method of a name.
pub fn method(name: &str, options: &MethodOptions) -> Result<Box<dyn Method>> {
    let MethodOptions { settings, pairs, paper, sharing } = options;
    if let Ok(model) = name.parse::<Model>() {
        let candidates = Candidates::new(model, settings, *pairs, *paper)?;
        return Ok(Box::new(ModelMethod::new(candidates, *sharing)));
    }
    if name == LINEAR && *paper {
        // Its covariates would hold the reverse of each test link.
        return Err(Error::Network("linear is for leak-free splits".to_owned()));
    }
    if name == LINEAR {
        let settings = settings.over(Settings::linear_defaults(Settings::default().model, *pairs)).linear();
        return Ok(Box::new(ModelMethod::named(
            LINEAR,
            Candidates::fixed(settings.check()?),
            Sharing::Separate,
        )));
    }
    if name == LFRM {
        let plain = settings.over(Settings::paper_defaults(Settings::default().model, *pairs));
        let candidates = Candidates::fixed(Settings { c_pos: 1.0, c_neg: 1.0, ..plain }.check()?);
        let sharing = if *sharing == Sharing::Shared { Sharing::Shared } else { Sharing::Separate };
        return Ok(Box::new(ModelMethod::named(LFRM, candidates, sharing)));
    }
    if let Some(&heuristic) = HEURISTICS.iter().find(|heuristic| heuristic.name == name) {
        return Ok(Box::new(heuristic));
    }
    if let Some(&model) = BLOCK_MODELS.iter().find(|model| model.name == name) {
        return Ok(Box::new(model));
    }
    let known = names().chain(GROUPS).collect::<Vec<_>>().join(", ");
    Err(Error::Unknown { what: "model", name: name.to_owned(), known })
}
