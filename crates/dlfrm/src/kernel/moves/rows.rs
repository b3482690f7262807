//! Several shared features of an entity at once.
//!
//! The shared features of an entity are divided into blocks, and each block is drawn from its conditional under the loss
//! itself, given everything else: all 2^[`BLOCK`] ways to have its features are weighed. Drawn one by one, two features that
//! explain the same links hold each other fast: the entity would have to give one up before it could take the other.
//!
//! A block is a random feature and others that are drawn with weights 1 + the number of entities that have both. These
//! numbers do not count the entity itself, nor those whose rows are drawn at the same time, so that what the blocks are does
//! not depend on the entries that are drawn: it is a Gibbs step.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::model::{Checked, Features, State};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream};

use super::super::flips::{self, AnyRow, Known, Outcome};
use super::super::prior::{Counted, Drawn, Prior};
use super::super::shared::Row;
use super::super::workers::Workers;
use super::super::{Place, wide};

/// So many features are drawn at once.
const BLOCK: usize = 3;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    known: Known,
    prior: Drawn,
    overlaps: Overlaps,
    workers: Workers<Worker>,
    outcomes: Vec<Outcome>,
}

/// What a thread needs for a row.
#[derive(Debug, Default)]
struct Worker {
    row: flips::Worker,
    blocks: Blocks,
}

/// Draws every shared entry of Z once, several at a time. The rates must be drawn anew before anything else uses them.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    division: &Division,
    place: Place,
    scratch: &mut Scratch,
) {
    if state.features.slots() < 2 {
        return;
    }
    let Scratch { known, prior, overlaps, workers, outcomes } = scratch;
    known.fill(pairs, state, settings);
    overlaps.fill(&state.features);
    if !division.coloured() {
        return workers.with(|worker| {
            for entity in 0..pairs.entities() {
                overlaps.leave(state.features.row(entity));
                let prior = Counted::new(&state.features);
                draw(entity, pairs, state, settings, place, (known, overlaps), &prior, worker);
                known.apply(entity, &worker.blocks.changes, pairs, state);
                overlaps.join(state.features.row(entity));
            }
        });
    }
    for class in division.classes() {
        let block = (pairs.entities() + class.number) as u64;
        let mut rng = place.stream(Purpose::Rows, block);
        prior.draw(class, &state.features, &mut rng);
        for &entity in class.entities() {
            overlaps.leave(state.features.row(entity as usize));
        }
        class.for_chunks(outcomes, |entities, outcome| {
            workers.with(|worker| {
                for &entity in entities {
                    let known = (&*known, &*overlaps);
                    draw(entity as usize, pairs, state, settings, place, known, prior, worker);
                    outcome.note(entity, &worker.blocks.changes);
                }
            });
        });
        for outcome in &mut *outcomes {
            outcome.apply(known, pairs, state);
        }
        for &entity in class.entities() {
            overlaps.join(state.features.row(entity as usize));
        }
    }
}

/// Draws one row. The state stays as it is: the worker has what changes.
#[expect(clippy::too_many_arguments, reason = "a row needs to know all this")]
fn draw(
    entity: usize,
    pairs: &Pairs,
    state: &State,
    settings: &Checked,
    place: Place,
    (known, overlaps): (&Known, &Overlaps),
    prior: &impl Prior,
    worker: &mut Worker,
) {
    let mut rng = place.stream(Purpose::Rows, entity as u64);
    let Worker { row, blocks } = worker;
    wide(
        #[inline(always)]
        || {
            let mut row = AnyRow::prepare(entity, pairs, state, settings, known, row);
            blocks.draw(entity, state, prior, overlaps, &mut rng, &mut row);
        },
    );
}

/// How many entities have each two features.
#[derive(Debug, Default)]
struct Overlaps {
    slots: usize,
    counts: Vec<u32>,
}

impl Overlaps {
    fn fill(&mut self, features: &Features) {
        self.slots = features.slots();
        self.counts.clear();
        self.counts.resize(self.slots * self.slots, 0);
        for entity in 0..features.entities() {
            self.join(features.row(entity));
        }
    }

    /// A row counts.
    fn join(&mut self, row: &[u32]) {
        for &one in row {
            for &other in row {
                self.counts[one as usize * self.slots + other as usize] += 1;
            }
        }
    }

    /// A row no longer counts.
    fn leave(&mut self, row: &[u32]) {
        for &one in row {
            for &other in row {
                self.counts[one as usize * self.slots + other as usize] -= 1;
            }
        }
    }

    /// How likely a feature is to be in one block with another, but for a factor.
    #[inline(always)]
    fn weight(&self, one: u32, other: u32) -> f64 {
        1.0 + f64::from(self.counts[one as usize * self.slots + other as usize])
    }
}

/// A feature that is drawn.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    slot: u32,
    had: bool,
    log_odds: f64,
}

/// Reused memory, and the features that an entity took and gave up.
#[derive(Debug, Default)]
struct Blocks {
    changes: Vec<(u32, bool)>,
    candidates: Vec<Candidate>,
}

impl Blocks {
    /// Draws every feature that the prior allows to draw and the pairs say something about. The state stays as it is.
    #[inline(always)]
    fn draw(
        &mut self,
        entity: usize,
        state: &State,
        prior: &impl Prior,
        overlaps: &Overlaps,
        rng: &mut Stream,
        row: &mut impl Row,
    ) {
        let Self { changes, candidates } = self;
        changes.clear();
        candidates.clear();
        let own = state.features.row(entity);
        let mut add = |slot: u32| {
            let had = own.binary_search(&slot).is_ok();
            if let Some(log_odds) = prior.log_odds(slot as usize, had) {
                candidates.push(Candidate { slot, had, log_odds });
            }
        };
        match row.touched() {
            Some(touched) => touched.iter().for_each(|&slot| add(slot)),
            None => (0..state.features.slots() as u32).for_each(add),
        }
        candidates.shuffle(rng);
        while let Some(first) = candidates.pop() {
            let mut block = [first; BLOCK];
            let mut size = 1;
            while size < BLOCK && !candidates.is_empty() {
                let total: f64 = candidates.iter().map(|other| overlaps.weight(first.slot, other.slot)).sum();
                let mut left = rng.random::<f64>() * total;
                let found = candidates.iter().position(|other| {
                    left -= overlaps.weight(first.slot, other.slot);
                    left < 0.0
                });
                block[size] = candidates.swap_remove(found.unwrap_or(candidates.len() - 1));
                size += 1;
            }
            draw_block(&block[..size], state, rng, row, changes);
        }
    }
}

/// Draws the features of a block together.
///
/// The first feature is asked for with each way to have the other ones, which follow each other by changes of one feature (a
/// Gray code); then the row goes where it was drawn to. One call asks and one changes, wherever the walk is: what they
/// are inlined to is large.
#[inline(always)]
fn draw_block(
    block: &[Candidate],
    state: &State,
    rng: &mut Stream,
    row: &mut impl Row,
    changes: &mut Vec<(u32, bool)>,
) {
    let had: usize = block.iter().enumerate().map(|(bit, candidate)| usize::from(candidate.had) << bit).sum();
    let last = 1_usize << block.len();
    let (mut has, mut log_density) = (had, 0.0);
    let mut log_densities = [f64::NEG_INFINITY; 1 << BLOCK];
    let mut chosen: Option<usize> = None;
    let mut step = 1_usize;
    loop {
        // Odd steps ask for the first feature, even ones change another.
        let bit = match chosen {
            None => step.trailing_zeros() as usize,
            Some(chosen) if chosen == has => break,
            Some(chosen) => (chosen ^ has).trailing_zeros() as usize,
        };
        let had_bit = has >> bit & 1 == 1;
        let sign = if had_bit { -1.0 } else { 1.0 };
        let gain = sign * (block[bit].log_odds + row.gain(block[bit].slot as usize, had_bit, state));
        if bit > 0 || chosen.is_some() {
            row.flip(block[bit].slot as usize, sign, state);
            has ^= 1 << bit;
            log_density += gain;
        } else {
            log_densities[has] = log_density;
            log_densities[has ^ 1] = log_density + gain;
        }
        step += 1;
        if step == last {
            chosen = Some(pick(&log_densities, rng).unwrap_or(has));
        }
    }
    for (bit, candidate) in block.iter().enumerate() {
        let take = has >> bit & 1 == 1;
        if take != candidate.had {
            changes.push((candidate.slot, take));
        }
    }
}

/// Draws one of several, given their log densities; none if rounding does not find one.
#[inline(always)]
fn pick(log_densities: &[f64], rng: &mut Stream) -> Option<usize> {
    let most = log_densities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let density = |log_density: &f64| (log_density - most).exp();
    let mut left = rng.random::<f64>() * log_densities.iter().map(density).sum::<f64>();
    log_densities.iter().position(|log_density| {
        left -= density(log_density);
        left < 0.0
    })
}
