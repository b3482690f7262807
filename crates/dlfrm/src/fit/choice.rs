//! What is chosen on a development set: whether covariates pay, and whether relations share their features.

use serde::Serialize;

use super::Sharing;
use super::development::{DEVELOPMENT_SHARE, Development, Ranked, pilot};
use crate::chain::{Event, Observer, Stoppable};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, Settings, ValidSettings};
use crate::network::{Pair, Pairs};

/// Settings to fit with: the usual ones, and others that may suit a network better.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub(crate) usual: ValidSettings,
    pub(crate) alternative: Option<ValidSettings>,
}

/// What to fit with, after all choices.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) settings: ValidSettings,
    pub(crate) share_features: bool,
    /// In the order in which they were made.
    pub(crate) choices: Vec<Choice>,
}

/// One choice, with the AUC of both alternatives on a development set.
#[derive(Debug, Clone, PartialEq, Serialize)]
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

impl Candidates {
    /// Settings that leave nothing to choose.
    pub fn fixed(settings: ValidSettings) -> Self {
        Self { usual: settings, alternative: None }
    }

    /// The settings of a model for so many pairs. The paper's model is an alternative where the caller leaves covariates
    /// and costs open and the network is small enough to try both; it is the only candidate for the `paper`'s splits.
    pub fn new(model: Model, overrides: &Overrides, pairs: usize, paper: bool) -> Result<Self> {
        let open = overrides.covariates.is_none() && overrides.c_pos.is_none() && overrides.c_neg.is_none();
        let settings = |paper: bool| {
            let defaults = if paper { Settings::paper_defaults } else { Settings::defaults };
            overrides.over(defaults(model, pairs)).check()
        };
        let alternative = open && !paper && pairs <= Settings::LARGE;
        Ok(Self { usual: settings(paper)?, alternative: alternative.then(|| settings(true)).transpose()? })
    }

    /// The settings before any choice.
    pub fn settings(&self) -> &ValidSettings {
        &self.usual
    }

    /// The settings that a development set may choose in their place.
    pub fn alternative(&self) -> Option<&ValidSettings> {
        self.alternative.as_ref()
    }

    /// Chooses on a development set: the usual way where there is nothing to choose from, too few links to decide, or a
    /// difference that may be chance. Whether features are shared is decided with the covariates that were chosen for
    /// features that are not, unless the caller says that they are. `validation` pairs, if there are any, are the
    /// development set; otherwise some of the pairs to learn from are held out.
    pub(crate) fn choose(
        &self,
        relations: &[&Pairs],
        validation: &[&[Pair]],
        side_info: &SideInfo,
        sharing: Sharing,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Chosen> {
        let mut chosen = Chosen {
            settings: self.usual.clone(),
            share_features: sharing == Sharing::Shared,
            choices: vec![],
        };
        let open = sharing == Sharing::Auto && relations.len() > 1;
        if self.alternative.is_none() && !open {
            return Ok(chosen);
        }
        let development = if validation.iter().all(|pairs| pairs.is_empty()) {
            Development::new(relations, DEVELOPMENT_SHARE, seed)
        } else {
            Development::from_pairs(relations, validation)
        };
        let Ok(development) = development else { return Ok(chosen) };
        let score = |name: &str, settings: &ValidSettings, share: bool| {
            score_trial(&development, name, side_info, settings, share, observer)
        };
        let covariates = |settings: &ValidSettings| format!("covariates {}", settings.covariates);
        let mut ranked = score(&covariates(&chosen.settings), &chosen.settings, chosen.share_features)?;
        if let Some(other) = &self.alternative {
            let names = [covariates(&chosen.settings), covariates(other)];
            let others = score(&names[1], other, chosen.share_features)?;
            let (choice, changed) = Choice::between(names, [&ranked, &others]);
            chosen.choices.push(choice);
            if changed {
                (chosen.settings, ranked) = (other.clone(), others);
            }
        }
        if open {
            let names = ["features for each relation", "shared features"].map(str::to_owned);
            let shared = score(&names[1], &chosen.settings, true)?;
            let (choice, changed) = Choice::between(names, [&ranked, &shared]);
            chosen.choices.push(choice);
            chosen.share_features = changed;
        }
        Ok(chosen)
    }
}

impl Choice {
    /// Between the usual way and another, and whether it is the other.
    fn between([usual, other]: [String; 2], [usual_ranked, other_ranked]: [&Ranked; 2]) -> (Self, bool) {
        let changed = other_ranked.clearly_better(usual_ranked);
        let (mut chosen, mut left) = ((usual, usual_ranked.auc()), (other, other_ranked.auc()));
        if changed {
            std::mem::swap(&mut chosen, &mut left);
        }
        let choice = Self {
            chosen: chosen.0,
            development_auc: chosen.1,
            other: left.0,
            other_development_auc: left.1,
        };
        (choice, changed)
    }

    /// The choice in words.
    pub fn sentence(&self) -> String {
        format!(
            "{} (AUC {:.4} on a development set, {} {:.4})",
            self.chosen, self.development_auc, self.other, self.other_development_auc
        )
    }
}

/// How well a development set is ranked after a short fit with some settings; an error if the observer ends it.
pub(crate) fn score_trial(
    development: &Development,
    name: &str,
    side_info: &SideInfo,
    settings: &Settings,
    share_features: bool,
    observer: &dyn Observer,
) -> Result<Ranked> {
    let settings = pilot(settings).check()?;
    let stoppable = Stoppable::new(observer);
    let fits = if share_features { 1 } else { development.relations() };
    stoppable.event(&Event::Chains { purpose: name, fits, settings: &settings });
    let ranked = development.score(side_info, &settings, share_features, &stoppable)?;
    if stoppable.stopped() { Err(Error::Interrupted) } else { Ok(ranked) }
}
