//! Running chains: sweeps with kept draws, watched by an observer.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::covariates::{Covariates, Design, SideInfo};
use crate::error::{Error, Result};
use crate::model::ValidSettings;
use crate::network::{Division, Pairs};
use crate::posterior::{Draw, Posterior, Trace};

use super::{Chain, Control, Observer, Progress, SharedChain, SharedRelation, SweepInfo};

/// Runs all chains over the pairs of one relation and gathers their draws. `fit` is the number that the observer knows the
/// fit by. The draws do not depend on the number of threads.
pub fn run_chains(
    pairs: &Pairs,
    side_info: &SideInfo,
    settings: &ValidSettings,
    fit: usize,
    observer: &dyn Observer,
) -> Result<Posterior> {
    check(pairs)?;
    let division = Arc::new(Division::new(pairs));
    let (covariates, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
    let design = Arc::new(design);
    let run = |chain| run(pairs, &design, settings, (fit, chain), &division, observer);
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

/// Runs all chains over several relations of the same entities, with features that all of them share; a posterior for
/// each. The draws do not depend on the number of threads.
pub fn run_shared_chains(
    relations: &[&Pairs],
    side_info: &SideInfo,
    settings: &ValidSettings,
    observer: &dyn Observer,
) -> Result<Vec<Posterior>> {
    let mut prepared = vec![];
    let mut covariates = vec![];
    for (number, &pairs) in relations.iter().enumerate() {
        check(pairs)?;
        let (of_relation, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
        covariates.push(of_relation);
        prepared.push(SharedRelation::new(pairs, Arc::new(design), settings, number)?);
    }
    let runs: Vec<Vec<(Vec<Draw>, Trace)>> = (0..settings.chains)
        .into_par_iter()
        .map(|chain| run_shared(&prepared, settings, chain, observer))
        .collect::<Result<_>>()?;
    let mut gathered: Vec<(Vec<Draw>, Vec<Trace>)> = vec![Default::default(); relations.len()];
    for run in runs {
        for ((draws, trace), (all, traces)) in run.into_iter().zip(&mut gathered) {
            all.extend(draws);
            traces.push(trace);
        }
    }
    let posteriors = relations.iter().zip(covariates).zip(gathered);
    Ok(posteriors
        .map(|((pairs, covariates), (draws, traces))| {
            Posterior::new(pairs, settings, covariates, draws, traces)
        })
        .collect())
}

/// Refuses what no chain can run on.
fn check(pairs: &Pairs) -> Result<()> {
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

/// Runs one chain of one fit.
fn run(
    pairs: &Pairs,
    design: &Arc<Design>,
    settings: &ValidSettings,
    (fit, number): (usize, usize),
    division: &Arc<Division>,
    observer: &dyn Observer,
) -> Result<(Vec<Draw>, Trace)> {
    let mut chain = Chain::divided(pairs, Arc::clone(design), settings, number, Arc::clone(division))?;
    let mut draws = Vec::with_capacity(settings.draws);
    let mut trace = Trace::default();
    sweeps(settings, (fit, number), observer, |sweep, keep| {
        let info = chain.sweep();
        let log_joint = chain.log_joint();
        trace.push(chain.state(), log_joint, info);
        if keep {
            draws.push(Draw::new(chain.state(), design.entities.as_deref(), number, sweep, log_joint));
        }
        (chain.state().features.active(), log_joint, info)
    });
    Ok((draws, trace))
}

/// Runs one chain over relations with shared features; draws and a trace for each relation.
fn run_shared(
    relations: &[SharedRelation<'_>],
    settings: &ValidSettings,
    number: usize,
    observer: &dyn Observer,
) -> Result<Vec<(Vec<Draw>, Trace)>> {
    let mut chain = SharedChain::new(relations, number)?;
    let mut kept = vec![(Vec::with_capacity(settings.draws), Trace::default()); relations.len()];
    sweeps(settings, (0, number), observer, |sweep, keep| {
        let info = chain.sweep();
        let log_joint = chain.log_joint();
        for ((chain, relation), (draws, trace)) in chain.relations().iter().zip(relations).zip(&mut kept) {
            trace.push(chain.state(), log_joint, info);
            if keep {
                let attributes = relation.design().entities.as_deref();
                draws.push(Draw::new(chain.state(), attributes, number, sweep, log_joint));
            }
        }
        (chain.relations()[0].state().features.active(), log_joint, info)
    });
    Ok(kept)
}

/// Makes the sweeps of a chain: `sweep` makes one, knows whether its draw is kept, and returns K, the log joint density
/// and what its kernels did.
fn sweeps(
    settings: &ValidSettings,
    (fit, chain): (usize, usize),
    observer: &dyn Observer,
    mut sweep: impl FnMut(usize, bool) -> (usize, f64, SweepInfo),
) {
    let began = Instant::now();
    let sweeps = settings.sweeps();
    for number in 1..=sweeps {
        let keep = number > settings.burn_in && (number - settings.burn_in).is_multiple_of(settings.thin);
        let (features, log_joint, info) = sweep(number, keep);
        let elapsed = began.elapsed();
        let progress = Progress { fit, chain, sweep: number, sweeps, features, log_joint, elapsed, info };
        if observer.sweep(&progress) == Control::Stop {
            break;
        }
    }
}
