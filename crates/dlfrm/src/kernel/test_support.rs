//! A state to try kernels of the weights on, and what they should find there.

use crate::model::{Features, Linear, Nu, Settings, Shape, State, Weights};
use crate::network::{Division, Pair, Pairs};
use crate::random::StreamKey;

use super::Context;

/// Checks something on a few states whose weights are not diagonal, with many and few features.
pub(super) fn for_each_synthetic(check: impl Fn(&Context<'_>, State)) {
    for (shape, nodes, width) in
        [(Shape::Full, 40, 12), (Shape::Symmetric, 40, 12), (Shape::Full, 9, 5), (Shape::Symmetric, 3, 1)]
    {
        let (pairs, state) = synthetic(shape, nodes, width);
        let settings = Settings::default().check().unwrap();
        let division = Division::fine(&pairs);
        let key = StreamKey { seed: 1, chain: 0, sweep: 1 };
        check(&Context::new(&pairs, &settings, &division, key), state);
    }
}

/// Pairs of 330 nodes: so many that covariates alone have their proposals of eight sweeps found together.
pub(crate) fn many_pairs() -> Pairs {
    let pairs = (0..330).flat_map(|source| (0..source).map(move |target| (source, target)));
    let link = |source: u32, target: u32| (source * source + 7 * target).is_multiple_of(31);
    let pairs = pairs.map(|(source, target)| Pair { source, target, link: link(source, target) });
    Pairs::new(330, true, pairs)
}

/// A state with synthetic features, weights and rates over some pairs.
pub(super) fn synthetic(shape: Shape, nodes: usize, width: usize) -> (Pairs, State) {
    let list = (0..nodes as u32).flat_map(|source| {
        (0..nodes as u32).filter_map(move |target| {
            let there = source != target && (source * 7 + target * 3) % 4 != 0;
            let there = there && (shape == Shape::Full || source < target);
            there.then_some(Pair { source, target, link: (source + 2 * target) % 5 == 0 })
        })
    });
    let pairs = Pairs::new(nodes, shape == Shape::Symmetric, list);
    let has = |node: usize, slot: usize| slot == 0 || (node * (slot + 3) + slot * slot) % 5 < 1 + slot % 2;
    let rows: Vec<Vec<u32>> = (0..nodes)
        .map(|node| (0..width).filter(|&slot| has(node, slot)).map(|slot| slot as u32).collect())
        .collect();
    let mut weights = Weights::new(shape, width);
    weights.clone().for_each_free(width, |k, l, _| weights.set(k, l, ((3 * k + l) as f64).sin()));
    // Rates of the hinge loss are spread over many orders.
    let rates = (0..pairs.len()).map(|pair| (6.0 * (pair as f64 * 0.7).sin()).exp()).collect();
    let features = Features::from_rows(&rows, width);
    let state = State {
        features,
        weights,
        rates,
        intercept: -0.5,
        linear: Linear::default(),
        offsets: vec![],
        alpha: 1.0,
        nu: Nu { own: 0.7, between: 1.3 },
    };
    (pairs, state)
}

/// The precision over the free weights, pair by pair as the model defines it, by rows.
pub(super) fn precision(pairs: &Pairs, state: &State) -> Vec<f64> {
    let (width, shape) = (state.features.slots(), state.weights.shape());
    let mut number = vec![0; width * width];
    let mut count = 0;
    state.weights.for_each_free(width, |k, l, _| {
        number[k * width + l] = count;
        if shape == Shape::Symmetric {
            number[l * width + k] = count;
        }
        count += 1;
    });
    let mut precision = vec![0.0; count * count];
    for (pair, ends) in pairs.iter().enumerate() {
        let mut entries = vec![0.0; count];
        for &k in state.features.row(ends.source as usize) {
            for &l in state.features.row(ends.target as usize) {
                entries[number[k as usize * width + l as usize]] += 1.0;
            }
        }
        for (line, left) in entries.iter().enumerate() {
            for (column, right) in entries.iter().enumerate() {
                precision[line * count + column] += state.rates[pair] * left * right;
            }
        }
    }
    let mut diagonal = precision.iter_mut().step_by(count + 1);
    state.weights.for_each_free(width, |k, l, _| {
        *diagonal.next().expect("one for each weight") += state.nu.precision(k, l);
    });
    precision
}

/// The free entries of a square, in order.
pub(super) fn free(state: &State, square: &[f64]) -> Vec<f64> {
    let width = state.features.slots();
    let mut values = vec![];
    state.weights.for_each_free(width, |k, l, _| values.push(square[k * width + l]));
    values
}
