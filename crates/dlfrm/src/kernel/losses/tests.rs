//! Sums of losses, and the exponential, against their definitions.

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

#[test]
fn what_fills_up_a_block_adds_nothing() {
    let filler = ([SATISFIED; LANES], [0.0; LANES]);
    assert_eq!(sum(Logistic::new(), &[filler]), 0.0);
    assert_eq!(sum(Hinge::new(1.5), &[filler]), 0.0);
    let odds = exp([-SATISFIED; LANES]).map(|odds| odds * MODERATE.exp());
    assert_eq!(sum(LogisticOfOdds::new(), &[(odds, [0.0; LANES])]), 0.0);
}

/// A sum for each lane is that of the logits there.
#[test]
fn lanes_are_summed_by_themselves() {
    for size in [1e-3, 1.0, 30.0, 1e3] {
        let positions = positions(size);
        let mut sums = LogisticLanes::new();
        for (towards, _) in &positions {
            sums.add(*towards);
        }
        for (lane, total) in sums.totals().into_iter().enumerate() {
            let each = positions.iter().map(|(towards, _)| towards[lane]);
            let expected: f64 =
                each.map(|towards| -Loss::Logistic.log_likelihood(true, towards, 1.0, 1.0)).sum();
            assert!((total / expected - 1.0).abs() < 1e-12, "{size}, {lane}: {total} {expected}");
        }
    }
}
