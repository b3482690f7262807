//! The linear part of the logit: intercept, coefficients of covariates and effects of nodes, one Gaussian draw.
//! See "The linear part" in `docs/model.md`.
//!
//! Its precision is Q = A' R A + L, where a line of A has 1, the covariates of a pair, and a 1 and the attributes for each of its
//! ends, R the rates, and L the prior precisions. Intercept and coefficients alone are drawn by factorisation, with ends by
//! conjugate gradients, whose iterations look at the rates alone after one pass over the covariates.

mod attributes;
mod gram;
mod layout;
mod lines;
mod node_sums;
mod proposals;
#[cfg(test)]
mod tests;

use std::ops::AddAssign;
use std::sync::Arc;

use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::covariates::Design;
use crate::model::{Linear, Losses, State, ValidSettings};
use crate::random::{Purpose, Stream};

use super::augment::Augmentation;
use super::conjugate::{self, System};
use super::{Context, hyper, linalg, unsampled};

use attributes::Preconditioner;
use layout::Layout;
use lines::{Drawn, Lines, Rates, Sums};
use node_sums::NodeSums;
use proposals::Ahead;
pub(crate) use proposals::Proposals;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    values: Vec<f64>,
    residual: Vec<f64>,
    parts: Parts,
    conjugate: conjugate::Scratch,
    /// Where covariates alone are proposed from.
    pub(crate) proposals: Option<Arc<Proposals>>,
    ahead: Ahead,
    losses: Option<Losses>,
}

impl Scratch {
    /// The losses of all pairs where the last update left them, if it has found them.
    pub fn losses(&self) -> Option<Losses> {
        self.losses
    }
}

/// What a pass over the pairs gives of the precision, and memory of products with it.
#[derive(Debug, Default)]
struct Parts {
    sums: Sums,
    expanded: Vec<f64>,
    sum: Vec<f64>,
    /// The block of intercept and coefficients, prior and all.
    block: Vec<f64>,
    factor: Vec<f64>,
    /// The prior precisions.
    diagonal: Vec<f64>,
    node_sums: NodeSums,
    attributes: Preconditioner,
    blocks: linalg::Blocks,
}

/// What the kernel did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Gaussian draws of the whole linear part: none in a sweep that leaves it as it is, or has nothing but proposals.
    pub draws: usize,
    /// Those that took conjugate gradients: nodes have effects or attributes.
    pub conjugate_gradients: conjugate::Info,
    /// Proposals, where intercept and coefficients are all there is.
    pub proposals: usize,
    /// How many of them were kept.
    pub accepted: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.draws += other.draws;
        self.conjugate_gradients += other.conjugate_gradients;
        self.proposals += other.proposals;
        self.accepted += other.accepted;
    }
}

/// Whether a state needs neither rates nor offsets: intercept and coefficients are all there is, and what a draw needs of
/// them is found as it goes through the pairs.
pub(crate) fn bare(context: &Context<'_>, design: &Design, state: &State) -> bool {
    let settings = context.settings;
    settings.without_rates(state.features.slots())
        && !state.linear.is_empty()
        && proposals::alone(&Lines::new(context, design, state), state, settings)
}

/// The losses of all pairs of a state without rates and offsets.
pub(crate) fn losses(context: &Context<'_>, design: &Design, state: &State) -> Losses {
    let lines = Lines::new(context, design, state);
    let mut values = vec![];
    lines.layout.gather(state, &mut values);
    lines.losses(&mut Sums::default(), &[values])[0]
}

/// Draws the whole linear part, and then the precisions of effects and attributes. Where intercept and coefficients are all
/// there is, the rates must be drawn again before anything uses them; a state may be without them then.
pub fn update(
    context: &Context<'_>,
    augmentation: &Augmentation,
    design: &Design,
    state: &mut State,
    scratch: &mut Scratch,
) -> Info {
    let settings = context.settings;
    let lines = Lines::new(context, design, state);
    let layout = lines.layout;
    let stream = |block| context.stream(Purpose::Linear, block);
    let before = std::mem::take(&mut scratch.values);
    layout.gather(state, &mut scratch.values);
    // The losses that the last sweep found are known, as long as nothing has moved.
    let mut losses = scratch.losses.take().filter(|_| before == scratch.values);
    let unsampled = unsampled::augment(context, state, &mut stream(u64::MAX - 1));
    let alone = unsampled.is_empty() && proposals::alone(&lines, state, settings);
    let mut info = Info::default();
    if !alone || Proposals::after_gaussian(context.key.sweep, lines.pairs.len()) {
        (info.draws, losses) = (1, None);
        if layout.of_nodes() {
            info.conjugate_gradients = draw_with_ends(&lines, state, settings, &unsampled, stream, scratch);
        } else if state.rates.is_empty() {
            let drawn = Drawn::new(&lines, context, augmentation, &scratch.values);
            draw_common(&lines, &drawn, state, settings, &unsampled, &mut stream(0), scratch);
        } else {
            draw_common(&lines, &*state, state, settings, &unsampled, &mut stream(0), scratch);
        }
    }
    if alone {
        let Scratch { values, proposals, ahead, parts: Parts { sums, .. }, .. } = scratch;
        if !proposals.as_ref().is_some_and(|known| known.are_of(settings)) {
            *proposals = Some(Arc::new(Proposals::new(&lines, state, settings, sums)));
            *ahead = Ahead::default();
        }
        let known = proposals.as_ref().expect("found above");
        let proposed = (context.key, ahead);
        let (counts, losses) = known.update((&lines, sums), state, settings, (values, losses), proposed);
        [info.proposals, info.accepted] = counts;
        scratch.losses = Some(losses);
    }
    Layout::scatter(&scratch.values, settings, state);
    if !state.offsets.is_empty() {
        let expanded = &mut scratch.parts.expanded;
        layout.expand(&scratch.values, expanded);
        lines.write_offsets(expanded, &mut state.offsets);
    }
    update_precisions(&mut state.linear, design, &mut stream(u64::MAX));
    info
}

/// What the label of a pair pulls by, less its rate times its logit.
fn pull(settings: &ValidSettings) -> impl Fn(bool, f64, f64) -> f64 + Sync {
    |link, rate, logit| settings.pull(link, rate) - rate * logit
}

/// Adds to the values, intercept and coefficients, what makes them a draw.
fn draw_common(
    lines: &Lines,
    rates: &impl Rates,
    state: &State,
    settings: &ValidSettings,
    unsampled: &[unsampled::Term],
    rng: &mut Stream,
    scratch: &mut Scratch,
) {
    let Scratch { values, parts: Parts { sums, sum, block, blocks, .. }, .. } = scratch;
    let (layout, width) = (lines.layout, values.len());
    lines.gather(rates, pull(settings), None, sums, (sum, block));
    add_unsampled(layout, unsampled, None, sum, block);
    layout.for_each_precision(state, settings, |at, precision| {
        sum[at] -= precision * values[at];
        block[at * (width + 1)] += precision;
    });
    linalg::draw_gaussian(block, width, sum, blocks, rng);
    linalg::add_scaled(values, 1.0, sum);
}

/// Adds what non-links that were not sampled say of the intercept; with noise of the covariance that they add, if it is drawn.
fn add_unsampled(
    layout: Layout<'_>,
    terms: &[unsampled::Term],
    noise: Option<&mut Stream>,
    sum: &mut [f64],
    block: &mut [f64],
) {
    if terms.is_empty() {
        return;
    }
    let rate: f64 = terms.iter().map(|term| term.rate).sum();
    let pull: f64 = terms.iter().map(|term| term.pull - term.rate * term.logit).sum();
    let normal: f64 = noise.map_or(0.0, |rng| StandardNormal.sample(rng));
    sum[0] += layout.one * (pull + rate.sqrt() * normal);
    block[0] += layout.one * rate;
}

/// The same where the ends of a pair add something, too.
fn draw_with_ends(
    lines: &Lines,
    state: &State,
    settings: &ValidSettings,
    unsampled: &[unsampled::Term],
    stream: impl Fn(u64) -> Stream + Sync,
    scratch: &mut Scratch,
) -> conjugate::Info {
    let Scratch { values, residual, parts, conjugate, .. } = scratch;
    let Parts { sums, sum, block, factor, diagonal, node_sums, attributes: preconditioner, .. } = &mut *parts;
    let (layout, common) = (lines.layout, lines.layout.common());
    lines.gather(state, pull(settings), Some(&|part| stream(1 + part as u64)), sums, (sum, block));
    add_unsampled(layout, unsampled, Some(&mut stream(u64::MAX - 2)), sum, block);
    residual.resize(values.len(), 0.0);
    layout.contract(sum, residual);
    node_sums.fill(lines, &state.rates);
    diagonal.clear();
    diagonal.resize(values.len(), 0.0);
    let mut rng = stream(0);
    layout.for_each_precision(state, settings, |at, precision| {
        let normal: f64 = StandardNormal.sample(&mut rng);
        residual[at] += precision.sqrt() * normal - precision * values[at];
        diagonal[at] = precision;
    });
    for (at, precision) in diagonal[..common].iter().enumerate() {
        block[at * (common + 1)] += precision;
    }
    factor.clone_from(block);
    linalg::cholesky(factor, common);
    if let Some(attributes) = layout.attributes {
        preconditioner.begin(attributes, lines.pairs.len());
        for (side, rates) in node_sums.rates().chunks_exact(attributes.nodes()).enumerate() {
            let precisions = diagonal[layout.attributes_of(side)].iter().copied();
            preconditioner.set(side, attributes, rates, precisions);
        }
    }
    let mut system = Precision { lines, rates: &state.rates, parts };
    conjugate::solve(&mut system, values.len(), values, residual, conjugate)
}

/// Fills the offsets of all pairs from intercept and linear part.
pub fn fill_offsets(context: &Context<'_>, design: &Design, state: &mut State) {
    if state.linear.is_empty() {
        return;
    }
    let lines = Lines::new(context, design, state);
    let layout = lines.layout;
    let (mut values, mut expanded) = (vec![], vec![]);
    layout.gather(state, &mut values);
    layout.expand(&values, &mut expanded);
    state.offsets.resize(context.pairs.len(), 0.0);
    lines.write_offsets(&expanded, &mut state.offsets);
}

/// The inverse variances of effects and of the coefficients of attributes, Gamma given these.
fn update_precisions(linear: &mut Linear, design: &Design, rng: &mut Stream) {
    let Linear { effects, precisions, attributes, attribute_precisions, .. } = linear;
    let mut draw = |values: &[f64], precision: &mut f64| {
        *precision = hyper::precision(values.len() as f64, linalg::dot(values, values), rng);
    };
    for (effects, precision) in effects.iter().zip(precisions) {
        if !effects.is_empty() {
            draw(effects, precision);
        }
    }
    let Some(known) = &design.nodes else { return };
    for (coefficients, precisions) in attributes.iter().zip(attribute_precisions) {
        for (group, precision) in known.groups().iter().zip(precisions) {
            draw(&coefficients[group.clone()], precision);
        }
    }
}

/// Q, and the preconditioner.
struct Precision<'a> {
    lines: &'a Lines<'a>,
    rates: &'a [f64],
    parts: &'a mut Parts,
}

impl System for Precision<'_> {
    fn multiply(&mut self, vector: &[f64], product: &mut [f64]) {
        let Self { lines, rates, parts } = self;
        let Parts { sums, expanded, sum, block, diagonal, node_sums, .. } = &mut **parts;
        let (layout, common) = (lines.layout, lines.layout.common());
        layout.expand(vector, expanded);
        sum.clear();
        sum.resize(expanded.len(), 0.0);
        lines.add_between_ends(rates, expanded, sums, sum);
        node_sums.add_coupled(layout.one, common, expanded, sum);
        for (sum, row) in sum.iter_mut().zip(block.chunks_exact(common)) {
            *sum += linalg::dot(row, &expanded[..common]);
        }
        layout.contract(sum, product);
        for ((product, vector), precision) in product.iter_mut().zip(vector).zip(&*diagonal).skip(common) {
            *product += precision * vector;
        }
    }

    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
        let Self { lines, parts, .. } = self;
        let Parts { factor, diagonal, node_sums, attributes: preconditioner, .. } = &mut **parts;
        let layout = lines.layout;
        let common = &mut solved[..layout.common()];
        common.copy_from_slice(&residual[..common.len()]);
        linalg::solve_lower(factor, layout.common(), common);
        linalg::solve_upper(factor, layout.common(), common);
        for side in 0..layout.sides {
            let effects = layout.effects_of(side);
            let rates = node_sums.rates().iter().skip(side * effects.len());
            for (at, rate) in effects.zip(rates) {
                solved[at] = residual[at] / (diagonal[at] + rate);
            }
            if let Some(attributes) = layout.attributes {
                let range = layout.attributes_of(side);
                preconditioner.solve(side, attributes, &residual[range.clone()], &mut solved[range]);
            }
        }
    }
}
