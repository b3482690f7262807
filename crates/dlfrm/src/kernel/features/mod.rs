//! Rows of the feature matrix given the augmentation: a node's non-singleton features, then its singletons.
//! See "Rows given the augmentation" in `docs/model.md`.
//!
//! The step [`collapsed_rows`](super::collapsed_rows) draws features with several owners again without the augmentation, which
//! mixes far better but holds the weights of a node's singletons fixed; here they are integrated out. Where singletons are not
//! in the way the drawing here brings little, and is left out: with diagonal weights under the logistic loss (under the hinge
//! loss it was seen to help), and in sparse networks for nodes without singletons.

mod diagonal;
mod full;
pub mod relations;

use std::ops::AddAssign;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::model::{Loss, Shape, State};
use crate::random::{Purpose, Stream};

use super::dense_columns::{self, DenseColumns};
use super::new_features::Births;
use super::pending_births::PendingBirths;
use super::prior::{Counted, Drawn, Prior};
use super::row::{self, Draws};
use super::workers::Workers;
use super::{Context, with_simd};

use diagonal::DiagonalRow;
use full::FullRow;
pub(super) use full::{EvidenceBound, SideScratch};

/// The share of the nodes whose rows a sweep over a large network updates.
const SCANNED: f64 = 0.1;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    workers: Workers<Worker>,
    outcomes: Vec<Outcome>,
    prior: Drawn,
    dense_columns: DenseColumns,
    order: Vec<u32>,
    spare: Vec<f64>,
}

#[derive(Debug, Default)]
struct Worker {
    full: FullRow,
    diagonal: DiagonalRow,
    draws: Draws,
    births: Births,
    row: Vec<u32>,
}

#[derive(Debug, Default)]
struct Outcome {
    rows: Vec<Changed>,
    changes: Vec<(u32, bool)>,
    pending: PendingBirths,
}

/// A row that changes, with the ends of its entries in the lists of the outcome.
#[derive(Debug)]
struct Changed {
    node: u32,
    changes: usize,
    pending: usize,
}

/// What the kernel did. The number of features grows by births less deaths; features of a single owner that are given up
/// and drawn again count as both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// New features, each with a single owner.
    pub births: usize,
    /// Features that were given up by their single owner.
    pub deaths: usize,
    /// Entries of features with other owners that changed.
    pub flips: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.births += other.births;
        self.deaths += other.deaths;
        self.flips += other.flips;
    }
}

/// Updates every row once and renumbers the features afterwards, so that all slots are active.
pub fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    let Context { pairs, settings, division, .. } = *context;
    let Scratch { workers, outcomes, prior, dense_columns, order, spare } = scratch;
    let diagonal = state.weights.shape() == Shape::Diagonal;
    let draws_non_singletons = !diagonal || settings.model.loss == Loss::Hinge;
    let scanned = if division.coloured() { SCANNED } else { 1.0 };
    if draws_non_singletons {
        let purpose = if diagonal { dense_columns::Purpose::Sums } else { dense_columns::Purpose::Products };
        dense_columns.fill(&state.features, purpose);
    }
    let mut info = Info::default();
    if division.coloured() {
        for class in division.classes().take_while(|_| context.goes_on()) {
            if draws_non_singletons {
                let block = (pairs.nodes() + class.number) as u64;
                let mut rng = context.stream(Purpose::Features, block);
                prior.draw(class, &state.features, &mut rng);
            }
            let prior = &*prior;
            let rows = Rows { context, draws_non_singletons, scanned, state, prior, dense_columns };
            class.for_chunks(outcomes, |nodes, outcome| {
                workers.with(|worker| {
                    for &node in nodes {
                        rows.draw(node as usize, worker, outcome);
                    }
                });
            });
            for outcome in &mut *outcomes {
                outcome.apply(state, dense_columns, draws_non_singletons, &mut info);
            }
        }
    } else {
        outcomes.resize_with(1, Outcome::default);
        workers.with(|worker| {
            for node in 0..pairs.nodes() {
                let prior = &Counted::new(&state.features);
                let rows = Rows { context, draws_non_singletons, scanned, state, prior, dense_columns };
                rows.draw(node, worker, &mut outcomes[0]);
                outcomes[0].apply(state, dense_columns, draws_non_singletons, &mut info);
            }
        });
    }
    state.features.compact(order);
    state.weights.compact(order, spare);
    info
}

/// What rows are drawn given.
#[derive(Debug)]
struct Rows<'a, P> {
    context: &'a Context<'a>,
    /// Whether features with other owners are drawn here, and not by the collapsed rows alone.
    draws_non_singletons: bool,
    /// The share of the nodes whose rows are updated.
    scanned: f64,
    state: &'a State,
    prior: &'a P,
    dense_columns: &'a DenseColumns,
}

impl<P: Prior> Rows<'_, P> {
    /// Draws one row. The state stays as it is: the outcome has what becomes of it.
    fn draw(&self, node: usize, worker: &mut Worker, outcome: &mut Outcome) {
        let Self { context, scanned, state, .. } = *self;
        let mut rng = context.stream(Purpose::Features, node as u64);
        worker.draws.changes.clear();
        let scanned = scanned == 1.0 || rng.random::<f64>() < scanned;
        if !scanned && state.weights.shape() != Shape::Diagonal {
            return;
        }
        let counts = state.features.counts();
        let singletons = state.features.row(node).iter().filter(|&&slot| counts[slot as usize] == 1).count();
        let pending = &mut outcome.pending;
        let births = with_simd(
            #[inline(always)]
            || {
                if state.weights.shape() == Shape::Diagonal {
                    self.draw_diagonal(node, scanned, &mut rng, worker, pending)
                } else {
                    self.draw_full(node, singletons, &mut rng, worker, pending)
                }
            },
        );
        if singletons > 0 || births > 0 || !worker.draws.changes.is_empty() {
            outcome.changes.extend_from_slice(&worker.draws.changes);
            let (changes, pending) = (outcome.changes.len(), outcome.pending.len());
            outcome.rows.push(Changed { node: node as u32, changes, pending });
        }
    }

    /// Returns how many features are born.
    #[inline(always)]
    fn draw_diagonal(
        &self,
        node: usize,
        scanned: bool,
        rng: &mut Stream,
        worker: &mut Worker,
        pending: &mut PendingBirths,
    ) -> usize {
        let Self { context, draws_non_singletons, state, prior, dense_columns, .. } = *self;
        if draws_non_singletons && scanned {
            let mut row = worker.diagonal.prepare(node, context, state, dense_columns);
            worker.draws.draw(node, state, prior, rng, &mut row);
        }
        pending.draw_from_prior(state, rng)
    }

    /// The same for full and symmetric weights.
    #[inline(always)]
    fn draw_full(
        &self,
        node: usize,
        singletons: usize,
        rng: &mut Stream,
        worker: &mut Worker,
        pending: &mut PendingBirths,
    ) -> usize {
        let Self { context, state, prior, dense_columns, .. } = *self;
        let Worker { full, draws, births, row, .. } = worker;
        if singletons == 0 && !context.pairs.dense() {
            // Most nodes of a sparse network have no reason for a singleton, and a bound shows it.
            let bound = full.evidence_bound_from_pairs(node, context, state);
            return births.draw(bound, state, context.settings, rng, pending, || {
                full.gather(node, context, state, dense_columns);
                full.explain(state.features.row(node), state);
                full.sides()
            });
        }
        full.gather(node, context, state, dense_columns);
        full.prepare(node, singletons, state);
        draws.draw(node, state, prior, rng, full);
        row.clear();
        row.extend_from_slice(state.features.row(node));
        row.retain(|&slot| state.features.counts()[slot as usize] > 1);
        for &(slot, take) in &draws.changes {
            match row.binary_search(&slot) {
                Err(position) if take => row.insert(position, slot),
                Ok(position) if !take => drop(row.remove(position)),
                _ => unreachable!("a change changes something"),
            }
        }
        full.explain(row, state);
        let bound = full.evidence_bound(state.nu.between.powi(2));
        births.draw(bound, state, context.settings, rng, pending, || full.sides())
    }
}

impl Outcome {
    /// The rows become what was drawn for them.
    fn apply(&mut self, state: &mut State, dense_columns: &mut DenseColumns, refresh: bool, info: &mut Info) {
        let (mut changes, mut pending) = (0, 0);
        for row in &self.rows {
            let node = row.node as usize;
            row::apply(node, &self.changes[changes..row.changes], state);
            info.deaths += remove_singletons(node, state);
            for number in pending..row.pending {
                info.births += self.pending.apply(number, node, state);
            }
            if refresh {
                dense_columns.refresh(node, &state.features);
            }
            (changes, pending) = (row.changes, row.pending);
        }
        info.flips += self.changes.len();
        self.rows.clear();
        self.changes.clear();
        self.pending.clear();
    }
}

/// Removes the singletons of a node, which are drawn again with their weights. Returns how many they were.
#[inline(always)]
fn remove_singletons(node: usize, state: &mut State) -> usize {
    let (mut position, mut count) = (0, 0);
    while let Some(&slot) = state.features.row(node).get(position) {
        if state.features.counts()[slot as usize] > 1 {
            position += 1;
            continue;
        }
        state.features.remove(node, slot);
        state.features.release(slot);
        count += 1;
    }
    count
}
