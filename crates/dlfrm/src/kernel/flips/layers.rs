//! Shared features of relations that share them, with the augmentation integrated out.
//!
//! What all relations say of an entity's having a feature adds up; otherwise this is the step of one relation.

use crate::model::{State, ValidSettings};
use crate::random::Purpose;

use super::super::layers::Layer;
use super::super::prior::Counted;
use super::super::shared::{Draws, Row};
use super::super::wide;
use super::{AnyRow, Known, Worker};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    relations: Vec<(Known, Worker)>,
    draws: Draws,
}

/// Draws every shared entry of Z once. The rates of all relations must be drawn anew before anything else uses them.
pub fn update(layers: &mut [Layer<'_>], settings: &ValidSettings, scratch: &mut Scratch) {
    let Scratch { relations, draws } = scratch;
    let first = &layers[0];
    if first.state.features.slots() == 0 {
        return;
    }
    let (entities, place) = (first.pairs.entities(), first.place);
    relations.resize_with(layers.len(), Default::default);
    for (layer, (known, _)) in layers.iter().zip(&mut *relations) {
        known.fill(layer.pairs, layer.state, settings);
    }
    for entity in 0..entities {
        let mut rng = place.stream(Purpose::Flips, entity as u64);
        wide(
            #[inline(always)]
            || {
                let rows = layers.iter().zip(&mut *relations).map(|(layer, (known, worker))| {
                    let row = AnyRow::prepare(entity, layer.pairs, layer.state, settings, known, worker);
                    (row, &*layer.state)
                });
                let mut rows = Rows(rows.collect());
                let features = &layers[0].state.features;
                draws.draw(entity, layers[0].state, &Counted::new(features), &mut rng, &mut rows);
            },
        );
        for (layer, (known, _)) in layers.iter_mut().zip(&mut *relations) {
            known.apply(entity, &draws.changes, layer.pairs, layer.state);
        }
    }
}

/// What the pairs of an entity say in all relations.
struct Rows<'a>(Vec<(AnyRow<'a>, &'a State)>);

impl Row for Rows<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        self.0.iter_mut().map(|(row, state)| row.gain(k, has, state)).sum()
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, _: &State) {
        for (row, state) in &mut self.0 {
            row.flip(k, sign, state);
        }
    }
}
