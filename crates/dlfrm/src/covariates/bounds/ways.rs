//! What paths of length two add, once a walk has found them.

use crate::covariates::topology::Way;

/// The slopes of the columns that depend on the paths of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct WaySlopes {
    /// Of the logarithm of 1 + their number, and of its square.
    pub(super) logarithm: [f64; 2],
    /// Of the logarithm of 1 + their sum by 1 / log degree.
    pub(super) adamic: f64,
    /// Of the logarithm of 1 + 10 times their sum by 1 / degree.
    pub(super) share: f64,
    /// Of their number by the root of the product of the ends' degrees.
    pub(super) cosine: f64,
}

/// A function of the paths of one kind.
#[derive(Debug)]
pub(super) struct Ways {
    slopes: WaySlopes,
    /// What their number adds.
    table: Vec<f64>,
}

impl Ways {
    /// For up to so many paths.
    pub(super) fn new(slopes: WaySlopes, most: usize) -> Self {
        let [slope, square] = slopes.logarithm;
        let logarithms = (0..=most).map(|count| (count as f64).ln_1p());
        let table = logarithms.map(|x| x * (slope + square * x)).collect();
        Self { slopes, table }
    }

    /// What such paths add; `roots` is one over the root of the product of the ends' degrees.
    pub(super) fn of(&self, way: &Way, roots: f64) -> f64 {
        if way.count == 0.0 {
            return 0.0;
        }
        let WaySlopes { adamic, share, cosine, .. } = self.slopes;
        let mut sum = self.table[way.count as usize]
            + share * (1.0 + 10.0 * way.share).ln()
            + cosine * way.count * roots;
        if adamic != 0.0 {
            sum += adamic * (1.0 + way.adamic).ln();
        }
        sum
    }
}
