//! Rows of the feature matrix given the augmentation: an entity's shared features, then its own ones.
//!
//! The step [`flips`](super::flips) draws shared features again without the augmentation. That mixes far
//! better, but it holds the weights of an entity's own features fixed; here they are integrated out. Where own
//! features are not in the way the drawing here costs time and brings little, and is left out: with
//! diagonal weights, whose own features touch no pair, under the logistic loss (under the hinge loss it was seen to
//! help); and in sparse networks for entities without own features. That an entity has none is not changed by
//! drawing its shared features, so the choice leaves the step a Gibbs step.
//!
//! In large networks a sweep asks a random share of the entities only (`ASKED`; diagonal weights make new features free,
//! there only drawing shared ones is left to the share). Asking everybody would take most of the time of a sweep, and would
//! let too many features be born at once where rows go by classes, since members of a class do not see each other's.

mod diagonal;
mod full;
pub mod layers;

use rand::RngExt;

use crate::model::{Loss, Shape, State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream};

use super::common::{self, Common};
use super::new_features::Births;
use super::newborn::Newborn;
use super::prior::{Counted, Drawn, Prior};
use super::shared::{self, Draws};
use super::workers::Workers;
use super::{StreamKey, wide};

use diagonal::DiagonalRow;
use full::FullRow;
pub(super) use full::SideScratch;

/// The share of the entities that a sweep over a large network asks.
const ASKED: f64 = 0.1;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    workers: Workers<Worker>,
    outcomes: Vec<Outcome>,
    prior: Drawn,
    common: Common,
    order: Vec<u32>,
    spare: Vec<f64>,
}

/// What a thread needs for a row.
#[derive(Debug, Default)]
struct Worker {
    full: FullRow,
    diagonal: DiagonalRow,
    draws: Draws,
    births: Births,
    row: Vec<u32>,
}

/// What becomes of some rows.
#[derive(Debug, Default)]
struct Outcome {
    rows: Vec<Changed>,
    changes: Vec<(u32, bool)>,
    newborn: Newborn,
}

/// A row that changes, with the ends of its entries in the lists of the outcome.
#[derive(Debug)]
struct Changed {
    entity: u32,
    changes: usize,
    newborn: usize,
}

/// What happened in a sweep over the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries of Z that changed among shared features.
    pub flips: usize,
    /// Features that were born with a single owner.
    pub born: usize,
}

/// Updates every row once and renumbers the features afterwards, so that all slots are active.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &ValidSettings,
    division: &Division,
    place: StreamKey,
    scratch: &mut Scratch,
) -> Report {
    let Scratch { workers, outcomes, prior, common, order, spare } = scratch;
    let diagonal = state.weights.shape() == Shape::Diagonal;
    let draws_shared = !diagonal || settings.model.loss == Loss::Hinge;
    let asked = if division.coloured() { ASKED } else { 1.0 };
    let rows = Rows { pairs, settings, place, draws_shared, asked };
    if rows.draws_shared {
        let purpose = if diagonal { common::Purpose::Sums } else { common::Purpose::Products };
        common.fill(&state.features, purpose);
    }
    let mut report = Report::default();
    if division.coloured() {
        for class in division.classes() {
            if rows.draws_shared {
                let block = (pairs.entities() + class.number) as u64;
                let mut rng = place.stream(Purpose::Features, block);
                prior.draw(class, &state.features, &mut rng);
            }
            class.for_chunks(outcomes, |entities, outcome| {
                workers.with(|worker| {
                    for &entity in entities {
                        rows.draw(entity as usize, state, prior, common, worker, outcome);
                    }
                });
            });
            for outcome in &mut *outcomes {
                outcome.apply(state, common, rows.draws_shared, &mut report);
            }
        }
    } else {
        outcomes.resize_with(1, Outcome::default);
        workers.with(|worker| {
            for entity in 0..pairs.entities() {
                rows.draw(entity, state, &Counted::new(&state.features), common, worker, &mut outcomes[0]);
                outcomes[0].apply(state, common, rows.draws_shared, &mut report);
            }
        });
    }
    state.features.compact(order);
    state.weights.compact(order, spare);
    report
}

/// What all rows have in common.
#[derive(Debug)]
struct Rows<'a> {
    pairs: &'a Pairs,
    settings: &'a ValidSettings,
    place: StreamKey,
    /// Whether shared features are drawn here, and not by the flips alone.
    draws_shared: bool,
    asked: f64,
}

impl Rows<'_> {
    /// Draws one row. The state stays as it is: the outcome tells what becomes of it.
    fn draw(
        &self,
        entity: usize,
        state: &State,
        prior: &impl Prior,
        common: &Common,
        worker: &mut Worker,
        outcome: &mut Outcome,
    ) {
        let mut rng = self.place.stream(Purpose::Features, entity as u64);
        worker.draws.changes.clear();
        let asked = self.asked == 1.0 || rng.random::<f64>() < self.asked;
        if !asked && state.weights.shape() != Shape::Diagonal {
            return;
        }
        let counts = state.features.counts();
        let own = state.features.row(entity).iter().filter(|&&slot| counts[slot as usize] == 1).count();
        let newborn = &mut outcome.newborn;
        let born = wide(
            #[inline(always)]
            || {
                if state.weights.shape() == Shape::Diagonal {
                    self.draw_diagonal(entity, asked, state, prior, common, &mut rng, worker, newborn)
                } else {
                    self.draw_full(entity, own, state, prior, common, &mut rng, worker, newborn)
                }
            },
        );
        if own > 0 || born > 0 || !worker.draws.changes.is_empty() {
            outcome.changes.extend_from_slice(&worker.draws.changes);
            let (changes, newborn) = (outcome.changes.len(), outcome.newborn.len());
            outcome.rows.push(Changed { entity: entity as u32, changes, newborn });
        }
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the two shapes have one interface")]
    fn draw_diagonal(
        &self,
        entity: usize,
        asked: bool,
        state: &State,
        prior: &impl Prior,
        common: &Common,
        rng: &mut Stream,
        worker: &mut Worker,
        newborn: &mut Newborn,
    ) -> usize {
        if self.draws_shared && asked {
            let mut row = worker.diagonal.prepare(entity, self.pairs, state, self.settings, common);
            worker.draws.draw(entity, state, prior, rng, &mut row);
        }
        newborn.draw_from_prior(state, rng)
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the two shapes have one interface")]
    fn draw_full(
        &self,
        entity: usize,
        own: usize,
        state: &State,
        prior: &impl Prior,
        common: &Common,
        rng: &mut Stream,
        worker: &mut Worker,
        newborn: &mut Newborn,
    ) -> usize {
        let Worker { full, draws, births, row, .. } = worker;
        let (pairs, settings) = (self.pairs, self.settings);
        if own == 0 && !pairs.dense() {
            // Most entities of a sparse network have no reason for a feature of their own: a glance tells.
            let glance = full.glance(entity, pairs, state, settings);
            return births.draw(glance, state, settings, rng, newborn, || {
                full.gather(entity, pairs, state, settings, common);
                full.explain(state.features.row(entity), state);
                full.sides()
            });
        }
        full.gather(entity, pairs, state, settings, common);
        full.prepare(entity, own, state);
        draws.draw(entity, state, prior, rng, full);
        row.clear();
        row.extend_from_slice(state.features.row(entity));
        row.retain(|&slot| state.features.counts()[slot as usize] > 1);
        for &(slot, take) in &draws.changes {
            match row.binary_search(&slot) {
                Err(place) if take => row.insert(place, slot),
                Ok(place) if !take => drop(row.remove(place)),
                _ => unreachable!("a change changes something"),
            }
        }
        full.explain(row, state);
        let glance = full.bound(state.nu * state.nu);
        births.draw(glance, state, settings, rng, newborn, || full.sides())
    }
}

impl Outcome {
    /// The rows become what was drawn for them.
    fn apply(&mut self, state: &mut State, common: &mut Common, refresh: bool, report: &mut Report) {
        let (mut changes, mut newborn) = (0, 0);
        for row in &self.rows {
            let entity = row.entity as usize;
            shared::apply(entity, &self.changes[changes..row.changes], state);
            give_up_own(entity, state);
            for number in newborn..row.newborn {
                report.born += self.newborn.deliver(number, entity, state);
            }
            if refresh {
                common.refresh(entity, &state.features);
            }
            (changes, newborn) = (row.changes, row.newborn);
        }
        report.flips += self.changes.len();
        self.rows.clear();
        self.changes.clear();
        self.newborn.clear();
    }
}

/// The features that nobody else has are given up, to be drawn anew with their weights.
#[inline(always)]
fn give_up_own(entity: usize, state: &mut State) {
    let mut position = 0;
    while let Some(&slot) = state.features.row(entity).get(position) {
        if state.features.counts()[slot as usize] > 1 {
            position += 1;
            continue;
        }
        state.features.remove(entity, slot);
        state.features.release(slot);
    }
}
