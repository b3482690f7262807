//! Running chains: sweeps with kept draws, watched by an observer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::covariates::{Covariates, Design, SideInfo};
use crate::error::{Error, Result};
use crate::model::ValidSettings;
use crate::network::{Division, Pairs};
use crate::posterior::{Draw, Posterior, Trace};

use super::Chain;

/// What an observer is told after every sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The chain.
    pub chain: usize,
    /// Sweeps made, of all sweeps to make.
    pub sweep: usize,
    /// All sweeps that the chain will make.
    pub sweeps: usize,
    /// Active features.
    pub features: usize,
    /// Log joint density.
    pub log_joint: f64,
    /// Time since the chain started.
    pub elapsed: Duration,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End with the draws kept so far.
    Stop,
}

/// Watches a run; called after every sweep of every chain, from the chain's own thread.
pub trait Observer: Sync {
    /// Called after a sweep.
    fn sweep(&self, progress: &Progress) -> Control;
}

impl<F: Fn(&Progress) -> Control + Sync + ?Sized> Observer for F {
    fn sweep(&self, progress: &Progress) -> Control {
        self(progress)
    }
}

/// Runs all chains and gathers their draws. The draws do not depend on the number of threads.
pub fn fit(
    pairs: &Pairs,
    settings: &ValidSettings,
    observer: &(impl Observer + ?Sized),
) -> Result<Posterior> {
    fit_given(pairs, &SideInfo::default(), settings, observer)
}

/// The same with what is known beside the links.
pub fn fit_given(
    pairs: &Pairs,
    side_info: &SideInfo,
    settings: &ValidSettings,
    observer: &(impl Observer + ?Sized),
) -> Result<Posterior> {
    check(pairs)?;
    let division = Arc::new(Division::new(pairs));
    let (covariates, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
    let design = Arc::new(design);
    let run = |chain| run(pairs, &design, settings, chain, &division, observer);
    let runs = if division.parallel() {
        // Threads share the work of a sweep: chains need not run at the same time, and take less memory one by one.
        let mut runs = Vec::with_capacity(settings.chains);
        for chain in 0..settings.chains {
            runs.push(run(chain)?);
            if runs[chain].1.features.len() < settings.sweeps() {
                break;
            }
        }
        runs
    } else {
        (0..settings.chains).into_par_iter().map(run).collect::<Result<Vec<_>>>()?
    };
    let (draws, traces): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let draws = draws.into_iter().flatten().collect();
    Ok(Posterior::new(pairs, settings, covariates, draws, traces))
}

/// Refuses what no chain can run on.
pub(super) fn check(pairs: &Pairs) -> Result<()> {
    if pairs.entities() < 2 {
        return Err(Error::Network(format!(
            "a network needs at least two entities, this one has {}",
            pairs.entities()
        )));
    }
    if pairs.is_empty() {
        return Err(Error::Network("the network has no observed pair".to_owned()));
    }
    Ok(())
}

/// Runs one chain.
fn run(
    pairs: &Pairs,
    design: &Arc<Design>,
    settings: &ValidSettings,
    number: usize,
    division: &Arc<Division>,
    observer: &(impl Observer + ?Sized),
) -> Result<(Vec<Draw>, Trace)> {
    let mut chain = Chain::divided(pairs, Arc::clone(design), settings, number, Arc::clone(division))?;
    let mut draws = Vec::with_capacity(settings.draws);
    let mut trace = Trace::default();
    sweeps(settings, number, observer, |sweep, keep| {
        chain.sweep();
        let log_joint = chain.log_joint();
        trace.push(chain.state(), log_joint);
        if keep {
            draws.push(Draw::new(chain.state(), design.entities.as_deref(), number, sweep, log_joint));
        }
        (chain.state().features.active(), log_joint)
    });
    Ok((draws, trace))
}

/// Makes the sweeps of a chain: `sweep` makes one, knows whether its draw is kept, and tells K and the log joint density.
pub(super) fn sweeps(
    settings: &ValidSettings,
    chain: usize,
    observer: &(impl Observer + ?Sized),
    mut sweep: impl FnMut(usize, bool) -> (usize, f64),
) {
    let began = Instant::now();
    let sweeps = settings.sweeps();
    for number in 1..=sweeps {
        let keep = number > settings.burn_in && (number - settings.burn_in).is_multiple_of(settings.thin);
        let (features, log_joint) = sweep(number, keep);
        let elapsed = began.elapsed();
        let progress = Progress { chain, sweep: number, sweeps, features, log_joint, elapsed };
        if observer.sweep(&progress) == Control::Stop {
            break;
        }
    }
}
