//! What a feature does to blocks of eight pairs, where a byte says which of them it acts on.
//! See "Collapsed rows" in `docs/model.md`.

use super::super::LANES;
use super::super::losses::{Block, MODERATE, SATISFIED, Sum};

/// 1 / (1 + odds) and odds / (1 + odds).
#[inline(always)]
pub(super) fn shares(odds: &Block) -> [Block; 2] {
    let with = odds.map(|odds| 1.0 / (1.0 + odds));
    let mut against = with;
    for lane in 0..LANES {
        against[lane] *= odds[lane];
    }
    [with, against]
}

/// For each byte, the lanes whose bits are set, as masks.
static LANES_OF: [[u64; LANES]; 256] = {
    let mut lanes_of = [[0; LANES]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut lane = 0;
        while lane < LANES {
            lanes_of[byte][lane] = if byte >> lane & 1 == 1 { u64::MAX } else { 0 };
            lane += 1;
        }
        byte += 1;
    }
    lanes_of
};

/// The first of two numbers where a bit is set, the second elsewhere.
#[inline(always)]
pub(super) fn pick(mask: u8, set: &Block, unset: &Block) -> Block {
    let lanes = &LANES_OF[usize::from(mask)];
    let mut picked = *unset;
    for lane in 0..LANES {
        let (set, unset) = (set[lane].to_bits(), unset[lane].to_bits());
        picked[lane] = f64::from_bits(set & lanes[lane] | unset & !lanes[lane]);
    }
    picked
}

/// The bytes of one feature in some blocks.
#[derive(Clone, Copy)]
pub(super) struct Masks<'a> {
    bytes: &'a [u8],
    /// The bytes of a block.
    stride: usize,
    slot: usize,
}

impl<'a> Masks<'a> {
    /// Those of the blocks of links, of which there are so many, and those of the non-links.
    #[inline(always)]
    pub(super) fn of(bytes: &'a [u8], links: usize, words: usize, slot: usize) -> [Self; 2] {
        let stride = 64 * words;
        let (links, non_links) = bytes.split_at(links * stride);
        [links, non_links].map(|bytes| Self { bytes, stride, slot })
    }

    #[inline(always)]
    fn of_block(self, block: usize) -> u8 {
        self.bytes[block * self.stride + self.slot]
    }
}

/// The logarithm of the product over pairs of how much 1 + odds changes, if the odds of the pairs that a feature acts on are
/// multiplied by a factor, which is exp(step) or exp(-step).
#[inline(always)]
pub(super) fn log_of_change(masks: Masks<'_>, shares: &[[Block; 2]], factor: f64, step: f64) -> f64 {
    // Each pair adds a factor within exp(-step) and exp(step): a product of so many blocks is a number.
    let room = ((0.5 * MODERATE / step.abs().max(1e-6)) as usize).max(1);
    let (mut logs, mut block) = (0.0, 0);
    while block < shares.len() {
        let end = shares.len().min(block + room);
        let mut product = [1.0; LANES];
        while block < end {
            let [with, against] = &shares[block];
            let mut change = *with;
            for lane in 0..LANES {
                change[lane] += against[lane] * factor;
            }
            let change = pick(masks.of_block(block), &change, &[1.0; LANES]);
            for lane in 0..LANES {
                product[lane] *= change[lane];
            }
            block += 1;
        }
        logs += if step.abs() <= 0.5 * MODERATE {
            product.iter().product::<f64>().ln()
        } else {
            product.iter().map(|product| product.ln()).sum::<f64>()
        };
    }
    logs
}

/// How much more the losses of some blocks are, if the logits that a feature acts on take a step.
#[inline(always)]
pub(super) fn more_loss<S: Sum>(masks: Masks<'_>, towards: &[Block], step: f64, sum: impl Fn() -> S) -> f64 {
    let (mut before, mut after) = (sum(), sum());
    for (block, towards) in towards.iter().enumerate() {
        let mask = masks.of_block(block);
        if mask != 0 {
            let here = pick(mask, towards, &[SATISFIED; LANES]);
            before.add(here, [0.0; LANES]);
            after.add(here.map(|here| here + step), [0.0; LANES]);
        }
    }
    after.minus(before)
}
