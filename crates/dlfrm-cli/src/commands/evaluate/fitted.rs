//! A model that was fitted before: refused unless it was fitted to the network at hand, and to none of the test pairs.

use std::path::Path;

use anyhow::{Context, bail};
use dlfrm::evaluate::FittedMethod;
use dlfrm::fit::{FittedModel, FittedRelation, check_network};
use dlfrm::network::Relation;
use dlfrm::network::{Network, Pair, Split, Unlisted};
use dlfrm_io::Dataset;

use crate::args::{GlobalArgs, load_noting};

/// What a model is evaluated on, and the files that it comes from.
pub(super) struct Source<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) network: &'a Path,
    pub(super) splits: &'a [Split],
    pub(super) test: &'a Path,
}

/// Loads a model to be source.
pub(super) fn load(file: &Path, source: &Source<'_>, global: &GlobalArgs) -> anyhow::Result<FittedMethod> {
    let model = load_noting(file, global)?;
    let network = source.network.display();
    let relations = relations(&model, source).map_err(|difference| {
        anyhow::anyhow!("{} was not fitted to {network}: {difference}", file.display())
    })?;
    for ((relation, split), fitted) in source.dataset.relations.iter().zip(source.splits).zip(&relations) {
        if let Some(pair) = split.test.iter().find(|pair| learned(&relation.network, pair)) {
            bail!(
                "{}: the pair {} is one that {} learned from, as every pair that {network} does not list: list the test \
                 pairs there as unobserved (label ?) and fit again",
                source.test.display(),
                named(&relation.network, (pair.source, pair.target)),
                file.display()
            );
        }
        let known = fitted.map_or(Ok(()), |fitted| model.check_pairs(fitted, &split.test_pairs()));
        known.with_context(|| source.test.display().to_string())?;
    }
    let posteriors = relations.into_iter().map(|fitted| fitted.map(|fitted| fitted.posterior.clone()));
    Ok(FittedMethod { posteriors: posteriors.collect() })
}

/// Whether a pair that a network does not list is a non-link to learn from.
fn learned(network: &Network, pair: &Pair) -> bool {
    let listed = network.unobserved().binary_search(&(pair.source, pair.target)).is_ok();
    network.unlisted() == Unlisted::NonLink && !listed
}

/// The fit of each relation of the network, none for relations that can neither be fitted nor have test pairs; or the first
/// difference between model and network.
fn relations<'a>(
    model: &'a FittedModel,
    source: &Source<'_>,
) -> Result<Vec<Option<&'a FittedRelation>>, String> {
    let networks = &source.dataset.relations;
    whole(model, &networks[0].network)?;
    let absent = |known: &&FittedRelation| !networks.iter().any(|relation| relation.name == known.name);
    if let Some(relation) = model.relations.iter().find(absent) {
        return Err(lone(relation.name.as_deref(), "model", "network"));
    }
    let mut found = Vec::with_capacity(networks.len());
    for (relation, split) in networks.iter().zip(source.splits) {
        let fitted = model.relations.iter().find(|known| known.name == relation.name);
        match fitted {
            Some(fitted) => same(fitted, relation)?,
            None if split.test.is_empty() && check_network(&relation.network).is_err() => {}
            None => return Err(lone(relation.name.as_deref(), "network", "model")),
        }
        found.push(fitted);
    }
    Ok(found)
}

/// How nodes and directions differ, if they do.
fn whole(model: &FittedModel, network: &Network) -> Result<(), String> {
    if model.directed != network.directed() {
        let kind = |directed| if directed { "a direction" } else { "no direction" };
        let kinds = [model.directed, network.directed()].map(kind);
        return Err(format!("links have {} in the model and {} in the network", kinds[0], kinds[1]));
    }
    if model.modes() != network.modes() {
        return Err("rows and columns are other nodes in the model than in the network".to_owned());
    }
    let (ours, theirs) = (model.nodes.names(), network.nodes().names());
    let place = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    match (ours.get(place), theirs.get(place)) {
        (None, None) => Ok(()),
        (Some(one), Some(other)) => {
            Err(format!("node {} is '{one}' in the model and '{other}' in the network", place + 1))
        }
        (one, other) => Err(format!(
            "the model has {} nodes and the network {}; '{}' is in one of them alone",
            ours.len(),
            theirs.len(),
            one.or(other).expect("one of them is longer")
        )),
    }
}

/// How the pairs that were learned from differ from those of a network, as far as a model file shows.
fn same(fitted: &FittedRelation, Relation { name, network, .. }: &Relation) -> Result<(), String> {
    let (ours, theirs) = (&fitted.links[..], network.links());
    let of = name.as_ref().map_or(String::new(), |name| format!(" of the relation '{name}'"));
    let place = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let alone = |pair, with, without| {
        Err(format!("the link {}{of} is in the {with} and not in the {without}", named(network, pair)))
    };
    match (ours.get(place), theirs.get(place)) {
        (Some(&one), Some(&other)) if one < other => return alone(one, "model", "network"),
        (Some(&one), None) => return alone(one, "model", "network"),
        (_, Some(&other)) => return alone(other, "network", "model"),
        (None, None) => {}
    }
    // A model file has the number of non-links that were learned from, unless they were sampled, but not which.
    let observed = network.observed_count();
    if fitted.posterior.non_link_share() == 1.0 && fitted.observed != observed {
        return Err(format!(
            "the model learned from {} pairs{of}, the network has {observed}",
            fitted.observed
        ));
    }
    Ok(())
}

/// A relation that one has and the other has not; one without a name if there are none.
fn lone(relation: Option<&str>, with: &str, without: &str) -> String {
    match relation {
        Some(name) => format!("the {with} has a relation '{name}', the {without} has not"),
        None => format!("the {with} has no relations, the {without} has"),
    }
}

fn named(network: &Network, (source, target): (u32, u32)) -> String {
    let [source, target] = [source, target].map(|node| network.nodes().name(node));
    format!("'{source}', '{target}'")
}
