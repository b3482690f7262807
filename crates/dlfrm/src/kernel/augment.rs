//! The augmentation variables: one independent draw per pair given its logit (Eq. 8 of the paper).
//! See "Augmentation" in `docs/model.md`.

use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{FeatureBits, Loss, Losses, Shape, State, ValidSettings};
use crate::random::{PolyaGamma, Purpose, Stream, fill_inverse_gaussian};

use super::losses::{self, Hinge, Logistic};
use super::near::NearPairs;
use super::weights::diagonal;
use super::{Context, with_simd};

/// The variates of a run: they depend on the costs only, which do not change.
#[derive(Debug, Clone)]
pub struct Augmentation {
    links: Variate,
    non_links: Variate,
}

#[derive(Debug, Clone)]
enum Variate {
    /// rate ~ PG(cost, logit).
    Logistic(PolyaGamma),
    /// rate = cost^2 gamma, gamma ~ InverseGaussian(mean 1 / (cost |margin - y logit|), shape 1).
    Hinge { cost: f64, margin: f64 },
}

impl Augmentation {
    /// Those of the settings' loss and costs.
    pub fn new(settings: &ValidSettings) -> Result<Self> {
        let variate = |link: bool| -> Result<Variate> {
            let cost = settings.cost(link);
            Ok(match settings.model.loss {
                Loss::Logistic => Variate::Logistic(PolyaGamma::new(cost)?),
                Loss::Hinge => Variate::Hinge { cost, margin: settings.margin },
            })
        };
        Ok(Self { links: variate(true)?, non_links: variate(false)? })
    }

    /// Replaces the logits of some pairs by their rates; `spare` is memory.
    #[inline(always)]
    pub(super) fn fill(&self, labels: &[bool], values: &mut [f64], spare: &mut Vec<f64>, rng: &mut Stream) {
        match (&self.links, &self.non_links) {
            (Variate::Logistic(links), Variate::Logistic(non_links)) if links.b() == non_links.b() => {
                links.fill(values, rng);
            }
            (Variate::Logistic(links), Variate::Logistic(non_links)) => {
                for (variate, label) in [(links, true), (non_links, false)] {
                    spare.clear();
                    spare.extend(
                        labels.iter().zip(&*values).filter(|pair| *pair.0 == label).map(|pair| *pair.1),
                    );
                    variate.fill(spare, rng);
                    let wanted = labels.iter().zip(&mut *values).filter(|pair| *pair.0 == label);
                    wanted.zip(&*spare).for_each(|((_, value), draw)| *value = *draw);
                }
            }
            (&Variate::Hinge { cost: link_cost, margin }, &Variate::Hinge { cost: non_link_cost, .. }) => {
                let cost = |label: bool| if label { link_cost } else { non_link_cost };
                for (&label, value) in labels.iter().zip(&mut *values) {
                    let towards = if label { *value } else { -*value };
                    *value = cost(label) * (margin - towards).abs();
                }
                fill_inverse_gaussian(values, 1.0, rng);
                for (&label, value) in labels.iter().zip(values) {
                    *value *= cost(label) * cost(label);
                }
            }
            _ => unreachable!("links and non-links have the same loss"),
        }
    }
}

/// What the kernel did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Info {
    /// Pairs whose augmentation variable was drawn.
    pub pairs: usize,
}

impl AddAssign for Info {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
    }
}

/// Reused memory of this kernel, and the losses of the pairs at the logits that the last draw used.
#[derive(Debug, Default)]
pub struct Scratch {
    bits: FeatureBits,
    parts: Vec<Part>,
    near: NearPairs,
    /// Whether the near pairs are those of the state.
    listed: bool,
    losses: Losses,
}

impl Scratch {
    /// The losses of all pairs where the last draw found them.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// The pairs whose ends have a feature in common, if the last draw has listed them and they are the same until the next.
    pub(crate) fn near(&self) -> Option<&NearPairs> {
        self.listed.then_some(&self.near)
    }

    /// Nodes have got other features.
    pub(crate) fn forget_near(&mut self) {
        self.listed = false;
    }
}

#[derive(Debug, Default)]
struct Part {
    /// The weights that the features of a source present.
    sums: Vec<f64>,
    /// The pairs that may have features in common, if they are to be listed, and the places of those of a source.
    near: Option<Vec<u32>>,
    places: Vec<u32>,
    /// Logits and rates of one label.
    spare: Vec<f64>,
    losses: Losses,
}

/// Draws the rate of every pair.
pub fn update(
    context: &Context<'_>,
    augmentation: &Augmentation,
    state: &mut State,
    scratch: &mut Scratch,
) -> Info {
    let Context { pairs, division, .. } = *context;
    let Scratch { bits, parts, near, listed, losses } = scratch;
    let mut rates = std::mem::take(&mut state.rates);
    let diagonal = state.weights.shape() == Shape::Diagonal;
    if diagonal {
        bits.fill(&state.features);
    }
    // Features of single owners are all that is drawn before the next weights under this loss.
    *listed =
        diagonal && context.settings.model.loss == Loss::Logistic && diagonal::scattered(&state.features);
    parts.resize_with(division.parts().len(), Part::default);
    near.parts.resize_with(parts.len(), Vec::new);
    for (part, numbers) in parts.iter_mut().zip(&mut near.parts) {
        numbers.clear();
        part.near = listed.then(|| std::mem::take(numbers));
    }
    let mut outputs: Vec<_> = division.split_pairs(pairs, &mut rates).into_iter().zip(&mut *parts).collect();
    division.for_parts_with(&mut outputs, |_, nodes, (rates, part)| {
        with_simd(
            #[inline(always)]
            || part.update(nodes.clone(), context, augmentation, state, bits, rates),
        );
    });
    for (part, numbers) in parts.iter_mut().zip(&mut near.parts) {
        *numbers = part.near.take().unwrap_or_default();
    }
    *losses = Losses::default();
    for part in parts {
        losses.links += part.losses.links;
        losses.non_links += part.losses.non_links;
    }
    state.rates = rates;
    Info { pairs: pairs.len() }
}

impl Part {
    #[inline(always)]
    fn update(
        &mut self,
        nodes: Range<usize>,
        context: &Context<'_>,
        augmentation: &Augmentation,
        state: &State,
        bits: &FeatureBits,
        rates: &mut [f64],
    ) {
        let pairs = context.pairs;
        self.losses = Losses::default();
        let first = pairs.from(nodes.start).start;
        for source in nodes {
            let range = pairs.from(source);
            if range.is_empty() {
                continue;
            }
            let mut rng = context.stream(Purpose::Augment, source as u64);
            let labels = &pairs.labels()[range.clone()];
            let values = &mut rates[range.start - first..range.end - first];
            self.find_logits(source, context, state, bits, values);
            self.add_losses(context.settings, labels, values);
            augmentation.fill(labels, values, &mut self.spare, &mut rng);
        }
    }

    #[inline(always)]
    fn find_logits(
        &mut self,
        source: usize,
        context: &Context<'_>,
        state: &State,
        bits: &FeatureBits,
        logits: &mut [f64],
    ) {
        let range = context.pairs.from(source);
        let targets = &context.pairs.targets()[range.clone()];
        if state.offsets.is_empty() {
            logits.fill(state.intercept);
        } else {
            logits.copy_from_slice(&state.offsets[range.clone()]);
        }
        if state.features.row(source).is_empty() {
            return;
        }
        if state.weights.shape() == Shape::Diagonal {
            let weights = state.weights.diagonal();
            bits.list_near(source, targets, &mut self.places);
            if let Some(near) = &mut self.near {
                near.extend(self.places.iter().map(|place| range.start as u32 + place));
            }
            for &place in &self.places {
                let (logit, target) = (&mut logits[place as usize], targets[place as usize]);
                bits.for_common(&state.features, source, target as usize, |slot| *logit += weights[slot]);
            }
        } else {
            let slots = state.features.slots();
            self.sums.resize(self.sums.len().max(slots), 0.0);
            state.weights.add_rows(state.features.row(source), slots, &mut self.sums);
            for (logit, &target) in logits.iter_mut().zip(targets) {
                for &slot in state.features.row(target as usize) {
                    *logit += self.sums[slot as usize];
                }
            }
        }
    }

    #[inline(always)]
    fn add_losses(&mut self, settings: &ValidSettings, labels: &[bool], logits: &[f64]) {
        self.losses.links += self.losses_of(true, settings, labels, logits);
        self.losses.non_links += self.losses_of(false, settings, labels, logits);
    }

    #[inline(always)]
    fn losses_of(&mut self, label: bool, settings: &ValidSettings, labels: &[bool], logits: &[f64]) -> f64 {
        let spare = &mut self.spare;
        spare.clear();
        let sign = if label { 1.0 } else { -1.0 };
        let wanted = labels.iter().zip(logits).filter(|pair| *pair.0 == label);
        spare.extend(wanted.map(|(_, logit)| sign * logit));
        match settings.model.loss {
            Loss::Logistic => losses::sum(Logistic::new(), spare),
            Loss::Hinge => losses::sum(Hinge::new(settings.margin), spare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::synthetic;
    use super::*;
    use crate::model::Settings;
    use crate::network::Division;
    use crate::random::StreamKey;

    #[test]
    fn losses_are_those_of_all_pairs() {
        for shape in [Shape::Full, Shape::Diagonal] {
            for loss in [Loss::Logistic, Loss::Hinge] {
                let (pairs, mut state) = synthetic(shape, 23, 5);
                let mut settings = Settings { c_pos: 2.0, c_neg: 0.5, ..Settings::default() };
                settings.model.loss = loss;
                let settings = settings.check().unwrap();
                let augmentation = Augmentation::new(&settings).unwrap();
                let (division, key) = (Division::fine(&pairs), StreamKey { seed: 1, chain: 0, sweep: 1 });
                let context = Context::new(&pairs, &settings, &division, key);
                let expected = Losses::of(&pairs, &state, &settings);
                let mut scratch = Scratch::default();
                update(&context, &augmentation, &mut state, &mut scratch);
                let found = scratch.losses();
                for (found, expected) in
                    [(found.links, expected.links), (found.non_links, expected.non_links)]
                {
                    assert!(expected > 0.0 && (found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
                }
            }
        }
    }
}
