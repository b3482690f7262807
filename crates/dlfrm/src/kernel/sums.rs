//! What the pairs of one node say about its features: a quadratic form over the partners' features.

use crate::model::State;

use super::dense_columns::DenseColumns;
use super::incident::{Direction, Incident};
use super::{ABSENT, Context, linalg};

/// The sums of one side of one node. With x the vector of weights that the node presents to the
/// features of its partners, the side contributes `linear . x - x' quadratic x / 2` to the log posterior:
/// S = sum rate z_j' z_j and t = sum (pull - rate * offset) z_j' of `docs/model.md`, "Sums over the pairs of a row".
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// The features over which the sums run, in increasing order.
    pub support: Vec<u32>,
    /// Square, row-major, as wide as the support.
    pub quadratic: Vec<f64>,
    /// As long as the support.
    pub linear: Vec<f64>,
    position: Vec<u32>,
    /// Whether every slot is in the support, so that positions are slots.
    everything: bool,
    incident: Incident,
    /// The sums over common features.
    dense_square: Vec<f64>,
    dense_linear: Vec<f64>,
}

impl Sums {
    pub(super) fn width(&self) -> usize {
        self.support.len()
    }

    /// Gathers one side of one node. `dense_columns` has every row of Z as it is now.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        direction: Direction,
        node: usize,
        context: &Context<'_>,
        state: &State,
        dense_columns: &DenseColumns,
    ) {
        self.incident.list(direction, node, context, state);
        self.lay_out(state);
        if self.everything {
            self.add_dense(dense_columns);
            self.add_rare(dense_columns, state);
        } else {
            self.add_supported(state);
        }
        let width = self.width();
        linalg::mirror(&mut self.quadratic, width);
    }

    /// |g|^2 and the trace of the quadratic form, for a row that presents these weights to the features of its partners.
    #[inline(always)]
    pub(super) fn bound_terms(
        &mut self,
        direction: Direction,
        node: usize,
        context: &Context<'_>,
        state: &State,
        presented: &[f64],
    ) -> (f64, f64) {
        self.incident.list(direction, node, context, state);
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
        (linalg::dot(residual, residual), trace)
    }

    /// Chooses the support. With many partners every slot is in it, and no renumbering is needed.
    #[inline(always)]
    fn lay_out(&mut self, state: &State) {
        let slots = state.features.slots();
        self.support.clear();
        self.everything = 2 * self.incident.partners.len() >= slots;
        if self.everything {
            self.support.extend(0..slots as u32);
            self.position.clear();
            self.position.extend(0..slots as u32);
        } else {
            self.position.clear();
            self.position.resize(slots, ABSENT);
            for &partner in &self.incident.partners {
                for &slot in state.features.row(partner as usize) {
                    if self.position[slot as usize] == ABSENT {
                        self.position[slot as usize] = 0;
                        self.support.push(slot);
                    }
                }
            }
            self.support.sort_unstable();
            for (position, &slot) in self.support.iter().enumerate() {
                self.position[slot as usize] = position as u32;
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
    fn add_dense(&mut self, dense_columns: &DenseColumns) {
        let Incident { partners, rates, pulls, .. } = &self.incident;
        dense_columns.products(partners, rates, &mut self.dense_square);
        dense_columns.column_sums(partners, pulls, &mut self.dense_linear);
        let (width, columns) = (self.support.len(), dense_columns.columns());
        let shown = columns.min(width);
        self.linear[..shown].copy_from_slice(&self.dense_linear[..shown]);
        for k in 0..shown {
            let line = &self.dense_square[k * columns..=k * columns + k];
            self.quadratic[k * width..=k * width + k].copy_from_slice(line);
        }
    }

    /// Adds the rare features of every partner, with their products with all others.
    #[inline(always)]
    fn add_rare(&mut self, dense_columns: &DenseColumns, state: &State) {
        let width = self.support.len();
        for (&partner, &rate, &pull) in self.incident.iter() {
            let row = state.features.row(partner as usize);
            let rare = dense_columns.rare(row);
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
                let line = self.position[slot as usize] as usize;
                self.linear[line] += pull;
                let quadratic = &mut self.quadratic[line * width..(line + 1) * width];
                for &other in &row[..=position] {
                    quadratic[self.position[other as usize] as usize] += rate;
                }
            }
        }
    }
}
