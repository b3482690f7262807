//! Pairs whose ends have a feature in common, listed once for all who look at nothing else.

use std::ops::Range;

use crate::model::FeatureBits;
use crate::network::{Division, Pairs};

use super::with_simd;

/// The numbers of the near pairs of each part of the work, in increasing order. Some that may have a feature in common, and
/// do not, can be among them.
#[derive(Debug, Default)]
pub(crate) struct NearPairs {
    pub(super) parts: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearPair {
    pub(super) number: usize,
    pub(super) source: usize,
    pub(super) target: usize,
}

impl NearPairs {
    pub(super) fn fill(&mut self, pairs: &Pairs, division: &Division, bits: &FeatureBits) {
        division.for_parts(&mut self.parts, |_, sources, numbers| {
            with_simd(
                #[inline(always)]
                || list(sources.clone(), pairs, bits, numbers),
            );
        });
    }

    #[inline(always)]
    pub(super) fn of_part<'a>(
        &'a self,
        part: usize,
        sources: Range<usize>,
        pairs: &'a Pairs,
    ) -> impl Iterator<Item = NearPair> + 'a {
        let mut source = sources.start;
        let mut end = pairs.from(source).end;
        self.parts[part].iter().map(move |&number| {
            let number = number as usize;
            while number >= end {
                source += 1;
                end = pairs.from(source).end;
            }
            NearPair { number, source, target: pairs.targets()[number] as usize }
        })
    }
}

#[inline(always)]
fn list(sources: Range<usize>, pairs: &Pairs, bits: &FeatureBits, numbers: &mut Vec<u32>) {
    numbers.clear();
    let mut places = vec![];
    for source in sources {
        let range = pairs.from(source);
        bits.list_near(source, &pairs.targets()[range.clone()], &mut places);
        numbers.extend(places.iter().map(|place| range.start as u32 + place));
    }
}
