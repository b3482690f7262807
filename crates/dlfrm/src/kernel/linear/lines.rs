//! Sums over pairs, each of which is a line of A: 1, its covariates, and for each of its ends a 1 and its attributes.

use std::ops::Range;

use crate::covariates::Matrix;
use crate::model::{Checked, State};
use crate::network::{Division, Pairs};

use super::super::{LANES, dense, wide};
use super::layout::Layout;

/// So many links, and as many non-links, tell the preconditioner enough of the coefficients' block. Links are told apart
/// because they are few and matter most.
const BLOCK_PAIRS: usize = 50_000;

/// Reused memory of sums over all pairs.
#[derive(Debug, Default)]
pub(super) struct Sums {
    parts: Vec<Part>,
    coefficients: Vec<[f64; LANES]>,
    expanded: Vec<f64>,
    sum: Vec<f64>,
}

/// A sum over the pairs of a part, and that of the coefficients in whole blocks.
#[derive(Debug, Default)]
struct Part {
    sum: Vec<f64>,
    gathered: Vec<[f64; LANES]>,
}

/// What a pair adds to a sum over all lines of A.
pub(super) trait Term {
    /// The pairs that follow start at this entity.
    #[inline(always)]
    fn begin(&mut self, _source: usize) {}
    /// The coefficient of a line, given its product with the unknowns.
    fn of(&mut self, pair: usize, product: f64) -> f64;
}

/// The rates themselves.
struct Rate<'a>(&'a [f64]);

impl Term for Rate<'_> {
    #[inline(always)]
    fn of(&mut self, pair: usize, _: f64) -> f64 {
        self.0[pair]
    }
}

/// The lines of A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) pairs: &'a Pairs,
    pub(super) covariates: &'a Matrix,
    pub(super) division: &'a Division,
    pub(super) layout: Layout<'a>,
}

impl Lines<'_> {
    /// A' c, where c has the terms of all pairs.
    pub(super) fn sum<T: Term>(
        &self,
        sums: &mut Sums,
        values: &[f64],
        sum: &mut [f64],
        term: impl Fn(usize) -> T + Sync,
    ) {
        self.layout.expand(values, &mut sums.expanded);
        self.sum_expanded(sums, term);
        self.layout.contract(&sums.sum, sum);
    }

    /// The diagonal of A' R A but for its block of intercept and coefficients, which is not right.
    pub(super) fn diagonal(&self, sums: &mut Sums, rates: &[f64], diagonal: &mut [f64]) {
        sums.expanded.clear();
        sums.expanded.resize(self.layout.expanded_len(), 0.0);
        self.sum_expanded(sums, |_| Rate(rates));
        self.layout.contract_diagonal(&sums.sum, diagonal);
    }

    fn sum_expanded<T: Term>(&self, sums: &mut Sums, term: impl Fn(usize) -> T + Sync) {
        let Sums { parts, coefficients, expanded: values, sum } = sums;
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
        sum.clear();
        sum.resize(values.len(), 0.0);
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
        let products = self.products(values, coefficients);
        let mut total = 0.0;
        for source in sources {
            let range = pairs.from(source);
            if range.is_empty() {
                continue;
            }
            term.begin(source);
            let base = products.base(source);
            let mut here = 0.0;
            for pair in range {
                let coefficient = term.of(pair, products.of(base, pair));
                for (gathered, line) in gathered.iter_mut().zip(covariates.blocks(pair)) {
                    *gathered = plus_product(*gathered, *line, [coefficient; LANES]);
                }
                if let Some([_, target]) = products.effects {
                    sum[target + pairs.targets()[pair] as usize] += coefficient;
                }
                here += coefficient;
            }
            if let Some([sender, _]) = products.effects {
                sum[sender + source] += here;
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
    pub(super) fn fill_block(&self, state: &State, settings: &Checked, block: &mut Vec<f64>) {
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
    pub(super) fn write_offsets(&self, sums: &mut Sums, values: &[f64], offsets: &mut [f64]) {
        let Self { pairs, division, .. } = self;
        let Sums { coefficients, expanded, .. } = sums;
        self.layout.expand(values, expanded);
        self.pad(expanded, coefficients);
        let products = self.products(expanded, coefficients);
        let mut outputs = division.split_pairs(pairs, offsets);
        division.for_parts_with(&mut outputs, |_, sources, offsets| {
            let mut offsets = offsets.iter_mut();
            for source in sources {
                let base = products.base(source);
                for (pair, offset) in pairs.from(source).zip(&mut offsets) {
                    *offset = products.of(base, pair);
                }
            }
        });
    }

    fn products<'v>(&'v self, values: &'v [f64], coefficients: &'v [[f64; LANES]]) -> Products<'v> {
        let effects = self.layout.of_entities().then(|| self.layout.ends().map(|end| end.start));
        Products { lines: self, values, coefficients, effects }
    }
}

/// The products of the lines with some values of the unknowns.
struct Products<'a> {
    lines: &'a Lines<'a>,
    values: &'a [f64],
    coefficients: &'a [[f64; LANES]],
    /// Where the effects of sources and of targets begin, if there are any.
    effects: Option<[usize; 2]>,
}

impl Products<'_> {
    /// What all pairs of a source have in common.
    #[inline(always)]
    fn base(&self, source: usize) -> f64 {
        let effect = self.effects.map_or(0.0, |[sender, _]| self.values[sender + source]);
        self.lines.layout.one * self.values[0] + effect
    }

    /// The product of a line, given that.
    #[inline(always)]
    fn of(&self, base: f64, pair: usize) -> f64 {
        let Lines { pairs, covariates, .. } = self.lines;
        let target = pairs.targets()[pair] as usize;
        let effect = self.effects.map_or(0.0, |[_, receiver]| self.values[receiver + target]);
        base + effect + dot(covariates.blocks(pair), self.coefficients)
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
