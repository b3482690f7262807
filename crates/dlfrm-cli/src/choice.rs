//! Whether covariates pay in a network, and features that its relations share, is decided by the pairs to learn from: some
//! are held out, and both ways are tried.

use anyhow::bail;
use dlfrm::chain::{Control, Progress};
use dlfrm::covariates::SideInfo;
use dlfrm::model::{Settings, ValidSettings};
use dlfrm::network::{Pair, Pairs};
use dlfrm::tune::{Development, Ranked, SHARE, pilot};
use serde::Serialize;

use crate::args::Sharing;
use crate::failure::Unfinished;
use crate::interrupt;

/// Settings to fit with: the usual ones, and others that may suit a network better.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(crate) usual: ValidSettings,
    pub(crate) other: Option<ValidSettings>,
}

/// What to fit with, after all choices.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) settings: ValidSettings,
    pub(crate) share_features: bool,
    /// In the order in which they were made.
    pub(crate) choices: Vec<Choice>,
}

/// One choice, and how both ways did on the pairs that were held out.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Choice {
    pub(crate) chosen: String,
    pub(crate) development_auc: f64,
    pub(crate) other: String,
    pub(crate) other_development_auc: f64,
}

impl Candidates {
    /// Settings that leave nothing to choose.
    pub(crate) fn settled(usual: ValidSettings) -> Self {
        Self { usual, other: None }
    }

    /// The better way for some relations, and how that was found; the usual one where there is nothing to choose from, too
    /// few links to tell, or a difference that may be chance. Features are shared or not with the covariates that were
    /// chosen for features that are not, unless the user says that they are. Pairs to choose by, if there are any, are known
    /// beside those to learn from; otherwise some of these are held out.
    pub(crate) fn choose(
        &self,
        relations: &[&Pairs],
        validation: &[&[Pair]],
        given: &SideInfo,
        sharing: Sharing,
        seed: u64,
    ) -> anyhow::Result<Chosen> {
        let mut chosen = Chosen {
            settings: self.usual.clone(),
            share_features: sharing == Sharing::Shared,
            choices: vec![],
        };
        let open = sharing == Sharing::Open && relations.len() > 1;
        if self.other.is_none() && !open {
            return Ok(chosen);
        }
        let development = if validation.iter().all(|pairs| pairs.is_empty()) {
            Development::new(relations, SHARE, seed)
        } else {
            Development::given(relations, validation)
        };
        let Ok(development) = development else { return Ok(chosen) };
        let judge = |settings: &ValidSettings, share: bool| judge(&development, given, settings, share);
        let mut ranked = judge(&chosen.settings, chosen.share_features)?;
        if let Some(other) = &self.other {
            let others = judge(other, chosen.share_features)?;
            let names =
                [&chosen.settings, other].map(|settings| format!("covariates {}", settings.covariates));
            let (choice, changed) = Choice::between(names, [&ranked, &others]);
            chosen.choices.push(choice);
            if changed {
                (chosen.settings, ranked) = (other.clone(), others);
            }
        }
        if open {
            let shared = judge(&chosen.settings, true)?;
            let names = ["features for each relation", "shared features"].map(str::to_owned);
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

    /// In words.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "{} (AUC {:.4} on a development set, {} {:.4})",
            self.chosen, self.development_auc, self.other, self.other_development_auc
        )
    }
}

/// How well a development set is ranked with some settings; an error if the user ends it.
pub(crate) fn judge(
    development: &Development,
    given: &SideInfo,
    settings: &Settings,
    share_features: bool,
) -> anyhow::Result<Ranked> {
    let watch = |_: &Progress| if interrupt::requested() { Control::Stop } else { Control::Continue };
    let ranked = development.judge(given, &pilot(settings).check()?, share_features, &watch)?;
    if interrupt::requested() {
        bail!(Unfinished);
    }
    Ok(ranked)
}
