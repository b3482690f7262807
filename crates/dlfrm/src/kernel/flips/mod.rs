//! Shared features once more, with the augmentation integrated out.
//!
//! The rates hold a row fast: given them a logit can move only a little, although the loss itself would let
//! it move far; under the hinge loss a pair that sits at its margin has a rate without bound. Here every
//! entry of Z that is shared is drawn from its conditional under the loss itself, which knows no rates. They
//! are no longer valid afterwards: the step is followed by a fresh augmentation, so that both together are
//! one blocked Gibbs step.
//!
//! What a feature does to the pairs of an entity is known in one of three ways. In a dense network (`dense.rs`) it has
//! a line of effects on everybody, or, if it touches few, a list of its owners. In a sparse network the pairs of the
//! entity are all that is looked at: with full or symmetric weights a feature touches nearly all of them
//! (`sparse_full.rs`), with diagonal weights only those whose other end has it too (`sparse_diagonal.rs`).

mod dense;
mod effects;
mod group;
pub mod layers;
mod places;
mod side;
mod sparse_diagonal;
mod sparse_full;

use crate::model::{Shape, State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::Purpose;

use super::prior::{Counted, Drawn, Prior};
use super::shared::{self, Draws, Row};
use super::workers::Workers;
use super::{StreamKey, wide};

use dense::{DenseRow, Everybody};
use sparse_diagonal::SparseDiagonalRow;
use sparse_full::{SparseFullRow, Tables};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    known: Known,
    prior: Drawn,
    workers: Workers<Worker>,
    outcomes: Vec<Outcome>,
}

/// What is known of all rows.
#[derive(Debug, Default)]
struct Known {
    everybody: Everybody,
    tables: Tables,
}

/// What a thread needs for a row.
#[derive(Debug, Default)]
struct Worker {
    dense: dense::Scratch,
    sparse_full: sparse_full::Scratch,
    sparse_diagonal: sparse_diagonal::Scratch,
    draws: Draws,
}

/// What some rows take and give up: the changes, and the entities with the ends of theirs.
#[derive(Debug, Default)]
struct Outcome {
    changes: Vec<(u32, bool)>,
    rows: Vec<(u32, usize)>,
}

/// Draws every shared entry of Z once. The rates must be drawn anew before anything else uses them.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &ValidSettings,
    division: &Division,
    place: StreamKey,
    scratch: &mut Scratch,
) {
    if state.features.slots() == 0 {
        return;
    }
    let Scratch { known, prior, workers, outcomes } = scratch;
    known.fill(pairs, state, settings);
    if !division.coloured() {
        return workers.with(|worker| {
            for entity in 0..pairs.entities() {
                let prior = Counted::new(&state.features);
                draw(entity, pairs, state, settings, place, known, &prior, worker);
                known.apply(entity, &worker.draws.changes, pairs, state);
            }
        });
    }
    for class in division.classes() {
        let block = (pairs.entities() + class.number) as u64;
        let mut rng = place.stream(Purpose::Flips, block);
        prior.draw(class, &state.features, &mut rng);
        class.for_chunks(outcomes, |entities, outcome| {
            workers.with(|worker| {
                for &entity in entities {
                    draw(entity as usize, pairs, state, settings, place, known, prior, worker);
                    outcome.changes.extend_from_slice(&worker.draws.changes);
                    outcome.rows.push((entity, outcome.changes.len()));
                }
            });
        });
        for Outcome { changes, rows } in &mut *outcomes {
            let mut first = 0;
            for (entity, end) in rows.drain(..) {
                known.apply(entity as usize, &changes[first..end], pairs, state);
                first = end;
            }
            changes.clear();
        }
    }
}

/// Draws one row. The state stays as it is: the worker has what changes.
#[expect(clippy::too_many_arguments, reason = "a row needs to know all this")]
fn draw(
    entity: usize,
    pairs: &Pairs,
    state: &State,
    settings: &ValidSettings,
    place: StreamKey,
    known: &Known,
    prior: &impl Prior,
    worker: &mut Worker,
) {
    let mut rng = place.stream(Purpose::Flips, entity as u64);
    let Worker { dense, sparse_full, sparse_diagonal, draws } = worker;
    wide(
        #[inline(always)]
        || {
            if pairs.dense() {
                let mut row = DenseRow::prepare(entity, pairs, state, settings, &known.everybody, dense);
                draws.draw(entity, state, prior, &mut rng, &mut row);
            } else if state.weights.shape() == Shape::Diagonal {
                let mut row = SparseDiagonalRow::prepare(entity, pairs, state, settings, sparse_diagonal);
                draws.draw(entity, state, prior, &mut rng, &mut row);
            } else {
                let mut row =
                    SparseFullRow::prepare(entity, pairs, state, settings, &known.tables, sparse_full);
                draws.draw(entity, state, prior, &mut rng, &mut row);
            }
        },
    );
}

/// A row, whatever is known of its pairs.
enum AnyRow<'a> {
    Dense(DenseRow<'a>),
    SparseDiagonal(SparseDiagonalRow<'a>),
    SparseFull(SparseFullRow<'a>),
}

impl<'a> AnyRow<'a> {
    #[inline(always)]
    fn prepare(
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &'a ValidSettings,
        known: &'a Known,
        worker: &'a mut Worker,
    ) -> Self {
        let Worker { dense, sparse_full, sparse_diagonal, .. } = worker;
        if pairs.dense() {
            Self::Dense(DenseRow::prepare(entity, pairs, state, settings, &known.everybody, dense))
        } else if state.weights.shape() == Shape::Diagonal {
            Self::SparseDiagonal(SparseDiagonalRow::prepare(entity, pairs, state, settings, sparse_diagonal))
        } else {
            let row = SparseFullRow::prepare(entity, pairs, state, settings, &known.tables, sparse_full);
            Self::SparseFull(row)
        }
    }
}

impl Row for AnyRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        match self {
            Self::Dense(row) => row.gain(k, has, state),
            Self::SparseDiagonal(row) => row.gain(k, has, state),
            Self::SparseFull(row) => row.gain(k, has, state),
        }
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        match self {
            Self::Dense(row) => row.flip(k, sign, state),
            Self::SparseDiagonal(row) => row.flip(k, sign, state),
            Self::SparseFull(row) => row.flip(k, sign, state),
        }
    }
}

impl Known {
    /// Looks at all rows.
    fn fill(&mut self, pairs: &Pairs, state: &State, settings: &ValidSettings) {
        if pairs.dense() {
            self.everybody.fill(state, settings);
        } else if state.weights.shape() != Shape::Diagonal {
            self.tables.fill(state, settings);
        }
    }

    /// An entity takes and gives up features.
    #[inline(always)]
    fn apply(&mut self, entity: usize, changes: &[(u32, bool)], pairs: &Pairs, state: &mut State) {
        if pairs.dense() {
            self.everybody.take_over(entity, changes, state);
        }
        shared::apply(entity, changes, state);
    }
}

#[cfg(test)]
mod tests;
