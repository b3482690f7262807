//! Which pairs of a node each feature acts on: those whose other end has it too.

use crate::model::{FeatureBits, MOST_WORDS, State};

/// Which features will be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Every,
    /// Those that the likelihood may gain by, and few others.
    Gaining,
}

/// Positions of pairs by feature, those of links first. They are found by bits if the features are few enough for that, and
/// by lists otherwise.
#[derive(Debug, Default)]
pub(super) struct Touched {
    by_bits: bool,
    columns: Columns,
    lists: Lists,
}

impl Touched {
    #[inline(always)]
    pub(super) fn clear(&mut self, bits: &FeatureBits, links: usize, positions: usize) {
        self.by_bits = bits.exact_words().is_some();
        if let Some(words) = bits.exact_words() {
            self.columns.clear(words, links, positions);
        } else {
            self.lists.clear();
        }
    }

    /// Puts a partner there and says whether it has features.
    #[inline(always)]
    pub(super) fn put(
        &mut self,
        position: usize,
        link: bool,
        partner: u32,
        state: &State,
        bits: &FeatureBits,
    ) -> bool {
        if self.by_bits {
            self.columns.put(position, link, bits.row(partner as usize))
        } else {
            self.lists.put(position, link, state.features.row(partner as usize))
        }
    }

    /// All partners are there, those of links first. Lists the features by which the likelihood may gain: those with positive
    /// weights that a link's partner has, and those with negative ones that another partner has.
    #[inline(always)]
    pub(super) fn finish(&mut self, own: &[u32], state: &State, asked: Asked, gaining: &mut Vec<u32>) {
        let weights = &state.weights.diagonal()[..state.features.slots()];
        let mut add = |slot: u32, of_link: bool, of_non_link: bool| {
            let weight = weights[slot as usize];
            if of_link && weight > 0.0 || of_non_link && weight < 0.0 {
                gaining.push(slot);
            }
        };
        if self.by_bits {
            self.columns.finish();
            let [links, non_links] = self.columns.unions();
            for (word, (links, non_links)) in links.iter().zip(non_links).enumerate() {
                let mut bits = links | non_links;
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    add(64 * word as u32 + bit, links >> bit & 1 == 1, non_links >> bit & 1 == 1);
                    bits &= bits - 1;
                }
            }
        } else {
            self.lists.fill(own, weights, asked);
            for (slot, [links, non_links]) in self.lists.sizes() {
                add(slot, links > 0, non_links > 0);
            }
        }
    }

    #[inline(always)]
    pub(super) fn find(&mut self, slot: usize) {
        if self.by_bits {
            self.columns.find(slot);
        } else {
            self.lists.find(slot);
        }
    }

    /// The positions of the links that a feature acts on, which the likelihood may gain by.
    #[inline(always)]
    pub(super) fn find_links(&mut self, slot: usize) -> &[u32] {
        if self.by_bits {
            self.columns.find_links(slot);
        }
        self.of(slot).0
    }

    /// The positions of the links and of the non-links that a feature acts on, which was the last that was looked for.
    #[inline(always)]
    pub(super) fn of(&self, slot: usize) -> (&[u32], &[u32]) {
        if self.by_bits { self.columns.found() } else { self.lists.of(slot) }
    }
}

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
    #[inline(always)]
    pub(super) fn clear(&mut self, words: usize, links: usize, positions: usize) {
        (self.words, self.links) = (words, links);
        self.squares.clear();
        self.squares.resize(words * positions.div_ceil(64), [0; 64]);
        self.unions = [[0; MOST_WORDS]; 2];
        self.positions.resize(self.positions.len().max(positions), 0);
    }

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

    #[inline(always)]
    pub(super) fn find_links(&mut self, slot: usize) {
        self.found = 0;
        self.find_from(0, self.links.div_ceil(64), slot, Self::links_from);
        self.found_links = self.found;
    }

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

/// Entries that are compared with a feature together.
const CHUNK: usize = 64;

/// Positions of pairs by feature, those of links first.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The features of the partners of links, and those of other partners.
    of_links: Entries,
    of_non_links: Entries,
    /// The number of the list of each feature plus 1; 0 if it has none, as all features between two rows.
    numbers: Vec<u32>,
    kept: Vec<List>,
    /// Numbers of lists, and the positions that are to go there.
    entries: Vec<(u32, u32)>,
    positions: Vec<u32>,
    /// Whether each feature that any partner has is listed.
    complete: bool,
    /// A feature without a list that was looked for, and where it was found.
    found: Option<u32>,
    found_at: (Vec<u32>, Vec<u32>),
}

/// Features of partners, side by side with the positions of their pairs.
#[derive(Debug, Default)]
struct Entries {
    features: Vec<u32>,
    positions: Vec<u32>,
}

impl Entries {
    #[inline(always)]
    fn clear(&mut self) {
        self.features.clear();
        self.positions.clear();
    }

    #[inline(always)]
    fn add(&mut self, position: usize, row: &[u32]) {
        self.features.extend_from_slice(row);
        self.positions.resize(self.features.len(), position as u32);
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.features.iter().copied().zip(self.positions.iter().copied())
    }

    #[inline(always)]
    fn find(&self, slot: u32, found: &mut Vec<u32>) {
        found.clear();
        // That a chunk does not have it is seen at once.
        for (features, positions) in self.features.chunks(CHUNK).zip(self.positions.chunks(CHUNK)) {
            if features.contains(&slot) {
                let here = features.iter().zip(positions).filter(|pair| *pair.0 == slot);
                found.extend(here.map(|pair| *pair.1));
            }
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct List {
    slot: u32,
    /// Of links, and of non-links.
    sizes: [u32; 2],
    first: u32,
}

impl Lists {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.of_links.clear();
        self.of_non_links.clear();
    }

    #[inline(always)]
    pub(super) fn put(&mut self, position: usize, link: bool, row: &[u32]) -> bool {
        let entries = if link { &mut self.of_links } else { &mut self.of_non_links };
        entries.add(position, row);
        !row.is_empty()
    }

    /// All partners are there. Lists the pairs of the features that the node has, of those that a link's partner has, and of
    /// those with negative weights; of all, if each will be asked for.
    #[inline(always)]
    pub(super) fn fill(&mut self, own: &[u32], weights: &[f64], asked: Asked) {
        for list in self.kept.drain(..) {
            self.numbers[list.slot as usize] = 0;
        }
        self.entries.clear();
        self.found = None;
        self.complete = asked == Asked::Every;
        self.numbers.resize(self.numbers.len().max(weights.len()), 0);
        for &slot in own {
            self.number(slot);
        }
        let (of_links, of_non_links) =
            (std::mem::take(&mut self.of_links), std::mem::take(&mut self.of_non_links));
        for (slot, position) in of_links.iter() {
            let number = self.number(slot);
            self.kept[number as usize].sizes[0] += 1;
            self.entries.push((number, position));
        }
        for (slot, position) in of_non_links.iter() {
            if self.complete || self.numbers[slot as usize] > 0 || weights[slot as usize] < 0.0 {
                let number = self.number(slot);
                self.kept[number as usize].sizes[1] += 1;
                self.entries.push((number, position));
            }
        }
        (self.of_links, self.of_non_links) = (of_links, of_non_links);
        let mut end = 0;
        for list in &mut self.kept {
            list.first = end;
            end += list.sizes[0] + list.sizes[1];
        }
        self.positions.resize(self.positions.len().max(end as usize), 0);
        for &(number, position) in &self.entries {
            let first = &mut self.kept[number as usize].first;
            self.positions[*first as usize] = position;
            *first += 1;
        }
        for list in &mut self.kept {
            list.first -= list.sizes[0] + list.sizes[1];
        }
    }

    /// The number of the list of a feature, which begins one if there is none.
    #[inline(always)]
    fn number(&mut self, slot: u32) -> u32 {
        let number = &mut self.numbers[slot as usize];
        if *number == 0 {
            self.kept.push(List { slot, ..List::default() });
            *number = self.kept.len() as u32;
        }
        *number - 1
    }

    /// Looks for a feature among all partners, if it has no list.
    #[inline(always)]
    pub(super) fn find(&mut self, slot: usize) {
        if self.complete || self.numbers[slot] > 0 {
            return;
        }
        self.of_links.find(slot as u32, &mut self.found_at.0);
        self.of_non_links.find(slot as u32, &mut self.found_at.1);
        self.found = Some(slot as u32);
    }

    /// The positions of the links and of the non-links that a feature acts on, if it has a list or was the last that was looked
    /// for.
    #[inline(always)]
    pub(super) fn of(&self, slot: usize) -> (&[u32], &[u32]) {
        match self.numbers[slot].checked_sub(1) {
            Some(number) => {
                let List { first, sizes: [links, non_links], .. } = self.kept[number as usize];
                let positions = &self.positions[first as usize..][..(links + non_links) as usize];
                positions.split_at(links as usize)
            }
            None if self.found == Some(slot as u32) => (&self.found_at.0, &self.found_at.1),
            None => (&[], &[]),
        }
    }

    /// The features that have a list, with the numbers of links and of non-links there.
    #[inline(always)]
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u32, [u32; 2])> {
        self.kept.iter().map(|list| (list.slot, list.sizes))
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
}
