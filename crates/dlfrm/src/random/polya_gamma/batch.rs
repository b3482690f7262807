//! Polya-Gamma draws in blocks: the arithmetic of a block is done for all of its draws at once.
//!
//! A proposal that the chord of the table accepts is kept; the others are looked at one by one, exactly as single draws are.

#![expect(clippy::inline_always, reason = "pulp's dispatch works by inlining")]

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, StandardNormal};

use super::{CELLS, LARGEST_TILT, PolyaGamma, TANGENTS_PER_UNIT};
use crate::random::inverse_gaussian::roots;
use crate::simd::{LANES, with_simd};

impl PolyaGamma {
    /// Replaces each tilt z by a draw from PG(b, z).
    ///
    /// The draws are those of the same law as [`sample`](Self::sample) makes, from other random numbers.
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
