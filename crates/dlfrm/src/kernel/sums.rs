//! What the pairs of one entity say about its features: a quadratic form over the partners' features.

use crate::model::{Checked, State};
use crate::network::Pairs;

use super::common::Common;
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
    /// The pairs of the side: partner, rate and pull (what the intercept explains taken off).
    partners: Vec<u32>,
    rates: Vec<f64>,
    pulls: Vec<f64>,
    /// The sums over common features.
    common_square: Vec<f64>,
    common_linear: Vec<f64>,
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

    /// Gathers one side of one entity. `common` has every row of Z as it is now.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        side: Side,
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &Checked,
        common: &Common,
    ) {
        self.list(side, entity, pairs, state, settings);
        self.lay_out(state);
        if self.everything {
            self.add_common(common);
            self.add_rare(common.columns() as u32, state);
        } else {
            self.add_supported(state);
        }
        let width = self.width();
        dense::mirror(&mut self.quadratic, width);
    }

    /// Lists the pairs of one side.
    #[inline(always)]
    fn list(&mut self, side: Side, entity: usize, pairs: &Pairs, state: &State, settings: &Checked) {
        self.partners.clear();
        self.rates.clear();
        self.pulls.clear();
        let pull = |pair: usize, rate: f64| {
            let link = pairs.label(pair);
            settings.model.loss.pull(link, rate, settings.cost(link), settings.margin)
                - rate * state.intercept
        };
        if side != Side::In {
            let range = pairs.from(entity);
            self.partners.extend_from_slice(&pairs.targets()[range.clone()]);
            self.rates.extend_from_slice(&state.rates[range.clone()]);
            self.pulls.extend(range.map(|pair| pull(pair, state.rates[pair])));
        }
        if side != Side::Out {
            let (sources, numbers) = pairs.to(entity);
            self.partners.extend_from_slice(sources);
            self.rates.extend(numbers.iter().map(|&pair| state.rates[pair as usize]));
            self.pulls.extend(numbers.iter().map(|&pair| pull(pair as usize, state.rates[pair as usize])));
        }
    }

    /// Chooses the support. With many partners every slot is in it, and no renumbering is needed.
    #[inline(always)]
    fn lay_out(&mut self, state: &State) {
        let slots = state.features.slots();
        self.support.clear();
        self.everything = 2 * self.partners.len() >= slots;
        if self.everything {
            self.support.extend(0..slots as u32);
            self.place.clear();
            self.place.extend(0..slots as u32);
        } else {
            self.place.clear();
            self.place.resize(slots, ABSENT);
            for &partner in &self.partners {
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

    /// Adds the common features of every partner.
    #[inline(always)]
    fn add_common(&mut self, common: &Common) {
        let Self { partners, rates, pulls, common_square, common_linear, .. } = self;
        common.sums(partners, rates, pulls, common_square, common_linear);
        let (width, columns) = (self.support.len(), common.columns());
        let shown = columns.min(width);
        self.linear[..shown].copy_from_slice(&self.common_linear[..shown]);
        for k in 0..shown {
            let line = &self.common_square[k * columns..=k * columns + k];
            self.quadratic[k * width..=k * width + k].copy_from_slice(line);
        }
    }

    /// Adds the features of every partner from the first rare one on.
    #[inline(always)]
    fn add_rare(&mut self, first: u32, state: &State) {
        let width = self.support.len();
        for ((&partner, &rate), &pull) in self.partners.iter().zip(&self.rates).zip(&self.pulls) {
            let row = state.features.row(partner as usize);
            for (position, &slot) in row.iter().enumerate().rev() {
                if slot < first {
                    break;
                }
                self.linear[slot as usize] += pull;
                let quadratic = &mut self.quadratic[slot as usize * width..][..width];
                for &other in &row[..=position] {
                    quadratic[other as usize] += rate;
                }
            }
        }
    }

    /// Adds all features of every partner where the support is a part of the features.
    #[inline(always)]
    fn add_supported(&mut self, state: &State) {
        let width = self.support.len();
        for ((&partner, &rate), &pull) in self.partners.iter().zip(&self.rates).zip(&self.pulls) {
            let row = state.features.row(partner as usize);
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
}
