//! A row with diagonal weights in a sparse network, in one pass over the features of its partners.
//! See "Collapsed rows" in `docs/model.md`.
//!
//! A feature acts on the pairs whose other end has it too. The pass multiplies up, for every feature at once, what the
//! losses of these pairs would become if the entity flipped it. The products hold until the entity flips a feature, which
//! is rare; then the pass is made again.

use crate::model::{Loss, State, ValidSettings};

use super::super::losses::{self, MODERATE};
use super::super::row::Row;
use super::super::{Context, LANES};

/// What the weights of a sweep do to the odds against a label.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// exp(w) for a non-link and exp(-w) for a link, by feature.
    each: Vec<[f64; 2]>,
    weights: Vec<f64>,
    /// The size of the largest weight.
    largest: f64,
}

impl Factors {
    /// Looks at all weights.
    pub(super) fn fill(&mut self, state: &State) {
        let weights = &state.weights.diagonal()[..state.features.slots()];
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.each.clear();
        self.each.extend(weights.iter().map(|weight| [weight.exp(), (-weight).exp()]));
        self.largest = weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max);
    }
}

/// Reused memory of a row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The pairs of the entity: partners with any feature, and labels (1 for a link).
    partners: Vec<u32>,
    labels: Vec<u8>,
    /// The logit of each pair towards its label by the linear part, and the odds against it, in whole blocks.
    towards: Vec<[f64; LANES]>,
    odds: Vec<[f64; LANES]>,
    slots: Vec<Slot>,
    touched: Vec<u32>,
    /// The size of the largest logit of the linear part.
    largest: f64,
}

/// What is known of one feature.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// By label: the product over the pairs of how the odds of the label change, or the sum of how the losses change.
    change: [f64; 2],
    /// By label: logarithms of products that grew too large or too small.
    logs: [f64; 2],
    touched: bool,
    /// 1 if the entity has the feature.
    own: u8,
}

const UNTOUCHED: Slot = Slot { change: [1.0; 2], logs: [0.0; 2], touched: false, own: 0 };

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
    factors: &'a Factors,
    settings: &'a ValidSettings,
    form: Form,
}

impl<'a> SparseDiagonalRow<'a> {
    /// Gathers the pairs of an entity.
    #[inline(always)]
    pub(super) fn prepare(
        entity: usize,
        context: &Context<'a>,
        state: &State,
        factors: &'a Factors,
        scratch: &'a mut Scratch,
    ) -> Self {
        scratch.begin(state.features.slots());
        scratch.list(entity, context, state);
        for &slot in state.features.row(entity) {
            scratch.slots[slot as usize].own = 1;
        }
        let mut row = Self { scratch, factors, settings: context.settings, form: Form::Hinge };
        row.add_up(state);
        row
    }

    /// What flipping each feature would change, with the features that the entity has now.
    #[inline(always)]
    fn add_up(&mut self, state: &State) {
        let owned = |(slot, weight): (&Slot, &f64)| f64::from(slot.own) * weight.abs();
        self.form = match self.settings.model.loss {
            Loss::Hinge => Form::Hinge,
            Loss::Logistic => {
                let own: f64 = self.scratch.slots.iter().zip(&self.factors.weights).map(owned).sum();
                let moderate = self.scratch.largest + own + self.factors.largest <= MODERATE;
                if moderate { Form::Odds } else { Form::Logits }
            }
        };
        for &slot in &self.scratch.touched {
            let slot = &mut self.scratch.slots[slot as usize];
            *slot = Slot { own: slot.own, touched: true, ..UNTOUCHED };
        }
        match self.form {
            Form::Odds => self.multiply_odds(state),
            Form::Logits | Form::Hinge => self.add_losses(state),
        }
    }

    /// One pass over the features of the partners: products of odds.
    #[inline(always)]
    fn multiply_odds(&mut self, state: &State) {
        // A factor is at most exp(160), so that a product within these bounds takes one more.
        const LARGEST: f64 = 1e200;
        const SMALLEST: f64 = 1e-200;
        let Scratch { partners, labels, odds, slots, touched, .. } = &mut *self.scratch;
        let factors = &self.factors.each;
        for ((&partner, &label), &odds) in partners.iter().zip(&*labels).zip(odds.as_flattened()) {
            let row = state.features.row(partner as usize);
            let mut odds = odds;
            for &slot in row {
                if slots[slot as usize].own == 1 {
                    odds *= factors[slot as usize][usize::from(label)];
                }
            }
            let share = 1.0 / (1.0 + odds);
            for &number in row {
                let slot = &mut slots[number as usize];
                if !slot.touched {
                    slot.touched = true;
                    touched.push(number);
                }
                // Taking a feature away multiplies by what it would multiply by under the other label.
                let factor = factors[number as usize][usize::from(label ^ slot.own)];
                let change = slot.change[usize::from(label)] * ((1.0 + odds * factor) * share);
                slot.change[usize::from(label)] = change;
                if !(SMALLEST..=LARGEST).contains(&change) {
                    slot.logs[usize::from(label)] += change.ln();
                    slot.change[usize::from(label)] = 1.0;
                }
            }
        }
    }

    /// The same by sums of losses.
    #[inline(always)]
    fn add_losses(&mut self, state: &State) {
        let margin = self.settings.margin;
        let hinge = self.form == Form::Hinge;
        let loss = |towards: f64| {
            if hinge {
                2.0 * (margin - towards).max(0.0)
            } else {
                (-towards).max(0.0) + (-towards.abs()).exp().ln_1p()
            }
        };
        let Scratch { partners, labels, towards, slots, touched, .. } = &mut *self.scratch;
        let weights = &self.factors.weights;
        for ((&partner, &label), &linear) in partners.iter().zip(&*labels).zip(towards.as_flattened()) {
            let row = state.features.row(partner as usize);
            let sign = if label == 1 { 1.0 } else { -1.0 };
            let own = |slot: &&u32| slots[**slot as usize].own == 1;
            let latent: f64 = row.iter().filter(own).map(|&slot| weights[slot as usize]).sum();
            let here = linear + sign * latent;
            let before = loss(here);
            for &number in row {
                let slot = &mut slots[number as usize];
                if !slot.touched {
                    slot.touched = true;
                    touched.push(number);
                }
                let step = if slot.own == 1 { -sign } else { sign } * weights[number as usize];
                slot.logs[usize::from(label)] += loss(here + step) - before;
            }
        }
    }
}

impl Scratch {
    /// Forgets the row before.
    #[inline(always)]
    fn begin(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, UNTOUCHED);
        self.touched.clear();
    }

    /// Lists the pairs with partners that have features: the others say nothing about features.
    #[inline(always)]
    fn list(&mut self, entity: usize, context: &Context<'_>, state: &State) {
        let Context { pairs, settings, .. } = *context;
        self.partners.clear();
        self.labels.clear();
        self.towards.clear();
        self.largest = 0.0;
        let outgoing = pairs.from(entity);
        for (pair, &target) in outgoing.clone().zip(&pairs.targets()[outgoing]) {
            if !state.features.row(target as usize).is_empty() {
                self.add(target, pairs.label(pair), state.offset(pair));
            }
        }
        let (sources, numbers) = pairs.to(entity);
        for ((&source, &pair), &label) in sources.iter().zip(numbers).zip(pairs.labels_to(entity)) {
            if !state.features.row(source as usize).is_empty() {
                self.add(source, label, state.offset(pair as usize));
            }
        }
        if settings.model.loss == Loss::Logistic {
            self.odds.clear();
            self.odds.extend(self.towards.iter().map(|towards| losses::exp(towards.map(|towards| -towards))));
        }
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, link: bool, offset: f64) {
        let (block, lane) = (self.partners.len() / LANES, self.partners.len() % LANES);
        if lane == 0 {
            self.towards.push([0.0; LANES]);
        }
        self.towards[block][lane] = if link { offset } else { -offset };
        self.largest = self.largest.max(offset.abs());
        self.partners.push(partner);
        self.labels.push(u8::from(link));
    }
}

impl Row for SparseDiagonalRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        let slot = &self.scratch.slots[k];
        if !slot.touched {
            return 0.0;
        }
        let more_loss = |label: usize| match self.form {
            Form::Odds => slot.logs[label] + slot.change[label].ln(),
            Form::Logits | Form::Hinge => slot.logs[label],
        };
        let loss = self.settings.cost(false) * more_loss(0) + self.settings.cost(true) * more_loss(1);
        if has { loss } else { -loss }
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, _: f64, state: &State) {
        let slot = &mut self.scratch.slots[k];
        slot.own ^= 1;
        if slot.touched {
            self.add_up(state);
        }
    }

    #[inline(always)]
    fn touched(&self) -> Option<&[u32]> {
        Some(&self.scratch.touched)
    }
}
