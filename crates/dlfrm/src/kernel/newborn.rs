//! Features that are to be born: decided row by row, delivered one after the other.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::model::{Shape, State, ibp};
use crate::random::Stream;

use super::ABSENT;

/// Features that are to be born. They get their slots and weights when they are delivered, one litter after the other.
#[derive(Debug, Default)]
pub(super) struct Newborn {
    litters: Vec<Litter>,
    /// The summed weights of each litter towards the features that its pairs have, in increasing order, side by side.
    seen: Vec<(u32, f64)>,
    slots: Vec<u32>,
}

/// What ends a side.
const END: (u32, f64) = (ABSENT, 0.0);

/// The new features of one entity.
#[derive(Debug)]
struct Litter {
    count: usize,
    /// The stream of the entity, as far as it has been used.
    rng: Stream,
    /// Where its summed weights end.
    seen: usize,
}

impl Newborn {
    /// Draws how many features an entity has for itself under diagonal weights, where these meet no pair.
    #[inline(always)]
    pub(super) fn draw_from_prior(&mut self, state: &State, rng: &mut Stream) -> usize {
        let count = ibp::poisson(log_mass(state).exp(), rng);
        if count > 0 {
            self.announce(count, rng);
        }
        count
    }

    /// Tells the summed weights of the next litter towards the features of one side.
    pub(super) fn see(&mut self, support: &[u32], summed: &[f64]) {
        self.seen.extend(support.iter().copied().zip(summed.iter().copied()));
        self.seen.push(END);
    }

    /// Adds a litter of so many features, for which all sides have been told.
    pub(super) fn announce(&mut self, count: usize, rng: &Stream) {
        self.litters.push(Litter { count, rng: rng.clone(), seen: self.seen.len() });
    }

    /// How many litters there are.
    pub(super) fn len(&self) -> usize {
        self.litters.len()
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.litters.clear();
        self.seen.clear();
    }

    /// Gives a litter to its owner; returns how many features it has.
    pub(super) fn deliver(&mut self, litter: usize, entity: usize, state: &mut State) -> usize {
        let first = litter.checked_sub(1).map_or(0, |before| self.litters[before].seen);
        let Litter { count, rng, seen } = &mut self.litters[litter];
        self.slots.clear();
        for _ in 0..*count {
            self.slots.push(state.features.take_slot());
        }
        state.weights.reserve(state.features.slots());
        set_weights(&self.slots, &self.seen[first..*seen], state, rng);
        for &slot in &self.slots {
            state.features.insert(entity, slot);
        }
        *count
    }
}

/// Splits the summed weights among new features, and draws from the prior what no pair has seen.
fn set_weights(slots: &[u32], seen: &[(u32, f64)], state: &mut State, rng: &mut Stream) {
    let spread = 1.0 / state.nu;
    if state.weights.shape() == Shape::Diagonal {
        for &slot in slots {
            state.weights.set(slot as usize, slot as usize, normal(rng) / state.nu);
        }
        return;
    }
    let share = 1.0 / slots.len() as f64;
    for (index, side) in seen.split_inclusive(|&(slot, _)| slot == ABSENT).enumerate() {
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
                state.weights.set(slot as usize, other as usize, spread * normal(rng));
            }
        }
    }
}

/// Sets the weight between a new feature and an old one, as seen from a side.
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
    (state.alpha / state.features.entities() as f64).ln()
}

#[inline(always)]
pub(super) fn normal(rng: &mut impl Rng) -> f64 {
    StandardNormal.sample(rng)
}
