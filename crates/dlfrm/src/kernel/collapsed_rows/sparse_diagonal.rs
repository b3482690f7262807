//! A row with diagonal weights in a sparse network: a feature acts on the pairs whose other end has it too.
//! See "Collapsed rows" in `docs/model.md`.
//!
//! Most features of the partners are those of non-links alone. With a positive weight such a feature can only lower the
//! likelihood, so that its prior probability is the most that it can have: it is looked at if the prior proposes it.

mod sums;

use rayon::prelude::*;

use crate::model::{Loss, State, ValidSettings};
use crate::network::Pairs;

use super::super::losses::{self, Hinge, Logistic, MODERATE, SATISFIED};
use super::super::row::Row;
use super::super::{Context, LANES, unsampled};
use super::lists::Lists;
use sums::{Change, more_loss, shares};

/// What is known of all rows and weights in a sweep.
#[derive(Debug, Default)]
pub(super) struct Known {
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
        self.factors.clear();
        self.factors.extend(weights.iter().map(|weight| [weight.exp(), (-weight).exp()]));
        self.largest = weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max);
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
    /// The pairs of the entity with partners that have features, links and non-links.
    listed: [Listed; 2],
    /// The same in one line, links first.
    pairs: Listed,
    /// How many links there are.
    links: usize,
    /// The odds against the label of each pair, 1 / (1 + odds) and odds / (1 + odds), where odds can be trusted.
    odds: Vec<f64>,
    shares: Vec<[f64; 2]>,
    lists: Lists,
    gaining: Vec<u32>,
}

#[derive(Debug, Default)]
struct Listed {
    /// The logit towards the label.
    towards: Vec<f64>,
    partners: Vec<u32>,
    /// What the pair would count if it had not been sampled; empty if such pairs do not count.
    unsampled: Vec<u64>,
}

impl Listed {
    fn clear(&mut self) {
        self.towards.clear();
        self.partners.clear();
        self.unsampled.clear();
    }

    fn extend(&mut self, more: &Self) {
        self.towards.extend_from_slice(&more.towards);
        self.partners.extend_from_slice(&more.partners);
        self.unsampled.extend_from_slice(&more.unsampled);
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

/// Which features will be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Each.
    Every,
    /// Those that the likelihood may gain by, and few others.
    Gaining,
}

/// The row at hand, under the loss itself.
pub(super) struct SparseDiagonalRow<'a> {
    entity: usize,
    scratch: &'a mut Scratch,
    known: &'a Known,
    settings: &'a ValidSettings,
    network: &'a Pairs,
    asked: Asked,
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
        asked: Asked,
    ) -> Self {
        let largest = scratch.list(entity, context, state, known);
        let (own, weights) = (state.features.row(entity), state.weights.diagonal());
        scratch.find_features(own, state, asked);
        for &slot in own {
            scratch.step(slot as usize, weights[slot as usize]);
        }
        let bound = largest + own.iter().map(|&slot| weights[slot as usize].abs()).sum::<f64>();
        let form = match context.settings.model.loss {
            Loss::Hinge => Form::Hinge,
            Loss::Logistic if bound + known.largest <= MODERATE => Form::Odds,
            Loss::Logistic => Form::Logits,
        };
        if form == Form::Odds {
            scratch.find_odds();
        }
        let Context { settings, pairs: network, .. } = *context;
        Self { entity, scratch, known, settings, network, asked, form, bound }
    }
}

impl Scratch {
    /// Lists the pairs with partners that have features: the others say nothing about features. Returns the size of the
    /// largest logit.
    #[inline(always)]
    fn list(&mut self, entity: usize, context: &Context<'_>, state: &State, known: &Known) -> f64 {
        let pairs = context.pairs;
        self.listed.iter_mut().for_each(Listed::clear);
        let activity = known.unsampled.activity(entity, pairs);
        let outgoing = pairs.from(entity);
        for (pair, &target) in outgoing.clone().zip(&pairs.targets()[outgoing]) {
            let weight = activity.map(|[source, _]| source * u64::from(pairs.activity()[target as usize][1]));
            self.add(target, pairs.label(pair), state.offset(pair), weight, state);
        }
        let sources = pairs.to(entity).0.iter().zip(pairs.labels_to(entity));
        let offsets =
            if state.offsets.is_empty() { &[][..] } else { &known.offsets_to[pairs.to_range(entity)] };
        for (number, (&source, &label)) in sources.enumerate() {
            let weight = activity.map(|[_, target]| target * u64::from(pairs.activity()[source as usize][0]));
            let offset = offsets.get(number).copied().unwrap_or(state.intercept);
            self.add(source, label, offset, weight, state);
        }
        self.links = self.listed[0].towards.len();
        self.pairs.clear();
        self.listed.iter().for_each(|listed| self.pairs.extend(listed));
        self.pairs.towards.iter().fold(0.0, |largest, towards| f64::max(largest, towards.abs()))
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, link: bool, offset: f64, unsampled: Option<u64>, state: &State) {
        if !state.features.row(partner as usize).is_empty() {
            let listed = &mut self.listed[usize::from(!link)];
            listed.towards.push(if link { offset } else { -offset });
            listed.partners.push(partner);
            listed.unsampled.extend(unsampled);
        }
    }

    /// Lists the pairs by feature, and finds the features by which the likelihood may gain.
    #[inline(always)]
    fn find_features(&mut self, own: &[u32], state: &State, asked: Asked) {
        let weights = state.weights.diagonal();
        let partners = self.pairs.partners.split_at(self.links);
        let wanted = |slot: u32| asked == Asked::Every || weights[slot as usize] < 0.0;
        self.lists.fill(own, partners, &state.features, wanted);
        self.gaining.clear();
        let gaining = self.lists.sizes().filter(|&(slot, [links, non_links])| {
            let weight = weights[slot as usize];
            links > 0 && weight > 0.0 || non_links > 0 && weight < 0.0
        });
        self.gaining.extend(gaining.map(|(slot, _)| slot));
    }

    /// Finds the odds of all pairs.
    #[inline(always)]
    fn find_odds(&mut self) {
        let pairs = self.pairs.towards.len();
        self.pairs.towards.resize(pairs.next_multiple_of(LANES), SATISFIED);
        self.odds.clear();
        self.shares.clear();
        for towards in self.pairs.towards.as_chunks().0 {
            let odds = losses::exp(towards.map(|towards| -towards));
            self.odds.extend_from_slice(&odds);
            self.shares.extend(odds.map(shares));
        }
        self.pairs.towards.truncate(pairs);
    }

    /// The logits that a feature acts on take a step.
    #[inline(always)]
    fn step(&mut self, slot: usize, step: f64) {
        let (links, non_links) = self.lists.of(slot);
        for (positions, step) in [(links, step), (non_links, -step)] {
            for &position in positions {
                self.pairs.towards[position as usize] += step;
            }
        }
    }

    /// The odds of the pairs that a feature acts on are multiplied.
    #[inline(always)]
    fn change_odds(&mut self, slot: usize, for_links: f64, for_non_links: f64) {
        let (links, non_links) = self.lists.of(slot);
        for (positions, factor) in [(links, for_links), (non_links, for_non_links)] {
            for &position in positions {
                let odds = &mut self.odds[position as usize];
                *odds *= factor;
                self.shares[position as usize] = shares(*odds);
            }
        }
    }
}

impl Row for SparseDiagonalRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let Self { scratch, known, settings, form, .. } = self;
        if self.asked == Asked::Gaining {
            scratch.lists.find(k, scratch.pairs.partners.split_at(scratch.links), &state.features);
        }
        let (links, non_links) = scratch.lists.of(k);
        let unsampled = known.unsampled.activity(self.entity, self.network).map_or(0.0, |activity| {
            let positions = links.iter().chain(non_links);
            let seen = positions.map(|&position| scratch.pairs.unsampled[position as usize]).sum();
            known.unsampled.more_loss(activity, seen, k, has)
        });
        if links.is_empty() && non_links.is_empty() {
            return -unsampled;
        }
        let sign = if has { -1.0 } else { 1.0 };
        let step = sign * state.weights.diagonal()[k];
        let (c_pos, c_neg) = (settings.cost(true), settings.cost(false));
        let towards = &scratch.pairs.towards[..];
        let more = match form {
            Form::Odds => {
                let [up, down] = known.factors[k];
                let (for_links, for_non_links) = if has { (up, down) } else { (down, up) };
                let of_links = Change::new(links, &scratch.shares, for_links, step);
                let of_non_links = Change::new(non_links, &scratch.shares, for_non_links, step);
                of_links.logs(c_pos, of_non_links, c_neg)
            }
            Form::Logits => {
                c_pos * more_loss(links, towards, step, Logistic::new)
                    + c_neg * more_loss(non_links, towards, -step, Logistic::new)
            }
            Form::Hinge => {
                let hinge = || Hinge::new(settings.margin);
                c_pos * more_loss(links, towards, step, hinge)
                    + c_neg * more_loss(non_links, towards, -step, hinge)
            }
        };
        -sign * more - unsampled
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        let step = sign * state.weights.diagonal()[k];
        self.scratch.step(k, step);
        if self.form == Form::Odds {
            self.bound += sign * step.abs();
            if self.bound + self.known.largest > MODERATE {
                self.form = Form::Logits;
            } else {
                let [up, down] = self.known.factors[k];
                let (for_links, for_non_links) = if sign > 0.0 { (down, up) } else { (up, down) };
                self.scratch.change_odds(k, for_links, for_non_links);
            }
        }
    }

    #[inline(always)]
    fn gaining(&self) -> Option<&[u32]> {
        (self.asked == Asked::Gaining).then_some(&self.scratch.gaining)
    }
}
