//! Shared features once more, with the augmentation integrated out.
//!
//! The rates hold a row fast: given them a logit can move only a little, although the loss itself would let
//! it move far; under the hinge loss a pair that sits at its margin has a rate without bound. Here every
//! entry of Z that is shared is drawn from its conditional under the loss itself, which knows no rates. They
//! are no longer valid afterwards: the step is followed by a fresh augmentation, so that both together are
//! one blocked Gibbs step.
//!
//! What a feature does to the pairs of an entity is known in one of two ways. With full or symmetric weights
//! it touches nearly all of them, and has a line of effects on everybody (`effects.rs`). With diagonal weights
//! it touches only those whose other end has it too: if these are few, they are listed (`places.rs`) and the
//! others are not looked at.

mod effects;
mod group;
mod places;
mod side;

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, stream};

use super::shared::{self, Row};
use super::{Place, wide};

use effects::Effects;
use places::Places;
use side::{Direction, Side};

/// A feature with diagonal weights has a line if so large a share of the entities have it, in a dense network. In a
/// sparse one a line is read here and there, which costs more than a list.
const POPULAR: f64 = 0.25;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Pairs that start at an entity and pairs that end there; all in the first one, if the weights do not
    /// tell them apart.
    ends: [End; 2],
    /// Whether most pairs of entities are observed, so that entities stand in lines.
    dense: bool,
    /// How many features have lines: these are the first ones.
    lines: usize,
    /// The owners of the other features.
    owners: Places,
    /// The features that the entity at hand took (1) or gave up (-1).
    changes: Vec<(u32, f64)>,
    candidates: Vec<u32>,
}

#[derive(Debug, Default)]
struct End {
    effects: Effects,
    side: Side,
    /// The places of the features without lines among the links and among the non-links, if these are listed.
    links: Places,
    non_links: Places,
}

/// Draws every shared entry of Z once. The rates must be drawn anew before anything else uses them.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, scratch: &mut Scratch) {
    if state.features.slots() == 0 {
        return;
    }
    scratch.fill(pairs, state, settings);
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Flips, entity as u64);
        wide(
            #[inline(always)]
            || {
                let mut candidates = std::mem::take(&mut scratch.candidates);
                let mut row = LossRow::prepare(entity, pairs, state, settings, scratch);
                shared::draw(entity, state, &mut rng, &mut row, &mut candidates);
                scratch.candidates = candidates;
                scratch.take_over_changes(entity, state);
            },
        );
    }
}

/// The places of the non-links: those of this row, or, if everybody stands in line, the owners.
#[inline(always)]
fn listed<'a>(side: &Side, of_row: &'a Places, owners: &'a Places) -> &'a Places {
    if side.non_links.everybody() { owners } else { of_row }
}

/// How many ends the weights tell apart.
fn ends(state: &State) -> usize {
    if state.weights.shape() == Shape::Full { 2 } else { 1 }
}

impl Scratch {
    fn fill(&mut self, pairs: &Pairs, state: &State, settings: &Checked) {
        let features = &state.features;
        let (entities, slots) = (features.entities() as f64, features.slots());
        let directions = if pairs.symmetric() { 2.0 } else { 1.0 };
        self.dense = 2.0 * directions * pairs.len() as f64 >= entities * entities;
        self.lines = if state.weights.shape() != Shape::Diagonal {
            slots
        } else if self.dense {
            features.counts().iter().take_while(|&&count| f64::from(count) >= POPULAR * entities).count()
        } else {
            0
        };
        for (end, transposed) in self.ends[..ends(state)].iter_mut().zip([false, true]) {
            end.effects.fill(self.lines, state, settings.model.loss, transposed);
        }
        // Without lines nobody asks for the owners.
        let owners = if self.dense { features.entities() } else { 0 };
        self.owners.clear(if self.dense { self.lines } else { slots }, slots, owners);
        for entity in 0..owners {
            for &slot in features.row(entity) {
                self.owners.add(entity, slot as usize);
            }
        }
    }

    /// An entity has no pair with itself: only the rows that follow see what it took and gave up.
    #[inline(always)]
    fn take_over_changes(&mut self, entity: usize, state: &State) {
        for (slot, sign) in self.changes.drain(..) {
            let slot = slot as usize;
            for (end, transposed) in self.ends[..ends(state)].iter_mut().zip([false, true]) {
                end.effects.change(entity, slot, sign, state, transposed);
            }
            if sign > 0.0 {
                self.owners.add(entity, slot);
            } else {
                self.owners.remove(entity, slot);
            }
        }
    }
}

/// The row at hand, judged by the loss itself.
struct LossRow<'a> {
    ends: &'a mut [End],
    lines: usize,
    owners: &'a Places,
    settings: &'a Checked,
    /// The log pseudo-likelihood as the row stands, and with the feature that was asked for last changed.
    known: f64,
    tried: f64,
    changes: &'a mut Vec<(u32, f64)>,
}

impl Row for LossRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let sign = if has { -1.0 } else { 1.0 };
        self.tried = if k < self.lines {
            self.log_likelihood(k, sign)
        } else {
            self.known - self.more_loss(k, sign * state.weights.diagonal()[k])
        };
        sign * (self.tried - self.known)
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        self.shift(k, sign, state);
        self.find_odds();
        self.known = self.tried;
        self.changes.push((k as u32, sign));
    }
}

impl<'a> LossRow<'a> {
    /// Gathers the pairs of an entity.
    #[inline(always)]
    fn prepare(
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &'a Checked,
        scratch: &'a mut Scratch,
    ) -> Self {
        let Scratch { ends, dense, lines, owners, changes, .. } = scratch;
        let (ends, slots) = (&mut ends[..self::ends(state)], state.features.slots());
        let directions = if ends.len() == 2 { [Direction::Out, Direction::In] } else { [Direction::Both; 2] };
        for (end, direction) in ends.iter_mut().zip(directions) {
            end.side.list(entity, direction, pairs, state.intercept, *dense);
            for (places, group) in
                [(&mut end.links, &end.side.links), (&mut end.non_links, &end.side.non_links)]
            {
                if *lines < slots && !group.everybody() {
                    places.clear(*lines, slots, group.partners().len());
                    for (place, &partner) in group.partners().iter().enumerate() {
                        for &slot in state.features.row(partner as usize) {
                            places.add(place, slot as usize);
                        }
                    }
                }
            }
        }
        let mut row = Self { ends, lines: *lines, owners, settings, known: 0.0, tried: 0.0, changes };
        for &slot in state.features.row(entity) {
            row.shift(slot as usize, 1.0, state);
        }
        row.find_odds();
        for End { side, .. } in &*row.ends {
            row.known -= settings.cost(true) * side.links.losses(settings)
                + settings.cost(false) * side.non_links.losses(settings);
        }
        row
    }

    /// The log pseudo-likelihood of all pairs, with the effects of a feature added (sign 1) or taken away (-1).
    #[inline(always)]
    fn log_likelihood(&self, slot: usize, sign: f64) -> f64 {
        let mut sum = 0.0;
        for End { effects, side, .. } in &*self.ends {
            let line = effects.line(slot);
            sum -= self.settings.cost(true) * side.links.losses_with(line, sign, self.settings);
            sum -= self.settings.cost(false) * side.non_links.losses_with(line, -sign, self.settings);
        }
        sum
    }

    /// What the losses grow by, if the logits of all pairs whose other end has a feature take a step.
    #[inline(always)]
    fn more_loss(&self, slot: usize, step: f64) -> f64 {
        let mut sum = 0.0;
        for End { side, links, non_links, .. } in &*self.ends {
            let non_links = listed(side, non_links, self.owners);
            sum += self.settings.cost(true) * side.links.more_loss(links.of(slot), step, self.settings);
            sum += self.settings.cost(false)
                * side.non_links.more_loss(non_links.of(slot), -step, self.settings);
        }
        sum
    }

    /// Adds the effects of a feature to the logits, or takes them away.
    #[inline(always)]
    fn shift(&mut self, slot: usize, sign: f64, state: &State) {
        for End { effects, side, links, non_links } in &mut *self.ends {
            if slot < self.lines {
                let line = effects.line(slot);
                side.links.shift(line, sign);
                side.non_links.shift(line, -sign);
            } else {
                let step = sign * state.weights.diagonal()[slot];
                let non_links = listed(side, non_links, self.owners);
                side.links.step(links.of(slot), step);
                side.non_links.step(non_links.of(slot), -step);
            }
        }
    }

    #[inline(always)]
    fn find_odds(&mut self) {
        for End { side, .. } in &mut *self.ends {
            side.links.find_odds(self.settings.model.loss);
            side.non_links.find_odds(self.settings.model.loss);
        }
    }
}

#[cfg(test)]
mod tests;
