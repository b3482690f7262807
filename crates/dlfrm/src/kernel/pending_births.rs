//! New features that have been drawn but not added to the state yet: drawn row by row, perhaps by several threads, and added
//! one node after the other. See "New features" in `docs/model.md`.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::model::{Shape, State, ibp};
use crate::random::Stream;

use super::ABSENT;

/// New features, an entry per node. They get their slots and weights when they are applied, one entry after the other.
#[derive(Debug, Default)]
pub(super) struct PendingBirths {
    entries: Vec<Entry>,
    /// The summed weights of each entry towards the features that its pairs have, in increasing order, side by side.
    summed: Vec<(u32, f64)>,
    slots: Vec<u32>,
}

/// What ends a side.
const END: (u32, f64) = (ABSENT, 0.0);

#[derive(Debug)]
struct Entry {
    count: usize,
    /// The stream of the node, as far as it has been used.
    rng: Stream,
    /// Where its summed weights end.
    end: usize,
}

impl PendingBirths {
    /// Draws how many features a node has for itself under diagonal weights, where these meet no pair.
    #[inline(always)]
    pub(super) fn draw_from_prior(&mut self, state: &State, rng: &mut Stream) -> usize {
        let count = ibp::poisson(log_mass(state).exp(), rng);
        if count > 0 {
            self.push(count, rng);
        }
        count
    }

    /// Adds the summed weights of the next entry towards the features of one side.
    pub(super) fn add_side(&mut self, support: &[u32], summed: &[f64]) {
        self.summed.extend(support.iter().copied().zip(summed.iter().copied()));
        self.summed.push(END);
    }

    /// Adds an entry of so many features, whose sides have all been added.
    pub(super) fn push(&mut self, count: usize, rng: &Stream) {
        self.entries.push(Entry { count, rng: rng.clone(), end: self.summed.len() });
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.summed.clear();
    }

    /// Adds the features of an entry to the row of its node; returns how many they are.
    pub(super) fn apply(&mut self, entry: usize, node: usize, state: &mut State) -> usize {
        let first = entry.checked_sub(1).map_or(0, |before| self.entries[before].end);
        let Entry { count, rng, end } = &mut self.entries[entry];
        self.slots.clear();
        for _ in 0..*count {
            self.slots.push(state.features.take_slot());
        }
        state.weights.reserve(state.features.slots());
        set_weights(&self.slots, &self.summed[first..*end], state, rng);
        for &slot in &self.slots {
            state.features.insert(node, slot);
        }
        *count
    }
}

/// Splits the summed weights among new features, and draws from the prior what meets no pair.
fn set_weights(slots: &[u32], summed: &[(u32, f64)], state: &mut State, rng: &mut Stream) {
    let spread = 1.0 / state.nu.between;
    if state.weights.shape() == Shape::Diagonal {
        for &slot in slots {
            state.weights.set(slot as usize, slot as usize, normal(rng) / state.nu.own);
        }
        return;
    }
    let share = 1.0 / slots.len() as f64;
    for (index, side) in summed.split_inclusive(|&(slot, _)| slot == ABSENT).enumerate() {
        let mut side = side.iter().peekable();
        for other in 0..state.features.slots() {
            let summed = side.next_if(|&&(slot, _)| slot as usize == other);
            if state.features.counts()[other] == 0 {
                continue;
            }
            // Given their sum, equal shares plus independent prior draws less their mean.
            let mut mean = 0.0;
            for &slot in slots {
                let value = spread * normal(rng);
                mean += share * value;
                set(state, index, slot, other, value);
            }
            if let Some((_, summed)) = summed {
                let shift = share * summed - mean;
                for &slot in slots {
                    let value = get(state, index, slot, other);
                    set(state, index, slot, other, value + shift);
                }
            }
        }
    }
    for &slot in slots {
        for &other in slots {
            if state.weights.shape() == Shape::Full || slot <= other {
                let (slot, other) = (slot as usize, other as usize);
                state.weights.set(slot, other, normal(rng) / state.nu.of(slot, other));
            }
        }
    }
}

/// Sets the weight between a new feature and an old one, as summed from a side.
#[inline(always)]
fn set(state: &mut State, side: usize, new: u32, old: usize, value: f64) {
    if side == 0 {
        state.weights.set(new as usize, old, value);
    } else {
        state.weights.set(old, new as usize, value);
    }
}

#[inline(always)]
fn get(state: &State, side: usize, new: u32, old: usize) -> f64 {
    if side == 0 { state.weights.get(new as usize, old) } else { state.weights.get(old, new as usize) }
}

/// The logarithm of the expected number of new features a priori.
pub(super) fn log_mass(state: &State) -> f64 {
    (state.alpha / state.features.nodes() as f64).ln()
}

#[inline(always)]
pub(super) fn normal(rng: &mut impl Rng) -> f64 {
    StandardNormal.sample(rng)
}
