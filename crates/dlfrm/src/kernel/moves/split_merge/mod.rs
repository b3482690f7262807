//! One feature becomes two, or two become one.
//!
//! A split draws one of the K features; its owners get one part or both (`allocation.rs`). A merge draws a feature, and
//! another one that many links lead to, or that it shares owners with; whoever has either has the result. The weights of what
//! results come from a Gaussian that is close to their conditional under the loss itself (`fit.rs`), which starts from
//! those of what was there. Features that one entity has for itself are not split. With m owners of the feature,
//! m1 and m2 of its parts, W and V their weights, a split is accepted with probability
//!
//! ```text
//!      L(split)   p(V)   q(W | split)   alpha p(m1) p(m2)   P(the two are merged)
//! min( -------- * ---- * ------------ * ----------------- * ----------------------------, 1 ),  p(m) = (N - m)! (m - 1)! / N!
//!      L(merged)  p(W)   q(V | merged)        p(m)          1/K P(the owners get these parts)
//! ```
//!
//! and a merge with the inverse.

mod allocation;
mod around;
mod fit;

use rand::RngExt;

use crate::model::{Checked, Shape, State};
use crate::network::{Adjacency, Pairs};
use crate::random::{Purpose, Stream};

use super::super::Place;
use allocation::Allocation;
use around::Around;
use fit::Fit;

/// So many splits and merges are proposed a sweep, with diagonal weights and with others, where one costs far more.
const PROPOSALS: [usize; 2] = [4, 1];

/// Reused memory of this kernel, and what it knows of the links.
#[derive(Debug, Default)]
pub struct Scratch {
    neighbours: Option<Adjacency>,
    log_factorials: Vec<f64>,
    around: Around,
    allocation: Allocation,
    merged: Fit,
    split: Fit,
    closeness: Vec<f64>,
    order: Vec<u32>,
    spare: Vec<f64>,
}

/// What was proposed and accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Splits proposed and accepted.
    pub splits: [usize; 2],
    /// Merges proposed and accepted.
    pub merges: [usize; 2],
}

/// Proposes splits and merges, and renumbers the features afterwards, so that all slots are active.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let mut report = Report::default();
    scratch.neighbours.get_or_insert_with(|| Adjacency::undirected(pairs));
    if scratch.log_factorials.is_empty() {
        let mut sum = 0.0;
        scratch.log_factorials.push(0.0);
        scratch.log_factorials.extend((1..=pairs.entities()).map(|i| {
            sum += (i as f64).ln();
            sum
        }));
    }
    let mut rng = place.stream(Purpose::SplitMerge, 0);
    let diagonal = state.weights.shape() == Shape::Diagonal;
    for _ in 0..PROPOSALS[usize::from(!diagonal)] {
        let mut features = Move { pairs, state, settings, scratch };
        if rng.random::<bool>() {
            report.splits[0] += 1;
            report.splits[1] += usize::from(features.split(&mut rng));
        } else {
            report.merges[0] += 1;
            report.merges[1] += usize::from(features.merge(&mut rng));
        }
    }
    state.features.compact(&mut scratch.order);
    state.weights.compact(&scratch.order, &mut scratch.spare);
    report
}

/// One proposal.
struct Move<'a> {
    pairs: &'a Pairs,
    state: &'a mut State,
    settings: &'a Checked,
    scratch: &'a mut Scratch,
}

impl Move<'_> {
    fn split(&mut self, rng: &mut Stream) -> bool {
        let Some(whole) = self.draw_feature(rng) else { return false };
        if self.state.features.counts()[whole as usize] < 2 {
            return false;
        }
        let Scratch { around, allocation, merged, split, .. } = &mut *self.scratch;
        let (state, settings) = (&mut *self.state, self.settings);
        around.look(&[whole], self.pairs, state);
        merged.list(1, around, state);
        merged.read([whole; 2], around, state);
        let chosen = allocation.choose(false, around, merged, state, settings, rng);
        if around.counts().contains(&0) {
            return false;
        }
        split.list(2, around, state);
        split.fit_from_one(&merged.values, around, state, settings);
        split.draw(rng);
        merged.fit_from_two(&split.values, around, state, settings);
        let slots = [whole, state.features.take_slot()];
        state.weights.reserve(state.features.slots());
        let parts = |owner: u32, around: &Around| around.parts[owner as usize];
        for &owner in &around.owners {
            if parts(owner, around) & 2 > 0 {
                state.features.insert(owner as usize, slots[1]);
            }
            if parts(owner, around) & 1 == 0 {
                state.features.remove(owner as usize, whole);
            }
        }
        let log_ratio = self.log_ratio(slots, chosen);
        let accepted = rng.random::<f64>().ln() < log_ratio;
        let Scratch { around, split, .. } = &mut *self.scratch;
        let state = &mut *self.state;
        if accepted {
            split.write(slots, around, state);
        } else {
            for &owner in &around.owners {
                if parts(owner, around) & 1 == 0 {
                    state.features.insert(owner as usize, whole);
                }
                if parts(owner, around) & 2 > 0 {
                    state.features.remove(owner as usize, slots[1]);
                }
            }
            state.features.release(slots[1]);
        }
        accepted
    }

    fn merge(&mut self, rng: &mut Stream) -> bool {
        if self.state.features.active() < 2 {
            return false;
        }
        let one = self.draw_feature(rng).expect("there are some");
        let total = self.find_closeness(one);
        let mut left = rng.random::<f64>() * total;
        let found = self.scratch.closeness.iter().position(|closeness| {
            left -= closeness;
            left < 0.0
        });
        let Some(other) = found else { return false };
        let slots = [one, other as u32];
        let Scratch { around, allocation, merged, split, .. } = &mut *self.scratch;
        let (state, settings) = (&mut *self.state, self.settings);
        around.look(&slots, self.pairs, state);
        if around.owners.len() < 2 {
            return false;
        }
        split.list(2, around, state);
        split.read(slots, around, state);
        merged.list(1, around, state);
        merged.fit_from_two(&split.values, around, state, settings);
        merged.draw(rng);
        let chosen = allocation.choose(true, around, merged, state, settings, rng);
        split.fit_from_one(&merged.values, around, state, settings);
        let log_ratio = self.log_ratio(slots, chosen);
        let accepted = rng.random::<f64>().ln() < -log_ratio;
        if accepted {
            let Scratch { around, merged, .. } = &mut *self.scratch;
            let state = &mut *self.state;
            for &owner in &around.owners {
                let parts = around.parts[owner as usize];
                if parts & 2 > 0 {
                    state.features.remove(owner as usize, slots[1]);
                }
                if parts & 1 == 0 {
                    state.features.insert(owner as usize, slots[0]);
                }
            }
            state.features.release(slots[1]);
            merged.write([one; 2], around, state);
        }
        accepted
    }

    /// The log of the ratio for a split. The state has the features after it; the log probability of the parts is given.
    fn log_ratio(&mut self, slots: [u32; 2], chosen: f64) -> f64 {
        let closeness = slots.map(|slot| {
            let total = self.find_closeness(slot);
            let other = if slot == slots[0] { slots[1] } else { slots[0] };
            self.scratch.closeness[other as usize] / total
        });
        let (state, settings) = (&*self.state, self.settings);
        let Scratch { around, merged, split, log_factorials, .. } = &*self.scratch;
        let entities = state.features.entities();
        let log_prior = |count: usize| {
            log_factorials[entities - count] + log_factorials[count - 1] - log_factorials[entities]
        };
        let active = state.features.active() as f64;
        let merges = (closeness.iter().sum::<f64>() / active).ln();
        let splits = -(active - 1.0).ln() + chosen;
        let [one, other] = around.counts();
        let prior = state.alpha.ln() + log_prior(one) + log_prior(other) - log_prior(around.owners.len());
        let likelihood = split.log_likelihood(around, settings) - merged.log_likelihood(around, settings);
        likelihood + split.log_prior_to_draw(state) - merged.log_prior_to_draw(state) + prior + merges
            - splits
    }

    /// One of the features, if there are any.
    fn draw_feature(&self, rng: &mut Stream) -> Option<u32> {
        let features = &self.state.features;
        let active = features.active();
        if active == 0 {
            return None;
        }
        let nth = rng.random_range(0..active);
        let slots = features.counts().iter().enumerate().filter(|&(_, &count)| count > 0);
        slots.map(|(slot, _)| slot as u32).nth(nth)
    }

    /// How close the others are to a feature: 1 + links between owners of both + owners that they have in common. Returns
    /// the sum.
    fn find_closeness(&mut self, of: u32) -> f64 {
        let features = &self.state.features;
        let Scratch { closeness, neighbours, .. } = &mut *self.scratch;
        let neighbours = neighbours.as_ref().expect("found before the first proposal");
        closeness.clear();
        closeness.extend(features.counts().iter().map(|&count| f64::from(u8::from(count > 0))));
        for entity in (0..features.entities()).filter(|&entity| features.has(entity, of)) {
            for &slot in features.row(entity) {
                closeness[slot as usize] += 1.0;
            }
            for &neighbour in neighbours.neighbours(entity as u32) {
                for &slot in features.row(neighbour as usize) {
                    closeness[slot as usize] += 1.0;
                }
            }
        }
        closeness[of as usize] = 0.0;
        closeness.iter().sum()
    }
}
