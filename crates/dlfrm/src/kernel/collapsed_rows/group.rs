//! Pairs of one entity that have the same label, and their losses.

use crate::model::{Features, Loss, ValidSettings};

use super::super::LANES;
use super::super::losses::{self, Block, Hinge, Logistic, LogisticOfOdds, MODERATE, SATISFIED, Sum};
use super::effects::Line;

/// Pairs with one label, filled up to whole blocks.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Whether all entities stand in line, so that no partners are listed.
    all_entities: bool,
    partners: Vec<[u32; LANES]>,
    /// The logit of each position towards its label. There is a block without pairs at the end.
    towards: Vec<Block>,
    /// 1 where a position stands for two pairs, 0 elsewhere.
    twice: Vec<Block>,
    /// The odds against the label, exp of minus the logit: logistic loss only.
    odds: Vec<Block>,
    /// The least logit, or 0 if none is below it: logistic loss only.
    least: f64,
    /// Whether any position stands for two pairs.
    any_twice: bool,
    /// How many pairs are listed.
    listed: usize,
}

impl Group {
    /// Forgets all pairs; makes a line of so many entities, if it is to have all entities.
    #[inline(always)]
    pub(super) fn clear(&mut self, all_entities: Option<usize>) {
        self.all_entities = all_entities.is_some();
        self.any_twice = false;
        self.listed = 0;
        self.partners.clear();
        self.towards.clear();
        self.twice.clear();
        let blocks = 1 + all_entities.map_or(0, |entities| entities.div_ceil(LANES));
        self.towards.resize(blocks, [SATISFIED; LANES]);
        self.twice.resize(blocks, [0.0; LANES]);
    }

    /// Whether all entities stand in line: then the position of a pair is that of its partner.
    #[inline(always)]
    pub(super) fn all_entities(&self) -> bool {
        self.all_entities
    }

    /// The partners of the listed pairs.
    #[inline(always)]
    pub(super) fn partners(&self) -> &[u32] {
        &self.partners.as_flattened()[..self.listed]
    }

    /// Adds one pair, or two with the same partner and logit.
    #[inline(always)]
    pub(super) fn add(&mut self, partner: u32, times: u8, towards: f64) {
        let position = if self.all_entities { partner as usize } else { self.listed };
        let (block, lane) = (position / LANES, position % LANES);
        if !self.all_entities {
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

    /// The same for some positions.
    #[inline(always)]
    pub(super) fn find_odds_at(&mut self, positions: &[[u32; LANES]], loss: Loss) {
        if loss != Loss::Logistic {
            return;
        }
        let (towards, odds) = (self.towards.as_flattened(), self.odds.as_flattened_mut());
        for positions in positions {
            let mut against = [0.0; LANES];
            for (against, &position) in against.iter_mut().zip(positions) {
                *against = -towards[position as usize];
                self.least = f64::min(self.least, -*against);
            }
            for (value, &position) in losses::exp(against).into_iter().zip(positions) {
                odds[position as usize] = value;
            }
        }
    }

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
            Loss::Hinge => self.sum_over(Hinge::new(settings.margin), &self.towards, line.effects, add),
            Loss::Logistic if !(self.moderate() && line.moderate) => {
                self.sum_over(Logistic::new(), &self.towards, line.effects, add)
            }
            Loss::Logistic if sign < 0.0 => {
                self.sum_over(LogisticOfOdds::new(), &self.odds, line.odds, |odds, factor| odds * factor)
            }
            Loss::Logistic => {
                self.sum_over(LogisticOfOdds::new(), &self.odds, line.odds, |odds, factor| odds / factor)
            }
        }
    }

    /// The least logit towards the label, or 0 if none is below it (logistic loss only).
    #[inline(always)]
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    /// Whether no logit is beyond what the odds can be trusted with (logistic loss only).
    #[inline(always)]
    pub(super) fn moderate(&self) -> bool {
        self.least >= -MODERATE
    }

    /// Sums over all logits what becomes of them by the effects beside them.
    #[inline(always)]
    pub(super) fn sum_beside<'a, S: Sum>(
        &self,
        sum: S,
        effects: impl Iterator<Item = &'a Block>,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        self.sum_stepped(sum, &self.towards, effects, step)
    }

    /// Sums over all positions what becomes of their values by the effects beside them.
    #[inline(always)]
    fn sum_stepped<'a, S: Sum>(
        &self,
        mut sum: S,
        values: &[Block],
        effects: impl Iterator<Item = &'a Block>,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        for ((values, &twice), effects) in values.iter().zip(&self.twice).zip(effects) {
            sum.add(stepped(values, effects, &step), twice);
        }
        sum.total()
    }

    /// Sums over all odds what becomes of them by the factors beside them; after so many blocks the product needs care.
    #[inline(always)]
    pub(super) fn sum_of_odds<'a>(
        &self,
        factors: impl Iterator<Item = &'a Block>,
        rounds: usize,
        step: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        let mut sum = LogisticOfOdds::new();
        let mut left = rounds;
        for ((odds, &twice), factors) in self.odds.iter().zip(&self.twice).zip(factors) {
            let odds = stepped(odds, factors, &step);
            if self.any_twice {
                sum.multiply_twice(odds, twice);
            } else {
                sum.multiply(odds);
            }
            left -= 1;
            if left == 0 {
                sum.put_exponents_aside();
                left = rounds;
            }
        }
        sum.put_exponents_aside();
        sum.total()
    }

    /// Adds the effects beside the logits.
    #[inline(always)]
    pub(super) fn add_beside<'a>(
        &mut self,
        effects: impl Iterator<Item = &'a Block>,
        add: impl Fn(f64, f64) -> f64,
    ) {
        for (towards, effects) in self.towards.iter_mut().zip(effects) {
            *towards = stepped(towards, effects, &add);
        }
    }

    /// Changes all odds by the factors beside them. The logits are no longer up to date then, unless odds cannot be
    /// trusted any more.
    #[inline(always)]
    pub(super) fn change_odds<'a>(
        &mut self,
        factors: impl Iterator<Item = &'a Block>,
        step: impl Fn(f64, f64) -> f64,
    ) {
        let mut largest = [1.0; LANES];
        for (odds, factors) in self.odds.iter_mut().zip(factors) {
            *odds = stepped(odds, factors, &step);
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
        if self.all_entities {
            return self.sum_stepped(sum, values, effects.iter(), step);
        }
        for ((values, &twice), partners) in values.iter().zip(&self.twice).zip(&self.partners) {
            sum.add(stepped(values, &pick(partners, effects), &step), twice);
        }
        sum.total()
    }

    /// Adds the effects of a feature (sign 1) or takes them away (-1).
    #[inline(always)]
    pub(super) fn shift(&mut self, Line { effects, .. }: Line, sign: f64) {
        let add = |towards, effect| towards + sign * effect;
        if self.all_entities {
            self.add_beside(effects.iter(), add);
        } else {
            for (towards, partners) in self.towards.iter_mut().zip(&self.partners) {
                *towards = stepped(towards, &pick(partners, effects), &add);
            }
        }
    }

    /// What the losses at unit cost grow by, if the logits at some positions take a step.
    #[inline(always)]
    pub(super) fn more_loss(&self, positions: &[[u32; LANES]], step: f64, settings: &ValidSettings) -> f64 {
        if positions.is_empty() {
            return 0.0;
        }
        match settings.model.loss {
            Loss::Hinge => {
                let sums = [(); 2].map(|()| Hinge::new(settings.margin));
                self.difference_at(sums, &self.towards, positions, |towards| towards + step)
            }
            Loss::Logistic if self.moderate() && step.abs() <= MODERATE => {
                let factor = (-step).exp();
                let sums = [(); 2].map(|()| LogisticOfOdds::new());
                self.difference_at(sums, &self.odds, positions, |odds| odds * factor)
            }
            Loss::Logistic => {
                let sums = [(); 2].map(|()| Logistic::new());
                self.difference_at(sums, &self.towards, positions, |towards| towards + step)
            }
        }
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
            let (mut here, mut twice) = ([0.0; LANES], [0.0; LANES]);
            for (lane, &position) in positions.iter().enumerate() {
                here[lane] = values[position as usize];
                twice[lane] = all_twice[position as usize];
            }
            let mut there = here;
            for value in &mut there {
                *value = step(*value);
            }
            before.add(here, twice);
            after.add(there, twice);
        }
        after.minus(before)
    }

    /// The logits at some positions take a step.
    #[inline(always)]
    pub(super) fn step(&mut self, positions: &[[u32; LANES]], step: f64) {
        let towards = self.towards.as_flattened_mut();
        for &position in positions.as_flattened() {
            towards[position as usize] += step;
        }
    }
}

#[inline(always)]
fn stepped(values: &Block, effects: &Block, step: &impl Fn(f64, f64) -> f64) -> Block {
    let mut stepped = [0.0; LANES];
    for lane in 0..LANES {
        stepped[lane] = step(values[lane], effects[lane]);
    }
    stepped
}

/// The effects on the listed partners.
#[inline(always)]
fn pick(partners: &[u32; LANES], effects: &[Block]) -> Block {
    let effects = effects.as_flattened();
    let mut picked = [0.0; LANES];
    for (picked, &partner) in picked.iter_mut().zip(partners) {
        *picked = effects[partner as usize];
    }
    picked
}
