//! How much the logits of a pair differ from draw to draw: the variance that its mean probability is bounded with.
//!
//! The second derivative of the sigmoid is at most 1 / (6 root 3), so the mean of sigmoid(w) over draws is at most sigmoid(mean of w)
//! + variance of w / (12 root 3). Where probabilities are neither near 0 nor near 1 this is the tighter bound.

use crate::model::{Linear, sigmoid};

use super::Draw;
use super::latent::Latent;

/// Half the largest second derivative of the sigmoid, rounded up.
const CURVATURE: f64 = 0.048_113;

/// More covariates are not bounded by their variance.
const COLUMNS: usize = 128;

/// What logits vary by.
#[derive(Debug)]
pub(super) struct Variation {
    /// Intercept and coefficients: their covariances row by row.
    covariance: Vec<f64>,
    /// The standard deviation of what each node adds by itself, and at most with its features: as first and as second end.
    effects: [Vec<f64>; 2],
    features: [Vec<f64>; 2],
}

impl Variation {
    pub(super) fn new(draws: &[Draw], latent: &Latent<'_>, nodes: usize) -> Self {
        let count = draws.len() as f64;
        let width = 1 + draws.first().map_or(0, |draw| draw.linear.coefficients.len());
        let numbers = |draw: &Draw| -> Vec<f64> {
            std::iter::once(draw.intercept).chain(draw.linear.coefficients.iter().copied()).collect()
        };
        let mut means = vec![0.0; width];
        for draw in draws {
            means.iter_mut().zip(numbers(draw)).for_each(|(mean, number)| *mean += number / count);
        }
        let mut covariance = vec![0.0; width * width];
        for draw in draws {
            let moved: Vec<f64> =
                numbers(draw).iter().zip(&means).map(|(number, mean)| number - mean).collect();
            for (row, one) in covariance.chunks_exact_mut(width).zip(&moved) {
                row.iter_mut().zip(&moved).for_each(|(sum, other)| *sum += one * other / count);
            }
        }
        let deviation = |of: fn(&Linear, usize) -> f64| -> Vec<f64> {
            let one = |node| {
                let values = draws.iter().map(|draw| of(&draw.linear, node));
                let mean = values.clone().sum::<f64>() / count;
                (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
            };
            (0..nodes).map(one).collect()
        };
        let effects = [deviation(Linear::source), deviation(Linear::target)];
        Self { covariance, effects, features: latent.root_mean_squares() }
    }

    /// No pair with these ends and covariates, whose mean logit is not above this one, has a higher mean probability.
    pub(super) fn most(&self, first: u32, second: u32, line: &[f32], logit: f64) -> f64 {
        if line.len() >= COLUMNS {
            return 1.0;
        }
        let mut numbers = [0.0; COLUMNS];
        let mut products = [0.0; COLUMNS];
        let width = 1 + line.len();
        let (numbers, products) = (&mut numbers[..width], &mut products[..width]);
        numbers[0] = 1.0;
        numbers[1..].iter_mut().zip(line).for_each(|(number, &x)| *number = f64::from(x));
        // Row after row, as sums that do not wait for each other.
        for (&number, row) in numbers.iter().zip(self.covariance.chunks_exact(width)) {
            products.iter_mut().zip(row).for_each(|(product, c)| *product += number * c);
        }
        let covariates: f64 = numbers.iter().zip(products).map(|(number, product)| number * *product).sum();
        let (first, second) = (first as usize, second as usize);
        let features = self.features[0][first].min(self.features[1][second]);
        let deviation =
            covariates.max(0.0).sqrt() + self.effects[0][first] + self.effects[1][second] + features;
        sigmoid(logit) + CURVATURE * deviation * deviation
    }
}
