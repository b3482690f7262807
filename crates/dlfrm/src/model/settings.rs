//! What a user may choose, and the check that turns it into settings a chain can run with.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::covariates::CovariateSet;
use crate::error::{Error, Result};
use crate::network::Division;

use super::{Loss, Model, Schedule, Start, Variant};

/// What a user may choose. [`Settings::check`] turns it into settings that can run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Settings {
    /// The model.
    pub model: Model,
    /// Weight of a link in the loss (c+).
    pub c_pos: f64,
    /// Weight of a non-link in the loss (c-).
    pub c_neg: f64,
    /// The margin of the hinge loss (l).
    pub margin: f64,
    /// Mass of the Indian buffet process; its starting point if it is learned.
    pub alpha: f64,
    /// Whether alpha is drawn given the number of features, under a Gamma(1, 1) prior.
    pub learn_alpha: bool,
    /// Inverse standard deviation of a weight; its starting point if it is learned.
    pub nu: f64,
    /// Whether nu is drawn given the weights, under a Gamma prior on nu^2.
    pub learn_nu: bool,
    /// Whether a common intercept is added to every logit.
    pub intercept: bool,
    /// Standard deviation of the intercept's prior.
    pub intercept_sd: f64,
    /// What is known about a pair beside its label.
    pub covariates: CovariateSet,
    /// Standard deviation of the prior of a standardised covariate's coefficient.
    pub coefficient_sd: f64,
    /// Whether each entity adds something of its own to the logits of its pairs, as a source and as a target.
    pub node_effects: bool,
    /// Most features that one entity may get at once (K_max).
    pub max_new: usize,
    /// The share of the pairs that a Langevin step looks at (stochastic models).
    pub batch: f64,
    /// Langevin steps a sweep.
    pub inner_steps: usize,
    /// The rule for the sizes of Langevin steps.
    pub schedule: Schedule,
    /// The size of the first steps (a).
    pub step: f64,
    /// How late step sizes begin to fall (b).
    pub step_delay: f64,
    /// How fast they fall (gamma).
    pub step_decay: f64,
    /// How a chain starts.
    pub start: Start,
    /// How many chains are run.
    pub chains: usize,
    /// Sweeps before the first kept draw.
    pub burn_in: usize,
    /// Draws kept of each chain.
    pub draws: usize,
    /// Sweeps from one kept draw to the next.
    pub thin: usize,
    /// Everything random follows from it.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self::for_model(Model { variant: Variant::Full, loss: Loss::Logistic })
    }
}

impl Settings {
    /// The defaults of a model for a network that is not large (see [`for_pairs`](Self::for_pairs)).
    pub fn for_model(model: Model) -> Self {
        Self::for_pairs(model, 0)
    }

    /// The defaults of a model for so many pairs to learn from, chosen by measurement and the same for every network of
    /// such a size.
    ///
    /// The logit has what the links around a pair say of it. Features then have less to explain, and costs as high as
    /// without would let them explain chance. How all this was chosen is told in docs/evaluation.md.
    pub fn for_pairs(model: Model, pairs: usize) -> Self {
        let plain = Self::plain(model, pairs);
        Self {
            c_pos: 0.5 * plain.c_pos,
            c_neg: 0.5 * plain.c_neg,
            covariates: CovariateSet::Topology,
            ..plain
        }
    }

    /// The same for the model as it is in the paper: its logit has features and an intercept, and nothing else.
    ///
    /// Defaults depend on the model. Diagonal weights are few, so their prior is wide; and their chains are cheap and
    /// differ more, so there are twice as many. The hinge loss falls with slope 2c where the logistic one falls
    /// with slope c, so it gets smaller costs, and a margin that few pairs reach by a hair. An intercept, which the
    /// paper does not have, says how rare links are, so that no feature has to: it helps most where there are
    /// few links.
    ///
    /// Those of a large network ([`Division::LARGE`]) have few sweeps, because these are long, and two chains; its entities
    /// have more features, which only diagonal weights can afford.
    pub fn plain(model: Model, pairs: usize) -> Self {
        let defaults = Self::plain_small(model);
        if pairs <= Division::LARGE {
            return defaults;
        }
        let alpha = if model.diagonal() { 10.0 } else { defaults.alpha };
        let (burn_in, draws) = if pairs <= Self::VERY_LARGE { (10, 10) } else { (8, 4) };
        // With so little evidence for most entities, costs as small as elsewhere let the prior of the rows win.
        let (c_pos, c_neg, margin) = match (model.diagonal(), model.loss) {
            (true, Loss::Hinge) => (3.0, 0.3, 1.0),
            _ => (defaults.c_pos, defaults.c_neg, defaults.margin),
        };
        Self { c_pos, c_neg, margin, alpha, chains: 2, burn_in, draws, ..defaults }
    }

    /// Beyond so many pairs the defaults have still fewer sweeps.
    pub const VERY_LARGE: usize = 10_000_000;

    fn plain_small(model: Model) -> Self {
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

    /// Checks every value. The bounds are far from anything of use: they refuse what would run for ever or
    /// fill the memory.
    pub fn check(self) -> Result<ValidSettings> {
        let refuse = |name, expected, value| Err(Error::Setting { name, expected, value });
        let cost = (1e-6, 1e4, "between 0.000001 and 10000");
        let scale = (1e-6, 1e6, "between 0.000001 and 1000000");
        let numbers = [
            ("c-pos", self.c_pos, cost),
            ("c-neg", self.c_neg, cost),
            ("margin", self.margin, scale),
            ("alpha", self.alpha, (1e-6, 1e3, "between 0.000001 and 1000")),
            ("nu", self.nu, scale),
            ("intercept-sd", self.intercept_sd, scale),
            ("coefficient-sd", self.coefficient_sd, scale),
            ("batch", self.batch, (1e-9, 1.0, "above 0 and at most 1")),
            ("step", self.step, scale),
        ];
        for (name, value, (least, most, range)) in numbers {
            if !(value > 0.0 && value.is_finite()) {
                return refuse(name, "a positive number", value.to_string());
            }
            if !(least..=most).contains(&value) {
                return refuse(name, range, value.to_string());
            }
        }
        // These may be zero.
        for (name, value) in [("step-delay", self.step_delay), ("step-decay", self.step_decay)] {
            if !(0.0..=1e6).contains(&value) {
                return refuse(name, "between 0 and 1000000", value.to_string());
            }
        }
        let million = (1_000_000, "at most 1000000");
        let counts = [
            ("max-new", self.max_new, (1_000, "at most 1000")),
            ("chains", self.chains, (10_000, "at most 10000")),
            ("draws", self.draws, million),
            ("thin", self.thin, million),
            ("inner-steps", self.inner_steps, million),
            // None at all is a burn-in, too.
            ("burn-in", self.burn_in.max(1), million),
        ];
        for (name, value, (most, limit)) in counts {
            if value == 0 {
                return refuse(name, "at least 1", value.to_string());
            }
            if value > most {
                return refuse(name, limit, value.to_string());
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

/// Settings that passed [`Settings::check`].
#[derive(Debug, Clone, PartialEq)]
pub struct ValidSettings(pub(super) Settings);

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

    /// How many sweeps a chain makes.
    pub fn sweeps(&self) -> usize {
        self.burn_in + self.draws * self.thin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_the_value() {
        let message = |settings: Settings| settings.check().unwrap_err().to_string();
        assert_eq!(
            message(Settings { alpha: -1.0, ..Settings::default() }),
            "alpha must be a positive number, is -1"
        );
        assert_eq!(
            message(Settings { nu: f64::NAN, ..Settings::default() }),
            "nu must be a positive number, is NaN"
        );
        assert_eq!(message(Settings { chains: 0, ..Settings::default() }), "chains must be at least 1, is 0");
        assert!(Settings::default().check().is_ok());
    }

    #[test]
    fn what_would_never_end_is_refused() {
        let message = |settings: Settings| settings.check().unwrap_err().to_string();
        let default = Settings::default;
        let cases = [
            (
                Settings { draws: usize::MAX, ..default() },
                format!("draws must be at most 1000000, is {}", usize::MAX),
            ),
            (
                Settings { burn_in: 1_000_001, ..default() },
                "burn-in must be at most 1000000, is 1000001".to_owned(),
            ),
            (Settings { max_new: 1001, ..default() }, "max-new must be at most 1000, is 1001".to_owned()),
            (
                Settings { draws: 1_000_000, thin: 1_000_000, burn_in: 7, ..default() },
                "burn-in + draws x thin must be at most 10000000, is 1000000000007".to_owned(),
            ),
            (
                Settings { draws: 1_000_000, chains: 11, ..default() },
                "chains x draws must be at most 10000000, is 11000000".to_owned(),
            ),
            (
                Settings { c_pos: 1e5, ..default() },
                "c-pos must be between 0.000001 and 10000, is 100000".to_owned(),
            ),
            (
                Settings { nu: 1e-7, ..default() },
                "nu must be between 0.000001 and 1000000, is 0.0000001".to_owned(),
            ),
            (
                Settings { alpha: 1001.0, ..default() },
                "alpha must be between 0.000001 and 1000, is 1001".to_owned(),
            ),
        ];
        for (settings, told) in cases {
            assert_eq!(message(settings), told);
        }
        let settings = Settings { draws: 1_000_000, thin: 9, burn_in: 1_000_000, chains: 10, ..default() };
        assert_eq!(settings.check().unwrap().sweeps(), 10_000_000);
        assert!(Settings { burn_in: 0, ..default() }.check().is_ok());
    }
}
