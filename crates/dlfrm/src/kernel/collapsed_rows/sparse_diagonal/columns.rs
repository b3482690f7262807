//! For each of up to 256 features, the pairs of a node whose other end has it too, found by bits.
//! See "Collapsed rows" in `docs/model.md`.

use crate::model::MOST_WORDS;

/// Positions of pairs by feature, those of links first.
#[derive(Debug, Default)]
pub(super) struct Columns {
    words: usize,
    /// How many links there are: theirs are the first positions.
    links: usize,
    /// For each 64 positions and each word of features 64 words: the features of each position, and, once
    /// [`finish`](Self::finish) is called, the positions of each feature.
    squares: Vec<[u64; 64]>,
    /// The features that any link's partner has, and those of any other partner.
    unions: [[u64; MOST_WORDS]; 2],
    /// The positions of the feature that was looked for, how many there are, and how many of them are links.
    positions: Vec<u32>,
    found: usize,
    found_links: usize,
}

impl Columns {
    /// Makes room for positions, and for features of so many words.
    #[inline(always)]
    pub(super) fn clear(&mut self, words: usize, links: usize, positions: usize) {
        (self.words, self.links) = (words, links);
        self.squares.clear();
        self.squares.resize(words * positions.div_ceil(64), [0; 64]);
        self.unions = [[0; MOST_WORDS]; 2];
        self.positions.resize(self.positions.len().max(positions), 0);
    }

    /// Puts a partner there and says whether it has features.
    #[inline(always)]
    pub(super) fn put(&mut self, position: usize, link: bool, row: &[u64]) -> bool {
        let mut any = 0;
        let squares = &mut self.squares[position / 64 * row.len()..][..row.len()];
        let unions = &mut self.unions[usize::from(!link)][..row.len()];
        for ((square, union), &bits) in squares.iter_mut().zip(unions).zip(row) {
            square[position % 64] = bits;
            *union |= bits;
            any |= bits;
        }
        any != 0
    }

    /// Turns rows into columns.
    #[inline(always)]
    pub(super) fn finish(&mut self) {
        for square in &mut self.squares {
            transpose(square);
        }
    }

    /// The features of links' partners, and those of other partners.
    #[inline(always)]
    pub(super) fn unions(&self) -> [&[u64]; 2] {
        [0, 1].map(|other| &self.unions[other][..self.words])
    }

    /// Finds the positions of the links that a feature acts on.
    #[inline(always)]
    pub(super) fn find_links(&mut self, slot: usize) {
        self.found = 0;
        self.find_from(0, self.links.div_ceil(64), slot, Self::links_from);
        self.found_links = self.found;
    }

    /// Finds the positions of the links and of the non-links that a feature acts on.
    #[inline(always)]
    pub(super) fn find(&mut self, slot: usize) {
        self.find_links(slot);
        self.find_from(self.links / 64, usize::MAX, slot, |columns, first| !columns.links_from(first));
    }

    /// Which of 64 positions are links.
    #[inline(always)]
    fn links_from(&self, first: usize) -> u64 {
        match self.links.saturating_sub(first) {
            count @ 0..64 => (1 << count) - 1,
            _ => u64::MAX,
        }
    }

    /// Adds the wanted positions of a feature in some squares.
    #[inline(always)]
    fn find_from(&mut self, begin: usize, end: usize, slot: usize, wanted: impl Fn(&Self, usize) -> u64) {
        let end = end.min(self.squares.len() / self.words.max(1));
        for number in begin..end {
            let first = 64 * number;
            let mut bits = self.squares[number * self.words + slot / 64][slot % 64] & wanted(self, first);
            while bits != 0 {
                self.positions[self.found] = first as u32 + bits.trailing_zeros();
                self.found += 1;
                bits &= bits - 1;
            }
        }
    }

    /// What was found last.
    #[inline(always)]
    pub(super) fn found(&self) -> (&[u32], &[u32]) {
        self.positions[..self.found].split_at(self.found_links)
    }
}

/// Bit j of word i becomes bit i of word j: halves are exchanged, then quarters, and so on.
#[inline(always)]
fn transpose(square: &mut [u64; 64]) {
    let mut mask = u64::MAX;
    let mut half = 32;
    while half > 0 {
        mask ^= mask << half;
        for pair in square.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                let change = (*low >> half ^ *high) & mask;
                *high ^= change;
                *low ^= change << half;
            }
        }
        half /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_rows() {
        // 130 positions, of which the first 70 are links, with features of two words.
        let row = |position: usize| {
            [0, 1].map(|word| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul((3 * position + word + 1) as u64))
        };
        let has = |position: usize, slot: usize| row(position)[slot / 64] >> (slot % 64) & 1 == 1;
        let mut columns = Columns::default();
        for _ in 0..2 {
            columns.clear(2, 70, 131);
            for position in 0..130 {
                assert!(columns.put(position, position < 70, &row(position)));
            }
            assert!(!columns.put(130, false, &[0, 0]));
            columns.finish();
            for slot in 0..128 {
                columns.find(slot);
                let of = |range: std::ops::Range<usize>| {
                    range
                        .filter(|&position| has(position, slot))
                        .map(|position| position as u32)
                        .collect::<Vec<_>>()
                };
                assert_eq!(columns.found(), (&of(0..70)[..], &of(70..130)[..]));
            }
            let union = |range: std::ops::Range<usize>| {
                [0, 1].map(|word| range.clone().fold(0, |union, position| union | row(position)[word]))
            };
            assert_eq!(columns.unions(), [&union(0..70)[..], &union(70..130)]);
        }
    }

    #[test]
    fn an_node_without_pairs_has_none_in_any_word() {
        let mut columns = Columns::default();
        columns.clear(2, 0, 0);
        columns.finish();
        for slot in [0, 63, 64, 127] {
            columns.find(slot);
            assert!(columns.found() == (&[], &[]));
        }
    }
}
