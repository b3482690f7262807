//! From chains that have not begun, or were left, to posteriors: the choice on a development set, the chains, and more of them
//! until they agree.

use super::checkpoint::Keeping;
use super::part::{PartName, Parts, Ran, Task};
use super::state::{Chosen, FitState, Until};
use crate::chain::{ChainRun, Event, Observer, Stoppable, noted};
use crate::error::Result;
use crate::model::Settings;
use crate::network::Relation;
use crate::posterior::Posterior;
use crate::warning::Warning;

pub(super) struct Done {
    pub(super) ran: Ran,
    /// The first draws of each chain that do not count.
    left_out: usize,
}

/// Runs everything that is left to do.
pub(super) fn run(
    state: &mut FitState,
    keeping: &Keeping<'_>,
    task: &Task<'_>,
    relations: &[&Relation],
    observer: &Stoppable<'_>,
) -> Result<Done> {
    let mut ran = Ran::default();
    if state.chosen != Chosen::Yes {
        ran = state.choose(task, &[])?;
        state.choices.iter().for_each(|choice| keeping.event(&Event::Warning(&choice.warning())));
        keeping.note(state);
    }
    loop {
        state.parts.run_all(task, &mut ran)?;
        let Some(until) = state.until else { return Ok(Done { ran, left_out: 0 }) };
        let draws = state.parts.features().settings.draws;
        if observer.stopped() {
            // The draws of the round that was ended count, with those that counted after the round before.
            let left_out = until.left_out(if draws > until.first { draws / 2 } else { draws });
            return Ok(Done { ran, left_out });
        }
        let left_out = until.left_out(draws);
        let posteriors = gather(state, task, &ran, left_out, |run| run.clone());
        let r_hats = posteriors.iter().zip(relations).map(|(posterior, relation)| {
            let links = relation.network.links();
            let r_hat = if until.drift { posterior.probe_drift(links) } else { posterior.probe_r_hat(links) };
            // Too few draws say nothing.
            r_hat.unwrap_or(f64::INFINITY)
        });
        let r_hat = r_hats.fold(1.0, f64::max);
        if r_hat <= until.r_hat || !longer(state, until) {
            keeping.event(&Event::Warning(&until.ended(r_hat)));
            // A fit that went on until its chains agree is one with a longer burn-in.
            let first = leave_out(&mut state.parts, left_out, task);
            for slot in task.live.of(PartName::Features).iter().flatten() {
                noted(slot).draws.retain(|draw| draw.sweep > first);
            }
            state.until = None;
            keeping.note(state);
            return Ok(Done { ran, left_out: 0 });
        }
        let draws = 2 * draws;
        state.parts.ask_for_draws(draws)?;
        keeping.note(state);
        let r_hat = r_hat.is_finite().then_some(r_hat);
        keeping.event(&Event::Warning(&Warning::GoingOn { r_hat, draws }));
    }
}

impl Done {
    /// The posteriors of what the chains have. It is taken from them.
    pub(super) fn posteriors(&self, state: &FitState, task: &Task<'_>) -> Vec<Posterior> {
        gather(state, task, &self.ran, self.left_out, std::mem::take)
    }
}

/// Leaves out the first draws of each chain. Returns the sweep after which draws count.
fn leave_out(parts: &mut Parts, draws: usize, task: &Task<'_>) -> usize {
    let slots = task.live.of(PartName::Features).iter().flatten();
    let features = parts.features_mut();
    features.leave_out(draws, slots.map(|slot| noted(slot).sweeps()).max().unwrap_or(0));
    features.length().burn_in
}

fn longer(state: &FitState, until: Until) -> bool {
    let features = state.parts.features();
    let settings = Settings { draws: 2 * features.settings.draws, ..features.settings.clone().into_inner() };
    let sweeps = settings.check().map(|settings| settings.sweeps() + features.later);
    sweeps.is_ok_and(|sweeps| until.most_sweeps.is_none_or(|most| sweeps <= most))
}

/// The posteriors of what the chains have, without their first draws.
fn gather(
    state: &FitState,
    task: &Task<'_>,
    ran: &Ran,
    left_out: usize,
    take: impl Fn(&mut ChainRun) -> ChainRun,
) -> Vec<Posterior> {
    let mut parts = state.parts.clone();
    let first = leave_out(&mut parts, left_out, task);
    parts.posteriors(task.relations, ran, state.combination, |name| {
        let mut chains = task.live.each(name, &take);
        if name == PartName::Features {
            let runs = chains.iter_mut().flatten();
            runs.for_each(|run| run.draws.retain(|draw| draw.sweep > first));
        }
        chains
    })
}
