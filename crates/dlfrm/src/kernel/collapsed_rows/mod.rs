//! Rows of the feature matrix with the augmentation integrated out. See "Collapsed rows" in `docs/model.md`.
//!
//! Here every entry of Z whose feature has other owners is drawn from its conditional under the loss itself, which knows no
//! rates. These are not valid afterwards: a fresh augmentation follows, so that both together are one blocked Gibbs step.

mod dense;
mod effects;
mod group;
mod offsets_to;
pub mod relations;
mod side;
mod sparse_diagonal;
mod sparse_full;

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::model::{Shape, State};
use crate::network::Pairs;
use crate::random::Purpose;

use super::prior::{Counted, Drawn, Prior};
use super::row::{self, Draws, Row};
use super::workers::Workers;
use super::{Context, with_simd};

use dense::{AllNodes, DenseRow};
use offsets_to::OffsetsTo;
use sparse_diagonal::{Asked, SparseDiagonalRow};
use sparse_full::{SparseFullRow, Tables};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    known: Known,
    prior: Drawn,
    workers: Workers<Worker>,
    outcomes: Vec<Outcome>,
}

#[derive(Debug, Default)]
struct Known {
    offsets_to: OffsetsTo,
    all_nodes: AllNodes,
    tables: Tables,
    sparse_diagonal: sparse_diagonal::Known,
}

#[derive(Debug, Default)]
struct Worker {
    row: RowScratch,
    draws: Draws,
}

#[derive(Debug, Default)]
struct RowScratch {
    dense: dense::Scratch,
    sparse_full: sparse_full::Scratch,
    sparse_diagonal: sparse_diagonal::Scratch,
}

/// What some rows take and give up: the changes, the nodes with the ends of theirs, and how many entries were drawn.
#[derive(Debug, Default)]
struct Outcome {
    changes: Vec<(u32, bool)>,
    rows: Vec<(u32, usize)>,
    entries: usize,
}

/// What the kernel did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Entries of the feature matrix that were drawn given the pairs.
    pub entries: usize,
    /// Entries that changed.
    pub flips: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.flips += other.flips;
    }
}

/// Draws every entry of Z whose feature has other owners once. The rates must be drawn again before anything else uses them.
pub fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    let mut info = Info::default();
    if state.features.slots() == 0 {
        return info;
    }
    let Context { pairs, division, .. } = *context;
    let Scratch { known, prior, workers, outcomes } = scratch;
    known.fill(context, state);
    if !division.coloured() {
        workers.with(|worker| {
            for node in 0..pairs.nodes() {
                info.entries += draw(node, context, state, known, &Counted::new(&state.features), worker);
                info.flips += worker.draws.changes.len();
                known.apply(node, &worker.draws.changes, pairs, state);
            }
        });
        known.offsets_to.give_back(state);
        return info;
    }
    for class in division.classes().take_while(|_| context.goes_on()) {
        let block = (pairs.nodes() + class.number) as u64;
        let mut rng = context.stream(Purpose::CollapsedRows, block);
        prior.draw(class, &state.features, &mut rng);
        known.sparse_diagonal.unsampled.begin_class(class.nodes(), pairs, state);
        class.for_chunks(outcomes, |nodes, outcome| {
            workers.with(|worker| {
                for &node in nodes {
                    outcome.entries += draw(node as usize, context, state, known, prior, worker);
                    outcome.changes.extend_from_slice(&worker.draws.changes);
                    outcome.rows.push((node, outcome.changes.len()));
                }
            });
        });
        for Outcome { changes, rows, entries } in &mut *outcomes {
            let mut first = 0;
            for (node, end) in rows.drain(..) {
                known.apply(node as usize, &changes[first..end], pairs, state);
                first = end;
            }
            info += Info { entries: std::mem::take(entries), flips: changes.len() };
            changes.clear();
        }
    }
    known.offsets_to.give_back(state);
    info
}

/// Draws one row and returns how many entries were drawn. The state stays as it is: the worker has what changes.
fn draw(
    node: usize,
    context: &Context<'_>,
    state: &State,
    known: &Known,
    prior: &impl Prior,
    worker: &mut Worker,
) -> usize {
    let mut rng = context.stream(Purpose::CollapsedRows, node as u64);
    let Worker { row, draws } = worker;
    let asked = if context.division.coloured() { Asked::Gaining } else { Asked::Every };
    with_simd(
        #[inline(always)]
        || match AnyRow::prepare(node, context, state, known, row, asked) {
            AnyRow::Dense(mut row) => draws.draw(node, state, prior, &mut rng, &mut row),
            AnyRow::SparseDiagonal(mut row) => draws.draw(node, state, prior, &mut rng, &mut row),
            AnyRow::SparseFull(mut row) => draws.draw(node, state, prior, &mut rng, &mut row),
        },
    )
}

enum AnyRow<'a> {
    Dense(DenseRow<'a>),
    SparseDiagonal(SparseDiagonalRow<'a>),
    SparseFull(SparseFullRow<'a>),
}

impl<'a> AnyRow<'a> {
    /// What is asked of it matters to sparse rows with diagonal weights alone: others answer everything.
    #[inline(always)]
    fn prepare(
        node: usize,
        context: &Context<'a>,
        state: &State,
        known: &'a Known,
        scratch: &'a mut RowScratch,
        asked: Asked,
    ) -> Self {
        let Known { offsets_to, all_nodes, tables, sparse_diagonal } = known;
        if context.pairs.dense() {
            let known = (all_nodes, offsets_to);
            Self::Dense(DenseRow::prepare(node, context, state, known, &mut scratch.dense))
        } else if state.weights.shape() == Shape::Diagonal {
            let (known, scratch) = ((sparse_diagonal, offsets_to), &mut scratch.sparse_diagonal);
            Self::SparseDiagonal(SparseDiagonalRow::prepare(node, context, state, known, scratch, asked))
        } else {
            let known = (tables, offsets_to);
            Self::SparseFull(SparseFullRow::prepare(node, context, state, known, &mut scratch.sparse_full))
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
    fn most(&mut self, k: usize, state: &State) -> f64 {
        match self {
            Self::Dense(row) => row.most(k, state),
            Self::SparseDiagonal(row) => row.most(k, state),
            Self::SparseFull(row) => row.most(k, state),
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

    #[inline(always)]
    fn gaining(&self) -> Option<&[u32]> {
        if let Self::SparseDiagonal(row) = self { row.gaining() } else { None }
    }
}

impl Known {
    fn fill(&mut self, context: &Context<'_>, state: &mut State) {
        self.offsets_to.fill(context.pairs, state);
        if context.pairs.dense() {
            self.all_nodes.fill(state, context.settings);
        } else if state.weights.shape() == Shape::Diagonal {
            self.sparse_diagonal.fill(context, state);
        } else {
            self.tables.fill(state, context.settings);
        }
    }

    #[inline(always)]
    fn apply(&mut self, node: usize, changes: &[(u32, bool)], pairs: &Pairs, state: &mut State) {
        if pairs.dense() {
            self.all_nodes.take_over(node, changes, state);
        } else if state.weights.shape() == Shape::Diagonal {
            self.sparse_diagonal.apply(node, changes, pairs);
        }
        row::apply(node, changes, state);
    }
}

#[cfg(test)]
mod tests;
