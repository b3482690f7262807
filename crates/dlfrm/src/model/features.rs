//! Who has which feature: the binary matrix Z as sparse rows with column counts, and as a few words of bits per node.

#![expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]

/// Sparse rows of a binary matrix, all with the same room in one array. Columns are slots: a slot without owners is free and is
/// reused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features {
    room: usize,
    lengths: Vec<u32>,
    items: Vec<u32>,
    counts: Vec<u32>,
    free: Vec<u32>,
}

impl Features {
    /// No features at all for `nodes` nodes.
    pub fn empty(nodes: usize) -> Self {
        let room = 8;
        Self {
            room,
            lengths: vec![0; nodes],
            items: vec![0; nodes * room],
            counts: Vec::new(),
            free: Vec::new(),
        }
    }

    /// From the rows' features, which need not be sorted. Panics if a feature is not below `slots`.
    pub fn from_rows<R: AsRef<[u32]>>(rows: &[R], slots: usize) -> Self {
        let mut features = Self::empty(rows.len());
        for _ in 0..slots {
            features.take_slot();
        }
        for (node, row) in rows.iter().enumerate() {
            for &slot in row.as_ref() {
                features.insert(node, slot);
            }
        }
        features
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.lengths.len()
    }

    /// How many slots there are, free ones included.
    pub fn slots(&self) -> usize {
        self.counts.len()
    }

    /// How many features have an owner (K).
    pub fn active(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// How many nodes own each slot.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The features of a node, in increasing order.
    #[inline]
    pub fn row(&self, node: usize) -> &[u32] {
        let start = node * self.room;
        &self.items[start..start + self.lengths[node] as usize]
    }

    /// Whether a node has a feature.
    #[inline]
    pub fn has(&self, node: usize, slot: u32) -> bool {
        self.row(node).contains(&slot)
    }

    /// Gives a feature to a node that does not have it.
    pub fn insert(&mut self, node: usize, slot: u32) {
        let length = self.lengths[node] as usize;
        if length == self.room {
            self.grow();
        }
        let start = node * self.room;
        let position = self.items[start..start + length].partition_point(|&item| item < slot);
        let row = &mut self.items[start..=start + length];
        debug_assert!(row[..length].get(position) != Some(&slot), "the node has that feature");
        row.copy_within(position..length, position + 1);
        row[position] = slot;
        self.lengths[node] += 1;
        self.counts[slot as usize] += 1;
    }

    /// Takes a feature from a node that has it. The slot stays, even without an owner, until
    /// [`release`](Self::release) or [`compact`](Self::compact).
    pub fn remove(&mut self, node: usize, slot: u32) {
        let length = self.lengths[node] as usize;
        let start = node * self.room;
        let row = &mut self.items[start..start + length];
        let position = row.iter().position(|&item| item == slot).expect("the node has the feature");
        row.copy_within(position + 1.., position);
        self.lengths[node] -= 1;
        self.counts[slot as usize] -= 1;
    }

    /// A slot without owners, free for a new feature.
    pub fn take_slot(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.counts.push(0);
            (self.counts.len() - 1) as u32
        })
    }

    /// Gives back a slot that has lost its last owner.
    pub fn release(&mut self, slot: u32) {
        debug_assert_eq!(self.counts[slot as usize], 0);
        self.free.push(slot);
    }

    /// Removes slots without owners and renumbers the others, those with most owners first. Afterwards
    /// `order[new]` is the old number of a slot.
    pub fn compact(&mut self, order: &mut Vec<u32>) {
        order.clear();
        order.extend((0..self.counts.len() as u32).filter(|&slot| self.counts[slot as usize] > 0));
        order.sort_unstable_by_key(|&slot| (std::cmp::Reverse(self.counts[slot as usize]), slot));
        let unchanged = order.len() == self.counts.len() && order.is_sorted();
        self.free.clear();
        if unchanged {
            return;
        }
        // The list of free slots lends its memory: first for the new numbers, then for the counts.
        let mut relabel = std::mem::take(&mut self.free);
        relabel.resize(self.counts.len(), 0);
        for (new, &old) in order.iter().enumerate() {
            relabel[old as usize] = new as u32;
        }
        for (node, &length) in self.lengths.iter().enumerate() {
            let row = &mut self.items[node * self.room..][..length as usize];
            for item in row.iter_mut() {
                *item = relabel[*item as usize];
            }
            row.sort_unstable();
        }
        relabel.clear();
        relabel.extend(order.iter().map(|&old| self.counts[old as usize]));
        self.counts.clear();
        self.counts.extend_from_slice(&relabel);
        relabel.clear();
        self.free = relabel;
    }

    fn grow(&mut self) {
        let room = self.room * 2;
        let mut items = vec![0; self.lengths.len() * room];
        for (new, old) in items.chunks_exact_mut(room).zip(self.items.chunks_exact(self.room)) {
            new[..self.room].copy_from_slice(old);
        }
        self.items = items;
        self.room = room;
    }
}

pub(crate) const MOST_WORDS: usize = 4;

/// A few words per node, whose bits are its features. If there are more features than bits, several share a bit: nodes
/// without a common bit have no feature in common, and of the others the rows are compared.
#[derive(Debug, Default)]
pub(crate) struct FeatureBits {
    words: usize,
    /// Whether every feature has a bit of its own.
    exact: bool,
    rows: Vec<u64>,
}

impl FeatureBits {
    pub(crate) fn fill(&mut self, features: &Features) {
        let words = features.slots().div_ceil(64);
        self.exact = words <= MOST_WORDS;
        self.words = words.min(MOST_WORDS);
        self.rows.clear();
        self.rows.resize(features.nodes() * self.words, 0);
        if words == 0 {
            return;
        }
        for (node, row) in self.rows.chunks_exact_mut(self.words).enumerate() {
            for &slot in features.row(node) {
                row[slot as usize / 64 % MOST_WORDS] |= 1 << (slot % 64);
            }
        }
    }

    /// How many words a node has, if every feature has a bit of its own.
    pub(crate) fn exact_words(&self) -> Option<usize> {
        self.exact.then_some(self.words)
    }

    #[inline(always)]
    pub(crate) fn row(&self, node: usize) -> &[u64] {
        &self.rows[node * self.words..][..self.words]
    }

    /// A node takes or gives up a feature, where every feature has a bit of its own.
    pub(crate) fn flip(&mut self, node: usize, slot: u32) {
        self.rows[node * self.words + slot as usize / 64] ^= 1 << (slot % 64);
    }

    /// Lists the places of those of some nodes that may have a feature in common with one; the others have none.
    #[inline(always)]
    pub(crate) fn list_near(&self, one: usize, others: &[u32], places: &mut Vec<u32>) {
        places.resize(others.len(), 0);
        let mut found = 0;
        // Written whether it is near or not: the branch would be unpredictable.
        let mut note = |place: usize, common: u64| {
            places[found] = place as u32;
            found += usize::from(common != 0);
        };
        if let &[own] = self.row(one) {
            for (place, &other) in others.iter().enumerate() {
                note(place, own & self.rows[other as usize]);
            }
        } else {
            for (place, &other) in others.iter().enumerate() {
                let words = self.row(one).iter().zip(self.row(other as usize));
                note(place, words.fold(0, |common, (a, b)| common | a & b));
            }
        }
        places.truncate(found);
    }

    /// Calls `visit` for each feature that two nodes have in common, in increasing order. The features are those that were
    /// taken over.
    #[inline(always)]
    pub(crate) fn for_common(
        &self,
        features: &Features,
        left: usize,
        right: usize,
        mut visit: impl FnMut(usize),
    ) {
        let [a, b] = [left, right].map(|node| self.row(node));
        if self.exact {
            for (word, (a, b)) in a.iter().zip(b).enumerate() {
                let mut common = a & b;
                while common != 0 {
                    visit(64 * word + common.trailing_zeros() as usize);
                    common &= common - 1;
                }
            }
        } else if a.iter().zip(b).any(|(a, b)| a & b != 0) {
            let mut others = features.row(right);
            for &slot in features.row(left) {
                let smaller = others.iter().take_while(|&&other| other < slot).count();
                others = &others[smaller..];
                if others.first() == Some(&slot) {
                    visit(slot as usize);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_sorted_and_counted() {
        let mut features = Features::from_rows(&[vec![2, 0], vec![], vec![1, 2]], 4);
        assert_eq!(features.row(0), [0, 2]);
        assert_eq!(features.counts(), [1, 1, 2, 0]);
        assert_eq!((features.slots(), features.active()), (4, 3));
        features.remove(0, 0);
        features.insert(1, 3);
        let mut order = Vec::new();
        features.compact(&mut order);
        assert_eq!(order, [2, 1, 3]);
        assert_eq!((features.row(0), features.row(1), features.row(2)), (&[0][..], &[2][..], &[0, 1][..]));
        assert_eq!(features.counts(), [2, 1, 1]);
        assert_eq!(features.take_slot(), 3);
    }

    #[test]
    fn rows_outgrow_their_room() {
        let rows = [(0..100).rev().collect::<Vec<u32>>(), vec![7]];
        let features = Features::from_rows(&rows, 100);
        assert_eq!(features.row(0), (0..100).collect::<Vec<u32>>());
        assert_eq!(features.row(1), [7]);
    }

    /// With a bit for each feature, and with several features to a bit.
    #[test]
    fn what_two_rows_have_in_common() {
        for slots in [131, 256, 257, 1000] {
            let last = slots - 1;
            let rows =
                [vec![0, 63, 64, 130, last], vec![], vec![63, 130, last], vec![1, 64], vec![last % 256]];
            let rows = rows.map(|mut row| {
                row.sort_unstable();
                row.dedup();
                row
            });
            let features = Features::from_rows(&rows, slots as usize);
            let mut bits = FeatureBits::default();
            bits.fill(&features);
            for i in 0..rows.len() {
                for j in 0..rows.len() {
                    let mut common = vec![];
                    bits.for_common(&features, i, j, |k| common.push(k as u32));
                    let want: Vec<u32> = rows[i].iter().copied().filter(|k| rows[j].contains(k)).collect();
                    assert_eq!(common, want, "{slots} {i} {j}");
                }
                let (others, mut near) = ([3, 0, 1, 4, 2], vec![7; 9]);
                bits.list_near(i, &others, &mut near);
                for (place, &j) in (0..).zip(&others) {
                    let [one, other] = [i, j as usize].map(|node| &rows[node]);
                    let together = one.iter().any(|k| other.contains(k));
                    // Several features share a bit if there are more than bits.
                    let may = one.iter().any(|k| other.iter().any(|l| l % 256 == k % 256));
                    assert!(!together || near.contains(&place), "{slots} {i} {j}");
                    assert_eq!(near.contains(&place), may, "{slots} {i} {j}");
                }
            }
        }
    }
}
