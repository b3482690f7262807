//! Non-links that were not sampled, counted by the features that their ends share. See "Sampled non-links" in `docs/model.md`.
//!
//! A feature that two nodes share makes a link likely, so that the absence of the link speaks against it, whether or not
//! the pair was sampled. Feature k takes part in the likelihood with n_k failures at the logit of its weight, the intercept
//! and the log of the share of non-links that was sampled. n_k counts the pairs of its owners that are not among the pairs
//! to learn from, each by the product of what is known of how active its ends are. Pairs within a class, whose rows are drawn
//! at the same time, do not count.
//!
//! Counts are whole numbers of units of 1 / 256, so that they are exact whatever the order of sums.

use std::sync::OnceLock;

use rand_distr::{Distribution, StandardNormal};

use crate::model::{FeatureBits, Loss, State, softplus};
use crate::network::Pairs;
use crate::random::Stream;
use crate::random::polya_gamma::{PolyaGamma, polya_gamma_mean, polya_gamma_variance};

use super::Context;
use super::near::{NearPair, NearPairs};

/// Units of a count of 1.
const UNIT: u64 = (Pairs::ACTIVITY_UNIT * Pairs::ACTIVITY_UNIT) as u64;
/// From this count on a Polya-Gamma number is drawn as the normal number that it nearly is: its skewness is below 0.01.
const NEARLY_NORMAL: u64 = 100_000 * UNIT;

/// Whether non-links that were not sampled count: those of a likelihood with diagonal weights in a sparse network of one mode.
pub(super) fn count(context: &Context<'_>) -> bool {
    let Context { pairs, settings, .. } = *context;
    let likelihood = settings.model.loss == Loss::Logistic && settings.c_pos == 1.0 && settings.c_neg == 1.0;
    let network = pairs.modes().is_none() && !pairs.activity().is_empty() && !pairs.dense();
    likelihood && settings.model.diagonal() && network
}

/// What the count of a feature is multiplied with in the loss, per unit.
pub(super) fn loss_of_unit(context: &Context<'_>, state: &State, slot: usize) -> f64 {
    softplus(logit(context, state, slot)) / UNIT as f64
}

/// The loss of all of them.
pub(crate) fn loss(context: &Context<'_>, state: &State) -> f64 {
    if !count(context) {
        return 0.0;
    }
    let counts = counts(context, state).into_iter().enumerate();
    counts.map(|(slot, count)| count as f64 * loss_of_unit(context, state, slot)).sum()
}

/// For each feature the rate of its failures, from a fresh augmentation variable, and their pull; nothing if they do not count.
pub(super) fn augment(context: &Context<'_>, state: &State, rng: &mut Stream) -> Vec<Term> {
    if !count(context) {
        return vec![];
    }
    let counts = counts(context, state).into_iter().enumerate();
    let term = |(slot, count)| {
        let logit = logit(context, state, slot);
        Term { rate: polya_gamma(count, logit, rng), pull: -0.5 * count as f64 / UNIT as f64, logit }
    };
    counts.map(term).collect()
}

/// What the failures of a feature say of a logit: as a pair with this rate and pull would.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) rate: f64,
    pub(super) pull: f64,
    pub(super) logit: f64,
}

/// What the log of the sampled share adds to the logit of a feature's failures.
pub(super) fn log_share(context: &Context<'_>) -> f64 {
    context.pairs.non_link_share().ln()
}

fn logit(context: &Context<'_>, state: &State, slot: usize) -> f64 {
    state.intercept + state.weights.diagonal()[slot] + log_share(context)
}

/// Sums over the owners of each feature of their activity as sources and as targets.
pub(super) fn sums(pairs: &Pairs, state: &State) -> Vec<[u64; 2]> {
    let mut sums = vec![[0; 2]; state.features.slots()];
    add(0..pairs.nodes() as u32, pairs, state, &mut sums);
    sums
}

/// Adds the activity of some nodes to the sums of their features.
pub(super) fn add(nodes: impl IntoIterator<Item = u32>, pairs: &Pairs, state: &State, sums: &mut [[u64; 2]]) {
    for node in nodes {
        let [source, target] = pairs.activity()[node as usize].map(u64::from);
        for &slot in state.features.row(node as usize) {
            let sum = &mut sums[slot as usize];
            *sum = [sum[0] + source, sum[1] + target];
        }
    }
}

/// The counts of all features (n_k), in units.
fn counts(context: &Context<'_>, state: &State) -> Vec<u64> {
    let Context { pairs, division, .. } = *context;
    // Where a pair stands for both directions, ordered pairs are counted and halved.
    let product = |[sources, targets]: [u64; 2]| sources * targets;
    let mut counts: Vec<u64> = sums(pairs, state).into_iter().map(product).collect();
    let slots = counts.len();
    if division.coloured() {
        let mut inside = vec![[0; 2]; slots];
        for class in division.classes() {
            inside.fill([0; 2]);
            add(class.nodes().iter().copied(), pairs, state, &mut inside);
            counts.iter_mut().zip(&inside).for_each(|(count, &inside)| *count -= product(inside));
        }
    } else {
        for (node, activity) in pairs.activity().iter().enumerate() {
            for &slot in state.features.row(node) {
                counts[slot as usize] -= product(activity.map(u64::from));
            }
        }
    }
    if pairs.symmetric() {
        for count in &mut counts {
            *count /= 2;
        }
    }
    for (count, observed) in counts.iter_mut().zip(observed(context, state)) {
        *count -= observed;
    }
    counts
}

/// What the counts of all features would be over the pairs to learn from.
fn observed(context: &Context<'_>, state: &State) -> Vec<u64> {
    let Context { pairs, division, .. } = *context;
    let mut bits = FeatureBits::default();
    bits.fill(&state.features);
    let mut listed = NearPairs::default();
    let near = context.near.unwrap_or_else(|| {
        listed.fill(pairs, division, &bits);
        &listed
    });
    let mut parts: Vec<Vec<u64>> = vec![];
    division.for_parts(&mut parts, |number, sources, counts| {
        counts.resize(state.features.slots(), 0);
        for NearPair { source, target, .. } in near.of_part(number, sources, pairs) {
            let [from, to] = [pairs.activity()[source][0], pairs.activity()[target][1]].map(u64::from);
            bits.for_common(&state.features, source, target, |slot| counts[slot] += from * to);
        }
    });
    let sum = |mut all: Vec<u64>, counts: Vec<u64>| {
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        all
    };
    parts.into_iter().reduce(sum).unwrap_or_default()
}

/// What all rows know.
#[derive(Debug, Default)]
pub(super) struct Known {
    losses: Vec<f64>,
    sums: Vec<[u64; 2]>,
    /// The part of the sums that is of the class at hand.
    inside: Vec<[u64; 2]>,
    coloured: bool,
    symmetric: bool,
}

impl Known {
    /// Looks at all rows and weights.
    pub(super) fn fill(&mut self, context: &Context<'_>, state: &State) {
        self.losses.clear();
        self.sums.clear();
        if count(context) {
            let losses = (0..state.features.slots()).map(|slot| loss_of_unit(context, state, slot));
            self.losses.extend(losses);
            self.sums = sums(context.pairs, state);
        }
        self.coloured = context.division.coloured();
        self.symmetric = context.pairs.symmetric();
    }

    /// Begins the rows of a class.
    pub(super) fn begin_class(&mut self, nodes: &[u32], pairs: &Pairs, state: &State) {
        if !self.losses.is_empty() {
            self.inside.clear();
            self.inside.resize(self.sums.len(), [0; 2]);
            add(nodes.iter().copied(), pairs, state, &mut self.inside);
        }
    }

    /// A node takes and gives up features.
    pub(super) fn apply(&mut self, node: usize, changes: &[(u32, bool)], pairs: &Pairs) {
        if self.losses.is_empty() {
            return;
        }
        let activity = pairs.activity()[node].map(u64::from);
        for &(slot, take) in changes {
            let sum = &mut self.sums[slot as usize];
            for (sum, activity) in sum.iter_mut().zip(activity) {
                *sum = if take { *sum + activity } else { *sum - activity };
            }
        }
    }

    /// How active a node is as a source and as a target, if non-links that were not sampled count.
    #[inline(always)]
    pub(super) fn activity(&self, node: usize, pairs: &Pairs) -> Option<[u64; 2]> {
        (!self.losses.is_empty()).then(|| pairs.activity()[node].map(u64::from))
    }

    /// What the loss of a node's non-links that were not sampled grows by, if it takes a feature. Its pairs with owners
    /// that are to be learned from have the weight `seen`.
    #[inline(always)]
    pub(super) fn more_loss(&self, activity: [u64; 2], seen: u64, slot: usize, has: bool) -> f64 {
        let [sources, targets] = self.sums[slot];
        let inside = match (self.coloured, has) {
            (true, _) => self.inside[slot],
            (false, true) => activity,
            (false, false) => [0; 2],
        };
        let [source, target] = activity;
        let mut count = source * (targets - inside[1]);
        if !self.symmetric {
            count += target * (sources - inside[0]);
        }
        self.losses[slot] * (count - seen) as f64
    }
}

/// Samplers of PG(2^p, .) for all powers p up to the largest, in units.
static SAMPLERS: OnceLock<Vec<PolyaGamma>> = OnceLock::new();
const LARGEST: u32 = 16;

/// A draw of PG(count, logit), the count being in units.
fn polya_gamma(count: u64, logit: f64, rng: &mut Stream) -> f64 {
    if count >= NEARLY_NORMAL {
        let b = count as f64 / UNIT as f64;
        let normal: f64 = StandardNormal.sample(rng);
        return polya_gamma_mean(b, logit) + polya_gamma_variance(b, logit).sqrt() * normal;
    }
    // A sum of draws for powers of two: a sampler takes long to build.
    let sampler = |power: u32| PolyaGamma::new(f64::from(1 << power) / UNIT as f64).expect("a small number");
    let samplers = SAMPLERS.get_or_init(|| (0..=LARGEST).map(sampler).collect());
    let last = &samplers[LARGEST as usize];
    let mut sum: f64 = (0..count >> LARGEST).map(|_| last.sample(logit, rng)).sum();
    for (power, sampler) in samplers[..LARGEST as usize].iter().enumerate() {
        if count >> power & 1 == 1 {
            sum += sampler.sample(logit, rng);
        }
    }
    sum
}
