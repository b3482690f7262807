//! Matrices of weights that are sums over pairs, sum c z_i' z_j.
//! See "Weights" in `docs/model.md`.

use std::ops::Range;

use crate::model::{Features, Nu, Shape, State};
use crate::network::Pairs;

use super::super::{Context, linalg, with_simd};

#[derive(Debug, Default)]
pub(super) struct Outer {
    parts: Vec<Part>,
}

#[derive(Debug, Default)]
struct Part {
    sum: Vec<f64>,
    presented: Vec<f64>,
    gathered: Vec<f64>,
}

/// No pair is passed over.
#[inline(always)]
pub(super) fn none() -> usize {
    0
}

impl Outer {
    /// Adds up coefficient(pair, z_i X z_j') z_i' z_j over pairs. Each part has a coefficient, which may have a generator of
    /// its own, and says again and again how many pairs to pass over before the next ([`none`] for all pairs). `matrix` (X)
    /// and `sum` are square, by rows.
    pub(super) fn sum<C: FnMut(usize, f64) -> f64, G: FnMut() -> usize>(
        &mut self,
        context: &Context<'_>,
        features: &Features,
        matrix: &[f64],
        sum: &mut [f64],
        terms: impl Fn(usize) -> (C, G) + Sync,
    ) {
        let Context { pairs, division, .. } = *context;
        division.for_parts(&mut self.parts, |number, sources, part| {
            let (mut coefficient, mut gap) = terms(number);
            with_simd(
                #[inline(always)]
                || part.add(sources.clone(), pairs, features, matrix, &mut coefficient, &mut gap),
            );
        });
        sum.fill(0.0);
        for part in &self.parts {
            linalg::add_scaled(sum, 1.0, &part.sum);
        }
    }
}

impl Part {
    #[inline(always)]
    fn add(
        &mut self,
        sources: Range<usize>,
        pairs: &Pairs,
        features: &Features,
        matrix: &[f64],
        coefficient: &mut impl FnMut(usize, f64) -> f64,
        gap: &mut impl FnMut() -> usize,
    ) {
        let width = features.slots();
        self.sum.clear();
        self.sum.resize(width * width, 0.0);
        let mut next = pairs.from(sources.start).start + gap();
        for source in sources {
            let row = features.row(source);
            let range = pairs.from(source);
            if next >= range.end {
                continue;
            }
            if row.is_empty() {
                // Nothing is added; which pairs are next does not depend on the features.
                while next < range.end {
                    next += 1 + gap();
                }
                continue;
            }
            self.presented.clear();
            self.presented.resize(width, 0.0);
            for &k in row {
                linalg::add_scaled(&mut self.presented, 1.0, &matrix[k as usize * width..][..width]);
            }
            self.gathered.clear();
            self.gathered.resize(width, 0.0);
            while next < range.end {
                let other = features.row(pairs.targets()[next] as usize);
                let mut logit = 0.0;
                for &l in other {
                    logit += self.presented[l as usize];
                }
                let coefficient = coefficient(next, logit);
                for &l in other {
                    self.gathered[l as usize] += coefficient;
                }
                next += 1 + gap();
            }
            for &k in row {
                linalg::add_scaled(&mut self.sum[k as usize * width..][..width], 1.0, &self.gathered);
            }
        }
    }
}

/// Turns a derivative by every entry into one by the free entries: those of a symmetric matrix stand for two.
pub(super) fn fold(shape: Shape, width: usize, derivative: &mut [f64]) {
    if shape != Shape::Symmetric {
        return;
    }
    for k in 0..width {
        for l in 0..k {
            let both = derivative[k * width + l] + derivative[l * width + k];
            derivative[k * width + l] = both;
            derivative[l * width + k] = both;
        }
    }
}

/// Adds `scale` times the prior precision times a square of weights.
pub(super) fn add_prior(state: &State, scale: f64, weights: &[f64], sum: &mut [f64]) {
    let width = state.features.slots();
    let Nu { own, between } = state.nu;
    linalg::add_scaled(sum, scale * between.powi(2), weights);
    let more = scale * (own.powi(2) - between.powi(2));
    for (sum, weight) in sum.iter_mut().zip(weights).step_by(width + 1) {
        *sum += more * weight;
    }
}

/// Copies the weights into a square without room at the ends of its rows.
pub(super) fn copy(state: &State, square: &mut Vec<f64>) {
    let width = state.features.slots();
    square.clear();
    for k in 0..width {
        square.extend_from_slice(&state.weights.row(k)[..width]);
    }
}

/// Makes such a square the weights.
pub(super) fn restore(square: &[f64], state: &mut State) {
    let width = state.features.slots();
    let shape = state.weights.shape();
    for k in 0..width {
        let first = if shape == Shape::Symmetric { k } else { 0 };
        for l in first..width {
            state.weights.set(k, l, square[k * width + l]);
        }
    }
}

/// A standard normal number for every free entry, times `scale`, the same in both entries of a symmetric one.
pub(super) fn add_noise(
    shape: Shape,
    width: usize,
    square: &mut [f64],
    mut scale: impl FnMut(usize, usize) -> f64,
    rng: &mut crate::random::Stream,
) {
    use rand_distr::{Distribution, StandardNormal};
    for k in 0..width {
        let first = if shape == Shape::Symmetric { k } else { 0 };
        for l in first..width {
            let normal: f64 = StandardNormal.sample(rng);
            let noise = scale(k, l) * normal;
            square[k * width + l] += noise;
            if shape == Shape::Symmetric && l > k {
                square[l * width + k] += noise;
            }
        }
    }
}
