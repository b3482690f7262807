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

use super::balanced;
use super::smo::{Kernel, solve};

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
