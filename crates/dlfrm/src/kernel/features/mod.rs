//! Rows of the feature matrix given the augmentation: an entity's shared features, then its own ones.
//!
//! The step [`flips`](super::flips) draws shared features again without the augmentation. That mixes far
//! better, but it holds the weights of an entity's own features fixed; here they are integrated out. With
//! diagonal weights own features touch no pair: there the drawing here is left out under the logistic loss,
//! where it costs time and brings nothing, and kept under the hinge loss, where it was seen to help.

mod diagonal;
mod full;

use crate::model::{Checked, Loss, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

use super::common::{self, Common};
use super::new_features::Births;
use super::{Place, shared, wide};

use diagonal::DiagonalRow;
use full::FullRow;
pub(super) use full::SideScratch;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    full: FullRow,
    diagonal: DiagonalRow,
    candidates: Vec<u32>,
    births: Births,
    common: Common,
    spare: Vec<f64>,
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
    settings: &Checked,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let mut report = Report::default();
    let diagonal = state.weights.shape() == Shape::Diagonal;
    let purpose = if diagonal { common::Purpose::Sums } else { common::Purpose::Products };
    let draws_shared = draws_shared(state, settings);
    if draws_shared {
        scratch.common.fill(&state.features, purpose);
    }
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Features, entity as u64);
        wide(
            #[inline(always)]
            || update_row(entity, pairs, state, settings, &mut rng, scratch, &mut report),
        );
        if draws_shared {
            scratch.common.refresh(entity, &state.features);
        }
    }
    state.features.compact(&mut scratch.candidates);
    state.weights.compact(&scratch.candidates, &mut scratch.spare);
    report
}

#[inline(always)]
fn update_row(
    entity: usize,
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    rng: &mut Stream,
    scratch: &mut Scratch,
    report: &mut Report,
) {
    let Scratch { full, diagonal, candidates, births, common, .. } = scratch;
    if state.weights.shape() == Shape::Diagonal {
        if draws_shared(state, settings) {
            let mut row = diagonal.prepare(entity, pairs, state, settings, common);
            report.flips += shared::draw(entity, state, rng, &mut row, candidates);
        }
        give_up_own(entity, state);
        report.born += births.draw_from_prior(entity, state, rng);
    } else {
        let counts = state.features.counts();
        let own = state.features.row(entity).iter().filter(|&&slot| counts[slot as usize] == 1).count();
        full.gather(entity, pairs, state, settings, common);
        full.prepare(entity, own, state);
        report.flips += shared::draw(entity, state, rng, full, candidates);
        give_up_own(entity, state);
        full.explain(entity, state);
        report.born += births.draw(entity, state, settings, rng, full.sides());
    }
}

/// Whether shared features are drawn here, and not by the flips alone.
fn draws_shared(state: &State, settings: &Checked) -> bool {
    state.weights.shape() != Shape::Diagonal || settings.model.loss == Loss::Hinge
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
