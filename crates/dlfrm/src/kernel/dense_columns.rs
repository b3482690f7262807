//! The features that many nodes have, as a dense table. See "Sums over the pairs of a row" in `docs/model.md`.
//!
//! Where many rows have many features, a dense product with its accumulators in registers is several times faster than
//! scattered additions. The table holds zeros and ones: every product is exact and every sum runs in the order of the
//! partners, so its bits do not depend on the width of the machine's vectors.

use crate::model::Features;

use super::table_sums::{column_sums, products};
use super::{LANES, linalg};

/// What a scattered addition costs, in multiply-adds of a whole block of columns.
const SCATTER: f64 = 6.0;

/// What the table is used for: products of features cost its width squared, sums its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Products,
    Sums,
}

/// The first columns of Z as a dense table.
#[derive(Debug, Default)]
pub(super) struct DenseColumns {
    /// The number of columns, a multiple of [`LANES`] and possibly more than there are features.
    columns: usize,
    table: Vec<f64>,
}

impl DenseColumns {
    /// Chooses the columns and fills the table. A block of columns is worth having if what it spares,
    /// scattered additions, costs more than the arithmetic that it adds.
    pub(super) fn fill(&mut self, features: &Features, purpose: Purpose) {
        let nodes = features.nodes() as f64;
        let row = features.counts().iter().map(|&count| f64::from(count)).sum::<f64>() / nodes;
        self.columns = 0;
        for block in features.counts().chunks(LANES) {
            let share = block.iter().map(|&count| f64::from(count)).sum::<f64>() / nodes;
            let (spared, added) = match purpose {
                Purpose::Products => (SCATTER * share * row, (self.columns + LANES) as f64),
                Purpose::Sums => (SCATTER * share, 1.0),
            };
            if spared < added {
                break;
            }
            self.columns += LANES;
        }
        self.table.clear();
        self.table.resize(features.nodes() * self.columns, 0.0);
        for node in 0..features.nodes() {
            self.refresh(node, features);
        }
    }

    /// Takes over a row that has changed.
    pub(super) fn refresh(&mut self, node: usize, features: &Features) {
        let line = &mut self.table[node * self.columns..(node + 1) * self.columns];
        line.fill(0.0);
        for &slot in features.row(node) {
            match line.get_mut(slot as usize) {
                Some(entry) => *entry = 1.0,
                None => break,
            }
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    #[inline(always)]
    pub(super) fn line(&self, node: usize) -> &[f64] {
        &self.table[node * self.columns..(node + 1) * self.columns]
    }

    /// The sum of the partners' rows times themselves and their rates (the lower triangle, at least).
    pub(super) fn products(&self, partners: &[u32], rates: &[f64], square: &mut Vec<f64>) {
        square.clear();
        square.resize(self.columns * self.columns, 0.0);
        products(&self.table, self.columns, partners, rates, square);
    }

    pub(super) fn column_sums(&self, partners: &[u32], values: &[f64], sums: &mut Vec<f64>) {
        sums.clear();
        sums.resize(self.columns, 0.0);
        column_sums(&self.table, self.columns, partners, values, sums);
    }

    /// The same over all features.
    #[inline(always)]
    pub(super) fn all_column_sums(
        &self,
        partners: &[u32],
        values: &[f64],
        features: &Features,
        sums: &mut Vec<f64>,
    ) {
        self.column_sums(partners, values, sums);
        if self.columns >= features.slots() {
            return;
        }
        sums.resize(features.slots(), 0.0);
        for (&partner, &value) in partners.iter().zip(values) {
            for &slot in self.rare(features.row(partner as usize)) {
                sums[slot as usize] += value;
            }
        }
    }

    /// The sum of each partner's weights, where `weights` has at least as many entries as the table has
    /// columns and as there are features.
    #[inline(always)]
    pub(super) fn weigh(&self, partners: &[u32], weights: &[f64], features: &Features, sums: &mut Vec<f64>) {
        sums.clear();
        let known = &weights[..self.columns];
        sums.extend(partners.iter().map(|&partner| linalg::dot(self.line(partner as usize), known)));
        if self.columns >= features.slots() {
            return;
        }
        for (sum, &partner) in sums.iter_mut().zip(partners) {
            for &slot in self.rare(features.row(partner as usize)) {
                *sum += weights[slot as usize];
            }
        }
    }

    #[inline(always)]
    pub(super) fn owners(
        &self,
        slot: usize,
        partners: &[u32],
        values: &[f64],
        features: &Features,
        owners: &mut Vec<u32>,
        owned: &mut Vec<f64>,
    ) {
        // Written everywhere and kept where wanted: whether a partner is an owner is hard to foresee.
        owners.resize(partners.len(), 0);
        owned.resize(partners.len(), 0.0);
        let mut count = 0;
        for (&partner, &value) in partners.iter().zip(values) {
            let has = match self.line(partner as usize).get(slot) {
                Some(&entry) => entry != 0.0,
                None => features.has(partner as usize, slot as u32),
            };
            owners[count] = partner;
            owned[count] = value;
            count += usize::from(has);
        }
        owners.truncate(count);
        owned.truncate(count);
    }

    /// The features of a row that are not in the table.
    #[inline(always)]
    pub(super) fn rare<'a>(&self, row: &'a [u32]) -> &'a [u32] {
        let mut first = row.len();
        while first > 0 && row[first - 1] as usize >= self.columns {
            first -= 1;
        }
        &row[first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_the_rare_features_make_the_whole() {
        let rows: Vec<Vec<u32>> = (0..40_u32)
            .map(|node| (0..29).filter(|slot| (node * 7 + slot * slot) % (2 + slot / 2) == 0).collect())
            .collect();
        let mut features = Features::from_rows(&rows, 29);
        features.compact(&mut Vec::new());
        let mut dense_columns = DenseColumns::default();
        dense_columns.fill(&features, Purpose::Products);
        let slots = features.slots();
        assert!(
            dense_columns.columns() > 0 && dense_columns.columns() < slots,
            "{} of {slots}",
            dense_columns.columns()
        );

        let partners: Vec<u32> = (0..40).filter(|node| node % 3 != 1).collect();
        let values: Vec<f64> = partners.iter().map(|&node| f64::from(node).sin()).collect();
        let (mut square, mut sums, mut weighed) = (vec![], vec![], vec![]);
        let (mut owners, mut owned) = (vec![], vec![]);
        dense_columns.products(&partners, &values, &mut square);
        dense_columns.all_column_sums(&partners, &values, &features, &mut sums);
        let weights: Vec<f64> =
            (0..slots.max(dense_columns.columns())).map(|slot| (slot as f64).cos()).collect();
        dense_columns.weigh(&partners, &weights, &features, &mut weighed);
        let has = |node: u32, slot: usize| f64::from(u8::from(features.has(node as usize, slot as u32)));
        for k in 0..slots {
            dense_columns.owners(k, &partners, &values, &features, &mut owners, &mut owned);
            assert!(owners.iter().all(|&owner| has(owner, k) == 1.0));
            let sum: f64 =
                partners.iter().zip(&values).map(|(&partner, value)| value * has(partner, k)).sum();
            assert!((sum - sums[k]).abs() < 1e-12);
            assert!((sum - owned.iter().sum::<f64>()).abs() < 1e-12);
            for l in 0..=k.min(dense_columns.columns() - 1) {
                let both = |(&partner, value): (&u32, &f64)| value * has(partner, k) * has(partner, l);
                let product: f64 = partners.iter().zip(&values).map(both).sum();
                assert!(
                    k >= dense_columns.columns()
                        || (product - square[k * dense_columns.columns() + l]).abs() < 1e-12
                );
            }
        }
        for (&partner, weighed) in partners.iter().zip(&weighed) {
            let sum: f64 = (0..slots).map(|slot| has(partner, slot) * weights[slot]).sum();
            assert!((sum - weighed).abs() < 1e-12);
        }
    }
}
