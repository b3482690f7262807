//! The non-singleton features of one node, drawn in turn from their conditionals, whatever is known of its pairs.
//! See "Rows given the augmentation" in `docs/model.md`.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::State;
use crate::random::Stream;

use super::prior::Prior;

/// What the pairs of one node say about its features.
pub(super) trait Row {
    /// What the likelihood gains if the node has feature k rather than not.
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64;
    /// The most that the likelihood may be multiplied by if the node takes feature k, which it does not have: worth knowing
    /// where it takes less work than the gain.
    #[inline(always)]
    fn most(&mut self, _k: usize, _state: &State) -> f64 {
        f64::INFINITY
    }
    /// The node takes (sign 1) or gives up (sign -1) feature k, which was that of the last gain.
    fn flip(&mut self, k: usize, sign: f64, state: &State);
    /// The features by which the likelihood may gain, whatever other features the node has, in any order; all of them if
    /// this is not known. It must not depend on the features that the node has.
    #[inline(always)]
    fn gaining(&self) -> Option<&[u32]> {
        None
    }
}

/// More than rounding may multiply a likelihood by.
const ROUNDING: f64 = 1.0 + 1e-6;

/// Reused memory, and the features that a node took and gave up.
#[derive(Debug, Default)]
pub(super) struct Draws {
    /// What was taken (true) and given up, each feature at most once.
    pub(super) changes: Vec<(u32, bool)>,
    candidates: Vec<u32>,
    others: Vec<u32>,
    /// Which features the node has, and which are candidates: true nowhere between two rows.
    has: Vec<bool>,
    candidate: Vec<bool>,
}

impl Draws {
    /// Draws every feature that the prior allows to draw: first those by which the likelihood cannot gain, then the others in
    /// random order. The state stays as it is. Returns how many were drawn given the pairs.
    ///
    /// The prior probability of a feature by which the likelihood cannot gain is the most that it can have. Those that the
    /// node does not have are proposed by the prior, all at once, and kept with the ratio of the two probabilities.
    #[inline(always)]
    pub(super) fn draw(
        &mut self,
        node: usize,
        state: &State,
        prior: &impl Prior,
        rng: &mut Stream,
        row: &mut impl Row,
    ) -> usize {
        let Self { changes, candidates, others, has, candidate } = self;
        let (slots, own) = (state.features.slots(), state.features.row(node));
        changes.clear();
        candidates.clear();
        has.resize(has.len().max(slots), false);
        for &slot in own {
            has[slot as usize] = true;
        }
        let mut drawn = 0;
        let skip = row.gaining().and_then(|gaining| Some((gaining, prior.skip()?)));
        if let Some((gaining, skip)) = skip {
            candidates.extend_from_slice(gaining);
            candidate.resize(candidate.len().max(slots), false);
            for &slot in &*candidates {
                candidate[slot as usize] = true;
            }
            others.clear();
            others.extend(own.iter().filter(|&&slot| !candidate[slot as usize]));
            skip.draw(rng, |slot| {
                if !candidate[slot] && !has[slot] {
                    others.push(slot as u32);
                }
            });
            for &slot in &*candidates {
                candidate[slot as usize] = false;
            }
            // The order is one that does not depend on which features the node has.
            others.sort_unstable();
            for &slot in &*others {
                let (k, has) = (slot as usize, has[slot as usize]);
                let Some(log_odds) = prior.log_odds(k, has) else { continue };
                let gain = row.gain(k, has, state);
                let take = if has {
                    rng.random::<f64>() * (1.0 + (-log_odds - gain).exp()) < 1.0
                } else {
                    let (gain, odds) = (gain.exp(), log_odds.exp());
                    rng.random::<f64>() * (1.0 + odds * gain) < gain * (1.0 + odds)
                };
                if take != has {
                    change(slot, take, state, row, changes);
                }
            }
            drawn += others.len();
        } else {
            candidates.extend(0..slots as u32);
        }
        candidates.retain(|&slot| prior.log_odds(slot as usize, has[slot as usize]).is_some());
        candidates.shuffle(rng);
        for &slot in &*candidates {
            let (k, has) = (slot as usize, has[slot as usize]);
            let odds = prior.odds(k, has).expect("candidates have some");
            let uniform: f64 = rng.random();
            // Most features are not taken even with the most that the likelihood may gain.
            let possible = has || uniform * (1.0 + 1.0 / (odds * row.most(k, state) * ROUNDING)) < 1.0;
            let take = possible && {
                let log_odds =
                    prior.log_odds(k, has).expect("candidates have some") + row.gain(k, has, state);
                uniform * (1.0 + (-log_odds).exp()) < 1.0
            };
            if take != has {
                change(slot, take, state, row, changes);
            }
        }
        for &slot in own {
            has[slot as usize] = false;
        }
        drawn + candidates.len()
    }
}

/// The node of a row takes or gives up the feature of the last gain.
#[inline(always)]
fn change(slot: u32, take: bool, state: &State, row: &mut impl Row, changes: &mut Vec<(u32, bool)>) {
    row.flip(slot as usize, if take { 1.0 } else { -1.0 }, state);
    changes.push((slot, take));
}

/// A node takes and gives up features.
#[inline(always)]
pub(super) fn apply(node: usize, changes: &[(u32, bool)], state: &mut State) {
    for &(slot, take) in changes {
        if take {
            state.features.insert(node, slot);
        } else {
            state.features.remove(node, slot);
        }
    }
}
