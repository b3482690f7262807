//! An entity's own features where relations share them: given up and drawn anew with their weights in all relations.
//!
//! The evidence for so many new features is the product over the relations, each with weights of its own integrated out.
//! Features that others have, too, are left to the step [`flips`](crate::kernel::flips).

use rand::RngExt;

use crate::model::{Shape, ValidSettings};
use crate::random::Purpose;

use super::super::common::{self, Common};
use super::super::layers::Layer;
use super::super::new_features::Births;
use super::super::newborn::{Newborn, log_mass};
use super::super::wide;
use super::full::FullRow;
use super::{SideScratch, give_up_own};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    relations: Vec<Relation>,
    births: Births,
    common: Common,
    row: Vec<u32>,
    order: Vec<u32>,
    spare: Vec<f64>,
}

#[derive(Debug, Default)]
struct Relation {
    full: FullRow,
    newborn: Newborn,
}

/// Draws the own features of every entity, and renumbers the features afterwards, so that all slots are active.
pub fn update(layers: &mut [Layer<'_>], settings: &ValidSettings, scratch: &mut Scratch) {
    let Scratch { relations, births, common, row, order, spare } = scratch;
    relations.resize_with(layers.len(), Relation::default);
    let diagonal = layers[0].state.weights.shape() == Shape::Diagonal;
    if !diagonal {
        common.fill(&layers[0].state.features, common::Purpose::Products);
    }
    for entity in 0..layers[0].pairs.entities() {
        let features = &layers[0].state.features;
        row.clear();
        row.extend(features.row(entity).iter().filter(|&&slot| features.counts()[slot as usize] > 1));
        let own = features.row(entity).len() - row.len();
        let mut rng = layers[0].place.stream(Purpose::Features, entity as u64);
        let count = if diagonal {
            // They touch no pair in any relation: all that is known of them is the prior.
            crate::model::ibp::poisson(log_mass(layers[0].state).exp(), &mut rng)
        } else {
            wide(
                #[inline(always)]
                || {
                    for (layer, Relation { full, .. }) in layers.iter().zip(&mut *relations) {
                        full.gather(entity, layer.pairs, layer.state, settings, common);
                        full.explain(row, layer.state);
                    }
                    let sides = layers.iter().zip(&*relations).flat_map(|(layer, Relation { full, .. })| {
                        let precision = layer.state.nu * layer.state.nu;
                        full.sides().iter().map(move |side: &SideScratch| (side, precision))
                    });
                    let mass = log_mass(layers[0].state);
                    births.draw_count_of(rng.random(), mass, settings.max_new, &sides)
                },
            )
        };
        if own == 0 && count == 0 {
            continue;
        }
        for (layer, Relation { full, newborn }) in layers.iter_mut().zip(&mut *relations) {
            // Each relation has weights of its own, from a stream of its own that the count did not use.
            let mut rng = layer.place.stream(Purpose::FeaturesOfLayers, entity as u64);
            let precision = layer.state.nu * layer.state.nu;
            give_up_own(entity, layer.state);
            if count > 0 {
                if !diagonal {
                    for side in full.sides() {
                        births.draw_summed(side, count, precision, &mut rng, newborn);
                    }
                }
                newborn.announce(count, &rng);
                newborn.deliver(0, entity, layer.state);
                newborn.clear();
            }
        }
        if !diagonal {
            common.refresh(entity, &layers[0].state.features);
        }
    }
    for layer in layers {
        layer.state.features.compact(order);
        layer.state.weights.compact(order, spare);
    }
}
