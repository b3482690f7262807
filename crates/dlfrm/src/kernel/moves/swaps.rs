//! Features that pass from one entity to another.
//!
//! A feature, one of its owners i and one of the neighbours j of i are drawn at random; if j does not have the feature, it
//! gets it and i gives it up. The number of owners stays, and with it the prior; the way back draws i among the neighbours of
//! j, so that a swap is accepted with the likelihood's ratio times degree(i) / degree(j).

use rand::RngExt;

use crate::model::{Checked, State};
use crate::network::{Adjacency, Pairs};
use crate::random::Purpose;

use super::super::Place;
use super::Touched;

/// So many swaps are proposed a sweep for each entity.
const PROPOSALS: f64 = 0.5;

/// Reused memory of this kernel, and the neighbours of everybody.
#[derive(Debug, Default)]
pub struct Scratch {
    neighbours: Option<Adjacency>,
    touched: Touched,
    owners: Vec<Vec<u32>>,
    others: Vec<u32>,
}

/// How many swaps were proposed, and how many accepted.
pub type Report = [usize; 2];

/// Proposes swaps. All slots must be active.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let Scratch { neighbours, touched, owners, others } = scratch;
    let neighbours = neighbours.get_or_insert_with(|| Adjacency::undirected(pairs));
    let slots = state.features.slots();
    let mut report = [0; 2];
    if slots == 0 {
        return report;
    }
    owners.iter_mut().for_each(Vec::clear);
    owners.resize_with(owners.len().max(slots), Vec::new);
    for entity in 0..pairs.entities() {
        for &slot in state.features.row(entity) {
            owners[slot as usize].push(entity as u32);
        }
    }
    let mut rng = place.stream(Purpose::Swaps, 0);
    for _ in 0..(PROPOSALS * pairs.entities() as f64).ceil() as usize {
        let slot = rng.random_range(0..slots);
        let at = rng.random_range(0..owners[slot].len());
        let from = owners[slot][at];
        let around = neighbours.neighbours(from);
        if around.is_empty() {
            continue;
        }
        let to = around[rng.random_range(0..around.len())];
        if state.features.has(to as usize, slot as u32) {
            continue;
        }
        report[0] += 1;
        others.clone_from(&owners[slot]);
        others.push(to);
        touched.find(&[from, to], others, pairs, state);
        let before = touched.log_likelihood(pairs, state, settings);
        pass(slot as u32, from, to, state);
        let after = touched.log_likelihood(pairs, state, settings);
        let degrees = neighbours.degree(from) as f64 / neighbours.degree(to) as f64;
        if rng.random::<f64>().ln() < after - before + degrees.ln() {
            owners[slot][at] = to;
            report[1] += 1;
        } else {
            pass(slot as u32, to, from, state);
        }
    }
    report
}

/// One entity gives up a feature, another one takes it.
fn pass(slot: u32, from: u32, to: u32, state: &mut State) {
    state.features.remove(from as usize, slot);
    state.features.insert(to as usize, slot);
}
