//! Sums of losses over many pairs, written so that the compiler vectorises them.

use crate::model::Loss;

use super::LANES;

/// Blocks between two logarithms: a factor is at most 2, so the product of all lanes stays below 2^1000.
const BLOCKS: usize = 1000 / LANES;

/// The sum of the losses at unit cost (the negative log pseudo-likelihood) of blocks of values, a value
/// being the logit of a pair towards its label.
#[inline(always)]
pub(super) fn total(loss: Loss, margin: f64, towards: impl ExactSizeIterator<Item = [f64; LANES]>) -> f64 {
    match loss {
        Loss::Logistic => logistic(towards),
        Loss::Hinge => hinge(margin, towards),
    }
}

/// sum log(1 + exp -t) = sum (-t)_+ + log prod (1 + exp -|t|).
#[inline(always)]
fn logistic(towards: impl ExactSizeIterator<Item = [f64; LANES]>) -> f64 {
    let mut linear = [0.0; LANES];
    let mut product = [1.0; LANES];
    let mut logs = 0.0;
    for (number, towards) in towards.enumerate() {
        let exponentials = exp_of_negative(towards.map(|towards| -towards.abs()));
        for lane in 0..LANES {
            linear[lane] += f64::max(-towards[lane], 0.0);
            product[lane] *= 1.0 + exponentials[lane];
        }
        if number % BLOCKS == BLOCKS - 1 {
            logs += product.iter().product::<f64>().ln();
            product = [1.0; LANES];
        }
    }
    logs + product.iter().product::<f64>().ln() + linear.iter().sum::<f64>()
}

/// 2 sum (margin - t)_+.
#[inline(always)]
fn hinge(margin: f64, towards: impl ExactSizeIterator<Item = [f64; LANES]>) -> f64 {
    let mut sums = [0.0; LANES];
    for towards in towards {
        for lane in 0..LANES {
            sums[lane] += f64::max(margin - towards[lane], 0.0);
        }
    }
    2.0 * sums.iter().sum::<f64>()
}

/// exp(x) for x <= 0, within 1e-15 of it relatively; below -700 it is that of -700. One simple loop after
/// the other, each of which becomes one instruction.
#[inline(always)]
fn exp_of_negative(mut x: [f64; LANES]) -> [f64; LANES] {
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
    use super::*;

    #[test]
    fn exponentials_are_right_but_for_the_last_bits() {
        for step in 0..70_000_u32 {
            let x = -f64::from(step) * 0.009_999;
            let (got, want) = (exp_of_negative([x; LANES])[step as usize % LANES], x.exp());
            assert!((got / want - 1.0).abs() < 1e-15, "{x}: {got} {want}");
        }
        assert_eq!(exp_of_negative([0.0; LANES]), [1.0; LANES]);
        assert!(exp_of_negative([-1e300; LANES])[0] < 1e-300);
        assert!(exp_of_negative([f64::NEG_INFINITY; LANES])[7] < 1e-300);
    }

    #[test]
    fn sums_are_those_of_the_losses() {
        let blocks: Vec<[f64; LANES]> = (0..2500)
            .map(|block| std::array::from_fn(|lane| ((block * LANES + lane) as f64 * 0.37).sin() * 30.0))
            .collect();
        for loss in [Loss::Logistic, Loss::Hinge] {
            let got = total(loss, 1.5, blocks.iter().copied());
            let want: f64 = blocks.iter().flatten().map(|&t| -loss.log_likelihood(true, t, 1.0, 1.5)).sum();
            assert!((got / want - 1.0).abs() < 1e-13, "{got} {want}");
        }
        // What fills up a block adds nothing.
        for loss in [Loss::Logistic, Loss::Hinge] {
            assert_eq!(total(loss, 1.5, [[1e30; LANES]].into_iter()), 0.0);
        }
    }
}
