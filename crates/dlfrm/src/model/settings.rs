//! What a user may choose: one table of settings, from which names, help, ranges and defaults come for every front end, and the
//! check that turns them into settings that a chain can run with.

use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::covariates::CovariateSet;
use crate::error::{Error, Result};
use crate::named::named;
use crate::network::Division;

use super::{Loss, Model, Start, Variant};

/// What kind of values a setting has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// On or off.
    Switch,
    /// A real number.
    Number,
    /// A whole number.
    Count,
    /// One of several words.
    Word,
}

/// One setting of a fit: its name, what it means, and how it is read and set by name.
///
/// ```
/// use dlfrm::model::{Overrides, SETTINGS, Settings};
///
/// let draws = SETTINGS.iter().find(|setting| setting.name == "draws").unwrap();
/// let mut overrides = Overrides::default();
/// draws.set(&mut overrides, "200")?;
/// let settings = overrides.over(Settings::default());
/// assert_eq!((settings.draws, draws.value(&settings)), (200, "200".to_owned()));
/// # Ok::<(), dlfrm::Error>(())
/// ```
#[derive(Debug)]
pub struct Setting {
    /// The name that flags and files use.
    pub name: &'static str,
    /// What kind of values it has.
    pub kind: SettingKind,
    /// The words that it accepts, if it is one of several.
    pub words: &'static [&'static str],
    pub(super) help: &'static str,
    pub(super) range: Range,
    pub(super) read: fn(&Settings) -> String,
    pub(super) given: fn(&Overrides) -> bool,
    pub(super) write: fn(&mut Overrides, &str) -> Option<()>,
    pub(super) check: fn(&Settings) -> std::result::Result<(), &'static str>,
}

impl Setting {
    /// What it means, in a few words.
    pub fn help(&self) -> &'static str {
        self.help.trim()
    }

    /// The least and the largest whole number that it accepts, if it is a count with such bounds.
    pub fn bounds(&self) -> Option<(usize, usize)> {
        match self.range {
            Range::Count(least, most, _) => Some((least, most)),
            _ => None,
        }
    }

    /// Its value among some settings, as text.
    pub fn value(&self, settings: &Settings) -> String {
        (self.read)(settings)
    }

    /// Whether it is among some overrides.
    pub(crate) fn given(&self, overrides: &Overrides) -> bool {
        (self.given)(overrides)
    }

    /// Overrides it by a value that is written as text. Whether the value is in range is checked by
    /// [`Settings::check`].
    pub fn set(&self, overrides: &mut Overrides, value: &str) -> Result<()> {
        let expected = match self.kind {
            SettingKind::Switch => "true or false",
            SettingKind::Number => "a number",
            SettingKind::Count => "a whole number",
            SettingKind::Word => {
                let (what, known) = (self.name, self.words.join(", "));
                let unknown = || Error::Unknown { what, name: value.to_owned(), known };
                return (self.write)(overrides, value).ok_or_else(unknown);
            }
        };
        let refused = || Error::Setting { name: self.name, expected, value: value.to_owned() };
        (self.write)(overrides, value).ok_or_else(refused)
    }
}

/// A type of which settings are made.
pub(super) trait Value: Sized {
    const KIND: SettingKind;
    const WORDS: &'static [&'static str] = &[];
    fn parse(text: &str) -> Option<Self>;
    fn text(&self) -> String;
    /// What would have been accepted, if the value is out of range.
    fn check(&self, range: &Range) -> std::result::Result<(), &'static str>;
}

/// The values that are accepted. The bounds are far from anything of use: they refuse what would run for ever or fill the
/// memory.
#[derive(Debug)]
pub(super) enum Range {
    Any,
    Positive(f64, f64, &'static str),
    FromZero(f64, &'static str),
    Count(usize, usize, &'static str),
}

/// A number as text, with an exponent where it would have many digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !(1e-9..1e15).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

impl Value for f64 {
    const KIND: SettingKind = SettingKind::Number;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn text(&self) -> String {
        number(*self)
    }

    fn check(&self, range: &Range) -> std::result::Result<(), &'static str> {
        match *range {
            Range::Positive(..) if !(*self > 0.0 && self.is_finite()) => Err("a positive number"),
            Range::Positive(least, most, text) if !(least..=most).contains(self) => Err(text),
            Range::FromZero(most, text) if !(0.0..=most).contains(self) => Err(text),
            _ => Ok(()),
        }
    }
}

impl Value for usize {
    const KIND: SettingKind = SettingKind::Count;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn check(&self, range: &Range) -> std::result::Result<(), &'static str> {
        match *range {
            Range::Count(least, ..) if *self < least => Err("at least 1"),
            Range::Count(_, most, text) if *self > most => Err(text),
            _ => Ok(()),
        }
    }
}

/// Types whose every value is accepted.
macro_rules! unbounded {
    ($($type:ty: $kind:ident $(, $words:expr)?;)*) => {$(
        impl Value for $type {
            const KIND: SettingKind = SettingKind::$kind;
            $(const WORDS: &'static [&'static str] = &$words;)?

            fn parse(text: &str) -> Option<Self> {
                Self::from_str(text).ok()
            }

            fn text(&self) -> String {
                self.to_string()
            }

            fn check(&self, _: &Range) -> std::result::Result<(), &'static str> {
                Ok(())
            }
        }
    )*};
}

unbounded! {
    bool: Switch;
    u64: Count;
    Schedule: Word, [Schedule::Polynomial.name(), Schedule::Adagrad.name()];
    Start: Word, [
        Start::Paper.name(), Start::Prior.name(), Start::Empty.name(), Start::Annealed.name(), Start::Groups.name(),
    ];
    CovariateSet: Word, [CovariateSet::None.name(), CovariateSet::Topology.name()];
}

/// Declares [`Settings`], [`Overrides`] and [`SETTINGS`](super::SETTINGS) from one table.
macro_rules! settings {
    ($(#[doc = $doc:literal] $field:ident: $type:ty, $name:literal, $range:expr;)*) => {
        /// What a user may choose. [`Settings::check`] turns it into settings that can run.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case")]
        pub struct Settings {
            /// The model.
            pub model: Model,
            $(#[doc = $doc] pub $field: $type,)*
        }

        /// Settings that differ from the defaults: `None` leaves the default, which depends on the model and on the size of
        /// the network.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
        pub struct Overrides {
            $(#[doc = $doc] #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }

        impl Overrides {
            /// These settings where they are chosen, `defaults` elsewhere.
            pub fn over(&self, defaults: Settings) -> Settings {
                let step = self.step.or_else(|| self.usual_step(&defaults)).unwrap_or(defaults.step);
                let chosen =
                    Settings { model: defaults.model, $($field: self.$field.unwrap_or(defaults.$field),)* };
                Settings { step, ..chosen }
            }

            /// These where they are chosen, `others` elsewhere.
            #[must_use]
            pub fn or(self, others: Self) -> Self {
                Self { $($field: self.$field.or(others.$field),)* }
            }
        }

        impl From<&Settings> for Overrides {
            /// Every setting but the model.
            fn from(settings: &Settings) -> Self {
                Self { $($field: Some(settings.$field),)* }
            }
        }

        /// Every setting but the model, in the order in which they are listed for people.
        pub static SETTINGS: &[Setting] = &[$(Setting {
            name: $name,
            help: $doc,
            range: $range,
            kind: <$type as Value>::KIND,
            words: <$type as Value>::WORDS,
            read: |settings| settings.$field.text(),
            given: |overrides| overrides.$field.is_some(),
            write: |overrides, text| {
                overrides.$field = Some(<$type as Value>::parse(text)?);
                Some(())
            },
            check: |settings| settings.$field.check(&$range),
        },)*];
    };
}

/// A rule for the sizes of Langevin steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// a (b + t)^-gamma at inner step t of a sweep, in units of what the curvature allows.
    Polynomial,
    /// a over the root of the summed squares of a weight's derivatives (Duchi et al. 2011).
    Adagrad,
}

impl Schedule {
    /// Every schedule.
    pub const ALL: [Self; 2] = [Self::Polynomial, Self::Adagrad];

    /// The name that flags and files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Polynomial => "polynomial",
            Self::Adagrad => "adagrad",
        }
    }

    /// The size of the first steps, where nothing else is known.
    pub fn usual_step(self) -> f64 {
        match self {
            Self::Polynomial => 1.0,
            Self::Adagrad => 0.1,
        }
    }

    /// The size of inner step number `step` (from 1) of a sweep under the polynomial rule.
    pub(crate) fn polynomial(settings: &ValidSettings, step: usize) -> f64 {
        settings.step * (settings.step_delay + step as f64).powf(-settings.step_decay)
    }
}

named!(Schedule, "schedule", Self::ALL);

const COST: Range = Range::Positive(1e-6, 1e4, "between 0.000001 and 10000");
const SCALE: Range = Range::Positive(1e-6, 1e6, "between 0.000001 and 1000000");
const FROM_ZERO: Range = Range::FromZero(1e6, "between 0 and 1000000");
const MILLION: Range = Range::Count(1, 1_000_000, "at most 1000000");

settings! {
    /// Weight of a link in the loss (c+)
    c_pos: f64, "c-pos", COST;
    /// Weight of a non-link in the loss (c-)
    c_neg: f64, "c-neg", COST;
    /// Margin of the hinge loss
    margin: f64, "margin", SCALE;
    /// Inverse standard deviation of a weight; its first value if it is learned
    nu: f64, "nu", SCALE;
    /// Mass of the Indian buffet process; its first value if it is learned and chains do not start with groups
    alpha: f64, "alpha", Range::Positive(1e-6, 1e3, "between 0.000001 and 1000");
    /// Learn alpha, under a Gamma(1, 1) prior
    learn_alpha: bool, "learn-alpha", Range::Any;
    /// Learn nu, under a Gamma prior on nu^2
    learn_nu: bool, "learn-nu", Range::Any;
    /// Add a common intercept to every logit
    intercept: bool, "intercept", Range::Any;
    /// Standard deviation of the intercept's prior
    intercept_sd: f64, "intercept-sd", SCALE;
    /// Covariates of a pair, computed from the links around it
    covariates: CovariateSet, "covariates", Range::Any;
    /// Standard deviation of the prior of a covariate's coefficient
    coefficient_sd: f64, "coefficient-sd", SCALE;
    /// Give each node an effect on its links, as a source and as a target
    node_effects: bool, "node-effects", Range::Any;
    /// Most features that a node may get in one step; 0 leaves features out
    max_new: usize, "max-new", Range::Count(0, 1_000, "at most 1000");
    /// Stochastic models: share of the pairs in a Langevin step
    batch: f64, "batch", Range::Positive(1e-9, 1.0, "above 0 and at most 1");
    /// Stochastic models: Langevin steps per sweep
    inner_steps: usize, "inner-steps", MILLION;
    /// Stochastic models: rule for step sizes
    schedule: Schedule, "schedule", Range::Any;
    /// Stochastic models: size of the first steps (a)
    step: f64, "step", SCALE;
    /// Stochastic models: how late polynomial steps begin to shrink (b)
    step_delay: f64, "step-delay", FROM_ZERO;
    /// Stochastic models: how fast polynomial steps shrink (gamma)
    step_decay: f64, "step-decay", FROM_ZERO;
    /// How a chain starts
    start: Start, "start", Range::Any;
    /// Chains, run in parallel (one after the other in large networks)
    chains: usize, "chains", Range::Count(1, 10_000, "at most 10000");
    /// Sweeps of a chain before its first draw
    burn_in: usize, "burn-in", Range::Count(0, 1_000_000, "at most 1000000");
    /// Draws kept of each chain
    draws: usize, "draws", MILLION;
    /// Sweeps from one kept draw to the next
    thin: usize, "thin", MILLION;
    /// Random seed
    seed: u64, "seed", Range::Any;
}

impl Default for Settings {
    fn default() -> Self {
        Self::for_model(Model { variant: Variant::Full, loss: Loss::Logistic })
    }
}

impl Settings {
    /// The defaults of a model for a network that is not large (see [`defaults`](Self::defaults)).
    pub fn for_model(model: Model) -> Self {
        Self::defaults(model, 0)
    }

    /// The defaults of a model for so many pairs to learn from; docs/defaults.md says how they were chosen.
    pub fn defaults(model: Model, pairs: usize) -> Self {
        let paper = Self::paper_defaults(model, pairs);
        Self {
            c_pos: 0.5 * paper.c_pos,
            c_neg: 0.5 * paper.c_neg,
            covariates: CovariateSet::Topology,
            ..paper
        }
    }

    /// The same for the model as it is in the paper: its logit has features and an intercept, and nothing else. Those of a large
    /// network ([`Settings::LARGE`]) have few sweeps, because these are long, and two chains.
    pub fn paper_defaults(model: Model, pairs: usize) -> Self {
        let defaults = Self::paper_small(model);
        if pairs <= Division::LARGE {
            return defaults;
        }
        let alpha = if model.diagonal() { 10.0 } else { defaults.alpha };
        let (burn_in, draws) = if pairs <= Self::VERY_LARGE { (10, 10) } else { (8, 4) };
        // With so little evidence for most nodes, costs as small as elsewhere let the prior of the rows win.
        let (c_pos, c_neg, margin) = match (model.diagonal(), model.loss) {
            (true, Loss::Hinge) => (3.0, 0.3, 1.0),
            _ => (defaults.c_pos, defaults.c_neg, defaults.margin),
        };
        Self { c_pos, c_neg, margin, alpha, chains: 2, burn_in, draws, ..defaults }
    }

    /// The defaults of a posterior of features alone, which covariates are combined with: a likelihood (both costs are 1)
    /// with alpha and nu learned, and an effect of each node, so that no feature has to explain degrees. Chains start with
    /// groups found in the links; with weights between all features groups of a large network would be too many.
    ///
    /// Chains are as long as the pairs allow in about the same time: some 80 million pairs are visited per chain, in 12 to
    /// 800 sweeps. Four chains run where they have all of their sweeps, two elsewhere.
    pub fn features_defaults(model: Model, pairs: usize) -> Self {
        const LEAST: usize = 12;
        let sweeps = (Self::MANY * Self::SWEEPS / pairs.max(1)).clamp(LEAST, Self::SWEEPS);
        let kept = sweeps / 4;
        let draws = kept.min(100);
        let paper = Self::paper_small(model);
        let (c_pos, c_neg, margin, learn_nu) = match (model.loss, model.diagonal()) {
            (Loss::Logistic, _) => (1.0, 1.0, paper.margin, true),
            (Loss::Hinge, false) => (0.5, 0.5, 1.5, true),
            (Loss::Hinge, true) => (paper.c_pos, paper.c_neg, paper.margin, false),
        };
        Self {
            c_pos,
            c_neg,
            margin,
            learn_alpha: true,
            learn_nu,
            coefficient_sd: Self::COEFFICIENT_SD,
            node_effects: true,
            start: if model.diagonal() || pairs <= Self::MANY { Start::Groups } else { paper.start },
            chains: if sweeps == Self::SWEEPS { 4 } else { 2 },
            burn_in: sweeps - kept,
            draws,
            thin: kept / draws,
            ..paper
        }
    }

    /// The defaults of covariates alone, a logistic regression if the model has this loss: its chains are short, because they
    /// forget at once. Four chains have 50 draws each after 25 sweeps, two of a larger network 25 after 6.
    pub fn linear_defaults(model: Model, pairs: usize) -> Self {
        const VISITS: usize = 4_000_000;
        let draws = (VISITS / pairs.max(1)).clamp(25, 50);
        let burn_in = (VISITS / 2 / pairs.max(1)).clamp(6, 25);
        let chains = Self::features_defaults(model, pairs).chains;
        let defaults = Self::defaults(model, pairs);
        // Equal costs are a likelihood: where the regression is wrong, others raise the most probable pairs.
        let (c_pos, c_neg) =
            if model.loss == Loss::Logistic { (1.0, 1.0) } else { (defaults.c_pos, defaults.c_neg) };
        Self { c_pos, c_neg, coefficient_sd: Self::COEFFICIENT_SD, chains, burn_in, draws, ..defaults }
            .linear()
    }

    /// These settings of features with the covariates of another posterior that theirs is combined with.
    #[must_use]
    pub(crate) fn combined_with(self, covariates: &Self) -> Self {
        let &Self { covariates, coefficient_sd, .. } = covariates;
        Self { covariates, coefficient_sd, ..self }
    }

    /// These settings without features.
    #[must_use]
    pub fn linear(self) -> Self {
        Self { max_new: 0, start: Start::Empty, learn_alpha: false, learn_nu: false, ..self }
    }

    /// The standard deviation of a coefficient where covariates have a posterior of their own (docs/defaults.md).
    const COEFFICIENT_SD: f64 = 0.25;
    /// The most sweeps of a chain by default, and the pairs from which on there are fewer.
    pub(crate) const SWEEPS: usize = 800;
    pub(crate) const MANY: usize = 100_000;
    /// A network with more pairs than this is large: its chains run one after the other, with threads sharing each sweep.
    pub const LARGE: usize = Division::LARGE;
    /// Beyond so many pairs the defaults have still fewer sweeps.
    pub const VERY_LARGE: usize = 10_000_000;

    fn paper_small(model: Model) -> Self {
        let (c_pos, margin, nu, chains) = match (model.loss, model.diagonal()) {
            (Loss::Logistic, false) => (3.0, 1.0, 1.5, 8),
            (Loss::Hinge, false) => (1.5, 2.0, 1.5, 8),
            (Loss::Logistic, true) => (3.0, 1.0, 0.7, 16),
            (Loss::Hinge, true) => (0.5, 3.0, 0.1, 16),
        };
        // Rates of the hinge loss are spread over many orders: gradients from a part of the pairs are too rough for it.
        let (batch, inner_steps, step, step_decay) = match model.loss {
            Loss::Logistic => (0.1, 10, 1.0, 0.5),
            Loss::Hinge => (1.0, 20, 2.0, 0.3),
        };
        Self {
            model,
            c_pos,
            c_neg: c_pos / 10.0,
            margin,
            alpha: 2.0,
            learn_alpha: false,
            nu,
            learn_nu: false,
            intercept: true,
            intercept_sd: 5.0,
            covariates: CovariateSet::None,
            coefficient_sd: 1.0,
            node_effects: false,
            max_new: 4,
            batch,
            inner_steps,
            schedule: Schedule::Polynomial,
            step,
            step_delay: 0.0,
            step_decay,
            start: Start::Annealed,
            chains,
            burn_in: 50,
            draws: 50,
            thin: 1,
            seed: 1,
        }
    }

    /// Checks every value.
    pub fn check(self) -> Result<ValidSettings> {
        let refuse = |name, expected, value| Err(Error::Setting { name, expected, value });
        for setting in SETTINGS {
            if let Err(expected) = (setting.check)(&self) {
                return refuse(setting.name, expected, setting.value(&self));
            }
        }
        // Both factors are at most a million, so neither product overflows.
        let totals = [
            ("burn-in + draws x thin", self.burn_in as u64 + self.draws as u64 * self.thin as u64),
            ("chains x draws", self.chains as u64 * self.draws as u64),
        ];
        for (name, value) in totals {
            if value > 10_000_000 {
                return refuse(name, "at most 10000000", value.to_string());
            }
        }
        Ok(ValidSettings(self))
    }
}

/// Why nothing looks at a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Idle {
    /// There are no features.
    WithoutFeatures,
    /// There are no covariates, and nothing is known beside the links.
    WithoutCovariates,
    /// There is no intercept.
    WithoutIntercept,
    /// The schedule is adagrad.
    WithAdagrad,
    /// It is learned, and chains start with groups.
    Learned,
    /// The model has no such setting.
    OfModel,
    /// What is fitted, by name, has no such setting.
    With(String),
}

/// The end of "has no effect".
impl std::fmt::Display for Idle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WithoutFeatures => write!(f, "without features"),
            Self::WithoutCovariates => write!(f, "without covariates"),
            Self::WithoutIntercept => write!(f, "without an intercept"),
            Self::WithAdagrad => write!(f, "with the schedule adagrad"),
            Self::Learned => write!(f, "where it is learned and chains start with groups"),
            Self::OfModel => write!(f, "with this model"),
            Self::With(names) => write!(f, "with {names}"),
        }
    }
}

impl Overrides {
    /// The names of the settings among these that no fit with one of these settings looks at, with the reason; none
    /// but the seed is looked at where nothing is fitted. `names` are those of what is fitted, and `coefficients` says
    /// whether there are any beside those of a fit's own covariates: of side information, or of a second posterior.
    pub fn without_effect(
        &self,
        fits: &[&Settings],
        names: &str,
        coefficients: bool,
    ) -> Vec<(&'static str, Idle)> {
        let given = SETTINGS.iter().filter(|setting| setting.name != "seed" && setting.given(self));
        let idle = given.filter_map(|setting| {
            let kept = |fit: &Settings| setting.value(fit) == setting.value(&self.over(fit.clone()));
            let reason = |fit: &&Settings| {
                Self::reason(setting.name, fit, coefficients).or((!kept(fit)).then_some(Idle::OfModel))
            };
            let reasons: Vec<Idle> = fits.iter().map_while(reason).collect();
            let same = reasons.iter().all(|reason| *reason == reasons[0]);
            let reason = reasons.first().filter(|&reason| same && *reason != Idle::OfModel);
            let reason = reason.cloned().unwrap_or_else(|| Idle::With(names.to_owned()));
            (reasons.len() == fits.len()).then_some((setting.name, reason))
        });
        idle.collect()
    }

    /// Why a fit does not look at a setting, if it does not.
    fn reason(name: &str, fit: &Settings, coefficients: bool) -> Option<Idle> {
        let features = fit.max_new > 0;
        let idle = |idle: bool, reason| idle.then_some(reason);
        match name {
            "margin" => idle(fit.model.loss != Loss::Hinge, Idle::OfModel),
            // A feature of one node alone is part of no logit there, so that any number is drawn from the prior.
            "max-new" => idle(features && fit.model.diagonal(), Idle::OfModel),
            "batch" | "inner-steps" | "schedule" | "step" | "step-delay" | "step-decay"
                if fit.model.variant != Variant::Stochastic =>
            {
                Some(Idle::OfModel)
            }
            "step-delay" | "step-decay" => idle(fit.schedule == Schedule::Adagrad, Idle::WithAdagrad),
            "alpha" | "nu" | "learn-alpha" | "learn-nu" if !features => Some(Idle::WithoutFeatures),
            "start" => idle(!features && fit.covariates != CovariateSet::None, Idle::WithoutFeatures),
            "alpha" => idle(fit.learn_alpha && fit.start == Start::Groups, Idle::Learned),
            "intercept-sd" => idle(!fit.intercept, Idle::WithoutIntercept),
            "coefficient-sd" => {
                idle(!coefficients && fit.covariates == CovariateSet::None, Idle::WithoutCovariates)
            }
            _ => None,
        }
    }

    /// The first step of another schedule than the default one.
    fn usual_step(&self, defaults: &Settings) -> Option<f64> {
        self.schedule.filter(|&schedule| schedule != defaults.schedule).map(Schedule::usual_step)
    }
}

/// Settings that passed [`Settings::check`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Settings", into = "Settings")]
pub struct ValidSettings(pub(super) Settings);

impl TryFrom<Settings> for ValidSettings {
    type Error = Error;

    fn try_from(settings: Settings) -> Result<Self> {
        settings.check()
    }
}

impl From<ValidSettings> for Settings {
    fn from(settings: ValidSettings) -> Self {
        settings.0
    }
}

impl Deref for ValidSettings {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.0
    }
}

impl ValidSettings {
    /// The settings as a user chose them.
    pub fn into_inner(self) -> Settings {
        self.0
    }

    /// The weight of a pair in the loss (c).
    #[inline]
    pub fn cost(&self, link: bool) -> f64 {
        if link { self.c_pos } else { self.c_neg }
    }

    /// The linear coefficient of a pair (kappa).
    #[inline]
    pub(crate) fn pull(&self, link: bool, rate: f64) -> f64 {
        self.model.loss.pull(link, rate, self.cost(link), self.margin)
    }

    /// Inverse variance of the intercept's prior.
    pub fn intercept_precision(&self) -> f64 {
        self.intercept_sd.powi(-2)
    }

    /// Inverse variance of the prior of a covariate's coefficient.
    pub fn coefficient_precision(&self) -> f64 {
        self.coefficient_sd.powi(-2)
    }

    /// Whether there is more to the linear part than an intercept.
    pub fn linear(&self) -> bool {
        self.node_effects || self.covariates != CovariateSet::None
    }

    /// Whether the linear part is all there is of a state with so many features: there will be none.
    pub(crate) fn linear_alone(&self, features: usize) -> bool {
        self.max_new == 0 && features == 0
    }

    /// Whether chains with so many features can do without the rate of each pair, if nodes have no effects. Diagonal
    /// weights, even none, are drawn together with the intercept, and an annealed start may have another loss.
    pub(crate) fn without_rates(&self, features: usize) -> bool {
        let Settings { model, start, .. } = self.0;
        let logistic = model.loss == Loss::Logistic && start != Start::Annealed;
        self.linear_alone(features) && logistic && !model.diagonal()
    }

    /// The same with some sweeps more before the first draw, for what does not run chains.
    pub(crate) fn with_longer_burn_in(&self, later: usize) -> Self {
        Self(Settings { burn_in: self.burn_in + later, ..self.0.clone() })
    }

    /// The same with some draws fewer, for what does not run chains.
    pub(crate) fn with_fewer_draws(&self, fewer: usize) -> Self {
        Self(Settings { draws: self.draws - fewer, ..self.0.clone() })
    }

    /// How many sweeps a chain makes.
    pub fn sweeps(&self) -> usize {
        self.burn_in + self.draws * self.thin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_other_models_have_no_effect() {
        let given =
            Overrides { margin: Some(2.0), step: Some(0.1), alpha: Some(1.0), ..Overrides::default() };
        let idle = |models: &[&str]| {
            let fits = models.iter().map(|model| given.over(Settings::for_model(model.parse().unwrap())));
            let fits: Vec<Settings> = fits.collect();
            let idle = given.without_effect(&fits.iter().collect::<Vec<_>>(), "these", false);
            idle.into_iter().map(|(name, reason)| format!("{name} {reason}")).collect::<Vec<_>>()
        };
        assert_eq!(idle(&["dlfrm-l"]), ["margin with these", "step with these"]);
        assert_eq!(idle(&["diag-dlfrm-h"]), ["step with these"]);
        assert_eq!(idle(&["sto-dlfrm-l"]), ["margin with these"]);
        assert!(idle(&["dlfrm-h", "sto-dlfrm-l"]).is_empty());
        assert_eq!(idle(&[]), ["margin with these", "alpha with these", "step with these"]);
    }

    #[test]
    fn settings_of_what_is_left_out_have_no_effect() {
        let defaults = Settings::features_defaults("diag-dlfrm-l".parse().unwrap(), 0);
        let idle = |given: &Overrides, coefficients| -> Vec<String> {
            let idle = given.without_effect(&[&given.over(defaults.clone())], "m", coefficients);
            idle.into_iter().map(|(name, reason)| format!("{name} {reason}")).collect()
        };
        let given =
            Overrides { alpha: Some(3.0), nu: Some(3.0), intercept_sd: Some(1.0), ..Overrides::default() };
        assert_eq!(idle(&given, false), ["alpha where it is learned and chains start with groups"]);
        assert!(idle(&Overrides { learn_alpha: Some(false), ..given.clone() }, false).is_empty());
        assert!(idle(&Overrides { start: Some(Start::Empty), ..given.clone() }, false).is_empty());
        let alone = Overrides { max_new: Some(0), intercept: Some(false), learn_nu: Some(false), ..given };
        assert_eq!(
            idle(&alone, false),
            [
                "nu without features",
                "alpha without features",
                "learn-nu without features",
                "intercept-sd without an intercept"
            ]
        );
        let given = Overrides { coefficient_sd: Some(2.0), ..Overrides::default() };
        assert_eq!(idle(&given, false), ["coefficient-sd without covariates"]);
        assert!(idle(&given, true).is_empty());
        // Covariates alone have no features, whatever is asked for.
        let given = Overrides { max_new: Some(3), ..Overrides::default() };
        let fit = given.over(defaults.clone()).linear();
        assert_eq!(
            given.without_effect(&[&fit], "linear", false),
            [("max-new", Idle::With("linear".to_owned()))]
        );
    }

    #[test]
    fn messages_carry_the_value() {
        let default = Settings::default;
        for (settings, expected) in [
            (Settings { nu: f64::NAN, ..default() }, "nu must be a positive number, is NaN"),
            (Settings { nu: 1e-7, ..default() }, "nu must be between 0.000001 and 1000000, is 0.0000001"),
            (Settings { alpha: -1.0, ..default() }, "alpha must be a positive number, is -1"),
            (Settings { alpha: 1001.0, ..default() }, "alpha must be between 0.000001 and 1000, is 1001"),
            (Settings { c_pos: 1e5, ..default() }, "c-pos must be between 0.000001 and 10000, is 100000"),
            (Settings { chains: 0, ..default() }, "chains must be at least 1, is 0"),
            (Settings { burn_in: 1_000_001, ..default() }, "burn-in must be at most 1000000, is 1000001"),
            (Settings { max_new: 1001, ..default() }, "max-new must be at most 1000, is 1001"),
            (
                Settings { draws: 1_000_000, thin: 1_000_000, burn_in: 7, ..default() },
                "burn-in + draws x thin must be at most 10000000, is 1000000000007",
            ),
            (
                Settings { draws: 1_000_000, chains: 11, ..default() },
                "chains x draws must be at most 10000000, is 11000000",
            ),
        ] {
            assert_eq!(settings.check().unwrap_err().to_string(), expected);
        }
        let settings = Settings { draws: 1_000_000, thin: 9, burn_in: 1_000_000, chains: 10, ..default() };
        assert_eq!(settings.check().unwrap().sweeps(), 10_000_000);
        assert!(Settings { burn_in: 0, ..default() }.check().is_ok());
    }
}
