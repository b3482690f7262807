//! What can be evaluated: anything that learns from training pairs and scores others; the models and the baselines by their names.

use crate::baseline::{BLOCK_MODELS, BlockModel, HEURISTICS, Heuristic};
use crate::chain::{Observer, Stoppable};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::fit::{Choice, FitState, Live, Parts, Sharing, Task};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Pair, Pairs};
use crate::posterior::Posterior;

/// Whatever learns from training pairs and scores other pairs.
///
/// ```
/// use dlfrm::Result;
/// use dlfrm::evaluate::{Method, Scorer, Training, scorer};
///
/// /// Scores a pair by the sum of the ids: a method that knows nothing.
/// struct Ids;
///
/// impl Method for Ids {
///     fn name(&self) -> &str {
///         "ids"
///     }
///
///     fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
///         Ok(scorer(training, |_train, pairs| Ok(pairs.iter().map(|&(i, j)| f64::from(i + j)).collect())))
///     }
/// }
/// ```
pub trait Method: Send + Sync {
    /// The name that commands and tables use.
    fn name(&self) -> &str;

    /// Whether it has probabilities of links, and not only ranks.
    fn probabilities(&self) -> bool {
        false
    }

    /// The settings of its chains before any choice, if it is a model of this crate that is fitted here.
    fn settings(&self) -> Option<&ValidSettings> {
        None
    }

    /// The settings of every posterior that it may draw, one after the other.
    fn posteriors(&self) -> Vec<&ValidSettings> {
        self.settings().into_iter().collect()
    }

    /// The same as they are reported: with the covariates of the posterior that it is combined with, if there are two.
    fn reported_settings(&self) -> Option<Settings> {
        self.settings().map(|settings| settings.clone().into_inner())
    }

    /// Whether it looks at attributes of nodes.
    fn uses_attributes(&self) -> bool {
        false
    }

    /// Whether it looks at covariates of pairs that are given.
    fn uses_pair_covariates(&self) -> bool {
        false
    }

    /// Learns from the training pairs.
    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>>;
}

/// What a method learns from.
#[derive(Clone)]
pub struct Training<'a> {
    /// The relations that are evaluated in the run.
    pub relations: Vec<TrainingRelation<'a>>,
    /// What is known beside the links.
    pub side_info: &'a SideInfo,
    /// Random seed of the run.
    pub seed: u64,
    /// Watches the fit, and may end it.
    pub observer: &'a dyn Observer,
}

/// One relation to learn from.
#[derive(Debug, Clone, Copy)]
pub struct TrainingRelation<'a> {
    /// Its number in the data set.
    pub number: usize,
    /// Its name, if there are several.
    pub name: Option<&'a str>,
    /// The training pairs.
    pub pairs: &'a Pairs,
    /// Pairs to choose settings by, if there are any: neither training nor test pairs.
    pub validation: &'a [Pair],
}

/// A fitted method. Relations are numbered as they stand in [`Training::relations`].
pub trait Scorer: Sync {
    /// A score for each pair (source, target) of a relation; larger is likelier.
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>>;

    /// The probability of each pair, where the method has [probabilities](Method::probabilities) and its scores are others.
    fn probability(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
        self.score(relation, pairs)
    }

    /// The posterior mean of the number of features, if the method has features.
    fn features(&self, _relation: usize) -> Option<f64> {
        None
    }

    /// What was chosen on a development set.
    fn choices(&self) -> &[Choice] {
        &[]
    }
}

/// A scorer that computes the scores of a relation from its training pairs on demand.
pub fn scorer<'a>(
    training: &Training<'a>,
    score: impl Fn(&Pairs, &[(u32, u32)]) -> Result<Vec<f64>> + Sync + 'a,
) -> Box<dyn Scorer + 'a> {
    struct OnDemand<'a, F> {
        relations: Vec<TrainingRelation<'a>>,
        score: F,
    }
    impl<F: Fn(&Pairs, &[(u32, u32)]) -> Result<Vec<f64>> + Sync> Scorer for OnDemand<'_, F> {
        fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
            (self.score)(self.relations[relation].pairs, pairs)
        }
    }
    Box::new(OnDemand { relations: training.relations.clone(), score })
}

/// A model with its settings, perhaps to be chosen in each run.
#[derive(Debug, Clone)]
pub struct ModelMethod {
    name: String,
    parts: Parts,
    sharing: Sharing,
}

impl ModelMethod {
    /// A model under its own name.
    pub fn new(parts: Parts, sharing: Sharing) -> Self {
        Self::named(parts.features().settings.model.name(), parts, sharing)
    }

    /// A model under another name.
    pub fn named(name: &str, parts: Parts, sharing: Sharing) -> Self {
        Self { name: name.to_owned(), parts, sharing }
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
        Some(&self.parts.features().settings)
    }

    fn posteriors(&self) -> Vec<&ValidSettings> {
        self.parts.iter().map(|part| &part.settings).collect()
    }

    fn reported_settings(&self) -> Option<Settings> {
        let features = self.parts.features().settings.clone().into_inner();
        Some(match self.parts.covariates() {
            Some(covariates) => features.combined_with(&covariates.settings),
            None => features,
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
        let parts = self.parts.with_seed(*seed)?;
        let mut state = FitState::of_pairs(relations.len(), self.sharing, parts);
        let live = Live::take(&mut state.parts, relations.len())?;
        let task = Task { relations: &named, side_info, observer: &stoppable, live: &live };
        let ran = state.choose(&task, &validation)?;
        let posteriors = state.fit(&task, ran)?;
        if stoppable.stopped() {
            return Err(Error::Interrupted);
        }
        Ok(Box::new(FittedModels { posteriors, choices: state.choices }))
    }
}

struct FittedModels {
    posteriors: Vec<Posterior>,
    choices: Vec<Choice>,
}

impl Scorer for FittedModels {
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
        Ok(self.posteriors[relation].score(pairs))
    }

    fn probability(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
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

/// The name of what a fit takes that names no model.
pub const DEFAULT: &str = "default";

/// Names that stand for several methods: the models of the paper, the heuristics, all methods.
pub const GROUPS: [&str; 3] = ["models", "baselines", "all"];

/// How methods are made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodOptions {
    /// Settings of models that differ from the defaults.
    pub settings: Overrides,
    /// How many pairs there are to learn from: the defaults depend on it.
    pub pairs: usize,
    /// How many there are in all relations together: which model is the default depends on it.
    pub all_pairs: usize,
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

/// The model of a name, where there are so many pairs to learn from.
pub fn model(name: &str, options: &MethodOptions) -> Option<Model> {
    if name == DEFAULT { Some(Model::usual(options.all_pairs)) } else { name.parse().ok() }
}

/// The method of a name.
pub fn method(name: &str, options: &MethodOptions) -> Result<Box<dyn Method>> {
    let MethodOptions { settings, pairs, paper, sharing, .. } = options;
    if let Some(model) = model(name, options) {
        let parts = Parts::new(model, settings, *pairs, *paper)?;
        let name = if name == DEFAULT { DEFAULT } else { model.name() };
        return Ok(Box::new(ModelMethod::named(name, parts, *sharing)));
    }
    if name == LINEAR && *paper {
        // Its covariates would hold the reverse of each test link.
        return Err(Error::Network("linear is for leak-free splits".to_owned()));
    }
    if name == LINEAR {
        let settings = settings.over(Settings::linear_defaults(Settings::default().model, *pairs)).linear();
        return Ok(Box::new(ModelMethod::named(LINEAR, Parts::fixed(settings.check()?), Sharing::Separate)));
    }
    if name == LFRM {
        let plain = settings.over(Settings::paper_defaults(Settings::default().model, *pairs));
        let parts = Parts::fixed(Settings { c_pos: 1.0, c_neg: 1.0, ..plain }.check()?);
        let sharing = if *sharing == Sharing::Shared { Sharing::Shared } else { Sharing::Separate };
        return Ok(Box::new(ModelMethod::named(LFRM, parts, sharing)));
    }
    if let Some(&heuristic) = HEURISTICS.iter().find(|heuristic| heuristic.name == name) {
        return Ok(Box::new(heuristic));
    }
    if let Some(&model) = BLOCK_MODELS.iter().find(|model| model.name == name) {
        return Ok(Box::new(model));
    }
    let known = [DEFAULT].into_iter().chain(names()).chain(GROUPS).collect::<Vec<_>>().join(", ");
    Err(Error::Unknown { what: "model", name: name.to_owned(), known })
}
