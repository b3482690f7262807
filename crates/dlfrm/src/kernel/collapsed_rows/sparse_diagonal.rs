//! A row with diagonal weights in a sparse network, in one pass over the features of its partners.
//! See "Collapsed rows" in `docs/model.md`.
//!
//! A feature acts on the pairs whose other end has it too. The pass multiplies up, for every feature at once, what the
//! losses of these pairs would become if the entity flipped it. When it does flip one, the pairs that this feature acts on
//! have other odds, and the products of the features of their other ends are brought up to date.

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
    /// The logit of each pair towards its label by the linear part, in whole blocks; with the features too where losses are
    /// added up by logits. The odds against the label with the features, where they are multiplied.
    towards: Vec<[f64; LANES]>,
    odds: Vec<[f64; LANES]>,
    slots: Vec<Slot>,
    touched: Vec<u32>,
    /// Lists of the pairs that each feature acts on.
    touches: Vec<Touch>,
    /// The size of the largest logit of the linear part.
    largest: f64,
}

/// A pair that a feature acts on, and where the next one stands.
#[derive(Debug, Clone, Copy)]
struct Touch {
    pair: u32,
    next: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// What is known of one feature.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// By label: the product over the pairs of how the odds of the label change if the entity flips the feature.
    change: [f64; 2],
    /// By label: logarithms of products that grew too large or too small, or the sum of how losses change.
    logs: [f64; 2],
    /// By label: what the feature does to the odds now, if the entity has it.
    owned: [f64; 2],
    /// The first of its pairs.
    first: u32,
    /// 1 if the entity has the feature.
    own: u8,
}

const UNTOUCHED: Slot = Slot { change: [1.0; 2], logs: [0.0; 2], owned: [1.0; 2], first: NONE, own: 0 };

impl Slot {
    /// One more factor of a product.
    #[inline(always)]
    fn multiply(&mut self, label: usize, factor: f64) {
        // A factor is at most exp(MODERATE), so that a product within these bounds takes one more.
        const LARGEST: f64 = 1e200;
        const SMALLEST: f64 = 1e-200;
        let change = self.change[label] * factor;
        self.change[label] = change;
        if !(SMALLEST..=LARGEST).contains(&change) {
            self.logs[label] += change.ln();
            self.change[label] = 1.0;
        }
    }
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
    factors: &'a Factors,
    settings: &'a ValidSettings,
    form: Form,
    /// The sizes of the weights of the features that the entity has.
    own: f64,
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
            let factors = factors.each[slot as usize];
            scratch.slots[slot as usize] = Slot { own: 1, owned: factors, ..UNTOUCHED };
        }
        let own = state.features.row(entity).iter().map(|&slot| factors.weights[slot as usize].abs()).sum();
        let mut row = Self { scratch, factors, settings: context.settings, form: Form::Hinge, own };
        if context.settings.model.loss == Loss::Logistic {
            row.form = if row.moderate() { Form::Odds } else { Form::Logits };
        }
        if row.form == Form::Odds {
            row.multiply_odds(state);
        } else {
            row.add_losses(state);
        }
        row
    }

    /// Whether no logit that a flip could lead to is beyond what odds can be trusted with.
    #[inline(always)]
    fn moderate(&self) -> bool {
        self.scratch.largest + self.own + self.factors.largest <= MODERATE
    }

    /// One pass over the features of the partners: products of odds.
    #[inline(always)]
    fn multiply_odds(&mut self, state: &State) {
        let Scratch { partners, labels, towards, odds, slots, touched, touches, .. } = &mut *self.scratch;
        odds.clear();
        odds.extend(towards.iter().map(|towards| losses::exp(towards.map(|towards| -towards))));
        let factors = &self.factors.each;
        let pairs = partners.iter().zip(&*labels).zip(odds.as_flattened_mut());
        for (pair, ((&partner, &label), odds)) in (0..).zip(pairs) {
            let row = state.features.row(partner as usize);
            for &slot in row {
                *odds *= slots[slot as usize].owned[usize::from(label)];
            }
            let share = 1.0 / (1.0 + *odds);
            for &number in row {
                let slot = &mut slots[number as usize];
                if slot.first == NONE {
                    touched.push(number);
                }
                touches.push(Touch { pair, next: std::mem::replace(&mut slot.first, touches.len() as u32) });
                // Taking a feature away multiplies by what it would multiply by under the other label.
                let factor = factors[number as usize][usize::from(label ^ slot.own)];
                slot.multiply(usize::from(label), (1.0 + *odds * factor) * share);
            }
        }
    }

    /// The same by sums of losses.
    #[inline(always)]
    fn add_losses(&mut self, state: &State) {
        let Self { scratch, factors: Factors { weights, .. }, settings, form, .. } = self;
        let Scratch { partners, labels, towards, slots, touched, touches, .. } = &mut **scratch;
        let pairs = partners.iter().zip(&*labels).zip(towards.as_flattened_mut());
        for (pair, ((&partner, &label), towards)) in (0..).zip(pairs) {
            let row = state.features.row(partner as usize);
            let sign = sign_of(label);
            for &slot in row {
                *towards += sign * f64::from(slots[slot as usize].own) * weights[slot as usize];
            }
            let before = loss(*towards, *form, settings.margin);
            for &number in row {
                let slot = &mut slots[number as usize];
                if slot.first == NONE {
                    touched.push(number);
                }
                touches.push(Touch { pair, next: std::mem::replace(&mut slot.first, touches.len() as u32) });
                let step = sign * slot.sign_of_flip() * weights[number as usize];
                slot.logs[usize::from(label)] += loss(*towards + step, *form, settings.margin) - before;
            }
        }
    }

    /// The pairs that a feature acts on change: what the features of their other ends do changes with them.
    #[inline(always)]
    fn change_odds(&mut self, k: usize, state: &State) {
        let Scratch { partners, labels, odds, slots, touches, .. } = &mut *self.scratch;
        let (factors, odds) = (&self.factors.each, odds.as_flattened_mut());
        let own = slots[k].own;
        let mut next = slots[k].first;
        while let Some(&Touch { pair, next: after }) = touches.get(next as usize) {
            next = after;
            let label = labels[pair as usize];
            let before = odds[pair as usize];
            let now = before * factors[k][usize::from(label ^ own)];
            odds[pair as usize] = now;
            let share = (1.0 + before) / (1.0 + now);
            for &number in state.features.row(partners[pair as usize] as usize) {
                let slot = &mut slots[number as usize];
                let factor = factors[number as usize][usize::from(label ^ slot.own)];
                slot.multiply(usize::from(label), (1.0 + now * factor) / (1.0 + before * factor) * share);
            }
        }
    }

    /// The same with sums of losses.
    #[inline(always)]
    fn change_losses(&mut self, k: usize, state: &State) {
        let Self { scratch, factors: Factors { weights, .. }, settings, form, .. } = self;
        let Scratch { partners, labels, towards, slots, touches, .. } = &mut **scratch;
        let towards = towards.as_flattened_mut();
        let loss = |towards| loss(towards, *form, settings.margin);
        let flip = slots[k].sign_of_flip() * weights[k];
        let mut next = slots[k].first;
        while let Some(&Touch { pair, next: after }) = touches.get(next as usize) {
            next = after;
            let (label, sign) = (usize::from(labels[pair as usize]), sign_of(labels[pair as usize]));
            let before = towards[pair as usize];
            let now = before + sign * flip;
            towards[pair as usize] = now;
            let both = loss(before) - loss(now);
            for &number in state.features.row(partners[pair as usize] as usize) {
                let slot = &mut slots[number as usize];
                let step = sign * slot.sign_of_flip() * weights[number as usize];
                slot.logs[label] += loss(now + step) - loss(before + step) + both;
            }
        }
    }
}

impl Slot {
    /// 1 if a flip takes the feature, -1 if it gives it up.
    #[inline(always)]
    fn sign_of_flip(&self) -> f64 {
        1.0 - 2.0 * f64::from(self.own)
    }
}

#[inline(always)]
fn sign_of(label: u8) -> f64 {
    2.0 * f64::from(label) - 1.0
}

/// The loss of a logit towards its label.
#[inline(always)]
fn loss(towards: f64, form: Form, margin: f64) -> f64 {
    match form {
        Form::Hinge => 2.0 * (margin - towards).max(0.0),
        Form::Odds | Form::Logits => (-towards).max(0.0) + (-towards.abs()).exp().ln_1p(),
    }
}

impl Scratch {
    /// Forgets the row before.
    #[inline(always)]
    fn begin(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, UNTOUCHED);
        self.touched.clear();
        self.touches.clear();
    }

    /// Forgets what each feature does, and not which ones the entity has.
    fn forget_touches(&mut self) {
        for &slot in &self.touched {
            let slot = &mut self.slots[slot as usize];
            *slot = Slot { own: slot.own, ..UNTOUCHED };
        }
        self.touched.clear();
        self.touches.clear();
    }

    /// Lists the pairs with partners that have features: the others say nothing about features.
    #[inline(always)]
    fn list(&mut self, entity: usize, context: &Context<'_>, state: &State) {
        let pairs = context.pairs;
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
        let Slot { change, logs, first, .. } = self.scratch.slots[k];
        if first == NONE {
            return 0.0;
        }
        let more_loss = |label: usize| {
            if self.form == Form::Odds { logs[label] + change[label].ln() } else { logs[label] }
        };
        let loss = self.settings.cost(false) * more_loss(0) + self.settings.cost(true) * more_loss(1);
        if has { loss } else { -loss }
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, _: f64, state: &State) {
        let Slot { change, logs, .. } = self.scratch.slots[k];
        if self.form == Form::Odds {
            self.change_odds(k, state);
        } else {
            self.change_losses(k, state);
        }
        let slot = &mut self.scratch.slots[k];
        self.own += slot.sign_of_flip() * self.factors.weights[k].abs();
        // Flipping it again would undo what it did.
        (slot.change, slot.logs) = (change.map(f64::recip), logs.map(|log| -log));
        slot.own ^= 1;
        if self.form == Form::Odds && !self.moderate() {
            self.form = Form::Logits;
            self.scratch.forget_touches();
            self.add_losses(state);
        }
    }

    #[inline(always)]
    fn touched(&self) -> Option<&[u32]> {
        Some(&self.scratch.touched)
    }
}
