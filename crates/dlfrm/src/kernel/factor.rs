//! Cholesky factorisation of matrices that are not small: a library's, on one thread, so that the bits do not depend on how
//! many there are.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{MatMut, MatRef, Par, Spec};

/// Reused memory of factorisations.
#[derive(Default)]
pub(super) struct Stack(Option<MemBuffer>);

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stack").field(&self.0.as_ref().map(|buffer| buffer.len())).finish()
    }
}

/// The factor L of a symmetric matrix M = LL', in place in its lower triangle by columns, which is all that is read and
/// written.
pub(super) fn factorise(matrix: &mut [f64], width: usize, Stack(stack): &mut Stack) {
    let params = Spec::<LltParams, f64>::default();
    let need = cholesky_in_place_scratch::<f64>(width, Par::Seq, params);
    if stack.as_ref().is_none_or(|buffer| buffer.len() < need.unaligned_bytes_required()) {
        *stack = Some(MemBuffer::new(need));
    }
    let stack = MemStack::new(stack.as_mut().expect("it was just made"));
    let guard = LltRegularization {
        dynamic_regularization_delta: f64::EPSILON,
        dynamic_regularization_epsilon: f64::EPSILON * f64::EPSILON,
    };
    let matrix = MatMut::from_column_major_slice_mut(matrix, width, width);
    cholesky_in_place(matrix, guard, Par::Seq, stack, params)
        .expect("a regularised factorisation does not fail");
}

/// x <- L^-1 x for a factor L.
pub(super) fn solve_lower(factor: &[f64], x: &mut [f64]) {
    let width = x.len();
    let factor = MatRef::from_column_major_slice(factor, width, width);
    solve_lower_triangular_in_place(factor, MatMut::from_column_major_slice_mut(x, width, 1), Par::Seq);
}

/// x <- L'^-1 x for a factor L.
pub(super) fn solve_upper(factor: &[f64], x: &mut [f64]) {
    let width = x.len();
    let factor = MatRef::from_column_major_slice(factor, width, width).transpose();
    solve_upper_triangular_in_place(factor, MatMut::from_column_major_slice_mut(x, width, 1), Par::Seq);
}
