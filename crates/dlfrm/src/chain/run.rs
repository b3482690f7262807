//! Running chains: sweeps with kept draws, watched by an observer.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use rayon::prelude::*;

use crate::covariates::{Attributes, Covariates, Design, SideInfo};
use crate::error::{Error, Result};
use crate::kernel::linear::Proposals;
use crate::model::ValidSettings;
use crate::network::{Division, Pairs};
use crate::posterior::{Draw, Posterior};

use super::{
    Chain, ChainRun, Control, Event, Length, Observer, Progress, SharedChain, SharedRelation, Slots,
    SweepInfo,
};

/// Runs all chains over the pairs of one relation and gathers their draws. `fit` is the number that the observer knows the
/// fit by. The draws do not depend on the number of threads.
pub fn run_chains(
    pairs: &Pairs,
    side_info: &SideInfo,
    settings: &ValidSettings,
    fit: usize,
    observer: &dyn Observer,
) -> Result<Posterior> {
    let slots = no_runs(settings);
    let length = Length::new(settings, 0);
    let covariates = continue_chains(pairs, side_info, settings, length, fit, observer, &slots)?;
    Ok(Posterior::of_runs(pairs, settings, covariates, slots.into_iter().map(taken)))
}

/// Has all chains over the pairs of one relation go on from where they are, until they have the length; returns what computes
/// covariates.
pub(crate) fn continue_chains(
    pairs: &Pairs,
    side_info: &SideInfo,
    settings: &ValidSettings,
    length: Length,
    fit: usize,
    observer: &dyn Observer,
    slots: &[Mutex<ChainRun>],
) -> Result<Option<Covariates>> {
    check(pairs)?;
    let division = Arc::new(Division::new(pairs));
    let (covariates, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
    let prepared =
        Prepared { pairs, design: Arc::new(design), settings, division, proposals: Mutex::default() };
    let run = |chain: usize| run(&prepared, length, (fit, chain), observer, &slots[chain]);
    if prepared.division.parallel() {
        // Threads share the work of a sweep: chains need not run at the same time, and take less memory one by one.
        for chain in 0..settings.chains {
            if run(chain)? == Control::Stop {
                break;
            }
        }
    } else {
        (0..settings.chains).into_par_iter().try_for_each(|chain| run(chain).map(drop))?;
    }
    Ok(covariates)
}

/// Has all chains over relations with shared features go on from where they are.
pub(crate) fn continue_shared_chains(
    relations: &[&Pairs],
    side_info: &SideInfo,
    settings: &ValidSettings,
    length: Length,
    observer: &dyn Observer,
    slots: &Slots,
) -> Result<Vec<Option<Covariates>>> {
    let mut prepared = vec![];
    let mut covariates = vec![];
    for (number, &pairs) in relations.iter().enumerate() {
        check(pairs)?;
        let (of_relation, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
        covariates.push(of_relation);
        prepared.push(SharedRelation::new(pairs, Arc::new(design), settings, number)?);
    }
    (0..settings.chains).into_par_iter().try_for_each(|chain| {
        let slots: Vec<&Mutex<ChainRun>> = slots.iter().map(|slots| &slots[chain]).collect();
        run_shared(&prepared, length, chain, observer, &slots)
    })?;
    Ok(covariates)
}

/// As many chains as the settings have, before their first sweep.
pub(crate) fn no_runs(settings: &ValidSettings) -> Vec<Mutex<ChainRun>> {
    (0..settings.chains).map(|_| Mutex::default()).collect()
}

/// What a chain had when it ended.
pub(crate) fn taken(slot: Mutex<ChainRun>) -> ChainRun {
    slot.into_inner().expect("no chain panics while it is noted")
}

/// Refuses what no chain can run on.
fn check(pairs: &Pairs) -> Result<()> {
    if pairs.nodes() < 2 {
        return Err(Error::Network(format!(
            "a network needs at least two nodes, this one has {}",
            pairs.nodes()
        )));
    }
    if pairs.is_empty() {
        return Err(Error::Network("the network has no observed pair".to_owned()));
    }
    Ok(())
}

/// What chains run on, prepared once for all of them.
struct Prepared<'a> {
    pairs: &'a Pairs,
    design: Arc<Design>,
    settings: &'a ValidSettings,
    division: Arc<Division>,
    /// Where covariates alone are proposed from. A chain that has ended leaves it for those that come after it, which would
    /// find the same.
    proposals: Mutex<Option<Arc<Proposals>>>,
}

impl Prepared<'_> {
    fn proposals(&self) -> MutexGuard<'_, Option<Arc<Proposals>>> {
        self.proposals.lock().expect("nothing panics while it is read")
    }
}

/// Runs one chain of one fit, and says whether it was ended.
fn run(
    prepared: &Prepared<'_>,
    length: Length,
    (fit, number): (usize, usize),
    observer: &dyn Observer,
    slot: &Mutex<ChainRun>,
) -> Result<Control> {
    let Prepared { pairs, design, settings, division, .. } = prepared;
    noted(slot).check(number, length)?;
    let done = noted(slot).sweeps();
    if done == length.sweeps() {
        return Ok(Control::Continue);
    }
    // Its lock is not held meanwhile: this thread may run another chain within a step that is divided among threads.
    let position = noted(slot).position();
    let mut chain = Chain::divided(pairs, Arc::clone(design), settings, number, Arc::clone(division))?;
    chain.restore(&position)?;
    chain.set_proposals(prepared.proposals().clone());
    let control = sweeps(done, length, (fit, number), observer, |sweep, keep| {
        let info = chain.sweep_while(|| observer.step() == Control::Continue)?;
        let log_joint = chain.log_joint();
        push(&mut noted(slot), &chain, design.nodes.as_deref(), (number, sweep), keep, (log_joint, info));
        Some((chain.state().features.active(), log_joint, info))
    });
    *prepared.proposals() = chain.proposals();
    Ok(control)
}

/// Runs one chain over relations with shared features.
fn run_shared(
    relations: &[SharedRelation<'_>],
    length: Length,
    number: usize,
    observer: &dyn Observer,
    slots: &[&Mutex<ChainRun>],
) -> Result<()> {
    for slot in slots {
        noted(slot).check(number, length)?;
    }
    let done = noted(slots[0]).sweeps();
    if done == length.sweeps() {
        return Ok(());
    }
    let positions: Vec<ChainRun> = slots.iter().map(|slot| noted(slot).position()).collect();
    let mut chain = SharedChain::new(relations, number)?;
    chain.restore(&positions)?;
    sweeps(done, length, (0, number), observer, |sweep, keep| {
        let info = chain.sweep_while(|| observer.step() == Control::Continue)?;
        let log_joint = chain.log_joint();
        // All relations at once: whoever looks at them in between must find the same sweep.
        let mut runs: Vec<_> = slots.iter().map(|slot| noted(slot)).collect();
        for ((chain, relation), run) in chain.relations().iter().zip(relations).zip(&mut runs) {
            let attributes = relation.design().nodes.as_deref();
            push(run, chain, attributes, (number, sweep), keep, (log_joint, info));
        }
        Some((chain.relations()[0].state().features.active(), log_joint, info))
    });
    Ok(())
}

/// What a chain has so far.
pub(crate) fn noted(slot: &Mutex<ChainRun>) -> MutexGuard<'_, ChainRun> {
    slot.lock().expect("no chain panics while it is noted")
}

/// Notes a sweep.
fn push(
    run: &mut ChainRun,
    chain: &Chain<'_>,
    attributes: Option<&Attributes>,
    (number, sweep): (usize, usize),
    keep: bool,
    (log_joint, info): (f64, SweepInfo),
) {
    run.trace.push(chain.state(), log_joint, info);
    if keep {
        run.draws.push(Draw::new(chain.state(), attributes, number, sweep, log_joint));
    }
    run.state = Some(Draw::new(chain.state(), None, number, sweep, log_joint));
}

/// Makes the sweeps of a chain after those that are `done`, and says whether it was ended. `sweep` makes one, knows whether its
/// draw is kept, and returns K, the log joint density and what its kernels did, or nothing if the sweep was ended.
fn sweeps(
    done: usize,
    length: Length,
    (fit, chain): (usize, usize),
    observer: &dyn Observer,
    mut sweep: impl FnMut(usize, bool) -> Option<(usize, f64, SweepInfo)>,
) -> Control {
    let began = Instant::now();
    let sweeps = length.sweeps();
    let mut diverged = 0;
    for number in done + 1..=sweeps {
        let Some((features, log_joint, info)) = sweep(number, length.keeps(number)) else {
            return Control::Stop;
        };
        diverged += info.weights.diverged;
        let elapsed = began.elapsed();
        let progress = Progress { fit, chain, sweep: number, sweeps, features, log_joint, elapsed, info };
        if observer.sweep(&progress) == Control::Stop {
            return Control::Stop;
        }
    }
    if diverged > 0 {
        observer.event(&Event::Warning(&format!(
            "chain {}: {diverged} of {} updates of the weights diverged and were left out: --step is too large",
            chain + 1,
            sweeps - done
        )));
    }
    Control::Continue
}
