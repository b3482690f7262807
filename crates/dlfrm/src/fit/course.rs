//! How a fit goes: everything that is decided before and between its chains, so that another run can go on with it.

use serde::{Deserialize, Serialize};

use super::chosen::Chosen;
use super::{Candidates, Choice, PairPlan, Plan, Sharing};
use crate::error::{Error, Result};
use crate::model::{Settings, ValidSettings};
use crate::posterior::{Agreement, Combination};
use crate::warning::{RoundsEnd, Warning};

/// How a fit goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The numbers of the relations that are learned from.
    pub(crate) relations: Vec<usize>,
    pub(crate) pairs: PairPlan,
    pub(crate) sharing: Sharing,
    /// Of the features' posterior, or the only one.
    pub(crate) settings: Settings,
    /// Of the covariates' posterior, if there are two.
    pub(crate) linear: Option<Settings>,
    /// What was chosen on a development set; `None` before the choice.
    pub(crate) chosen: Option<ChosenCourse>,
    /// Sweeps beyond the burn-in that come before the first draw: of the covariates' posterior, and of the features'.
    #[serde(default)]
    pub(crate) later: [usize; 2],
    #[serde(default)]
    pub(crate) until: Option<Until>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChosenCourse {
    pub(crate) combination: Option<Combination>,
    pub(crate) share_features: bool,
    pub(crate) choices: Vec<Choice>,
    /// Whether the choice is to be made again, with longer trials.
    #[serde(default)]
    pub(crate) again: bool,
}

/// A fit that goes on until its chains agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Until {
    /// The largest R-hat that is good enough.
    pub(crate) r_hat: f64,
    /// Draws of the first round. Every round has twice the draws of the one before.
    pub(crate) first: usize,
    /// Whether earlier and later draws are to agree, and not one chain with the others.
    #[serde(default)]
    pub(crate) drift: bool,
    /// The most sweeps of a chain, if there is a limit.
    #[serde(default)]
    pub(crate) most_sweeps: Option<usize>,
}

impl Until {
    /// How many of the first draws do not count after a round with so many draws: half of them, as they come from chains that
    /// did not agree yet; a quarter of them in an update, whose chains had agreed as far as they do.
    pub(crate) fn left_out(self, draws: usize) -> usize {
        if draws <= self.first {
            0
        } else if self.drift {
            draws / 4
        } else {
            draws / 2
        }
    }

    /// That a round is the last one, and why.
    pub(crate) fn ended(self, r_hat: f64) -> Warning {
        let why = match (self.drift, r_hat <= self.r_hat, r_hat <= Agreement::CONVERGED) {
            (false, _, true) => RoundsEnd::Agreed,
            (true, _, true) => RoundsEnd::Settled,
            (false, true, false) => RoundsEnd::AsAsked,
            (true, true, false) => RoundsEnd::AsBefore,
            (false, false, false) => RoundsEnd::NoMoreDraws,
            (true, false, false) => RoundsEnd::NoMoreSweeps,
        };
        Warning::Ended { r_hat: r_hat.is_finite().then_some(r_hat), asked: self.r_hat, why }
    }
}

impl Course {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            relations: plan.relations.clone(),
            pairs: plan.pairs,
            sharing: plan.sharing,
            settings: plan.candidates.usual.clone().into_inner(),
            linear: plan.candidates.linear.clone().map(ValidSettings::into_inner),
            chosen: None,
            later: [0; 2],
            until: None,
        }
    }

    pub(crate) fn candidates(&self) -> Result<Candidates> {
        let linear = self.linear.clone().map(Settings::check).transpose()?;
        Ok(Candidates { usual: self.settings.clone().check()?, linear })
    }

    /// What to fit with, if it is chosen.
    pub(crate) fn chosen(&self) -> Result<Option<Chosen>> {
        let Some(chosen) = self.chosen.as_ref().filter(|chosen| !chosen.again) else { return Ok(None) };
        let candidates = self.candidates()?;
        let broken = || Error::Draws("covariates and features have no weights".to_owned());
        let weighed = |settings| Ok((settings, chosen.combination.ok_or_else(broken)?));
        Ok(Some(Chosen {
            linear: candidates.linear.clone().map(weighed).transpose()?,
            share_features: chosen.share_features,
            choices: chosen.choices.clone(),
            later: self.later,
            ..Chosen::unchosen(&candidates)
        }))
    }

    /// Notes what was chosen.
    pub(crate) fn choose(&mut self, chosen: &Chosen) {
        self.chosen = Some(ChosenCourse {
            combination: chosen.linear.as_ref().map(|linear| linear.1),
            share_features: chosen.share_features,
            choices: chosen.choices.clone(),
            again: false,
        });
        self.later = chosen.later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_rounds() {
        let why = |drift, asked, r_hat| {
            let until = Until { r_hat: asked, first: 10, drift, most_sweeps: None };
            let Warning::Ended { why, .. } = until.ended(r_hat) else { panic!("it has ended") };
            why
        };
        assert_eq!(why(false, 1.1, 1.02), RoundsEnd::Agreed);
        assert_eq!(why(false, 2.5, 2.366), RoundsEnd::AsAsked);
        assert_eq!(why(false, 1.01, 1.2), RoundsEnd::NoMoreDraws);
        assert_eq!(why(true, 1.3, 1.2), RoundsEnd::AsBefore);
        assert_eq!(why(true, 1.3, 1.02), RoundsEnd::Settled);
        assert_eq!(why(true, 1.05, f64::INFINITY), RoundsEnd::NoMoreSweeps);
    }
}
