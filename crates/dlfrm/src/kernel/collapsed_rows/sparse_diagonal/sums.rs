//! What a feature does to the losses of the pairs that it acts on.

use super::super::super::LANES;
use super::super::super::losses::{MODERATE, SATISFIED, Sum};

/// The product over pairs of how much 1 + odds changes, and the logarithms of what was put aside before it could overflow.
#[derive(Clone, Copy)]
pub(super) struct Change {
    product: f64,
    logs: f64,
}

impl Change {
    /// The odds of some pairs are multiplied by a factor, which is exp(step) or exp(-step).
    #[inline(always)]
    pub(super) fn new(positions: &[u32], shares: &[[f64; 2]], factor: f64, step: f64) -> Self {
        // Each pair adds a factor within exp(-step) and exp(step): two products of so many are a number, multiplied too.
        let room = ((2.0 * MODERATE / step.abs().max(1e-6)) as usize).max(1);
        let (mut product, mut logs) = (1.0, 0.0);
        let mut chunks = positions.chunks(room).peekable();
        while let Some(chunk) = chunks.next() {
            let (fours, rest) = chunk.as_chunks::<4>();
            let change = |position: u32| {
                let [with, against] = shares[position as usize];
                with + against * factor
            };
            // Four products side by side: each waits for its own last one only.
            let mut products = [1.0; 4];
            for four in fours {
                for lane in 0..4 {
                    products[lane] *= change(four[lane]);
                }
            }
            product = products[0] * products[1] * (products[2] * products[3]);
            product = rest.iter().fold(product, |product, &position| product * change(position));
            if chunks.peek().is_some() {
                logs += f64::ln(product);
                product = 1.0;
            }
        }
        Self { product, logs }
    }

    /// What likelihoods at this cost are multiplied by.
    #[inline(always)]
    pub(super) fn inverse(self, cost: f64) -> f64 {
        if cost == 1.0 && self.logs == 0.0 {
            self.product.recip()
        } else {
            (-cost * (self.logs + self.product.ln())).exp()
        }
    }

    /// The logarithms of two changes, with their costs.
    #[inline(always)]
    pub(super) fn logs(self, cost: f64, other: Self, other_cost: f64) -> f64 {
        if cost == other_cost {
            cost * (self.logs + other.logs + (self.product * other.product).ln())
        } else {
            cost * (self.logs + self.product.ln()) + other_cost * (other.logs + other.product.ln())
        }
    }
}

/// How much more the losses of some pairs are, if their logits take a step.
#[inline(always)]
pub(super) fn more_loss<S: Sum>(positions: &[u32], towards: &[f64], step: f64, sum: impl Fn() -> S) -> f64 {
    let (mut before, mut after) = (sum(), sum());
    for positions in positions.chunks(LANES) {
        let mut here = [SATISFIED; LANES];
        for (here, &position) in here.iter_mut().zip(positions) {
            *here = towards[position as usize];
        }
        before.add(here, [0.0; LANES]);
        after.add(here.map(|here| here + step), [0.0; LANES]);
    }
    after.minus(before)
}
