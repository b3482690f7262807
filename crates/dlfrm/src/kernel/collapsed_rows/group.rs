//! Pairs of one node that have the same label: their logits and odds, and the sums of their losses, as they
//! are and with a feature taken or given up. See "Collapsed rows" in `docs/model.md`.

use crate::model::{Features, Loss, ValidSettings};

use super::super::LANES;
use super::super::losses::{self, Block, Hinge, Logistic, LogisticOfOdds, MODERATE, SATISFIED, Sum};
use super::effects::Line;

/// Pairs with one label, filled up to whole blocks.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Whether all nodes stand in line, so that no partners are listed.
    all_nodes: bool,
    partners: Vec<[u32; LANES]>,
    /// The logit of each position towards its label. There is a block without pairs at the end.
    towards: Vec<Block>,
    /// 1 where a position stands for two pairs, 0 elsewhere.
    twice: Vec<Block>,
    /// The odds against the label, exp of minus the logit: logistic loss only.
    odds: Vec<Block>,
    /// No logit is below it, and it is not above 0: logistic loss only.
    least: f64,
    /// Whether any position stands for two pairs.
    any_twice: bool,
    /// How many pairs are listed.
    listed: usize,
}

impl Group {
    /// Forgets all pairs; makes a line of so many nodes, if it is to have all nodes.
    #[inline(always)]
    pub(super) fn clear(&mut self, all_nodes: Option<usize>) {
        self.all_nodes = all_nodes.is_some();
        self.any_twice = false;
        self.listed = 0;
        self.partners.clear();
        self.towards.clear();
        self.twice.clear();
        let blocks = 1 + all_nodes.map_or(0, |nodes| nodes.div_ceil(LANES));
        self.towards.resize(blocks, [SATISFIED; LANES]);
        self.twice.resize(blocks, [0.0; LANES]);
    }

    /// Whether all nodes stand in line: then the position of a pair is that of its partner.
    #[inline(always)]
    pub(super) fn all_nodes(&self) -> bool {
        self.all_nodes
    }

    #[inline(always)]
    pub(super) fn partners(&self) -> &[u32] {
        &self.partners.as_flattened()[..self.listed]
    }

    /// A pair with a partner stands in the line of all nodes.
    #[inline(always)]
    pub(super) fn stand(&mut self, partner: u32, towards: f64) {
        self.towards.as_flattened_mut()[partner as usize] = towards;
    }

    /// Adds one pair, or two with the same partner and logit.
    #[inline(always)]
    pub(super) fn add(&mut self, partner: u32, times: u8, towards: f64) {
        let position = if self.all_nodes { partner as usize } else { self.listed };
        let (block, lane) = (position / LANES, position % LANES);
        if !self.all_nodes {
            if lane == 0 {
                self.partners.push([0; LANES]);
                self.towards.push([SATISFIED; LANES]);
                self.twice.push([0.0; LANES]);
            }
            self.partners[block][lane] = partner;
            self.listed += 1;
        }
        self.towards[block][lane] = towards;
        self.twice[block][lane] = f64::from(times - 1);
        self.any_twice |= times > 1;
    }

    /// Finds the odds of all positions, which have got other logits.
    #[inline(always)]
    pub(super) fn find_odds(&mut self, loss: Loss) {
        if loss != Loss::Logistic {
            return;
        }
        self.odds.resize(self.odds.len().max(self.towards.len()), [0.0; LANES]);
        let mut least = [0.0; LANES];
        for (odds, towards) in self.odds.iter_mut().zip(&self.towards) {
            let mut against = *towards;
            for lane in 0..LANES {
                against[lane] = -against[lane];
                least[lane] = f64::min(least[lane], towards[lane]);
            }
            *odds = losses::exp(against);
        }
        // A pair may be satisfied beyond all measure: then it costs nothing.
        self.least = least.iter().copied().fold(0.0, f64::min);
    }

    /// Whether no logit is beyond what the odds can be trusted with (logistic loss only).
    #[inline(always)]
    pub(super) fn moderate(&self) -> bool {
        self.least >= -MODERATE
    }

    #[inline(always)]
    pub(super) fn add_beside(&mut self, effects: impl Iterator<Item = Block>, add: impl Fn(f64, f64) -> f64) {
        for (towards, effects) in self.towards.iter_mut().zip(effects) {
            *towards = stepped(towards, &effects, &add);
        }
    }

    /// Changes all odds by the factors beside them. The logits are no longer up to date then, unless odds cannot be
    /// trusted any more.
    #[inline(always)]
    pub(super) fn change_odds(
        &mut self,
        factors: impl Iterator<Item = Block>,
        step: impl Fn(f64, f64) -> f64,
    ) {
        let mut largest = [1.0; LANES];
        for (odds, factors) in self.odds.iter_mut().zip(factors) {
            *odds = stepped(odds, &factors, &step);
            for lane in 0..LANES {
                largest[lane] = f64::max(largest[lane], odds[lane]);
            }
        }
        self.least = -largest.iter().copied().fold(1.0, f64::max).ln();
        if !self.moderate() {
            let positions = self.towards.as_flattened_mut().iter_mut().zip(self.odds.as_flattened());
            positions.take(self.listed).for_each(|(towards, odds)| *towards = -odds.ln());
        }
    }

    /// Adds to each logit the sum of something over its partner's features, with a sign.
    #[inline(always)]
    pub(super) fn add_to_each(&mut self, sign: f64, features: &Features, value: impl Fn(u32) -> f64) {
        let partners = &self.partners.as_flattened()[..self.listed];
        for (towards, &partner) in self.towards.as_flattened_mut().iter_mut().zip(partners) {
            let sum: f64 = features.row(partner as usize).iter().map(|&slot| value(slot)).sum();
            *towards += sign * sum;
        }
    }

    /// Adds the effects of a feature (sign 1) or takes them away (-1).
    #[inline(always)]
    pub(super) fn shift(&mut self, Line { effects, .. }: Line, sign: f64) {
        let add = |towards, effect| towards + sign * effect;
        if self.all_nodes {
            self.add_beside(effects.iter().copied(), add);
        } else {
            for (towards, partners) in self.towards.iter_mut().zip(&self.partners) {
                *towards = stepped(towards, &pick(partners, effects), &add);
            }
        }
    }

    #[inline(always)]
    pub(super) fn step(&mut self, positions: &[[u32; LANES]], step: f64) {
        let towards = self.towards.as_flattened_mut();
        for &position in positions.as_flattened() {
            towards[position as usize] += step;
        }
    }

    /// The same, and the odds are found there.
    #[inline(always)]
    pub(super) fn step_with_odds(&mut self, positions: &[[u32; LANES]], step: f64, loss: Loss) {
        self.step(positions, step);
        if loss != Loss::Logistic {
            return;
        }
        let all_odds = self.odds.as_flattened_mut();
        for positions in positions {
            let towards = at(self.towards.as_flattened(), positions);
            let odds = losses::exp(towards.map(|towards| -towards));
            for (&position, odds) in positions.iter().zip(odds) {
                all_odds[position as usize] = odds;
            }
            // A bound from then on: the logit that was the least may have grown.
            self.least = towards.into_iter().fold(self.least, f64::min);
        }
    }
}

#[inline(always)]
fn at(values: &[f64], positions: &[u32; LANES]) -> Block {
    let mut found = [0.0; LANES];
    for (found, &position) in found.iter_mut().zip(positions) {
        *found = values[position as usize];
    }
    found
}

#[inline(always)]
fn stepped(values: &Block, effects: &Block, step: &impl Fn(f64, f64) -> f64) -> Block {
    let mut stepped = [0.0; LANES];
    for lane in 0..LANES {
        stepped[lane] = step(values[lane], effects[lane]);
    }
    stepped
}

#[inline(always)]
fn pick(partners: &[u32; LANES], effects: &[Block]) -> Block {
    at(effects.as_flattened(), partners)
}

/// A product of odds is not brought back to the range from 1 to 2 before its exponent may be as large as this.
const LARGEST_EXPONENT: f64 = 1000.0;

impl Group {
    /// The summed losses at unit cost.
    #[inline(always)]
    pub(super) fn losses(&self, settings: &ValidSettings) -> f64 {
        match settings.model.loss {
            Loss::Logistic if self.moderate() => self.sum(LogisticOfOdds::new(), &self.odds),
            Loss::Logistic => self.sum(Logistic::new(), &self.towards),
            Loss::Hinge => self.sum(Hinge::new(settings.margin), &self.towards),
        }
    }

    /// The same with the effects of a feature added (sign 1) or taken away (-1).
    #[inline(always)]
    pub(super) fn losses_with(&self, line: Line, sign: f64, settings: &ValidSettings) -> f64 {
        let add = |towards, effect| towards + sign * effect;
        match settings.model.loss {
            Loss::Hinge => self.sum_over(Hinge::new(settings.margin), line.effects, add),
            Loss::Logistic if !(self.moderate() && line.moderate()) => {
                self.sum_over(Logistic::new(), line.effects, add)
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
    pub(super) fn sum_beside<S: Sum>(
        &self,
        mut sum: S,
        effects: impl Iterator<Item = Block>,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        for ((towards, &twice), effects) in self.towards.iter().zip(&self.twice).zip(effects) {
            sum.add(stepped(towards, &effects, &step), twice);
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
    pub(super) fn sum_of_odds<B>(
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

    #[inline(always)]
    fn sum<S: Sum>(&self, mut sum: S, values: &[Block]) -> f64 {
        for (&values, &twice) in values.iter().zip(&self.twice) {
            sum.add(values, twice);
        }
        sum.total()
    }

    /// Sums over all logits what becomes of them by the effects on their partners.
    #[inline(always)]
    fn sum_over<S: Sum>(&self, sum: S, effects: &[Block], step: impl Fn(f64, f64) -> f64) -> f64 {
        if self.all_nodes {
            self.sum_beside(sum, effects.iter().copied(), step)
        } else {
            self.sum_beside(sum, self.partners.iter().map(|partners| pick(partners, effects)), step)
        }
    }

    /// What the losses at unit cost grow by, if the logits at some positions take a step.
    #[inline(always)]
    pub(super) fn more_loss(&self, positions: &[[u32; LANES]], step: f64, settings: &ValidSettings) -> f64 {
        if positions.is_empty() {
            return 0.0;
        }
        match settings.model.loss {
            Loss::Hinge => self.difference_at(positions, step, || Hinge::new(settings.margin)),
            Loss::Logistic if self.moderate() && step.abs() <= MODERATE => {
                self.difference_of_odds(positions, step)
            }
            Loss::Logistic => self.difference_at(positions, step, Logistic::new),
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

    #[inline(always)]
    fn difference_at<S: Sum>(&self, positions: &[[u32; LANES]], step: f64, sum: impl Fn() -> S) -> f64 {
        let (mut before, mut after) = (sum(), sum());
        let (towards, all_twice) = (self.towards.as_flattened(), self.twice.as_flattened());
        for positions in positions {
            let (here, twice) = (at(towards, positions), at(all_twice, positions));
            before.add(here, twice);
            after.add(here.map(|towards| towards + step), twice);
        }
        after.minus(before)
    }
}
