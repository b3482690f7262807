//! New features of a node, with their weights integrated out. See "New features" in `docs/model.md`.
//!
//! A node's singletons are drawn together: k of them have the prior Poisson(k; alpha / N) and the evidence of Eq. 6 of
//! the paper. All of them have the same column, so only the sum of their weights matters; the sides of the node separate; and per side, with S and g the
//! quadratic form and the residual over the support,
//!
//! ```text
//! log evidence(k) = -1/2 log det(I + (k / nu^2) S) + 1/2 g' (S + (nu^2 / k) I)^-1 g
//! ```
//!
//! which costs a factorisation as wide as the support, not the paper's D x D one. With diagonal weights a
//! singleton touches no pair and is a draw from the prior.

use rand::RngExt;

use crate::model::{State, ValidSettings};
use crate::random::Stream;

use super::features::{EvidenceBound, SideScratch};
use super::linalg;
use super::pending_births::{PendingBirths, log_mass, normal};

#[derive(Debug, Default)]
pub(super) struct Births {
    factor: Vec<f64>,
    solved: Vec<f64>,
    log_weights: Vec<f64>,
}

impl Births {
    /// Draws how many singletons the node has, and draws the sums of their weights; `sides` is called for
    /// what the node's pairs say only if `bound` does not decide.
    #[inline(always)]
    pub(super) fn draw<'a>(
        &mut self,
        bound: EvidenceBound,
        state: &State,
        settings: &ValidSettings,
        rng: &mut Stream,
        pending: &mut PendingBirths,
        sides: impl FnOnce() -> &'a [SideScratch],
    ) -> usize {
        let (log_mass, precision) = (log_mass(state), state.nu.between.powi(2));
        let uniform: f64 = rng.random();
        if uniform * (1.0 + bound_of_counts(bound, log_mass, settings.max_new)) < 1.0 {
            return 0;
        }
        let sides = sides();
        let count = self.draw_count(uniform, log_mass, precision, settings.max_new, sides);
        if count > 0 {
            for side in sides {
                self.draw_summed(side, count, precision, rng, pending);
            }
            pending.push(count, rng);
        }
        count
    }

    /// Draws k by inverting one uniform number. The factorisations are spared whenever an upper bound on
    /// the evidence already decides: this changes the cost and not the draw.
    #[inline(always)]
    fn draw_count(
        &mut self,
        uniform: f64,
        log_mass: f64,
        precision: f64,
        most: usize,
        sides: &[SideScratch],
    ) -> usize {
        // (S + (nu^2/k) I)^-1 <= k (S + nu^2 I)^-1, so one factorisation bounds all larger k.
        let (mut square, mut log_det) = (0.0, 0.0);
        for side in sides {
            let (side_square, side_log_det) = self.factorise(side, 1, precision);
            square += side_square;
            log_det += side_log_det;
        }
        let one = (log_mass + 0.5 * (square - log_det)).exp();
        let rest = upper_bound(2..=most, log_mass, log_det, square);
        if uniform * (1.0 + one + rest) < 1.0 {
            return 0;
        }
        if uniform * (1.0 + one) >= 1.0 && uniform * (1.0 + one + rest) < 1.0 + one {
            return 1;
        }
        self.log_weights.clear();
        self.log_weights.extend([0.0, log_mass + 0.5 * (square - log_det)]);
        let mut log_factorial = 0.0;
        for k in 2..=most {
            log_factorial += (k as f64).ln();
            let mut log_weight = k as f64 * log_mass - log_factorial;
            for side in sides {
                let (side_square, side_log_det) = self.factorise(side, k, precision);
                log_weight += 0.5 * (side_square - side_log_det);
            }
            self.log_weights.push(log_weight);
        }
        invert(&self.log_weights, uniform)
    }

    /// The same for sides with precisions of their own, without bounds.
    #[inline(always)]
    pub(super) fn draw_count_of<'a>(
        &mut self,
        uniform: f64,
        log_mass: f64,
        most: usize,
        sides: &(impl Iterator<Item = (&'a SideScratch, f64)> + Clone),
    ) -> usize {
        self.log_weights.clear();
        self.log_weights.push(0.0);
        let mut log_factorial = 0.0;
        for k in 1..=most {
            log_factorial += (k as f64).ln();
            let mut log_weight = k as f64 * log_mass - log_factorial;
            for (side, precision) in sides.clone() {
                let (square, log_det) = self.factorise(side, k, precision);
                log_weight += 0.5 * (square - log_det);
            }
            self.log_weights.push(log_weight);
        }
        invert(&self.log_weights, uniform)
    }

    /// Factorises S + (nu^2/k) I and solves for the residual; returns g'(...)^-1 g and
    /// log det(I + (k/nu^2) S). The factor and L^-1 g stay in `self`.
    #[inline(always)]
    fn factorise(&mut self, side: &SideScratch, k: usize, precision: f64) -> (f64, f64) {
        let width = side.sums.width();
        let ridge = precision / k as f64;
        self.factor.clear();
        self.factor.extend_from_slice(&side.sums.quadratic);
        for diagonal in self.factor.iter_mut().step_by(width + 1) {
            *diagonal += ridge;
        }
        linalg::cholesky(&mut self.factor, width);
        self.solved.clear();
        self.solved.extend_from_slice(&side.residual);
        linalg::solve_lower(&self.factor, width, &mut self.solved);
        let log_det = linalg::log_determinant(&self.factor, width) - width as f64 * ridge.ln();
        (linalg::dot(&self.solved, &self.solved), log_det)
    }

    /// Draws the summed weights of `count` new features on one side.
    #[inline(always)]
    pub(super) fn draw_summed(
        &mut self,
        side: &SideScratch,
        count: usize,
        precision: f64,
        rng: &mut Stream,
        pending: &mut PendingBirths,
    ) {
        self.factorise(side, count, precision);
        for value in &mut self.solved {
            *value += normal(rng);
        }
        linalg::solve_upper(&self.factor, side.sums.width(), &mut self.solved);
        pending.add_side(&side.sums.support, &self.solved);
    }
}

/// An upper bound on the summed weights of the counts in the range, given for k = 1 a lower bound on the
/// log determinant (which grows with k) and an upper bound on the square (which grows at most like k).
#[inline(always)]
fn upper_bound(counts: std::ops::RangeInclusive<usize>, log_mass: f64, log_det: f64, square: f64) -> f64 {
    counts.map(|k| (k as f64 * (log_mass + 0.5 * square) - 0.5 * log_det).exp()).sum()
}

/// The index at which the normalised cumulative weights pass `uniform`.
fn invert(log_weights: &[f64], uniform: f64) -> usize {
    let top = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = log_weights.iter().map(|weight| (weight - top).exp()).sum();
    let mut left = uniform * total;
    for (index, weight) in log_weights.iter().enumerate() {
        left -= (weight - top).exp();
        if left < 0.0 {
            return index;
        }
    }
    log_weights.len() - 1
}

/// An upper bound on the summed weights of all counts from 1 on, without a factorisation.
#[inline(always)]
fn bound_of_counts(bound: EvidenceBound, log_mass: f64, most: usize) -> f64 {
    upper_bound(1..=most, log_mass, bound.log_det, bound.square)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side whose S is a sum of `terms` outer products, and whose residual is `size` times a vector.
    fn side(width: usize, terms: usize, size: f64) -> SideScratch {
        let mut side = SideScratch::default();
        side.sums.support = (0..width as u32).collect();
        side.sums.quadratic = vec![0.0; width * width];
        for term in 0..terms {
            let entry = |k: usize| f64::from(u8::from((k * 5 + term * 3) % 4 < 2));
            for k in 0..width {
                for l in 0..width {
                    side.sums.quadratic[k * width + l] += (0.1 + 0.3 * term as f64) * entry(k) * entry(l);
                }
            }
        }
        side.residual = (0..width).map(|k| size * (1.0 + k as f64).sin()).collect();
        side
    }

    /// The bounds stand for sums of weights: below these they would make births too rare, and the tests of
    /// whole sweeps would hardly see it.
    #[test]
    fn bounds_are_above_what_they_stand_for() {
        let mut births = Births::default();
        let most = 4;
        let mut closest: [f64; 2] = [f64::INFINITY; 2];
        for (width, terms) in [(1, 1), (3, 1), (3, 4), (9, 2), (9, 30)] {
            for size in [0.0, 0.3, 2.0] {
                for (nu, log_mass) in [(0.5, -1.0), (2.0, -1.0), (1.0, -6.0)] {
                    let sides = [side(width, terms, size), side(width, terms + 1, 0.5 * size)];
                    let precision: f64 = nu * nu;
                    let mut weights = vec![];
                    let mut log_factorial = 0.0;
                    let (mut one_square, mut one_log_det) = (0.0, 0.0);
                    for k in 1..=most {
                        log_factorial += (k as f64).ln();
                        let mut log_weight = k as f64 * log_mass - log_factorial;
                        for side in &sides {
                            let (square, log_det) = births.factorise(side, k, precision);
                            log_weight += 0.5 * (square - log_det);
                            if k == 1 {
                                one_square += square;
                                one_log_det += log_det;
                            }
                        }
                        weights.push(log_weight.exp());
                    }
                    let all: f64 = weights.iter().sum();
                    let mut bound = EvidenceBound::default();
                    for side in &sides {
                        bound.add_side(side, precision);
                    }
                    let bounds = [
                        bound_of_counts(bound, log_mass, most) / all,
                        upper_bound(2..=most, log_mass, one_log_det, one_square) / (all - weights[0]),
                    ];
                    for (bound, closest) in bounds.into_iter().zip(&mut closest) {
                        assert!(bound >= 1.0 - 1e-12, "width {width}, {terms} terms, size {size}: {bound}");
                        *closest = closest.min(bound);
                    }
                }
            }
        }
        // Some case comes close: a bound that were half as large would be seen.
        assert!(closest[0] < 1.5, "{closest:?}");
    }
}
