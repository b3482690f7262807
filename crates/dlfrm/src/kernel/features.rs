//! Rows of the feature matrix: every shared feature of an entity in turn, then its own ones.
//!
//! While the shared features are drawn, the weights of the entity's own features (those that nobody else
//! has) are integrated out: otherwise they explain the entity's links so well that shared features have
//! nothing left to gain, and the chain stays where every entity has its private features. The own
//! weights meet only the pairs of this entity, and are drawn anew right afterwards, so this is a
//! collapsed Gibbs step and exact. With k own features and c = nu^2 / k the integral turns the side's
//! form t.x - x'Sx/2 into one of the same kind, with c (S + cI)^-1 t and cI - c^2 (S + cI)^-1.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

use super::common::Common;
use super::new_features::{self, Births};
use super::sums::{Side, Sums};
use super::{Place, dense};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    sides: [SideScratch; 2],
    candidates: Vec<u32>,
    gains: Vec<f64>,
    births: Births,
    common: Common,
    spare: Vec<f64>,
}

/// One side of the row at hand: what the row's features explain there, and what is left to explain.
#[derive(Debug, Default)]
pub(super) struct SideScratch {
    pub sums: Sums,
    /// What a new feature would have to explain: `linear - quadratic * (sum of the row's weights)`.
    pub residual: Vec<f64>,
    /// The weights of each slot towards the support, a row a slot (unused for diagonal weights).
    presented: Vec<f64>,
    /// `presented * quadratic`: how the residual changes with each feature.
    effects: Vec<f64>,
    /// The quadratic form with the entity's own features integrated out, if it has any.
    collapsed: Vec<f64>,
    factor: Vec<f64>,
    padded: dense::Padded,
}

/// What happened in a sweep over the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries of Z that changed among shared features.
    pub flips: usize,
    /// Features that were born with a single owner.
    pub born: usize,
}

/// Updates every row once and renumbers the features afterwards, so that all slots are active.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let mut report = Report::default();
    let arch = pulp::Arch::new();
    scratch.common.fill(&state.features);
    for entity in 0..pairs.entities() {
        let mut rng = stream(place.seed, place.chain, place.sweep, Purpose::Features, entity as u64);
        arch.dispatch(
            #[inline(always)]
            || update_row(entity, pairs, state, settings, &mut rng, scratch, &mut report),
        );
        scratch.common.refresh(entity, &state.features);
    }
    state.features.compact(&mut scratch.candidates);
    state.weights.compact(&scratch.candidates, &mut scratch.spare);
    report
}

/// The sides that a row has: an asymmetric weight matrix tells the ends of a pair apart.
fn sides(shape: Shape) -> &'static [Side] {
    match shape {
        Shape::Full => &[Side::Out, Side::In],
        Shape::Symmetric | Shape::Diagonal => &[Side::Both],
    }
}

#[inline(always)]
fn update_row(
    entity: usize,
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    rng: &mut Stream,
    scratch: &mut Scratch,
    report: &mut Report,
) {
    let Scratch { sides: side_scratch, candidates, gains, births, common, .. } = scratch;
    let sides = sides(state.weights.shape());
    let side_scratch = &mut side_scratch[..sides.len()];
    let counts = state.features.counts();
    let own = state.features.row(entity).iter().filter(|&&slot| counts[slot as usize] == 1).count();
    for (work, &side) in side_scratch.iter_mut().zip(sides) {
        work.sums.gather(side, entity, pairs, state, settings, common);
        work.prepare(side, entity, own, state);
    }
    curvatures(side_scratch, state, gains);

    candidates.clear();
    for (slot, &count) in state.features.counts().iter().enumerate() {
        let own = u32::from(state.features.has(entity, slot as u32));
        if count > own {
            candidates.push(slot as u32);
        }
    }
    candidates.shuffle(rng);
    let entities = pairs.entities() as f64;
    for &slot in candidates.iter() {
        let k = slot as usize;
        let has = state.features.has(entity, slot);
        let others = f64::from(state.features.counts()[k] - u32::from(has));
        let mut log_odds = (others / (entities - others)).ln();
        log_odds += (f64::from(u8::from(has)) - 0.5) * gains[k];
        for work in side_scratch.iter() {
            log_odds += work.fit(k, state);
        }
        let take = rng.random::<f64>() * (1.0 + (-log_odds).exp()) < 1.0;
        if take != has {
            report.flips += 1;
            if take {
                state.features.insert(entity, slot);
            } else {
                state.features.remove(entity, slot);
            }
            for work in side_scratch.iter_mut() {
                work.shift(k, if take { -1.0 } else { 1.0 }, state);
            }
        }
    }

    // The features that nobody else has are given up and drawn anew, with their weights.
    let mut position = 0;
    while let Some(&slot) = state.features.row(entity).get(position) {
        if state.features.counts()[slot as usize] > 1 {
            position += 1;
            continue;
        }
        state.features.remove(entity, slot);
        state.features.release(slot);
    }
    if own > 0 && state.weights.shape() != Shape::Diagonal {
        for work in side_scratch.iter_mut() {
            work.restore(entity, state);
        }
    }
    report.born += new_features::update(entity, state, settings, rng, side_scratch, births);
}

/// `curvatures[k]` = how strongly the log posterior bends when the row takes feature k, over all sides.
#[inline(always)]
fn curvatures(sides: &[SideScratch], state: &State, curvatures: &mut Vec<f64>) {
    curvatures.clear();
    curvatures.resize(state.features.slots(), 0.0);
    for work in sides {
        let width = work.sums.width();
        if state.weights.shape() == Shape::Diagonal {
            for (place, &slot) in work.sums.support.iter().enumerate() {
                let weight = state.weights.diagonal()[slot as usize];
                curvatures[slot as usize] += weight * weight * work.sums.quadratic[place * width + place];
            }
        } else if width > 0 {
            let rows = work.presented.chunks_exact(width).zip(work.effects.chunks_exact(width));
            for (curvature, (presented, effect)) in curvatures.iter_mut().zip(rows) {
                *curvature += dense::dot(presented, effect);
            }
        }
    }
}

impl SideScratch {
    /// Fills what the row's shared features present and explain, given that it has `own` features of
    /// its own (with diagonal weights these touch no pair).
    #[inline(always)]
    fn prepare(&mut self, side: Side, entity: usize, own: usize, state: &State) {
        self.residual.clear();
        self.residual.extend_from_slice(&self.sums.linear);
        if state.weights.shape() != Shape::Diagonal {
            let (slots, width) = (state.features.slots(), self.sums.width());
            self.presented.clear();
            match side {
                Side::Out | Side::Both if width == slots => {
                    for k in 0..slots {
                        self.presented.extend_from_slice(&state.weights.row(k)[..width]);
                    }
                }
                Side::Out | Side::Both => {
                    for k in 0..slots {
                        let row = state.weights.row(k);
                        self.presented.extend(self.sums.support.iter().map(|&l| row[l as usize]));
                    }
                }
                Side::In => {
                    self.presented.resize(slots * width, 0.0);
                    for (place, &l) in self.sums.support.iter().enumerate() {
                        for (k, &weight) in state.weights.row(l as usize)[..slots].iter().enumerate() {
                            self.presented[k * width + place] = weight;
                        }
                    }
                }
            }
            self.effects.clear();
            self.effects.resize(slots * width, 0.0);
            if own > 0 {
                self.collapse(state.nu * state.nu / own as f64);
            }
            let form = if own > 0 { &self.collapsed } else { &self.sums.quadratic };
            dense::multiply(&self.presented, form, width, &mut self.effects, &mut self.padded);
        }
        for &slot in state.features.row(entity) {
            if state.features.counts()[slot as usize] > 1 {
                self.shift(slot as usize, -1.0, state);
            }
        }
    }

    /// Integrates out own features whose summed weights have the prior precision `ridge`.
    #[inline(always)]
    fn collapse(&mut self, ridge: f64) {
        let width = self.sums.width();
        self.factor.clear();
        self.factor.extend_from_slice(&self.sums.quadratic);
        for diagonal in self.factor.iter_mut().step_by(width + 1) {
            *diagonal += ridge;
        }
        dense::cholesky(&mut self.factor, width);
        dense::solve_lower(&self.factor, width, &mut self.residual);
        dense::solve_upper(&self.factor, width, &mut self.residual);
        for value in &mut self.residual {
            *value *= ridge;
        }
        dense::invert(&self.factor, width, &mut self.collapsed);
        for value in &mut self.collapsed {
            *value *= -ridge * ridge;
        }
        for diagonal in self.collapsed.iter_mut().step_by(width + 1) {
            *diagonal += ridge;
        }
    }

    /// The residual of the row's shared features without anything integrated out.
    #[inline(always)]
    fn restore(&mut self, entity: usize, state: &State) {
        let width = self.sums.width();
        self.factor.clear();
        self.factor.resize(width, 0.0);
        for &slot in state.features.row(entity) {
            let k = slot as usize;
            dense::add_scaled(&mut self.factor, 1.0, &self.presented[k * width..(k + 1) * width]);
        }
        self.residual.clear();
        self.residual.extend_from_slice(&self.sums.linear);
        for (place, residual) in self.residual.iter_mut().enumerate() {
            *residual -= dense::dot(&self.sums.quadratic[place * width..(place + 1) * width], &self.factor);
        }
    }

    /// What taking feature k gains to first order.
    #[inline(always)]
    fn fit(&self, k: usize, state: &State) -> f64 {
        let width = self.sums.width();
        if state.weights.shape() == Shape::Diagonal {
            match self.sums.place_of(k) {
                Some(place) => state.weights.diagonal()[k] * self.residual[place],
                None => 0.0,
            }
        } else {
            dense::dot(&self.presented[k * width..(k + 1) * width], &self.residual)
        }
    }

    /// residual += sign * (effect of feature k).
    #[inline(always)]
    fn shift(&mut self, k: usize, sign: f64, state: &State) {
        let width = self.sums.width();
        if state.weights.shape() == Shape::Diagonal {
            if let Some(place) = self.sums.place_of(k) {
                let factor = sign * state.weights.diagonal()[k];
                let row = &self.sums.quadratic[place * width..(place + 1) * width];
                dense::add_scaled(&mut self.residual, factor, row);
            }
        } else {
            dense::add_scaled(&mut self.residual, sign, &self.effects[k * width..(k + 1) * width]);
        }
    }
}
