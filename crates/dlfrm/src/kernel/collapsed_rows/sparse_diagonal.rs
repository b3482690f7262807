//! A row with diagonal weights in a sparse network: a feature touches the pairs whose other end has it too, and the
//! others are not looked at. See "Collapsed rows" in `docs/model.md`.

use crate::model::{Features, State, ValidSettings};

use super::super::Context;
use super::super::LANES;
use super::super::incident::Direction;
use super::super::row::Row;
use super::group::Group;
use super::side::Side;

/// Reused memory of a row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    side: Side,
    touches: Touches,
}

/// The row at hand, under the loss itself.
pub(super) struct SparseDiagonalRow<'a> {
    side: &'a mut Side,
    touches: &'a Touches,
    settings: &'a ValidSettings,
}

impl<'a> SparseDiagonalRow<'a> {
    /// Gathers the pairs of an entity.
    #[inline(always)]
    pub(super) fn prepare(
        entity: usize,
        context: &Context<'a>,
        state: &State,
        scratch: &'a mut Scratch,
    ) -> Self {
        let Context { pairs, settings, .. } = *context;
        let Scratch { side, touches } = scratch;
        // A partner without features is touched by none.
        let has_features = |partner: u32| !state.features.row(partner as usize).is_empty();
        side.list(entity, Direction::Both, pairs, state, false, has_features);
        touches.find([&side.links, &side.non_links], &state.features);
        let mut row = Self { side, touches, settings };
        for &slot in state.features.row(entity) {
            row.step(slot as usize, state.weights.diagonal()[slot as usize]);
        }
        row.side.find_odds(settings.model.loss);
        row
    }

    /// The logits that a feature touches take a step.
    #[inline(always)]
    fn step(&mut self, slot: usize, step: f64) {
        self.side.links.step(self.touches.of(slot, 0), step);
        self.side.non_links.step(self.touches.of(slot, 1), -step);
    }
}

impl Row for SparseDiagonalRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let sign = if has { -1.0 } else { 1.0 };
        let step = sign * state.weights.diagonal()[k];
        let Self { side, touches, settings } = self;
        let links = side.links.more_loss(touches.of(k, 0), step, settings);
        let non_links = side.non_links.more_loss(touches.of(k, 1), -step, settings);
        -sign * (settings.cost(true) * links + settings.cost(false) * non_links)
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        self.step(k, sign * state.weights.diagonal()[k]);
        let loss = self.settings.model.loss;
        self.side.links.find_odds_at(self.touches.of(k, 0), loss);
        self.side.non_links.find_odds_at(self.touches.of(k, 1), loss);
    }

    #[inline(always)]
    fn touched(&self) -> Option<&[u32]> {
        Some(&self.touches.touched)
    }
}

/// The positions of each feature in two groups of pairs, in whole blocks.
#[derive(Debug, Default)]
struct Touches {
    /// The features that have any.
    touched: Vec<u32>,
    /// How many positions a feature has in each group (zero for features that are not touched), and where they begin.
    lists: Vec<[List; 2]>,
    items: Vec<[u32; LANES]>,
    /// The features of all partners, one after the other, and where each one's end.
    rows: Vec<u32>,
    ends: Vec<u32>,
}

#[derive(Debug, Default, Clone, Copy)]
struct List {
    count: u32,
    /// The block of its first position, and the position itself that is next to be filled.
    block: u32,
    next: u32,
}

impl Touches {
    /// Finds all of them. What fills up the last block of a list is the first position of the block behind the group.
    #[inline(always)]
    fn find(&mut self, groups: [&Group; 2], features: &Features) {
        let Self { touched, lists, items, rows, ends } = self;
        for slot in touched.drain(..) {
            lists[slot as usize] = [List::default(); 2];
        }
        lists.resize(lists.len().max(features.slots()), [List::default(); 2]);
        rows.clear();
        ends.clear();
        for (number, group) in groups.iter().enumerate() {
            for &partner in group.partners() {
                let row = features.row(partner as usize);
                for &slot in row {
                    let list = &mut lists[slot as usize];
                    if list[0].count + list[1].count == 0 {
                        touched.push(slot);
                    }
                    list[number].count += 1;
                }
                rows.extend_from_slice(row);
                ends.push(rows.len() as u32);
            }
        }
        let fillers = groups.map(|group| group.partners().len().next_multiple_of(LANES) as u32);
        items.clear();
        for &slot in &*touched {
            for (list, filler) in lists[slot as usize].iter_mut().zip(fillers) {
                list.block = items.len() as u32;
                list.next = (items.len() * LANES) as u32;
                let blocks = (list.count as usize).div_ceil(LANES);
                items.resize(items.len() + blocks, [filler; LANES]);
            }
        }
        let items = items.as_flattened_mut();
        let (mut start, mut ends) = (0, ends.iter());
        for (number, group) in groups.iter().enumerate() {
            for (position, &end) in (0..group.partners().len() as u32).zip(&mut ends) {
                for &slot in &rows[start..end as usize] {
                    let next = &mut lists[slot as usize][number].next;
                    items[*next as usize] = position;
                    *next += 1;
                }
                start = end as usize;
            }
        }
    }

    /// The positions of a feature in a group.
    #[inline(always)]
    fn of(&self, slot: usize, group: usize) -> &[[u32; LANES]] {
        let List { count, block, .. } = self.lists[slot][group];
        &self.items[block as usize..][..(count as usize).div_ceil(LANES)]
    }
}
