//! What a user should know of a run: typed facts. Their texts name no flag and no command; a front end adds those.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;
use thiserror::Error;

use crate::error::NothingToLearn;
use crate::model::{Idle, Model, number};

/// What a user should know of a run.
#[derive(Debug, Error, Clone, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Warning {
    /// A relation is left out, as nothing can be learned from it.
    #[error("relation '{relation}': {why}; it is left out")]
    RelationLeftOut {
        /// Its name.
        relation: String,
        /// Why.
        why: NothingToLearn,
    },
    /// A relation had no draw when the run was ended.
    #[error("relation '{relation}' has no draw yet and is left out of the model")]
    RelationWithoutDraws {
        /// Its name.
        relation: String,
    },
    /// There are too many pairs to learn from all of them.
    #[error("there are too many pairs to learn from all of them: {per_link} non-links per link are sampled")]
    NonLinksSampled {
        /// Non-links per link that are sampled.
        per_link: f64,
    },
    /// Pairs were to be ordered, and are: links have a direction.
    #[error("asymmetric has no effect: links have a direction")]
    AsymmetricWithoutEffect,
    /// Pairs are ordered, so the model is that of the paper.
    #[error("asymmetric is given, so the model is that of the paper, {}{}", paper_model(*.node_effects, *.side_info), crate::warning::other_defaults(.other_defaults))]
    PaperModel {
        /// Whether nodes have effects.
        node_effects: bool,
        /// Whether something is known beside the links.
        side_info: bool,
        /// What differs from the usual defaults.
        other_defaults: Vec<OtherDefault>,
    },
    /// Diagonal weights are symmetric, where pairs are ordered.
    #[error("{model} has diagonal weights, which are symmetric: {full} has a full weight matrix")]
    DiagonalWeights {
        /// The model.
        model: Model,
        /// The same with a full weight matrix.
        full: Model,
    },
    /// Settings were given with which there is one posterior, where there would be one of covariates and one of features.
    #[error("{}{}", one_posterior(.given), crate::warning::other_defaults(.other_defaults))]
    OnePosterior {
        /// The names of those settings; `max-new` if covariates are fitted alone.
        given: Vec<&'static str>,
        /// What differs from the usual defaults.
        other_defaults: Vec<OtherDefault>,
    },
    /// Nothing looks at a setting that was given.
    #[error("{setting} has no effect {why}")]
    SettingWithoutEffect {
        /// Its name.
        setting: &'static str,
        /// Why.
        why: Idle,
    },
    /// Updates of the weights diverged and were left out: the step is too large.
    #[error("chain {}: {diverged} of {updates} updates of the weights diverged and were left out: the step is too large", .chain + 1)]
    Diverged {
        /// The number of the chain, from 0.
        chain: usize,
        /// Updates that diverged.
        diverged: usize,
        /// All updates of the run.
        updates: usize,
    },
    /// A choice was made on a development set.
    #[error("{chosen} (AUC {development_auc:.4} on a development set, {other} {other_development_auc:.4})")]
    Chosen {
        /// What was chosen.
        chosen: String,
        /// Its AUC on the development set.
        development_auc: f64,
        /// What was not.
        other: String,
        /// Its AUC on the development set.
        other_development_auc: f64,
    },
    /// A search for settings has made a trial.
    #[error("{change:28}  AUC {auc:.4}  {seconds:.1} s")]
    Tried {
        /// What is different from the candidate before it.
        change: String,
        /// AUC on the development set.
        auc: f64,
        /// How long it took.
        seconds: f64,
    },
    /// Chains do not agree yet and go on.
    #[error("{}: going on to {draws} draws of each chain", r_hat_text(*.r_hat))]
    GoingOn {
        /// The R-hat of link probabilities; `None` if it is not finite.
        r_hat: Option<f64>,
        /// The draws of each chain that they go on to.
        draws: usize,
    },
    /// A fit that goes on until its chains agree has ended.
    #[error("{}", .why.text(&r_hat_text(*.r_hat), *.asked))]
    Ended {
        /// The R-hat of link probabilities; `None` if it is not finite.
        r_hat: Option<f64>,
        /// The R-hat that was asked for.
        asked: f64,
        /// Why it ended.
        why: RoundsEnd,
    },
    /// A fit goes on that began with another version of dlfrm.
    #[error("the fit began with another version of dlfrm: its draws may go on with other bits")]
    OtherVersion,
    /// What an update adds.
    #[error("new: {0}")]
    Added(Added),
    /// Pairs that were held out are learned from now.
    #[error("of pairs that were held out, {pairs} are learned from now, and {left} are left")]
    HeldOutLearned {
        /// How many.
        pairs: usize,
        /// Pairs that are still held out.
        left: usize,
    },
    /// A split has fewer non-links than were asked for.
    #[error("{}all non-links are taken: {trained} are trained on, {per_link:.1} per link in place of {asked}, and {tested} are tested beside {links} links", .relation.as_ref().map_or_else(String::new, |relation| format!("relation '{relation}': ")))]
    FewNonLinks {
        /// The name of the relation, if there are several.
        relation: Option<String>,
        /// Non-links that are learned from.
        trained: usize,
        /// The same per link.
        per_link: f64,
        /// Non-links per link that were asked for.
        asked: f64,
        /// Non-links that are tested.
        tested: usize,
        /// Links that are tested.
        links: usize,
    },
    /// Something that a run finished could not be kept; the run goes on.
    #[error("{why}; {}", .what.goes_on())]
    NotKept {
        /// What was to be kept.
        what: Kept,
        /// Why it could not.
        why: String,
    },
    /// Something that was kept cannot be used; it is made again.
    #[error("not taken: {why}")]
    NotTaken {
        /// Why.
        why: String,
    },
}

/// A warning in JSON: its code, its data and its text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said {
    /// The warning.
    #[serde(flatten)]
    pub warning: Warning,
    /// Its text.
    pub text: String,
}

impl From<&Warning> for Said {
    fn from(warning: &Warning) -> Self {
        Self { warning: warning.clone(), text: warning.to_string() }
    }
}

/// What an update adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Added {
    /// Nodes that were not there.
    pub nodes: usize,
    /// Links that were not there.
    pub links: usize,
    /// Pairs that were not listed as non-links.
    pub non_links: usize,
    /// Pairs that were observed and are not any more.
    pub unobserved: usize,
    /// Links that are non-links now.
    pub links_to_non_links: usize,
    /// Links that are unobserved now.
    pub links_to_unobserved: usize,
    /// Those links and non-links that were held out of the fit: they are learned from now.
    pub held_out: usize,
}

/// Without what was held out.
impl Display for Added {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parts = [
            (true, self.nodes, "", "node", "nodes"),
            (true, self.links, ", ", "link", "links"),
            (true, self.non_links, ", ", "listed non-link", "listed non-links"),
            (false, self.unobserved, ", ", "unobserved pair", "unobserved pairs"),
            (false, self.links_to_non_links, "; ", "link became a non-link", "links became non-links"),
            (false, self.links_to_unobserved, "; ", "link became unobserved", "links became unobserved"),
        ];
        for (always, count, before, one, many) in parts {
            if always || count > 0 {
                write!(f, "{before}{count} {}", if count == 1 { one } else { many })?;
            }
        }
        Ok(())
    }
}

/// A setting whose default differs from the usual one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherDefault {
    /// Its name.
    pub setting: &'static str,
    /// Its value.
    pub value: String,
}

/// Why a fit that goes on until its chains agree has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundsEnd {
    /// The chains agree.
    Agreed,
    /// Earlier and later draws of an update agree.
    Settled,
    /// They do not, but the R-hat is as low as asked for.
    AsAsked,
    /// Earlier and later draws of an update differ no more than before.
    AsBefore,
    /// The chains have as many draws as they may have.
    NoMoreDraws,
    /// An update makes no more sweeps.
    NoMoreSweeps,
}

impl RoundsEnd {
    fn text(self, figure: &str, asked: f64) -> String {
        match self {
            Self::Agreed => format!("chains agree: {figure}"),
            Self::Settled => format!("earlier and later draws agree: {figure}"),
            Self::AsAsked => format!("{figure}, at most {} as asked for", number(asked)),
            Self::AsBefore => format!("draws differ no more from earlier to later than before: {figure}"),
            Self::NoMoreDraws => {
                format!("chains do not agree ({figure}), and have as many draws as they may have")
            }
            Self::NoMoreSweeps => {
                format!("earlier and later draws do not agree ({figure}), and an update makes no more sweeps")
            }
        }
    }
}

/// What a run keeps of what it has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// A checkpoint of a fit.
    Checkpoint,
    /// How a method did in a run of an evaluation.
    Outcome,
    /// A trial of a search for settings.
    Trial,
}

impl Kept {
    /// What goes on although it was not kept.
    fn goes_on(self) -> &'static str {
        match self {
            Self::Checkpoint => "the fit goes on without a new checkpoint",
            Self::Outcome => "the evaluation goes on without it",
            Self::Trial => "the search goes on without it",
        }
    }
}

fn paper_model(node_effects: bool, side_info: bool) -> &'static str {
    match (node_effects, side_info) {
        (false, false) => "without covariates and effects of nodes",
        (true, false) => "without covariates, but with effects of nodes",
        (false, true) => "without effects of nodes, but with the side information",
        (true, true) => "but with effects of nodes and the side information",
    }
}

fn one_posterior(given: &[&str]) -> String {
    match given {
        ["max-new"] => "max-new is 0, so covariates are fitted alone".to_owned(),
        [one] => format!("{one} is given, so covariates and features have one joint posterior"),
        _ => format!("{} are given, so covariates and features have one joint posterior", given.join(", ")),
    }
}

/// Other defaults as the end of a sentence.
pub fn other_defaults(others: &[OtherDefault]) -> String {
    let each: Vec<String> =
        others.iter().map(|OtherDefault { setting, value }| format!("{setting} {value}")).collect();
    if each.is_empty() { String::new() } else { format!(", with other defaults: {}", each.join(", ")) }
}

/// An R-hat in words.
fn r_hat_text(r_hat: Option<f64>) -> String {
    r_hat.map_or_else(
        || "no finite R-hat of link probabilities".to_owned(),
        |r_hat| format!("R-hat {r_hat:.3} of link probabilities"),
    )
}
