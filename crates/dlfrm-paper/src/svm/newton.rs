//! Newton's method for a smooth convex function of many variables, its steps found by conjugate gradients.
//!
//! The solver is not that of the library's kernels: that one draws weights (its right-hand side is perturbed) and is private.

/// It ends when the gradient is this part of what it was at the start.
const TOLERANCE: f64 = 1e-6;
/// What ends steps, and iterations of a step, that rounding keeps from converging; seen are a dozen, and 1,800.
const MOST_STEPS: usize = 200;
const MOST_ITERATIONS: usize = 10_000;
/// A step must gain this part of what the slope promises, or it is halved, and not below this length.
const GAIN: f64 = 1e-4;
const SHORTEST: f64 = 1e-9;

/// What is minimised.
pub(super) trait Function {
    /// How many variables it has.
    fn variables(&self) -> usize;
    /// Its value at a point, where its gradient is written.
    fn visit(&mut self, point: &[f64], gradient: &mut [f64]) -> f64;
    /// Writes the product of a vector with the Hessian at the point that was visited last.
    fn multiply(&self, vector: &[f64], product: &mut [f64]);
    /// The diagonal of that Hessian or something near it, all of it positive.
    fn diagonal(&self) -> Vec<f64>;
}

/// Where a function is least; it was visited there last.
pub(super) fn minimise(function: &mut impl Function) -> Vec<f64> {
    let mut point = vec![0.0; function.variables()];
    let mut gradient = point.clone();
    let mut value = function.visit(&point, &mut gradient);
    let first = norm(&gradient);
    for _ in 0..MOST_STEPS {
        let left = norm(&gradient) / first;
        if first == 0.0 || left <= TOLERANCE {
            break;
        }
        // The nearer the end, the more exact is the step: far from it another one follows anyway.
        let direction = direction(function, &gradient, left.sqrt().min(0.1));
        let slope = dot(&gradient, &direction);
        let mut length = 1.0;
        let (next, reached) = loop {
            let next: Vec<f64> = point.iter().zip(&direction).map(|(x, d)| x + length * d).collect();
            let reached = function.visit(&next, &mut gradient);
            if reached <= value + GAIN * length * slope {
                break (next, reached);
            }
            length /= 2.0;
            if length < SHORTEST {
                // Nothing is left to gain but rounding.
                function.visit(&point, &mut gradient);
                return point;
            }
        };
        (point, value) = (next, reached);
    }
    point
}

/// Solves H d = -g until this part of g is left.
fn direction(function: &impl Function, gradient: &[f64], tolerance: f64) -> Vec<f64> {
    let diagonal = function.diagonal();
    let scaled =
        |residual: &[f64]| -> Vec<f64> { residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
    let mut solution = vec![0.0; gradient.len()];
    let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut solved = scaled(&residual);
    let mut conjugate = solved.clone();
    let mut product = vec![0.0; gradient.len()];
    let mut square = dot(&residual, &solved);
    let end = tolerance * norm(gradient);
    for _ in 0..MOST_ITERATIONS {
        function.multiply(&conjugate, &mut product);
        let step = square / dot(&conjugate, &product);
        for (((x, r), d), p) in solution.iter_mut().zip(&mut residual).zip(&conjugate).zip(&product) {
            *x += step * d;
            *r -= step * p;
        }
        if norm(&residual) <= end {
            break;
        }
        solved = scaled(&residual);
        let before = square;
        square = dot(&residual, &solved);
        for (d, s) in conjugate.iter_mut().zip(&solved) {
            *d = s + square / before * *d;
        }
    }
    solution
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(x, y)| x * y).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}
