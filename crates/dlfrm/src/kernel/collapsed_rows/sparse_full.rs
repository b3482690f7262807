//! A row with full or symmetric weights in a sparse network. See "Collapsed rows" in `docs/model.md`.
//!
//! What each feature does to each pair is computed for every row: reading it for all nodes from a table would cost more.
//! There is so much of it that it is kept in single precision; all sums and odds are double.

use crate::model::{Features, Loss, State, ValidSettings};

use super::super::incident::Direction;
use super::super::losses::{self, Block, Hinge, Logistic};
use super::super::row::Row;
use super::super::{Context, LANES, with_simd};
use super::{group::Group, offsets_to::OffsetsTo, side::Side};

/// The exponentials of effects up to this size are numbers of single precision.
const MODERATE_SINGLE: f64 = 80.0;

/// The weights, laid out for sums over the features of a partner.
#[derive(Debug, Default)]
pub(super) struct Tables {
    directed: [Table; 2],
    /// The largest size of an effect on any node.
    largest: f64,
    /// Whether effects are handled as what they multiply odds with: logistic loss, unless they are too large for it.
    by_odds: bool,
}

/// The weights as one direction sees them; lines are as long as there are features, in whole blocks.
#[derive(Debug, Default)]
struct Table {
    width: usize,
    /// Line l has the effects of each feature on a pair whose other end has feature l, or, if effects are handled so,
    /// what they multiply the odds of a link with.
    values: Vec<f32>,
}

impl Tables {
    pub(super) fn fill(&mut self, state: &State, settings: &ValidSettings) {
        let (features, slots) = (&state.features, state.features.slots());
        let width = slots.next_multiple_of(LANES);
        let mut effects = [const { vec![] }; 2];
        let mut largest = vec![0.0; slots];
        self.largest = 0.0;
        for (effects, &direction) in effects.iter_mut().zip(Direction::of(state)) {
            effects.resize(slots * width / LANES, [0.0; LANES]);
            for (l, line) in effects.chunks_exact_mut(width / LANES).enumerate() {
                let line = line.as_flattened_mut();
                for (k, effect) in line[..slots].iter_mut().enumerate() {
                    let first = direction == Direction::Out;
                    *effect = if first { state.weights.get(k, l) } else { state.weights.get(l, k) };
                }
                largest[l] = line.iter().fold(0.0, |largest: f64, effect| largest.max(effect.abs()));
            }
            for node in 0..features.nodes() {
                let bound = features.row(node).iter().map(|&l| largest[l as usize]).sum();
                self.largest = self.largest.max(bound);
            }
        }
        self.by_odds = settings.model.loss == Loss::Logistic && self.largest <= MODERATE_SINGLE;
        for (table, effects) in self.directed.iter_mut().zip(&effects) {
            table.width = width;
            table.values.clear();
            with_simd(
                #[inline(always)]
                || {
                    for &block in effects {
                        let values = if self.by_odds { losses::exp(block) } else { block };
                        table.values.extend(values.map(|value| value as f32));
                    }
                },
            );
        }
    }
}

#[derive(Debug, Default)]
struct End {
    side: Side,
    links: Lines,
    non_links: Lines,
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    ends: [End; 2],
    presented: Vec<f64>,
}

pub(super) struct SparseFullRow<'a> {
    ends: &'a mut [End],
    tables: &'a Tables,
    settings: &'a ValidSettings,
    /// The losses as the row stands, and with the feature of the last gain changed.
    known: f64,
    tried: f64,
}

impl<'a> SparseFullRow<'a> {
    #[inline(always)]
    pub(super) fn prepare(
        node: usize,
        context: &Context<'a>,
        state: &State,
        (tables, offsets_to): (&'a Tables, &OffsetsTo),
        scratch: &'a mut Scratch,
    ) -> Self {
        let Context { pairs, settings, .. } = *context;
        let Scratch { ends, presented } = scratch;
        let (features, directions) = (&state.features, Direction::of(state));
        let (ends, row) = (&mut ends[..directions.len()], features.row(node));
        // To a partner without features nothing can be done.
        let has_features = |partner: u32| !features.row(partner as usize).is_empty();
        let mut known = 0.0;
        for ((end, table), &direction) in ends.iter_mut().zip(&tables.directed).zip(directions) {
            let End { side, links, non_links } = end;
            side.list(node, direction, pairs, state, offsets_to, has_features);
            direction.present(row, state, presented);
            side.links.add_to_each(1.0, features, |slot| presented[slot as usize]);
            side.non_links.add_to_each(-1.0, features, |slot| presented[slot as usize]);
            side.find_odds(settings.model.loss);
            known += side.losses(settings);
            for (lines, group) in [(links, &side.links), (non_links, &side.non_links)] {
                if tables.by_odds {
                    lines.fill(group, features, table, 1.0, |a, b| a * b);
                } else {
                    lines.fill(group, features, table, 0.0, |a, b| a + b);
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

/// What each feature does to the pairs of a group: a line per feature, filled up to whole blocks.
#[derive(Debug, Default)]
struct Lines {
    blocks: usize,
    /// From the start of a line to that of the next one.
    stride: usize,
    values: Vec<SingleBlock>,
    /// The same of one block of pairs, pair by pair.
    buffer: Vec<f32>,
}

/// A block of numbers that are kept in single precision.
type SingleBlock = [f32; LANES];

impl Lines {
    #[inline(always)]
    fn fill(
        &mut self,
        group: &Group,
        features: &Features,
        &Table { width, values: ref table }: &Table,
        nothing: f32,
        combine: impl Fn(f32, f32) -> f32,
    ) {
        let partners = group.partners();
        self.blocks = partners.len().div_ceil(LANES);
        // Odd numbers of cache lines: blocks of neighbouring lines do not drive each other out of the cache.
        self.stride = self.blocks.next_multiple_of(4) + 2;
        self.values.resize(self.values.len().max(self.stride * width), [0.0; LANES]);
        self.buffer.clear();
        self.buffer.resize(LANES * width, nothing);
        let line = |l: u32| &table[l as usize * width..][..width];
        for (block, partners) in partners.chunks(LANES).enumerate() {
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
            let lines: [&[SingleBlock]; LANES] =
                std::array::from_fn(|lane| self.buffer[lane * width..][..width].as_chunks().0);
            for (number, values) in
                self.values.chunks_exact_mut(LANES * self.stride).take(width / LANES).enumerate()
            {
                let square = transposed(&lines.map(|line| line[number]));
                for (k, &line) in square.iter().enumerate() {
                    values[k * self.stride + block] = line;
                }
            }
        }
    }

    #[inline(always)]
    fn of(&self, k: usize) -> impl Iterator<Item = Block> {
        self.line(k).iter().map(doubled)
    }

    #[inline(always)]
    fn line(&self, k: usize) -> &[SingleBlock] {
        &self.values[k * self.stride..][..self.blocks]
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
            Loss::Logistic if sign < 0.0 => {
                group.sum_of_odds(self.line(k), doubled, tables.largest, |odds, factor| odds * factor)
            }
            Loss::Logistic => {
                group.sum_of_odds(self.line(k), doubled, tables.largest, |odds, factor| odds / factor)
            }
        }
    }
}

#[inline(always)]
fn doubled(block: &SingleBlock) -> Block {
    block.map(f64::from)
}

#[inline(always)]
fn transposed(square: &[SingleBlock; LANES]) -> [SingleBlock; LANES] {
    std::array::from_fn(|k| std::array::from_fn(|lane| square[lane][k]))
}
