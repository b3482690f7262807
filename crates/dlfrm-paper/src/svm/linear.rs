//! The linear machine: the squared hinge loss of all training pairs, minimised over the weights of the attributes.
//!
//! What is minimised is LIBLINEAR's problem, |w|^2 / 2 + b^2 / 2 + sum over pairs of cost max(0, 1 - y (w'x + b))^2; it has
//! one solution. LIBLINEAR finds it by dual coordinate descent (Hsieh et al. 2008), which reads the words of both ends for every
//! pair. Here w'x is a number of the source plus one of the target, so that a product with all pairs costs one addition per
//! pair once these numbers are known: Newton's method (Keerthi and DeCoste 2005), which needs nothing but such products, never
//! sees the vector of a pair.

use std::ops::Range;

use dlfrm::covariates::Attributes;
use dlfrm::network::Pairs;
use rayon::prelude::*;

/// The pairs are divided into so many parts, whose sums are added in their order, however many threads there are.
const PARTS: usize = 16;

/// What was learned: a number for each node as a source, one as a target, and the bias.
#[derive(Debug)]
pub(super) struct Decision {
    sources: Vec<f64>,
    targets: Vec<f64>,
    bias: f64,
}

impl Decision {
    /// Learns from all training pairs.
    pub(super) fn new(attributes: &Attributes, train: &Pairs) -> Self {
        let mut loss = Loss::new(attributes, train);
        let weights = minimise(&mut loss);
        let [sources, targets] = loss.node_products(&weights);
        Self { sources, targets, bias: weights[loss.variables() - 1] }
    }

    pub(super) fn score(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        pairs.iter().map(|&(i, j)| self.sources[i as usize] + self.targets[j as usize] + self.bias).collect()
    }
}

/// The function of the weights that is minimised: those of a source's attributes, those of a target's (the same ones, where
/// pairs stand for both directions), and the bias.
pub(super) struct Loss<'a> {
    attributes: &'a Attributes,
    train: &'a Pairs,
    costs: [f64; 2],
    /// How far each pair is from the right side of its margin, at the point that was visited last.
    pub(super) short: Vec<f64>,
    /// There, the second derivative of its loss by its product with the weights: 0 on the right side of the margin.
    curvatures: Vec<f64>,
}

impl<'a> Loss<'a> {
    pub(super) fn new(attributes: &'a Attributes, train: &'a Pairs) -> Self {
        let costs = balanced([train.len() - train.links(), train.links()]);
        let zeros = || vec![0.0; train.len()];
        Self { attributes, train, costs, short: zeros(), curvatures: zeros() }
    }

    /// What a pair costs on the wrong side of its margin.
    pub(super) fn cost(&self, pair: usize) -> f64 {
        self.costs[usize::from(self.train.label(pair))]
    }

    /// The weights of an end's attributes.
    fn weights_of(&self, end: usize) -> Range<usize> {
        let (width, first) = (self.attributes.width(), if self.train.symmetric() { 0 } else { end });
        first * width..(first + 1) * width
    }

    /// What the vector of a node is multiplied by. The mean over both orders of a product of two vectors is the product of
    /// sums over the ends, divided by 2.
    fn scale(&self) -> f64 {
        if self.train.symmetric() { 0.5_f64.sqrt() } else { 1.0 }
    }

    /// The products of the weights with the attributes of each node, as a source and as a target.
    fn node_products(&self, weights: &[f64]) -> [Vec<f64>; 2] {
        [0, 1].map(|end| {
            let own = &weights[self.weights_of(end)];
            let product = |node| self.attributes.row(node).map(|(column, x)| x * own[column]).sum::<f64>();
            (0..self.train.nodes()).map(|node| self.scale() * product(node)).collect()
        })
    }

    /// For each node the sum of the weights of the pairs whose source it is, and of those whose target it is.
    fn gather(&self, weight: impl Fn(usize, usize, usize) -> f64 + Sync) -> [Vec<f64>; 2] {
        let nodes = self.train.nodes();
        let part = |part: usize| {
            let mut sums = [vec![0.0; nodes], vec![0.0; nodes]];
            for source in part * nodes / PARTS..(part + 1) * nodes / PARTS {
                for pair in self.train.from(source) {
                    let target = self.train.targets()[pair] as usize;
                    let weight = weight(pair, source, target);
                    sums[0][source] += weight;
                    sums[1][target] += weight;
                }
            }
            sums
        };
        let parts: Vec<[Vec<f64>; 2]> = (0..PARTS).into_par_iter().map(part).collect();
        [0, 1].map(|end| (0..nodes).map(|node| parts.iter().map(|part| part[end][node]).sum()).collect())
    }

    /// Adds what `of` makes of the attributes of each node, weighted as a source and as a target, and of the bias, which has
    /// the sum of the weights.
    fn add_nodes(&self, weights: &[Vec<f64>; 2], sums: &mut [f64], of: impl Fn(f64) -> f64) {
        for (end, weights) in weights.iter().enumerate() {
            let own = &mut sums[self.weights_of(end)];
            for (node, weight) in weights.iter().enumerate() {
                self.attributes.row(node).for_each(|(column, x)| own[column] += weight * of(x));
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
        let [sources, targets] = self.node_products(point);
        let bias = point[point.len() - 1];
        let mut value = point.iter().map(|weight| weight * weight / 2.0).sum::<f64>();
        for (number, pair) in self.train.iter().enumerate() {
            let product = sources[pair.source as usize] + targets[pair.target as usize] + bias;
            let short = (1.0 - sign(pair.link) * product).max(0.0);
            value += self.cost(number) * short * short;
            self.short[number] = short;
            self.curvatures[number] = if short > 0.0 { 2.0 * self.cost(number) } else { 0.0 };
        }
        let pull = |pair: usize| -self.curvatures[pair] * sign(self.train.label(pair)) * self.short[pair];
        let pulls = self.gather(|pair, _, _| pull(pair));
        gradient.copy_from_slice(point);
        self.add_nodes(&pulls, gradient, |x| self.scale() * x);
        value
    }

    fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        let [sources, targets] = self.node_products(vector);
        let bias = vector[vector.len() - 1];
        let weights = self.gather(|pair, source, target| {
            self.curvatures[pair] * (sources[source] + targets[target] + bias)
        });
        product.copy_from_slice(vector);
        self.add_nodes(&weights, product, |x| self.scale() * x);
    }

    /// Without the product of the two ends, where they have the same weights.
    fn diagonal(&self) -> Vec<f64> {
        let sums = self.gather(|pair, _, _| self.curvatures[pair]);
        let mut diagonal = vec![1.0; self.variables()];
        self.add_nodes(&sums, &mut diagonal, |x| (self.scale() * x).powi(2));
        diagonal
    }
}

fn sign(link: bool) -> f64 {
    if link { 1.0 } else { -1.0 }
}

/// What a pair costs on the wrong side of its margin, a non-link and a link, of so many.
pub(super) fn balanced([non_links, links]: [usize; 2]) -> [f64; 2] {
    [non_links, links].map(|count| (non_links + links) as f64 / (2 * count) as f64)
}

// Newton's method for a smooth convex function of many variables, its steps found by conjugate gradients.
//
// The solver is not that of the library's kernels: that one draws weights (its right-hand side is perturbed) and is private.

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
