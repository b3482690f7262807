//! What chains go on with, as arrays: where they are, and the draws and traces of those that a model does not show.

use dlfrm::fit::{ChainRun, Continuation, SweepInfo};
use dlfrm::model::Shape;
use dlfrm::network::Unlisted;
use dlfrm::posterior::{Draw, Trace};
use serde::{Deserialize, Serialize};

use super::arrays::{ArrayReader, ArrayWriter};
use super::manifest::RelationEntry;
use super::relation::read_pairs;
use super::{ModelFileError, draws};

/// What the manifest has of the chains of a relation that a model goes on with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ChainsEntry {
    pub(super) unlisted: Unlisted,
    /// Of the covariates' posterior.
    #[serde(default)]
    pub(super) covariates: Option<RunsEntry>,
}

/// What the manifest has of the chains of a posterior.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunsEntry {
    shape: Shape,
    /// What the kernels did in all sweeps of each chain.
    sampler: Vec<SweepInfo>,
}

impl ChainsEntry {
    pub(super) fn new(chains: &Continuation) -> Self {
        let covariates = (!chains.covariates.is_empty())
            .then(|| RunsEntry::new(&chains.covariates.iter().collect::<Vec<_>>()));
        Self { unlisted: chains.unlisted, covariates }
    }
}

impl RunsEntry {
    pub(super) fn new(runs: &[&ChainRun]) -> Self {
        let shape = runs.iter().find_map(|run| run.state.as_ref()).map_or(Shape::Full, |state| state.shape);
        Self { shape, sampler: runs.iter().map(|run| run.trace.total).collect() }
    }
}

pub(super) fn write(prefix: &str, chains: &Continuation, arrays: &mut ArrayWriter) {
    draws::write(&format!("{prefix}states."), &chains.states.iter().collect::<Vec<_>>(), arrays);
    let own: Vec<_> = chains.own.iter().map(|(intercept, linear)| (*intercept, linear)).collect();
    draws::write_linear(&format!("{prefix}own."), &own, arrays);
    if !chains.covariates.is_empty() {
        write_runs(&format!("{prefix}linear."), &chains.covariates.iter().collect::<Vec<_>>(), arrays);
    }
    arrays.u32s(&format!("{prefix}unobserved"), chains.unobserved.iter().flat_map(|&(i, j)| [i, j]));
}

pub(super) fn read(
    entry: &RelationEntry,
    prefix: &str,
    nodes: usize,
    directed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Continuation>, ModelFileError> {
    let Some(ChainsEntry { unlisted, covariates }) = &entry.chains else { return Ok(None) };
    let read = |runs: &RunsEntry| read_runs(runs, &format!("{prefix}linear."), nodes, arrays);
    Ok(Some(Continuation {
        states: draws::read(&format!("{prefix}states."), entry.shape, 1.0, nodes, arrays)?,
        own: draws::read_linear(&format!("{prefix}own."), arrays)?,
        covariates: covariates.as_ref().map_or(Ok(vec![]), read)?,
        unobserved: read_pairs("unobserved", prefix, nodes, directed, arrays)?,
        unlisted: *unlisted,
    }))
}

/// Writes the chains of a posterior.
pub(super) fn write_runs(prefix: &str, runs: &[&ChainRun], arrays: &mut ArrayWriter) {
    let draws: Vec<&Draw> = runs.iter().flat_map(|run| &run.draws).collect();
    let states: Vec<&Draw> = runs.iter().filter_map(|run| run.state.as_ref()).collect();
    let traces: Vec<&Trace> = runs.iter().map(|run| &run.trace).collect();
    draws::write(&format!("{prefix}draws."), &draws, arrays);
    draws::write(&format!("{prefix}states."), &states, arrays);
    draws::write_traces(&format!("{prefix}traces."), &traces, arrays);
}

/// Reads the chains of a posterior. Whether they are those of some settings is found out when they go on.
pub(super) fn read_runs(
    RunsEntry { shape, sampler }: &RunsEntry,
    prefix: &str,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Vec<ChainRun>, ModelFileError> {
    let read = |name: &str| draws::read(&format!("{prefix}{name}."), *shape, 1.0, nodes, arrays);
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
