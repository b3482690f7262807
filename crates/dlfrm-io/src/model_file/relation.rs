//! One relation in a model file: its links, draws and traces as arrays.

use dlfrm::model::Settings;
use dlfrm::posterior::{Draw, DrawParts, Posterior, Trace};

use super::arrays::{ArrayReader, ArrayWriter};
use super::manifest::RelationEntry;
use super::{FittedRelation, ModelFileError};

pub(super) fn write(relation: &FittedRelation, number: usize, arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("relation.{number}.{array}");
    let (draws, traces) = (relation.posterior.draws(), relation.posterior.traces());
    arrays.u32s(&name("links"), relation.links.iter().flat_map(|&(source, target)| [source, target]));
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
    settings: &Settings,
    entities: usize,
    arrays: &ArrayReader<'_>,
) -> Result<FittedRelation, ModelFileError> {
    let prefix = format!("relation.{number}.");
    let links = arrays.u32s(&format!("{prefix}links"))?;
    if links.len() % 2 == 1 || links.iter().any(|&id| id as usize >= entities) {
        return Err(arrays.broken(format!("the links are not pairs of {entities} entities")));
    }
    let links: Vec<(u32, u32)> =
        links.as_chunks().0.iter().map(|&[source, target]| (source, target)).collect();
    if links.windows(2).any(|two| two[0] >= two[1]) {
        return Err(arrays.broken("the links are not in order"));
    }
    let draws = read_draws(entry, &prefix, entities, arrays)?;
    if draws.is_empty() {
        return Err(arrays.broken("it has no draws"));
    }
    let traces = read_traces(&prefix, arrays)?;
    let (settings, share) = (settings.clone(), entry.non_link_share);
    let posterior = Posterior::from_parts(settings, entry.symmetric, share, entities, draws, traces)
        .map_err(|error| arrays.broken(error.to_string()))?;
    Ok(FittedRelation {
        name: entry.name.clone(),
        posterior,
        links,
        observed: entry.observed,
        seconds: entry.seconds,
    })
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
            alpha: alpha[draw],
            nu: nu[draw],
            shape: entry.shape,
            features,
            starts: starts.to_vec(),
            items: items.to_vec(),
            weights: take(&mut weights, stored).ok_or_else(uneven)?.to_vec(),
        };
        all.push(Draw::from_parts(parts).map_err(|error| arrays.broken(error.to_string()))?);
    }
    if starts.is_empty() && items.is_empty() && weights.is_empty() { Ok(all) } else { Err(uneven()) }
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
