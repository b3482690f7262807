//! The shared features of one entity, drawn in turn from their conditionals, whatever is known of its pairs.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::State;
use crate::random::Stream;

/// What the pairs of one entity say about its features.
pub(super) trait Row {
    /// What the likelihood gains if the entity has feature k rather than not.
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64;
    /// The entity takes (sign 1) or gives up (sign -1) feature k, which was the last one asked for.
    fn flip(&mut self, k: usize, sign: f64, state: &State);
}

/// Draws every feature that somebody else has, in random order; returns how many changed.
#[inline(always)]
pub(super) fn draw(
    entity: usize,
    state: &mut State,
    rng: &mut Stream,
    row: &mut impl Row,
    candidates: &mut Vec<u32>,
) -> usize {
    candidates.clear();
    for (slot, &count) in state.features.counts().iter().enumerate() {
        if count > u32::from(state.features.has(entity, slot as u32)) {
            candidates.push(slot as u32);
        }
    }
    candidates.shuffle(rng);
    let entities = state.features.entities() as f64;
    let mut flips = 0;
    for &slot in candidates.iter() {
        let k = slot as usize;
        let has = state.features.has(entity, slot);
        let others = f64::from(state.features.counts()[k] - u32::from(has));
        let log_odds = (others / (entities - others)).ln() + row.gain(k, has, state);
        let take = rng.random::<f64>() * (1.0 + (-log_odds).exp()) < 1.0;
        if take != has {
            flips += 1;
            row.flip(k, if take { 1.0 } else { -1.0 }, state);
            if take {
                state.features.insert(entity, slot);
            } else {
                state.features.remove(entity, slot);
            }
        }
    }
    flips
}
