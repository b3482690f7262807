//! Methods by their names.

use super::{Method, ModelMethod};
use crate::baseline::{BLOCK_MODELS, HEURISTICS};
use crate::error::{Error, Result};
use crate::fit::{Candidates, Sharing};
use crate::model::{Model, Overrides, Settings};

/// The name of the latent feature relational model of Miller, Griffiths and Jordan (2009): the plain likelihood
/// (c+ = c- = 1), features and an intercept.
pub const LFRM: &str = "lfrm";

/// The name of covariates alone: the models without features.
pub(super) const LINEAR: &str = "linear";

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
