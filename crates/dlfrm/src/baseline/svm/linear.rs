//! The linear machine: the squared hinge loss of all training pairs, minimised over the weights of the attributes.
//!
//! What is minimised is LIBLINEAR's problem, |w|^2 / 2 + b^2 / 2 + sum over pairs of cost max(0, 1 - y (w'x + b))^2; it has
//! one solution. LIBLINEAR finds it by dual coordinate descent (Hsieh et al. 2008), which reads the words of both ends for every
//! pair. Here w'x is a number of the source plus one of the target, so that a product with all pairs costs one addition a
//! pair once these numbers are known: Newton's method (Keerthi and DeCoste 2005), which needs nothing but such products, never
//! sees the vector of a pair.

use std::ops::Range;

use super::balanced;
use super::newton::{Function, minimise};
use crate::covariates::Attributes;
use crate::network::Pairs;

/// Learns from all training pairs.
pub(super) fn score(attributes: &Attributes, train: &Pairs, test: &[(u32, u32)]) -> Vec<f64> {
    let mut loss = Loss::new(attributes, train);
    let weights = minimise(&mut loss);
    let [sources, targets] = loss.ends(&weights);
    let bias = weights[loss.variables() - 1];
    test.iter().map(|&(i, j)| sources[i as usize] + targets[j as usize] + bias).collect()
}

/// The function of the weights that is minimised: those of a source's attributes, those of a target's (the same ones, where
/// pairs stand for both directions), and the bias.
pub(super) struct Loss<'a> {
    attributes: &'a Attributes,
    train: &'a Pairs,
    costs: [f64; 2],
    /// How far each pair is from the right side of its margin, at the point that was visited last.
    pub(super) short: Vec<f64>,
}

impl<'a> Loss<'a> {
    pub(super) fn new(attributes: &'a Attributes, train: &'a Pairs) -> Self {
        let costs = balanced([train.len() - train.links(), train.links()]);
        Self { attributes, train, costs, short: vec![0.0; train.len()] }
    }

    /// What a pair costs on the wrong side of its margin.
    pub(super) fn cost(&self, pair: usize) -> f64 {
        self.costs[usize::from(self.train.label(pair))]
    }

    /// The second derivative of a pair's loss by its product with the weights: 0 on the right side of the margin.
    fn curvature(&self, pair: usize) -> f64 {
        if self.short[pair] > 0.0 { 2.0 * self.cost(pair) } else { 0.0 }
    }

    /// The weights of an end's attributes.
    fn weights_of(&self, end: usize) -> Range<usize> {
        let (width, first) = (self.attributes.width(), if self.train.symmetric() { 0 } else { end });
        first * width..(first + 1) * width
    }

    /// What the vector of an entity is multiplied by. The mean over both orders of a product of two vectors is the product of
    /// sums over the ends, divided by 2.
    fn scale(&self) -> f64 {
        if self.train.symmetric() { 0.5_f64.sqrt() } else { 1.0 }
    }

    /// What the weights make of each entity, as a source and as a target.
    fn ends(&self, weights: &[f64]) -> [Vec<f64>; 2] {
        [0, 1].map(|end| {
            let own = &weights[self.weights_of(end)];
            let product =
                |entity| self.attributes.row(entity).map(|(column, x)| x * own[column]).sum::<f64>();
            (0..self.train.entities()).map(|entity| self.scale() * product(entity)).collect()
        })
    }

    /// Adds to `sums` the vector of each pair, times what `weight` makes of its number and of its product with `weights`.
    fn add_pairs(&self, weights: &[f64], sums: &mut [f64], mut weight: impl FnMut(usize, f64) -> f64) {
        let [sources, targets] = self.ends(weights);
        let bias = weights[weights.len() - 1];
        let mut of_ends = [vec![0.0; sources.len()], vec![0.0; sources.len()]];
        for source in 0..sources.len() {
            for pair in self.train.from(source) {
                let target = self.train.targets()[pair] as usize;
                let weight = weight(pair, sources[source] + targets[target] + bias);
                of_ends[0][source] += weight;
                of_ends[1][target] += weight;
            }
        }
        self.add_entities(&of_ends, sums, |x| self.scale() * x);
    }

    /// Adds what `of` makes of the attributes of each entity, weighted as a source and as a target, and of the bias, which has
    /// the sum of the weights.
    fn add_entities(&self, weights: &[Vec<f64>; 2], sums: &mut [f64], of: impl Fn(f64) -> f64) {
        for (end, weights) in weights.iter().enumerate() {
            let own = &mut sums[self.weights_of(end)];
            for (entity, weight) in weights.iter().enumerate() {
                self.attributes.row(entity).for_each(|(column, x)| own[column] += weight * of(x));
            }
        }
        *sums.last_mut().expect("there is a bias") += weights[0].iter().sum::<f64>();
    }
}

impl Function for Loss<'_> {
    fn variables(&self) -> usize {
        self.weights_of(1).end + 1
    }

    fn visit(&mut self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let mut value = point.iter().map(|weight| weight * weight / 2.0).sum();
        let mut short = std::mem::take(&mut self.short);
        gradient.copy_from_slice(point);
        self.add_pairs(point, gradient, |pair, product| {
            let sign = if self.train.label(pair) { 1.0 } else { -1.0 };
            short[pair] = (1.0 - sign * product).max(0.0);
            value += self.cost(pair) * short[pair] * short[pair];
            -2.0 * self.cost(pair) * sign * short[pair]
        });
        self.short = short;
        value
    }

    fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        product.copy_from_slice(vector);
        self.add_pairs(vector, product, |pair, x| self.curvature(pair) * x);
    }

    /// Without the product of the two ends, where they have the same weights.
    fn diagonal(&self) -> Vec<f64> {
        let mut of_ends = [vec![0.0; self.train.entities()], vec![0.0; self.train.entities()]];
        for source in 0..self.train.entities() {
            for pair in self.train.from(source) {
                of_ends[0][source] += self.curvature(pair);
                of_ends[1][self.train.targets()[pair] as usize] += self.curvature(pair);
            }
        }
        let mut diagonal = vec![1.0; self.variables()];
        self.add_entities(&of_ends, &mut diagonal, |x| (self.scale() * x).powi(2));
        diagonal
    }
}
