//! What a feature does to the pairs of a node, a line per feature. See "Collapsed rows" in `docs/model.md`.

use crate::model::{Loss, State};

use super::super::losses::{self, Block, MODERATE};
use super::super::{LANES, with_simd};

/// What a node's taking a feature adds to the logit of its pair with each other node: a line a
/// feature, filled up to whole blocks.
#[derive(Debug, Default)]
pub(super) struct Effects {
    blocks: usize,
    values: Vec<Block>,
    /// What it multiplies the odds of the pair with: exp of the effect. Logistic loss only.
    odds: Vec<Block>,
    /// No effect of a feature is larger than this.
    largest: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) effects: &'a [Block],
    pub(super) odds: &'a [Block],
    /// No effect is larger than this.
    pub(super) largest: f64,
}

impl Line<'_> {
    /// Whether no effect is beyond what the odds can be trusted with.
    #[inline(always)]
    pub(super) fn moderate(&self) -> bool {
        self.largest <= MODERATE
    }
}

impl Effects {
    /// Makes the lines of the first features: `values[k][j]` = the summed weights of k with the features of j,
    /// k being the first of a weight's two features, or the second one if `transposed`.
    pub(super) fn fill(&mut self, lines: usize, state: &State, loss: Loss, transposed: bool) {
        self.blocks = state.features.nodes().div_ceil(LANES);
        self.values.clear();
        self.values.resize(lines * self.blocks, [0.0; LANES]);
        self.odds.clear();
        for node in 0..state.features.nodes() {
            for &slot in state.features.row(node) {
                self.change(node, slot as usize, 1.0, state, transposed);
            }
        }
        self.largest.clear();
        for line in self.values.chunks_exact(self.blocks) {
            let sizes = line.as_flattened().iter().map(|effect| effect.abs());
            self.largest.push(sizes.fold(0.0, f64::max));
        }
        if loss == Loss::Logistic {
            with_simd(
                #[inline(always)]
                || self.odds.extend(self.values.iter().map(|&effects| losses::exp(effects))),
            );
        }
    }

    /// The node takes (sign 1) or gives up (sign -1) a feature.
    #[inline(always)]
    pub(super) fn change(&mut self, node: usize, slot: usize, sign: f64, state: &State, transposed: bool) {
        let (block, lane) = (node / LANES, node % LANES);
        for (k, line) in self.values.chunks_exact_mut(self.blocks).enumerate() {
            let weight = if transposed { state.weights.get(slot, k) } else { state.weights.get(k, slot) };
            line[block][lane] += sign * weight;
            if let Some(odds) = self.odds.get_mut(k * self.blocks + block) {
                odds[lane] = line[block][lane].exp();
                self.largest[k] = self.largest[k].max(line[block][lane].abs());
            }
        }
    }

    #[inline(always)]
    pub(super) fn line(&self, slot: usize) -> Line<'_> {
        let range = slot * self.blocks..(slot + 1) * self.blocks;
        let odds = self.odds.get(range.clone()).unwrap_or_default();
        Line { effects: &self.values[range], odds, largest: self.largest[slot] }
    }
}
