//! Who has which feature: the binary matrix Z as sparse rows with column counts.

/// Sparse rows of a binary matrix. Columns are slots: a slot without owners is free and is reused.
///
/// Every row has the same room in one array, so that a sweep touches one block of memory and allocates
/// only when some row outgrows its room.
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

    /// From the rows' features, which need not be sorted.
    ///
    /// # Panics
    /// If a feature is not below `slots`.
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
}
