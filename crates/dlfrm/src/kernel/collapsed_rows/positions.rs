//! The positions, among the pairs of a node, of those whose other end has a feature.
//! See "Collapsed rows" in `docs/model.md`.

use super::super::LANES;

/// A list of positions per feature, in whole blocks.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// The first feature that has a list.
    first: usize,
    /// The room of each list, in blocks.
    room: usize,
    used: Vec<u32>,
    items: Vec<[u32; LANES]>,
}

impl Positions {
    /// Empty lists for all features from `first` on, of the positions below `positions`. What fills up the last block
    /// of a list is the first position of the block behind them.
    #[inline(always)]
    pub(super) fn clear(&mut self, first: usize, slots: usize, positions: usize) {
        self.first = first;
        self.room = positions.div_ceil(LANES);
        self.used.clear();
        self.used.resize(slots - first, 0);
        self.items.resize(self.items.len().max(self.room * self.used.len()), [0; LANES]);
    }

    /// Adds a position to the list of a feature, if it has one.
    #[inline(always)]
    pub(super) fn add(&mut self, position: usize, slot: usize) {
        let Some(list) = slot.checked_sub(self.first) else { return };
        let (block, lane) = self.end(list);
        if lane == 0 {
            self.items[block] = [self.filler(); LANES];
        }
        self.items[block][lane] = position as u32;
        self.used[list] += 1;
    }

    /// Removes a position from the list of a feature, if it has one.
    #[inline(always)]
    pub(super) fn remove(&mut self, position: usize, slot: usize) {
        let Some(list) = slot.checked_sub(self.first) else { return };
        self.used[list] -= 1;
        let (block, lane) = self.end(list);
        let filler = self.filler();
        let last = std::mem::replace(&mut self.items[block][lane], filler);
        if last != position as u32 {
            let items = self.items[list * self.room..=block].as_flattened_mut();
            *items.iter_mut().find(|item| **item == position as u32).expect("the position is listed") = last;
        }
    }

    /// The positions of a feature.
    #[inline(always)]
    pub(super) fn of(&self, slot: usize) -> &[[u32; LANES]] {
        let list = slot - self.first;
        &self.items[list * self.room..][..(self.used[list] as usize).div_ceil(LANES)]
    }

    /// Where the next position of a list goes.
    #[inline(always)]
    fn end(&self, list: usize) -> (usize, usize) {
        let used = self.used[list] as usize;
        (list * self.room + used / LANES, used % LANES)
    }

    fn filler(&self) -> u32 {
        (LANES * self.room) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_follow_what_is_added_and_removed() {
        let mut positions = Positions::default();
        positions.clear(1, 3, 20);
        for position in 0..9 {
            positions.add(position, 0);
            positions.add(position, 1);
        }
        positions.add(19, 2);
        assert_eq!(positions.of(1), [[0, 1, 2, 3, 4, 5, 6, 7], [8, 24, 24, 24, 24, 24, 24, 24]]);
        positions.remove(2, 1);
        assert_eq!(positions.of(1), [[0, 1, 8, 3, 4, 5, 6, 7]]);
        positions.remove(7, 1);
        assert_eq!(positions.of(1), [[0, 1, 8, 3, 4, 5, 6, 24]]);
        positions.remove(3, 0);
        positions.remove(19, 2);
        assert!(positions.of(2).is_empty());
    }
}
