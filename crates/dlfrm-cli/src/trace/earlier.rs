//! A trace that is there and goes on with the fit that it is of.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail};
use dlfrm::fit::{ChainRun, Checkpoint};
use serde::Deserialize;

/// The lines that a trace has.
#[derive(Debug)]
pub(crate) struct Earlier {
    /// How many bytes the complete lines have.
    pub(super) bytes: u64,
    /// By what the chains ran for, fit and chain: the last sweep that the fit had made when it was left, and that of the trace.
    sweeps: HashMap<(String, usize, usize), (usize, usize)>,
}

/// What tells a line from others, and a fit from others.
#[derive(Deserialize)]
struct Known {
    #[serde(default)]
    trial: String,
    fit: usize,
    chain: usize,
    sweep: usize,
    k: f64,
    log_joint: Option<f64>,
}

impl Earlier {
    /// The trace in a file; none if there is none. A trace of another fit is refused.
    pub(crate) fn read(path: &Path, checkpoint: &Checkpoint) -> anyhow::Result<Option<Self>> {
        if !path.is_file() {
            return Ok(None);
        }
        let unreadable = || format!("{} cannot be read", path.display());
        let mut file = BufReader::new(File::open(path).with_context(unreadable)?);
        let mut earlier = Self { bytes: 0, sweeps: HashMap::new() };
        let mut line = vec![];
        while file.read_until(b'\n', &mut line).with_context(unreadable)? > 0 && line.ends_with(b"\n") {
            let Ok(known) = serde_json::from_slice::<Known>(&line) else {
                bail!("--trace {}: it is there and is not a trace; name another file", path.display());
            };
            earlier.bytes += line.len() as u64;
            line.clear();
            let run = run_of(checkpoint, &known);
            if known.trial.is_empty() && !run.is_some_and(|run| made(run, &known)) {
                bail!("--trace {}: it is the trace of another fit; name another file", path.display());
            }
            let last = earlier.sweeps.entry((known.trial, known.fit, known.chain)).or_default();
            *last = (run.map_or(usize::MAX, ChainRun::sweeps), last.1.max(known.sweep));
        }
        Ok((earlier.bytes > 0).then_some(earlier))
    }

    /// How many sweeps of the fit are not in the trace, because it went on without one.
    pub(crate) fn gap(&self) -> usize {
        let of_the_fit = self.sweeps.iter().filter(|((trial, ..), _)| trial.is_empty());
        of_the_fit.map(|(_, &(made, last))| made.saturating_sub(last)).sum()
    }

    /// Whether the trace has a sweep that the fit makes again. Trials are not among them: a fit that goes on writes all
    /// of theirs.
    pub(super) fn has(&self, purpose: &str, fit: usize, chain: usize, sweep: usize) -> bool {
        let known = self.sweeps.get(&(purpose.to_owned(), fit, chain));
        known.is_some_and(|&(made, last)| made < sweep && sweep <= last)
    }
}

/// The chain that a line is of, if it is not one of a trial.
fn run_of<'a>(checkpoint: &'a Checkpoint, known: &Known) -> Option<&'a ChainRun> {
    let runs = match &known.trial[..] {
        "" => &checkpoint.features,
        "covariates" => &checkpoint.covariates,
        _ => return None,
    };
    runs.get(known.fit.checked_sub(1)?)?.get(known.chain.checked_sub(1)?)
}

/// Whether a chain made the sweep of a line, as far as it has come.
fn made(run: &ChainRun, known: &Known) -> bool {
    let Some(at) = known.sweep.checked_sub(1) else { return false };
    let (Some(&k), Some(&log_joint)) = (run.trace.features.get(at), run.trace.log_joint.get(at)) else {
        return true;
    };
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    k == known.k && known.log_joint.is_none_or(|known| near(known, log_joint))
}
