//! Shared features once more, with the augmentation integrated out.
//!
//! Under the hinge loss a pair that sits at its margin has an enormous rate, and given the rates its logit
//! cannot move: the chain sticks wherever many pairs are satisfied by a hair. Here every entry of Z that
//! is shared is drawn from its conditional under the loss itself, which knows no rates. The rates are no
//! longer valid afterwards: the step is followed by a fresh augmentation, so that both together are one
//! blocked Gibbs step.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

use super::{Place, dense};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    outward: Effects,
    inward: Effects,
    ends: Ends,
    /// How the logits would change.
    steps: Vec<f64>,
    candidates: Vec<u32>,
}

/// What an entity's taking a feature adds to the logit of its pair with each other entity, a line a feature.
#[derive(Debug, Default)]
struct Effects {
    entities: usize,
    values: Vec<f64>,
}

/// The pairs of the entity at hand, those that start at it first.
#[derive(Debug, Default)]
struct Ends {
    partners: Vec<u32>,
    outgoing: usize,
    /// 1 for a link, -1 for a non-link.
    signs: Vec<f64>,
    costs: Vec<f64>,
    logits: Vec<f64>,
    /// The log pseudo-likelihood at the logits.
    known: f64,
}

/// Draws every shared entry of Z once. The rates must be drawn anew before anything else uses them.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    scratch.outward.fill(state, false);
    if state.weights.shape() == Shape::Full {
        scratch.inward.fill(state, true);
    }
    let arch = pulp::Arch::new();
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Flips, entity as u64);
        arch.dispatch(
            #[inline(always)]
            || update_row(entity, pairs, state, settings, &mut rng, scratch),
        );
    }
}

#[inline(always)]
fn update_row(
    entity: usize,
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    rng: &mut Stream,
    scratch: &mut Scratch,
) {
    let Scratch { outward, inward, ends, steps, candidates } = scratch;
    let full = state.weights.shape() == Shape::Full;
    ends.list(entity, pairs, settings);
    ends.logits.clear();
    ends.logits.resize(ends.partners.len(), state.intercept);
    for &slot in state.features.row(entity) {
        ends.steps(slot as usize, 1.0, outward, if full { inward } else { outward }, steps);
        dense::add_scaled(&mut ends.logits, 1.0, steps);
    }
    ends.known = ends.log_likelihood(None, settings);

    candidates.clear();
    for (slot, &count) in state.features.counts().iter().enumerate() {
        if count > u32::from(state.features.has(entity, slot as u32)) {
            candidates.push(slot as u32);
        }
    }
    candidates.shuffle(rng);
    let entities = pairs.entities() as f64;
    for &slot in candidates.iter() {
        let has = state.features.has(entity, slot);
        let others = f64::from(state.features.counts()[slot as usize] - u32::from(has));
        let sign = if has { -1.0 } else { 1.0 };
        ends.steps(slot as usize, sign, outward, if full { inward } else { outward }, steps);
        let changed = ends.log_likelihood(Some(steps), settings);
        let log_odds = (others / (entities - others)).ln() + sign * (changed - ends.known);
        let take = rng.random::<f64>() * (1.0 + (-log_odds).exp()) < 1.0;
        if take == has {
            continue;
        }
        if take {
            state.features.insert(entity, slot);
        } else {
            state.features.remove(entity, slot);
        }
        dense::add_scaled(&mut ends.logits, 1.0, steps);
        ends.known = changed;
        outward.change(entity, slot as usize, sign, state, false);
        if full {
            inward.change(entity, slot as usize, sign, state, true);
        }
    }
}

impl Effects {
    /// `values[k][j]` = the summed weights of k with the features of j, k being the first of a weight's
    /// two features, or the second one if `transposed`.
    fn fill(&mut self, state: &State, transposed: bool) {
        self.entities = state.features.entities();
        self.values.clear();
        self.values.resize(state.features.slots() * self.entities, 0.0);
        for entity in 0..self.entities {
            for &slot in state.features.row(entity) {
                self.change(entity, slot as usize, 1.0, state, transposed);
            }
        }
    }

    /// The entity takes (sign 1) or gives up (sign -1) a feature.
    #[inline(always)]
    fn change(&mut self, entity: usize, slot: usize, sign: f64, state: &State, transposed: bool) {
        for (k, line) in self.values.chunks_exact_mut(self.entities).enumerate() {
            let weight = if transposed { state.weights.get(slot, k) } else { state.weights.get(k, slot) };
            line[entity] += sign * weight;
        }
    }

    #[inline(always)]
    fn line(&self, slot: usize) -> &[f64] {
        &self.values[slot * self.entities..(slot + 1) * self.entities]
    }
}

impl Ends {
    /// Lists the pairs of an entity.
    #[inline(always)]
    fn list(&mut self, entity: usize, pairs: &Pairs, settings: &Checked) {
        self.partners.clear();
        self.signs.clear();
        self.costs.clear();
        let range = pairs.from(entity);
        let (sources, numbers) = pairs.to(entity);
        self.outgoing = range.len();
        self.partners.extend_from_slice(&pairs.targets()[range.clone()]);
        self.partners.extend_from_slice(sources);
        for pair in range.chain(numbers.iter().map(|&number| number as usize)) {
            let link = pairs.label(pair);
            self.signs.push(if link { 1.0 } else { -1.0 });
            self.costs.push(settings.cost(link));
        }
    }

    /// How the logits change if the entity takes (sign 1) or gives up (sign -1) a feature.
    #[inline(always)]
    fn steps(&self, slot: usize, sign: f64, outward: &Effects, inward: &Effects, steps: &mut Vec<f64>) {
        steps.clear();
        let (outgoing, incoming) = self.partners.split_at(self.outgoing);
        let line = outward.line(slot);
        steps.extend(outgoing.iter().map(|&partner| sign * line[partner as usize]));
        let line = inward.line(slot);
        steps.extend(incoming.iter().map(|&partner| sign * line[partner as usize]));
    }

    /// The log pseudo-likelihood of the pairs at the logits, changed by `steps` if given.
    #[inline(always)]
    fn log_likelihood(&self, steps: Option<&[f64]>, settings: &Checked) -> f64 {
        let count = self.partners.len();
        let (signs, costs, logits) = (&self.signs[..count], &self.costs[..count], &self.logits[..count]);
        let at = |index: usize| match steps {
            Some(steps) => signs[index] * (logits[index] + steps[index]),
            None => signs[index] * logits[index],
        };
        // Eight independent sums: they vectorise under the hinge loss, which has no branch.
        let mut sums = [0.0; 8];
        let loss = settings.model.loss;
        let term = |index: usize| loss.log_likelihood(true, at(index), costs[index], settings.margin);
        let whole = count / 8 * 8;
        for start in (0..whole).step_by(8) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum += term(start + lane);
            }
        }
        for index in whole..count {
            sums[0] += term(index);
        }
        sums.iter().sum()
    }
}
