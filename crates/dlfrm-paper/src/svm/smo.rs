//! Sequential minimal optimisation: the dual of a support vector machine with any kernel, two pairs at a time.
//!
//! With b(t) = y(t) alpha(t) the dual is to maximise sum y b - b'K b / 2 where the b add up to 0 and b(t) is between 0 and
//! y(t) cost(t). A step takes from one pair what it gives to another; which two is decided by the second-order rule of Fan, Chen
//! and Lin (2005), as in LIBSVM. The rows of the kernel are not kept: they must be cheap.

/// It ends when no step promises a slope of more than this, as LIBSVM does.
const TOLERANCE: f64 = 1e-3;
/// What ends steps that rounding keeps from converging.
const MOST_STEPS: usize = 5_000_000;
/// Where two vectors are the same, or nearly.
const LEAST_CURVATURE: f64 = 1e-12;

/// A kernel of some pairs.
pub(super) trait Kernel {
    /// Writes the kernel of one of them with each.
    fn write_row(&self, pair: usize, row: &mut [f32]);
    /// The kernel of a pair with itself.
    fn own(&self, pair: usize) -> f64;
}

/// The decision value of a vector is the sum over pairs of their coefficients times the kernel with it, plus the bias.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solution {
    pub(super) coefficients: Vec<f64>,
    pub(super) bias: f64,
}

/// Solves the dual for pairs with these labels, of which each kind has a cost.
pub(super) fn solve(kernel: &impl Kernel, labels: &[bool], [non_link, link]: [f64; 2]) -> Solution {
    let bounds: Vec<(f64, f64)> =
        labels.iter().map(|&label| if label { (0.0, link) } else { (-non_link, 0.0) }).collect();
    let own: Vec<f64> = (0..labels.len()).map(|pair| kernel.own(pair)).collect();
    let mut coefficients = vec![0.0; labels.len()];
    // What the dual gains by more of a pair's coefficient: its label less its decision value without the bias.
    let mut slopes: Vec<f64> = labels.iter().map(|&label| if label { 1.0 } else { -1.0 }).collect();
    let (mut up_row, mut down_row) = (vec![0.0; labels.len()], vec![0.0; labels.len()]);
    for _ in 0..MOST_STEPS {
        let [(up, largest), (_, least)] = extremes(&coefficients, &slopes, &bounds);
        if largest - least < TOLERANCE {
            break;
        }
        kernel.write_row(up, &mut up_row);
        let curvature =
            |pair: usize| (own[up] + own[pair] - 2.0 * f64::from(up_row[pair])).max(LEAST_CURVATURE);
        let gain = |pair: usize| (largest - slopes[pair]).powi(2) / curvature(pair);
        let mut best = (0, 0.0);
        for pair in 0..labels.len() {
            if coefficients[pair] > bounds[pair].0 && slopes[pair] < largest && gain(pair) > best.1 {
                best = (pair, gain(pair));
            }
        }
        let (down, _) = best;
        kernel.write_row(down, &mut down_row);
        let room = (bounds[up].1 - coefficients[up]).min(coefficients[down] - bounds[down].0);
        let step = ((largest - slopes[down]) / curvature(down)).min(room);
        // Added and taken with care, so that a coefficient that reaches its bound is at it.
        coefficients[up] = (coefficients[up] + step).min(bounds[up].1);
        coefficients[down] = (coefficients[down] - step).max(bounds[down].0);
        for ((slope, from), to) in slopes.iter_mut().zip(&up_row).zip(&down_row) {
            *slope -= step * f64::from(from - to);
        }
    }
    let bias = bias(&coefficients, &slopes, &bounds);
    Solution { coefficients, bias }
}

/// The pair with the largest slope among those that can have more, and that with the least among those that can have less.
fn extremes(coefficients: &[f64], slopes: &[f64], bounds: &[(f64, f64)]) -> [(usize, f64); 2] {
    let mut extremes = [(0, f64::NEG_INFINITY), (0, f64::INFINITY)];
    for (pair, ((&coefficient, &slope), &(low, high))) in
        coefficients.iter().zip(slopes).zip(bounds).enumerate()
    {
        if coefficient < high && slope > extremes[0].1 {
            extremes[0] = (pair, slope);
        }
        if coefficient > low && slope < extremes[1].1 {
            extremes[1] = (pair, slope);
        }
    }
    extremes
}

/// The slope of the pairs between their bounds, on whose margin they are; the middle of what is possible if there are none.
fn bias(coefficients: &[f64], slopes: &[f64], bounds: &[(f64, f64)]) -> f64 {
    let within = |&((&coefficient, _), &(low, high)): &((&f64, &f64), &(f64, f64))| {
        low < coefficient && coefficient < high
    };
    let free: Vec<f64> =
        coefficients.iter().zip(slopes).zip(bounds).filter(within).map(|((_, &slope), _)| slope).collect();
    if free.is_empty() {
        let [(_, largest), (_, least)] = extremes(coefficients, slopes, bounds);
        return f64::midpoint(largest, least);
    }
    free.iter().sum::<f64>() / free.len() as f64
}
