//! Where a fit is: its parts with their chains, and everything that is decided before and between them. Fit, resume, update and
//! checkpoint share it.

use serde::{Deserialize, Serialize};

use super::options::{PairPlan, Sharing};
use super::part::{PartName, Parts, Ran, Task};
use crate::error::{Error, Result};
use crate::model::number;
use crate::posterior::{Agreement, Combination, Posterior};
use crate::warning::{RoundsEnd, Warning};

/// Where a fit is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitState {
    /// The numbers of the relations that are learned from.
    pub relations: Vec<usize>,
    /// Which pairs are learned from.
    pub pairs: PairPlan,
    /// Whether the relations have the same features, as far as it is decided.
    pub sharing: Sharing,
    /// The parts, in the order in which they run.
    pub parts: Parts,
    pub(crate) chosen: Chosen,
    /// How much each part counts, if there are several.
    pub(crate) combination: Combination,
    /// What was chosen on a development set, in the order in which it was.
    pub choices: Vec<Choice>,
    pub(crate) until: Option<Until>,
}

/// Whether the choice on a development set is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Chosen {
    No,
    Yes,
    /// It is to be made again, with longer trials.
    Again,
}

/// One choice, with the AUC of both alternatives on a development set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What was chosen.
    pub chosen: String,
    /// Its AUC on the development set.
    pub development_auc: f64,
    /// What was not.
    pub other: String,
    /// Its AUC on the development set.
    pub other_development_auc: f64,
}

impl Choice {
    /// The same for an observer.
    pub fn warning(&self) -> Warning {
        let Self { chosen, development_auc, other, other_development_auc } = self.clone();
        Warning::Chosen { chosen, development_auc, other, other_development_auc }
    }
}

/// A fit that goes on until its chains agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Until {
    /// The largest R-hat that is good enough.
    pub(crate) r_hat: f64,
    /// Draws of the first round. Every round has twice the draws of the one before.
    pub(crate) first: usize,
    /// Whether earlier and later draws are to agree, and not one chain with the others.
    pub(crate) drift: bool,
    /// The most sweeps of a chain, if there is a limit.
    pub(crate) most_sweeps: Option<usize>,
}

impl FitState {
    pub(crate) fn new(relations: Vec<usize>, pairs: PairPlan, sharing: Sharing, parts: Parts) -> Self {
        let (combination, choices, until) = (Combination::default(), vec![], None);
        Self { relations, pairs, sharing, parts, chosen: Chosen::No, combination, choices, until }
    }

    /// Where a fit to all given pairs of so many relations begins.
    pub(crate) fn of_pairs(relations: usize, sharing: Sharing, parts: Parts) -> Self {
        let pairs = PairPlan { ordered: false, negatives: None };
        Self::new((0..relations).collect(), pairs, sharing, parts)
    }

    /// Fits all relations to predict with; a posterior for each. Features that do not count are not fitted. An observer that ends
    /// the fit gets the draws that were kept.
    pub(crate) fn fit(&self, task: &Task<'_>, mut ran: Ran) -> Result<Vec<Posterior>> {
        let features = self.parts.covariates().is_none() || self.combination.features != 0.0;
        for part in self.parts.iter().filter(|part| features || part.name != PartName::Features) {
            self.parts.run(part.name, task, &mut ran)?;
        }
        let taken = |name| task.live.each(name, std::mem::take);
        Ok(self.parts.posteriors(task.relations, &ran, self.combination, taken))
    }
}

impl Until {
    /// Until the chains agree up to an R-hat; the first round has so many draws.
    pub(crate) fn new(r_hat: f64, first: usize) -> Result<Self> {
        if r_hat.is_finite() && r_hat > 1.0 {
            return Ok(Self { r_hat, first, drift: false, most_sweeps: None });
        }
        Err(Error::Setting { name: "until", expected: "a number above 1", value: number(r_hat) })
    }

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

/// The programs that the bits of a chain depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// This program.
    pub dlfrm: String,
    /// Random numbers.
    pub rand: String,
    /// Random variates.
    pub rand_distr: String,
}

impl Versions {
    /// Those of this program.
    pub fn current() -> Self {
        let [dlfrm, rand, rand_distr] = [env!("CARGO_PKG_VERSION"), "0.10.3", "0.6.0"].map(str::to_owned);
        Self { dlfrm, rand, rand_distr }
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

    #[test]
    fn the_versions_are_those_that_the_workspace_pins() {
        let workspace = include_str!("../../../../Cargo.toml");
        let Versions { rand, rand_distr, .. } = Versions::current();
        for (name, version) in [("rand", rand), ("rand_distr", rand_distr)] {
            let line = workspace.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            assert!(line.contains(&format!("\"={version}\"")), "{line} is not {version}");
        }
    }
}
