//! What features add to the mean logit of a pair: exactly, and at most for any pair of an entity.

use rayon::prelude::*;

use crate::model::Shape;

use super::Draw;

/// The features of all draws, one after the other, so that one list has all features of an entity.
#[derive(Debug)]
pub(super) struct Latent<'a> {
    draws: &'a [Draw],
    /// The number that the first feature of each draw has, and at the end the number of all.
    first: Vec<usize>,
    starts: Vec<usize>,
    items: Vec<u32>,
    /// The most that the features of each entity add to the mean logit, as a source and as a target.
    pub(super) most: [Vec<f64>; 2],
    /// How far the logit of any pair in one draw may be from its mean over draws.
    pub(super) spread: f64,
    extremes: Vec<Extremes>,
}

/// What the features of one draw add.
#[derive(Debug)]
struct Extremes {
    /// The least and the most to pairs from an entity that has the feature, and to pairs to it.
    least: [Vec<f64>; 2],
    most: [Vec<f64>; 2],
    /// To any pair, at least and at most.
    range: [f64; 2],
}

impl<'a> Latent<'a> {
    pub(super) fn new(draws: &'a [Draw], entities: usize) -> Self {
        let mut first = vec![0];
        first.extend(draws.iter().scan(0, |end, draw| {
            *end += draw.features();
            Some(*end)
        }));
        let mut starts = vec![0];
        let mut items = Vec::with_capacity(draws.iter().map(|draw| draw.items.len()).sum());
        for entity in 0..entities {
            for (draw, first) in draws.iter().zip(&first) {
                items.extend(draw.row(entity).iter().map(|&k| *first as u32 + k));
            }
            starts.push(items.len());
        }
        let extremes: Vec<Extremes> = draws.par_iter().map(Extremes::new).collect();
        let count = draws.len() as f64;
        let most = [0, 1].map(|end| {
            let of_features: Vec<f64> =
                extremes.iter().flat_map(|one| one.most[end].iter().copied()).collect();
            let sum = |entity: usize| {
                let items = &items[starts[entity]..starts[entity + 1]];
                items.iter().map(|&feature| of_features[feature as usize]).sum::<f64>() / count
            };
            (0..entities).map(sum).collect()
        });
        let mean = [0, 1].map(|end| extremes.iter().map(|one| one.range[end]).sum::<f64>() / count);
        let spread = |one: &Extremes| (one.range[1] - mean[0]).max(mean[1] - one.range[0]);
        let spread = extremes.iter().map(spread).fold(0.0, f64::max);
        Self { draws, first, starts, items, most, spread, extremes }
    }

    /// For each entity, as a source and as a target, the root of the mean over draws of the square of the most, positive or
    /// negative, that its features add.
    pub(super) fn root_mean_squares(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|end| {
            let mut squares = vec![0.0; self.starts.len() - 1];
            for (draw, one) in self.draws.iter().zip(&self.extremes) {
                for (entity, square) in squares.iter_mut().enumerate() {
                    let row = draw.row(entity).iter();
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

    fn items(&self, entity: u32) -> &[u32] {
        &self.items[self.starts[entity as usize]..self.starts[entity as usize + 1]]
    }

    /// For every feature of every draw what it adds to the mean logit of a pair from an entity, as the target's.
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
        let sum = |of: &[f64], entity| draw.row(entity).iter().map(|&k| of[k as usize]).sum::<f64>();
        let low = (0..draw.entities()).map(|entity| sum(&least[0], entity)).fold(0.0, f64::min);
        let high = (0..draw.entities()).map(|entity| sum(&most[0], entity)).fold(0.0, f64::max);
        Self { least, most, range: [low, high] }
    }
}

/// The least and the most that the features of any entity add up to in each column of a matrix.
fn extremes(draw: &Draw, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let features = draw.features();
    let mut least = vec![f64::INFINITY; features];
    let mut most = vec![f64::NEG_INFINITY; features];
    let mut sums = vec![0.0; features];
    for entity in 0..draw.entities() {
        sums.fill(0.0);
        for &k in draw.row(entity) {
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
