//! The intercept: what is added to every logit, a Gaussian given everything else.

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, State};
use crate::network::Pairs;
use crate::random::{Purpose, stream};

use super::Place;

/// Draws the intercept.
pub fn update(pairs: &Pairs, state: &mut State, settings: &Checked, place: Place, sums: &mut Vec<f64>) {
    let slots = state.features.slots();
    sums.resize(sums.len().max(slots), 0.0);
    let (mut precision, mut linear) = (settings.intercept_precision(), 0.0);
    for source in 0..pairs.entities() {
        state.weights.add_rows(state.features.row(source), slots, sums);
        for pair in pairs.from(source) {
            let mut logit = 0.0;
            for &slot in state.features.row(pairs.targets()[pair] as usize) {
                logit += sums[slot as usize];
            }
            let (rate, link) = (state.rates[pair], pairs.label(pair));
            let pull = settings.pull(link, rate);
            precision += rate;
            linear += pull - rate * logit;
        }
    }
    let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Intercept, 0);
    let normal: f64 = StandardNormal.sample(&mut rng);
    state.intercept = linear / precision + normal / precision.sqrt();
}
