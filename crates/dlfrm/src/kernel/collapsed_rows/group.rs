//! Pairs of one node that have the same label: their logits and odds. See "Collapsed rows" in `docs/model.md`.

mod sums;

use crate::model::{Features, Loss};

use super::super::LANES;
use super::super::losses::{self, Block, MODERATE, SATISFIED};
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

    /// The partners of the listed pairs.
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

    /// Adds the effects beside the logits.
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

    /// The logits at some positions take a step.
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

/// The values at some positions.
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

/// The effects on the listed partners.
#[inline(always)]
fn pick(partners: &[u32; LANES], effects: &[Block]) -> Block {
    at(effects.as_flattened(), partners)
}
