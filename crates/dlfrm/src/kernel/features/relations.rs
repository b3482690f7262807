//! A node's singletons where relations share features: removed, and drawn again with their weights in all relations.
//! See "Relations with shared features" in `docs/model.md`.

use rand::RngExt;

use crate::model::Shape;
use crate::random::Purpose;

use super::super::dense_columns::{self, DenseColumns};
use super::super::new_features::Births;
use super::super::pending_births::{PendingBirths, log_mass};
use super::super::{RelationView, with_simd};
use super::{Info, SideScratch, full::FullRow, remove_singletons};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    work: Vec<Work>,
    births: Births,
    dense_columns: DenseColumns,
    row: Vec<u32>,
    order: Vec<u32>,
    spare: Vec<f64>,
}

#[derive(Debug, Default)]
struct Work {
    full: FullRow,
    pending: PendingBirths,
}

/// Draws the singletons of every node, and renumbers the features afterwards, so that all slots are active.
pub fn update(relations: &mut [RelationView<'_>], scratch: &mut Scratch) -> Info {
    let Scratch { work, births, dense_columns, row, order, spare } = scratch;
    let mut info = Info::default();
    work.resize_with(relations.len(), Work::default);
    let (pairs, settings) = (relations[0].context.pairs, relations[0].context.settings);
    let diagonal = relations[0].state.weights.shape() == Shape::Diagonal;
    if !diagonal {
        dense_columns.fill(&relations[0].state.features, dense_columns::Purpose::Products);
    }
    for node in 0..pairs.nodes() {
        let features = &relations[0].state.features;
        row.clear();
        row.extend(features.row(node).iter().filter(|&&slot| features.counts()[slot as usize] > 1));
        let singletons = features.row(node).len() - row.len();
        let mut rng = relations[0].context.stream(Purpose::Features, node as u64);
        let count = if diagonal {
            // They touch no pair in any relation: all that is known of them is the prior.
            crate::model::ibp::poisson(log_mass(relations[0].state).exp(), &mut rng)
        } else {
            with_simd(
                #[inline(always)]
                || {
                    for (relation, Work { full, .. }) in relations.iter().zip(&mut *work) {
                        full.gather(node, &relation.context, relation.state, dense_columns);
                        full.explain(row, relation.state);
                    }
                    let sides = relations.iter().zip(&*work).flat_map(|(relation, Work { full, .. })| {
                        let precision = relation.state.nu.between.powi(2);
                        full.sides().iter().map(move |side: &SideScratch| (side, precision))
                    });
                    let mass = log_mass(relations[0].state);
                    births.draw_count_of(rng.random(), mass, settings.max_new, &sides)
                },
            )
        };
        if singletons == 0 && count == 0 {
            continue;
        }
        info.births += count;
        info.deaths += singletons;
        for (relation, Work { full, pending }) in relations.iter_mut().zip(&mut *work) {
            // Each relation has weights of its own, from a stream of its own that the count did not use.
            let mut rng = relation.context.stream(Purpose::FeaturesOfRelations, node as u64);
            let precision = relation.state.nu.between.powi(2);
            remove_singletons(node, relation.state);
            if count > 0 {
                if !diagonal {
                    for side in full.sides() {
                        births.draw_summed(side, count, precision, &mut rng, pending);
                    }
                }
                pending.push(count, &rng);
                pending.apply(0, node, relation.state);
                pending.clear();
            }
        }
        if !diagonal {
            dense_columns.refresh(node, &relations[0].state.features);
        }
    }
    for relation in relations {
        relation.state.features.compact(order);
        relation.state.weights.compact(order, spare);
    }
    info
}
