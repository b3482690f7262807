//! Which of the two parts of a feature its owners get.
//!
//! With diagonal weights owners choose one after the other, in random order, by their pairs with those who have chosen. With
//! other weights two owners are drawn, and what tells them apart is what the owners are divided by: for each weight the
//! difference between what the two would gain by its rise. Orders and pairs of owners are drawn alike for a split
//! and for the merge that would undo it, so that they need not be accounted for.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::{Checked, Loss, Shape, State};
use crate::random::Stream;

use super::around::{Around, Touched};
use super::fit::Fit;

/// How likely an owner is to get both parts, if one part has weight 1 without evidence.
const BOTH: f64 = 0.2;
/// The evidence for one part, and against the other, counts up to this.
const MOST: f64 = 3.0;

/// Reused memory.
#[derive(Debug, Default)]
pub(super) struct Allocation {
    order: Vec<u32>,
    /// When each entity chooses.
    turns: Vec<u32>,
    /// The touched pairs by the later one of their two ends, and where those of each turn end.
    by_turn: Vec<u32>,
    ends: Vec<u32>,
    direction: Vec<f64>,
    curvature: Vec<f64>,
    scores: Vec<f64>,
}

impl Allocation {
    /// Draws the parts of all owners, or keeps them if `keep`; returns the log probability of the two sets of owners,
    /// whichever is called the first. `merged` has the weights before the split.
    pub(super) fn choose(
        &mut self,
        keep: bool,
        around: &mut Around,
        merged: &Fit,
        state: &State,
        settings: &Checked,
        rng: &mut Stream,
    ) -> f64 {
        if state.weights.shape() == Shape::Diagonal {
            // The other way round the two parts are as likely.
            std::f64::consts::LN_2 + self.in_turn(keep, around, merged.values[0], settings, rng)
        } else {
            self.by_residuals(keep, around, merged, state, settings, rng)
        }
    }

    fn in_turn(
        &mut self,
        keep: bool,
        around: &mut Around,
        weight: f64,
        settings: &Checked,
        rng: &mut Stream,
    ) -> f64 {
        let Self { order, turns, by_turn, ends, .. } = self;
        order.clone_from(&around.owners);
        order.shuffle(rng);
        turns.resize(around.parts.len(), 0);
        for (turn, &owner) in order.iter().enumerate() {
            turns[owner as usize] = turn as u32;
        }
        let turn_of =
            |touched: &Touched| turns[touched.source as usize].max(turns[touched.target as usize]) as usize;
        ends.clear();
        ends.resize(order.len() + 1, 0);
        around.touched.iter().for_each(|touched| ends[turn_of(touched) + 1] += 1);
        for turn in 0..order.len() {
            ends[turn + 1] += ends[turn];
        }
        by_turn.resize(around.touched.len(), 0);
        for (pair, touched) in around.touched.iter().enumerate() {
            let next = &mut ends[turn_of(touched)];
            by_turn[*next as usize] = pair as u32;
            *next += 1;
        }
        let mut log_probability = 0.0;
        let mut first = 0;
        for (turn, &owner) in order.iter().enumerate() {
            let mut log_weights = [0.0, 0.0, BOTH.ln()];
            for &pair in &by_turn[first..ends[turn] as usize] {
                let Touched { source, target, link, base } = around.touched[pair as usize];
                let other = if source == owner { target } else { source };
                // With none, one and both parts in common.
                let log_likelihoods = [0.0, 1.0, 2.0].map(|times| {
                    let logit = base + times * weight;
                    settings.model.loss.log_likelihood(link, logit, settings.cost(link), settings.margin)
                });
                for (log_weight, part) in log_weights.iter_mut().zip(1_u8..) {
                    let common = (part & around.parts[other as usize]).count_ones();
                    *log_weight += log_likelihoods[common as usize];
                }
            }
            first = ends[turn] as usize;
            log_probability += pick(log_weights, keep, &mut around.parts[owner as usize], rng);
        }
        log_probability
    }

    fn by_residuals(
        &mut self,
        keep: bool,
        around: &mut Around,
        merged: &Fit,
        state: &State,
        settings: &Checked,
        rng: &mut Stream,
    ) -> f64 {
        let Self { direction, curvature, scores, .. } = self;
        let owners = around.owners.len();
        let one = rng.random_range(0..owners);
        let other = (one + rng.random_range(1..owners)) % owners;
        let [one, other] = [one, other].map(|place| around.owners[place]);
        direction.clear();
        direction.resize(merged.values.len(), 0.0);
        curvature.clear();
        curvature.resize(merged.values.len(), state.nu * state.nu);
        for (pair, touched) in around.touched.iter().enumerate() {
            let ends = [touched.source, touched.target];
            let sign = f64::from(u8::from(ends.contains(&one))) - f64::from(u8::from(ends.contains(&other)));
            if sign != 0.0 {
                let (slope, bend) = slope(merged.logit_now(pair, touched), touched.link, settings);
                for &entry in merged.line(pair) {
                    direction[entry as usize] += sign * slope;
                    curvature[entry as usize] += bend;
                }
            }
        }
        direction.iter_mut().zip(&*curvature).for_each(|(direction, curvature)| *direction /= curvature);
        scores.resize(around.parts.len(), 0.0);
        around.owners.iter().for_each(|&owner| scores[owner as usize] = 0.0);
        for (pair, touched) in around.touched.iter().enumerate() {
            let along: f64 = merged.line(pair).iter().map(|&entry| direction[entry as usize]).sum();
            let score = along * slope(merged.logit_now(pair, touched), touched.link, settings).0;
            scores[touched.source as usize] += score;
            scores[touched.target as usize] += score;
        }
        let (mut log_probability, mut turned) = (0.0, 0.0);
        for &owner in &around.owners {
            let score = scores[owner as usize].clamp(-MOST, MOST);
            let part = &mut around.parts[owner as usize];
            log_probability += pick([score, -score, BOTH.ln()], keep, part, rng);
            turned += pick([-score, score, BOTH.ln()], true, part, rng);
        }
        let most = f64::max(log_probability, turned);
        most + ((log_probability - most).exp() + (turned - most).exp()).ln()
    }
}

/// Draws the part (1, 2 or both: 3) of an owner, or keeps it; returns its log probability.
fn pick(log_weights: [f64; 3], keep: bool, part: &mut u8, rng: &mut Stream) -> f64 {
    let most = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = log_weights.map(|log_weight| (log_weight - most).exp());
    let total: f64 = weights.iter().sum();
    if !keep {
        let mut left = rng.random::<f64>() * total;
        let found = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        *part = found.unwrap_or(2) as u8 + 1;
    }
    log_weights[*part as usize - 1] - most - total.ln()
}

/// What a pair would gain by the rise of its logit, and how fast that falls.
fn slope(logit: f64, link: bool, settings: &Checked) -> (f64, f64) {
    let (cost, sign) = (settings.cost(link), if link { 1.0 } else { -1.0 });
    match settings.model.loss {
        Loss::Logistic => {
            let lacking = 1.0 / (1.0 + (sign * logit).exp());
            (sign * cost * lacking, cost * lacking * (1.0 - lacking))
        }
        Loss::Hinge if sign * logit < settings.margin => (2.0 * sign * cost, cost),
        Loss::Hinge => (0.0, 0.0),
    }
}
