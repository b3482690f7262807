//! The prior of a node's features, before its pairs are looked at. See "Large networks" in `docs/model.md`.
//!
//! One row at a time, the probabilities of the features can be integrated out: another node's having a feature makes
//! it likelier ([`Counted`]). Rows that are drawn at once need the probabilities themselves ([`Drawn`]).

use rand_distr::{Distribution, Exp1, Gamma};

use crate::model::Features;
use crate::network::Class;
use crate::random::Stream;

/// What is known of the features of one row.
pub(super) trait Prior {
    /// The odds of having a feature, for a node that has it now or not; none if it is not drawn.
    fn odds(&self, slot: usize, has: bool) -> Option<f64>;

    #[inline(always)]
    fn log_odds(&self, slot: usize, has: bool) -> Option<f64> {
        self.odds(slot, has).map(f64::ln)
    }

    /// The features that the node takes although none of its pairs say anything about them can be drawn by skipping from
    /// one taken feature to the next, if this is some.
    fn skip(&self) -> Option<&Skip>;
}

/// From the other nodes' features, one row at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted<'a> {
    counts: &'a [u32],
    nodes: f64,
}

impl<'a> Counted<'a> {
    pub(super) fn new(features: &'a Features) -> Self {
        Self { counts: features.counts(), nodes: features.nodes() as f64 }
    }
}

impl Prior for Counted<'_> {
    #[inline(always)]
    fn odds(&self, slot: usize, has: bool) -> Option<f64> {
        let others = self.counts[slot] - u32::from(has);
        (others > 0).then(|| f64::from(others) / (self.nodes - f64::from(others)))
    }

    #[inline(always)]
    fn skip(&self) -> Option<&Skip> {
        None
    }
}

/// Drawn probabilities, for the rows of a class at once.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// The odds and their logarithms; NaN where a feature is not drawn.
    odds: Vec<[f64; 2]>,
    inside: Vec<u32>,
    skip: Skip,
}

impl Drawn {
    /// Draws the probabilities of all features with an owner outside of the class.
    pub(super) fn draw(&mut self, class: Class, features: &Features, rng: &mut Stream) {
        let nodes = features.nodes() as f64;
        self.inside.clear();
        self.inside.resize(features.slots(), 0);
        for &node in class.nodes() {
            for &slot in features.row(node as usize) {
                self.inside[slot as usize] += 1;
            }
        }
        self.odds.clear();
        self.skip.sums.clear();
        let mut sum = 0.0;
        for (&count, &inside) in features.counts().iter().zip(&self.inside) {
            let mut odds = f64::NAN;
            if count > inside {
                // The ratio of two Gamma numbers has the odds of a Beta one, without loss at either end.
                let mut gamma = |shape| Gamma::new(shape, 1.0).expect("a positive shape").sample(rng);
                let with: f64 = gamma(f64::from(count));
                let without: f64 = gamma(nodes - f64::from(count) + 1.0);
                odds = with / without;
                sum += odds.ln_1p();
            }
            self.odds.push([odds, odds.ln()]);
            self.skip.sums.push(sum);
        }
    }
}

impl Prior for Drawn {
    #[inline(always)]
    fn odds(&self, slot: usize, _: bool) -> Option<f64> {
        let [odds, _] = self.odds[slot];
        (!odds.is_nan()).then_some(odds)
    }

    #[inline(always)]
    fn log_odds(&self, slot: usize, _: bool) -> Option<f64> {
        let [_, log_odds] = self.odds[slot];
        (!log_odds.is_nan()).then_some(log_odds)
    }

    #[inline(always)]
    fn skip(&self) -> Option<&Skip> {
        Some(&self.skip)
    }
}

/// Independent events with probabilities p, found without asking for each: -log(1 - p) of each event laid out in a row,
/// the points of a Poisson process of rate 1 hit those that happen.
#[derive(Debug, Default)]
pub(super) struct Skip {
    /// The sums of -log(1 - p) up to each event.
    sums: Vec<f64>,
}

impl Skip {
    /// Calls `happens` for each event that does.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Stream, mut happens: impl FnMut(usize)) {
        let mut at = 0.0;
        loop {
            let step: f64 = Exp1.sample(rng);
            at += step;
            let event = self.sums.partition_point(|&sum| sum <= at);
            if event == self.sums.len() {
                return;
            }
            happens(event);
            at = self.sums[event];
        }
    }
}
