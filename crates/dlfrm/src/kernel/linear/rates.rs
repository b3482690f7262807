//! Rates and logits of pairs: as a state has them, or found where they are needed, so that nobody has to keep them.

use crate::model::{State, ValidSettings};
use crate::random::Purpose;

use super::super::augment::Augmentation;
use super::super::losses::exp;
use super::super::{Context, LANES};
use super::lines::{Lines, dot};

/// Rates and logits of the pairs that start at a node, in their order.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) rates: Vec<f64>,
    pub(super) logits: Vec<f64>,
    /// The weights that the features of the node present.
    presented: Vec<f64>,
    spare: Vec<f64>,
}

impl Found {
    /// Nothing is found yet.
    pub(super) fn clear(&mut self) {
        self.rates.clear();
        self.logits.clear();
    }
}

/// Where they come from.
pub(super) trait Rates: Sync {
    /// Finds those of the pairs that start at a node.
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found);
}

/// Offsets and rates are there.
impl Rates for State {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, presented, .. } = found;
        let slots = self.features.slots();
        presented.resize(slots, 0.0);
        self.weights.add_rows(self.features.row(source), slots, presented);
        let range = lines.pairs.from(source);
        rates.extend_from_slice(&self.rates[range.clone()]);
        let targets = &lines.pairs.targets()[range.clone()];
        logits.extend_from_slice(&self.offsets[range]);
        for (logit, &target) in logits.iter_mut().zip(targets) {
            let mut latent = 0.0;
            for &slot in self.features.row(target as usize) {
                latent += presented[slot as usize];
            }
            *logit += latent;
        }
    }
}

/// Logits of intercept and coefficients, where these are all there is.
struct Alone {
    base: f64,
    coefficients: Vec<[f64; LANES]>,
}

impl Alone {
    fn new(lines: &Lines<'_>, values: &[f64]) -> Self {
        Self { base: lines.layout.one * values[0], coefficients: lines.in_blocks(values) }
    }

    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, logits: &mut Vec<f64>) {
        let pairs = lines.pairs.from(source);
        // Not by `extend`, which the compiler need not inline.
        logits.resize(pairs.len(), 0.0);
        for (logit, pair) in logits.iter_mut().zip(pairs) {
            *logit = self.base + dot(lines.covariates.blocks(pair), &self.coefficients);
        }
    }
}

/// Rates that are drawn given the logits, as the augmentation at the end of the last sweep would have drawn them.
pub(super) struct Drawn<'a> {
    alone: Alone,
    context: Context<'a>,
    augmentation: &'a Augmentation,
}

impl<'a> Drawn<'a> {
    /// At some values.
    pub(super) fn new(
        lines: &Lines<'_>,
        context: &Context<'a>,
        augmentation: &'a Augmentation,
        values: &[f64],
    ) -> Self {
        let mut context = *context;
        context.key.sweep -= 1;
        Self { alone: Alone::new(lines, values), context, augmentation }
    }
}

impl Rates for Drawn<'_> {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, spare, .. } = found;
        self.alone.find(lines, source, logits);
        rates.extend_from_slice(logits);
        let labels = &lines.pairs.labels()[lines.pairs.from(source)];
        let mut rng = self.context.stream(Purpose::Augment, source as u64);
        self.augmentation.fill(labels, rates, spare, &mut rng);
    }
}

/// Curvatures of the logistic loss in the place of rates.
pub(super) struct Curvatures<'a> {
    alone: Alone,
    settings: &'a ValidSettings,
}

impl<'a> Curvatures<'a> {
    /// At some values.
    pub(super) fn new(lines: &Lines<'_>, settings: &'a ValidSettings, values: &[f64]) -> Self {
        Self { alone: Alone::new(lines, values), settings }
    }
}

impl Rates for Curvatures<'_> {
    #[inline(always)]
    fn find(&self, lines: &Lines<'_>, source: usize, found: &mut Found) {
        let Found { rates, logits, .. } = found;
        self.alone.find(lines, source, logits);
        let labels = &lines.pairs.labels()[lines.pairs.from(source)];
        rates.extend_from_slice(logits);
        let (blocks, rest) = rates.as_chunks_mut();
        for block in blocks {
            *block = curvatures(*block);
        }
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        rest.copy_from_slice(&curvatures(last)[..rest.len()]);
        for (rate, &link) in rates.iter_mut().zip(labels) {
            *rate *= self.settings.cost(link);
        }
    }
}

/// The curvatures of the logistic loss at some logits.
#[inline(always)]
fn curvatures(logits: [f64; LANES]) -> [f64; LANES] {
    let odds = exp(logits.map(|logit| -logit.abs()));
    odds.map(|odds| odds / ((1.0 + odds) * (1.0 + odds)))
}
