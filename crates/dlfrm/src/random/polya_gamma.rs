//! PG(b, z), temporary.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

/// Temporary.
#[derive(Debug, Clone)]
pub struct PolyaGamma {
    b: f64,
    parts: usize,
}

impl PolyaGamma {
    /// Temporary.
    pub fn new(b: f64) -> crate::Result<Self> {
        let parts = b.ceil().max(1.0) as usize;
        Ok(Self { b: b / parts as f64, parts })
    }

    /// Temporary.
    pub fn sample<R: Rng + ?Sized>(&self, z: f64, rng: &mut R) -> f64 {
        (0..self.parts).map(|_| self.one(z.abs(), rng)).sum()
    }

    fn one<R: Rng + ?Sized>(&self, z: f64, rng: &mut R) -> f64 {
        let b = self.b;
        loop {
            let x = inverse_gaussian(2.0 * z / b, b * b / 4.0, rng);
            let u: f64 = rng.random();
            let (mut sum, mut ratio, mut n) = (1.0, 1.0, 1.0_f64);
            while n < 100.0 {
                ratio *= (n - 1.0 + b) / n;
                let term = ratio * (2.0 * n + b) / b * (-(n * n + n * b) / (2.0 * x)).exp();
                if term < 1e-17 {
                    break;
                }
                sum += if n as u64 % 2 == 1 { -term } else { term };
                n += 1.0;
            }
            if u <= sum {
                return x;
            }
        }
    }
}

/// Temporary.
pub fn inverse_gaussian<R: Rng + ?Sized>(inverse_mean: f64, shape: f64, rng: &mut R) -> f64 {
    let r = inverse_mean;
    let normal: f64 = StandardNormal.sample(rng);
    let y = normal * normal / shape;
    let x = 1.0 / (r + 0.5 * y + (0.25 * y * y + r * y).sqrt());
    if rng.random::<f64>() * (1.0 + r * x) <= 1.0 { x } else { 1.0 / (r * r * x) }
}
