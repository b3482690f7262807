//! Sums of losses over many pairs, written so that the compiler vectorises them.
//! See "Collapsed rows" in `docs/model.md`.

use super::LANES;

pub(super) type Block = [f64; LANES];

/// The logit towards its label of a position without a pair, which fills up a line or the last block of a list:
/// it costs nothing, whatever happens.
pub(super) const SATISFIED: f64 = 1e30;

/// Logits and steps up to this size may be added as products of odds: two of them, squared, stay below
/// the largest number.
pub(super) const MODERATE: f64 = 160.0;

/// A sum of losses at unit cost, that is of negative log pseudo-likelihoods.
pub(super) trait Sum: Sized {
    /// Adds a block of positions; those whose second number is 1, not 0, count twice.
    fn add(&mut self, values: Block, twice: Block);

    fn total(self) -> f64;

    /// How much more it is than another one.
    #[inline(always)]
    fn minus(self, other: Self) -> f64 {
        self.total() - other.total()
    }
}

/// The logistic loss of logits t towards the labels: log(1 + exp -t) = (-t)_+ + log(1 + exp -|t|).
#[derive(Debug, Clone)]
pub(super) struct Logistic {
    linear: Block,
    product: Block,
    blocks: usize,
    logs: f64,
}

impl Logistic {
    /// Blocks between two logarithms: a factor is at most 4, so the product of all lanes stays below 2^1000.
    const BLOCKS: usize = 500 / LANES;

    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { linear: [0.0; LANES], product: [1.0; LANES], blocks: 0, logs: 0.0 }
    }
}

impl Sum for Logistic {
    #[inline(always)]
    fn add(&mut self, towards: Block, twice: Block) {
        let mut odds = towards;
        for odds in &mut odds {
            *odds = -odds.abs();
        }
        let odds = exp(odds);
        for lane in 0..LANES {
            let back = f64::max(-towards[lane], 0.0);
            self.linear[lane] += back + twice[lane] * back;
            self.product[lane] *= (1.0 + odds[lane]) * (1.0 + twice[lane] * odds[lane]);
        }
        self.blocks += 1;
        if self.blocks.is_multiple_of(Self::BLOCKS) {
            self.logs += self.product.iter().product::<f64>().ln();
            self.product = [1.0; LANES];
        }
    }

    #[inline(always)]
    fn total(self) -> f64 {
        self.logs + self.product.iter().product::<f64>().ln() + self.linear.iter().sum::<f64>()
    }
}

/// The same for several logits of each pair, one in each lane: a sum for each lane.
#[derive(Debug)]
pub(super) struct LogisticLanes {
    linear: Block,
    product: Block,
    factors: usize,
    logs: Block,
}

impl LogisticLanes {
    /// Factors between two logarithms: each is at most 2.
    const FACTORS: usize = 1000;

    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { linear: [0.0; LANES], product: [1.0; LANES], factors: 0, logs: [0.0; LANES] }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, towards: Block) {
        let odds = exp(towards.map(|towards| -towards.abs()));
        for lane in 0..LANES {
            self.linear[lane] += f64::max(-towards[lane], 0.0);
            self.product[lane] *= 1.0 + odds[lane];
        }
        self.factors += 1;
        if self.factors == Self::FACTORS {
            self.logs = self.logs();
            (self.product, self.factors) = ([1.0; LANES], 0);
        }
    }

    fn logs(&self) -> Block {
        std::array::from_fn(|lane| self.logs[lane] + self.product[lane].ln())
    }

    pub(super) fn totals(&self) -> Block {
        let logs = self.logs();
        std::array::from_fn(|lane| logs[lane] + self.linear[lane])
    }
}

/// The logistic loss of the odds exp -t against the labels, which are at most exp of twice [`MODERATE`]: no
/// exponential is needed.
pub(super) struct LogisticOfOdds {
    /// A product for each lane, its exponent put aside after every factor.
    product: Block,
    exponents: [u64; LANES],
    factors: u64,
}

impl LogisticOfOdds {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { product: [1.0; LANES], exponents: [0; LANES], factors: 0 }
    }

    #[inline(always)]
    fn product(&self) -> f64 {
        self.product.iter().product()
    }

    #[inline(always)]
    fn exponent(&self) -> i64 {
        (self.exponents.iter().sum::<u64>() - self.factors * (1.0_f64.to_bits() >> 52)) as i64
    }
}

impl LogisticOfOdds {
    /// Adds a block of odds, once each. The product must not leave the range of numbers before its exponents are put
    /// aside.
    #[inline(always)]
    pub(super) fn multiply(&mut self, odds: Block) {
        for (product, odds) in self.product.iter_mut().zip(odds) {
            *product *= 1.0 + odds;
        }
    }

    /// The same, twice where the second number is 1 and not 0.
    #[inline(always)]
    pub(super) fn multiply_twice(&mut self, odds: Block, twice: Block) {
        for lane in 0..LANES {
            self.product[lane] *= (1.0 + odds[lane]) * (1.0 + twice[lane] * odds[lane]);
        }
    }

    /// Brings the product back to the range from 1 to 2.
    #[inline(always)]
    pub(super) fn put_exponents_aside(&mut self) {
        const FRACTION: u64 = (1 << 52) - 1;
        for lane in 0..LANES {
            let bits = self.product[lane].to_bits();
            self.exponents[lane] += bits >> 52;
            self.product[lane] = f64::from_bits(bits & FRACTION | 1.0_f64.to_bits());
        }
        self.factors += LANES as u64;
    }
}

impl Sum for LogisticOfOdds {
    #[inline(always)]
    fn add(&mut self, odds: Block, twice: Block) {
        self.multiply_twice(odds, twice);
        self.put_exponents_aside();
    }

    #[inline(always)]
    fn total(self) -> f64 {
        self.product().ln() + self.exponent() as f64 * std::f64::consts::LN_2
    }

    #[inline(always)]
    fn minus(self, other: Self) -> f64 {
        let exponent = self.exponent() - other.exponent();
        (self.product() / other.product()).ln() + exponent as f64 * std::f64::consts::LN_2
    }
}

/// The hinge loss of logits t towards the labels: 2 (margin - t)_+.
pub(super) struct Hinge {
    margin: f64,
    sums: Block,
}

impl Hinge {
    #[inline(always)]
    pub(super) fn new(margin: f64) -> Self {
        Self { margin, sums: [0.0; LANES] }
    }
}

impl Sum for Hinge {
    #[inline(always)]
    fn add(&mut self, towards: Block, twice: Block) {
        for lane in 0..LANES {
            let lacking = f64::max(self.margin - towards[lane], 0.0);
            self.sums[lane] += lacking + twice[lane] * lacking;
        }
    }

    #[inline(always)]
    fn total(self) -> f64 {
        2.0 * self.sums.iter().sum::<f64>()
    }
}

/// The sum of the losses of some logits towards their labels.
#[inline(always)]
pub(super) fn sum(mut sum: impl Sum, towards: &[f64]) -> f64 {
    if towards.is_empty() {
        return 0.0;
    }
    let (blocks, rest) = towards.as_chunks();
    for &block in blocks {
        sum.add(block, [0.0; LANES]);
    }
    let mut last = [SATISFIED; LANES];
    last[..rest.len()].copy_from_slice(rest);
    sum.add(last, [0.0; LANES]);
    sum.total()
}

/// exp(x), within 1e-15 of it relatively; beyond 700 on either side it is that of 700. One simple loop after
/// the other, each of which becomes one instruction.
#[inline(always)]
pub(super) fn exp(mut x: [f64; LANES]) -> [f64; LANES] {
    // Adding this rounds to a whole number and leaves it in the lowest bits.
    const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
    const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    // 1 / k! from k = 0 on.
    const TERMS: [f64; 13] = {
        let mut terms = [1.0; 13];
        let mut k = 1;
        while k < 13 {
            terms[k] = terms[k - 1] / k as f64;
            k += 1;
        }
        terms
    };
    for x in &mut x {
        *x = if *x < -700.0 { -700.0 } else { *x };
        *x = if *x > 700.0 { 700.0 } else { *x };
    }
    let shifted = x.map(|x| x * std::f64::consts::LOG2_E + ROUND);
    let whole = shifted.map(|shifted| shifted - ROUND);
    let mut rest = x;
    for lane in 0..LANES {
        rest[lane] -= whole[lane] * LN_2_HIGH;
    }
    for lane in 0..LANES {
        rest[lane] -= whole[lane] * LN_2_LOW;
    }
    // Neighbouring terms first (Estrin): the chain of dependent operations is a third of Horner's.
    let multiply_add = |a: [f64; LANES], x: &[f64; LANES], b: [f64; LANES]| -> [f64; LANES] {
        let mut sum = b;
        for lane in 0..LANES {
            sum[lane] += a[lane] * x[lane];
        }
        sum
    };
    let pair = |k: usize| multiply_add([TERMS[k + 1]; LANES], &rest, [TERMS[k]; LANES]);
    let square = rest.map(|rest| rest * rest);
    let fourth = square.map(|square| square * square);
    let low = multiply_add(pair(2), &square, pair(0));
    let middle = multiply_add(pair(6), &square, pair(4));
    let high = multiply_add(pair(10), &square, pair(8));
    let high = multiply_add([TERMS[12]; LANES], &fourth, high);
    let mut value = multiply_add(multiply_add(high, &fourth, middle), &fourth, low);
    let power = shifted.map(|shifted| (shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    for lane in 0..LANES {
        value[lane] *= f64::from_bits(power[lane]);
    }
    value
}

#[cfg(test)]
mod tests {
    use crate::model::Loss;

    use super::*;

    #[test]
    fn exponentials_are_right_but_for_the_last_bits() {
        for step in 0..70_000_u32 {
            for x in [-1.0, 1.0].map(|sign| sign * f64::from(step) * 0.009_999) {
                let (got, want) = (exp([x; LANES])[step as usize % LANES], x.exp());
                assert!((got / want - 1.0).abs() < 1e-15, "{x}: {got} {want}");
            }
        }
        assert_eq!(exp([0.0; LANES]), [1.0; LANES]);
        assert!(exp([-1e300; LANES])[0] < 1e-300);
        assert!(exp([f64::NEG_INFINITY; LANES])[7] < 1e-300);
        assert!(exp([SATISFIED; LANES])[0] > 1e300);
    }

    /// Logits of one size and whether they count twice.
    fn positions(size: f64) -> Vec<(Block, Block)> {
        let value = |position: usize, scale: f64| (position as f64 * scale).sin();
        let block = |block: usize| {
            (
                std::array::from_fn(|lane| size * value(block * LANES + lane, 0.37)),
                std::array::from_fn(|lane| f64::from(u8::from(value(block * LANES + lane, 0.91) > 0.0))),
            )
        };
        (0..2500).map(block).collect()
    }

    fn definition(loss: Loss, positions: &[(Block, Block)]) -> f64 {
        let positions = positions.iter().flat_map(|(towards, twice)| towards.iter().zip(twice));
        positions.map(|(&towards, twice)| -(1.0 + twice) * loss.log_likelihood(true, towards, 1.0, 1.5)).sum()
    }

    fn sum(mut sum: impl Sum, positions: &[(Block, Block)]) -> f64 {
        for &(value, twice) in positions {
            sum.add(value, twice);
        }
        sum.total()
    }

    #[test]
    fn sums_are_those_of_the_losses() {
        // From the case where all factors are 4 to that of the largest odds.
        for size in [0.0, 0.1, 3.0, 30.0, 2.0 * MODERATE] {
            let positions = positions(size);
            let odds: Vec<_> =
                positions.iter().map(|&(towards, twice)| (towards.map(|t| (-t).exp()), twice)).collect();
            for (got, loss) in [
                (sum(Logistic::new(), &positions), Loss::Logistic),
                (sum(LogisticOfOdds::new(), &odds), Loss::Logistic),
                (sum(Hinge::new(1.5), &positions), Loss::Hinge),
            ] {
                let want = definition(loss, &positions);
                assert!((got / want - 1.0).abs() < 1e-12, "{size} {loss:?}: {got} {want}");
            }
        }
        let [mut one, mut other] = [LogisticOfOdds::new(), LogisticOfOdds::new()];
        one.add([3.0; LANES], [1.0; LANES]);
        other.add([700.0; LANES], [0.0; LANES]);
        let want = LANES as f64 * (2.0 * 4.0_f64.ln() - 701.0_f64.ln());
        assert!((one.minus(other) / want - 1.0).abs() < 1e-12);
        let worst = ([(2.0 * MODERATE).exp(); LANES], [1.0; LANES]);
        let got = sum(LogisticOfOdds::new(), &vec![worst; 1000]);
        assert!((got / (4.0 * MODERATE * (1000 * LANES) as f64) - 1.0).abs() < 1e-12, "{got}");
    }
}
