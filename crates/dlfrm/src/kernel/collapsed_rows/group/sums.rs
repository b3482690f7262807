//! Sums of the losses of a group of pairs, as they are and with a feature taken or given up.
//! See "Collapsed rows" in `docs/model.md`.

use crate::model::{Loss, ValidSettings};

use super::super::super::LANES;
use super::super::super::losses::{Block, Hinge, Logistic, LogisticOfOdds, MODERATE, Sum};
use super::super::effects::Line;
use super::{Group, at, pick, stepped};

/// A product of odds is not brought back to the range from 1 to 2 before its exponent may be as large as this.
const LARGEST_EXPONENT: f64 = 1000.0;

impl Group {
    /// The summed losses at unit cost.
    #[inline(always)]
    pub(in super::super) fn losses(&self, settings: &ValidSettings) -> f64 {
        match settings.model.loss {
            Loss::Logistic if self.moderate() => self.sum(LogisticOfOdds::new(), &self.odds),
            Loss::Logistic => self.sum(Logistic::new(), &self.towards),
            Loss::Hinge => self.sum(Hinge::new(settings.margin), &self.towards),
        }
    }

    /// The same with the effects of a feature added (sign 1) or taken away (-1).
    #[inline(always)]
    pub(in super::super) fn losses_with(&self, line: Line, sign: f64, settings: &ValidSettings) -> f64 {
        let add = |towards, effect| towards + sign * effect;
        match settings.model.loss {
            Loss::Hinge => self.sum_over(Hinge::new(settings.margin), &self.towards, line.effects, add),
            Loss::Logistic if !(self.moderate() && line.moderate()) => {
                self.sum_over(Logistic::new(), &self.towards, line.effects, add)
            }
            Loss::Logistic if sign < 0.0 => self.sum_of_odds_over(line, |odds, factor| odds * factor),
            Loss::Logistic => self.sum_of_odds_over(line, |odds, factor| odds / factor),
        }
    }

    /// Sums over all odds what becomes of them by the effects of a feature on their partners.
    #[inline(always)]
    fn sum_of_odds_over(&self, line: Line, step: impl Fn(f64, f64) -> f64) -> f64 {
        if self.all_nodes {
            self.sum_of_odds(line.odds, |&factors| factors, line.largest, step)
        } else {
            self.sum_of_odds(&self.partners, |partners| pick(partners, line.odds), line.largest, step)
        }
    }

    /// Sums over all logits what becomes of them by the effects beside them.
    #[inline(always)]
    pub(in super::super) fn sum_beside<S: Sum>(
        &self,
        sum: S,
        effects: impl Iterator<Item = Block>,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        self.sum_stepped(sum, &self.towards, effects, step)
    }

    /// Sums over all positions what becomes of their values by the effects beside them.
    #[inline(always)]
    fn sum_stepped<S: Sum>(
        &self,
        mut sum: S,
        values: &[Block],
        effects: impl Iterator<Item = Block>,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        for ((values, &twice), effects) in values.iter().zip(&self.twice).zip(effects) {
            sum.add(stepped(values, &effects, &step), twice);
        }
        sum.total()
    }

    /// How many blocks of odds, times factors at most exp of `largest`, are multiplied before exponents are put aside.
    #[inline(always)]
    fn rounds(&self, largest: f64) -> usize {
        // 1 + odds, twice, is below 2 to this power.
        let exponent = 2.0 * (1.0 + std::f64::consts::LOG2_E * (largest - self.least));
        (LARGEST_EXPONENT / exponent).max(1.0) as usize
    }

    /// Sums over all odds what becomes of them by factors, at most exp of `largest`, that are found from what is beside them.
    ///
    /// The loops inside have no branches: with one the compiler no longer keeps the products in one vector.
    #[inline(always)]
    pub(in super::super) fn sum_of_odds<B>(
        &self,
        beside: &[B],
        factors: impl Fn(&B) -> Block,
        largest: f64,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        let rounds = self.rounds(largest);
        let mut sum = LogisticOfOdds::new();
        let chunks = self.odds.chunks(rounds).zip(self.twice.chunks(rounds)).zip(beside.chunks(rounds));
        for ((odds, twice), beside) in chunks {
            if self.any_twice {
                for ((odds, &twice), beside) in odds.iter().zip(twice).zip(beside) {
                    sum.multiply_twice(stepped(odds, &factors(beside), &step), twice);
                }
            } else {
                for (odds, beside) in odds.iter().zip(beside) {
                    sum.multiply(stepped(odds, &factors(beside), &step));
                }
            }
            sum.put_exponents_aside();
        }
        sum.total()
    }

    /// Sums over all positions as they are.
    #[inline(always)]
    fn sum<S: Sum>(&self, mut sum: S, values: &[Block]) -> f64 {
        for (&values, &twice) in values.iter().zip(&self.twice) {
            sum.add(values, twice);
        }
        sum.total()
    }

    /// Sums over all positions what becomes of their values by the effects on their partners.
    #[inline(always)]
    fn sum_over<S: Sum>(
        &self,
        mut sum: S,
        values: &[Block],
        effects: &[Block],
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        if self.all_nodes {
            return self.sum_stepped(sum, values, effects.iter().copied(), step);
        }
        for ((values, &twice), partners) in values.iter().zip(&self.twice).zip(&self.partners) {
            sum.add(stepped(values, &pick(partners, effects), &step), twice);
        }
        sum.total()
    }

    /// What the losses at unit cost grow by, if the logits at some positions take a step.
    #[inline(always)]
    pub(in super::super) fn more_loss(
        &self,
        positions: &[[u32; LANES]],
        step: f64,
        settings: &ValidSettings,
    ) -> f64 {
        if positions.is_empty() {
            return 0.0;
        }
        match settings.model.loss {
            Loss::Hinge => {
                let sums = [(); 2].map(|()| Hinge::new(settings.margin));
                self.difference_at(sums, &self.towards, positions, |towards| towards + step)
            }
            Loss::Logistic if self.moderate() && step.abs() <= MODERATE => {
                self.difference_of_odds(positions, step)
            }
            Loss::Logistic => {
                let sums = [(); 2].map(|()| Logistic::new());
                self.difference_at(sums, &self.towards, positions, |towards| towards + step)
            }
        }
    }

    /// The same for moderate logits, from the odds.
    #[inline(always)]
    fn difference_of_odds(&self, positions: &[[u32; LANES]], step: f64) -> f64 {
        let factor = (-step).exp();
        let [mut before, mut after] = [(); 2].map(|()| LogisticOfOdds::new());
        let (odds, all_twice) = (self.odds.as_flattened(), self.twice.as_flattened());
        for positions in positions.chunks(self.rounds(step.abs())) {
            if self.any_twice {
                for positions in positions {
                    let (here, twice) = (at(odds, positions), at(all_twice, positions));
                    before.multiply_twice(here, twice);
                    after.multiply_twice(here.map(|odds| odds * factor), twice);
                }
            } else {
                for positions in positions {
                    let here = at(odds, positions);
                    before.multiply(here);
                    after.multiply(here.map(|odds| odds * factor));
                }
            }
            before.put_exponents_aside();
            after.put_exponents_aside();
        }
        after.minus(before)
    }

    /// The sum over some positions of what becomes of their values, less that of what they are.
    #[inline(always)]
    fn difference_at<S: Sum>(
        &self,
        [mut before, mut after]: [S; 2],
        values: &[Block],
        positions: &[[u32; LANES]],
        step: impl Fn(f64) -> f64,
    ) -> f64 {
        let (values, all_twice) = (values.as_flattened(), self.twice.as_flattened());
        for positions in positions {
            let (here, twice) = (at(values, positions), at(all_twice, positions));
            before.add(here, twice);
            after.add(here.map(&step), twice);
        }
        after.minus(before)
    }
}
