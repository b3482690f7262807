//! Where a fit is, as models and checkpoints have it: what is decided in the manifest, and the chains of every part as arrays.

use std::borrow::Cow;

use dlfrm::fit::{ChainRun, FitState, Part, SweepInfo};
use dlfrm::model::Shape;
use dlfrm::posterior::{Draw, Trace};
use serde::{Deserialize, Serialize};

use super::arrays::{ArrayReader, ArrayWriter};
use super::{ModelFileError, draws};

/// What a manifest has of the state of a fit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StateEntry<'a> {
    decided: Cow<'a, FitState>,
    /// Of the chains of every part, for each relation.
    chains: Vec<Vec<RunsEntry>>,
}

/// What a manifest has of the chains of a part of a relation.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RunsEntry {
    shape: Shape,
    /// What the kernels did in all sweeps of each chain.
    sampler: Vec<SweepInfo>,
}

/// What the names of the arrays of a part of a relation begin with.
fn prefix(part: &Part, relation: usize) -> String {
    format!("chains.{}.{relation}.", part.name.name())
}

/// Writes where a fit is.
pub(super) fn write<'a>(state: &'a FitState, arrays: &mut ArrayWriter) -> StateEntry<'a> {
    let mut chains = vec![];
    for part in state.parts.iter() {
        let write = |(number, runs): (usize, &Vec<ChainRun>)| write_runs(&prefix(part, number), runs, arrays);
        chains.push(part.chains.iter().enumerate().map(write).collect());
    }
    StateEntry { decided: Cow::Borrowed(state), chains }
}

/// Reads where a fit is. Whether the chains are those of the settings is found out when they go on.
pub(super) fn read(
    entry: StateEntry<'_>,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<FitState, ModelFileError> {
    let mut state = entry.decided.into_owned();
    for (part, entries) in state.parts.iter_mut().zip(&entry.chains) {
        let read = |(number, entry)| read_runs(entry, &prefix(part, number), nodes, arrays);
        part.chains = entries.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    }
    Ok(state)
}

fn write_runs(prefix: &str, runs: &[ChainRun], arrays: &mut ArrayWriter) -> RunsEntry {
    let draws: Vec<&Draw> = runs.iter().flat_map(|run| &run.draws).collect();
    let states: Vec<&Draw> = runs.iter().filter_map(|run| run.state.as_ref()).collect();
    let traces: Vec<&Trace> = runs.iter().map(|run| &run.trace).collect();
    draws::write(&format!("{prefix}draws."), &draws, arrays);
    draws::write(&format!("{prefix}states."), &states, arrays);
    draws::write_traces(&format!("{prefix}traces."), &traces, arrays);
    let shape = states.first().map_or(Shape::Full, |state| state.shape);
    RunsEntry { shape, sampler: runs.iter().map(|run| run.trace.total).collect() }
}

fn read_runs(
    RunsEntry { shape, sampler }: &RunsEntry,
    prefix: &str,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<ChainRun>, ModelFileError> {
    let read = |name: &str| draws::read(&format!("{prefix}{name}."), *shape, nodes, arrays);
    let traces = draws::read_traces(&format!("{prefix}traces."), arrays)?;
    if traces.len() != sampler.len() {
        return Err(arrays.broken(format!("{} traces are of {} chains", traces.len(), sampler.len())));
    }
    let mut runs: Vec<ChainRun> = (traces.into_iter().zip(sampler))
        .map(|(mut trace, &total)| {
            trace.total = total;
            ChainRun { trace, ..ChainRun::default() }
        })
        .collect();
    let chains = runs.len();
    let unknown = |chain: usize| arrays.broken(format!("a draw is of chain {chain} of {chains}"));
    for draw in read("draws")? {
        let chain = draw.chain;
        runs.get_mut(chain).ok_or_else(|| unknown(chain))?.draws.push(draw);
    }
    for state in read("states")? {
        let chain = state.chain;
        runs.get_mut(chain).ok_or_else(|| unknown(chain))?.state = Some(state);
    }
    Ok(runs)
}
