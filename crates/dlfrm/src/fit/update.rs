//! New links, non-links and nodes for a fitted model, whose chains go on from where they are.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{checkpoint::Checkpoint, fitted::FittedModel, part::PartName, state::Until};
use crate::chain::ChainRun;
use crate::covariates::{Attributes, Field, FieldValues, PairTable, SideInfo};
use crate::error::{Error, Result};
use crate::model::Settings;
use crate::network::{Network, Nodes, Relation, Unlisted};
use crate::posterior::{Draw, DrawParts};
use crate::warning::Added;

/// An update makes at most this part of the sweeps of a fit.
const PART: usize = 5;
/// The part of these that comes before the first draw.
const AGAIN: usize = 8;
/// A round has at least so many draws.
const LEAST: usize = 10;
/// The most draws of a chain.
const DRAWS: usize = 100;
/// There are up to so many doublings of the first round.
const DOUBLINGS: u32 = 1;
/// Chains go on until the R-hat between earlier and later draws is at most this, or what it was before: chains that are slow to
/// mix need not be steadier than they were.
const SETTLED: f64 = 1.05;

impl FittedModel {
    /// The model with further links, non-links and nodes, to be fitted: its chains go on from where they are. A pair that was
    /// given otherwise is now what is given last, also if it is unobserved now. Attributes of new nodes are not known.
    ///
    /// New nodes get features and effects from their conditionals in the first sweeps. There are a few sweeps before
    /// the first draw, and more until link probabilities have settled, but no more than a fifth of those of a fit.
    pub fn update(self, more: &[Relation]) -> Result<(Checkpoint<'static>, Added)> {
        let before =
            self.relations.iter().filter_map(|relation| relation.posterior.probe_drift(&relation.links));
        let r_hat = before.filter(|r_hat| r_hat.is_finite()).fold(SETTLED, f64::max);
        let mut checkpoint = self.into_checkpoint()?;
        let added = checkpoint.add(more)?;
        checkpoint.go_on_with_new_pairs(r_hat)?;
        Ok((checkpoint, added))
    }
}

impl Checkpoint<'_> {
    /// Adds what is known of more pairs.
    fn add(&mut self, more: &[Relation]) -> Result<Added> {
        let (relations, mut added) = extended(&self.relations, more)?;
        let nodes = relations[0].network.len();
        self.relations = relations.into();
        // A pair that is known now is not held out any more, nor is one that is not known any more.
        for (held_out, Relation { name, network }) in self.held_out.to_mut().iter_mut().zip(&*self.relations)
        {
            let forgotten = more.iter().filter(|more| more.name == *name).flat_map(|more| {
                let id = |id: u32| network.nodes().get(more.network.nodes().name(id));
                more.network
                    .unobserved()
                    .iter()
                    .filter_map(move |&(i, j)| Some(ordered(id(i)?, id(j)?, network.directed())))
            });
            let forgotten: BTreeSet<(u32, u32)> = forgotten.collect();
            let known = |pair: &(u32, u32)| {
                [network.links(), network.non_links()].iter().any(|known| known.binary_search(pair).is_ok())
            };
            let stays = |pair: &(u32, u32)| !known(pair) && !forgotten.contains(pair);
            added.held_out += held_out.pairs.iter().filter(|pair| known(&(pair.source, pair.target))).count();
            held_out.pairs.retain(|pair| stays(&(pair.source, pair.target)));
            held_out.non_links.retain(stays);
        }
        self.side_info = Cow::Owned(with_nodes(&self.side_info, nodes)?);
        for run in self.state.parts.iter_mut().flat_map(|part| &mut part.chains).flatten() {
            let state = run.state.take().map(|state| with_rows(&state, nodes)).transpose()?;
            *run = ChainRun { draws: vec![], trace: std::mem::take(&mut run.trace), state };
        }
        Ok(added)
    }

    /// Plans draws that begin a few sweeps after where the chains are.
    fn go_on_with_new_pairs(&mut self, r_hat: f64) -> Result<()> {
        let state = &mut self.state;
        let mut last = 0;
        for part in state.parts.iter_mut() {
            let (swept, mut settings) = (part.swept(), part.settings.clone().into_inner());
            let again = shorten(&mut settings);
            part.later = (swept + again).saturating_sub(settings.burn_in);
            part.every = 1;
            if part.name == PartName::Features {
                // Rounds are short: there are more of them where they are needed.
                let most = settings.draws;
                settings.draws = if most >> DOUBLINGS >= LEAST { most >> DOUBLINGS } else { most };
                last = swept + again + most;
            }
            part.settings = settings.check()?;
        }
        let settled = Until::new(r_hat, state.parts.features().settings.draws)?;
        state.until = Some(Until { drift: true, most_sweeps: Some(last), ..settled });
        Ok(())
    }
}

/// Shortens the settings of a fit to those of an update: how many sweeps come before the first draw.
fn shorten(settings: &mut Settings) -> usize {
    let sweeps = ((settings.burn_in + settings.draws * settings.thin) / PART).max(2);
    let again = (sweeps / AGAIN).max(1);
    (settings.draws, settings.thin) = ((sweeps - again).min(DRAWS), 1);
    again
}

/// A pair as lists of pairs have it.
fn ordered(i: u32, j: u32, directed: bool) -> (u32, u32) {
    if directed || i < j { (i, j) } else { (j, i) }
}

/// Relations with what is known of more pairs. Nodes that were there keep their numbers.
pub(crate) fn extended(relations: &[Relation], more: &[Relation]) -> Result<(Vec<Relation>, Added)> {
    let first = &relations[0].network;
    let mut nodes = Nodes::clone(first.nodes());
    let mut added = Added::default();
    let mut lists: Vec<[BTreeSet<(u32, u32)>; 3]> = relations
        .iter()
        .map(|Relation { network, .. }| {
            [network.links(), network.non_links(), network.unobserved()]
                .map(|pairs| pairs.iter().copied().collect())
        })
        .collect();
    let directed = first.directed();
    for Relation { name, network } in more {
        if network.directed() != directed {
            return Err(Error::OtherDirection { directed });
        }
        let at = relations.iter().position(|relation| relation.name == *name).ok_or_else(|| {
            let known = relations.iter().filter_map(|relation| relation.name.clone()).collect();
            Error::UnknownRelation { name: name.clone(), known }
        })?;
        let [known_links, known_non_links, unobserved] = &mut lists[at];
        let mut key = |(i, j): (u32, u32)| {
            let [i, j] = [i, j].map(|id| nodes.intern(network.nodes().name(id)));
            ordered(i, j, directed)
        };
        for &pair in network.links() {
            let pair = key(pair);
            added.links += usize::from(known_links.insert(pair));
            known_non_links.remove(&pair);
            unobserved.remove(&pair);
        }
        for &pair in network.non_links() {
            let pair = key(pair);
            added.non_links += usize::from(known_non_links.insert(pair));
            added.links_to_non_links += usize::from(known_links.remove(&pair));
            unobserved.remove(&pair);
        }
        let unlisted = relations[at].network.unlisted() == Unlisted::NonLink;
        for &pair in network.unobserved() {
            let pair = key(pair);
            let link = known_links.remove(&pair);
            let listed = known_non_links.remove(&pair) || link;
            added.unobserved += usize::from(unobserved.insert(pair) && (listed || unlisted));
            added.links_to_unobserved += usize::from(link);
        }
        // Those that are declared, and have no pair.
        for name in network.nodes().names() {
            nodes.intern(name);
        }
    }
    let nodes = Arc::new(nodes);
    let pairs: Vec<(u32, u32)> = lists.iter().flatten().flatten().copied().collect();
    let modes = first.modes().map(|modes| Arc::new(modes.extended(nodes.len(), &pairs)));
    let mut all = vec![];
    for (relation, [links, non_links, unobserved]) in relations.iter().zip(lists) {
        let network = Network::new(Arc::clone(&nodes), directed, links)?;
        let network = network.with_labels(non_links, unobserved, relation.network.unlisted())?;
        let network = match &modes {
            Some(modes) => network.with_modes(Arc::clone(modes))?,
            None => network,
        };
        all.push(Relation { name: relation.name.clone(), network });
    }
    added.nodes = nodes.len() - first.len();
    Ok((all, added))
}

/// A state with further nodes that have no feature, and no effect.
pub(crate) fn with_rows(state: &Draw, nodes: usize) -> Result<Draw> {
    let mut parts = DrawParts::clone(state);
    let end = parts.starts.last().copied().unwrap_or(0);
    parts.starts.resize(nodes + 1, end);
    for effects in parts.linear.effects.iter_mut().filter(|effects| !effects.is_empty()) {
        effects.resize(nodes, 0.0);
    }
    Draw::from_parts(parts)
}

/// What is known beside the links, with further nodes of which nothing is.
pub(crate) fn with_nodes(side_info: &SideInfo, nodes: usize) -> Result<SideInfo> {
    let attributes = side_info.nodes.as_deref().map(|known| {
        let fields = known.fields().iter().map(|Field { name, values }| {
            let mut values = values.clone();
            match &mut values {
                FieldValues::Numbers(numbers) => numbers.resize(nodes, None),
                FieldValues::Words { lists, .. } => lists.resize(nodes, vec![]),
            }
            Field { name: name.clone(), values }
        });
        Attributes::new(nodes, fields.collect()).map(Arc::new)
    });
    let pairs = side_info.pairs.as_deref();
    let pairs = pairs
        .map(|known| PairTable::new(nodes, known.symmetric(), known.pairs(), known.columns()).map(Arc::new));
    Ok(SideInfo { nodes: attributes.transpose()?, pairs: pairs.transpose()? })
}
