//! From chains that have not begun, or were left, to posteriors: the choice on a development set, the chains, and more of them
//! until they agree.

use super::checkpoint::Keeping;
use super::choice::keep_up;
use super::chosen::{Chosen, Ran, Task, each_run};
use super::course::Until;
use super::{Candidates, Continuation, Event, Observer};
use crate::chain::{ChainRun, Slots, Stoppable, noted};
use crate::error::Result;
use crate::network::{Pairs, Relation};
use crate::posterior::Posterior;
use crate::warning::Warning;

/// How a run ended.
pub(super) struct Done {
    pub(super) chosen: Chosen,
    ran: Ran,
    /// The first draws of each chain that do not count.
    left_out: usize,
    /// How long each relation took.
    pub(super) seconds: Vec<f64>,
}

/// Runs everything that is left to do.
pub(super) fn run(
    keeping: &Keeping<'_>,
    named: &[(Option<&str>, &Pairs)],
    relations: &[&Relation],
    observer: &Stoppable<'_>,
    candidates: &Candidates,
) -> Result<Done> {
    let slots = [keeping.covariates, keeping.features];
    let task = Task { relations: named, side_info: keeping.side_info, observer, slots };
    let mut chosen = choose(keeping, &task, candidates)?;
    let mut seconds = vec![keeping.earlier; named.len()];
    loop {
        let ran = chosen.run(&task)?;
        ran.add_seconds(&mut seconds);
        let draws = chosen.settings.draws;
        let Some(until) = course(keeping, |course| course.until) else {
            return Ok(Done { chosen, ran, left_out: 0, seconds });
        };
        if observer.stopped() {
            // The draws of the round that was ended count, with those that counted after the round before.
            let left_out = until.left_out(if draws > until.first { draws / 2 } else { draws });
            return Ok(Done { chosen, ran, left_out, seconds });
        }
        let posteriors = gather(&chosen, named, &ran, slots, until.left_out(draws), |run| run.clone());
        let r_hats = posteriors.iter().zip(relations).map(|(posterior, relation)| {
            let links = relation.network.links();
            let r_hat = if until.drift { posterior.probe_drift(links) } else { posterior.probe_r_hat(links) };
            // Too few draws say nothing.
            r_hat.unwrap_or(f64::INFINITY)
        });
        let r_hat = r_hats.fold(1.0, f64::max);
        let longer = longer(&chosen, until).filter(|_| r_hat > until.r_hat);
        let Some(settings) = longer else {
            keeping.event(&Event::Warning(&until.ended(r_hat)));
            end(keeping, &mut chosen, until.left_out(draws));
            return Ok(Done { chosen, ran, left_out: 0, seconds });
        };
        chosen.settings = settings;
        let draws = chosen.settings.draws;
        if let Some((settings, _)) = &mut chosen.linear {
            let mut longer = settings.clone().into_inner();
            keep_up(&mut longer, draws);
            *settings = longer.check()?;
        }
        course(keeping, |course| {
            course.settings = chosen.settings.clone().into_inner();
            course.linear = chosen.linear.as_ref().map(|(settings, _)| settings.clone().into_inner());
        });
        let r_hat = r_hat.is_finite().then_some(r_hat);
        keeping.event(&Event::Warning(&Warning::GoingOn { r_hat, draws }));
    }
}

impl Done {
    /// The posteriors of what the chains have. It is taken from them.
    pub(super) fn posteriors(
        &self,
        keeping: &Keeping<'_>,
        named: &[(Option<&str>, &Pairs)],
    ) -> Vec<Posterior> {
        let slots = [keeping.covariates, keeping.features];
        gather(&self.chosen, named, &self.ran, slots, self.left_out, std::mem::take)
    }
}

/// The settings of the next round, if it may be.
fn longer(chosen: &Chosen, until: Until) -> Option<crate::model::ValidSettings> {
    let mut settings = chosen.settings.clone().into_inner();
    settings.draws *= 2;
    let settings = settings.check().ok()?;
    let sweeps = settings.sweeps() + chosen.later[1];
    until.most_sweeps.is_none_or(|most| sweeps <= most).then_some(settings)
}

/// What was chosen before, or is chosen now.
fn choose(keeping: &Keeping<'_>, task: &Task<'_>, candidates: &Candidates) -> Result<Chosen> {
    if let Some(chosen) = course(keeping, |course| course.chosen())? {
        return Ok(chosen);
    }
    let (sharing, before, later) =
        course(keeping, |course| (course.sharing, course.chosen.clone(), course.later));
    let mut chosen = candidates.choose(task, &[], sharing, later)?;
    chosen.choices.iter().for_each(|choice| keeping.event(&Event::Warning(&choice.warning())));
    match before {
        None => chosen.begin(keeping.features),
        // Chains with features of another kind are of no use.
        Some(before) if before.share_features != chosen.share_features => {
            keeping.features.iter().flatten().for_each(|slot| *noted(slot) = ChainRun::default());
        }
        Some(_) => {}
    }
    course(keeping, |course| course.choose(&chosen));
    Ok(chosen)
}

/// The posteriors of what the chains have, without their first draws.
fn gather(
    chosen: &Chosen,
    named: &[(Option<&str>, &Pairs)],
    ran: &Ran,
    slots: [&Slots; 2],
    left_out: usize,
    take: impl Fn(&mut ChainRun) -> ChainRun,
) -> Vec<Posterior> {
    let mut runs = slots.map(|slots| each_run(slots, &take));
    for run in runs[1].iter_mut().flatten() {
        run.draws.drain(..left_out.min(run.draws.len()));
    }
    let mut chosen = chosen.clone();
    chosen.leave_out(left_out);
    chosen.posteriors(named, ran, runs)
}

/// A fit that went on until its chains agree is one with a longer burn-in.
fn end(keeping: &Keeping<'_>, chosen: &mut Chosen, left_out: usize) {
    for slot in keeping.features.iter().flatten() {
        noted(slot).draws.drain(..left_out);
    }
    chosen.leave_out(left_out);
    course(keeping, |course| {
        course.later = chosen.later;
        course.settings.draws = chosen.settings.draws;
        course.until = None;
    });
}

/// What the chains of a relation go on with.
pub(super) fn continuation(
    keeping: &Keeping<'_>,
    number: usize,
    relation: &Relation,
    chosen: &Chosen,
) -> Continuation {
    let (mut states, mut own) = (vec![], vec![]);
    for slot in &keeping.features[number] {
        let run = noted(slot);
        states.extend(run.state.clone());
        if chosen.linear.is_some() {
            own.extend(run.draws.iter().map(|draw| (draw.intercept, draw.linear.clone())));
        }
    }
    let covariates = keeping.covariates.get(number);
    let covariates =
        covariates.map_or(vec![], |slots| slots.iter().map(|slot| noted(slot).clone()).collect());
    Continuation {
        states,
        own,
        covariates,
        unobserved: relation.network.unobserved().to_vec(),
        unlisted: relation.network.unlisted(),
    }
}

fn course<T>(keeping: &Keeping<'_>, look: impl FnOnce(&mut super::Course) -> T) -> T {
    look(&mut keeping.course.lock().expect("nobody panics with it"))
}
