//! The augmentation variables: one independent draw per pair given its logit (Eq. 8 of the paper).
//! See "Augmentation" in `docs/model.md`.

use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{Loss, State, ValidSettings};
use crate::random::{PolyaGamma, Purpose, Stream, inverse_gaussian};

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
    Hinge { cost: f64, margin: f64, sign: f64 },
}

impl Augmentation {
    /// Prepares the variates for the settings' loss and costs.
    pub fn new(settings: &ValidSettings) -> Result<Self> {
        let variate = |link: bool| -> Result<Variate> {
            let cost = settings.cost(link);
            Ok(match settings.model.loss {
                Loss::Logistic => Variate::Logistic(PolyaGamma::new(cost)?),
                Loss::Hinge => {
                    Variate::Hinge { cost, margin: settings.margin, sign: if link { 1.0 } else { -1.0 } }
                }
            })
        };
        Ok(Self { links: variate(true)?, non_links: variate(false)? })
    }

    /// Draws the rate of one pair.
    #[inline]
    pub fn draw(&self, link: bool, logit: f64, rng: &mut Stream) -> f64 {
        match if link { &self.links } else { &self.non_links } {
            Variate::Logistic(variate) => variate.sample(logit, rng),
            Variate::Hinge { cost, margin, sign } => {
                let inverse_mean = cost * (margin - sign * logit).abs();
                cost * cost * inverse_gaussian(inverse_mean, 1.0, rng)
            }
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

/// Draws the rate of every pair.
pub fn update(
    context: &Context<'_>,
    augmentation: &Augmentation,
    state: &mut State,
    scratch: &mut Vec<Vec<f64>>,
) -> Info {
    let Context { pairs, division, .. } = *context;
    let mut rates = std::mem::take(&mut state.rates);
    scratch.resize_with(division.parts().len(), Vec::new);
    let mut outputs: Vec<_> = division.split_pairs(pairs, &mut rates).into_iter().zip(scratch).collect();
    division.for_parts_with(&mut outputs, |_, part, (rates, sums)| {
        update_part(part, context, augmentation, state, rates, sums);
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
    sums: &mut Vec<f64>,
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
        for pair in range {
            let mut logit = state.offset(pair);
            for &slot in state.features.row(pairs.targets()[pair] as usize) {
                logit += sums[slot as usize];
            }
            rates[pair - first] = augmentation.draw(pairs.label(pair), logit, &mut rng);
        }
    }
}
