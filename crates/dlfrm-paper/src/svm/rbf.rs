//! The machine with a Gaussian kernel, exp(-gamma |x - x'|^2), on a sample of the training pairs.
//!
//! The time of an exact solution grows with the square of the pairs and more, so that it learns from all training links and
//! ten training non-links per link, drawn at random, but from 10,000 pairs at most (of the links, from 5,000 at most).
//!
//! The squared distance of two pairs is that of their sources plus that of their targets, hence their kernel the product of two
//! kernels of nodes. Those of all nodes are a matrix that fits in memory, so no row of the kernel of pairs is worth keeping.

use dlfrm::covariates::Attributes;
use dlfrm::network::Pairs;
use dlfrm::random::{Purpose, Stream, stream};
use dlfrm::{Error, Result};
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::linear::balanced;

/// Learned from are so many pairs at most, ...
const MOST_PAIRS: usize = 10_000;
/// ... and so many non-links per link.
const NON_LINKS: usize = 10;
/// The kernel of so many nodes takes 400 MB.
const MOST_NODES: usize = 10_000;

/// What was learned: the pairs with a coefficient, and the bias.
#[derive(Debug)]
pub(super) struct Decision {
    kernel: PairKernel,
    support: Vec<((u32, u32), f64)>,
    bias: f64,
}

impl Decision {
    /// Learns from a sample of the training pairs.
    pub(super) fn new(attributes: &Attributes, train: &Pairs, seed: u64) -> Result<Self> {
        if train.nodes() > MOST_NODES {
            return Err(Error::Network(format!(
                "svm-rbf is for {MOST_NODES} nodes at most, these are {}",
                train.nodes()
            )));
        }
        let sample = sample(train, seed);
        let pairs: Vec<(u32, u32)> =
            sample.iter().map(|&pair| (train.source(pair) as u32, train.targets()[pair])).collect();
        let labels: Vec<bool> = sample.iter().map(|&pair| train.label(pair)).collect();
        let links = labels.iter().filter(|&&link| link).count();
        let nodes = NodeKernel::new(attributes, gamma(attributes, &pairs));
        let kernel = PairKernel { nodes, symmetric: train.symmetric(), pairs };
        let solution = solve(&kernel, &labels, balanced([labels.len() - links, links]));
        let support = kernel
            .pairs
            .iter()
            .zip(&solution.coefficients)
            .filter(|&(_, &coefficient)| coefficient != 0.0)
            .map(|(&pair, &coefficient)| (pair, coefficient))
            .collect();
        Ok(Self { kernel, support, bias: solution.bias })
    }

    pub(super) fn score(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let value = |&pair: &(u32, u32)| {
            let with = self.kernel.with(pair);
            let products =
                self.support.iter().map(|&(other, coefficient)| coefficient * f64::from(with(other)));
            products.sum::<f64>() + self.bias
        };
        pairs.par_iter().map(value).collect()
    }
}

/// The numbers of the pairs to learn from, in order.
fn sample(train: &Pairs, seed: u64) -> Vec<usize> {
    let mut rng = stream(seed, 0, 0, Purpose::SupportVectors, 0);
    let (links, non_links): (Vec<usize>, Vec<usize>) = (0..train.len()).partition(|&pair| train.label(pair));
    let mut sample = some(links, MOST_PAIRS / 2, &mut rng);
    let most = (NON_LINKS * sample.len()).min(MOST_PAIRS - sample.len());
    sample.extend(some(non_links, most, &mut rng));
    sample.sort_unstable();
    sample
}

/// All of a list, or so many of it at random.
fn some(mut list: Vec<usize>, most: usize, rng: &mut Stream) -> Vec<usize> {
    if list.len() > most {
        list = list.partial_shuffle(rng, most).0.to_vec();
    }
    list
}

/// One over the number of columns times the variance of all their values: what scikit-learn calls "scale".
fn gamma(attributes: &Attributes, pairs: &[(u32, u32)]) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for node in pairs.iter().flat_map(|&(source, target)| [source, target]) {
        for (_, x) in attributes.row(node as usize) {
            sum += x;
            squares += x * x;
        }
    }
    let (count, columns) = (pairs.len() as f64, (2 * attributes.width()) as f64);
    let spread = squares / count - sum * sum / (count * count * columns);
    // Nothing is known of any of these nodes: whatever gamma, all pairs are alike.
    if spread > 0.0 { 1.0 / spread } else { 1.0 }
}

/// The kernel of any two nodes.
#[derive(Debug)]
struct NodeKernel {
    values: Vec<f32>,
    count: usize,
}

impl NodeKernel {
    fn new(attributes: &Attributes, gamma: f64) -> Self {
        let count = attributes.nodes();
        let squares: Vec<f64> =
            (0..count).map(|node| attributes.row(node).map(|(_, x)| x * x).sum()).collect();
        let mut values = vec![0.0; count * count];
        values.par_chunks_mut(count.max(1)).enumerate().for_each_init(
            || vec![0.0; attributes.width()],
            |spread, (node, row)| {
                // The attributes of the node are spread out once for all others.
                attributes.row(node).for_each(|(column, x)| spread[column] = x);
                for (other, value) in row.iter_mut().enumerate() {
                    let product: f64 = attributes.row(other).map(|(column, x)| x * spread[column]).sum();
                    let distance = (squares[node] + squares[other] - 2.0 * product).max(0.0);
                    *value = (-gamma * distance).exp() as f32;
                }
                attributes.row(node).for_each(|(column, _)| spread[column] = 0.0);
            },
        );
        Self { values, count }
    }

    fn row(&self, node: u32) -> &[f32] {
        &self.values[node as usize * self.count..][..self.count]
    }
}

/// The kernel of the pairs to learn from.
#[derive(Debug)]
struct PairKernel {
    nodes: NodeKernel,
    symmetric: bool,
    pairs: Vec<(u32, u32)>,
}

impl PairKernel {
    /// The kernel of a pair with others.
    fn with(&self, (source, target): (u32, u32)) -> impl Fn((u32, u32)) -> f32 + use<'_> {
        let (from, to) = (self.nodes.row(source), self.nodes.row(target));
        move |(i, j)| {
            let straight = from[i as usize] * to[j as usize];
            if self.symmetric { f32::midpoint(straight, from[j as usize] * to[i as usize]) } else { straight }
        }
    }
}

impl Kernel for PairKernel {
    fn write_row(&self, pair: usize, row: &mut [f32]) {
        let with = self.with(self.pairs[pair]);
        for (value, &other) in row.iter_mut().zip(&self.pairs) {
            *value = with(other);
        }
    }

    fn own(&self, pair: usize) -> f64 {
        f64::from(self.with(self.pairs[pair])(self.pairs[pair]))
    }
}

// Sequential minimal optimisation: the dual of a support vector machine with any kernel, two pairs at a time.
//
// With b(t) = y(t) alpha(t) the dual is to maximise sum y b - b'K b / 2 where the b add up to 0 and b(t) is between 0 and
// y(t) cost(t). A step takes from one pair what it gives to another; which two is decided by the second-order rule of Fan, Chen
// and Lin (2005), as in LIBSVM. The rows of the kernel are not kept: they must be cheap.

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
