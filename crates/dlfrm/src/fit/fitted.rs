//! What a fit returns: the posterior of every relation, with what is needed to use it.

use std::sync::Arc;

use super::{Checkpoint, Course, HeldOutPairs, LeftOut, Versions};
use crate::chain::ChainRun;
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::model::{Linear, Settings};
use crate::network::{Modes, Network, Nodes, Relation, Unlisted};
use crate::posterior::{Draw, Posterior, Prediction};

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
    /// How the fit went; `None` if it cannot go on.
    pub course: Option<Course>,
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

/// What a fit goes on with, beside the draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    /// Where each chain is.
    pub states: Vec<Draw>,
    /// Intercept and linear part of every draw before it was combined with one of the covariates' posterior; none if there is
    /// one posterior.
    pub own: Vec<(f64, Linear)>,
    /// The chains of the covariates' posterior; none if there is one posterior.
    pub covariates: Vec<ChainRun>,
    /// The pairs that nothing is known of, sorted.
    pub unobserved: Vec<(u32, u32)>,
    /// What pairs are taken for that no list names.
    pub unlisted: Unlisted,
}

impl FittedRelation {
    /// The chains of the features' posterior, or the only one, and those of the covariates'.
    fn into_runs(self) -> Option<(Vec<ChainRun>, Vec<ChainRun>)> {
        let Continuation { states, own, covariates, .. } = self.chains?;
        let traces = self.posterior.traces().to_vec();
        let mut draws = self.posterior.into_draws();
        if !own.is_empty() {
            if own.len() != draws.len() {
                return None;
            }
            let own = own.into_iter().zip(draws);
            draws = own.map(|((intercept, linear), draw)| draw.uncombined(intercept, linear)).collect();
        }
        let mut runs: Vec<ChainRun> = (traces.into_iter().zip(states))
            .map(|(trace, state)| ChainRun { draws: vec![], trace, state: Some(state) })
            .collect();
        for draw in draws {
            runs.get_mut(draw.chain)?.draws.push(draw);
        }
        Some((runs, covariates))
    }
}

impl FittedModel {
    /// What the fit goes on with: with more draws, until its chains agree, or with new links.
    pub fn into_checkpoint(self) -> Result<Checkpoint> {
        let interrupted = self.interrupted;
        let none = || {
            let what = if interrupted {
                "the fit was not finished: `resume` goes on with it"
            } else {
                "the model has no states of its chains: fit again to be able to go on"
            };
            Error::Draws(what.to_owned())
        };
        let (side_info, modes) = (self.side_info(), self.modes().cloned());
        let course = self.course.ok_or_else(none)?;
        let seconds = self.relations.iter().map(|relation| relation.seconds).fold(0.0, f64::max);
        let (mut relations, mut held_out, mut covariates, mut features) = (vec![], vec![], vec![], vec![]);
        for mut relation in self.relations {
            let chains = relation.chains.as_mut().ok_or_else(none)?;
            let unobserved = std::mem::take(&mut chains.unobserved);
            let links = std::mem::take(&mut relation.links);
            let network = Network::new(Arc::clone(&self.nodes), self.directed, links)?;
            let non_links = std::mem::take(&mut relation.non_links);
            let mut network = network.with_labels(non_links, unobserved, chains.unlisted)?;
            if let Some(modes) = &modes {
                network = network.with_modes(Arc::clone(modes))?;
            }
            relations.push(Relation { name: relation.name.clone(), network });
            held_out
                .push(relation.held_out.take().map_or_else(LeftOut::default, |held_out| held_out.left_out));
            let (own, of_covariates) = relation.into_runs().ok_or_else(none)?;
            features.push(own);
            covariates.push(of_covariates);
        }
        if course.linear.is_none() {
            covariates.clear();
        }
        if held_out.iter().all(|out| out.pairs.is_empty()) {
            held_out.clear();
        }
        let course = Course { relations: (0..relations.len()).collect(), ..course };
        let (name, versions) = (self.name, self.versions);
        Ok(Checkpoint {
            name,
            relations,
            held_out,
            side_info,
            course,
            covariates,
            features,
            versions,
            seconds,
        })
    }

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

    /// The relation of this name, or all of them without a name. A name that stands for none is an error.
    pub fn select(&self, name: Option<&str>) -> Result<Vec<&FittedRelation>> {
        let Some(name) = name else { return Ok(self.relations.iter().collect()) };
        if let Some(relation) = self.relation(name) {
            return Ok(vec![relation]);
        }
        let known: Vec<&str> =
            self.relations.iter().filter_map(|relation| relation.name.as_deref()).collect();
        Err(Error::Network(if known.is_empty() {
            format!("the model has no relations, so none is called '{name}'")
        } else {
            format!("no relation is called '{name}'; there are {}", known.join(", "))
        }))
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
