//! The part `covariates`: what is known of pairs beside their labels, with coefficients, and no features.

use crate::error::Result;
use crate::model::{Settings, ValidSettings};
use crate::network::Pairs;

/// Draws beyond which their error does not count.
const ENOUGH_DRAWS: usize = 1_000;

/// Draws of each chain in a trial: at least, and at most. The more pairs there are, the less draws differ.
const TRIAL_DRAWS: [usize; 2] = [8, 25];
/// Pairs that these draws look at, unless there are more or fewer of them.
const TRIAL_VISITS: usize = 4_000_000;

/// The settings of the part beside features with these, for so many pairs.
pub(super) fn settings(features: &ValidSettings, pairs: usize) -> Result<ValidSettings> {
    let Settings { seed, chains, coefficient_sd, draws, .. } = **features;
    let defaults = Settings::linear_defaults(Settings::default().model, pairs);
    Settings { coefficient_sd, chains, seed, draws: keep_up(defaults.draws, draws), ..defaults }.check()
}

/// These draws, or more: half as many as the features have, or enough.
pub(super) fn keep_up(draws: usize, of_features: usize) -> usize {
    draws.max((of_features / 2).min(ENOUGH_DRAWS))
}

/// The settings of a trial, however many draws the fit has, so that it can be asked for more.
pub(in crate::fit) fn short_trial(settings: &ValidSettings, relations: &[&Pairs]) -> Settings {
    let pairs: usize = relations.iter().map(|pairs| pairs.len()).sum();
    let most = (TRIAL_VISITS / pairs.max(1)).clamp(TRIAL_DRAWS[0], TRIAL_DRAWS[1]);
    let (draws, burn_in) = (settings.draws.min(most), settings.burn_in.min(most));
    Settings { burn_in, draws, ..settings.clone().into_inner() }
}
