//! Full and symmetric weights: exact Gaussian draws through a Cholesky factorisation.
//!
//! The weights of all pairs of features are one Gaussian (Eq. 7 of the paper) whose precision is assembled
//! entity by entity, sum_i (z_i' z_i) (x) S_i + nu^2 I, never pair by pair. While it is small it is drawn
//! at once; beyond [`LARGEST`] weights, rows of the matrix are drawn in blocks given the others, which is
//! exact too (Gibbs sampling over blocks) and keeps the cost in hand.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{MatMut, Par, Spec};
use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

use super::common::Common;
use super::sums::{Side, Sums};
use super::{Place, dense};

/// The most weights that are drawn at once: a 2,500 wide factorisation takes about a fifth of a second.
pub const LARGEST: usize = 2500;

/// Reused memory of this kernel.
#[derive(Default)]
pub struct Scratch {
    common: Common,
    sums: Sums,
    precision: Vec<f64>,
    linear: Vec<f64>,
    residual: Vec<f64>,
    presented: Vec<f64>,
    index: Vec<u32>,
    factor_stack: Option<MemBuffer>,
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").field("precision", &self.precision.len()).finish_non_exhaustive()
    }
}

/// Draws all weights, at once or in blocks of rows of at most `largest` weights.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    largest: usize,
    scratch: &mut Scratch,
) {
    let features = state.features.slots();
    let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Weights, 0);
    scratch.common.fill(&state.features);
    let mut first = 0;
    while first < features {
        let mut last = first;
        let mut weights = 0;
        while last < features {
            let row = if state.weights.shape() == Shape::Full { features } else { features - last };
            if last > first && weights + row > largest {
                break;
            }
            weights += row;
            last += 1;
        }
        update_block(first..last, weights, pairs, state, settings, &mut rng, scratch);
        first = last;
    }
}

const OUTSIDE: u32 = u32::MAX;

fn update_block(
    block: std::ops::Range<usize>,
    weights: usize,
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    rng: &mut Stream,
    scratch: &mut Scratch,
) {
    scratch.lay_out(block, weights, state);
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            for entity in 0..pairs.entities() {
                if state.features.row(entity).is_empty() || pairs.from(entity).is_empty() {
                    continue;
                }
                scratch.sums.gather(Side::Out, entity, pairs, state, settings, &scratch.common);
                scratch.add_entity(state.features.row(entity), state);
            }
        },
    );
    scratch.draw(weights, rng);
    let features = state.features.slots();
    for k in 0..features {
        let lowest = if state.weights.shape() == Shape::Full { 0 } else { k };
        for l in lowest..features {
            let index = scratch.index[k * features + l];
            if index != OUTSIDE {
                state.weights.set(k, l, scratch.linear[index as usize]);
            }
        }
    }
}

impl Scratch {
    /// Numbers the weights of the block and starts from the prior.
    fn lay_out(&mut self, block: std::ops::Range<usize>, weights: usize, state: &State) {
        let features = state.features.slots();
        self.index.clear();
        self.index.resize(features * features, OUTSIDE);
        let mut next = 0;
        for k in block {
            let lowest = if state.weights.shape() == Shape::Full { 0 } else { k };
            for l in lowest..features {
                self.index[k * features + l] = next;
                if state.weights.shape() == Shape::Symmetric {
                    self.index[l * features + k] = next;
                }
                next += 1;
            }
        }
        assert_eq!(next as usize, weights);
        self.linear.clear();
        self.linear.resize(weights, 0.0);
        self.precision.clear();
        self.precision.resize(weights * weights, 0.0);
        for diagonal in self.precision.iter_mut().step_by(weights + 1) {
            *diagonal = state.nu * state.nu;
        }
    }

    /// Adds what the pairs that start at one entity say. The precision is stored by columns, and its
    /// lower triangle is what counts.
    #[inline(always)]
    fn add_entity(&mut self, row: &[u32], state: &State) {
        let features = state.features.slots();
        let width = self.sums.width();
        let weights = self.linear.len();
        let contiguous = state.weights.shape() == Shape::Full && width == features;

        // What the weights outside the block leave to explain.
        self.residual.clear();
        self.residual.extend_from_slice(&self.sums.linear);
        self.presented.clear();
        self.presented.resize(width, 0.0);
        let mut any = false;
        for &k in row {
            for (place, &l) in self.sums.support.iter().enumerate() {
                if self.index[k as usize * features + l as usize] == OUTSIDE {
                    self.presented[place] += state.weights.get(k as usize, l as usize);
                    any = true;
                }
            }
        }
        if any {
            for place in 0..width {
                let quadratic = &self.sums.quadratic[place * width..(place + 1) * width];
                self.residual[place] -= dense::dot(quadratic, &self.presented);
            }
        }

        for &k in row {
            let index = &self.index[k as usize * features..(k as usize + 1) * features];
            for (&l, &residual) in self.sums.support.iter().zip(&self.residual) {
                let weight = index[l as usize];
                if weight != OUTSIDE {
                    self.linear[weight as usize] += residual;
                }
            }
            for &other in row {
                let other_index = &self.index[other as usize * features..(other as usize + 1) * features];
                if contiguous {
                    // Features of the block have their weights in one run each.
                    if other < k || index[0] == OUTSIDE || other_index[0] == OUTSIDE {
                        continue;
                    }
                    let start = other_index[0] as usize;
                    for (place, column) in index.iter().enumerate() {
                        let column = *column as usize * weights;
                        let quadratic = &self.sums.quadratic[place * width..(place + 1) * width];
                        let below = &mut self.precision[column + start..column + start + features];
                        dense::add_scaled(below, 1.0, quadratic);
                    }
                    continue;
                }
                for (place, &l) in self.sums.support.iter().enumerate() {
                    let column = index[l as usize];
                    if column == OUTSIDE {
                        continue;
                    }
                    let quadratic = &self.sums.quadratic[place * width..(place + 1) * width];
                    let column_start = column as usize * weights;
                    for (&m, &value) in self.sums.support.iter().zip(quadratic) {
                        let line = other_index[m as usize];
                        if line != OUTSIDE && line >= column {
                            self.precision[column_start + line as usize] += value;
                        }
                    }
                }
            }
        }
    }

    /// Replaces `linear` by a draw from N(P^-1 linear, P^-1).
    fn draw(&mut self, weights: usize, rng: &mut Stream) {
        if weights == 0 {
            return;
        }
        let params = Spec::<LltParams, f64>::default();
        let need = cholesky_in_place_scratch::<f64>(weights, Par::Seq, params);
        if self.factor_stack.as_ref().is_none_or(|buffer| buffer.len() < need.unaligned_bytes_required()) {
            self.factor_stack = Some(MemBuffer::new(need));
        }
        let stack = MemStack::new(self.factor_stack.as_mut().expect("it was just made"));
        let mut precision = MatMut::from_column_major_slice_mut(&mut self.precision, weights, weights);
        let guard = LltRegularization {
            dynamic_regularization_delta: f64::EPSILON,
            dynamic_regularization_epsilon: f64::EPSILON * f64::EPSILON,
        };
        cholesky_in_place(precision.as_mut(), guard, Par::Seq, stack, params)
            .expect("a regularised factorisation does not fail");
        let factor = precision.as_ref();
        let mut values = MatMut::from_column_major_slice_mut(&mut self.linear, weights, 1);
        solve_lower_triangular_in_place(factor, values.as_mut(), Par::Seq);
        for weight in 0..weights {
            let normal: f64 = StandardNormal.sample(rng);
            values[(weight, 0)] += normal;
        }
        solve_upper_triangular_in_place(factor.transpose(), values.as_mut(), Par::Seq);
    }
}
