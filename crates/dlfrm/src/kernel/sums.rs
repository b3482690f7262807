//! What the pairs of one entity say about its features: a quadratic form over the partners' features.

use crate::model::{Checked, State};
use crate::network::Pairs;

use super::dense;

/// Which pairs of an entity are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The pairs that start at the entity.
    Out,
    /// The pairs that end at the entity.
    In,
    /// All of them: the weights do not tell the ends apart.
    Both,
}

/// The place of a feature outside the support.
const ABSENT: u32 = u32::MAX;

/// The sums of one side of one entity. With x the vector of weights that the entity presents to the
/// features of its partners, the side contributes `linear . x - x' quadratic x / 2` to the log posterior
/// (S and t of the design: S = sum rate z_j' z_j, t = sum (pull - rate * offset) z_j').
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// The features over which the sums run, in increasing order.
    pub support: Vec<u32>,
    /// Square, row-major, as wide as the support.
    pub quadratic: Vec<f64>,
    /// As long as the support.
    pub linear: Vec<f64>,
    place: Vec<u32>,
    /// Whether every slot is in the support, so that places are slots.
    everything: bool,
}

impl Sums {
    /// How many features the sums run over.
    pub(super) fn width(&self) -> usize {
        self.support.len()
    }

    /// Where a feature stands in the support.
    #[inline(always)]
    pub(super) fn place_of(&self, slot: usize) -> Option<usize> {
        self.place.get(slot).filter(|&&place| place != ABSENT).map(|&place| place as usize)
    }

    /// Gathers one side of one entity.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        side: Side,
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &Checked,
    ) {
        let from = pairs.from(entity);
        let (sources, numbers) = pairs.to(entity);
        let (out, back) = match side {
            Side::Out => (true, false),
            Side::In => (false, true),
            Side::Both => (true, true),
        };
        let partners = if out { from.len() } else { 0 } + if back { sources.len() } else { 0 };
        let targets = &pairs.targets()[from.clone()];
        let everyone = if out { targets } else { &[] }.iter().chain(if back { sources } else { &[] });
        self.lay_out(everyone, partners, state);

        if out {
            for (&target, pair) in targets.iter().zip(from) {
                self.add(target as usize, pair, pairs, state, settings);
            }
        }
        if back {
            for (&source, &pair) in sources.iter().zip(numbers) {
                self.add(source as usize, pair as usize, pairs, state, settings);
            }
        }
        let width = self.width();
        dense::mirror(&mut self.quadratic, width);
    }

    /// Chooses the support. With many partners every slot is in it, and no renumbering is needed.
    #[inline(always)]
    fn lay_out<'a>(&mut self, partners: impl Iterator<Item = &'a u32>, count: usize, state: &State) {
        let slots = state.features.slots();
        self.support.clear();
        self.everything = 2 * count >= slots;
        if self.everything {
            self.support.extend(0..slots as u32);
            self.place.clear();
            self.place.extend(0..slots as u32);
        } else {
            self.place.clear();
            self.place.resize(slots, ABSENT);
            for &partner in partners {
                for &slot in state.features.row(partner as usize) {
                    if self.place[slot as usize] == ABSENT {
                        self.place[slot as usize] = 0;
                        self.support.push(slot);
                    }
                }
            }
            self.support.sort_unstable();
            for (place, &slot) in self.support.iter().enumerate() {
                self.place[slot as usize] = place as u32;
            }
        }
        let width = self.support.len();
        self.linear.clear();
        self.linear.resize(width, 0.0);
        self.quadratic.clear();
        self.quadratic.resize(width * width, 0.0);
    }

    #[inline(always)]
    fn add(&mut self, partner: usize, pair: usize, pairs: &Pairs, state: &State, settings: &Checked) {
        let row = state.features.row(partner);
        if row.is_empty() {
            return;
        }
        let rate = state.rates[pair];
        let link = pairs.label(pair);
        let pull = settings.model.loss.pull(link, rate, settings.cost(link), settings.margin)
            - rate * state.intercept;
        let width = self.support.len();
        if self.everything {
            for (position, &slot) in row.iter().enumerate() {
                let place = slot as usize;
                self.linear[place] += pull;
                let quadratic = &mut self.quadratic[place * width..(place + 1) * width];
                for &other in &row[..=position] {
                    quadratic[other as usize] += rate;
                }
            }
            return;
        }
        for (position, &slot) in row.iter().enumerate() {
            let place = self.place[slot as usize] as usize;
            self.linear[place] += pull;
            let quadratic = &mut self.quadratic[place * width..(place + 1) * width];
            for &other in &row[..=position] {
                quadratic[self.place[other as usize] as usize] += rate;
            }
        }
    }
}
