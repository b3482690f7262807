//! A row with diagonal weights in a sparse network: a feature acts on the pairs whose other end has it too.
//! See "Collapsed rows" in `docs/model.md`.
//!
//! The pairs of the entity stand in blocks, links first. Which of the eight pairs of a block a feature acts on is a byte, so
//! that what it does to the losses of a block is a few instructions for all eight.

use rayon::prelude::*;

use crate::model::{FeatureBits, Loss, State, ValidSettings, transpose};
use crate::network::Pairs;

use super::super::losses::{self, Block, Hinge, Logistic, MODERATE, SATISFIED};
use super::super::row::Row;
use super::super::{Context, LANES, unsampled};
use super::masks::{Masks, log_of_change, more_loss, pick, shares};

/// What is known of all rows and weights in a sweep.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) bits: FeatureBits,
    /// exp(w) and exp(-w) of each weight w.
    factors: Vec<[f64; 2]>,
    /// The size of the largest weight.
    largest: f64,
    /// The offsets of pairs in the order of targets, if pairs have offsets: looked up by number they would be all over the
    /// memory.
    offsets_to: Vec<f64>,
    pub(super) unsampled: unsampled::Known,
}

impl Known {
    /// Looks at all rows and weights. The memory of the rates, which are of no use until they are drawn again, serves until
    /// [`give_back`](Self::give_back).
    pub(super) fn fill(&mut self, context: &Context<'_>, state: &mut State) {
        let pairs = context.pairs;
        self.unsampled.fill(context, state);
        self.offsets_to = std::mem::take(&mut state.rates);
        let numbers = if state.offsets.is_empty() { &[][..] } else { pairs.numbers_to() };
        let gather = |(offsets, numbers): (&mut [f64], &[u32])| {
            for (offset, &number) in offsets.iter_mut().zip(numbers) {
                *offset = state.offsets[number as usize];
            }
        };
        self.offsets_to.par_chunks_mut(CHUNK).zip(numbers.par_chunks(CHUNK)).for_each(gather);
        let weights = &state.weights.diagonal()[..state.features.slots()];
        self.bits.fill(&state.features);
        self.factors.clear();
        self.factors.extend(weights.iter().map(|weight| [weight.exp(), (-weight).exp()]));
        self.largest = weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max);
    }

    /// An entity takes and gives up features.
    #[inline(always)]
    pub(super) fn apply(&mut self, entity: usize, changes: &[(u32, bool)], pairs: &Pairs) {
        self.bits.flip(entity, changes);
        self.unsampled.apply(entity, changes, pairs);
    }

    /// Gives the memory of the rates back.
    pub(super) fn give_back(&mut self, state: &mut State) {
        state.rates = std::mem::take(&mut self.offsets_to);
    }
}

/// Pairs that a thread gathers at a time.
const CHUNK: usize = 1 << 16;

/// Reused memory of a row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Links, and non-links: their logits towards the label, and their other ends.
    listed: [Listed; 2],
    /// The number of blocks of links, which stand first.
    links: usize,
    /// The logit of each pair towards its label.
    towards: Vec<Block>,
    /// The odds against its label, 1 / (1 + odds) and odds / (1 + odds), where odds can be trusted.
    odds: Vec<Block>,
    shares: Vec<[Block; 2]>,
    /// For each block, a byte per feature: which of its pairs the feature acts on.
    masks: Vec<u8>,
    touched: Vec<u32>,
    /// The features of all partners together.
    all: Vec<u64>,
    unsampled: unsampled::Row,
}

#[derive(Debug, Default)]
struct Listed {
    towards: Vec<f64>,
    partners: Vec<u32>,
}

/// How losses are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The logistic loss as a product of odds.
    Odds,
    /// The logistic loss of logits that odds cannot be trusted with.
    Logits,
    /// The hinge loss.
    Hinge,
}

/// The row at hand, under the loss itself.
pub(super) struct SparseDiagonalRow<'a> {
    scratch: &'a mut Scratch,
    known: &'a Known,
    settings: &'a ValidSettings,
    form: Form,
    /// No logit is larger than this.
    bound: f64,
}

impl<'a> SparseDiagonalRow<'a> {
    /// Gathers the pairs of an entity.
    #[inline(always)]
    pub(super) fn prepare(
        entity: usize,
        context: &Context<'a>,
        state: &State,
        known: &'a Known,
        scratch: &'a mut Scratch,
    ) -> Self {
        let largest = scratch.list(entity, context, state, known);
        scratch.arrange(&known.bits);
        scratch.unsampled.prepare(entity, &known.unsampled, context.pairs, state);
        let own = state.features.row(entity);
        for &slot in own {
            scratch.step(slot as usize, state.weights.diagonal()[slot as usize], known.bits.words());
        }
        let own: f64 = own.iter().map(|&slot| state.weights.diagonal()[slot as usize].abs()).sum();
        let bound = largest + own;
        let form = match context.settings.model.loss {
            Loss::Hinge => Form::Hinge,
            Loss::Logistic if bound + known.largest <= MODERATE => Form::Odds,
            Loss::Logistic => Form::Logits,
        };
        if form == Form::Odds {
            scratch.find_odds();
        }
        Self { scratch, known, settings: context.settings, form, bound }
    }
}

impl Scratch {
    /// Lists the pairs with partners that have features: the others say nothing about features. Returns the size of the
    /// largest logit.
    #[inline(always)]
    fn list(&mut self, entity: usize, context: &Context<'_>, state: &State, known: &Known) -> f64 {
        let pairs = context.pairs;
        for listed in &mut self.listed {
            listed.towards.clear();
            listed.partners.clear();
        }
        let outgoing = pairs.from(entity);
        for (pair, &target) in outgoing.clone().zip(&pairs.targets()[outgoing]) {
            self.add(target, pairs.label(pair), state.offset(pair), &known.bits);
        }
        let sources = pairs.to(entity).0.iter().zip(pairs.labels_to(entity));
        if state.offsets.is_empty() {
            sources.for_each(|(&source, &label)| self.add(source, label, state.intercept, &known.bits));
        } else {
            let offsets = &known.offsets_to[pairs.to_range(entity)];
            for ((&source, &label), &offset) in sources.zip(offsets) {
                self.add(source, label, offset, &known.bits);
            }
        }
        let towards = self.listed.iter().flat_map(|listed| &listed.towards);
        towards.fold(0.0, |largest, towards| f64::max(largest, towards.abs()))
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, link: bool, offset: f64, bits: &FeatureBits) {
        if bits.row(partner as usize).iter().any(|&word| word != 0) {
            let Listed { towards, partners } = &mut self.listed[usize::from(!link)];
            towards.push(if link { offset } else { -offset });
            partners.push(partner);
        }
    }

    /// Puts the listed pairs into blocks.
    #[inline(always)]
    fn arrange(&mut self, bits: &FeatureBits) {
        let words = bits.words();
        self.all.clear();
        self.all.resize(words, 0);
        self.towards.clear();
        self.masks.clear();
        for Listed { towards, partners } in &mut self.listed {
            let pairs = towards.len().next_multiple_of(LANES);
            towards.resize(pairs, SATISFIED);
            partners.resize(pairs, bits.empty());
            self.towards.extend_from_slice(towards.as_chunks().0);
            let first = self.masks.len();
            self.masks.resize(first + 64 * words * pairs / LANES, 0);
            let mut masks = self.masks[first..].as_chunks_mut::<64>().0.iter_mut();
            for partners in partners.as_chunks::<LANES>().0 {
                for (word, all) in self.all.iter_mut().enumerate() {
                    let rows = partners.map(|partner| bits.row(partner as usize)[word]);
                    *all |= rows.iter().fold(0, |all, row| all | row);
                    *masks.next().expect("there is room for every word") = transpose(rows);
                }
            }
        }
        self.links = self.listed[0].towards.len() / LANES;
        self.touched.clear();
        let (all, touched) = (&self.all, &mut self.touched);
        FeatureBits::for_common(all, all, |slot| touched.push(slot as u32));
    }

    /// Finds the odds of all pairs.
    #[inline(always)]
    fn find_odds(&mut self) {
        self.odds.clear();
        self.odds.extend(self.towards.iter().map(|towards| losses::exp(towards.map(|towards| -towards))));
        self.shares.clear();
        self.shares.extend(self.odds.iter().map(shares));
    }

    /// The logits that a feature acts on take a step.
    #[inline(always)]
    fn step(&mut self, slot: usize, step: f64, words: usize) {
        let masks = self.masks.chunks_exact(64 * words).map(|masks| masks[slot]);
        for (block, (mask, towards)) in masks.zip(&mut self.towards).enumerate() {
            if mask != 0 {
                let step = if block < self.links { step } else { -step };
                *towards = pick(mask, &towards.map(|towards| towards + step), towards);
            }
        }
    }
}

impl Row for SparseDiagonalRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let Self { scratch, known, settings, form, .. } = self;
        let unsampled = known.unsampled.more_loss(&scratch.unsampled, k, has);
        if scratch.all[k / 64] >> (k % 64) & 1 == 0 {
            return -unsampled;
        }
        let sign = if has { -1.0 } else { 1.0 };
        let step = sign * state.weights.diagonal()[k];
        let [links, non_links] = Masks::of(&scratch.masks, scratch.links, known.bits.words(), k);
        let towards = scratch.towards.split_at(scratch.links);
        let (of_links, of_non_links) = match form {
            Form::Odds => {
                let shares = scratch.shares.split_at(scratch.links);
                let [up, down] = known.factors[k];
                let (for_links, for_non_links) = if has { (up, down) } else { (down, up) };
                (
                    log_of_change(links, shares.0, for_links, step),
                    log_of_change(non_links, shares.1, for_non_links, step),
                )
            }
            Form::Logits => (
                more_loss(links, towards.0, step, Logistic::new),
                more_loss(non_links, towards.1, -step, Logistic::new),
            ),
            Form::Hinge => {
                let hinge = || Hinge::new(settings.margin);
                (more_loss(links, towards.0, step, hinge), more_loss(non_links, towards.1, -step, hinge))
            }
        };
        -sign * (settings.cost(true) * of_links + settings.cost(false) * of_non_links) - unsampled
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        let step = sign * state.weights.diagonal()[k];
        self.scratch.step(k, step, self.known.bits.words());
        if self.form == Form::Odds {
            self.bound += sign * step.abs();
            if self.bound + self.known.largest > MODERATE {
                self.form = Form::Logits;
            } else {
                self.change_odds(k, sign);
            }
        }
    }

    #[inline(always)]
    fn touched(&self) -> Option<&[u32]> {
        Some(&self.scratch.touched)
    }

    #[inline(always)]
    fn untouched_gain(&self, k: usize) -> f64 {
        -self.known.unsampled.more_loss(&self.scratch.unsampled, k, false)
    }
}

impl SparseDiagonalRow<'_> {
    /// The odds of the pairs that a feature acts on follow their logits.
    #[inline(always)]
    fn change_odds(&mut self, k: usize, sign: f64) {
        let Self { scratch: Scratch { odds, shares: all_shares, masks, links, .. }, known, .. } = self;
        let [up, down] = known.factors[k];
        let (for_links, for_non_links) = if sign > 0.0 { (down, up) } else { (up, down) };
        let masks = masks.chunks_exact(64 * known.bits.words()).map(|masks| masks[k]);
        for (block, ((mask, odds), share)) in masks.zip(&mut *odds).zip(&mut **all_shares).enumerate() {
            if mask != 0 {
                let factor = if block < *links { for_links } else { for_non_links };
                *odds = pick(mask, &odds.map(|odds| odds * factor), odds);
                *share = shares(odds);
            }
        }
    }
}
