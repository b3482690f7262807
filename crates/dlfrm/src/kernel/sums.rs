//! What the pairs of one entity say about its features: a quadratic form over the partners' features.

use crate::model::{State, ValidSettings};
use crate::network::Pairs;

use super::common::Common;
use super::incident::{Direction, Incident};
use super::{ABSENT, dense};

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
    incident: Incident,
    /// The sums over common features.
    common_square: Vec<f64>,
    common_linear: Vec<f64>,
}

impl Sums {
    /// How many features the sums run over.
    pub(super) fn width(&self) -> usize {
        self.support.len()
    }

    /// Gathers one side of one entity. `common` has every row of Z as it is now.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        direction: Direction,
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &ValidSettings,
        common: &Common,
    ) {
        self.incident.list(direction, entity, pairs, state, settings);
        self.lay_out(state);
        if self.everything {
            self.add_common(common);
            self.add_rare(common, state);
        } else {
            self.add_supported(state);
        }
        let width = self.width();
        dense::mirror(&mut self.quadratic, width);
    }

    /// |g|^2 and the trace of the quadratic form, for a row that presents these weights to the features of its partners.
    #[inline(always)]
    pub(super) fn glance(
        &mut self,
        direction: Direction,
        entity: usize,
        pairs: &Pairs,
        state: &State,
        settings: &ValidSettings,
        presented: &[f64],
    ) -> (f64, f64) {
        self.incident.list(direction, entity, pairs, state, settings);
        let residual = &mut self.linear;
        residual.clear();
        residual.resize(state.features.slots(), 0.0);
        let mut trace = 0.0;
        for (&partner, &rate, &pull) in self.incident.iter() {
            let row = state.features.row(partner as usize);
            let logit: f64 = row.iter().map(|&slot| presented[slot as usize]).sum();
            for &slot in row {
                residual[slot as usize] += pull - rate * logit;
            }
            trace += rate * row.len() as f64;
        }
        (dense::dot(residual, residual), trace)
    }

    /// Chooses the support. With many partners every slot is in it, and no renumbering is needed.
    #[inline(always)]
    fn lay_out(&mut self, state: &State) {
        let slots = state.features.slots();
        self.support.clear();
        self.everything = 2 * self.incident.partners.len() >= slots;
        if self.everything {
            self.support.extend(0..slots as u32);
            self.place.clear();
            self.place.extend(0..slots as u32);
        } else {
            self.place.clear();
            self.place.resize(slots, ABSENT);
            for &partner in &self.incident.partners {
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
        let Incident { partners, rates, pulls, .. } = &self.incident;
        common.products(partners, rates, &mut self.common_square);
        common.column_sums(partners, pulls, &mut self.common_linear);
        let (width, columns) = (self.support.len(), common.columns());
        let shown = columns.min(width);
        self.linear[..shown].copy_from_slice(&self.common_linear[..shown]);
        for k in 0..shown {
            let line = &self.common_square[k * columns..=k * columns + k];
            self.quadratic[k * width..=k * width + k].copy_from_slice(line);
        }
    }

    /// Adds the rare features of every partner, with what they share with all others.
    #[inline(always)]
    fn add_rare(&mut self, common: &Common, state: &State) {
        let width = self.support.len();
        for (&partner, &rate, &pull) in self.incident.iter() {
            let row = state.features.row(partner as usize);
            let rare = common.rare(row);
            let first = row.len() - rare.len();
            for (offset, &slot) in rare.iter().enumerate() {
                self.linear[slot as usize] += pull;
                let quadratic = &mut self.quadratic[slot as usize * width..][..width];
                for &other in &row[..=first + offset] {
                    quadratic[other as usize] += rate;
                }
            }
        }
    }

    /// Adds all features of every partner where the support is a part of the features.
    #[inline(always)]
    fn add_supported(&mut self, state: &State) {
        let width = self.support.len();
        for (&partner, &rate, &pull) in self.incident.iter() {
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
