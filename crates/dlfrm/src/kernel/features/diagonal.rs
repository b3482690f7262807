//! A row under diagonal weights: a feature touches only the pairs whose other end has it too, so a sum and
//! a curvature for each feature say everything, and no products of features are needed.
//! See "Rows given the augmentation" in `docs/model.md`.

use crate::model::State;

use super::super::dense_columns::DenseColumns;
use super::super::incident::{Direction, Incident};
use super::super::row::Row;
use super::super::{Context, linalg};

/// What the pairs of the node at hand say about each feature.
#[derive(Debug, Default)]
pub(super) struct DiagonalRow {
    incident: Incident,
    /// What is left to explain of each pair: pull - rate * logit.
    residuals: Vec<f64>,
    /// The residuals of the pairs whose other end has each feature, summed.
    fits: Vec<f64>,
    /// Their rates, summed.
    rates: Vec<f64>,
    /// The weights of the features that the node has, zero elsewhere.
    presented: Vec<f64>,
    /// The partners that have the feature that flips, the rates of their pairs, and these summed over the
    /// partners' features.
    owners: Vec<u32>,
    owned: Vec<f64>,
    overlaps: Vec<f64>,
}

impl DiagonalRow {
    /// Gathers what the pairs of a node say; `dense_columns` has every row of Z but that of the node as it
    /// stays while its features are drawn.
    #[inline(always)]
    pub(super) fn prepare<'a>(
        &'a mut self,
        node: usize,
        context: &Context<'_>,
        state: &State,
        dense_columns: &'a DenseColumns,
    ) -> impl Row + use<'a> {
        let slots = state.features.slots();
        self.incident.list(Direction::Both, node, context, state);
        let Incident { partners, rates, pulls, .. } = &self.incident;
        self.presented.clear();
        self.presented.resize(slots.max(dense_columns.columns()), 0.0);
        state.weights.add_rows(state.features.row(node), slots, &mut self.presented);
        dense_columns.weigh(partners, &self.presented, &state.features, &mut self.residuals);
        for (residual, (pull, rate)) in self.residuals.iter_mut().zip(pulls.iter().zip(rates)) {
            *residual = pull - rate * *residual;
        }
        dense_columns.all_column_sums(partners, &self.residuals, &state.features, &mut self.fits);
        dense_columns.all_column_sums(partners, rates, &state.features, &mut self.rates);
        Prepared { row: self, dense_columns }
    }
}

struct Prepared<'a> {
    row: &'a mut DiagonalRow,
    dense_columns: &'a DenseColumns,
}

impl Row for Prepared<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let weight = state.weights.diagonal()[k];
        let fit = self.row.fits[k] + (f64::from(u8::from(has)) - 0.5) * weight * self.row.rates[k];
        weight * fit
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        let DiagonalRow { incident, fits, owners, owned, overlaps, .. } = &mut *self.row;
        self.dense_columns.owners(k, &incident.partners, &incident.rates, &state.features, owners, owned);
        self.dense_columns.all_column_sums(owners, owned, &state.features, overlaps);
        linalg::add_scaled(fits, -sign * state.weights.diagonal()[k], overlaps);
    }
}
