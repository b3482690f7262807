//! Running chains: sweeps with kept draws, watched by an observer.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use rayon::prelude::*;

use crate::covariates::{Attributes, Covariates, Design, SideInfo};
use crate::error::{Error, NothingToLearn, Result};
use crate::kernel::linear::Proposals;
use crate::model::ValidSettings;
use crate::network::{Division, Pairs};
use crate::warning::Warning;

use super::{
    Chain, ChainRun, Control, Draw, Event, Length, Observer, Progress, SharedChain, SharedRelation, Slots,
    SweepInfo,
};

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
    if pairs.nodes() >= 2 && !pairs.is_empty() {
        return Ok(());
    }
    let (nodes, links) = (pairs.nodes(), pairs.links() as u64);
    Err(Error::NothingToLearn(NothingToLearn { nodes, pairs: pairs.len() as u64, links }))
}

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
    noted(slot).thin_out(length);
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
    let control = sweeps(done, length, (fit, number), observer, |sweep| {
        let info = chain.sweep_while(|| observer.step() == Control::Continue)?;
        let log_joint = chain.log_joint();
        push(&mut noted(slot), &chain, design.nodes.as_deref(), (number, sweep), length, (log_joint, info));
        Some((chain.state().features.active(), log_joint, info))
    });
    *prepared.proposals() = chain.proposals();
    Ok(control)
}

fn run_shared(
    relations: &[SharedRelation<'_>],
    length: Length,
    number: usize,
    observer: &dyn Observer,
    slots: &[&Mutex<ChainRun>],
) -> Result<()> {
    for slot in slots {
        noted(slot).thin_out(length);
        noted(slot).check(number, length)?;
    }
    let done = noted(slots[0]).sweeps();
    if done == length.sweeps() {
        return Ok(());
    }
    let positions: Vec<ChainRun> = slots.iter().map(|slot| noted(slot).position()).collect();
    let mut chain = SharedChain::new(relations, number)?;
    chain.restore(&positions)?;
    sweeps(done, length, (0, number), observer, |sweep| {
        let info = chain.sweep_while(|| observer.step() == Control::Continue)?;
        let log_joint = chain.log_joint();
        // All relations at once: whoever looks at them in between must find the same sweep.
        let mut runs: Vec<_> = slots.iter().map(|slot| noted(slot)).collect();
        for ((chain, relation), run) in chain.relations().iter().zip(relations).zip(&mut runs) {
            let attributes = relation.design().nodes.as_deref();
            push(run, chain, attributes, (number, sweep), length, (log_joint, info));
        }
        Some((chain.relations()[0].state().features.active(), log_joint, info))
    });
    Ok(())
}

/// What a chain has so far.
pub(crate) fn noted(slot: &Mutex<ChainRun>) -> MutexGuard<'_, ChainRun> {
    slot.lock().expect("no chain panics while it is noted")
}

fn push(
    run: &mut ChainRun,
    chain: &Chain<'_>,
    attributes: Option<&Attributes>,
    (number, sweep): (usize, usize),
    length: Length,
    (log_joint, info): (f64, SweepInfo),
) {
    run.trace.push(chain.state(), log_joint, info);
    if length.keeps(sweep, sweep) {
        run.draws.push(Draw::new(chain.state(), attributes, number, sweep, log_joint));
    }
    run.thin_out(length);
    run.state = Some(Draw::new(chain.state(), None, number, sweep, log_joint));
}

/// Makes the sweeps of a chain after those that are `done`, and says whether it was ended. `sweep` makes one and returns K, the
/// log joint density and what its kernels did, or nothing if the sweep was ended.
fn sweeps(
    done: usize,
    length: Length,
    (fit, chain): (usize, usize),
    observer: &dyn Observer,
    mut sweep: impl FnMut(usize) -> Option<(usize, f64, SweepInfo)>,
) -> Control {
    let began = Instant::now();
    let sweeps = length.sweeps();
    let mut diverged = 0;
    for number in done + 1..=sweeps {
        let Some((features, log_joint, info)) = sweep(number) else {
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
        observer.event(&Event::Warning(&Warning::Diverged { chain, diverged, updates: sweeps - done }));
    }
    Control::Continue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::{DrawParts, Silent};
    use crate::covariates::{CovariateSet, Field, FieldValues};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::{Model, Settings, Start};

    fn pairs(directed: bool, seed: u64) -> Pairs {
        let settings = GenerateSettings { nodes: 24, directed, seed, ..GenerateSettings::default() };
        Pairs::observed(&generate(&settings).unwrap().network, false)
    }

    /// Annealed starts change costs and loss in the burn-in; thinning keeps some sweeps only.
    fn settings(model: Model) -> Settings {
        let settings = Settings { chains: 2, burn_in: 12, draws: 4, thin: 2, ..Settings::for_model(model) };
        Settings { learn_alpha: true, learn_nu: true, intercept: true, start: Start::Annealed, ..settings }
    }

    /// No bound on the draws of a chain.
    const ALL: usize = usize::MAX;

    fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// The chains of a run that is left after some sweeps, and goes on with nothing but what is noted of it.
    fn in_two(
        pairs: &[&Pairs],
        shared: bool,
        side_info: &SideInfo,
        settings: &ValidSettings,
        (most, stop): (usize, Option<usize>),
    ) -> Vec<Vec<ChainRun>> {
        let stops = |progress: &Progress| {
            if Some(progress.sweep) == stop { Control::Stop } else { Control::Continue }
        };
        let mut slots: Slots = pairs.iter().map(|_| no_runs(settings)).collect();
        let length = Length { most, ..Length::new(settings, 0) };
        for (threads, observer) in [(1, &stops as &dyn Observer), (2, &Silent)] {
            // A file keeps parts, and nothing else.
            for slot in slots.iter_mut().flatten() {
                let run = slot.get_mut().unwrap();
                let parted = |draw: &Draw| Draw::from_parts((**draw).clone()).unwrap();
                run.draws = run.draws.iter().map(parted).collect();
                run.state = run.state.as_ref().map(parted);
            }
            on_threads(threads, || {
                if shared {
                    continue_shared_chains(pairs, side_info, settings, length, observer, &slots).unwrap();
                } else {
                    let (one, slots) = (pairs[0], &slots[0]);
                    continue_chains(one, side_info, settings, length, 0, observer, slots).unwrap();
                }
            });
        }
        slots.into_iter().map(|slots| slots.into_iter().map(taken).collect()).collect()
    }

    #[test]
    fn a_chain_that_was_left_goes_on_as_if_it_was_not() {
        let attributes = (0..24).map(|node| Some(f64::from(node % 5))).collect();
        let field = Field { name: "age".to_owned(), values: FieldValues::Numbers(attributes) };
        let known = SideInfo { nodes: Some(Attributes::new(24, vec![field]).unwrap().into()), pairs: None };
        for model in Model::ALL {
            for (directed, node_effects, covariates) in [
                (true, false, CovariateSet::None),
                (false, true, CovariateSet::None),
                (false, false, CovariateSet::Topology),
                (true, true, CovariateSet::Topology),
            ] {
                let settings = Settings { covariates, node_effects, ..settings(model) }.check().unwrap();
                let side_info =
                    if covariates == CovariateSet::None { SideInfo::default() } else { known.clone() };
                let (pairs, what) = (pairs(directed, 1), format!("{model}, {directed}, {node_effects}"));
                let whole = in_two(&[&pairs], false, &side_info, &settings, (ALL, None));
                assert_eq!(whole[0][1].draws.len(), 4);
                for stop in [1, 4, 9, 13, 17] {
                    let parts = in_two(&[&pairs], false, &side_info, &settings, (ALL, Some(stop)));
                    assert!(parts == whole, "{what}: left after sweep {stop}");
                }
            }
        }
    }

    #[test]
    fn shared_features_go_on() {
        let relations = [pairs(true, 1), pairs(true, 2)];
        let relations: Vec<&Pairs> = relations.iter().collect();
        for model in Model::ALL {
            let settings = Settings { node_effects: true, ..settings(model) }.check().unwrap();
            let whole = in_two(&relations, true, &SideInfo::default(), &settings, (ALL, None));
            for stop in [2, 9, 16] {
                let parts = in_two(&relations, true, &SideInfo::default(), &settings, (ALL, Some(stop)));
                assert!(parts == whole, "{model}: left after sweep {stop}");
            }
        }
    }

    /// Those that are kept are some of all draws, at equal distances, wherever a chain was left.
    #[test]
    fn a_chain_keeps_no_more_draws_than_it_may() {
        let (pairs, none) = (pairs(true, 1), SideInfo::default());
        let settings = Settings { draws: 21, thin: 2, ..settings(Model::usual(0)) }.check().unwrap();
        for (shared, chosen) in [(false, &[&pairs][..]), (true, &[&pairs, &pairs])] {
            let all = in_two(chosen, shared, &none, &settings, (ALL, None));
            for (most, every) in [(21, 1), (20, 2), (10, 2), (9, 4), (5, 4), (3, 8)] {
                let whole = in_two(chosen, shared, &none, &settings, (most, None));
                let runs = || whole.iter().flatten().zip(all.iter().flatten());
                for (run, all) in runs() {
                    let expected = all.draws.iter().skip(every - 1).step_by(every);
                    assert!(run.draws.iter().eq(expected), "{most} of 21");
                    assert!(run.trace == all.trace && run.state == all.state);
                }
                for stop in [5, 13, 14, 27, 28, 29, 40, 52, 53] {
                    let parts = in_two(chosen, shared, &none, &settings, (most, Some(stop)));
                    assert!(parts == whole, "{most} of 21: left after sweep {stop}");
                }
            }
        }
    }

    #[test]
    fn what_no_chain_left_is_refused() {
        let (pairs, model) = (pairs(true, 1), "diag-dlfrm-l".parse().unwrap());
        let settings = Settings { node_effects: true, ..settings(model) }.check().unwrap();
        let run = in_two(&[&pairs], false, &SideInfo::default(), &settings, (ALL, None))
            .swap_remove(0)
            .swap_remove(0);
        let length = Length { draws: 5, ..Length::new(&settings, 0) };
        let refused = |change: &dyn Fn(&mut ChainRun)| {
            let mut slots = no_runs(&settings);
            *slots[0].get_mut().unwrap() = run.clone();
            change(slots[0].get_mut().unwrap());
            continue_chains(&pairs, &SideInfo::default(), &settings, length, 0, &Silent, &slots).is_err()
        };
        assert!(!refused(&|_| {}));
        assert!(refused(&|run| run.state = None));
        assert!(refused(&|run| run.draws.truncate(1)));
        assert!(refused(&|run| run.trace.nu.truncate(1)));
        assert!(refused(&|run| run.trace.features.truncate(1)));
        let of_state = |change: fn(&mut DrawParts)| {
            refused(&|run| {
                let mut parts = (**run.state.as_ref().unwrap()).clone();
                change(&mut parts);
                run.state = Some(Draw::from_parts(parts).unwrap());
            })
        };
        assert!(of_state(|parts| parts.linear.effects = Default::default()));
        assert!(of_state(|parts| parts.linear.coefficients.push(1.0)));
        assert!(of_state(|parts| parts.alpha = -1.0));
        assert!(of_state(|parts| parts.chain = 1));
        assert!(of_state(|parts| {
            parts.features += 1;
            parts.weights.push(0.0);
        }));
    }
}
