//! The offsets of pairs in the order of targets.

use rayon::prelude::*;

use crate::model::State;
use crate::network::Pairs;

/// The offsets of pairs in the order of targets: looked up by number they would be all over the memory.
#[derive(Debug, Default)]
pub(super) struct OffsetsTo(Vec<f64>);

/// Pairs that a thread gathers at a time.
const CHUNK: usize = 1 << 16;

impl OffsetsTo {
    /// Gathers them, if pairs have offsets. The memory of the rates, which are of no use until they are drawn again, serves
    /// until [`give_back`](Self::give_back).
    pub(super) fn fill(&mut self, pairs: &Pairs, state: &mut State) {
        if state.offsets.is_empty() {
            return;
        }
        let Self(values) = self;
        *values = std::mem::take(&mut state.rates);
        values.resize(pairs.len(), 0.0);
        let gather = |(values, numbers): (&mut [f64], &[u32])| {
            for (value, &number) in values.iter_mut().zip(numbers) {
                *value = state.offsets[number as usize];
            }
        };
        values.par_chunks_mut(CHUNK).zip(pairs.numbers_to().par_chunks(CHUNK)).for_each(gather);
    }

    #[inline(always)]
    pub(super) fn of(&self, target: usize, pairs: &Pairs, state: &State) -> impl Iterator<Item = f64> {
        let range = pairs.to_range(target);
        let gathered = if state.offsets.is_empty() { &[][..] } else { &self.0[range.clone()] };
        (0..range.len()).map(move |at| gathered.get(at).copied().unwrap_or(state.intercept))
    }

    /// Gives the memory of the rates back.
    pub(super) fn give_back(&mut self, state: &mut State) {
        if !state.offsets.is_empty() {
            state.rates = std::mem::take(&mut self.0);
        }
    }
}
