//! Rows and effects of new nodes beside their exact conditional: all rows enumerated, effects integrated on a grid.
//!
//! Frequencies and means are within 5 standard errors of independent draws: some 200 comparisons, 1e-4 by chance.

use super::*;
use crate::model::{Linear, Shape};
use crate::network::Pair;

const KNOWN: usize = 6;
const DRAWS: usize = 20_000;
const FEATURES: usize = 3;

/// Three features among six nodes.
fn draw(shape: Shape, effects: [usize; 2]) -> Draw {
    let rows: [&[u32]; KNOWN] = [&[0], &[0, 1], &[1], &[0, 2], &[2], &[]];
    let mut starts = vec![0];
    let items: Vec<u32> = rows.iter().flat_map(|row| row.iter().copied()).collect();
    for row in rows {
        starts.push(starts.last().unwrap() + row.len() as u32);
    }
    let weights = match shape {
        Shape::Diagonal => vec![2.0, 1.2, -1.5],
        Shape::Symmetric => vec![1.5, -0.6, 0.4, -0.6, 1.1, 0.3, 0.4, 0.3, -0.9],
        Shape::Full => vec![1.5, -0.6, 0.4, 0.8, 1.1, 0.3, -1.4, 0.2, -0.9],
    };
    let mut linear = Linear::new(0, effects, [0; 2], 0);
    for (side, effects) in linear.effects.iter_mut().enumerate() {
        effects.iter_mut().enumerate().for_each(|(i, effect)| *effect = 0.3 * i as f64 - 0.5 * side as f64);
    }
    linear.precisions = [1.5, 0.8];
    let (alpha, nu, features) = (1.0, 1.0, FEATURES);
    let parts = DrawParts {
        chain: 0,
        sweep: 1,
        log_joint: 0.0,
        intercept: -0.7,
        linear,
        alpha,
        nu,
        shape,
        features,
        starts,
        items,
        weights,
        feature_scale: 1.0,
    };
    Draw::from_parts(parts).unwrap()
}

/// The pairs of new nodes: labels that look random.
fn pairs(symmetric: bool, new: usize) -> Pairs {
    let mut list = vec![];
    for late in KNOWN..KNOWN + new {
        for early in 0..late {
            let pair = |source: usize, target: usize| Pair {
                source: source as u32,
                target: target as u32,
                link: (source * 5 + target * 3) % 4 < 2,
            };
            // One pair is not observed.
            if (early, late) != (2, KNOWN) {
                list.push(pair(early, late));
            }
            if !symmetric {
                list.push(pair(late, early));
            }
        }
    }
    Pairs::new(KNOWN + new, symmetric, list)
}

/// The log odds that the pairs of a node add, with the linear part of a pair moved.
struct Case<'a> {
    settings: &'a ValidSettings,
    pairs: &'a Pairs,
    draw: Draw,
    shift: f64,
}

impl Case<'_> {
    /// The log likelihood of some pairs, where the effect moves logits.
    fn log_likelihood(&self, wanted: impl Fn(&Pair) -> bool, effect: f64) -> f64 {
        let each = self.pairs.iter().filter(wanted).map(|pair| {
            let logit = self.draw.logit(pair.source as usize, pair.target as usize, &[]) + self.shift;
            let cost = self.settings.cost(pair.link);
            self.settings.model.loss.log_likelihood(pair.link, logit + effect, cost, self.settings.margin)
        });
        each.sum()
    }

    /// Integrates the effect of the only new node over some pairs: its evidence, and its mean.
    fn integrate(&self, wanted: impl Fn(&Pair) -> bool + Copy, precision: f64) -> [f64; 2] {
        let (mut evidence, mut mean) = (0.0, 0.0);
        let sd = precision.sqrt().recip();
        for step in -400..=400 {
            let effect = 8.0 * sd * f64::from(step) / 400.0;
            let density = (-0.5 * precision * effect * effect + self.log_likelihood(wanted, effect)).exp();
            evidence += density * sd;
            mean += density * sd * effect;
        }
        [evidence, mean / evidence]
    }
}

/// The probability of every combination of rows, and the means of the effects.
fn exact(part: &Part<'_>, draw: &Draw, new: usize) -> (Vec<f64>, [f64; 2]) {
    let effects = part.settings.node_effects;
    let symmetric = part.pairs.symmetric();
    let (mut weights, mut means) = (vec![], vec![]);
    for combination in 0..1_usize << (FEATURES * new) {
        let mut parts = DrawParts::clone(&with_rows(draw, KNOWN + new).unwrap());
        parts.starts.truncate(KNOWN + 1);
        let mut owners: Vec<f64> = draw.members().iter().map(|owners| owners.len() as f64).collect();
        let mut log_prior = 0.0;
        for node in 0..new {
            let row = combination >> (FEATURES * node);
            for (k, owners) in owners.iter_mut().enumerate() {
                // The buffet: the next guest takes a dish with the share of guests that did, itself counted.
                let probability = *owners / (KNOWN + node + 1) as f64;
                if row >> k & 1 == 1 {
                    parts.items.push(k as u32);
                    *owners += 1.0;
                    log_prior += probability.ln();
                } else {
                    log_prior += (1.0 - probability).ln();
                }
            }
            parts.starts.push(parts.items.len() as u32);
        }
        let draw = Draw::from_parts(parts).unwrap();
        let case = Case { settings: &part.settings, pairs: part.pairs, draw, shift: part.shift };
        let precisions = case.draw.linear.precisions;
        if !effects {
            weights.push((log_prior + case.log_likelihood(|_| true, 0.0)).exp());
            means.push([0.0; 2]);
        } else if symmetric {
            let [evidence, mean] = case.integrate(|_| true, precisions[0]);
            weights.push(log_prior.exp() * evidence);
            means.push([mean, 0.0]);
        } else {
            let out = |pair: &Pair| pair.source as usize == KNOWN;
            let [one, other] =
                [case.integrate(out, precisions[0]), case.integrate(|pair| !out(pair), precisions[1])];
            weights.push(log_prior.exp() * one[0] * other[0]);
            means.push([one[1], other[1]]);
        }
    }
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    let mean = |side: usize| weights.iter().zip(&means).map(|(weight, means)| weight * means[side]).sum();
    let means = [mean(0), mean(1)];
    (weights, means)
}

/// Compares the draws of a kernel with enumeration.
fn compare(model: &str, symmetric: bool, new: usize, node_effects: bool, share: f64, costs: [f64; 2]) {
    let model: crate::model::Model = model.parse().unwrap();
    let shape = match (model.diagonal(), symmetric) {
        (true, _) => Shape::Diagonal,
        (false, true) => Shape::Symmetric,
        (false, false) => Shape::Full,
    };
    let settings = Settings {
        model,
        node_effects,
        c_pos: costs[0],
        c_neg: costs[1],
        margin: 1.0,
        ..Settings::default()
    };
    let lengths = match (node_effects, symmetric) {
        (false, _) => [0; 2],
        (true, true) => [KNOWN, 0],
        (true, false) => [KNOWN; 2],
    };
    let (draw, pairs, side_info) = (draw(shape, lengths), pairs(symmetric, new), SideInfo::default());
    let part = Part::new(&pairs, None, &side_info, &settings, share, 77).unwrap();
    let (expected, means) = exact(&part, &draw, new);
    let found = extend(std::slice::from_ref(&part), KNOWN, &[vec![&draw; DRAWS]]).unwrap();
    let mut counts = vec![0.0; expected.len()];
    let mut sums = [[0.0; 2]; 2];
    for found in &found[0] {
        let mut combination = 0;
        for node in 0..new {
            for &k in found.row(KNOWN + node) {
                combination |= 1 << (FEATURES * node + k as usize);
            }
        }
        counts[combination] += 1.0;
        for (sums, effects) in sums.iter_mut().zip(&found.linear.effects) {
            if let Some(effect) = effects.get(KNOWN) {
                *sums = [sums[0] + effect, sums[1] + effect * effect];
            }
        }
        // Nobody else changes.
        assert!((0..KNOWN).all(|node| found.row(node) == draw.row(node)));
        assert_eq!(found.weights, draw.weights);
        assert!(found.linear.effects.iter().zip(&draw.linear.effects).all(|(a, b)| a[..b.len()] == b[..]));
    }
    let n = DRAWS as f64;
    let what = format!("{model} {symmetric} {new} {node_effects} {share}");
    assert!(expected.iter().filter(|p| **p > 0.02).count() >= 3, "{what}: a case that says something");
    for (combination, (count, p)) in counts.iter().zip(&expected).enumerate() {
        let error = (p * (1.0 - p) / n).sqrt();
        let z = (count / n - p) / error;
        assert!(
            z.abs() < 5.0 || (count - n * p).abs() < 3.0,
            "{what} {combination:b}: {} {p} {z}",
            count / n
        );
    }
    for (side, ([sum, squares], expected)) in sums.iter().zip(means).enumerate() {
        let mean = sum / n;
        let error = ((squares / n - mean * mean) / n).sqrt();
        assert!((mean - expected).abs() <= 5.0 * error, "{what} effect {side}: {mean} {expected} {error}");
    }
}

#[test]
fn rows_are_drawn_from_their_conditional() {
    for model in ["dlfrm-l", "diag-dlfrm-l", "dlfrm-h", "diag-dlfrm-h"] {
        for symmetric in [true, false] {
            compare(model, symmetric, 1, false, 1.0, [1.0, 0.7]);
        }
    }
}

#[test]
fn effects_are_drawn_with_them() {
    for model in ["dlfrm-l", "diag-dlfrm-h"] {
        for symmetric in [true, false] {
            compare(model, symmetric, 1, true, 1.0, [1.0, 1.0]);
        }
    }
}

#[test]
fn new_nodes_may_be_linked_to_each_other() {
    compare("diag-dlfrm-l", true, 2, false, 1.0, [1.0, 1.0]);
    compare("dlfrm-l", false, 2, false, 1.0, [0.8, 0.5]);
}

#[test]
fn a_sample_of_non_links_is_taken_into_account() {
    compare("diag-dlfrm-l", true, 1, true, 0.2, [1.0, 1.0]);
    compare("dlfrm-h", true, 1, false, 0.2, [1.0, 0.5]);
}
