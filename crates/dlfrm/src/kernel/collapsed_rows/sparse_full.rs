//! A row with full or symmetric weights in a sparse network. See "Collapsed rows" in `docs/model.md`.
//!
//! A feature changes the logits of nearly all pairs of an entity, each by the summed weights of the feature with those of
//! the partner. What each feature does to each pair is computed for every row: reading it for all entities from a
//! table would cost more.

use crate::model::{Features, Loss, State, ValidSettings};

use super::super::incident::Direction;
use super::super::losses::{self, Block, Hinge, Logistic, MODERATE};
use super::super::row::Row;
use super::super::{Context, LANES, with_simd};
use super::group::Group;
use super::side::Side;

/// A product of odds is not brought back to the range from 1 to 2 before its exponent may be as large as this.
const LARGEST_EXPONENT: f64 = 1000.0;

/// The weights, laid out for sums over the features of a partner.
#[derive(Debug, Default)]
pub(super) struct Tables {
    directed: [Table; 2],
    /// The largest size of an effect on any entity.
    largest: f64,
    /// Whether effects are handled as what they multiply odds with: logistic loss, unless they are too large for it.
    by_odds: bool,
}

/// The weights as one direction sees them; lines are as long as there are features, in whole blocks.
#[derive(Debug, Default)]
struct Table {
    width: usize,
    /// Line l has the effects of each feature on a pair whose other end has feature l.
    effects: Vec<f64>,
    /// What they multiply the odds of a link with.
    odds: Vec<f64>,
}

impl Tables {
    /// Lays out the weights of a state.
    pub(super) fn fill(&mut self, state: &State, settings: &ValidSettings) {
        let (features, slots) = (&state.features, state.features.slots());
        let width = slots.next_multiple_of(LANES);
        self.largest = 0.0;
        let mut largest = vec![0.0; slots];
        for (table, &direction) in self.directed.iter_mut().zip(Direction::of(state)) {
            table.width = width;
            table.effects.clear();
            table.effects.resize(slots * width, 0.0);
            for (l, line) in table.effects.chunks_exact_mut(width).enumerate() {
                for (k, effect) in line[..slots].iter_mut().enumerate() {
                    let first = direction == Direction::Out;
                    *effect = if first { state.weights.get(k, l) } else { state.weights.get(l, k) };
                }
                largest[l] = line.iter().fold(0.0, |largest: f64, effect| largest.max(effect.abs()));
            }
            for entity in 0..features.entities() {
                let bound = features.row(entity).iter().map(|&l| largest[l as usize]).sum();
                self.largest = self.largest.max(bound);
            }
        }
        self.by_odds = settings.model.loss == Loss::Logistic && self.largest <= MODERATE;
        if self.by_odds {
            for Table { effects, odds, .. } in &mut self.directed {
                let (blocks, _) = effects.as_chunks::<LANES>();
                odds.clear();
                with_simd(
                    #[inline(always)]
                    || blocks.iter().for_each(|&block| odds.extend_from_slice(&losses::exp(block))),
                );
            }
        }
    }
}

/// The pairs of an entity in one direction.
#[derive(Debug, Default)]
struct End {
    side: Side,
    links: Lines,
    non_links: Lines,
}

/// Reused memory of a row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    ends: [End; 2],
    presented: Vec<f64>,
}

/// The row at hand, under the loss itself.
pub(super) struct SparseFullRow<'a> {
    ends: &'a mut [End],
    tables: &'a Tables,
    settings: &'a ValidSettings,
    /// The losses as the row stands, and with the feature of the last gain changed.
    known: f64,
    tried: f64,
}

impl<'a> SparseFullRow<'a> {
    /// Gathers the pairs of an entity.
    #[inline(always)]
    pub(super) fn prepare(
        entity: usize,
        context: &Context<'a>,
        state: &State,
        tables: &'a Tables,
        scratch: &'a mut Scratch,
    ) -> Self {
        let Context { pairs, settings, .. } = *context;
        let Scratch { ends, presented } = scratch;
        let (features, directions) = (&state.features, Direction::of(state));
        let (ends, row) = (&mut ends[..directions.len()], features.row(entity));
        // To a partner without features nothing can be done.
        let has_features = |partner: u32| !features.row(partner as usize).is_empty();
        let mut known = 0.0;
        for ((end, table), &direction) in ends.iter_mut().zip(&tables.directed).zip(directions) {
            let End { side, links, non_links } = end;
            side.list(entity, direction, pairs, state, false, has_features);
            direction.present(row, state, presented);
            side.links.add_to_each(1.0, features, |slot| presented[slot as usize]);
            side.non_links.add_to_each(-1.0, features, |slot| presented[slot as usize]);
            side.find_odds(settings.model.loss);
            known += side.losses(settings);
            for (lines, group) in [(links, &side.links), (non_links, &side.non_links)] {
                if tables.by_odds {
                    lines.fill(group, features, &table.odds, table.width, 1.0, |a, b| a * b);
                } else {
                    lines.fill(group, features, &table.effects, table.width, 0.0, |a, b| a + b);
                }
            }
        }
        Self { ends, tables, settings, known, tried: 0.0 }
    }
}

impl Row for SparseFullRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        let sign = if has { -1.0 } else { 1.0 };
        let Self { ends, tables, settings, known, tried } = self;
        *tried = 0.0;
        for End { side, links, non_links } in &**ends {
            *tried += settings.cost(true) * links.losses(k, sign, &side.links, tables, settings);
            *tried += settings.cost(false) * non_links.losses(k, -sign, &side.non_links, tables, settings);
        }
        sign * (*known - *tried)
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, _: &State) {
        for End { side, links, non_links } in &mut *self.ends {
            links.change(k, sign, &mut side.links, self.tables);
            non_links.change(k, -sign, &mut side.non_links, self.tables);
        }
        self.known = self.tried;
    }
}

/// What each feature does to the pairs of a group: block of pairs after block of pairs, a block of numbers per feature.
#[derive(Debug, Default)]
struct Lines {
    width: usize,
    blocks: usize,
    values: Vec<Block>,
    /// The same of one block of pairs, pair by pair.
    buffer: Vec<f64>,
}

impl Lines {
    /// Combines the lines of a table for the features of each partner.
    #[inline(always)]
    fn fill(
        &mut self,
        group: &Group,
        features: &Features,
        table: &[f64],
        width: usize,
        nothing: f64,
        combine: impl Fn(f64, f64) -> f64,
    ) {
        let partners = group.partners();
        self.width = width;
        self.blocks = partners.len().div_ceil(LANES);
        self.values.resize(self.values.len().max(self.blocks * width), [0.0; LANES]);
        self.buffer.clear();
        self.buffer.resize(LANES * width, nothing);
        let line = |l: u32| &table[l as usize * width..][..width];
        for (partners, values) in partners.chunks(LANES).zip(self.values.chunks_exact_mut(width)) {
            // What fills up the last block changes nothing.
            self.buffer[partners.len() * width..].fill(nothing);
            for (combined, &partner) in self.buffer.chunks_exact_mut(width).zip(partners) {
                let (first, others) = features.row(partner as usize).split_first().expect("not empty");
                combined.copy_from_slice(line(*first));
                for &l in others {
                    for (value, &more) in combined.iter_mut().zip(line(l)) {
                        *value = combine(*value, more);
                    }
                }
            }
            let lines: [&[Block]; LANES] =
                std::array::from_fn(|lane| self.buffer[lane * width..][..width].as_chunks().0);
            for (number, values) in values.as_chunks_mut().0.iter_mut().enumerate() {
                *values = transposed(&lines.map(|line| line[number]));
            }
        }
    }

    /// What feature k does to each block of pairs.
    #[inline(always)]
    fn of(&self, k: usize) -> impl Iterator<Item = &Block> {
        self.values[..self.blocks * self.width].chunks_exact(self.width).map(move |values| &values[k])
    }

    /// Feature k is added to the group (sign 1) or taken away (-1), seen towards the label.
    #[inline(always)]
    fn change(&self, k: usize, sign: f64, group: &mut Group, tables: &Tables) {
        if !tables.by_odds {
            group.add_beside(self.of(k), |towards, effect| towards + sign * effect);
        } else if !group.moderate() {
            group.add_beside(self.of(k), |towards, factor| towards + sign * factor.ln());
            group.find_odds(Loss::Logistic);
        } else if sign < 0.0 {
            group.change_odds(self.of(k), |odds, factor| odds * factor);
        } else {
            group.change_odds(self.of(k), |odds, factor| odds / factor);
        }
    }

    /// The losses of the group at unit cost with feature k added (sign 1) or taken away (-1), seen towards the label.
    #[inline(always)]
    fn losses(&self, k: usize, sign: f64, group: &Group, tables: &Tables, settings: &ValidSettings) -> f64 {
        let add = |towards: f64, effect: f64| towards + sign * effect;
        match settings.model.loss {
            Loss::Hinge => group.sum_beside(Hinge::new(settings.margin), self.of(k), add),
            Loss::Logistic if !tables.by_odds => group.sum_beside(Logistic::new(), self.of(k), add),
            Loss::Logistic if !group.moderate() => {
                group.sum_beside(Logistic::new(), self.of(k), |towards, factor| add(towards, factor.ln()))
            }
            Loss::Logistic => {
                // 1 + odds, twice, is below 2 to this power.
                let exponent = 2.0 * (1.0 + std::f64::consts::LOG2_E * (tables.largest - group.least()));
                let rounds = (LARGEST_EXPONENT / exponent).max(1.0) as usize;
                if sign < 0.0 {
                    group.sum_of_odds(self.of(k), rounds, |odds, factor| odds * factor)
                } else {
                    group.sum_of_odds(self.of(k), rounds, |odds, factor| odds / factor)
                }
            }
        }
    }
}

#[inline(always)]
fn transposed(square: &[Block; LANES]) -> [Block; LANES] {
    std::array::from_fn(|k| std::array::from_fn(|lane| square[lane][k]))
}
