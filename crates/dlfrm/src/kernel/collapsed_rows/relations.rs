//! Rows of features that several relations share: what all of them say of a feature adds up. See "Relations with shared
//! features" in `docs/model.md`.

use std::ops::Range;

use crate::model::State;
use crate::random::Purpose;

use super::super::prior::Counted;
use super::super::row::{Draws, Row};
use super::super::{RelationView, with_simd};
use super::{AnyRow, Asked, Info, Known, RowScratch};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    work: Vec<(Known, RowScratch)>,
    draws: Draws,
}

/// Draws every entry of Z whose feature has other owners once. The rates of all relations must be drawn again before anything
/// else uses them.
pub fn update(relations: &mut [RelationView<'_>], scratch: &mut Scratch) -> Info {
    let nodes = relations[0].context.pairs.nodes();
    update_rows(relations, 0..nodes, scratch)
}

/// The same for the rows of some nodes.
pub fn update_rows(relations: &mut [RelationView<'_>], nodes: Range<usize>, scratch: &mut Scratch) -> Info {
    let Scratch { work, draws } = scratch;
    let first = &relations[0];
    let mut info = Info::default();
    if first.state.features.slots() == 0 {
        return info;
    }
    let context = first.context;
    work.resize_with(relations.len(), Default::default);
    for (relation, (known, _)) in relations.iter_mut().zip(&mut *work) {
        known.fill(&relation.context, relation.state);
    }
    for node in nodes {
        let mut rng = context.stream(Purpose::CollapsedRows, node as u64);
        info.entries += with_simd(
            #[inline(always)]
            || {
                let rows = relations.iter().zip(&mut *work).map(|(relation, (known, scratch))| {
                    let RelationView { context, state } = relation;
                    (AnyRow::prepare(node, context, state, known, scratch, Asked::Every), &**state)
                });
                let mut rows = Rows(rows.collect());
                let state = &*relations[0].state;
                draws.draw(node, state, &Counted::new(&state.features), &mut rng, &mut rows)
            },
        );
        info.flips += draws.changes.len();
        for (relation, (known, _)) in relations.iter_mut().zip(&mut *work) {
            known.apply(node, &draws.changes, relation.context.pairs, relation.state);
        }
    }
    for (relation, (known, _)) in relations.iter_mut().zip(work) {
        known.offsets_to.give_back(relation.state);
    }
    info
}

/// What the pairs of a node say in all relations.
struct Rows<'a>(Vec<(AnyRow<'a>, &'a State)>);

impl Row for Rows<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        self.0.iter_mut().map(|(row, state)| row.gain(k, has, state)).sum()
    }

    #[inline(always)]
    fn most(&mut self, k: usize, _: &State) -> f64 {
        self.0.iter_mut().map(|(row, state)| row.most(k, state)).product()
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, _: &State) {
        for (row, state) in &mut self.0 {
            row.flip(k, sign, state);
        }
    }
}
