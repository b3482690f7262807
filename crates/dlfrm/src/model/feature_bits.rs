//! The rows of the feature matrix as sets of bits: what two entities have in common is an `and` of a few words.

#![expect(clippy::inline_always, reason = "called inside pulp's dispatch, which works by inlining")]

use super::Features;

/// A row of bits per entity, and one without bits.
#[derive(Debug, Default)]
pub(crate) struct FeatureBits {
    words: usize,
    entities: usize,
    rows: Vec<u64>,
}

impl FeatureBits {
    /// Takes over all rows.
    pub(crate) fn fill(&mut self, features: &Features) {
        self.words = features.slots().div_ceil(64);
        self.rows.clear();
        self.rows.resize((features.entities() + 1) * self.words, 0);
        self.entities = features.entities();
        for entity in 0..self.entities {
            let row = &mut self.rows[entity * self.words..][..self.words];
            for &slot in features.row(entity) {
                row[slot as usize / 64] |= 1 << (slot % 64);
            }
        }
    }

    /// The number of the row without bits.
    #[inline(always)]
    pub(crate) fn empty(&self) -> u32 {
        self.entities as u32
    }

    /// How many words a row has.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The features of an entity: feature k is bit k % 64 of word k / 64.
    #[inline(always)]
    pub(crate) fn row(&self, entity: usize) -> &[u64] {
        &self.rows[entity * self.words..][..self.words]
    }

    /// An entity takes and gives up features.
    #[inline(always)]
    pub(crate) fn flip(&mut self, entity: usize, changes: &[(u32, bool)]) {
        let row = &mut self.rows[entity * self.words..][..self.words];
        for &(slot, _) in changes {
            row[slot as usize / 64] ^= 1 << (slot % 64);
        }
    }

    /// Calls `visit` for each feature that two rows have in common, in increasing order.
    #[inline(always)]
    pub(crate) fn for_common(left: &[u64], right: &[u64], mut visit: impl FnMut(usize)) {
        for (word, (left, right)) in left.iter().zip(right).enumerate() {
            let mut common = left & right;
            while common != 0 {
                visit(64 * word + common.trailing_zeros() as usize);
                common &= common - 1;
            }
        }
    }
}

/// For each of the 64 features of a word, which of eight rows have it: bit r is row r.
#[inline(always)]
pub(crate) fn transpose(rows: [u64; 8]) -> [u8; 64] {
    let bytes = rows.map(u64::to_le_bytes);
    let mut columns = [0; 64];
    for (byte, columns) in columns.chunks_exact_mut(8).enumerate() {
        let mut square = u64::from_le_bytes(std::array::from_fn(|row| bytes[row][byte]));
        // The transpose of a square of 8 by 8 bits: blocks of 1, 2 and 4 change sides.
        for (shift, mask) in
            [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
        {
            let swapped = (square ^ (square >> shift)) & mask;
            square ^= swapped ^ (swapped << shift);
        }
        columns.copy_from_slice(&square.to_le_bytes());
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_rows() {
        let rows = [vec![0, 63, 64, 130], vec![], vec![63, 130], vec![1, 64]];
        let features = Features::from_rows(&rows, 131);
        let mut bits = FeatureBits::default();
        bits.fill(&features);
        assert_eq!(bits.words(), 3);
        let common = |i: usize, j: usize| {
            let mut common = vec![];
            FeatureBits::for_common(bits.row(i), bits.row(j), |k| common.push(k));
            common
        };
        assert_eq!(common(0, 2), [63, 130]);
        assert_eq!(common(0, 3), [64]);
        assert!(common(1, 0).is_empty());
        bits.flip(1, &[(130, true)]);
        bits.flip(0, &[(0, false), (1, true)]);
        assert_eq!(bits.row(1), [0, 0, 4]);
        assert_eq!(bits.row(0), [1 << 63 | 2, 1, 4]);
    }

    #[test]
    fn columns_are_the_rows_transposed() {
        let mut number = 1_u64;
        let rows = [(); 8].map(|()| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            number ^ (number >> 29)
        });
        for (feature, column) in transpose(rows).into_iter().enumerate() {
            for (row, bits) in rows.iter().enumerate() {
                assert_eq!(bits >> feature & 1, u64::from(column >> row & 1), "feature {feature}, row {row}");
            }
        }
    }
}
