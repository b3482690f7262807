//! The mean of all draws: what the mean logit of a pair is, at most before its covariates are known, and how far the logits of single
//! draws may be from it.

use crate::covariates::{Bounds, Distance, End, NearEnd, Walker};
use crate::model::Linear;

use super::latent::Latent;
use super::{Draw, Posterior};

/// The means of everything that is added to logits.
#[derive(Debug)]
pub(super) struct MeanDraw<'a> {
    pub(super) latent: Latent<'a>,
    pub(super) bounds: Option<Bounds<'a>>,
    intercept: f64,
    coefficients: Vec<f64>,
    /// What each node adds as the first and as the second end of a pair.
    pub(super) effects: [Vec<f64>; 2],
    /// The logit of a pair in any draw is no further from its mean over draws, by distance.
    pub(super) spread: [f64; 2],
}

impl<'a> MeanDraw<'a> {
    pub(super) fn new(posterior: &'a Posterior) -> Self {
        let (draws, nodes) = (posterior.draws(), posterior.nodes());
        let covariates = posterior.covariates();
        let mean = |of: &dyn Fn(&Draw) -> f64| draws.iter().map(of).sum::<f64>() / draws.len() as f64;
        let intercept = mean(&|draw| draw.intercept);
        let columns = 0..covariates.map_or(0, |covariates| covariates.names().len());
        let coefficients: Vec<f64> =
            columns.map(|column| mean(&|draw| draw.linear.coefficients[column])).collect();
        let effect = |end: fn(&Linear, usize) -> f64| -> Vec<f64> {
            (0..nodes).map(|node| mean(&|draw| end(&draw.linear, node))).collect()
        };
        let effects = [effect(Linear::source), effect(Linear::target)];
        let latent = Latent::new(draws, nodes);
        let bounds = covariates.map(|covariates| Bounds::new(covariates, &coefficients));
        let spread = [latent.spread; 2];
        let mut mean = Self { latent, bounds, intercept, coefficients, effects, spread };
        for distance in [Distance::Far, Distance::Near] {
            let ranges = covariates.map_or(vec![], |covariates| covariates.ranges(distance));
            let spread = draws.iter().map(|draw| mean.spread_of(draw, &ranges)).fold(0.0, f64::max);
            mean.spread[distance as usize] += spread;
        }
        mean
    }

    /// How far a draw's logits may be from the means, features apart.
    fn spread_of(&self, draw: &Draw, ranges: &[[f64; 2]]) -> f64 {
        let intercept = draw.intercept - self.intercept;
        let columns = self.coefficients.iter().zip(&draw.linear.coefficients).zip(ranges);
        // Below and above the mean: correlated coefficients differ in opposite directions.
        let [below, above] = columns.fold([intercept; 2], |[below, above], ((mean, one), range)| {
            let [least, most] = range.map(|x| (one - mean) * x);
            [below + least.min(most), above + least.max(most)]
        });
        let effects = |means: &[f64], of: fn(&Linear, usize) -> f64| {
            let each = means.iter().enumerate().map(|(node, mean)| (of(&draw.linear, node) - mean).abs());
            each.fold(0.0, f64::max)
        };
        above.max(-below)
            + effects(&self.effects[0], Linear::source)
            + effects(&self.effects[1], Linear::target)
    }

    /// What a node adds to bounds as the first end of a pair.
    pub(super) fn first(&self, node: u32) -> End {
        self.bounds.as_ref().map_or_else(End::default, |bounds| bounds.first()[node as usize])
    }

    /// What a node adds to bounds as the second end of a pair.
    pub(super) fn second(&self, node: u32) -> End {
        self.bounds.as_ref().map_or_else(End::default, |bounds| bounds.second()[node as usize])
    }

    /// The same for pairs with a path of length two.
    pub(super) fn near_end(&self, node: u32) -> NearEnd {
        let end = |bounds: &Bounds<'_>| bounds.near_end(&bounds.second()[node as usize], node);
        self.bounds.as_ref().map_or_else(NearEnd::default, end)
    }

    /// What intercept and effect add for the first end of a pair.
    pub(super) fn of_first(&self, first: u32) -> f64 {
        self.intercept + self.effects[0][first as usize]
    }

    /// What intercept and effects add to the mean logit of a pair.
    pub(super) fn of_ends(&self, first: u32, second: u32) -> f64 {
        self.of_first(first) + self.effects[1][second as usize]
    }

    /// The most that covariates add to pairs without a path of length two.
    pub(super) fn far(&self, first: &End, second: &End) -> f64 {
        self.bounds.as_ref().map_or_else(|| first.own() + second.own(), |bounds| bounds.far(first, second))
    }

    /// The most that all but features add to the mean logit of a pair without a path of length two, whose first end was walked
    /// from.
    pub(super) fn far_exactly(&self, walker: Option<&Walker>, first: u32, second: u32) -> f64 {
        let ends = (self.first(first), self.second(second));
        let Some(bounds) = &self.bounds else { return self.of_ends(first, second) };
        let longer = walker.map_or(0.0, |walker| bounds.longer_paths(walker, first, second));
        self.of_ends(first, second) + bounds.far_apart(&ends.0, &ends.1) + longer
    }

    /// What covariates add.
    pub(super) fn of_covariates(&self, line: &[f32]) -> f64 {
        self.coefficients.iter().zip(line).map(|(beta, &x)| beta * f64::from(x)).sum()
    }
}
