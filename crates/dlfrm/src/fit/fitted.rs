//! What a fit returns: the posterior of every relation, with what is needed to use it.

use std::sync::Arc;

use super::Versions;
use crate::covariates::SideInfo;
use crate::model::Settings;
use crate::network::Entities;
use crate::posterior::Posterior;

/// Everything that a fit to a network leaves.
#[derive(Debug, Clone)]
pub struct FittedModel {
    /// The name of the network.
    pub name: String,
    /// Its entities.
    pub entities: Arc<Entities>,
    /// Whether a link has a direction.
    pub directed: bool,
    /// Whether the fit was ended before its time.
    pub interrupted: bool,
    /// What the model was fitted with.
    pub versions: Versions,
    /// One fit a relation; one without a name if the network has no relations.
    pub relations: Vec<FittedRelation>,
}

/// The fit of one relation.
#[derive(Debug, Clone)]
pub struct FittedRelation {
    /// Its name, if the network has relations.
    pub name: Option<String>,
    /// Draws and traces.
    pub posterior: Posterior,
    /// The links that the model learned from, sorted; an undirected link once, smaller id first.
    pub links: Vec<(u32, u32)>,
    /// How many pairs it learned from, as the network counts them.
    pub observed: u64,
    /// How long the fit took.
    pub seconds: f64,
}

impl FittedModel {
    /// The settings of the fit.
    ///
    /// # Panics
    /// If the model has no relation: neither a fit nor a file makes one.
    pub fn settings(&self) -> &Settings {
        self.relations[0].posterior.settings()
    }

    /// What the fit was given beside the links.
    pub fn side_info(&self) -> SideInfo {
        self.relations[0]
            .posterior
            .covariates()
            .map_or_else(SideInfo::default, |known| known.side_info().clone())
    }

    /// The relation of this name.
    pub fn relation(&self, name: &str) -> Option<&FittedRelation> {
        self.relations.iter().find(|relation| relation.name.as_deref() == Some(name))
    }
}
