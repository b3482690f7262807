//! Exact Polya-Gamma draws PG(b, z) for every real b > 0, by rejection from one inverse Gaussian.
//!
//! PG(b, z) has a density proportional to first(x) R(x) exp(-z^2 x / 2), where first(x) is the leading
//! Levy-like term and R the correction of [`LogCorrection`]. log R is concave in x, so the tangent at any
//! point x*, with slope s <= 0, lies above it, and
//!
//! first(x) R(x) exp(-z^2 x / 2) <= const first(x) exp(-(z^2 - 2 s) x / 2),
//!
//! an inverse Gaussian with mean b / (2 sqrt(z^2 - 2 s)) and shape b^2 / 4. Its draw is kept when
//! log u <= log R(x) - tangent(x). The share kept is known in closed form and is largest when x* is the mean
//! of the proposal; it is at least 0.81 and tends to 1 for large |z|, small b.
//!
//! log R is tabulated once per b. Between nodes the chord bounds it from below and the two tangents from
//! above; only a draw that falls between these bounds (one in 10^4 or fewer) computes R itself, so the table
//! costs no exactness. Concavity is a numerical finding, not a theorem: the second derivative, by the series
//! with 30 digits or by the inversion, was negative at 1,500 points up to three times the end of the table for each
//! of 21 values of b from 1e-10 to 1,000, and every table checks its chords and slopes as it is built.

#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

use std::f64::consts::{FRAC_PI_2, LN_2, PI, SQRT_2};

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, StandardNormal};

use super::inverse_gaussian::{self, roots};
use crate::simd::{LANES, with_simd};
use crate::{Error, Result};

/// Cells of the table of log R.
const CELLS: usize = 512;
/// Tangents per unit of |z|, and where they end: beyond, R <= 1 alone keeps more than 0.9999 of the draws.
const TANGENTS_PER_UNIT: f64 = 16.0;
const LARGE_TILT: f64 = 16.0;
/// A larger b is drawn as a sum, since PG(a, z) + PG(b, z) = PG(a + b, z).
const LARGEST_SINGLE: f64 = 256.0;
/// The range of b in which squares of b and of its inverse stay far from the limits of f64.
const SMALLEST_B: f64 = 1e-100;
const LARGEST_B: f64 = 1e9;
/// A |z| beyond this counts as this, so that its square stays finite.
const LARGEST_TILT: f64 = 1e150;

/// A sampler of PG(b, z) for one b and any z. It is built in about 2 ms and never changes afterwards, so
/// threads can share it.
#[derive(Debug, Clone)]
pub struct PolyaGamma {
    /// The b of the caller, the number of draws that are summed and the b of each of them.
    b: f64,
    copies: u64,
    b_of_each: f64,
    /// Two things the inverse Gaussian needs: 2 / b and 1 / sqrt(2 shape).
    rate_of_tilt: f64,
    scale: f64,
    /// Below this point log R > -1e-16 and needs no look-up.
    flat_until: f64,
    cells_per_unit: f64,
    nodes: Vec<Node>,
    tangents: Vec<Tangent>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    value: f64,
    rise: f64,
}

/// The tangent intercept + slope x, which lies above log R.
#[derive(Debug, Clone, Copy)]
struct Tangent {
    intercept: f64,
    slope: f64,
}

impl PolyaGamma {
    /// A sampler for this b, from 1e-100 to 1e9. A b above 256 takes one draw for every 256 it has.
    pub fn new(b: f64) -> Result<Self> {
        if !(SMALLEST_B..=LARGEST_B).contains(&b) {
            let (name, expected) = ("b of the Polya-Gamma distribution", "positive, from 1e-100 to 1e9");
            return Err(Error::Setting { name, expected, value: b.to_string() });
        }
        let copies = (b / LARGEST_SINGLE).ceil().max(1.0);
        let single = b / copies;
        // Past the end lies less than 1e-6 of the distribution, for every b.
        let end = single / 4.0 + 4.0 * (single / 24.0).sqrt() + 2.5;
        let cell = end / CELLS as f64;
        let nodes = tabulate(single, cell);
        Ok(Self {
            b,
            copies: copies as u64,
            b_of_each: single,
            rate_of_tilt: 2.0 / single,
            scale: SQRT_2 / single,
            // (b + 2) exp(-(1 + b) / (2 x)), the size of the second term, is 1e-16 = exp(-37) there.
            flat_until: 0.5 * (1.0 + single) / (37.0 + (single + 2.0).ln()),
            cells_per_unit: cell.recip(),
            tangents: best_tangents(single, cell, &nodes),
            nodes,
        })
    }

    /// The b this sampler was made for.
    pub fn b(&self) -> f64 {
        self.b
    }

    /// One draw from PG(b, z): positive and finite. The sign of z does not matter.
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, z: f64, rng: &mut R) -> f64 {
        // A NaN would be rejected for ever.
        assert!(z.is_finite(), "the tilt of a Polya-Gamma draw must be finite, is {z}");
        if self.copies == 1 {
            return self.single(z, rng);
        }
        (0..self.copies).map(|_| self.single(z, rng)).sum()
    }

    #[inline]
    fn single<R: Rng + ?Sized>(&self, z: f64, rng: &mut R) -> f64 {
        let z = z.abs().min(LARGEST_TILT);
        let place = (z * TANGENTS_PER_UNIT) as usize;
        let tangent = self.tangents[place.min(self.tangents.len() - 1)];
        let rate = self.rate_of_tilt * (z * z - 2.0 * tangent.slope).sqrt();
        loop {
            let x = inverse_gaussian::scaled(rate, self.scale, rng);
            if tangent.slope == 0.0 && x < self.flat_until {
                return x;
            }
            let minus_log_u: f64 = Exp1.sample(rng);
            if self.reaches(x, tangent.intercept + tangent.slope * x - minus_log_u) {
                return x;
            }
        }
    }

    #[inline]
    fn reaches(&self, x: f64, level: f64) -> bool {
        let place = x * self.cells_per_unit;
        if place < CELLS as f64 {
            let cell = place as usize;
            let along = place - cell as f64;
            let (left, right) = (self.nodes[cell], self.nodes[cell + 1]);
            if level <= left.value + along * (right.value - left.value) {
                return true;
            }
            if level > left.value + along * left.rise || level > right.value - (1.0 - along) * right.rise {
                return false;
            }
        } else {
            // Only a proposal with a flat tangent goes so far, and the last tangent turns nearly all away.
            let last = self.nodes[CELLS];
            if level > last.value + (place - CELLS as f64) * last.rise {
                return false;
            }
        }
        self.reaches_exactly(x, level)
    }

    #[cold]
    fn reaches_exactly(&self, x: f64, level: f64) -> bool {
        log_correction(self.b_of_each, x).value >= level
    }

    /// Replaces each tilt z by a draw from PG(b, z).
    ///
    /// The law is that of [`sample`](Self::sample), the random numbers are others: the arithmetic of a block is done for all of
    /// its draws at once. Proposals that the chord of the table does not accept are looked at one by one, as single draws are.
    pub fn fill<R: Rng + ?Sized>(&self, values: &mut [f64], rng: &mut R) {
        assert!(values.iter().all(|z| z.is_finite()), "the tilts of Polya-Gamma draws must be finite");
        if self.copies > 1 {
            for value in values {
                *value = self.sample(*value, rng);
            }
            return;
        }
        with_simd(
            #[inline(always)]
            || {
                let (blocks, rest) = values.as_chunks_mut();
                for block in blocks {
                    self.fill_block(block, rng);
                }
                for value in rest {
                    *value = self.single(*value, rng);
                }
            },
        );
    }

    #[inline(always)]
    fn fill_block<R: Rng + ?Sized>(&self, values: &mut [f64; LANES], rng: &mut R) {
        let (mut normals, mut uniforms, mut heights) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            normals[lane] = StandardNormal.sample(rng);
            uniforms[lane] = rng.random();
            heights[lane] = Exp1.sample(rng);
        }
        let (mut slopes, mut intercepts, mut rates) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let z = values[lane].abs().min(LARGEST_TILT);
            let position = ((z * TANGENTS_PER_UNIT) as usize).min(self.tangents.len() - 1);
            let tangent = self.tangents[position];
            (slopes[lane], intercepts[lane]) = (tangent.slope, tangent.intercept);
            rates[lane] = z * z - 2.0 * tangent.slope;
        }
        for rate in &mut rates {
            *rate = self.rate_of_tilt * rate.sqrt();
        }
        let proposals = roots(&rates, self.scale, &normals, &uniforms);
        let (mut levels, mut chords) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            levels[lane] = intercepts[lane] + slopes[lane] * proposals[lane] - heights[lane];
            let along = proposals[lane] * self.cells_per_unit;
            let cell = (along as usize).min(CELLS - 1);
            let (left, right) = (self.nodes[cell].value, self.nodes[cell + 1].value);
            // Beyond the table there is no chord.
            chords[lane] = if along < CELLS as f64 {
                left + (along - cell as f64) * (right - left)
            } else {
                f64::NEG_INFINITY
            };
        }
        for lane in 0..LANES {
            let (x, level) = (proposals[lane], levels[lane]);
            let kept = level <= chords[lane]
                || (slopes[lane] == 0.0 && x < self.flat_until)
                || self.reaches(x, level);
            values[lane] = if kept { x } else { self.single(values[lane], rng) };
        }
    }
}

/// log R at the ends of all cells. At 0 it is 0 and flat.
fn tabulate(b: f64, cell: f64) -> Vec<Node> {
    let mut nodes = vec![Node { value: 0.0, rise: 0.0 }];
    nodes.extend((1..=CELLS).map(|i| {
        let at = log_correction(b, i as f64 * cell);
        Node { value: at.value, rise: at.slope * cell }
    }));
    // Concave: every chord lies between the slopes at its ends. The slack is the rounding of log R.
    let slack = 1e-12 * (1.0 + b);
    for pair in nodes.windows(2) {
        let chord = pair[1].value - pair[0].value;
        let concave = pair[0].rise + slack >= chord && chord + slack >= pair[1].rise;
        assert!(concave, "log R of PG({b}, 0) is not concave: {pair:?}");
    }
    nodes
}

/// For each step of |z| the tangent at the node that keeps the largest share of draws.
fn best_tangents(b: f64, cell: f64, nodes: &[Node]) -> Vec<Tangent> {
    let tangent_at = |i: usize| {
        let slope = nodes[i].rise / cell;
        Tangent { intercept: nodes[i].value - slope * (i as f64 * cell), slope }
    };
    // The best node moves to the left as |z| grows.
    let mut best = CELLS;
    let mut tangents: Vec<Tangent> = (0..(LARGE_TILT * TANGENTS_PER_UNIT) as usize)
        .map(|step| {
            let z = (step as f64 + 0.5) / TANGENTS_PER_UNIT;
            while best > 0 && log_kept(b, z, tangent_at(best - 1)) >= log_kept(b, z, tangent_at(best)) {
                best -= 1;
            }
            tangent_at(best)
        })
        .collect();
    tangents.push(Tangent { intercept: 0.0, slope: 0.0 });
    tangents
}

/// The log of the share of draws that are kept: the integral of the target over that of its bound.
fn log_kept(b: f64, z: f64, tangent: Tangent) -> f64 {
    let z = z.abs();
    let tilt = (z * z - 2.0 * tangent.slope).sqrt();
    0.5 * b * (tilt - z) - b * (-z).exp().ln_1p() - tangent.intercept
}

/// The mean of PG(b, z): b tanh(z/2) / (2z).
pub fn polya_gamma_mean(b: f64, z: f64) -> f64 {
    let half = 0.5 * z.abs();
    if half < 1e-4 { 0.25 * b * (1.0 - half * half / 3.0) } else { 0.25 * b * half.tanh() / half }
}

/// The variance of PG(b, z): b (sinh z - z) / (4 z^3 cosh^2(z/2)).
pub fn polya_gamma_variance(b: f64, z: f64) -> f64 {
    let z = z.abs();
    let decay = (-z).exp();
    let inverse_cosh_squared = 4.0 * decay / ((1.0 + decay) * (1.0 + decay));
    if z < 1.0 {
        // sinh z - z = z^3/6 (1 + z^2/20 (1 + z^2/42 (1 + ...))).
        let square = z * z;
        let series = [156.0, 110.0, 72.0, 42.0, 20.0].iter().fold(1.0, |sum, next| 1.0 + square / next * sum);
        return b / 24.0 * series * inverse_cosh_squared;
    }
    0.25 * b * (2.0 * (0.5 * z).tanh() - z * inverse_cosh_squared) / (z * z * z)
}

/// log R and its derivative at one point.
///
/// The density of PG(b, 0) is the Levy-like term
/// 2^b (b/2) (2 pi x^3)^(-1/2) exp(-b^2 / (8 x)) times a correction R(x) that falls from 1 to 0:
///
/// R(x) = sum over n of (-1)^n [Gamma(n+b) / (n! Gamma(b))] (2n+b)/b exp(-(n^2 + n b) / (2x)).
///
/// The series cancels once x is large. There R comes from the Laplace transform cosh(sqrt(t/2))^-b, inverted
/// along the parabola t = -pi^2/2 + 2 w^2, w = c + i y. It has its vertex near the saddle point and wraps the
/// branch cut t <= -pi^2/2, so the integrand falls like exp(-2 x y^2) and the trapezoid rule converges
/// geometrically. Measured against 60-digit sums of the series for b from 1e-10 to 20: value and slope
/// are right to 3e-13 everywhere, far tails included.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogCorrection {
    pub(super) value: f64,
    pub(super) slope: f64,
}

pub(super) fn log_correction(b: f64, x: f64) -> LogCorrection {
    // A first term below 1/4 leaves R above 1/2, so nothing is lost to cancellation.
    if (b + 2.0) * (-(1.0 + b) / (2.0 * x)).exp() < 0.25 { by_series(b, x) } else { by_inversion(b, x) }
}

fn by_series(b: f64, x: f64) -> LogCorrection {
    let (mut rest, mut slope) = (0.0, 0.0);
    let mut coefficient = 1.0;
    for n in 1..200 {
        let n = f64::from(n);
        // Gamma(n+b) (2n+b) / (n! Gamma(b) b) without ever dividing by a small b.
        coefficient *= if n == 1.0 { -1.0 } else { -(n - 1.0 + b) / n };
        let exponent = n * (n + b) / (2.0 * x);
        let term = coefficient * (2.0 * n + b) * (-exponent).exp();
        rest += term;
        slope += term * exponent / x;
        if term.abs() < 1e-20 {
            break;
        }
    }
    LogCorrection { value: rest.ln_1p(), slope: slope / (1.0 + rest) }
}

fn by_inversion(b: f64, x: f64) -> LogCorrection {
    // exp(-2 x y^2) has this standard deviation in y; the integrand is never wider and at most 1.7 times
    // narrower.
    let width = 0.5 / x.sqrt();
    // Two widths keep the branch point away when b is small, at the price of a factor e^2.
    let vertex = saddle(b, x).max(2.0 * width);
    let step = 0.3 * width;
    let start = 2.0 * vertex * vertex - PI * PI / 2.0;
    // A small b leaves little of the transform but the constant 1, whose integral is zero: take it off.
    let subtract_one = b < 0.25;
    let reference = if subtract_one { 0.0 } else { -b * log_cosh_root(start, 0.0).0 };

    let (mut density, mut derivative) = (0.0, 0.0);
    for k in 0..200 {
        let y = f64::from(k) * step;
        let decay = -2.0 * x * y * y;
        if decay < -45.0 {
            break;
        }
        let (t_re, t_im) = (start - 2.0 * y * y, 4.0 * vertex * y);
        let (log_re, log_im) = log_cosh_root(t_re, t_im);
        let transform = if subtract_one {
            complex_exp_m1(-b * log_re, -b * log_im)
        } else {
            complex_exp(-b * log_re - reference, -b * log_im)
        };
        let half = if k == 0 { 0.5 } else { 1.0 };
        let kernel = product(complex_exp(decay, x * t_im), (half * vertex, half * y));
        let term = product(transform, kernel);
        density += term.0;
        derivative += term.0 * t_re - term.1 * t_im;
    }
    // dt = 4 w i dy; the integral over both halves is twice the real part, over 2 pi.
    let log_density = (density * 4.0 * step / PI).ln() + reference + x * start;
    let log_first_term = b * LN_2 + (b / 2.0).ln() - 0.5 * (2.0 * PI).ln() - 1.5 * x.ln() - b * b / (8.0 * x);
    let first_slope = -1.5 / x + b * b / (8.0 * x * x);
    LogCorrection { value: log_density - log_first_term, slope: derivative / density - first_slope }
}

/// The w > 0 whose t is the saddle point of x t - b log cosh sqrt(t/2), to a small part of the width.
fn saddle(b: f64, x: f64) -> f64 {
    // Lower: the nearest pole alone. Upper: tanh <= 1.
    let mut low = (b / (2.0 * x)).sqrt();
    let mut high = FRAC_PI_2.hypot(b / (4.0 * x));
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        let squared = middle * middle - FRAC_PI_2 * FRAC_PI_2;
        let root = squared.abs().sqrt();
        let ratio = if root < 1e-4 {
            1.0
        } else if squared > 0.0 {
            root.tanh() / root
        } else {
            root.tan() / root
        };
        if b * ratio / 4.0 > x {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// log cosh sqrt(t/2) for t in the closed upper half plane right of the cut, continuous there.
fn log_cosh_root(t_re: f64, t_im: f64) -> (f64, f64) {
    let (u, v) = (0.5 * t_re, 0.5 * t_im);
    let modulus = u.hypot(v);
    // The square root in the first quadrant; the larger part first, the other from the product.
    let (re, im) = if u >= 0.0 {
        let re = (0.5 * (modulus + u)).sqrt();
        (re, if re > 0.0 { 0.5 * v / re } else { 0.0 })
    } else {
        let im = (0.5 * (modulus - u)).sqrt();
        (0.5 * v / im, im)
    };
    // log cosh s = s - log 2 + log(1 + exp(-2 s)), and Re s >= 0 keeps the logarithm on one sheet.
    let (e_re, e_im) = complex_exp(-2.0 * re, -2.0 * im);
    let log_modulus = 0.5 * (e_re * (2.0 + e_re) + e_im * e_im).ln_1p();
    (re - LN_2 + log_modulus, im + e_im.atan2(1.0 + e_re))
}

fn complex_exp(re: f64, im: f64) -> (f64, f64) {
    let modulus = re.exp();
    let (sin, cos) = im.sin_cos();
    (modulus * cos, modulus * sin)
}

fn complex_exp_m1(re: f64, im: f64) -> (f64, f64) {
    let half = (0.5 * im).sin();
    (re.exp_m1() * im.cos() - 2.0 * half * half, re.exp() * im.sin())
}

fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    const SHAPES: [f64; 13] = [1e-100, 1e-6, 0.01, 0.1, 0.3, 1.0, 1.7, 3.0, 10.0, 40.0, 200.0, 256.0, 256.1];

    #[test]
    fn most_proposals_are_kept() {
        for b in SHAPES {
            let sampler = PolyaGamma::new(b).unwrap();
            for step in 0..400 {
                let z = f64::from(step) * 0.05;
                let place = ((z * TANGENTS_PER_UNIT) as usize).min(sampler.tangents.len() - 1);
                let kept = log_kept(sampler.b_of_each, z, sampler.tangents[place]).exp();
                assert!((0.81..=1.0 + 1e-9).contains(&kept), "{kept} kept at b {b}, z {z}");
            }
        }
    }

    #[test]
    fn draws_are_positive_and_finite() {
        let message = PolyaGamma::new(-1.0).unwrap_err().to_string();
        assert_eq!(message, "b of the Polya-Gamma distribution must be positive, from 1e-100 to 1e9, is -1");
        let mut rng = stream(1, 0, 0, Purpose::Augment, 0);
        for b in SHAPES.into_iter().chain([3000.0]) {
            let sampler = PolyaGamma::new(b).unwrap();
            for z in [0.0, 1e-300, 0.3, 5.0, 15.99, 16.0, 700.0, 1e30, 1e200, f64::MAX] {
                for _ in 0..200 {
                    let x = sampler.sample(z, &mut rng);
                    assert!(x > 0.0 && x.is_finite(), "{x} at b {b}, z {z}");
                }
            }
        }
    }

    #[test]
    fn series_and_inversion_agree_where_they_meet() {
        for b in [1e-8, 0.01, 0.1, 0.24, 0.26, 0.5, 1.0, 2.7, 10.0, 40.0, 200.0] {
            for first_term in [0.25f64, 0.02] {
                let x = 0.5 * (1.0 + b) / ((b + 2.0) / first_term).ln();
                let (s, i) = (by_series(b, x), by_inversion(b, x));
                assert!((s.value - i.value).abs() < 1e-12, "b {b}, x {x}: {s:?} {i:?}");
                assert!((s.slope - i.slope).abs() < 1e-11, "b {b}, x {x}: {s:?} {i:?}");
            }
        }
    }

    /// For b = 1 and b = 2 the density is a sum over poles, which has no cancellation at large x.
    #[test]
    fn inversion_matches_the_pole_sums() {
        for x in [0.5f64, 1.0, 2.0, 5.0, 20.0] {
            let (mut one, mut two) = (0.0, 0.0);
            for k in (1..40).map(|k| f64::from(2 * k - 1)) {
                let pole = k * k * PI * PI / 2.0;
                let sign = if k % 4.0 == 1.0 { 1.0 } else { -1.0 };
                one += sign * 2.0 * PI * k * (-pole * x).exp();
                two += (4.0 * k * k * PI * PI * x - 4.0) * (-pole * x).exp();
            }
            for (b, density) in [(1.0, one), (2.0, two)] {
                let first = (b * LN_2 - b * b / (8.0 * x)).exp() * b / 2.0 / (2.0 * PI * x.powi(3)).sqrt();
                let error = log_correction(b, x).value - (density / first).ln();
                assert!(error.abs() < 1e-12, "b {b}, x {x}: off by {error}");
            }
        }
    }
}
