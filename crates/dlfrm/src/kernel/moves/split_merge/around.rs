//! The pairs that a split or a merge touches, and what their logits would be without the features at hand.

use crate::model::{Shape, State};
use crate::network::Pairs;

use super::super::super::ABSENT;

/// A pair that is touched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touched {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) link: bool,
    /// Its logit without the features at hand.
    pub(super) base: f64,
}

/// The features at hand (one that is split or two that are merged), their owners, and the owners' pairs.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// Who has any of the features, in increasing order.
    pub(super) owners: Vec<u32>,
    /// Which of the two parts each entity has: the first one (1), the second one (2), both (3).
    pub(super) parts: Vec<u8>,
    /// All other features.
    pub(super) others: Vec<u32>,
    /// Where each feature stands among the others.
    places: Vec<u32>,
    pub(super) touched: Vec<Touched>,
    presented: Vec<f64>,
}

impl Around {
    /// Looks around one feature, or around two. If it is one, all its owners have both parts.
    pub(super) fn look(&mut self, features: &[u32], pairs: &Pairs, state: &State) {
        self.forget();
        let slots = state.features.slots();
        self.parts.resize(pairs.entities(), 0);
        for entity in 0..pairs.entities() {
            for &slot in state.features.row(entity) {
                match features.iter().position(|&feature| feature == slot) {
                    Some(_) if features.len() == 1 => self.parts[entity] = 3,
                    Some(part) => self.parts[entity] |= 1 << part,
                    None => {}
                }
            }
            if self.parts[entity] > 0 {
                self.owners.push(entity as u32);
            }
        }
        self.others.clear();
        self.places.clear();
        self.places.resize(slots, ABSENT);
        for slot in 0..slots as u32 {
            if state.features.counts()[slot as usize] > 0 && !features.contains(&slot) {
                self.places[slot as usize] = self.others.len() as u32;
                self.others.push(slot);
            }
        }
        self.touched.clear();
        self.presented.clear();
        self.presented.resize(slots, 0.0);
        if state.weights.shape() == Shape::Diagonal {
            self.list_inside(pairs, state);
        } else {
            self.list_all(pairs, state);
        }
    }

    /// The owners are forgotten.
    pub(super) fn forget(&mut self) {
        for owner in self.owners.drain(..) {
            self.parts[owner as usize] = 0;
        }
    }

    /// The places of an entity's other features.
    #[inline(always)]
    pub(super) fn row<'a>(&'a self, entity: u32, state: &'a State) -> impl Iterator<Item = u32> + 'a {
        let places = state.features.row(entity as usize).iter().map(|&slot| self.places[slot as usize]);
        places.filter(|&place| place != ABSENT)
    }

    /// How many owners each part has.
    pub(super) fn counts(&self) -> [usize; 2] {
        let having =
            |part: u8| self.owners.iter().filter(|&&owner| self.parts[owner as usize] & part > 0).count();
        [having(1), having(2)]
    }

    /// With diagonal weights: pairs between owners.
    fn list_inside(&mut self, pairs: &Pairs, state: &State) {
        let Self { owners, parts, places, touched, presented, .. } = self;
        for &source in &*owners {
            let other = |slot: &&u32| places[**slot as usize] != ABSENT;
            for &slot in state.features.row(source as usize).iter().filter(other) {
                presented[slot as usize] = state.weights.diagonal()[slot as usize];
            }
            for pair in pairs.from(source as usize) {
                let target = pairs.targets()[pair];
                if parts[target as usize] > 0 {
                    let latent: f64 = state
                        .features
                        .row(target as usize)
                        .iter()
                        .map(|&slot| presented[slot as usize])
                        .sum();
                    let base = state.offset(pair) + latent;
                    touched.push(Touched { source, target, link: pairs.label(pair), base });
                }
            }
            for &slot in state.features.row(source as usize) {
                presented[slot as usize] = 0.0;
            }
        }
    }

    /// With other weights: all pairs of the owners.
    fn list_all(&mut self, pairs: &Pairs, state: &State) {
        let Self { owners, parts, places, touched, presented, .. } = self;
        let other = |slot: &&u32| places[**slot as usize] != ABSENT;
        // A pair with somebody without features is not touched.
        let touches = |entity: u32| !state.features.row(entity as usize).is_empty();
        let latent = |presented: &[f64], entity: u32| -> f64 {
            let row = state.features.row(entity as usize).iter().filter(other);
            row.map(|&slot| presented[slot as usize]).sum()
        };
        for &owner in &*owners {
            presented.fill(0.0);
            for &slot in state.features.row(owner as usize).iter().filter(other) {
                presented
                    .iter_mut()
                    .zip(state.weights.row(slot as usize))
                    .for_each(|(sum, weight)| *sum += weight);
            }
            for pair in pairs.from(owner as usize) {
                let target = pairs.targets()[pair];
                if touches(target) {
                    let base = state.offset(pair) + latent(presented, target);
                    touched.push(Touched { source: owner, target, link: pairs.label(pair), base });
                }
            }
            let (sources, numbers) = pairs.to(owner as usize);
            if sources.iter().all(|&source| parts[source as usize] > 0) {
                continue;
            }
            if state.weights.shape() == Shape::Full {
                presented.fill(0.0);
                for &slot in state.features.row(owner as usize).iter().filter(other) {
                    for (l, sum) in presented.iter_mut().enumerate() {
                        *sum += state.weights.get(l, slot as usize);
                    }
                }
            }
            for (&source, &pair) in sources.iter().zip(numbers) {
                // A pair between owners has been listed from its source.
                if parts[source as usize] == 0 && touches(source) {
                    let pair = pair as usize;
                    let base = state.offset(pair) + latent(presented, source);
                    touched.push(Touched { source, target: owner, link: pairs.label(pair), base });
                }
            }
        }
    }
}
