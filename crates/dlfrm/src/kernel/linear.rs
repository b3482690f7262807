//! The linear part of the logit: intercept, coefficients of covariates and effects of entities, one Gaussian draw.
//!
//! Given the augmentation they are Gaussian with precision Q = A' R A + L, where a line of A has 1, the covariates of a pair
//! and a 1 for each of its ends, R the rates, and L the prior precisions. As with many weights (`weights_conjugate.rs`)
//! the right-hand side is perturbed with covariance Q and the system solved by conjugate gradients. The preconditioner has
//! the block of intercept and coefficients, factorised, and the diagonal of the effects: without effects one iteration
//! is a draw by factorisation.

use std::ops::Range;

use rand_distr::{Distribution, StandardNormal};

use crate::covariates::Matrix;
use crate::model::{Checked, Linear, State};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream};

use super::conjugate::{self, Report, System};
use super::{LANES, Place, dense, hyper, wide};

/// So many links, and as many non-links, tell the preconditioner enough of the coefficients' block. Links are told apart
/// because they are few and matter most.
const BLOCK_PAIRS: usize = 50_000;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Sums,
    values: Vec<f64>,
    residual: Vec<f64>,
    block: Vec<f64>,
    diagonal: Vec<f64>,
    conjugate: conjugate::Scratch,
}

/// Sums over all pairs.
#[derive(Debug, Default)]
struct Sums {
    parts: Vec<Part>,
    coefficients: Vec<[f64; LANES]>,
}

/// A sum over the pairs of a part, and that of the coefficients in whole blocks.
#[derive(Debug, Default)]
struct Part {
    sum: Vec<f64>,
    gathered: Vec<[f64; LANES]>,
}

/// Draws the whole linear part, and then the precisions of the effects.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    covariates: &Matrix,
    division: &Division,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let Scratch { sums, values, residual, block, diagonal, conjugate } = scratch;
    let layout = Layout::new(state, settings);
    let lines = Lines { pairs, covariates, division, layout };
    layout.gather(state, values);
    residual.clear();
    residual.resize(values.len(), 0.0);
    let stream = |block| place.stream(Purpose::Linear, block);

    lines.sum(sums, values, residual, |number| Perturbed {
        pairs,
        state,
        settings,
        presented: vec![0.0; state.features.slots()],
        rng: stream(1 + number as u64),
    });
    let mut rng = stream(0);
    layout.for_each_precision(state, settings, |at, precision| {
        let normal: f64 = StandardNormal.sample(&mut rng);
        residual[at] += precision.sqrt() * normal - precision * values[at];
    });

    diagonal.clear();
    diagonal.resize(values.len(), 0.0);
    if layout.senders > 0 {
        lines.sum(sums, values, diagonal, |_| Rate(&state.rates));
    }
    layout.for_each_precision(state, settings, |at, precision| diagonal[at] += precision);
    lines.fill_block(state, settings, block);

    let mut system = Precision { lines, state, settings, sums, block, diagonal };
    let report = conjugate::solve(&mut system, values.len(), values, residual, conjugate);
    Layout::scatter(values, settings, state);
    lines.write_offsets(values, &mut state.offsets);
    update_precisions(&mut state.linear, &mut stream(u64::MAX));
    report
}

/// Fills the offsets of all pairs from intercept and linear part.
pub fn fill_offsets(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    covariates: &Matrix,
    division: &Division,
) {
    if state.linear.is_empty() {
        return;
    }
    let layout = Layout::new(state, settings);
    let mut values = vec![];
    layout.gather(state, &mut values);
    state.offsets.resize(pairs.len(), 0.0);
    Lines { pairs, covariates, division, layout }.write_offsets(&values, &mut state.offsets);
}

/// The inverse variances of the effects, Gamma given these.
fn update_precisions(linear: &mut Linear, rng: &mut Stream) {
    let Linear { effects, precisions, .. } = linear;
    for (effects, precision) in effects.iter().zip(precisions) {
        if !effects.is_empty() {
            let squares = dense::dot(effects, effects);
            *precision = hyper::precision(effects.len() as f64, squares, rng);
        }
    }
}

/// Where everything stands among the unknowns: intercept, coefficients, effects of sources, effects of targets.
#[derive(Debug, Clone, Copy)]
struct Layout {
    coefficients: usize,
    senders: usize,
    receivers: usize,
    /// What the intercept is multiplied with: nothing, if there is none.
    one: f64,
}

impl Layout {
    fn new(state: &State, settings: &Checked) -> Self {
        let Linear { coefficients, effects: [senders, receivers], .. } = &state.linear;
        Self {
            coefficients: coefficients.len(),
            senders: senders.len(),
            receivers: receivers.len(),
            one: f64::from(u8::from(settings.intercept)),
        }
    }

    /// The unknowns that every pair has: intercept and coefficients.
    fn common(self) -> usize {
        1 + self.coefficients
    }

    /// The effects of the ends of a pair. Where both are of one kind they stand in one place.
    fn effects(self) -> [Range<usize>; 2] {
        let senders = self.common()..self.common() + self.senders;
        let receivers = senders.end..senders.end + self.receivers;
        if receivers.is_empty() { [senders.clone(), senders] } else { [senders, receivers] }
    }

    fn gather(self, state: &State, values: &mut Vec<f64>) {
        let Linear { coefficients, effects: [senders, receivers], .. } = &state.linear;
        values.clear();
        values.push(self.one * state.intercept);
        values.extend(coefficients.iter().chain(senders).chain(receivers));
    }

    fn scatter(values: &[f64], settings: &Checked, state: &mut State) {
        let (intercept, mut rest) = values.split_first().expect("an intercept");
        if settings.intercept {
            state.intercept = *intercept;
        }
        let Linear { coefficients, effects: [senders, receivers], .. } = &mut state.linear;
        for list in [coefficients, senders, receivers] {
            let (values, others) = rest.split_at(list.len());
            list.copy_from_slice(values);
            rest = others;
        }
    }

    fn for_each_precision(self, state: &State, settings: &Checked, mut visit: impl FnMut(usize, f64)) {
        visit(0, settings.intercept_precision());
        (1..self.common()).for_each(|at| visit(at, settings.coefficient_precision()));
        let [senders, receivers] = state.linear.precisions;
        let first = self.common() + self.senders;
        (self.common()..first).for_each(|at| visit(at, senders));
        (first..first + self.receivers).for_each(|at| visit(at, receivers));
    }
}

/// What a pair adds to a sum over all lines of A.
trait Term {
    /// The pairs that follow start at this entity.
    #[inline(always)]
    fn begin(&mut self, _source: usize) {}
    /// The coefficient of a line, given its product with the unknowns.
    fn of(&mut self, pair: usize, product: f64) -> f64;
}

/// The perturbed right-hand side less Q times what is known.
struct Perturbed<'a> {
    pairs: &'a Pairs,
    state: &'a State,
    settings: &'a Checked,
    presented: Vec<f64>,
    rng: Stream,
}

impl Term for Perturbed<'_> {
    #[inline(always)]
    fn begin(&mut self, source: usize) {
        let (features, weights) = (&self.state.features, &self.state.weights);
        weights.add_rows(features.row(source), features.slots(), &mut self.presented);
    }

    #[inline(always)]
    fn of(&mut self, pair: usize, product: f64) -> f64 {
        let row = self.state.features.row(self.pairs.targets()[pair] as usize);
        let latent: f64 = row.iter().map(|&slot| self.presented[slot as usize]).sum();
        let (rate, link) = (self.state.rates[pair], self.pairs.label(pair));
        let normal: f64 = StandardNormal.sample(&mut self.rng);
        self.settings.pull(link, rate) - rate * (product + latent) + rate.sqrt() * normal
    }
}

/// A product with A' R A.
struct Product<'a>(&'a [f64]);

impl Term for Product<'_> {
    #[inline(always)]
    fn of(&mut self, pair: usize, product: f64) -> f64 {
        self.0[pair] * product
    }
}

/// The rates themselves: the diagonal of the effects.
struct Rate<'a>(&'a [f64]);

impl Term for Rate<'_> {
    #[inline(always)]
    fn of(&mut self, pair: usize, _: f64) -> f64 {
        self.0[pair]
    }
}

/// The lines of A.
#[derive(Debug, Clone, Copy)]
struct Lines<'a> {
    pairs: &'a Pairs,
    covariates: &'a Matrix,
    division: &'a Division,
    layout: Layout,
}

impl Lines<'_> {
    /// A' c, where c has the terms of all pairs.
    fn sum<T: Term>(
        &self,
        Sums { parts, coefficients }: &mut Sums,
        values: &[f64],
        sum: &mut [f64],
        term: impl Fn(usize) -> T + Sync,
    ) {
        self.pad(values, coefficients);
        self.division.for_parts(parts, |number, sources, part| {
            part.sum.clear();
            part.sum.resize(values.len(), 0.0);
            part.gathered.clear();
            part.gathered.resize(coefficients.len(), [0.0; LANES]);
            let mut term = term(number);
            wide(
                #[inline(always)]
                || self.add(sources.clone(), values, coefficients, part, &mut term),
            );
        });
        sum.fill(0.0);
        for part in parts {
            dense::add_scaled(sum, 1.0, &part.sum);
        }
    }

    #[inline(always)]
    fn add(
        &self,
        sources: Range<usize>,
        values: &[f64],
        coefficients: &[[f64; LANES]],
        Part { sum, gathered }: &mut Part,
        term: &mut impl Term,
    ) {
        let Self { pairs, covariates, layout, .. } = self;
        let [senders, receivers] = layout.effects();
        let (apart, intercept) = (!senders.is_empty(), layout.one * values[0]);
        let mut total = 0.0;
        for source in sources {
            let range = pairs.from(source);
            if range.is_empty() {
                continue;
            }
            term.begin(source);
            let base = intercept + if apart { values[senders.start + source] } else { 0.0 };
            let mut here = 0.0;
            for pair in range {
                let line = covariates.blocks(pair);
                let target = receivers.start + pairs.targets()[pair] as usize;
                let effect = if apart { values[target] } else { 0.0 };
                let coefficient = term.of(pair, base + effect + dot(line, coefficients));
                for (gathered, line) in gathered.iter_mut().zip(line) {
                    *gathered = plus_product(*gathered, *line, [coefficient; LANES]);
                }
                if apart {
                    sum[target] += coefficient;
                }
                here += coefficient;
            }
            if apart {
                sum[senders.start + source] += here;
            }
            total += here;
        }
        sum[0] += layout.one * total;
        for (sum, gathered) in sum[1..layout.common()].iter_mut().zip(gathered.as_flattened()) {
            *sum += gathered;
        }
    }

    /// The coefficients in whole blocks, as the lines of covariates are.
    fn pad(&self, values: &[f64], blocks: &mut Vec<[f64; LANES]>) {
        blocks.clear();
        blocks.resize(self.covariates.blocks_a_line(), [0.0; LANES]);
        for (to, from) in blocks.as_flattened_mut().iter_mut().zip(&values[1..self.layout.common()]) {
            *to = *from;
        }
    }

    /// The block of intercept and coefficients, factorised: of some of the pairs if there are many.
    fn fill_block(&self, state: &State, settings: &Checked, block: &mut Vec<f64>) {
        let width = self.layout.common();
        block.clear();
        block.resize(width * width, 0.0);
        let pairs = self.pairs;
        let strides =
            [pairs.len() - pairs.links(), pairs.links()].map(|count| count.div_ceil(BLOCK_PAIRS).max(1));
        let mut line = vec![self.layout.one; width];
        let mut seen = [0; 2];
        for (pair, &link) in pairs.labels().iter().enumerate() {
            let kind = usize::from(link);
            seen[kind] += 1;
            if seen[kind] % strides[kind] != 0 {
                continue;
            }
            let covariates = self.covariates.blocks(pair).as_flattened();
            for (value, &covariate) in line[1..].iter_mut().zip(covariates) {
                *value = f64::from(covariate);
            }
            let rate = state.rates[pair] * strides[kind] as f64;
            for (k, &left) in line.iter().enumerate() {
                dense::add_scaled(&mut block[k * width + k..(k + 1) * width], rate * left, &line[k..]);
            }
        }
        block[0] += settings.intercept_precision();
        for k in 1..width {
            block[k * width + k] += settings.coefficient_precision();
        }
        dense::cholesky(block, width);
    }

    /// The products of all lines with the unknowns.
    fn write_offsets(&self, values: &[f64], offsets: &mut [f64]) {
        let Self { pairs, covariates, division, layout } = self;
        let [senders, receivers] = layout.effects();
        let mut coefficients = vec![];
        self.pad(values, &mut coefficients);
        let intercept = layout.one * values[0];
        let mut outputs = division.split_pairs(pairs, offsets);
        division.for_parts_with(&mut outputs, |_, sources, offsets| {
            let mut offsets = offsets.iter_mut();
            let apart = !senders.is_empty();
            for source in sources {
                let base = intercept + if apart { values[senders.start + source] } else { 0.0 };
                for (pair, offset) in pairs.from(source).zip(&mut offsets) {
                    let target = receivers.start + pairs.targets()[pair] as usize;
                    let effect = if apart { values[target] } else { 0.0 };
                    *offset = base + effect + dot(covariates.blocks(pair), &coefficients);
                }
            }
        });
    }
}

#[inline(always)]
fn dot(line: &[[f32; LANES]], coefficients: &[[f64; LANES]]) -> f64 {
    let mut sums = [0.0; LANES];
    for (line, coefficients) in line.iter().zip(coefficients) {
        sums = plus_product(sums, *line, *coefficients);
    }
    let halves: [f64; 4] = std::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

/// sums + line * factors. Of copies: the compiler makes vectors of these, not of what memory may change.
#[inline(always)]
fn plus_product(sums: [f64; LANES], line: [f32; LANES], factors: [f64; LANES]) -> [f64; LANES] {
    let line: [f64; LANES] = std::array::from_fn(|lane| f64::from(line[lane]));
    std::array::from_fn(|lane| sums[lane] + line[lane] * factors[lane])
}

/// Q, and the preconditioner.
struct Precision<'a> {
    lines: Lines<'a>,
    state: &'a State,
    settings: &'a Checked,
    sums: &'a mut Sums,
    block: &'a [f64],
    diagonal: &'a [f64],
}

impl System for Precision<'_> {
    fn multiply(&mut self, vector: &[f64], product: &mut [f64]) {
        let Self { lines, state, settings, sums, .. } = self;
        lines.sum(sums, vector, product, |_| Product(&state.rates));
        lines.layout.for_each_precision(state, settings, |at, precision| {
            product[at] += precision * vector[at];
        });
    }

    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
        let width = self.lines.layout.common();
        for ((solved, residual), diagonal) in solved.iter_mut().zip(residual).zip(self.diagonal) {
            *solved = residual / diagonal;
        }
        let common = &mut solved[..width];
        common.copy_from_slice(&residual[..width]);
        dense::solve_lower(self.block, width, common);
        dense::solve_upper(self.block, width, common);
    }
}
