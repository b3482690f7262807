//! Whether covariates pay in a network is decided by the pairs to learn from: some are held out, and both ways are tried.

use anyhow::bail;
use dlfrm::chain::{Control, Progress};
use dlfrm::covariates::Given;
use dlfrm::model::{Checked, Settings};
use dlfrm::network::Pairs;
use dlfrm::tune::{Development, Ranked, SHARE, pilot};
use serde::Serialize;

use crate::failure::Unfinished;
use crate::interrupt;

/// Settings to fit with: the usual ones, and others that may suit a network better.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(crate) usual: Checked,
    pub(crate) other: Option<Checked>,
}

/// What was chosen, and how both did on the pairs that were held out.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Choice {
    pub(crate) covariates: &'static str,
    pub(crate) development_auc: f64,
    pub(crate) other_covariates: &'static str,
    pub(crate) other_development_auc: f64,
}

impl Candidates {
    /// The better ones for some relations, and how that was found; the usual ones where there is nothing to choose from, too
    /// few links to tell, or a difference that may be chance.
    pub(crate) fn choose(
        &self,
        relations: &[&Pairs],
        given: &Given,
        share_features: bool,
        seed: u64,
    ) -> anyhow::Result<(Checked, Option<Choice>)> {
        let Some(other) = &self.other else { return Ok((self.usual.clone(), None)) };
        let Ok(development) = Development::new(relations, SHARE, seed) else {
            return Ok((self.usual.clone(), None));
        };
        let judge = |settings: &Checked| judge(&development, given, settings, share_features);
        let (usual, others) = (judge(&self.usual)?, judge(other)?);
        let told = |chosen: &Checked, ranked: &Ranked, left: &Checked, left_ranked: &Ranked| Choice {
            covariates: chosen.covariates.name(),
            development_auc: ranked.auc(),
            other_covariates: left.covariates.name(),
            other_development_auc: left_ranked.auc(),
        };
        Ok(if others.clearly_better(&usual) {
            (other.clone(), Some(told(other, &others, &self.usual, &usual)))
        } else {
            (self.usual.clone(), Some(told(&self.usual, &usual, other, &others)))
        })
    }
}

/// How well a development set is ranked with some settings; an error if the user ends it.
pub(crate) fn judge(
    development: &Development,
    given: &Given,
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

impl Choice {
    /// In words.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "covariates {} (AUC {:.4} on a development set, {} {:.4})",
            self.covariates, self.development_auc, self.other_covariates, self.other_development_auc
        )
    }
}
