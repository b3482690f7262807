//! The augmentation variables: one independent draw per pair given its logit (Eq. 8 of the paper).
//! See "Augmentation" in `docs/model.md`.

use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{Loss, State, ValidSettings};
use crate::random::{PolyaGamma, Purpose, Stream, fill_inverse_gaussian};

use super::Context;

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
    /// Prepares the variates for the settings' loss and costs.
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
    fn fill(&self, labels: &[bool], values: &mut [f64], spare: &mut Vec<f64>, rng: &mut Stream) {
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

/// Reused memory of a part.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The weights that the features of a source present.
    sums: Vec<f64>,
    /// Logits and rates of one label.
    spare: Vec<f64>,
}

/// Draws the rate of every pair.
pub fn update(
    context: &Context<'_>,
    augmentation: &Augmentation,
    state: &mut State,
    scratch: &mut Vec<Scratch>,
) -> Info {
    let Context { pairs, division, .. } = *context;
    let mut rates = std::mem::take(&mut state.rates);
    scratch.resize_with(division.parts().len(), Scratch::default);
    let mut outputs: Vec<_> = division.split_pairs(pairs, &mut rates).into_iter().zip(scratch).collect();
    division.for_parts_with(&mut outputs, |_, part, (rates, scratch)| {
        update_part(part, context, augmentation, state, rates, scratch);
    });
    state.rates = rates;
    Info { pairs: pairs.len() }
}

/// Draws the rates of the pairs that start in a range of entities.
fn update_part(
    part: Range<usize>,
    context: &Context<'_>,
    augmentation: &Augmentation,
    state: &State,
    rates: &mut [f64],
    Scratch { sums, spare }: &mut Scratch,
) {
    let pairs = context.pairs;
    let slots = state.features.slots();
    sums.resize(sums.len().max(slots), 0.0);
    let first = pairs.from(part.start).start;
    for source in part {
        let range = pairs.from(source);
        if range.is_empty() {
            continue;
        }
        let mut rng = context.stream(Purpose::Augment, source as u64);
        state.weights.add_rows(state.features.row(source), slots, sums);
        let labels = &pairs.labels()[range.clone()];
        let values = &mut rates[range.start - first..range.end - first];
        for (pair, value) in range.zip(&mut *values) {
            *value = state.offset(pair);
            for &slot in state.features.row(pairs.targets()[pair] as usize) {
                *value += sums[slot as usize];
            }
        }
        augmentation.fill(labels, values, spare, &mut rng);
    }
}
