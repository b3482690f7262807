//! What a fit returns: the posterior of every relation, with what is needed to use it.

use std::sync::Arc;

use super::hold_out::HeldOutPairs;
use super::state::{FitState, Versions};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::model::Settings;
use crate::network::{Modes, Nodes, Unlisted};
use crate::posterior::{Posterior, Prediction};

/// Everything that a fit to a network leaves.
#[derive(Debug, Clone)]
pub struct FittedModel {
    /// The name of the network.
    pub name: String,
    /// Its nodes.
    pub nodes: Arc<Nodes>,
    /// Whether a link has a direction.
    pub directed: bool,
    /// Whether the fit was ended before its time.
    pub interrupted: bool,
    /// What the model was fitted with.
    pub versions: Versions,
    /// One fit a relation; one without a name if the network has no relations.
    pub relations: Vec<FittedRelation>,
    /// Where the fit is, the draws of its chains left out, and the traces of those of its features; `None` if it cannot go on.
    pub state: Option<FitState>,
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
    /// The pairs that the network lists as non-links, in the same order; none if it lists only links.
    pub non_links: Vec<(u32, u32)>,
    /// How many pairs it learned from, as the network counts them.
    pub observed: u64,
    /// How long the fit took.
    pub seconds: f64,
    /// The pairs that were held out of the fit, if any were.
    pub held_out: Option<HeldOutPairs>,
    /// What the fit goes on with, beside the draws; `None` if it cannot.
    pub chains: Option<Continuation>,
}

/// What a fit goes on with, beside the draws and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// The pairs that nothing is known of, sorted.
    pub unobserved: Vec<(u32, u32)>,
    /// What pairs are taken for that no list names.
    pub unlisted: Unlisted,
}

impl FittedModel {
    /// The settings of the fit. Panics if the model has no relation: neither a fit nor a file makes one.
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

    /// The relation of this name, or all of them without a name. A name that stands for none is an error.
    pub fn select(&self, name: Option<&str>) -> Result<Vec<&FittedRelation>> {
        let Some(name) = name else { return Ok(self.relations.iter().collect()) };
        if let Some(relation) = self.relation(name) {
            return Ok(vec![relation]);
        }
        let known = self.relations.iter().filter_map(|relation| relation.name.clone()).collect();
        Err(Error::UnknownRelation { name: Some(name.to_owned()), known })
    }

    /// The posterior probability of a link for each pair (source, target) of a relation, with 90 % intervals. An undirected
    /// pair has one probability, however it is written.
    pub fn predict(&self, relation: &FittedRelation, pairs: &[(u32, u32)]) -> Vec<Prediction> {
        let oriented = |&(i, j): &(u32, u32)| if self.directed { (i, j) } else { (i.min(j), i.max(j)) };
        relation.posterior.predict(&pairs.iter().map(oriented).collect::<Vec<_>>())
    }

    /// Which nodes are rows and which are columns, in a bipartite network.
    pub fn modes(&self) -> Option<&Arc<Modes>> {
        self.relations[0].posterior.modes()
    }

    /// The pair as it is shown: with its row first, in a bipartite network.
    pub fn row_first(&self, pair: (u32, u32)) -> (u32, u32) {
        self.modes().map_or(pair, |modes| modes.row_first(pair))
    }

    /// Refuses pairs that cannot be linked in a bipartite network, and pairs of which a covariate is unknown that every pair of
    /// the fit had.
    pub fn check_pairs(&self, relation: &FittedRelation, pairs: &[(u32, u32)]) -> Result<()> {
        if let Some(modes) = self.modes() {
            pairs.iter().try_for_each(|&pair| modes.check(&self.nodes, pair))?;
        }
        let Some(covariates) = relation.posterior.covariates() else { return Ok(()) };
        for (row, &(i, j)) in pairs.iter().enumerate() {
            if let Some(column) = covariates.unheard((i, j)) {
                let [source, target] = [i, j].map(|node| self.nodes.name(node));
                return Err(Error::Network(format!(
                    "pair {}, {source} and {target}, has no value of the covariate '{column}', which every pair of the fit \
                     had: fit with a table of pair covariates that has it, too",
                    row + 1
                )));
            }
        }
        Ok(())
    }
}
