//! Shared features once more, with the augmentation integrated out.
//!
//! Under the hinge loss a pair that sits at its margin has an enormous rate, and given the rates its logit
//! cannot move: the chain sticks wherever many pairs are satisfied by a hair. Here every entry of Z that
//! is shared is drawn from its conditional under the loss itself, which knows no rates. The rates are no
//! longer valid afterwards: the step is followed by a fresh augmentation, so that both together are one
//! blocked Gibbs step. It costs features x pairs, where the augmented step costs sums.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, stream};

use super::Place;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    ends: Vec<End>,
    /// How many of `ends` are pairs that start at the entity.
    outgoing: usize,
    steps: Vec<f64>,
    column: Vec<f64>,
    sums: Vec<f64>,
    candidates: Vec<u32>,
}

/// The far end of a pair of the entity at hand.
#[derive(Debug, Clone, Copy)]
struct End {
    partner: u32,
    link: bool,
    logit: f64,
}

/// Draws every shared entry of Z once. The rates must be drawn anew before anything else uses them.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    let entities = pairs.entities() as f64;
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Flips, entity as u64);
        scratch.gather(entity, pairs, state);
        scratch.candidates.clear();
        for (slot, &count) in state.features.counts().iter().enumerate() {
            if count > u32::from(state.features.has(entity, slot as u32)) {
                scratch.candidates.push(slot as u32);
            }
        }
        scratch.candidates.shuffle(&mut rng);
        for position in 0..scratch.candidates.len() {
            let slot = scratch.candidates[position];
            let has = state.features.has(entity, slot);
            let others = f64::from(state.features.counts()[slot as usize] - u32::from(has));
            let gain = scratch.try_step(slot as usize, if has { -1.0 } else { 1.0 }, state, settings);
            let log_odds = (others / (entities - others)).ln() + if has { -gain } else { gain };
            let take = rng.random::<f64>() * (1.0 + (-log_odds).exp()) < 1.0;
            if take == has {
                continue;
            }
            if take {
                state.features.insert(entity, slot);
            } else {
                state.features.remove(entity, slot);
            }
            for (end, step) in scratch.ends.iter_mut().zip(&scratch.steps) {
                end.logit += step;
            }
        }
    }
}

impl Scratch {
    /// Lists the pairs of an entity with their logits.
    fn gather(&mut self, entity: usize, pairs: &Pairs, state: &State) {
        let slots = state.features.slots();
        self.sums.resize(self.sums.len().max(slots), 0.0);
        self.ends.clear();
        state.weights.add_rows(state.features.row(entity), slots, &mut self.sums);
        for pair in pairs.from(entity) {
            let partner = pairs.targets()[pair];
            let logit = state.intercept + along(&self.sums, state.features.row(partner as usize));
            self.ends.push(End { partner, link: pairs.label(pair), logit });
        }
        self.outgoing = self.ends.len();
        if state.weights.shape() == Shape::Full {
            self.sums[..slots].fill(0.0);
            for (l, sum) in self.sums[..slots].iter_mut().enumerate() {
                let row = state.weights.row(l);
                for &k in state.features.row(entity) {
                    *sum += row[k as usize];
                }
            }
        }
        let (sources, numbers) = pairs.to(entity);
        for (&partner, &pair) in sources.iter().zip(numbers) {
            let logit = state.intercept + along(&self.sums, state.features.row(partner as usize));
            self.ends.push(End { partner, link: pairs.label(pair as usize), logit });
        }
    }

    /// What the log pseudo-likelihood gains if the entity takes (sign 1) or gives up (sign -1) a feature.
    /// The changes of the logits stay in `steps`.
    fn try_step(&mut self, k: usize, sign: f64, state: &State, settings: &Checked) -> f64 {
        self.steps.clear();
        let (outgoing, incoming) = self.ends.split_at(self.outgoing);
        if state.weights.shape() == Shape::Diagonal {
            let step = sign * state.weights.diagonal()[k];
            self.steps.extend(
                self.ends
                    .iter()
                    .map(|end| if state.features.has(end.partner as usize, k as u32) { step } else { 0.0 }),
            );
        } else {
            let row = state.weights.row(k);
            for end in outgoing {
                self.steps.push(sign * along(row, state.features.row(end.partner as usize)));
            }
            self.column.clear();
            if state.weights.shape() == Shape::Full {
                self.column.extend((0..state.features.slots()).map(|l| state.weights.row(l)[k]));
            } else {
                self.column.extend_from_slice(row);
            }
            for end in incoming {
                self.steps.push(sign * along(&self.column, state.features.row(end.partner as usize)));
            }
        }
        let mut gain = 0.0;
        for (end, &step) in self.ends.iter().zip(&self.steps) {
            if step != 0.0 {
                let cost = settings.cost(end.link);
                let likelihood =
                    |logit| settings.model.loss.log_likelihood(end.link, logit, cost, settings.margin);
                gain += likelihood(end.logit + step) - likelihood(end.logit);
            }
        }
        gain
    }
}

/// The sum of the weights of the features in a row.
#[inline]
fn along(weights: &[f64], row: &[u32]) -> f64 {
    row.iter().map(|&slot| weights[slot as usize]).sum()
}
