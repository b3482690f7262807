//! Products with the precision of full and symmetric weights, Q = sum rate a a' + nu^2 with a = z_i' z_j.
//! See "Weights" in `docs/model.md`.
//!
//! Many products are made with the same features and rates. Before the first one the features of the targets are laid
//! out in the order in which products go through them. Pairs of a source whose targets have equally many features follow
//! each other, so that the loop over these features has a length that the processor knows beforehand.

use std::ops::Range;

use crate::model::State;
use crate::network::Pairs;

use super::super::{Context, linalg, with_simd};
use super::outer;

/// The precision, laid out for products.
#[derive(Debug, Default)]
pub(super) struct Precision {
    parts: Vec<Part>,
}

/// The pairs of a part that have features at both ends.
#[derive(Debug, Default)]
struct Part {
    sources: Vec<Source>,
    runs: Vec<Run>,
    rates: Vec<f64>,
    /// The features of one target after the other.
    features: Vec<u16>,
    /// Reused memory: pairs of a source with the number of features of their targets, and sums.
    pairs: Vec<(u32, u32)>,
    presented: Vec<f64>,
    gathered: Vec<f64>,
    sum: Vec<f64>,
}

/// A node that pairs start from, and how many runs they make.
#[derive(Debug)]
struct Source {
    node: u32,
    runs: u32,
}

/// Pairs of a source whose targets have equally many features.
#[derive(Debug)]
struct Run {
    features: u32,
    pairs: u32,
}

impl Precision {
    /// Lays out the pairs of a state, whose features and rates must stay until the last product.
    pub(super) fn prepare(&mut self, context: &Context<'_>, state: &State) {
        let Context { pairs, division, .. } = *context;
        assert!(u16::try_from(state.features.slots()).is_ok(), "so many weights would not fit into memory");
        division.for_parts(&mut self.parts, |_, sources, part| part.prepare(sources, pairs, state));
    }

    /// Multiplies a vector of weights: both are squares, by rows.
    pub(super) fn multiply(
        &mut self,
        context: &Context<'_>,
        state: &State,
        vector: &[f64],
        product: &mut [f64],
    ) {
        context.division.for_parts_with(&mut self.parts, |_, _, part| {
            with_simd(
                #[inline(always)]
                || part.multiply(state, vector),
            );
        });
        product.fill(0.0);
        for part in &self.parts {
            linalg::add_scaled(product, 1.0, &part.sum);
        }
        outer::fold(state.weights.shape(), state.features.slots(), product);
        outer::add_prior(state, 1.0, vector, product);
    }
}

impl Part {
    fn prepare(&mut self, sources: Range<usize>, pairs: &Pairs, state: &State) {
        let features = &state.features;
        self.sources.clear();
        self.runs.clear();
        self.rates.clear();
        self.features.clear();
        for source in sources {
            if features.row(source).is_empty() {
                continue;
            }
            let first = pairs.from(source).start;
            let targets = pairs.targets()[pairs.from(source)].iter().zip(0..);
            let lengths = targets.map(|(&target, pair)| (features.row(target as usize).len() as u32, pair));
            self.pairs.clear();
            self.pairs.extend(lengths.filter(|&(length, _)| length > 0));
            self.pairs.sort_unstable();
            let before = self.runs.len();
            for run in self.pairs.chunk_by(|(one, _), (other, _)| one == other) {
                self.runs.push(Run { features: run[0].0, pairs: run.len() as u32 });
                for &(_, pair) in run {
                    let pair = first + pair as usize;
                    self.rates.push(state.rates[pair]);
                    let row = features.row(pairs.targets()[pair] as usize);
                    self.features.extend(row.iter().map(|&slot| slot as u16));
                }
            }
            let runs = (self.runs.len() - before) as u32;
            self.sources.push(Source { node: source as u32, runs });
        }
    }

    #[inline(always)]
    fn multiply(&mut self, state: &State, vector: &[f64]) {
        let Self { sources, runs, rates, features, presented, gathered, sum, .. } = self;
        let (mut runs, mut rates, mut features) = (&**runs, &**rates, &**features);
        let width = state.features.slots();
        sum.clear();
        sum.resize(width * width, 0.0);
        for source in sources {
            let row = state.features.row(source.node as usize);
            presented.clear();
            presented.resize(width, 0.0);
            for &k in row {
                linalg::add_scaled(presented, 1.0, &vector[k as usize * width..][..width]);
            }
            gathered.clear();
            gathered.resize(width, 0.0);
            for run in runs.split_off(..source.runs as usize).expect("there are so many") {
                let length = run.features as usize;
                let rates = rates.split_off(..run.pairs as usize).expect("there are so many");
                let features = features.split_off(..rates.len() * length).expect("there are so many");
                for (&rate, features) in rates.iter().zip(features.chunks_exact(length)) {
                    gather(rate, features, presented, gathered);
                }
            }
            for &k in row {
                linalg::add_scaled(&mut sum[k as usize * width..][..width], 1.0, gathered);
            }
        }
    }
}

/// Adds what a target with these features gives to each of them; four at a time, which do not wait for each other.
#[inline(always)]
fn gather(rate: f64, features: &[u16], presented: &[f64], gathered: &mut [f64]) {
    let (fours, rest) = features.as_chunks();
    let mut logit = 0.0;
    for four in fours {
        let [a, b, c, d] = four.map(|l| presented[l as usize]);
        logit += (a + b) + (c + d);
    }
    for &l in rest {
        logit += presented[l as usize];
    }
    let value = rate * logit;
    for &l in features {
        gathered[l as usize] += value;
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::test_support::{for_each_synthetic, free, precision};

    use super::*;

    /// A product is that with the matrix itself, whatever number of features nodes have.
    #[test]
    fn products_are_those_of_the_matrix() {
        for_each_synthetic(|context, mut state| {
            let (nodes, width) = (state.features.nodes(), state.features.slots());
            for node in 0..nodes.min(width) {
                for slot in 0..node as u32 {
                    if !state.features.has(node, slot) {
                        state.features.insert(node, slot);
                    }
                }
            }
            let mut vector = vec![];
            outer::copy(&state, &mut vector);
            let mut product = vec![0.0; width * width];
            let mut laid_out = Precision::default();
            // Memory is used again.
            for _ in 0..2 {
                laid_out.prepare(context, &state);
                laid_out.multiply(context, &state, &vector, &mut product);
            }
            let (vector, product) = (free(&state, &vector), free(&state, &product));
            for (line, found) in precision(context.pairs, &state).chunks_exact(vector.len()).zip(product) {
                let expected = linalg::dot(line, &vector);
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} {expected}");
            }
        });
    }
}
