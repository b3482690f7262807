//! The manifest of a model file: settings, versions, relations.

use dlfrm::fit::{Course, FittedRelation, HeldOutScores, SweepInfo, Versions};
use dlfrm::model::{Settings, Shape};
use dlfrm::posterior::Combination;
use serde::{Deserialize, Serialize};

use super::chains::ChainsEntry;
use super::side_info::SideInfoEntry;

/// The manifest of a model file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) network: String,
    pub(super) directed: bool,
    /// Whether the network has two modes: an array says of which one each node is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) bipartite: bool,
    #[serde(default)]
    pub(super) interrupted: bool,
    pub(super) versions: Versions,
    pub(super) settings: Settings,
    /// Called `given` in files.
    #[serde(default, rename = "given")]
    pub(super) side_info: SideInfoEntry,
    pub(super) relations: Vec<RelationEntry>,
    /// How the fit went, if it can go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) course: Option<Course>,
}

/// One relation in the manifest.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RelationEntry {
    pub(super) name: Option<String>,
    pub(super) symmetric: bool,
    pub(super) shape: Shape,
    #[serde(default = "all")]
    pub(super) non_link_share: f64,
    pub(super) observed: u64,
    pub(super) seconds: f64,
    /// How covariates and features were combined, if they have a posterior each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) combination: Option<Combination>,
    /// What the kernels did in all sweeps of each chain.
    #[serde(default)]
    pub(super) sampler: Vec<SweepInfo>,
    /// How well it predicts pairs that were held out, if any were: arrays have the pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) held_out: Option<HeldOutScores>,
    /// What its chains go on with, if they can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chains: Option<ChainsEntry>,
}

/// The share of non-links in a file without this entry.
fn all() -> f64 {
    1.0
}

impl RelationEntry {
    pub(super) fn new(relation: &FittedRelation) -> Self {
        let posterior = &relation.posterior;
        Self {
            name: relation.name.clone(),
            symmetric: posterior.symmetric(),
            shape: posterior.draws().first().map_or(Shape::Full, |draw| draw.shape),
            non_link_share: posterior.non_link_share(),
            observed: relation.observed,
            seconds: relation.seconds,
            combination: posterior.combination(),
            sampler: posterior.traces().iter().map(|trace| trace.total).collect(),
            held_out: relation.held_out.as_ref().map(|held_out| held_out.scores),
            chains: relation.chains.as_ref().map(ChainsEntry::new),
        }
    }
}
