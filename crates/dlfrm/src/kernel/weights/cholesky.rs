//! Full and symmetric weights: exact Gaussian draws through a Cholesky factorisation.
//! See "Weights" in `docs/model.md`.
//!
//! The weights of all pairs of features are one Gaussian (Eq. 7 of the paper) whose precision is assembled
//! node by node, sum_i (z_i' z_i) (x) S_i + nu^2 I, never pair by pair. More weights than [`LARGEST`] are drawn by
//! `conjugate_gradients.rs`.

use crate::model::{Shape, State};
use crate::random::Purpose;

use super::super::dense_columns::{self, DenseColumns};
use super::super::incident::Direction;
use super::super::sums::Sums;
use super::super::{Context, linalg, with_simd};
use super::Info;

/// The most weights that are drawn at once: a 2,500 wide factorisation takes about a fifth of a second.
pub const LARGEST: usize = 2500;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    dense_columns: DenseColumns,
    sums: Sums,
    precision: Vec<f64>,
    linear: Vec<f64>,
    /// The number of the weight of each two features.
    index: Vec<u32>,
    /// The sums S_i of the nodes that have both of two features, by their lower triangles: the precision, before
    /// its entries get their positions.
    products: Vec<f64>,
    triangle: Vec<f64>,
    blocks: linalg::Blocks,
}

pub(super) fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    let pairs = context.pairs;
    let mut rng = context.stream(Purpose::Weights, 0);
    scratch.dense_columns.fill(&state.features, dense_columns::Purpose::Products);
    scratch.lay_out(state);
    with_simd(
        #[inline(always)]
        || {
            for node in 0..pairs.nodes() {
                if state.features.row(node).is_empty() || pairs.from(node).is_empty() {
                    continue;
                }
                scratch.sums.gather(Direction::Out, node, context, state, &scratch.dense_columns);
                scratch.add_node(state.features.row(node), state);
            }
        },
    );
    scratch.add_products(state);
    // Lower columns are upper rows: the precision is factorised as it lies.
    let Scratch { precision, linear, blocks, .. } = scratch;
    linalg::draw_gaussian(precision, linear.len(), linear, blocks, &mut rng);
    let features = state.features.slots();
    for k in 0..features {
        let lowest = if state.weights.shape() == Shape::Full { 0 } else { k };
        for l in lowest..features {
            state.weights.set(k, l, scratch.linear[scratch.index[k * features + l] as usize]);
        }
    }
    Info { factorisations: 1, ..Info::default() }
}

impl Scratch {
    /// Numbers the weights and starts from the prior.
    fn lay_out(&mut self, state: &State) {
        let features = state.features.slots();
        let weights = state.weights.shape().free(features);
        self.index.clear();
        self.index.resize(features * features, 0);
        self.products.clear();
        self.products.resize((features * (features + 1) / 2).pow(2), 0.0);
        let mut next = 0;
        for k in 0..features {
            let lowest = if state.weights.shape() == Shape::Full { 0 } else { k };
            for l in lowest..features {
                self.index[k * features + l] = next;
                if state.weights.shape() == Shape::Symmetric {
                    self.index[l * features + k] = next;
                }
                next += 1;
            }
        }
        self.linear.clear();
        self.linear.resize(weights, 0.0);
        self.precision.clear();
        self.precision.resize(weights * weights, 0.0);
        let mut diagonal = self.precision.iter_mut().step_by(weights + 1);
        state.weights.for_each_free(features, |k, l, _| {
            *diagonal.next().expect("one for each weight") = state.nu.precision(k, l);
        });
    }

    /// Adds what the pairs that start at one node say. The precision is stored by columns, and its
    /// lower triangle is what counts.
    #[inline(always)]
    fn add_node(&mut self, row: &[u32], state: &State) {
        let features = state.features.slots();
        let width = self.sums.width();
        for &k in row {
            let index = &self.index[k as usize * features..][..features];
            for (&l, &linear) in self.sums.support.iter().zip(&self.sums.linear) {
                self.linear[index[l as usize] as usize] += linear;
            }
        }
        if width == features {
            self.add_triangles(row, features);
            return;
        }
        let weights = self.linear.len();
        for &k in row {
            let index = &self.index[k as usize * features..][..features];
            for &other in row {
                let other_index = &self.index[other as usize * features..][..features];
                for (position, &l) in self.sums.support.iter().enumerate() {
                    let column = index[l as usize];
                    let quadratic = &self.sums.quadratic[position * width..(position + 1) * width];
                    let below = &mut self.precision[column as usize * weights..][..weights];
                    for (&m, &value) in self.sums.support.iter().zip(quadratic) {
                        let line = other_index[m as usize];
                        if line >= column {
                            below[line as usize] += value;
                        }
                    }
                }
            }
        }
    }

    /// Adds the node's S to the products of the features that it has.
    #[inline(always)]
    fn add_triangles(&mut self, row: &[u32], features: usize) {
        self.triangle.clear();
        for k in 0..features {
            self.triangle.extend_from_slice(&self.sums.quadratic[k * features..=k * features + k]);
        }
        let size = self.triangle.len();
        for (position, &k) in row.iter().enumerate() {
            let start = pair(k as usize, 0);
            for &other in &row[..=position] {
                let product = start + other as usize;
                let sum = &mut self.products[product * size..(product + 1) * size];
                linalg::add_scaled(sum, 1.0, &self.triangle);
            }
        }
    }

    /// Adds the summed products to their positions in the lower triangle of the precision.
    fn add_products(&mut self, state: &State) {
        let features = state.features.slots();
        let size = features * (features + 1) / 2;
        for high in 0..features {
            for low in 0..=high {
                let sum = &self.products[pair(high, low) * size..][..size];
                self.triangle.clear();
                self.triangle.resize(features * features, 0.0);
                for k in 0..features {
                    let line = &sum[pair(k, 0)..=pair(k, k)];
                    self.triangle[k * features..=k * features + k].copy_from_slice(line);
                }
                linalg::mirror(&mut self.triangle, features);
                if state.weights.shape() == Shape::Full {
                    self.place_run(low, high, features);
                } else {
                    self.place_each(low, high, features);
                    if low != high {
                        self.place_each(high, low, features);
                    }
                }
            }
        }
    }

    /// Places the products of two features whose weights have one run of positions each.
    fn place_run(&mut self, low: usize, high: usize, features: usize) {
        let weights = self.linear.len();
        let first = self.index[high * features] as usize;
        for (l, line) in self.triangle.chunks_exact(features).enumerate() {
            let column = self.index[low * features + l] as usize;
            let skip = if low == high { l } else { 0 };
            let below = &mut self.precision[column * weights + first..][..features];
            linalg::add_scaled(&mut below[skip..], 1.0, &line[skip..]);
        }
    }

    /// Places the products of two features wherever the index says.
    fn place_each(&mut self, k: usize, other: usize, features: usize) {
        let weights = self.linear.len();
        let lines = &self.index[other * features..(other + 1) * features];
        for (l, products) in self.triangle.chunks_exact(features).enumerate() {
            let column = self.index[k * features + l];
            let below = &mut self.precision[column as usize * weights..][..weights];
            for (&line, &product) in lines.iter().zip(products) {
                if line >= column {
                    below[line as usize] += product;
                }
            }
        }
    }
}

/// The position of (high, low) in a lower triangle stored by rows.
#[inline(always)]
fn pair(high: usize, low: usize) -> usize {
    high * (high + 1) / 2 + low
}
