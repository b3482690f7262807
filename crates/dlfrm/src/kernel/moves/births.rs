//! Features that are born with several owners, found in the data: the two ends of a link and some of their common
//! neighbours; and features that die.
//!
//! A birth draws a link at random and takes its ends and each of their common neighbours with probability 1/2; the weights
//! of the new feature come from the prior, and so cancel. A death draws one of the K features. The set S of owners can be
//! born of every link inside of it, so that a birth is accepted with the likelihood's ratio times
//!
//! ```text
//! alpha (N - m)! (m - 1)! / N! / ((K + 1) q(S)),   q(S) = 1/L sum over links (i, j) in S of 2^-common(i, j)
//! ```
//!
//! where a link counts if all other members of S are common neighbours of its ends; a death with the inverse.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, Shape, State};
use crate::network::{Adjacency, Pairs};
use crate::random::{Purpose, Stream};

use super::super::Place;
use super::Touched;

/// So many births and deaths are proposed a sweep for each entity.
const PROPOSALS: f64 = 0.5;

/// Reused memory of this kernel, and what it knows of the links.
#[derive(Debug, Default)]
pub struct Scratch {
    links: Option<Links>,
    touched: Touched,
    owners: Vec<u32>,
    order: Vec<u32>,
    spare: Vec<f64>,
}

/// What was proposed and accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Births proposed and accepted.
    pub births: [usize; 2],
    /// Deaths proposed and accepted.
    pub deaths: [usize; 2],
}

/// The links of a network, whatever their direction.
#[derive(Debug)]
struct Links {
    pairs: Vec<u32>,
    neighbours: Adjacency,
}

impl Links {
    fn new(pairs: &Pairs) -> Self {
        let links = pairs.labels().iter().enumerate().filter(|&(_, &link)| link);
        Self { pairs: links.map(|(pair, _)| pair as u32).collect(), neighbours: Adjacency::undirected(pairs) }
    }

    /// Draws the owners of a new feature, in order.
    fn draw(&self, pairs: &Pairs, owners: &mut Vec<u32>, rng: &mut Stream) {
        let pair = self.pairs[rng.random_range(0..self.pairs.len())] as usize;
        let (source, target) = (pairs.source(pair) as u32, pairs.targets()[pair]);
        owners.clear();
        owners.extend([source, target]);
        self.neighbours.for_each_common(source, target, |common| {
            if rng.random::<bool>() {
                owners.push(common);
            }
        });
        owners.sort_unstable();
    }

    /// The logarithm of the probability to draw these owners, which are in order.
    fn log_probability(&self, pairs: &Pairs, owners: &[u32]) -> f64 {
        let mut sum = 0.0;
        for &source in owners {
            for &target in owners {
                if pairs.find(source, target).is_some_and(|pair| pairs.label(pair)) {
                    let (mut common, mut inside) = (0, 0);
                    self.neighbours.for_each_common(source, target, |entity| {
                        common += 1;
                        inside += usize::from(owners.binary_search(&entity).is_ok());
                    });
                    if inside == owners.len() - 2 {
                        sum += f64::powi(0.5, common);
                    }
                }
            }
        }
        (sum / self.pairs.len() as f64).ln()
    }
}

/// Proposes births and deaths, and renumbers the features afterwards, so that all slots are active.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let Scratch { links, touched, owners, order, spare } = scratch;
    let links = links.get_or_insert_with(|| Links::new(pairs));
    let mut report = Report::default();
    if links.pairs.is_empty() {
        return report;
    }
    let mut rng = place.stream(Purpose::Births, 0);
    let proposals = (PROPOSALS * pairs.entities() as f64).ceil() as usize;
    for _ in 0..proposals {
        let mut features = Move { pairs, state, settings, links, touched, owners };
        if rng.random::<bool>() {
            report.births[0] += 1;
            report.births[1] += usize::from(features.birth(&mut rng));
        } else {
            report.deaths[0] += 1;
            report.deaths[1] += usize::from(features.death(&mut rng));
        }
    }
    state.features.compact(order);
    state.weights.compact(order, spare);
    report
}

/// One proposal.
struct Move<'a> {
    pairs: &'a Pairs,
    state: &'a mut State,
    settings: &'a Checked,
    links: &'a Links,
    touched: &'a mut Touched,
    owners: &'a mut Vec<u32>,
}

impl Move<'_> {
    /// The log ratio of a birth beside the likelihood, for `active` features after it.
    fn log_prior(&self, active: usize) -> f64 {
        let (entities, count) = (self.state.features.entities(), self.owners.len());
        // (N - m)! (m - 1)! / N! = 1 / (m binomial(N, m)).
        let log_binomial: f64 = (1..=count).map(|i| ((entities - count + i) as f64 / i as f64).ln()).sum();
        let chosen = self.links.log_probability(self.pairs, self.owners);
        self.state.alpha.ln() - (count as f64).ln() - log_binomial - (active as f64).ln() - chosen
    }

    fn birth(&mut self, rng: &mut Stream) -> bool {
        self.links.draw(self.pairs, self.owners, rng);
        let log_prior = self.log_prior(self.state.features.active() + 1);
        self.touched.find(self.owners, self.owners, self.pairs, self.state);
        let before = self.touched.log_likelihood(self.pairs, self.state, self.settings);
        let slot = self.state.features.take_slot();
        set_weights(slot as usize, self.state, rng);
        self.owners.iter().for_each(|&owner| self.state.features.insert(owner as usize, slot));
        let after = self.touched.log_likelihood(self.pairs, self.state, self.settings);
        let accepted = rng.random::<f64>().ln() < log_prior + after - before;
        if !accepted {
            self.remove(slot);
        }
        accepted
    }

    fn death(&mut self, rng: &mut Stream) -> bool {
        let features = &self.state.features;
        if features.active() == 0 {
            return false;
        }
        let nth = rng.random_range(0..features.active());
        let mut active = features.counts().iter().enumerate().filter(|&(_, &count)| count > 0);
        let (slot, &count) = active.nth(nth).expect("so many are active");
        if count < 2 {
            return false;
        }
        let slot = slot as u32;
        self.owners.clear();
        let owners = (0..features.entities()).filter(|&entity| features.has(entity, slot));
        self.owners.extend(owners.map(|entity| entity as u32));
        let log_prior = self.log_prior(features.active());
        if log_prior == f64::INFINITY {
            // Nothing of the kind is ever born.
            return false;
        }
        self.touched.find(self.owners, self.owners, self.pairs, self.state);
        let before = self.touched.log_likelihood(self.pairs, self.state, self.settings);
        for &owner in &*self.owners {
            self.state.features.remove(owner as usize, slot);
        }
        let after = self.touched.log_likelihood(self.pairs, self.state, self.settings);
        let accepted = rng.random::<f64>().ln() < after - before - log_prior;
        if accepted {
            self.state.features.release(slot);
        } else {
            self.owners.iter().for_each(|&owner| self.state.features.insert(owner as usize, slot));
        }
        accepted
    }

    fn remove(&mut self, slot: u32) {
        for &owner in &*self.owners {
            self.state.features.remove(owner as usize, slot);
        }
        self.state.features.release(slot);
    }
}

/// Draws the weights of a feature towards all active ones, and towards itself, from the prior.
fn set_weights(slot: usize, state: &mut State, rng: &mut Stream) {
    let spread = 1.0 / state.nu;
    let mut normal = || -> f64 {
        let normal: f64 = StandardNormal.sample(rng);
        spread * normal
    };
    state.weights.reserve(state.features.slots());
    state.weights.set(slot, slot, normal());
    if state.weights.shape() == Shape::Diagonal {
        return;
    }
    for other in 0..state.features.slots() {
        if other != slot && state.features.counts()[other] > 0 {
            state.weights.set(slot, other, normal());
            if state.weights.shape() == Shape::Full {
                state.weights.set(other, slot, normal());
            }
        }
    }
}
