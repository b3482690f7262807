//! Sums over pairs, each of which is a line of A: 1, its covariates, and for each of its ends a 1 and its attributes.
//! Rates and logits are as a state has them, or found where they are needed, so that nobody has to keep them.
//! See "The linear part" in `docs/model.md`.

use std::ops::Range;

use pulp::Arch;
use rand_distr::{Distribution, StandardNormal};

use crate::covariates::{Design, Matrix};
use crate::model::{Losses, State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream};

use super::super::augment::Augmentation;
use super::super::losses::{Block, LogisticLanes, exp};
use super::super::{Context, LANES, linalg, with_simd};
use super::gram::{AddProducts, CHUNK, Gram};
use super::layout::Layout;

#[derive(Debug, Default)]
pub(super) struct Sums {
    parts: Vec<Part>,
}

/// Several sets of values, one in each lane.
#[derive(Debug)]
struct Sets {
    /// What the intercepts give each logit.
    base: Block,
    coefficients: Vec<Block>,
}

/// Sums over the pairs of a part.
#[derive(Debug, Default)]
struct Part {
    /// What the ends add to: as long as the expanded unknowns.
    ends: Vec<f64>,
    gram: Gram,
    found: Found,
    /// Rates of pairs, and what they are to add, that the sums do not have yet.
    pending: Vec<[f64; 2]>,
    /// The covariates of some pairs: one in each lane.
    columns: Vec<Block>,
    /// For each of some [`Sets`] the losses at unit cost of non-links and of links.
    losses: Vec<[LogisticLanes; 2]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) pairs: &'a Pairs,
    pub(super) covariates: &'a Matrix,
    pub(super) division: &'a Division,
    pub(super) layout: Layout<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(context: &Context<'a>, design: &'a Design, state: &State) -> Self {
        let Context { pairs, settings, division, .. } = *context;
        let layout = Layout::new(state, settings, design, pairs.symmetric());
        Self { pairs, covariates: &design.pairs, division, layout }
    }
}

impl Lines<'_> {
    /// In one pass A' c over the expanded unknowns, and the block of intercept and coefficients of A' R A.
    ///
    /// c has for each pair the `pull` of its label, rate and logit; and, if there is `noise` for each part,
    /// the square root of the rate times a normal number, which has the covariance A' R A.
    pub(super) fn gather(
        &self,
        rates: &impl Rates,
        pull: impl Fn(bool, f64, f64) -> f64 + Sync,
        noise: Option<&(dyn Fn(usize) -> Stream + Sync)>,
        sums: &mut Sums,
        (sum, block): (&mut Vec<f64>, &mut Vec<f64>),
    ) {
        let layout = self.layout;
        self.division.for_parts(&mut sums.parts, |number, sources, part| {
            let mut noise = noise.map(|stream| stream(number));
            with_simd(
                #[inline(always)]
                || self.gather_part(sources.clone(), rates, &pull, noise.as_mut(), part),
            );
        });
        let (first, others) = sums.parts.split_first_mut().expect("at least one part");
        for part in others {
            linalg::add_scaled(&mut first.ends, 1.0, &part.ends);
            first.gram.add_all(&part.gram);
        }
        sum.clone_from(&first.ends);
        let width = layout.common();
        sum[1..width].copy_from_slice(&first.gram.linear()[..width - 1]);
        block.clear();
        block.resize(width * width, 0.0);
        first.gram.write(layout.one, width, block);
    }

    #[inline(always)]
    fn gather_part(
        &self,
        sources: Range<usize>,
        rates: &impl Rates,
        pull: impl Fn(bool, f64, f64) -> f64,
        mut noise: Option<&mut Stream>,
        part: &mut Part,
    ) {
        let Self { pairs, covariates, layout, .. } = self;
        let Part { ends, gram, found, pending, .. } = part;
        gram.clear(covariates.blocks_a_line());
        ends.clear();
        ends.resize(layout.expanded_len(), 0.0);
        pending.clear();
        let [sender, receiver] = layout.ends().map(|end| end.start);
        let mut total = 0.0;
        for source in sources.clone() {
            let range = pairs.from(source);
            if range.is_empty() {
                continue;
            }
            found.clear();
            rates.find(self, source, found);
            let mut here = 0.0;
            for (pair, (&rate, &logit)) in range.zip(found.rates.iter().zip(&found.logits)) {
                let mut value = pull(pairs.label(pair), rate, logit);
                if let Some(rng) = noise.as_mut() {
                    let normal: f64 = StandardNormal.sample(*rng);
                    value += rate.sqrt() * normal;
                }
                if layout.of_nodes() {
                    ends[receiver + pairs.targets()[pair] as usize] += value;
                }
                here += value;
                pending.push([rate, value]);
                if pending.len() == CHUNK {
                    gram.add_pending(covariates, pair + 1, pending);
                }
            }
            if layout.of_nodes() {
                ends[sender + source] += here;
            }
            total += here;
        }
        gram.add_pending(covariates, pairs.from(sources.end - 1).end, pending);
        ends[0] = layout.one * total;
    }

    /// Adds to the ends what the ends of all pairs say to each other: R times what both add, without what is common to all.
    pub(super) fn add_between_ends(&self, rates: &[f64], expanded: &[f64], sums: &mut Sums, sum: &mut [f64]) {
        let Self { pairs, layout, .. } = self;
        let [sender, receiver] = layout.ends().map(|end| end.start);
        self.division.for_parts(&mut sums.parts, |_, sources, part| {
            let ends = &mut part.ends;
            ends.clear();
            ends.resize(expanded.len(), 0.0);
            for source in sources {
                let range = pairs.from(source);
                let own = expanded[sender + source];
                let mut here = 0.0;
                for (&target, &rate) in pairs.targets()[range.clone()].iter().zip(&rates[range]) {
                    let end = receiver + target as usize;
                    let value = rate * (own + expanded[end]);
                    ends[end] += value;
                    here += value;
                }
                ends[sender + source] += here;
            }
        });
        for part in &sums.parts {
            linalg::add_scaled(sum, 1.0, &part.ends);
        }
    }

    /// The logistic losses of all pairs for each of several sets of values, in one pass over the covariates. Intercept and
    /// coefficients are all there is.
    pub(super) fn losses(&self, sums: &mut Sums, values: &[Vec<f64>]) -> Vec<Losses> {
        if values.is_empty() {
            return vec![];
        }
        let parts = &mut sums.parts;
        let sets = |values: &[Vec<f64>]| {
            let lanes =
                |at: usize| std::array::from_fn(|lane| values.get(lane).map_or(0.0, |values| values[at]));
            let base = lanes(0).map(|intercept: f64| self.layout.one * intercept);
            Sets { base, coefficients: (1..self.layout.common()).map(lanes).collect() }
        };
        let sets: Vec<Sets> = values.chunks(LANES).map(sets).collect();
        self.division.for_parts(parts, |_, sources, part| {
            part.losses.clear();
            part.losses.resize_with(sets.len(), || [LogisticLanes::new(), LogisticLanes::new()]);
            with_simd(
                #[inline(always)]
                || self.add_losses(sources.clone(), &sets, part),
            );
        });
        let mut losses = vec![Losses::default(); values.len()];
        for part in parts {
            for (losses, found) in losses.chunks_mut(LANES).zip(&part.losses) {
                let [non_links, links] = found.each_ref().map(LogisticLanes::totals);
                for (lane, losses) in losses.iter_mut().enumerate() {
                    losses.links += links[lane];
                    losses.non_links += non_links[lane];
                }
            }
        }
        losses
    }

    #[inline(always)]
    fn add_losses(&self, sources: Range<usize>, sets: &[Sets], Part { columns, losses, .. }: &mut Part) {
        let Self { pairs, covariates, layout, .. } = self;
        let (arch, end) = (Arch::new(), pairs.from(sources.end - 1).end);
        columns.resize(layout.common() - 1, [0.0; LANES]);
        for first in (pairs.from(sources.start).start..end).step_by(LANES) {
            let here = first..end.min(first + LANES);
            for (place, pair) in here.clone().enumerate() {
                let line = covariates.blocks(pair).as_flattened();
                columns.iter_mut().zip(line).for_each(|(column, &value)| column[place] = value.into());
            }
            for (Sets { base, coefficients }, losses) in sets.iter().zip(&mut *losses) {
                let mut logits = [*base; LANES];
                arch.dispatch(AddProducts { tile: &mut logits, left: columns, right: coefficients });
                for (pair, logits) in here.clone().zip(logits) {
                    let label = pairs.label(pair);
                    let sign = if label { 1.0 } else { -1.0 };
                    losses[usize::from(label)].add(logits.map(|logit| sign * logit));
                }
            }
        }
    }

    /// The coefficients in whole blocks, as the lines of covariates are.
    pub(super) fn in_blocks(&self, expanded: &[f64]) -> Vec<[f64; LANES]> {
        let mut coefficients = vec![[0.0; LANES]; self.covariates.blocks_a_line()];
        let columns = &expanded[1..self.layout.common()];
        coefficients.as_flattened_mut()[..columns.len()].copy_from_slice(columns);
        coefficients
    }

    /// The products of all lines with the expanded unknowns.
    pub(super) fn write_offsets(&self, expanded: &[f64], offsets: &mut [f64]) {
        let Self { pairs, covariates, division, layout } = self;
        let coefficients = self.in_blocks(expanded);
        let ends = layout.of_nodes().then(|| layout.ends().map(|end| &expanded[end]));
        let mut outputs = division.split_pairs(pairs, offsets);
        division.for_parts_with(&mut outputs, |_, sources, offsets| {
            let mut offsets = offsets.iter_mut();
            with_simd(
                #[inline(always)]
                || {
                    for source in sources.clone() {
                        let own = ends.map_or(0.0, |[senders, _]| senders[source]);
                        let base = layout.one * expanded[0] + own;
                        for (pair, offset) in pairs.from(source).zip(&mut offsets) {
                            let target = pairs.targets()[pair] as usize;
                            let other = ends.map_or(0.0, |[_, receivers]| receivers[target]);
                            *offset = base + other + dot(covariates.blocks(pair), &coefficients);
                        }
                    }
                },
            );
        });
    }
}

#[inline(always)]
pub(super) fn dot(line: &[[f32; LANES]], coefficients: &[[f64; LANES]]) -> f64 {
    let mut sums = [0.0; LANES];
    for (line, coefficients) in line.iter().zip(coefficients) {
        sums = plus_product(sums, *line, *coefficients);
    }
    let halves: [f64; 4] = std::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

/// sums + line * factors. Of copies: the compiler makes vectors of these, not of what memory may change.
#[inline(always)]
pub(super) fn plus_product(sums: [f64; LANES], line: [f32; LANES], factors: [f64; LANES]) -> [f64; LANES] {
    let line: [f64; LANES] = std::array::from_fn(|lane| f64::from(line[lane]));
    std::array::from_fn(|lane| sums[lane] + line[lane] * factors[lane])
}

/// Rates and logits of the pairs that start at a node, in their order.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) rates: Vec<f64>,
    pub(super) logits: Vec<f64>,
    /// The weights that the features of the node present.
    presented: Vec<f64>,
    spare: Vec<f64>,
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.rates.clear();
        self.logits.clear();
    }
}

pub(super) trait Rates: Sync {
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found);
}

/// Offsets and rates are there.
impl Rates for State {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, presented, .. } = found;
        let slots = self.features.slots();
        presented.resize(slots, 0.0);
        self.weights.add_rows(self.features.row(source), slots, presented);
        let range = lines.pairs.from(source);
        rates.extend_from_slice(&self.rates[range.clone()]);
        let targets = &lines.pairs.targets()[range.clone()];
        logits.extend_from_slice(&self.offsets[range]);
        for (logit, &target) in logits.iter_mut().zip(targets) {
            let mut latent = 0.0;
            for &slot in self.features.row(target as usize) {
                latent += presented[slot as usize];
            }
            *logit += latent;
        }
    }
}

/// Logits of intercept and coefficients, where these are all there is.
struct Alone {
    base: f64,
    coefficients: Vec<[f64; LANES]>,
}

impl Alone {
    fn new(lines: &Lines<'_>, values: &[f64]) -> Self {
        Self { base: lines.layout.one * values[0], coefficients: lines.in_blocks(values) }
    }

    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, logits: &mut Vec<f64>) {
        let pairs = lines.pairs.from(source);
        // Not by `extend`, which the compiler need not inline.
        logits.resize(pairs.len(), 0.0);
        for (logit, pair) in logits.iter_mut().zip(pairs) {
            *logit = self.base + dot(lines.covariates.blocks(pair), &self.coefficients);
        }
    }
}

/// Rates that are drawn given the logits, as the augmentation at the end of the last sweep would have drawn them.
pub(super) struct Drawn<'a> {
    alone: Alone,
    context: Context<'a>,
    augmentation: &'a Augmentation,
}

impl<'a> Drawn<'a> {
    pub(super) fn new(
        lines: &Lines<'_>,
        context: &Context<'a>,
        augmentation: &'a Augmentation,
        values: &[f64],
    ) -> Self {
        let mut context = *context;
        context.key.sweep -= 1;
        Self { alone: Alone::new(lines, values), context, augmentation }
    }
}

impl Rates for Drawn<'_> {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, spare, .. } = found;
        self.alone.find(lines, source, logits);
        rates.extend_from_slice(logits);
        let labels = &lines.pairs.labels()[lines.pairs.from(source)];
        let mut rng = self.context.stream(Purpose::Augment, source as u64);
        self.augmentation.fill(labels, rates, spare, &mut rng);
    }
}

/// Curvatures of the logistic loss in the place of rates.
pub(super) struct Curvatures<'a> {
    alone: Alone,
    settings: &'a ValidSettings,
}

impl<'a> Curvatures<'a> {
    pub(super) fn new(lines: &Lines<'_>, settings: &'a ValidSettings, values: &[f64]) -> Self {
        Self { alone: Alone::new(lines, values), settings }
    }
}

impl Rates for Curvatures<'_> {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, .. } = found;
        self.alone.find(lines, source, logits);
        let labels = &lines.pairs.labels()[lines.pairs.from(source)];
        rates.extend_from_slice(logits);
        let (blocks, rest) = rates.as_chunks_mut();
        for block in blocks {
            *block = curvatures(*block);
        }
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        rest.copy_from_slice(&curvatures(last)[..rest.len()]);
        for (rate, &link) in rates.iter_mut().zip(labels) {
            *rate *= self.settings.cost(link);
        }
    }
}

#[inline(always)]
fn curvatures(logits: [f64; LANES]) -> [f64; LANES] {
    let odds = exp(logits.map(|logit| -logit.abs()));
    odds.map(|odds| odds / ((1.0 + odds) * (1.0 + odds)))
}
