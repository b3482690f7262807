//! The prior of a node's features, before its pairs are looked at. See "Large networks" in `docs/model.md`.
//!
//! One row at a time, the probabilities of the features can be integrated out: another node's having a feature makes
//! it likelier ([`Counted`]). Rows that are drawn at once need the probabilities themselves ([`Drawn`]). For a class C
//! of nodes, given the rows outside of it, the features with an owner outside are known, and each has a
//! probability with density Beta(m, N - m + 1) given all rows; drawn from that, it makes the entries of C independent.
//! The other features are of members of C only. Under the Indian buffet process the numbers of features that exactly
//! the nodes of a set have are independent Poisson numbers, so those that one member has for itself are drawn for
//! each member apart (mean alpha / N), and those that only several members have stay as they are until an outsider takes
//! one. What the step depends on (which features have owners outside, and which have several owners inside only) is what
//! it does not change: it is a Gibbs step.

use rand_distr::{Distribution, Exp1, Gamma};

use crate::model::Features;
use crate::network::Class;
use crate::random::Stream;

/// What is known of the features of one row.
pub(super) trait Prior {
    /// The odds of having a feature, for a node that has it now or not; none if it is not drawn.
    fn odds(&self, slot: usize, has: bool) -> Option<f64>;

    /// Their logarithm.
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

#[cfg(test)]
mod tests {
    use crate::network::{Division, Pair, Pairs};
    use crate::random::{Purpose, stream};

    use super::*;

    #[test]
    fn skipping_gives_each_event_its_probability() {
        let probabilities: [f64; 6] = [0.3, 0.0, 0.01, 0.9, 0.0, 0.5];
        let mut sum = 0.0;
        let sums = probabilities.map(|p| {
            sum -= (-p).ln_1p();
            sum
        });
        let skip = Skip { sums: sums.to_vec() };
        let mut rng = stream(1, 0, 0, Purpose::Features, 0);
        let draws = 200_000;
        let (mut counts, mut both) = ([0.0; 6], 0.0);
        for _ in 0..draws {
            let mut seen = vec![];
            skip.draw(&mut rng, |event| seen.push(event));
            assert!(seen.is_sorted_by(|a, b| a < b));
            for &event in &seen {
                counts[event] += 1.0;
            }
            both += f64::from(u8::from(seen.contains(&0) && seen.contains(&3)));
        }
        // Five standard errors, seven comparisons: 4e-6 by chance.
        let check = |count: f64, p: f64| {
            let error = (p * (1.0 - p) * f64::from(draws)).sqrt();
            assert!((count - p * f64::from(draws)).abs() <= 5.0 * error, "{p}: {count}");
        };
        counts.iter().zip(probabilities).for_each(|(&count, p)| check(count, p));
        check(both, 0.27);
    }

    #[test]
    fn only_features_of_outsiders_are_drawn() {
        // Nodes 0 and 1 have no common pair; feature 0 is also 2's, 1 is theirs alone, 2 is 0's own, 3 is 2's.
        let pairs =
            Pairs::new(3, true, [(0, 2), (1, 2)].map(|(source, target)| Pair { source, target, link: true }));
        let features = Features::from_rows(&[vec![0, 1, 2], vec![1], vec![0, 3]], 4);
        let division = Division::fine(&pairs);
        let class = division.classes().find(|class| class.nodes().len() == 2).unwrap();
        let mut rng = stream(1, 0, 0, Purpose::Features, 0);
        let mut drawn = Drawn::default();
        let (mut sums, draws) = ([0.0; 4], 20_000);
        for _ in 0..draws {
            drawn.draw(class, &features, &mut rng);
            for (slot, sum) in sums.iter_mut().enumerate() {
                let log_odds = drawn.log_odds(slot, false);
                assert_eq!(log_odds.is_some(), slot == 0 || slot == 3);
                *sum += log_odds.map_or(0.0, |log_odds| 1.0 / (1.0 + (-log_odds).exp())) / f64::from(draws);
            }
        }
        // Beta(2, 2) and Beta(1, 3): means 1/2 and 1/4, standard deviations below 0.23.
        assert!((sums[0] - 0.5).abs() < 0.009 && (sums[3] - 0.25).abs() < 0.009, "{sums:?}");
    }
}
