//! What a model file has of a network: the manifest, the modes of nodes, and of each relation its links, draws, traces and chains.

use std::sync::Arc;

use dlfrm::covariates::{CovariateSet, Covariates, Scale, SideInfo};
use dlfrm::fit::{Continuation, FittedRelation, HeldOutPairs, HeldOutScores, LeftOut, SweepInfo, Versions};
use dlfrm::model::{Settings, Shape};
use dlfrm::network::{Mode, Modes, Pair, Pairs, Unlisted};
use dlfrm::posterior::{Combination, Posterior, Trace};
use serde::{Deserialize, Serialize};

use super::arrays::{ArrayReader, ArrayWriter};
use super::side_info::SideInfoEntry;
use super::state::StateEntry;
use super::{ModelFileError, draws};

/// The manifest of a model file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest<'a> {
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
    /// Where the fit is, if it can go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<StateEntry<'a>>,
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
    /// How much covariates and features count, if they have a posterior each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) combination: Option<Combination>,
    /// The settings of the posterior of covariates then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) covariates_settings: Option<Settings>,
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
            covariates_settings: posterior.covariates_part().map(|(_, settings)| settings.clone()),
            sampler: posterior.traces().iter().map(|trace| trace.total).collect(),
            held_out: relation.held_out.as_ref().map(|held_out| held_out.scores),
            chains: relation.chains.as_ref().map(ChainsEntry::new),
        }
    }
}

pub(super) fn write(relation: &FittedRelation, number: usize, arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("relation.{number}.{array}");
    let (draws, traces) = (relation.posterior.draws(), relation.posterior.traces());
    arrays.u32s(&name("links"), relation.links.iter().flat_map(|&(source, target)| [source, target]));
    if !relation.non_links.is_empty() {
        arrays.u32s(&name("non-links"), relation.non_links.iter().flat_map(|&(i, j)| [i, j]));
    }
    if let Some(held_out) = &relation.held_out {
        write_held_out(&name(""), &held_out.left_out, arrays);
    }
    draws::write(&name("draws."), &draws.iter().collect::<Vec<_>>(), arrays);
    if let Some((draws, _)) = relation.posterior.covariates_part() {
        draws::write(&name("covariates-draws."), &draws.iter().collect::<Vec<_>>(), arrays);
    }
    let scales = relation.posterior.covariates().map_or(&[][..], Covariates::scales);
    arrays.f64s(&name("covariates.mean"), scales.iter().map(|scale| scale.mean));
    arrays.f64s(&name("covariates.deviation"), scales.iter().map(|scale| scale.deviation));
    draws::write_traces(&name("traces."), &traces.iter().collect::<Vec<_>>(), arrays);
    if let Some(chains) = &relation.chains {
        write_chains(&name(""), chains, arrays);
    }
}

pub(super) fn read(
    entry: &RelationEntry,
    number: usize,
    Manifest { settings, directed, .. }: &Manifest<'_>,
    side_info: &SideInfo,
    modes: Option<&Arc<Modes>>,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<FittedRelation, ModelFileError> {
    let prefix = format!("relation.{number}.");
    let links = read_pairs("links", &prefix, nodes, *directed, arrays)?;
    // Files of networks without listed non-links do not have them.
    let non_links = if arrays.has(&format!("{prefix}non-links")) {
        read_pairs("non-links", &prefix, nodes, *directed, arrays)?
    } else {
        vec![]
    };
    let draws = draws::read(&format!("{prefix}draws."), entry.shape, nodes, arrays)?;
    if draws.is_empty() {
        return Err(arrays.broken("it has no draws"));
    }
    let mut traces = draws::read_traces(&format!("{prefix}traces."), arrays)?;
    for (trace, &total) in traces.iter_mut().zip(&entry.sampler) {
        trace.total = total;
    }
    let within = |&&(i, j): &&(u32, u32)| modes.is_some_and(|modes| !modes.across(i, j));
    if let Some((i, j)) = links.iter().chain(&non_links).find(within) {
        return Err(arrays.broken(format!("the pair {i}, {j} is within a mode")));
    }
    let observed = (links.len() + non_links.len()) as u64;
    let known = learned_from(entry, *directed, nodes, &links).with_modes(modes);
    let mut covariates = read_covariates(&known, settings.covariates, side_info, &prefix, arrays)?;
    let (symmetric, share) = (entry.symmetric, entry.non_link_share);
    let part = |settings: &Settings, covariates, draws, traces| {
        Posterior::from_parts(settings.clone(), symmetric, share, nodes, covariates, draws, traces)
            .map_err(|error| arrays.broken(error.to_string()))
    };
    let of_covariates = match &entry.covariates_settings {
        Some(settings) => {
            let shape = Shape::of(settings.model, symmetric);
            let draws = draws::read(&format!("{prefix}covariates-draws."), shape, nodes, arrays)?;
            Some(part(settings, covariates.take(), draws, vec![Trace::default(); settings.chains])?)
        }
        None => None,
    };
    let mut posterior = part(settings, covariates, draws, traces)?;
    if let Some(of_covariates) = of_covariates {
        posterior = Posterior::combine(of_covariates, posterior, entry.combination.unwrap_or_default());
    }
    Ok(FittedRelation {
        name: entry.name.clone(),
        posterior: posterior.with_modes(modes.cloned()),
        links,
        non_links,
        observed: entry.observed,
        seconds: entry.seconds,
        held_out: match entry.held_out {
            Some(scores) => {
                let listed = entry.observed == observed;
                let left_out = read_held_out(&prefix, nodes, *directed, listed, arrays)?;
                Some(HeldOutPairs { left_out, scores })
            }
            None => None,
        },
        chains: read_chains(entry, &prefix, nodes, *directed, arrays)?,
    })
}

/// Pairs of nodes, sorted.
pub(super) fn read_pairs(
    name: &str,
    prefix: &str,
    nodes: usize,
    directed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<(u32, u32)>, ModelFileError> {
    let ids = arrays.u32s(&format!("{prefix}{name}"))?;
    if ids.len() % 2 == 1 || ids.iter().any(|&id| id as usize >= nodes) {
        return Err(arrays.broken(format!("the {name} are not pairs of {nodes} nodes")));
    }
    let pairs: Vec<(u32, u32)> = ids.as_chunks().0.iter().map(|&[source, target]| (source, target)).collect();
    let turned = |&(i, j): &(u32, u32)| i == j || (!directed && i > j);
    if pairs.windows(2).any(|two| two[0] >= two[1]) || pairs.iter().any(turned) {
        return Err(arrays.broken(format!("the {name} are not in order")));
    }
    Ok(pairs)
}

/// Writes pairs that are held out.
pub(super) fn write_held_out(prefix: &str, out: &LeftOut, arrays: &mut ArrayWriter) {
    for (name, link) in HELD_OUT {
        let chosen = out.pairs.iter().filter(|pair| pair.link == link);
        arrays.u32s(&format!("{prefix}{name}"), chosen.flat_map(|pair| [pair.source, pair.target]));
    }
    arrays.u32s(&format!("{prefix}{LISTED}"), out.non_links.iter().flat_map(|&(i, j)| [i, j]));
}

/// Reads pairs that are held out, sorted. `listed` says that no pair is observed but those that are listed: older files do
/// not have which of the non-links were.
pub(super) fn read_held_out(
    prefix: &str,
    nodes: usize,
    directed: bool,
    listed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<LeftOut, ModelFileError> {
    let mut pairs = vec![];
    for (name, link) in HELD_OUT {
        let ends = read_pairs(name, prefix, nodes, directed, arrays)?.into_iter();
        pairs.extend(ends.map(|(source, target)| Pair { source, target, link }));
    }
    pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
    if pairs.windows(2).any(|two| (two[0].source, two[0].target) == (two[1].source, two[1].target)) {
        return Err(arrays.broken("a pair is held out as a link and as a non-link"));
    }
    let has = arrays.has(&format!("{prefix}{LISTED}"));
    let name = if has { LISTED } else { HELD_OUT[1].0 };
    let non_links = if has || listed { read_pairs(name, prefix, nodes, directed, arrays)? } else { vec![] };
    let out = LeftOut { pairs, non_links };
    if out.non_links.iter().any(|&pair| out.label(pair) != Some(false)) {
        return Err(arrays.broken("a listed non-link is not held out as one"));
    }
    Ok(out)
}

/// The arrays of links and of non-links that are held out.
const HELD_OUT: [(&str, bool); 2] = [("held-out-links", true), ("held-out-non-links", false)];
/// The array of those non-links that the network lists.
const LISTED: &str = "held-out-listed-non-links";

/// The links as they were learned from: in both directions where an undirected network was learned as a directed one.
fn learned_from(entry: &RelationEntry, directed: bool, nodes: usize, links: &[(u32, u32)]) -> Pairs {
    let both_ways = !directed && !entry.symmetric;
    let pair = |(source, target)| Pair { source, target, link: true };
    let back = links.iter().filter(|_| both_ways).map(|&(i, j)| pair((j, i)));
    Pairs::new(nodes, entry.symmetric, links.iter().copied().map(pair).chain(back))
}

/// The covariates of pairs, from the links, the side information and the scales of the columns.
fn read_covariates(
    links: &Pairs,
    set: CovariateSet,
    side_info: &SideInfo,
    prefix: &str,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Covariates>, ModelFileError> {
    let numbers = |name: &str| arrays.f64s(&format!("{prefix}covariates.{name}"));
    let (means, deviations) = (numbers("mean")?, numbers("deviation")?);
    let wrong = || arrays.broken("the covariates cannot be restored");
    if means.len() != deviations.len() || means.iter().chain(&deviations).any(|value| !value.is_finite()) {
        return Err(wrong());
    }
    if means.is_empty() && side_info.is_empty() {
        return Ok(None);
    }
    let scales = means.into_iter().zip(deviations).map(|(mean, deviation)| Scale { mean, deviation });
    Covariates::from_scales(links, set, side_info, scales.collect()).ok_or_else(wrong).map(Some)
}

/// What the manifest has of the chains of a relation that a model goes on with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ChainsEntry {
    pub(super) unlisted: Unlisted,
}

impl ChainsEntry {
    pub(super) fn new(chains: &Continuation) -> Self {
        Self { unlisted: chains.unlisted }
    }
}

fn write_chains(prefix: &str, chains: &Continuation, arrays: &mut ArrayWriter) {
    arrays.u32s(&format!("{prefix}unobserved"), chains.unobserved.iter().flat_map(|&(i, j)| [i, j]));
}

fn read_chains(
    entry: &RelationEntry,
    prefix: &str,
    nodes: usize,
    directed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Continuation>, ModelFileError> {
    let Some(ChainsEntry { unlisted }) = &entry.chains else { return Ok(None) };
    Ok(Some(Continuation {
        unobserved: read_pairs("unobserved", prefix, nodes, directed, arrays)?,
        unlisted: *unlisted,
    }))
}

/// The array.
pub(super) fn mode_numbers(modes: &Modes) -> impl Iterator<Item = u32> {
    (0..modes.nodes() as u32).map(|node| match modes.mode(node) {
        None => 0,
        Some(Mode::Row) => 1,
        Some(Mode::Column) => 2,
    })
}

/// The modes, if the network has two.
pub(super) fn read_modes(
    bipartite: bool,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Arc<Modes>>, ModelFileError> {
    if !bipartite {
        return Ok(None);
    }
    let numbers = arrays.u32s("modes")?;
    if numbers.len() != nodes {
        return Err(arrays.broken("the modes are not those of the nodes"));
    }
    let mode = |number: u32| match number {
        0 => Ok(None),
        1 => Ok(Some(Mode::Row)),
        2 => Ok(Some(Mode::Column)),
        other => Err(arrays.broken(format!("a mode is {other}"))),
    };
    let modes = numbers.into_iter().map(mode).collect::<Result<_, _>>()?;
    Ok(Some(Arc::new(Modes::new(modes))))
}
