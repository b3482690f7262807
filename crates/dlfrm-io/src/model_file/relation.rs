//! One relation in a model file: its links, draws and traces as arrays.

use dlfrm::covariates::{CovariateSet, Covariates, Scale, SideInfo};
use dlfrm::fit::FittedRelation;
use dlfrm::model::Linear;
use dlfrm::network::{Pair, Pairs};
use dlfrm::posterior::{Draw, DrawParts, Posterior, Trace};

use super::ModelFileError;
use super::arrays::{ArrayReader, ArrayWriter};
use super::manifest::{Manifest, RelationEntry};

pub(super) fn write(relation: &FittedRelation, number: usize, arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("relation.{number}.{array}");
    let (draws, traces) = (relation.posterior.draws(), relation.posterior.traces());
    arrays.u32s(&name("links"), relation.links.iter().flat_map(|&(source, target)| [source, target]));
    if !relation.non_links.is_empty() {
        arrays.u32s(&name("non-links"), relation.non_links.iter().flat_map(|&(i, j)| [i, j]));
    }
    arrays.u32s(&name("draws.chain"), draws.iter().map(|draw| draw.chain as u32));
    arrays.u32s(&name("draws.sweep"), draws.iter().map(|draw| draw.sweep as u32));
    arrays.u32s(&name("draws.features"), draws.iter().map(|draw| draw.features() as u32));
    arrays.u32s(&name("draws.starts"), draws.iter().flat_map(|draw| draw.starts.iter().copied()));
    arrays.u32s(&name("draws.items"), draws.iter().flat_map(|draw| draw.items.iter().copied()));
    arrays.f64s(&name("draws.weights"), draws.iter().flat_map(|draw| draw.weights.iter().copied()));
    arrays.f64s(&name("draws.log-joint"), draws.iter().map(|draw| draw.log_joint));
    arrays.f64s(&name("draws.intercept"), draws.iter().map(|draw| draw.intercept));
    arrays.f64s(&name("draws.alpha"), draws.iter().map(|draw| draw.alpha));
    arrays.f64s(&name("draws.nu"), draws.iter().map(|draw| draw.nu));
    for (end, which) in ["senders", "receivers"].into_iter().enumerate() {
        let effects = draws.iter().flat_map(|draw| draw.linear.effects[end].iter().copied());
        arrays.f64s(&name(&format!("draws.{which}")), effects);
        let precisions = draws.iter().map(|draw| draw.linear.precisions[end]);
        arrays.f64s(&name(&format!("draws.{which}-precision")), precisions);
        let attributes = draws.iter().flat_map(|draw| draw.linear.attributes[end].iter().copied());
        arrays.f64s(&name(&format!("draws.{which}-attributes")), attributes);
        let precisions = draws.iter().flat_map(|draw| draw.linear.attribute_precisions[end].iter().copied());
        arrays.f64s(&name(&format!("draws.{which}-attributes-precision")), precisions);
    }
    let coefficients = draws.iter().flat_map(|draw| draw.linear.coefficients.iter().copied());
    arrays.f64s(&name("draws.coefficients"), coefficients);
    let scales = relation.posterior.covariates().map_or(&[][..], Covariates::scales);
    arrays.f64s(&name("covariates.mean"), scales.iter().map(|scale| scale.mean));
    arrays.f64s(&name("covariates.deviation"), scales.iter().map(|scale| scale.deviation));
    arrays.u32s(&name("traces.sweeps"), traces.iter().map(|trace| trace.features.len() as u32));
    let mut column = |array: &str, of: fn(&Trace) -> &Vec<f64>| {
        arrays.f64s(&name(array), traces.iter().flat_map(|trace| of(trace).iter().copied()));
    };
    column("traces.features", |trace| &trace.features);
    column("traces.log-joint", |trace| &trace.log_joint);
    column("traces.alpha", |trace| &trace.alpha);
    column("traces.nu", |trace| &trace.nu);
    column("traces.intercept", |trace| &trace.intercept);
}

pub(super) fn read(
    entry: &RelationEntry,
    number: usize,
    Manifest { settings, directed, .. }: &Manifest,
    side_info: &SideInfo,
    entities: usize,
    arrays: &ArrayReader<'_>,
) -> Result<FittedRelation, ModelFileError> {
    let prefix = format!("relation.{number}.");
    let links = read_pairs("links", &prefix, entities, *directed, arrays)?;
    // Files of networks without listed non-links do not have them.
    let non_links = if arrays.has(&format!("{prefix}non-links")) {
        read_pairs("non-links", &prefix, entities, *directed, arrays)?
    } else {
        vec![]
    };
    let draws = read_draws(entry, &prefix, entities, arrays)?;
    if draws.is_empty() {
        return Err(arrays.broken("it has no draws"));
    }
    let mut traces = read_traces(&prefix, arrays)?;
    for (trace, &total) in traces.iter_mut().zip(&entry.sampler) {
        trace.total = total;
    }
    let known = learned_from(entry, *directed, entities, &links);
    let covariates = read_covariates(&known, settings.covariates, side_info, &prefix, arrays)?;
    let (settings, share) = (settings.clone(), entry.non_link_share);
    let posterior =
        Posterior::from_parts(settings, entry.symmetric, share, entities, covariates, draws, traces)
            .map_err(|error| arrays.broken(error.to_string()))?;
    Ok(FittedRelation {
        name: entry.name.clone(),
        posterior: posterior.with_combination(entry.combination),
        links,
        non_links,
        observed: entry.observed,
        seconds: entry.seconds,
    })
}

/// Pairs of entities, sorted.
fn read_pairs(
    name: &str,
    prefix: &str,
    entities: usize,
    directed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<(u32, u32)>, ModelFileError> {
    let ids = arrays.u32s(&format!("{prefix}{name}"))?;
    if ids.len() % 2 == 1 || ids.iter().any(|&id| id as usize >= entities) {
        return Err(arrays.broken(format!("the {name} are not pairs of {entities} entities")));
    }
    let pairs: Vec<(u32, u32)> = ids.as_chunks().0.iter().map(|&[source, target]| (source, target)).collect();
    let turned = |&(i, j): &(u32, u32)| i == j || (!directed && i > j);
    if pairs.windows(2).any(|two| two[0] >= two[1]) || pairs.iter().any(turned) {
        return Err(arrays.broken(format!("the {name} are not in order")));
    }
    Ok(pairs)
}

/// The links as they were learned from: in both directions where an undirected network was learned as a directed one.
fn learned_from(entry: &RelationEntry, directed: bool, entities: usize, links: &[(u32, u32)]) -> Pairs {
    let both_ways = !directed && !entry.symmetric;
    let pair = |(source, target)| Pair { source, target, link: true };
    let back = links.iter().filter(|_| both_ways).map(|&(i, j)| pair((j, i)));
    Pairs::new(entities, entry.symmetric, links.iter().copied().map(pair).chain(back))
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

fn read_draws(
    entry: &RelationEntry,
    prefix: &str,
    entities: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<Draw>, ModelFileError> {
    let counts = |name: &str| arrays.u32s(&format!("{prefix}draws.{name}"));
    let numbers = |name: &str| arrays.f64s(&format!("{prefix}draws.{name}"));
    let (chain, sweep, features) = (counts("chain")?, counts("sweep")?, counts("features")?);
    let (log_joint, intercept) = (numbers("log-joint")?, numbers("intercept")?);
    let (alpha, nu) = (numbers("alpha")?, numbers("nu")?);
    let draws = chain.len();
    let lengths = [sweep.len(), features.len(), log_joint.len(), intercept.len(), alpha.len(), nu.len()];
    if lengths.iter().any(|&length| length != draws) {
        return Err(arrays.broken(format!("{draws} draws have {lengths:?} numbers")));
    }
    let uneven = || arrays.broken("the features or weights of a draw are missing");
    let each = |values: Vec<f64>| -> Result<Vec<Vec<f64>>, ModelFileError> {
        let count = values.len() / draws.max(1);
        if count * draws != values.len() {
            return Err(uneven());
        }
        Ok((0..draws).map(|draw| values[draw * count..][..count].to_vec()).collect())
    };
    let mut coefficients = each(numbers("coefficients")?)?;
    let ends = |what: &str| -> Result<[Vec<Vec<f64>>; 2], ModelFileError> {
        Ok([each(numbers(&format!("senders{what}"))?)?, each(numbers(&format!("receivers{what}"))?)?])
    };
    let (mut effects, mut attributes) = (ends("")?, ends("-attributes")?);
    let mut attribute_precisions = ends("-attributes-precision")?;
    let precisions = [numbers("senders-precision")?, numbers("receivers-precision")?];
    if precisions.iter().any(|precisions| precisions.len() != draws) {
        return Err(uneven());
    }
    let (starts, items, weights) = (counts("starts")?, counts("items")?, numbers("weights")?);
    let (mut starts, mut items, mut weights) = (starts.as_slice(), items.as_slice(), weights.as_slice());
    let mut all = Vec::with_capacity(draws);
    for draw in 0..draws {
        let starts = take(&mut starts, entities + 1).ok_or_else(uneven)?;
        let items = take(&mut items, starts.last().map_or(0, |&end| end as usize)).ok_or_else(uneven)?;
        let features = features[draw] as usize;
        let stored =
            if entry.shape == dlfrm::model::Shape::Diagonal { features } else { features * features };
        let parts = DrawParts {
            chain: chain[draw] as usize,
            sweep: sweep[draw] as usize,
            log_joint: log_joint[draw],
            intercept: intercept[draw],
            linear: Linear {
                coefficients: std::mem::take(&mut coefficients[draw]),
                effects: taken(&mut effects, draw),
                precisions: [precisions[0][draw], precisions[1][draw]],
                attributes: taken(&mut attributes, draw),
                attribute_precisions: taken(&mut attribute_precisions, draw),
            },
            alpha: alpha[draw],
            nu: nu[draw],
            shape: entry.shape,
            features,
            starts: starts.to_vec(),
            items: items.to_vec(),
            weights: take(&mut weights, stored).ok_or_else(uneven)?.to_vec(),
            feature_scale: entry.combination.map_or(1.0, |combination| combination.features),
        };
        all.push(Draw::from_parts(parts).map_err(|error| arrays.broken(error.to_string()))?);
    }
    if starts.is_empty() && items.is_empty() && weights.is_empty() { Ok(all) } else { Err(uneven()) }
}

/// What a draw has of two lists of all draws.
fn taken(lists: &mut [Vec<Vec<f64>>; 2], draw: usize) -> [Vec<f64>; 2] {
    lists.each_mut().map(|list| std::mem::take(&mut list[draw]))
}

fn read_traces(prefix: &str, arrays: &ArrayReader<'_>) -> Result<Vec<Trace>, ModelFileError> {
    let sweeps = arrays.u32s(&format!("{prefix}traces.sweeps"))?;
    let mut traces = vec![Trace::default(); sweeps.len()];
    let mut column = |name: &str, of: fn(&mut Trace) -> &mut Vec<f64>| {
        let name = format!("{prefix}traces.{name}");
        let values = arrays.f64s(&name)?;
        let mut rest = values.as_slice();
        for (trace, &sweeps) in traces.iter_mut().zip(&sweeps) {
            let values = take(&mut rest, sweeps as usize);
            let values = values.ok_or_else(|| arrays.broken(format!("the array '{name}' is too short")))?;
            *of(trace) = values.to_vec();
        }
        if rest.is_empty() { Ok(()) } else { Err(arrays.broken(format!("the array '{name}' is too long"))) }
    };
    column("features", |trace| &mut trace.features)?;
    column("log-joint", |trace| &mut trace.log_joint)?;
    column("alpha", |trace| &mut trace.alpha)?;
    column("nu", |trace| &mut trace.nu)?;
    column("intercept", |trace| &mut trace.intercept)?;
    Ok(traces)
}

/// Takes the first `count` values off a slice, if there are so many.
fn take<'a, T>(rest: &mut &'a [T], count: usize) -> Option<&'a [T]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}
