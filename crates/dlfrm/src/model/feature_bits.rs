//! Which features two nodes have in common, found by a few words of bits per node.

#![expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]

use super::Features;

/// Most words of a node.
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
    /// Takes over all rows.
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

    /// The words of a node.
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

    #[test]
    fn no_features() {
        let features = Features::empty(2);
        let mut bits = FeatureBits::default();
        bits.fill(&features);
        bits.for_common(&features, 0, 1, |_| panic!("there is none"));
    }
}
