//! What each group of covariates adds to a logit beyond the groups before it.
//!
//! Covariates of the links around a pair overlap: nodes with many links have many common neighbours, and these make many
//! longer paths. Their coefficients may cancel each other, and only the sum is known well. So each column is replaced by what
//! the columns before it do not say of it, which keeps the sum, and leaves the groups of columns uncorrelated. See "Reasons" in
//! `docs/model.md`.

use crate::covariates::Covariates;
use crate::kernel::linalg;

use super::PartKind;

/// Added to the variance of each standardised column, so that a column that others make up is left to those.
const RIDGE: f64 = 1e-4;

/// Turns columns into what each adds beyond those before it.
pub(super) struct Attribution {
    /// The columns, group by group.
    order: Vec<usize>,
    /// The kind of each column in that order.
    kinds: Vec<PartKind>,
    /// R with R'R the covariances of the columns in that order.
    factor: Vec<f64>,
}

impl Attribution {
    /// By the covariances over the reference pairs.
    pub(super) fn of(covariates: &Covariates) -> Self {
        let width = covariates.names().len();
        let kind = |column: usize| PartKind::of_covariate(covariates.origin(column));
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by_key(|&column| kind(column));
        let kinds: Vec<PartKind> = order.iter().map(|&column| kind(column)).collect();
        let pairs = covariates.reference_pairs();
        let rows = covariates.rows(&pairs);
        let mut sums = vec![0.0; width];
        let mut factor = vec![0.0; width * width];
        let count = pairs.len().max(1) as f64;
        for line in 0..pairs.len() {
            let row = rows.row(line);
            for (i, &one) in order.iter().enumerate() {
                let value = f64::from(row[one]);
                sums[i] += value;
                for (sum, &other) in factor[i * width..][i..width].iter_mut().zip(&order[i..]) {
                    *sum += value * f64::from(row[other]);
                }
            }
        }
        for i in 0..width {
            for j in i..width {
                let covariance = factor[i * width + j] / count - sums[i] * sums[j] / (count * count);
                factor[i * width + j] = covariance + if i == j { RIDGE } else { 0.0 };
            }
        }
        linalg::cholesky(&mut factor, width);
        Self { order, kinds, factor }
    }

    /// What each column of a pair says beyond those before it.
    pub(super) fn values(&self, row: &[f32]) -> Vec<f64> {
        let mut values: Vec<f64> = self.order.iter().map(|&column| f64::from(row[column])).collect();
        linalg::solve_lower(&self.factor, self.order.len(), &mut values);
        values
    }

    /// The coefficients of these values: all that a column adds to a logit, by itself and through the columns behind it.
    pub(super) fn coefficients(&self, coefficients: &[f64]) -> Vec<f64> {
        let width = self.order.len();
        let ordered: Vec<f64> = self.order.iter().map(|&column| coefficients[column]).collect();
        (0..width).map(|i| linalg::dot(&self.factor[i * width..][i..width], &ordered[i..])).collect()
    }

    /// The kind of each value.
    pub(super) fn kinds(&self) -> &[PartKind] {
        &self.kinds
    }
}
