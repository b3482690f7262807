//! Inverse Gaussian draws that stay right at every mean, from tiny to infinite.
//!
//! IG(mean, shape) has density sqrt(shape / (2 pi x^3)) exp(-shape (x - mean)^2 / (2 mean^2 x)).
//! Michael, Schucany & Haas (1976) draw n ~ N(0,1) and take one of the two roots of
//! shape (x - mean)^2 = mean^2 x n^2. The textbook form of the smaller root subtracts two numbers that
//! agree to all digits once mean / shape is large, and returns zero. With r = 1 / mean and
//! a = n^2 / (2 shape) that root is also
//!
//! x = 1 / (r + a + sqrt(a^2 + 2 r a)) = 2 / (sqrt(a) + sqrt(a + 2 r))^2,
//!
//! which only adds positive numbers. The roots multiply to 1 / r^2, and the smaller one is kept with
//! probability 1 / (1 + r x). At r = 0 this is the Levy law shape / n^2.

#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use crate::simd::{LANES, with_simd};

/// One draw from the inverse Gaussian with mean `1 / inverse_mean` and the given shape, unchecked: both are
/// finite, `inverse_mean >= 0` and `shape > 0`. The draw is positive and finite.
#[inline]
pub fn inverse_gaussian<R: Rng + ?Sized>(inverse_mean: f64, shape: f64, rng: &mut R) -> f64 {
    debug_assert!(inverse_mean >= 0.0 && inverse_mean.is_finite(), "inverse mean is {inverse_mean}");
    debug_assert!(shape > 0.0 && shape.is_finite(), "shape is {shape}");
    scaled(inverse_mean, (0.5 / shape).sqrt(), rng)
}

/// The same with `scale = 1 / sqrt(2 shape)`, for callers whose shape is fixed.
///
/// The last line only acts where the draw leaves the range of f64: a mean or a shape beyond 1e-307 or
/// 1e307, or n = 0 exactly in the Levy limit (once in 2^53 draws or rarer). A draw ends as a factor in a
/// precision or is inverted, so the nearest positive finite number serves and a zero or an infinity does not.
#[inline]
pub(super) fn scaled<R: Rng + ?Sized>(rate: f64, scale: f64, rng: &mut R) -> f64 {
    let normal = StandardNormal.sample(rng);
    root(rate, scale, normal, rng.random())
}

/// The draw that a normal and a uniform number make.
#[inline(always)]
fn root(rate: f64, scale: f64, normal: f64, uniform: f64) -> f64 {
    let root = normal.abs() * scale;
    let sum = root + (root * root + 2.0 * rate).sqrt();
    let smaller = 2.0 / (sum * sum);
    // 1 / (rate^2 smaller), squared last so that it neither overflows nor underflows on the way.
    let ratio = sum / rate;
    let larger = 0.5 * ratio * ratio;
    let x = if uniform * (1.0 + rate * smaller) <= 1.0 { smaller } else { larger };
    x.clamp(f64::MIN_POSITIVE, f64::MAX)
}

/// One draw for each rate from the numbers that [`scaled`] would draw.
#[inline(always)]
pub(super) fn roots(
    rates: &[f64; LANES],
    scale: f64,
    normals: &[f64; LANES],
    uniforms: &[f64; LANES],
) -> [f64; LANES] {
    let mut x = [0.0; LANES];
    for lane in 0..LANES {
        x[lane] = root(rates[lane], scale, normals[lane], uniforms[lane]);
    }
    x
}

/// Replaces each inverse mean by a draw from the inverse Gaussian with the given shape.
pub fn fill_inverse_gaussian<R: Rng + ?Sized>(values: &mut [f64], shape: f64, rng: &mut R) {
    let scale = (0.5 / shape).sqrt();
    with_simd(
        #[inline(always)]
        || {
            let (blocks, rest) = values.as_chunks_mut();
            for block in blocks {
                let (mut normals, mut uniforms) = ([0.0; LANES], [0.0; LANES]);
                for lane in 0..LANES {
                    normals[lane] = StandardNormal.sample(rng);
                    uniforms[lane] = rng.random();
                }
                *block = roots(block, scale, &normals, &uniforms);
            }
            for value in rest {
                *value = scaled(*value, scale, rng);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn draws_are_positive_and_finite_everywhere() {
        let mut rng = stream(1, 0, 0, Purpose::Augment, 0);
        for shape_power in (-300..=300).step_by(25) {
            for rate_power in (-325..=300).step_by(25) {
                let (rate, shape) = (10f64.powi(rate_power), 10f64.powi(shape_power));
                for _ in 0..100 {
                    let x = inverse_gaussian(rate, shape, &mut rng);
                    assert!(x > 0.0 && x.is_finite(), "rate {rate}, shape {shape} gave {x}");
                }
            }
        }
    }
}
