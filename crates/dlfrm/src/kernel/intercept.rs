//! The intercept: what is added to every logit, a Gaussian given everything else.
//! See "Intercept and hyperparameters" in `docs/model.md`.

use rand_distr::{Distribution, StandardNormal};

use crate::model::State;
use crate::random::Purpose;

use super::Context;

/// Reused memory of a part: what its pairs say (precision and linear term), and sums of weights.
#[derive(Debug, Default)]
pub struct Part {
    precision: f64,
    linear: f64,
    sums: Vec<f64>,
}

/// Draws the intercept.
pub fn update(context: &Context<'_>, state: &mut State, scratch: &mut Vec<Part>) {
    let Context { pairs, settings, division, .. } = *context;
    let slots = state.features.slots();
    division.for_parts(scratch, |_, sources, part| {
        let Part { precision, linear, sums } = part;
        sums.resize(sums.len().max(slots), 0.0);
        (*precision, *linear) = (0.0, 0.0);
        for source in sources {
            state.weights.add_rows(state.features.row(source), slots, sums);
            for pair in pairs.from(source) {
                let mut logit = state.offset(pair) - state.intercept;
                for &slot in state.features.row(pairs.targets()[pair] as usize) {
                    logit += sums[slot as usize];
                }
                let (rate, link) = (state.rates[pair], pairs.label(pair));
                *precision += rate;
                *linear += settings.pull(link, rate) - rate * logit;
            }
        }
    });
    let (mut precision, mut linear) = (settings.intercept_precision(), 0.0);
    for part in scratch {
        precision += part.precision;
        linear += part.linear;
    }
    let mut rng = context.stream(Purpose::Intercept, 0);
    let normal: f64 = StandardNormal.sample(&mut rng);
    state.set_intercept(linear / precision + normal / precision.sqrt());
}
