//! What features add to the mean logit of a pair: exactly, and at most for any pair of a node.

use rayon::prelude::*;

use crate::model::Shape;

use super::Draw;

/// The features of all draws, one after the other, so that one list has all features of a node.
#[derive(Debug)]
pub(super) struct Latent<'a> {
    draws: &'a [Draw],
    /// The number that the first feature of each draw has, and at the end the number of all.
    first: Vec<usize>,
    starts: Vec<usize>,
    items: Vec<u32>,
    /// The most that the features of each node add to the mean logit, as a source and as a target.
    pub(super) most: [Vec<f64>; 2],
    /// How far the logit of any pair in one draw may be from its mean over draws.
    pub(super) spread: f64,
    extremes: Vec<Extremes>,
}

/// What the features of one draw add.
#[derive(Debug)]
struct Extremes {
    /// The least and the most to pairs from a node that has the feature, and to pairs to it.
    least: [Vec<f64>; 2],
    most: [Vec<f64>; 2],
    /// To any pair, at least and at most.
    range: [f64; 2],
}

impl<'a> Latent<'a> {
    pub(super) fn new(draws: &'a [Draw], nodes: usize) -> Self {
        let mut first = vec![0];
        first.extend(draws.iter().scan(0, |end, draw| {
            *end += draw.features();
            Some(*end)
        }));
        let mut starts = vec![0];
        let mut items = Vec::with_capacity(draws.iter().map(|draw| draw.items.len()).sum());
        for node in 0..nodes {
            for (draw, first) in draws.iter().zip(&first) {
                items.extend(draw.row(node).iter().map(|&k| *first as u32 + k));
            }
            starts.push(items.len());
        }
        let extremes: Vec<Extremes> = draws.par_iter().map(Extremes::new).collect();
        let count = draws.len() as f64;
        let most = [0, 1].map(|end| {
            let of_features: Vec<f64> =
                extremes.iter().flat_map(|one| one.most[end].iter().copied()).collect();
            let sum = |node: usize| {
                let items = &items[starts[node]..starts[node + 1]];
                items.iter().map(|&feature| of_features[feature as usize]).sum::<f64>() / count
            };
            (0..nodes).map(sum).collect()
        });
        let mean = [0, 1].map(|end| extremes.iter().map(|one| one.range[end]).sum::<f64>() / count);
        let spread = |one: &Extremes| (one.range[1] - mean[0]).max(mean[1] - one.range[0]);
        let spread = extremes.iter().map(spread).fold(0.0, f64::max);
        Self { draws, first, starts, items, most, spread, extremes }
    }

    /// For each node, as a source and as a target, the root of the mean over draws of the square of the most, positive or
    /// negative, that its features add.
    pub(super) fn root_mean_squares(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|end| {
            let mut squares = vec![0.0; self.starts.len() - 1];
            for (draw, one) in self.draws.iter().zip(&self.extremes) {
                for (node, square) in squares.iter_mut().enumerate() {
                    let row = draw.row(node).iter();
                    let [least, most] = [&one.least[end], &one.most[end]]
                        .map(|of| row.clone().map(|&k| of[k as usize]).sum::<f64>().abs());
                    *square += least.max(most).powi(2) / self.draws.len() as f64;
                }
            }
            squares.into_iter().map(f64::sqrt).collect()
        })
    }

    /// The most that features add to the mean logit of a pair.
    pub(super) fn most_of(&self, source: u32, target: u32) -> f64 {
        self.most[0][source as usize].min(self.most[1][target as usize])
    }

    fn items(&self, node: u32) -> &[u32] {
        &self.items[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// For every feature of every draw what it adds to the mean logit of a pair from a node, as the target's.
    pub(super) fn write_row(&self, source: u32, row: &mut Vec<f64>) {
        let count = self.draws.len() as f64;
        row.clear();
        row.resize(self.first[self.draws.len()], 0.0);
        for (draw, ends) in self.draws.iter().zip(self.first.windows(2)) {
            let part = &mut row[ends[0]..ends[1]];
            for &k in draw.row(source as usize) {
                let k = k as usize;
                match draw.shape {
                    Shape::Diagonal => part[k] = draw.weights[k] / count,
                    Shape::Full | Shape::Symmetric => {
                        let weights = &draw.weights[k * draw.features()..][..draw.features()];
                        part.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight / count);
                    }
                }
            }
        }
    }

    /// What features add to the mean logit of the pair from the source that the row is of.
    pub(super) fn of(&self, row: &[f64], target: u32) -> f64 {
        self.items(target).iter().map(|&feature| row[feature as usize]).sum()
    }
}

impl Extremes {
    fn new(draw: &Draw) -> Self {
        let features = draw.features();
        let (most, least) = match draw.shape {
            Shape::Diagonal => {
                let most: Vec<f64> = draw.weights.iter().map(|weight| weight.max(0.0)).collect();
                let least: Vec<f64> = draw.weights.iter().map(|weight| weight.min(0.0)).collect();
                ([most.clone(), most], [least.clone(), least])
            }
            Shape::Full | Shape::Symmetric => {
                let turned: Vec<f64> =
                    (0..features * features).map(|at| draw.weight(at % features, at / features)).collect();
                let [from, to] = [&turned, &draw.weights].map(|weights| extremes(draw, weights));
                ([from.1, to.1], [from.0, to.0])
            }
        };
        let sum = |of: &[f64], node| draw.row(node).iter().map(|&k| of[k as usize]).sum::<f64>();
        let low = (0..draw.nodes()).map(|node| sum(&least[0], node)).fold(0.0, f64::min);
        let high = (0..draw.nodes()).map(|node| sum(&most[0], node)).fold(0.0, f64::max);
        Self { least, most, range: [low, high] }
    }
}

/// The least and the most that the features of any node add up to in each column of a matrix.
fn extremes(draw: &Draw, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let features = draw.features();
    let mut least = vec![f64::INFINITY; features];
    let mut most = vec![f64::NEG_INFINITY; features];
    let mut sums = vec![0.0; features];
    for node in 0..draw.nodes() {
        sums.fill(0.0);
        for &k in draw.row(node) {
            let row = &weights[k as usize * features..][..features];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        for ((least, most), &sum) in least.iter_mut().zip(&mut most).zip(&sums) {
            *least = least.min(sum);
            *most = most.max(sum);
        }
    }
    (least, most)
}
