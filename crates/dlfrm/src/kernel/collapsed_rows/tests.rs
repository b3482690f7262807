//! Every gain against its definition: both losses, every shape, many and few pairs, popular and rare features,
//! moderate and extreme weights.

use rand::RngExt;

use super::super::row::Row;
use super::*;
use crate::model::{Features, Linear, Loss, Nu, Settings, ValidSettings, Weights};
use crate::network::{Division, Pair};
use crate::random::{StreamKey, stream};

fn random() -> crate::random::Stream {
    stream(1, 0, 0, Purpose::CollapsedRows, 0)
}

fn pairs(nodes: u32, share: f64, symmetric: bool) -> Pairs {
    let mut rng = random();
    let mut list = vec![];
    for source in 0..nodes {
        for target in 0..nodes {
            let wanted = if symmetric { source < target } else { source != target };
            if wanted && rng.random::<f64>() < share {
                list.push(Pair { source, target, link: rng.random::<f64>() < 0.3 });
            }
        }
    }
    Pairs::new(nodes as usize, symmetric, list)
}

/// With seven features, and slots that nobody has after them.
fn state(
    nodes: usize,
    shape: Shape,
    (size, intercept): (f64, f64),
    offsets: usize,
    free_slots: usize,
) -> State {
    let mut rng = random();
    // From features that nearly all nodes have to such as hardly any have.
    let shares = [0.9, 0.6, 0.3, 0.1, 0.05, 0.2, 0.02];
    let rows: Vec<Vec<u32>> = (0..nodes)
        .map(|_| (0..shares.len() as u32).filter(|&k| rng.random::<f64>() < shares[k as usize]).collect())
        .collect();
    let slots = shares.len() + free_slots;
    let mut weights = Weights::new(shape, slots);
    for k in 0..shares.len() {
        for l in 0..shares.len() {
            if shape != Shape::Diagonal || k == l {
                weights.set(k, l, size * (rng.random::<f64>() - 0.5));
            }
        }
    }
    let features = Features::from_rows(&rows, slots);
    let offsets = (0..offsets).map(|_| intercept + 2.0 * (rng.random::<f64>() - 0.5)).collect();
    let (rates, linear) = (vec![], Linear::default());
    State { features, weights, rates, intercept, linear, offsets, alpha: 1.0, nu: Nu::same(1.0) }
}

fn log_likelihood(pairs: &Pairs, state: &State, settings: &ValidSettings) -> f64 {
    let loss = settings.model.loss;
    let one = |(number, pair): (usize, Pair)| {
        let logit = state.offset(number) + state.latent(pair.source as usize, pair.target as usize);
        loss.log_likelihood(pair.link, logit, settings.cost(pair.link), settings.margin)
    };
    pairs.iter().enumerate().map(one).sum()
}

fn toggle(state: &mut State, node: usize, slot: u32, take: bool) {
    if take {
        state.features.insert(node, slot);
    } else {
        state.features.remove(node, slot);
    }
}

/// With the intercept alone, and with an offset for each pair.
fn check(shape: Shape, loss: Loss, share: f64, symmetric: bool, scale: (f64, f64)) {
    let pairs = pairs(43, share, symmetric);
    for offsets in [0, pairs.len()] {
        check_offsets(shape, loss, &pairs, scale, offsets, (Asked::Every, 0));
        if shape == Shape::Diagonal {
            check_offsets(shape, loss, &pairs, scale, offsets, (Asked::Gaining, 0));
            // More features than there are bits for.
            check_offsets(shape, loss, &pairs, scale, offsets, (Asked::Every, 250));
            check_offsets(shape, loss, &pairs, scale, offsets, (Asked::Gaining, 250));
        }
    }
}

fn check_offsets(
    shape: Shape,
    loss: Loss,
    pairs: &Pairs,
    (size, intercept): (f64, f64),
    offsets: usize,
    (asked, free_slots): (Asked, usize),
) {
    let nodes = pairs.nodes();
    let mut state = state(nodes, shape, (size, intercept), offsets, free_slots);
    let mut settings = Settings { c_pos: 2.0, c_neg: 0.5, margin: 1.5, ..Settings::default() };
    settings.model.loss = loss;
    let settings = settings.check().unwrap();
    let mut known = Known::default();
    let (division, key) = (Division::whole(pairs), StreamKey { seed: 1, chain: 0, sweep: 0 });
    let context = Context::new(pairs, &settings, &division, key);
    state.rates = vec![0.0; pairs.len()];
    known.fill(&context, &mut state);
    let mut scratch = RowScratch::default();
    // Effects of full and symmetric weights on listed pairs are kept in single precision.
    let tolerance = if pairs.dense() || shape == Shape::Diagonal { 1e-9 } else { 1e-6 * (1.0 + size) };
    for node in 0..nodes {
        let mut row = AnyRow::prepare(node, &context, &state, &known, &mut scratch, asked);
        let gaining = row.gaining().map(<[u32]>::to_vec);
        let mut changes = vec![];
        for k in 0..state.features.slots() - free_slots {
            let has = state.features.has(node, k as u32);
            let most = if has { f64::INFINITY } else { row.most(k, &state) };
            let gain = row.gain(k, has, &state);
            let rounding = 1e-9 * (1.0 + gain.abs());
            assert!(gain <= most.ln() + rounding, "{loss:?} {size}, {node} {k}: {gain} {most}");
            let before = log_likelihood(pairs, &state, &settings);
            toggle(&mut state, node, k as u32, !has);
            let after = log_likelihood(pairs, &state, &settings);
            let want = if has { before - after } else { after - before };
            let off = (gain - want).abs() / (1.0 + want.abs());
            assert!(off < tolerance, "{shape:?} {loss:?} {size} {offsets}, {node} {k}: {gain} {want}");
            if let Some(gaining) = &gaining
                && !gaining.contains(&(k as u32))
            {
                assert!(gain <= 1e-12, "{loss:?} {size}, {node} {k}: {gain}");
            }
            if (node + k) % 3 == 0 {
                row.flip(k, if has { -1.0 } else { 1.0 }, &state);
                changes.push((k as u32, !has));
            } else {
                toggle(&mut state, node, k as u32, has);
            }
        }
        if pairs.dense() {
            known.all_nodes.take_over(node, &changes, &state);
        } else if shape == Shape::Diagonal {
            known.sparse_diagonal.apply(node, &changes, pairs);
        }
    }
}

#[test]
fn gains_are_what_the_likelihood_gains() {
    // Most pairs observed, few, and hardly any.
    for loss in [Loss::Logistic, Loss::Hinge] {
        for share in [0.9, 0.2, 0.03] {
            // Odds can be trusted; effects are too large; only a logit is, from the start or by a flip.
            for scale in [(3.0, -0.3), (2000.0, -0.3), (3.0, -170.0), (20.0, -150.0)] {
                check(Shape::Full, loss, share, false, scale);
                for shape in [Shape::Symmetric, Shape::Diagonal] {
                    for symmetric in [false, true] {
                        check(shape, loss, share, symmetric, scale);
                    }
                }
            }
        }
    }
}
