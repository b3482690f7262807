//! A row with diagonal weights in a sparse network: a feature acts on the pairs whose other end has it too.
//! See "Collapsed rows" in `docs/model.md`.
//!
//! Most features of the partners are those of non-links alone. With a positive weight such a feature can only lower the
//! likelihood, so that its prior probability is the most that it can have: it is looked at if the prior proposes it.

mod touched;

pub(super) use touched::Asked;

use crate::model::{FeatureBits, Loss, State, ValidSettings};
use crate::network::Pairs;

use super::super::losses::{self, Hinge, Logistic, MODERATE, SATISFIED, Sum};
use super::super::row::Row;
use super::super::{Context, LANES, unsampled};
use super::offsets_to::OffsetsTo;
use touched::Touched;

#[derive(Debug, Default)]
pub(super) struct Known {
    /// exp(w) and exp(-w) of each weight w.
    factors: Vec<[f64; 2]>,
    /// The size of the largest weight.
    largest: f64,
    bits: FeatureBits,
    pub(super) unsampled: unsampled::Known,
}

impl Known {
    pub(super) fn fill(&mut self, context: &Context<'_>, state: &State) {
        self.unsampled.fill(context, state);
        let weights = &state.weights.diagonal()[..state.features.slots()];
        self.factors.clear();
        self.factors.extend(weights.iter().map(|weight| [weight.exp(), (-weight).exp()]));
        self.largest = weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max);
        self.bits.fill(&state.features);
    }

    #[inline(always)]
    pub(super) fn apply(&mut self, node: usize, changes: &[(u32, bool)], pairs: &Pairs) {
        self.unsampled.apply(node, changes, pairs);
        if self.bits.exact_words().is_some() {
            for &(slot, _) in changes {
                self.bits.flip(node, slot);
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// How many pairs there are: the links of the node, and then its other pairs with partners that have features.
    pairs: usize,
    /// The logit of each pair towards its label.
    towards: Vec<f64>,
    /// What the pair would count if it had not been sampled, if such pairs count.
    unsampled: Vec<u64>,
    /// 1 / (1 + odds) and odds / (1 + odds) of the odds against the label of each pair, where odds can be trusted.
    shares: Vec<[f64; 2]>,
    touched: Touched,
    gaining: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Listed {
    partner: u32,
    link: bool,
    /// What the linear part gives its logit.
    offset: f64,
    unsampled: Option<u64>,
}

/// How losses are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The logistic loss as a product of odds.
    Odds,
    /// The logistic loss of logits that odds cannot be trusted with.
    Logits,
    Hinge,
}

pub(super) struct SparseDiagonalRow<'a> {
    node: usize,
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
    #[inline(always)]
    pub(super) fn prepare(
        node: usize,
        context: &Context<'a>,
        state: &State,
        (known, offsets_to): (&'a Known, &OffsetsTo),
        scratch: &'a mut Scratch,
        asked: Asked,
    ) -> Self {
        let largest = scratch.list(node, context, state, known, offsets_to);
        let (own, weights) = (state.features.row(node), state.weights.diagonal());
        scratch.gaining.clear();
        scratch.touched.finish(own, state, asked, &mut scratch.gaining);
        for &slot in own {
            scratch.touched.find(slot as usize);
            scratch.step(slot as usize, weights[slot as usize]);
        }
        let bound = largest + own.iter().map(|&slot| weights[slot as usize].abs()).sum::<f64>();
        let form = match context.settings.model.loss {
            Loss::Hinge => Form::Hinge,
            Loss::Logistic if bound + known.largest <= MODERATE => Form::Odds,
            Loss::Logistic => Form::Logits,
        };
        if form == Form::Odds {
            scratch.find_shares();
        }
        let Context { settings, pairs: network, .. } = *context;
        Self { node, scratch, known, settings, network, asked, form, bound }
    }
}

impl Scratch {
    /// Lists the links, and the other pairs with partners that have features: those of partners without features say nothing
    /// about features. Returns the size of the largest logit.
    #[inline(always)]
    fn list(
        &mut self,
        node: usize,
        context: &Context<'_>,
        state: &State,
        known: &Known,
        offsets_to: &OffsetsTo,
    ) -> f64 {
        let pairs = context.pairs;
        let (outgoing, sources) = (pairs.from(node), pairs.to(node).0);
        let labels = (&pairs.labels()[outgoing.clone()], pairs.labels_to(node));
        let count = |labels: &[bool]| labels.iter().map(|&label| usize::from(label)).sum::<usize>();
        let (links, room) = (count(labels.0) + count(labels.1), outgoing.len() + sources.len());
        let activity = known.unsampled.activity(node, pairs);
        self.towards.resize(self.towards.len().max(room + LANES), 0.0);
        self.unsampled.resize(self.unsampled.len().max(if activity.is_some() { room } else { 0 }), 0);
        self.touched.clear(&known.bits, links, room);
        // The places of the next link and of the next of the others.
        let mut next = [0, links];
        for ((pair, &target), &label) in outgoing.clone().zip(&pairs.targets()[outgoing]).zip(labels.0) {
            let weight = activity.map(|[source, _]| source * u64::from(pairs.activity()[target as usize][1]));
            let pair = Listed { partner: target, link: label, offset: state.offset(pair), unsampled: weight };
            self.put(&mut next, pair, state, known);
        }
        let offsets = offsets_to.of(node, pairs, state);
        for ((&source, &label), offset) in sources.iter().zip(labels.1).zip(offsets) {
            let weight = activity.map(|[_, target]| target * u64::from(pairs.activity()[source as usize][0]));
            let pair = Listed { partner: source, link: label, offset, unsampled: weight };
            self.put(&mut next, pair, state, known);
        }
        self.pairs = next[1];
        let towards = &self.towards[..self.pairs];
        towards.iter().fold(0.0, |largest, towards| f64::max(largest, towards.abs()))
    }

    /// Puts a pair into its place, and goes on to the next one unless the pair says nothing.
    #[inline(always)]
    fn put(&mut self, next: &mut [usize; 2], pair: Listed, state: &State, known: &Known) {
        let Listed { partner, link, offset, unsampled } = pair;
        let next = &mut next[usize::from(!link)];
        self.towards[*next] = if link { offset } else { -offset };
        if let Some(unsampled) = unsampled {
            self.unsampled[*next] = unsampled;
        }
        let any = self.touched.put(*next, link, partner, state, &known.bits);
        *next += usize::from(link || any);
    }

    #[inline(always)]
    fn find_shares(&mut self) {
        let blocks = self.pairs.div_ceil(LANES);
        self.towards[self.pairs..blocks * LANES].fill(SATISFIED);
        self.shares.resize(self.shares.len().max(blocks * LANES), [0.0; 2]);
        let shares = self.shares.as_chunks_mut::<LANES>().0;
        for (towards, shares) in self.towards.as_chunks().0[..blocks].iter().zip(shares) {
            let odds = losses::exp(towards.map(|towards| -towards));
            let with = odds.map(|odds| 1.0 / (1.0 + odds));
            for lane in 0..LANES {
                shares[lane] = [with[lane], with[lane] * odds[lane]];
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, slot: usize, step: f64) {
        let (links, non_links) = self.touched.of(slot);
        for (positions, step) in [(links, step), (non_links, -step)] {
            for &position in positions {
                self.towards[position as usize] += step;
            }
        }
    }

    /// The odds of the pairs that a feature acts on are multiplied.
    #[inline(always)]
    fn change_odds(&mut self, slot: usize, for_links: f64, for_non_links: f64) {
        let (links, non_links) = self.touched.of(slot);
        for (positions, factor) in [(links, for_links), (non_links, for_non_links)] {
            for &position in positions {
                let [with, against] = &mut self.shares[position as usize];
                *against *= factor;
                let sum = *with + *against;
                *with /= sum;
                *against /= sum;
            }
        }
    }

    fn find_logits(&mut self) {
        for (towards, [with, against]) in self.towards[..self.pairs].iter_mut().zip(&self.shares) {
            *towards = (with / against).ln();
        }
    }
}

impl Row for SparseDiagonalRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let Self { scratch, known, settings, form, .. } = self;
        scratch.touched.find(k);
        let (links, non_links) = scratch.touched.of(k);
        let mut unsampled = 0.0;
        if let Some(activity) = known.unsampled.activity(self.node, self.network) {
            let mut seen = 0;
            for positions in [links, non_links] {
                for &position in positions {
                    seen += scratch.unsampled[position as usize];
                }
            }
            unsampled = known.unsampled.more_loss(activity, seen, k, has);
        }
        if links.is_empty() && non_links.is_empty() {
            return -unsampled;
        }
        let sign = if has { -1.0 } else { 1.0 };
        let step = sign * state.weights.diagonal()[k];
        let (c_pos, c_neg) = (settings.cost(true), settings.cost(false));
        let towards = &scratch.towards[..];
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

    /// What non-links say of a feature with a positive weight speaks against it.
    #[inline(always)]
    fn most(&mut self, k: usize, state: &State) -> f64 {
        let step = state.weights.diagonal()[k];
        if step < 0.0 {
            return f64::INFINITY;
        }
        let Self { scratch, known, settings, form, .. } = self;
        let links = scratch.touched.find_links(k);
        if links.is_empty() {
            return 1.0;
        }
        let (cost, towards) = (settings.cost(true), &scratch.towards[..]);
        let more = match form {
            Form::Odds => {
                return Change::new(links, &scratch.shares, known.factors[k][1], step).inverse(cost);
            }
            Form::Logits => more_loss(links, towards, step, Logistic::new),
            Form::Hinge => more_loss(links, towards, step, || Hinge::new(settings.margin)),
        };
        (-cost * more).exp()
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        let step = sign * state.weights.diagonal()[k];
        if self.form == Form::Odds {
            self.bound += sign * step.abs();
            if self.bound + self.known.largest <= MODERATE {
                let [up, down] = self.known.factors[k];
                let (for_links, for_non_links) = if sign > 0.0 { (down, up) } else { (up, down) };
                self.scratch.change_odds(k, for_links, for_non_links);
                return;
            }
            self.form = Form::Logits;
            self.scratch.find_logits();
        }
        self.scratch.step(k, step);
    }

    #[inline(always)]
    fn gaining(&self) -> Option<&[u32]> {
        (self.asked == Asked::Gaining).then_some(&self.scratch.gaining)
    }
}

/// The product over pairs of how much 1 + odds changes, and the logarithms of what was put aside before it could overflow.
#[derive(Clone, Copy)]
pub(super) struct Change {
    product: f64,
    logs: f64,
}

impl Change {
    /// The odds of some pairs are multiplied by a factor, which is exp(step) or exp(-step).
    #[inline(always)]
    pub(super) fn new(positions: &[u32], shares: &[[f64; 2]], factor: f64, step: f64) -> Self {
        // Each pair adds a factor within exp(-step) and exp(step): two products of so many are a number, multiplied too.
        let room = ((2.0 * MODERATE / step.abs().max(1e-6)) as usize).max(1);
        let (mut product, mut logs) = (1.0, 0.0);
        let mut chunks = positions.chunks(room).peekable();
        while let Some(chunk) = chunks.next() {
            let (fours, rest) = chunk.as_chunks::<4>();
            let change = |position: u32| {
                let [with, against] = shares[position as usize];
                with + against * factor
            };
            // Four products side by side: each waits for its own last one only.
            let mut products = [1.0; 4];
            for four in fours {
                for lane in 0..4 {
                    products[lane] *= change(four[lane]);
                }
            }
            product = products[0] * products[1] * (products[2] * products[3]);
            product = rest.iter().fold(product, |product, &position| product * change(position));
            if chunks.peek().is_some() {
                logs += f64::ln(product);
                product = 1.0;
            }
        }
        Self { product, logs }
    }

    /// What likelihoods at this cost are multiplied by.
    #[inline(always)]
    pub(super) fn inverse(self, cost: f64) -> f64 {
        if cost == 1.0 && self.logs == 0.0 {
            self.product.recip()
        } else {
            (-cost * (self.logs + self.product.ln())).exp()
        }
    }

    /// The logarithms of two changes, with their costs.
    #[inline(always)]
    pub(super) fn logs(self, cost: f64, other: Self, other_cost: f64) -> f64 {
        if cost == other_cost {
            cost * (self.logs + other.logs + (self.product * other.product).ln())
        } else {
            cost * (self.logs + self.product.ln()) + other_cost * (other.logs + other.product.ln())
        }
    }
}

/// How much more the losses of some pairs are, if their logits take a step.
#[inline(always)]
pub(super) fn more_loss<S: Sum>(positions: &[u32], towards: &[f64], step: f64, sum: impl Fn() -> S) -> f64 {
    let (mut before, mut after) = (sum(), sum());
    for positions in positions.chunks(LANES) {
        let mut here = [SATISFIED; LANES];
        for (here, &position) in here.iter_mut().zip(positions) {
            *here = towards[position as usize];
        }
        before.add(here, [0.0; LANES]);
        after.add(here.map(|here| here + step), [0.0; LANES]);
    }
    after.minus(before)
}
