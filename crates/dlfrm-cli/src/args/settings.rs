//! The arguments that say how a model is fitted. Every default is the library's.

use std::fmt::Display;
use std::str::FromStr;

use clap::Args;
use dlfrm::covariates::CovariateSet;
use dlfrm::model::{Model, Schedule, Settings, Start};
use dlfrm::network::LARGE_NETWORK;

use crate::choice::Candidates;

/// The settings of a fit, all but the model's name.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag and its opposite are two arguments")]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingArgs {
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Weight of a link in the loss (c+)", |s| s.c_pos))]
    c_pos: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Weight of a non-link in the loss (c-)", |s| s.c_neg))]
    c_neg: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Margin of the hinge loss", |s| s.margin))]
    margin: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Inverse standard deviation of a weight; where it starts if it is learned", |s| s.nu))]
    nu: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Mass of the Indian buffet process; where it starts if it is learned", |s| s.alpha))]
    alpha: Option<f64>,
    #[arg(long, overrides_with = "no_learn_alpha")]
    #[arg(help = help_switch("Learn alpha", |s| s.learn_alpha))]
    learn_alpha: bool,
    #[arg(long, overrides_with = "learn_alpha")]
    #[arg(help = help_switch("Keep alpha", |s| !s.learn_alpha))]
    no_learn_alpha: bool,
    #[arg(long, overrides_with = "no_learn_nu")]
    #[arg(help = help_switch("Learn nu", |s| s.learn_nu))]
    learn_nu: bool,
    #[arg(long, overrides_with = "learn_nu")]
    #[arg(help = help_switch("Keep nu", |s| !s.learn_nu))]
    no_learn_nu: bool,
    #[arg(long, overrides_with = "no_intercept")]
    #[arg(help = help_switch("Add a common intercept to every logit", |s| s.intercept))]
    intercept: bool,
    #[arg(long, overrides_with = "intercept")]
    #[arg(help = help_switch("Add no intercept", |s| !s.intercept))]
    no_intercept: bool,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Standard deviation of the intercept's prior", |s| s.intercept_sd))]
    intercept_sd: Option<f64>,
    #[arg(long, value_name = "SET", value_parser = CovariateSet::from_str)]
    #[arg(help = help(&format!("What is known about a pair beside its label: {}", sets()), |s| s.covariates))]
    covariates: Option<CovariateSet>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Standard deviation of the prior of a covariate's coefficient", |s| s.coefficient_sd))]
    coefficient_sd: Option<f64>,
    #[arg(long, overrides_with = "no_node_effects")]
    #[arg(help = help_switch("Give each entity an effect on its links, as a source and as a target", |s| s.node_effects))]
    node_effects: bool,
    #[arg(long, overrides_with = "node_effects")]
    #[arg(help = help_switch("Give entities no effects", |s| !s.node_effects))]
    no_node_effects: bool,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Most features that an entity may get at once", |s| s.max_new))]
    max_new: Option<usize>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Stochastic models: share of the pairs that a Langevin step looks at", |s| s.batch))]
    batch: Option<f64>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Stochastic models: Langevin steps a sweep", |s| s.inner_steps))]
    inner_steps: Option<usize>,
    #[arg(long, value_name = "HOW", value_parser = Schedule::from_str)]
    #[arg(help = help(&format!("Stochastic models: rule for step sizes: {}", schedules()), |s| s.schedule))]
    schedule: Option<Schedule>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help(&step_help(), |s| s.step))]
    step: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Stochastic models: how late polynomial steps begin to shrink (b)", |s| s.step_delay))]
    step_delay: Option<f64>,
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(help = help("Stochastic models: how fast polynomial steps shrink (gamma)", |s| s.step_decay))]
    step_decay: Option<f64>,
    #[arg(long, value_name = "HOW", value_parser = Start::from_str)]
    #[arg(help = help(&format!("How a chain starts: {}", starts()), |s| s.start))]
    start: Option<Start>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Chains, run in parallel (one after the other in large networks)", |s| s.chains))]
    chains: Option<usize>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Sweeps of a chain before its first draw", |s| s.burn_in))]
    burn_in: Option<usize>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Draws kept of each chain", |s| s.draws))]
    draws: Option<usize>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Sweeps from one kept draw to the next", |s| s.thin))]
    thin: Option<usize>,
    #[arg(long, value_name = "N")]
    #[arg(help = help("Everything random follows from it", |s| s.seed))]
    seed: Option<u64>,
}

/// How long a fit is, as far as somebody says it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lengths {
    pub(crate) chains: Option<usize>,
    pub(crate) burn_in: Option<usize>,
    pub(crate) draws: Option<usize>,
}

impl SettingArgs {
    /// The same with these lengths where the user says nothing.
    pub(crate) fn or_lengths(&self, lengths: Lengths) -> Self {
        Self {
            chains: self.chains.or(lengths.chains),
            burn_in: self.burn_in.or(lengths.burn_in),
            draws: self.draws.or(lengths.draws),
            ..self.clone()
        }
    }

    /// The settings for a model and so many pairs to learn from, over the defaults of the paper's model if it is to be
    /// `plain`; they are not checked yet.
    pub(crate) fn settings(&self, model: Model, pairs: usize, plain: bool) -> Settings {
        let defaults = if plain { Settings::plain } else { Settings::for_pairs };
        self.settings_over(&defaults(model, pairs))
    }

    /// The settings with defaults that are not the library's.
    pub(crate) fn settings_over(&self, defaults: &Settings) -> Settings {
        Settings {
            model: defaults.model,
            c_pos: self.c_pos.unwrap_or(defaults.c_pos),
            c_neg: self.c_neg.unwrap_or(defaults.c_neg),
            margin: self.margin.unwrap_or(defaults.margin),
            alpha: self.alpha.unwrap_or(defaults.alpha),
            learn_alpha: switch(self.learn_alpha, self.no_learn_alpha).unwrap_or(defaults.learn_alpha),
            nu: self.nu.unwrap_or(defaults.nu),
            learn_nu: switch(self.learn_nu, self.no_learn_nu).unwrap_or(defaults.learn_nu),
            intercept: switch(self.intercept, self.no_intercept).unwrap_or(defaults.intercept),
            intercept_sd: self.intercept_sd.unwrap_or(defaults.intercept_sd),
            covariates: self.covariates.unwrap_or(defaults.covariates),
            coefficient_sd: self.coefficient_sd.unwrap_or(defaults.coefficient_sd),
            node_effects: switch(self.node_effects, self.no_node_effects).unwrap_or(defaults.node_effects),
            max_new: self.max_new.unwrap_or(defaults.max_new),
            batch: self.batch.unwrap_or(defaults.batch),
            inner_steps: self.inner_steps.unwrap_or(defaults.inner_steps),
            schedule: self.schedule.unwrap_or(defaults.schedule),
            step: self.step.unwrap_or(match self.schedule {
                Some(schedule) if schedule != defaults.schedule => schedule.usual_step(),
                _ => defaults.step,
            }),
            step_delay: self.step_delay.unwrap_or(defaults.step_delay),
            step_decay: self.step_decay.unwrap_or(defaults.step_decay),
            start: self.start.unwrap_or(defaults.start),
            chains: self.chains.unwrap_or(defaults.chains),
            burn_in: self.burn_in.unwrap_or(defaults.burn_in),
            draws: self.draws.unwrap_or(defaults.draws),
            thin: self.thin.unwrap_or(defaults.thin),
            seed: self.seed.unwrap_or(defaults.seed),
        }
    }
}

impl SettingArgs {
    /// The settings of a fit, and the paper's model as another choice where the user leaves it open and a network is small
    /// enough to try both.
    pub(crate) fn candidates(&self, model: Model, pairs: usize, plain: bool) -> dlfrm::Result<Candidates> {
        let open = self.covariates.is_none() && self.c_pos.is_none() && self.c_neg.is_none();
        let other = open && !plain && pairs <= LARGE_NETWORK;
        Ok(Candidates {
            usual: self.settings(model, pairs, plain).check()?,
            other: other.then(|| self.settings(model, pairs, true).check()).transpose()?,
        })
    }
}

/// What a pair of opposite flags says, if one of them was given.
pub(super) fn switch(yes: bool, no: bool) -> Option<bool> {
    (yes || no).then_some(yes)
}

/// The help of a setting, with the library's default.
fn help<T: Display>(text: &str, value: impl Fn(&Settings) -> T) -> String {
    let of = |pairs: usize| defaults(|model| value(&Settings::for_pairs(model, pairs)).to_string());
    let mut told = of(0);
    let mut last = told.clone();
    let sizes = [(LARGE_NETWORK + 1, "a million"), (Settings::VERY_LARGE + 1, "ten million")];
    for (pairs, size) in sizes {
        let here = of(pairs);
        if here != last {
            told = format!("{told}; beyond {size} pairs {here}");
        }
        last = here;
    }
    format!("{text} [default: {told}]")
}

/// One default, or those of the models where they differ.
fn defaults(value: impl Fn(Model) -> String) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for model in Model::ALL {
        let value = value(model);
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, models)) => models.push(model.name()),
            None => groups.push((value, vec![model.name()])),
        }
    }
    if let [(value, _)] = &groups[..] {
        return value.clone();
    }
    let told = groups.iter().map(|(value, models)| format!("{value} for {}", models.join(", ")));
    told.collect::<Vec<_>>().join("; ")
}

/// The help of a flag, marked if it is what happens without it.
fn help_switch(text: &str, on: impl Fn(&Settings) -> bool) -> String {
    let models: Vec<_> = Model::ALL.into_iter().filter(|&model| on(&Settings::for_model(model))).collect();
    let large = |model| on(&Settings::for_pairs(model, LARGE_NETWORK + 1));
    if models.is_empty() && Model::ALL.into_iter().all(large) {
        return format!("{text} [default beyond a million pairs]");
    }
    match models.len() {
        0 => text.to_owned(),
        n if n == Model::ALL.len() => format!("{text} [default]"),
        _ => {
            format!("{text} [default for {}]", models.iter().map(|m| m.name()).collect::<Vec<_>>().join(", "))
        }
    }
}

fn step_help() -> String {
    let (adagrad, usual) = (Schedule::Adagrad, Schedule::Adagrad.usual_step());
    format!("Stochastic models: size of the first steps (a), {usual} with {adagrad}")
}

fn schedules() -> String {
    Schedule::ALL.map(Schedule::name).join(", ")
}

fn sets() -> String {
    CovariateSet::ALL.map(CovariateSet::name).join(", ")
}

fn starts() -> String {
    Start::ALL.map(Start::name).join(", ")
}

/// The help of `--model`.
pub(crate) fn model_help(text: &str) -> String {
    format!("{text}: {} [default: {}]", Model::ALL.map(Model::name).join(", "), Settings::default().model)
}
