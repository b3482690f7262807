//! Nodes that were not there at the fit: their features and effects given their links, without a refit.
//! See "New nodes" in `docs/model.md`.

mod part;

use std::sync::Arc;

use super::update::{extended, with_nodes};
use super::{Checkpoint, FittedModel, FittedRelation};
use crate::chain::ChainRun;
use crate::covariates::{Covariates, Matrix, SideInfo};
use crate::error::{Error, Result};
use crate::model::Settings;
use crate::network::{Network, Pair, Pairs, Relation, Unlisted};
use crate::posterior::{Draw, Posterior};
use crate::random::run_seed;
use part::Part;

/// New nodes with more pairs than this are refused.
const MOST_PAIRS: usize = 10_000_000;

impl FittedModel {
    /// The model with nodes that were not there at the fit, to predict with: they come after those that were.
    ///
    /// In every draw of the posterior the features and effects of the new nodes are drawn given their links, the other
    /// rows, and the weights. Covariates of their pairs are computed with their links, and counted with the coefficients of the
    /// draw. Nothing else changes. Attributes of new nodes are not known. The model cannot go on.
    ///
    /// A pair of two nodes that the model knows is an error, and so is a relation that it does not have.
    pub fn with_new_nodes(&self, links: &[Relation]) -> Result<Self> {
        let no_draws = |why| Error::Draws(format!("new nodes cannot be predicted: {why}"));
        let checkpoint = self.clone().into_checkpoint().map_err(no_draws)?;
        for Relation { network, .. } in links {
            let known = |&&(i, j): &&(u32, u32)| {
                [i, j].iter().all(|&id| self.nodes.get(network.nodes().name(id)).is_some())
            };
            let mut listed = network.links().iter().chain(network.non_links()).chain(network.unobserved());
            if let Some(&(i, j)) = listed.find(known) {
                let [i, j] = [i, j].map(|id| network.nodes().name(id));
                return Err(Error::Network(format!(
                    "the model knows both '{i}' and '{j}': new nodes have names of their own, and `update` adds links \
                     between known ones"
                )));
            }
        }
        let (relations, added) = extended(&checkpoint.relations, links)?;
        if added.nodes == 0 {
            return Err(Error::Network("there is no new node: the model knows all names".to_owned()));
        }
        let nodes = Arc::clone(relations[0].network.nodes());
        let known = self.nodes.len();
        if let Some(modes) = relations[0].network.modes() {
            (known as u32..nodes.len() as u32).try_for_each(|id| modes.check_node(&nodes, id))?;
        }
        let posteriors = Arrival::new(self, &checkpoint, &relations)?.posteriors()?;
        let fitted = self.relations.iter().zip(relations).zip(posteriors);
        let fitted = fitted.map(|((before, Relation { network, .. }), posterior)| FittedRelation {
            name: before.name.clone(),
            posterior,
            links: network.links().to_vec(),
            non_links: network.non_links().to_vec(),
            observed: before.observed,
            seconds: before.seconds,
            held_out: before.held_out.clone(),
            chains: None,
        });
        Ok(Self {
            name: self.name.clone(),
            nodes,
            directed: self.directed,
            interrupted: self.interrupted,
            versions: self.versions.clone(),
            relations: fitted.collect(),
            course: None,
        })
    }
}

/// New nodes of all relations.
struct Arrival<'a> {
    model: &'a FittedModel,
    checkpoint: &'a Checkpoint,
    /// The pairs of new nodes in each relation.
    pairs: Vec<Pairs>,
    /// What computes their covariates, and the covariates.
    covariates: Vec<Option<(Covariates, Matrix)>>,
}

impl<'a> Arrival<'a> {
    fn new(model: &'a FittedModel, checkpoint: &'a Checkpoint, relations: &[Relation]) -> Result<Self> {
        let nodes = relations[0].network.len();
        let most = (nodes - model.nodes.len()).saturating_mul(nodes);
        if most > MOST_PAIRS {
            return Err(Error::Network(format!(
                "the new nodes have up to {most} pairs, more than {MOST_PAIRS}: give fewer at a time, or update the model"
            )));
        }
        let side_info = with_nodes(&checkpoint.side_info, nodes)?;
        let (mut pairs, mut covariates) = (vec![], vec![]);
        for (fitted, Relation { name, network }) in model.relations.iter().zip(relations) {
            let symmetric = fitted.posterior.symmetric();
            let own = pairs_of_new(network, model.nodes.len() as u32, symmetric);
            let own = Pairs::new(nodes, symmetric, own).with_modes(network.modes());
            let known = covariates_of(fitted, network, &side_info, &own);
            covariates.push(known.map_err(|error| error.in_relation(name.as_deref()))?);
            pairs.push(own);
        }
        Ok(Self { model, checkpoint, pairs, covariates })
    }

    /// The posterior of each relation.
    fn posteriors(&self) -> Result<Vec<Posterior>> {
        let Checkpoint { course, features, covariates, .. } = self.checkpoint;
        let shared = course.chosen.as_ref().is_some_and(|chosen| chosen.share_features);
        let features = self.stage(&course.settings, features, shared, course.linear.is_none(), 0)?;
        let Some(linear) = &course.linear else { return Ok(features) };
        let covariates = self.stage(linear, covariates, false, true, 1)?;
        let both = covariates.iter().zip(features).zip(&self.model.relations);
        let combined = both.map(|((covariates, features), fitted)| {
            let combination = fitted.posterior.combination().unwrap_or_default();
            Posterior::combine(covariates, features, combination)
        });
        Ok(combined.collect())
    }

    /// One of the two posteriors of each relation, from the chains that it was fitted with.
    fn stage(
        &self,
        settings: &Settings,
        chains: &[Vec<ChainRun>],
        shared: bool,
        with_covariates: bool,
        stage: u64,
    ) -> Result<Vec<Posterior>> {
        let mut parts = vec![];
        for (relation, pairs) in self.pairs.iter().enumerate() {
            let covariates = self.covariates[relation].as_ref().filter(|_| with_covariates);
            let share = self.model.relations[relation].posterior.non_link_share();
            let seed = run_seed(settings.seed, u64::MAX - 2 * relation as u64 - stage);
            parts.push(Part::new(pairs, covariates, &self.checkpoint.side_info, settings, share, seed)?);
        }
        let mut draws: Vec<Vec<&Draw>> =
            chains.iter().map(|runs| runs.iter().flat_map(|run| &run.draws).collect()).collect();
        if settings.max_new == 0 {
            let known = self.model.nodes.len();
            for (draws, part) in draws.iter_mut().zip(&parts) {
                *draws = part.resampled(draws, known)?;
            }
        }
        let known = self.model.nodes.len();
        let extended = if shared {
            part::extend(&parts, known, &draws)?
        } else {
            let each = parts.iter().zip(&draws).map(|(part, draws)| {
                part::extend(std::slice::from_ref(part), known, std::slice::from_ref(draws))
            });
            each.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
        };
        let settings = settings.clone().check()?;
        let posterior = |((part, fitted), draws): ((&Part<'_>, &FittedRelation), Vec<Draw>)| {
            let pairs = part.pairs.clone().with_non_link_share(fitted.posterior.non_link_share());
            let covariates = part.covariates.map(|(covariates, _)| covariates.clone());
            Posterior::new(&pairs, &settings, covariates, draws, fitted.posterior.traces().to_vec())
        };
        Ok(parts.iter().zip(&self.model.relations).zip(extended).map(posterior).collect())
    }
}

/// The observed pairs of new nodes; an undirected one in both directions, if pairs are ordered.
fn pairs_of_new(network: &Network, known: u32, symmetric: bool) -> Vec<Pair> {
    let nodes = network.len() as u32;
    let both_ways = !network.directed() && !symmetric;
    let mut pairs = vec![];
    let mut add = |source: u32, target: u32| {
        let stands = |list: &[(u32, u32)]| list.binary_search(&(source, target)).is_ok();
        let link = stands(network.links());
        let observed = match network.unlisted() {
            Unlisted::NonLink => !stands(network.unobserved()),
            Unlisted::Unobserved => link || stands(network.non_links()),
        };
        if network.possible(source, target) && observed {
            pairs.push(Pair { source, target, link });
            if both_ways {
                pairs.push(Pair { source: target, target: source, link });
            }
        }
    };
    for new in known..nodes {
        // A pair of two new nodes is seen from the later one.
        for other in 0..new {
            add(other, new);
            if network.directed() {
                add(new, other);
            }
        }
    }
    pairs
}

/// What computes the covariates of a relation with the links of new nodes, and the covariates of their pairs.
fn covariates_of(
    fitted: &FittedRelation,
    network: &Network,
    side_info: &SideInfo,
    pairs: &Pairs,
) -> Result<Option<(Covariates, Matrix)>> {
    let Some(before) = fitted.posterior.covariates() else { return Ok(None) };
    let both_ways = !network.directed() && !pairs.symmetric();
    let link = |(source, target)| Pair { source, target, link: true };
    let back = network.links().iter().filter(|_| both_ways).map(|&(i, j)| link((j, i)));
    let links =
        Pairs::new(network.len(), pairs.symmetric(), network.links().iter().copied().map(link).chain(back));
    let links = links.with_modes(network.modes());
    let set = fitted.posterior.settings().covariates;
    let covariates = Covariates::from_scales(&links, set, side_info, before.scales().to_vec());
    let covariates = covariates
        .ok_or_else(|| Error::Draws("the covariates of the model cannot be restored".to_owned()))?;
    let list: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.source, pair.target)).collect();
    if let Some((column, &(i, j))) =
        list.iter().find_map(|pair| covariates.unheard(*pair).map(|column| (column, pair)))
    {
        let [i, j] = [i, j].map(|id| network.nodes().name(id));
        return Err(Error::Network(format!(
            "the pair '{i}', '{j}' has no value of the covariate '{column}', which every pair of the fit had: new nodes \
             cannot be predicted"
        )));
    }
    let rows = covariates.rows(&list);
    Ok(Some((covariates, rows)))
}
