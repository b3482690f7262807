//! How what each end of a pair adds meets what all pairs have in common: sums over the pairs of each end.
//! See "The linear part" in `docs/model.md`.

use rayon::prelude::*;

use super::super::{LANES, linalg, with_simd};
use super::lines::{Lines, plus_product};

/// So many nodes are one thread's work at a time.
const TOGETHER: usize = 256;

/// For each end (a node as source, a node as target; one kind where pairs stand for both directions) sums over its
/// pairs.
#[derive(Debug, Default)]
pub(super) struct NodeSums {
    /// Of the rates.
    rates: Vec<f64>,
    /// Of the rates times the covariates, in whole blocks.
    lines: Vec<[f64; LANES]>,
}

impl NodeSums {
    pub(super) fn fill(&mut self, lines: &Lines<'_>, rates: &[f64]) {
        let [senders, receivers] = lines.layout.ends();
        let two = senders != receivers;
        let ends = if two { 2 * senders.len() } else { senders.len() };
        self.rates.clear();
        self.rates.resize(ends, 0.0);
        self.lines.clear();
        self.lines.resize(ends * blocks(lines), [0.0; LANES]);
        if lines.division.parallel() {
            self.fill_by_end(lines, rates, two);
        } else {
            let second = receivers.start - senders.start;
            with_simd(
                #[inline(always)]
                || self.fill_by_pair(lines, rates, second),
            );
        }
    }

    /// In the order of the pairs.
    #[inline(always)]
    fn fill_by_pair(&mut self, lines: &Lines<'_>, rates: &[f64], second: usize) {
        let blocks = blocks(lines);
        for source in 0..lines.pairs.nodes() {
            for pair in lines.pairs.from(source) {
                let target = second + lines.pairs.targets()[pair] as usize;
                for end in [source, target] {
                    let sums = &mut self.lines[end * blocks..(end + 1) * blocks];
                    add(lines, rates, pair, &mut self.rates[end], sums);
                }
            }
        }
    }

    /// End by end, so that no two threads add to the same sum.
    fn fill_by_end(&mut self, lines: &Lines<'_>, rates: &[f64], two: bool) {
        let (nodes, blocks) = (lines.pairs.nodes(), blocks(lines));
        let totals = self.rates.par_chunks_mut(TOGETHER);
        let sums = self.lines.par_chunks_mut(TOGETHER * blocks);
        totals.zip(sums).enumerate().for_each(|(chunk, (totals, sums))| {
            with_simd(
                #[inline(always)]
                || {
                    for (at, (total, sums)) in
                        totals.iter_mut().zip(sums.chunks_exact_mut(blocks)).enumerate()
                    {
                        let end = chunk * TOGETHER + at;
                        if end < nodes {
                            for pair in lines.pairs.from(end) {
                                add(lines, rates, pair, total, sums);
                            }
                        }
                        if end >= nodes || !two {
                            for &pair in lines.pairs.to(end % nodes).1 {
                                add(lines, rates, pair as usize, total, sums);
                            }
                        }
                    }
                },
            );
        });
    }

    pub(super) fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// Adds to `sum` what ends and what is common say to each other: `one` and the covariates of each pair, for the expanded
    /// unknowns, whose ends come after the common ones.
    pub(super) fn add_coupled(&self, one: f64, common: usize, expanded: &[f64], sum: &mut [f64]) {
        let blocks = self.lines.len() / self.rates.len().max(1);
        let (coefficients, ends) = expanded.split_at(common);
        let (sum_common, sum_ends) = sum.split_at_mut(common);
        let (base, coefficients) = (one * coefficients[0], &coefficients[1..]);
        let mut total = 0.0;
        let lines = self.lines.chunks_exact(blocks.max(1)).zip(&self.rates);
        for ((end, sum), (line, rate)) in ends.iter().zip(sum_ends).zip(lines) {
            let line = &line.as_flattened()[..coefficients.len()];
            *sum += base * rate + linalg::dot(line, coefficients);
            total += rate * end;
            linalg::add_scaled(&mut sum_common[1..], *end, line);
        }
        sum_common[0] += one * total;
    }
}

fn blocks(lines: &Lines<'_>) -> usize {
    lines.covariates.blocks_a_line().max(1)
}

#[inline(always)]
fn add(lines: &Lines<'_>, rates: &[f64], pair: usize, total: &mut f64, sums: &mut [[f64; LANES]]) {
    *total += rates[pair];
    for (sum, line) in sums.iter_mut().zip(lines.covariates.blocks(pair)) {
        *sum = plus_product(*sum, *line, [rates[pair]; LANES]);
    }
}
