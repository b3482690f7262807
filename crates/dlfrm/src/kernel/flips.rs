//! Shared features once more, with the augmentation integrated out.
//!
//! The rates hold a row fast: given them a logit can move only a little, although the loss itself would let
//! it move far; under the hinge loss a pair that sits at its margin has a rate without bound. Here every
//! entry of Z that is shared is drawn from its conditional under the loss itself, which knows no rates. They
//! are no longer valid afterwards: the step is followed by a fresh augmentation, so that both together are
//! one blocked Gibbs step.

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

use super::shared::{self, Row};
use super::{LANES, Place, losses, wide};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    /// On pairs that start at an entity, and on those that end there, if the weights tell them apart.
    effects: [Effects; 2],
    /// Towards the targets of an entity's pairs, and towards the sources.
    sides: [Side; 2],
    candidates: Vec<u32>,
    /// The features that the entity took (1) or gave up (-1).
    changes: Vec<(u32, f64)>,
}

/// The pairs of the entity at hand in one direction.
#[derive(Debug, Default)]
struct Side {
    links: Group,
    non_links: Group,
}

/// What an entity's taking a feature adds to the logit of its pair with each other entity: a line a
/// feature, filled up to whole blocks.
#[derive(Debug, Default)]
struct Effects {
    blocks: usize,
    values: Vec<[f64; LANES]>,
}

/// Pairs with one label, filled up to whole blocks by pairs that are satisfied whatever happens.
#[derive(Debug, Default)]
struct Group {
    /// Whether all entities stand in line, so that no partners are listed.
    everybody: bool,
    partners: Vec<[u32; LANES]>,
    /// The logit of each pair towards its label.
    towards: Vec<[f64; LANES]>,
    /// How many of the last block's places are used.
    used: usize,
}

/// The logit of a pair that fills up a block.
const SATISFIED: f64 = 1e30;

/// Draws every shared entry of Z once. The rates must be drawn anew before anything else uses them.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    if state.features.slots() == 0 {
        return;
    }
    scratch.effects[0].fill(state, false);
    if state.weights.shape() == Shape::Full {
        scratch.effects[1].fill(state, true);
    }
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Flips, entity as u64);
        wide(
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
    let Scratch { effects, sides, candidates, changes } = scratch;
    let full = state.weights.shape() == Shape::Full;
    sides[0].list_outgoing(entity, pairs, state.intercept);
    sides[1].list_incoming(entity, pairs, state.intercept);
    let mut row = LossRow {
        sides,
        effects: [&effects[0], &effects[usize::from(full)]],
        settings,
        known: 0.0,
        tried: 0.0,
        changes,
    };
    for &slot in state.features.row(entity) {
        row.shift(slot as usize, 1.0);
    }
    row.known = row.log_likelihood(0, 0.0);
    shared::draw(entity, state, rng, &mut row, candidates);
    // An entity has no pair with itself: only the rows that follow see what it has taken.
    for (slot, sign) in changes.drain(..) {
        effects[0].change(entity, slot as usize, sign, state, false);
        if full {
            effects[1].change(entity, slot as usize, sign, state, true);
        }
    }
}

/// The row at hand, judged by the loss itself.
struct LossRow<'a> {
    sides: &'a mut [Side; 2],
    effects: [&'a Effects; 2],
    settings: &'a Checked,
    /// The log pseudo-likelihood as the row stands, and with the feature that was asked for last changed.
    known: f64,
    tried: f64,
    changes: &'a mut Vec<(u32, f64)>,
}

impl Row for LossRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        let sign = if has { -1.0 } else { 1.0 };
        self.tried = self.log_likelihood(k, sign);
        sign * (self.tried - self.known)
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, _: &State) {
        self.shift(k, sign);
        self.known = self.tried;
        self.changes.push((k as u32, sign));
    }
}

impl LossRow<'_> {
    /// The log pseudo-likelihood of all pairs if `sign` times the effects of a feature are added.
    #[inline(always)]
    fn log_likelihood(&self, slot: usize, sign: f64) -> f64 {
        let mut sum = 0.0;
        for (side, effects) in self.sides.iter().zip(self.effects) {
            let line = effects.line(slot);
            sum -= self.settings.cost(true) * side.links.losses(sign, line, self.settings);
            sum -= self.settings.cost(false) * side.non_links.losses(-sign, line, self.settings);
        }
        sum
    }

    /// Adds `sign` times the effects of a feature to the logits.
    #[inline(always)]
    fn shift(&mut self, slot: usize, sign: f64) {
        for (side, effects) in self.sides.iter_mut().zip(self.effects) {
            let line = effects.line(slot);
            side.links.shift(sign, line);
            side.non_links.shift(-sign, line);
        }
    }
}

impl Side {
    /// Lists the pairs that start at an entity.
    #[inline(always)]
    fn list_outgoing(&mut self, entity: usize, pairs: &Pairs, intercept: f64) {
        let range = pairs.from(entity);
        self.clear(range.len(), pairs.entities());
        for (&target, pair) in pairs.targets()[range.clone()].iter().zip(range) {
            self.add(target, pairs.label(pair), intercept);
        }
    }

    /// Lists the pairs that end at an entity.
    #[inline(always)]
    fn list_incoming(&mut self, entity: usize, pairs: &Pairs, intercept: f64) {
        let (sources, numbers) = pairs.to(entity);
        self.clear(sources.len(), pairs.entities());
        for (&source, &pair) in sources.iter().zip(numbers) {
            self.add(source, pairs.label(pair as usize), intercept);
        }
    }

    #[inline(always)]
    fn clear(&mut self, pairs: usize, entities: usize) {
        self.links.clear(None);
        self.non_links.clear((2 * pairs >= entities).then_some(entities.div_ceil(LANES)));
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, link: bool, intercept: f64) {
        if link {
            self.links.add(partner, intercept);
        } else {
            self.non_links.add(partner, -intercept);
        }
    }
}

impl Effects {
    /// `values[k][j]` = the summed weights of k with the features of j, k being the first of a weight's
    /// two features, or the second one if `transposed`.
    fn fill(&mut self, state: &State, transposed: bool) {
        self.blocks = state.features.entities().div_ceil(LANES);
        self.values.clear();
        self.values.resize(state.features.slots() * self.blocks, [0.0; LANES]);
        for entity in 0..state.features.entities() {
            for &slot in state.features.row(entity) {
                self.change(entity, slot as usize, 1.0, state, transposed);
            }
        }
    }

    /// The entity takes (sign 1) or gives up (sign -1) a feature.
    #[inline(always)]
    fn change(&mut self, entity: usize, slot: usize, sign: f64, state: &State, transposed: bool) {
        for (k, line) in self.values.chunks_exact_mut(self.blocks).enumerate() {
            let weight = if transposed { state.weights.get(slot, k) } else { state.weights.get(k, slot) };
            line[entity / LANES][entity % LANES] += sign * weight;
        }
    }

    #[inline(always)]
    fn line(&self, slot: usize) -> &[[f64; LANES]] {
        &self.values[slot * self.blocks..(slot + 1) * self.blocks]
    }
}

impl Group {
    /// Forgets all pairs; makes a line of so many blocks, if it is to have everybody.
    #[inline(always)]
    fn clear(&mut self, everybody: Option<usize>) {
        self.everybody = everybody.is_some();
        self.used = LANES;
        self.partners.clear();
        self.towards.clear();
        self.towards.resize(everybody.unwrap_or(0), [SATISFIED; LANES]);
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, towards: f64) {
        if self.everybody {
            self.towards[partner as usize / LANES][partner as usize % LANES] = towards;
            return;
        }
        if self.used == LANES {
            self.partners.push([0; LANES]);
            self.towards.push([SATISFIED; LANES]);
            self.used = 0;
        }
        let last = self.partners.len() - 1;
        self.partners[last][self.used] = partner;
        self.towards[last][self.used] = towards;
        self.used += 1;
    }

    /// The summed losses at unit cost, with `sign` times the effects added.
    #[inline(always)]
    fn losses(&self, sign: f64, effects: &[[f64; LANES]], settings: &Checked) -> f64 {
        let (loss, margin) = (settings.model.loss, settings.margin);
        if self.everybody {
            losses::total(loss, margin, self.towards.iter().zip(effects).map(|(t, e)| shifted(t, sign, e)))
        } else {
            let blocks = self.partners.iter().zip(&self.towards);
            losses::total(loss, margin, blocks.map(|(p, t)| shifted(t, sign, &pick(p, effects))))
        }
    }

    /// Adds `sign` times the effects.
    #[inline(always)]
    fn shift(&mut self, sign: f64, effects: &[[f64; LANES]]) {
        if self.everybody {
            for (towards, effects) in self.towards.iter_mut().zip(effects) {
                *towards = shifted(towards, sign, effects);
            }
        } else {
            for (partners, towards) in self.partners.iter().zip(&mut self.towards) {
                *towards = shifted(towards, sign, &pick(partners, effects));
            }
        }
    }
}

#[inline(always)]
fn shifted(towards: &[f64; LANES], sign: f64, effects: &[f64; LANES]) -> [f64; LANES] {
    std::array::from_fn(|lane| towards[lane] + sign * effects[lane])
}

/// The effects on the listed partners.
#[inline(always)]
fn pick(partners: &[u32; LANES], effects: &[[f64; LANES]]) -> [f64; LANES] {
    let effects = effects.as_flattened();
    partners.map(|partner| effects[partner as usize])
}
