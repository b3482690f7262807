//! Draws and traces as arrays, in model files and checkpoints.

use dlfrm::model::{Linear, Nu, Shape};
use dlfrm::posterior::{Draw, DrawParts, Trace};

use super::ModelFileError;
use super::arrays::{ArrayReader, ArrayWriter};

/// Writes draws to arrays whose names begin with `prefix`.
pub(super) fn write(prefix: &str, draws: &[&Draw], arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("{prefix}{array}");
    arrays.u32s(&name("chain"), draws.iter().map(|draw| draw.chain as u32));
    arrays.u32s(&name("sweep"), draws.iter().map(|draw| draw.sweep as u32));
    arrays.u32s(&name("features"), draws.iter().map(|draw| draw.features() as u32));
    arrays.u32s(&name("starts"), draws.iter().flat_map(|draw| draw.starts.iter().copied()));
    arrays.u32s(&name("items"), draws.iter().flat_map(|draw| draw.items.iter().copied()));
    arrays.f64s(&name("weights"), draws.iter().flat_map(|draw| draw.weights.iter().copied()));
    arrays.f64s(&name("log-joint"), draws.iter().map(|draw| draw.log_joint));
    arrays.f64s(&name("alpha"), draws.iter().map(|draw| draw.alpha));
    arrays.f64s(&name("nu"), draws.iter().map(|draw| draw.nu.own));
    arrays.f64s(&name("nu-between"), draws.iter().map(|draw| draw.nu.between));
    let linear: Vec<(f64, &Linear)> = draws.iter().map(|draw| (draw.intercept, &draw.linear)).collect();
    write_linear(prefix, &linear, arrays);
}

/// Writes the linear parts of draws, intercepts first.
pub(super) fn write_linear(prefix: &str, parts: &[(f64, &Linear)], arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("{prefix}{array}");
    arrays.f64s(&name("intercept"), parts.iter().map(|part| part.0));
    let linear = || parts.iter().map(|part| part.1);
    for (end, which) in ["senders", "receivers"].into_iter().enumerate() {
        let effects = linear().flat_map(|linear| linear.effects[end].iter().copied());
        arrays.f64s(&name(which), effects);
        let precisions = linear().map(|linear| linear.precisions[end]);
        arrays.f64s(&name(&format!("{which}-precision")), precisions);
        let attributes = linear().flat_map(|linear| linear.attributes[end].iter().copied());
        arrays.f64s(&name(&format!("{which}-attributes")), attributes);
        let precisions = linear().flat_map(|linear| linear.attribute_precisions[end].iter().copied());
        arrays.f64s(&name(&format!("{which}-attributes-precision")), precisions);
    }
    let coefficients = linear().flat_map(|linear| linear.coefficients.iter().copied());
    arrays.f64s(&name("coefficients"), coefficients);
}

/// Writes one trace per chain.
pub(super) fn write_traces(prefix: &str, traces: &[&Trace], arrays: &mut ArrayWriter) {
    let name = |array: &str| format!("{prefix}{array}");
    arrays.u32s(&name("sweeps"), traces.iter().map(|trace| trace.features.len() as u32));
    let mut column = |array: &str, of: fn(&Trace) -> &Vec<f64>| {
        arrays.f64s(&name(array), traces.iter().flat_map(|trace| of(trace).iter().copied()));
    };
    column("features", |trace| &trace.features);
    column("log-joint", |trace| &trace.log_joint);
    column("alpha", |trace| &trace.alpha);
    column("nu", |trace| &trace.nu);
    column("nu-between", |trace| &trace.nu_between);
    column("intercept", |trace| &trace.intercept);
}

/// Reads draws.
pub(super) fn read(
    prefix: &str,
    shape: Shape,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<Draw>, ModelFileError> {
    let counts = |name: &str| arrays.u32s(&format!("{prefix}{name}"));
    let numbers = |name: &str| arrays.f64s(&format!("{prefix}{name}"));
    let (chain, sweep, features) = (counts("chain")?, counts("sweep")?, counts("features")?);
    let (log_joint, alpha) = (numbers("log-joint")?, numbers("alpha")?);
    let (nu, nu_between) = (numbers("nu")?, numbers("nu-between")?);
    let draws = chain.len();
    let linear = read_linear(prefix, arrays)?;
    let lengths =
        [sweep.len(), features.len(), log_joint.len(), linear.len(), alpha.len(), nu.len(), nu_between.len()];
    if lengths.iter().any(|&length| length != draws) {
        return Err(arrays.broken(format!("{draws} draws have {lengths:?} numbers")));
    }
    let uneven = || arrays.broken("the features or weights of a draw are missing");
    let (starts, items, weights) = (counts("starts")?, counts("items")?, numbers("weights")?);
    let (mut starts, mut items, mut weights) = (starts.as_slice(), items.as_slice(), weights.as_slice());
    let mut all = Vec::with_capacity(draws);
    for (draw, (intercept, linear)) in linear.into_iter().enumerate() {
        let starts = take(&mut starts, nodes + 1).ok_or_else(uneven)?;
        let items = take(&mut items, starts.last().map_or(0, |&end| end as usize)).ok_or_else(uneven)?;
        let features = features[draw] as usize;
        let stored = if shape == Shape::Diagonal { features } else { features * features };
        let parts = DrawParts {
            chain: chain[draw] as usize,
            sweep: sweep[draw] as usize,
            log_joint: log_joint[draw],
            intercept,
            linear,
            alpha: alpha[draw],
            nu: Nu { own: nu[draw], between: nu_between[draw] },
            shape,
            features,
            starts: starts.to_vec(),
            items: items.to_vec(),
            weights: take(&mut weights, stored).ok_or_else(uneven)?.to_vec(),
        };
        all.push(Draw::from_parts(parts).map_err(|error| arrays.broken(error.to_string()))?);
    }
    if starts.is_empty() && items.is_empty() && weights.is_empty() { Ok(all) } else { Err(uneven()) }
}

/// Reads the linear parts of draws, with their intercepts.
pub(super) fn read_linear(
    prefix: &str,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<(f64, Linear)>, ModelFileError> {
    let numbers = |name: &str| arrays.f64s(&format!("{prefix}{name}"));
    let intercepts = numbers("intercept")?;
    let draws = intercepts.len();
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
    let parts = intercepts.into_iter().enumerate().map(|(draw, intercept)| {
        let linear = Linear {
            coefficients: std::mem::take(&mut coefficients[draw]),
            effects: taken(&mut effects, draw),
            precisions: [precisions[0][draw], precisions[1][draw]],
            attributes: taken(&mut attributes, draw),
            attribute_precisions: taken(&mut attribute_precisions, draw),
        };
        (intercept, linear)
    });
    Ok(parts.collect())
}

/// What a draw has of two lists of all draws.
fn taken(lists: &mut [Vec<Vec<f64>>; 2], draw: usize) -> [Vec<f64>; 2] {
    lists.each_mut().map(|list| std::mem::take(&mut list[draw]))
}

/// Reads the traces of all chains.
pub(super) fn read_traces(prefix: &str, arrays: &ArrayReader<'_>) -> Result<Vec<Trace>, ModelFileError> {
    let sweeps = arrays.u32s(&format!("{prefix}sweeps"))?;
    let mut traces = vec![Trace::default(); sweeps.len()];
    let mut column = |name: &str, of: fn(&mut Trace) -> &mut Vec<f64>| {
        let name = format!("{prefix}{name}");
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
    column("nu-between", |trace| &mut trace.nu_between)?;
    column("intercept", |trace| &mut trace.intercept)?;
    Ok(traces)
}

/// Takes the first `count` values off a slice, if there are so many.
fn take<'a, T>(rest: &mut &'a [T], count: usize) -> Option<&'a [T]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}
