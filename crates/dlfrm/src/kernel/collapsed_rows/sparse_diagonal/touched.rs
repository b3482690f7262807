//! Which pairs of a node each feature acts on: those whose other end has it too.

use crate::model::{FeatureBits, State};

use super::Asked;
use super::columns::Columns;
use super::lists::Lists;

/// Positions of pairs by feature, those of links first. They are found by bits if the features are few enough for that, and
/// by lists otherwise.
#[derive(Debug, Default)]
pub(super) struct Touched {
    by_bits: bool,
    columns: Columns,
    lists: Lists,
}

impl Touched {
    /// Makes room for the pairs of a node.
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

    /// Looks for a feature.
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
