//! The non-singleton features of one entity, drawn in turn from their conditionals, whatever is known of its pairs.
//! See "Rows given the augmentation" in `docs/model.md`.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::State;
use crate::random::Stream;

use super::prior::Prior;

/// What the pairs of one entity say about its features.
pub(super) trait Row {
    /// What the likelihood gains if the entity has feature k rather than not.
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64;
    /// The entity takes (sign 1) or gives up (sign -1) feature k, which was that of the last gain.
    fn flip(&mut self, k: usize, sign: f64, state: &State);
    /// The features that the pairs say anything about, in any order; all of them if this is not known.
    #[inline(always)]
    fn touched(&self) -> Option<&[u32]> {
        None
    }
    /// What the likelihood gains, never more than nothing, by a feature that the entity does not have and that no pair says
    /// anything about.
    #[inline(always)]
    fn untouched_gain(&self, _: usize) -> f64 {
        0.0
    }
}

/// Reused memory, and the features that an entity took and gave up.
#[derive(Debug, Default)]
pub(super) struct Draws {
    /// What was taken (true) and given up, each feature at most once.
    pub(super) changes: Vec<(u32, bool)>,
    candidates: Vec<u32>,
    /// Which features the entity has, and which are candidates: true nowhere between two rows.
    has: Vec<bool>,
    candidate: Vec<bool>,
}

impl Draws {
    /// Draws every feature that the prior allows to draw, in random order. The state stays as it is. Returns how many were
    /// drawn given the pairs; those that no pair says anything about are drawn together, and not counted.
    #[inline(always)]
    pub(super) fn draw(
        &mut self,
        entity: usize,
        state: &State,
        prior: &impl Prior,
        rng: &mut Stream,
        row: &mut impl Row,
    ) -> usize {
        let Self { changes, candidates, has, candidate } = self;
        let (slots, own) = (state.features.slots(), state.features.row(entity));
        changes.clear();
        candidates.clear();
        has.resize(has.len().max(slots), false);
        for &slot in own {
            has[slot as usize] = true;
        }
        let skip = row.touched().and_then(|touched| Some((touched, prior.skip()?)));
        if let Some((touched, skip)) = skip {
            candidate.resize(candidate.len().max(slots), false);
            for &slot in touched.iter().chain(own) {
                if !std::mem::replace(&mut candidate[slot as usize], true) {
                    candidates.push(slot);
                }
            }
            skip.draw(rng, |slot| {
                if !candidate[slot] {
                    changes.push((slot as u32, true));
                }
            });
            // What the prior gives is kept with the ratio of the two probabilities.
            changes.retain(|&(slot, _)| {
                let gain = row.untouched_gain(slot as usize).exp();
                let odds = prior.log_odds(slot as usize, false).expect("it was drawn").exp();
                gain == 1.0 || rng.random::<f64>() * (1.0 + odds * gain) < gain * (1.0 + odds)
            });
            for &slot in &*candidates {
                candidate[slot as usize] = false;
            }
        } else {
            candidates.extend(0..slots as u32);
        }
        candidates.retain(|&slot| prior.log_odds(slot as usize, has[slot as usize]).is_some());
        candidates.shuffle(rng);
        for &slot in &*candidates {
            let (k, has) = (slot as usize, has[slot as usize]);
            let prior = prior.log_odds(k, has).expect("candidates have one");
            let log_odds = prior + row.gain(k, has, state);
            let take = rng.random::<f64>() * (1.0 + (-log_odds).exp()) < 1.0;
            if take != has {
                row.flip(k, if take { 1.0 } else { -1.0 }, state);
                changes.push((slot, take));
            }
        }
        for &slot in own {
            has[slot as usize] = false;
        }
        candidates.len()
    }
}

/// An entity takes and gives up features.
#[inline(always)]
pub(super) fn apply(entity: usize, changes: &[(u32, bool)], state: &mut State) {
    for &(slot, take) in changes {
        if take {
            state.features.insert(entity, slot);
        } else {
            state.features.remove(entity, slot);
        }
    }
}
