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

/// A pair and its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearPair {
    pub(super) number: usize,
    pub(super) source: usize,
    pub(super) target: usize,
}

impl NearPairs {
    /// Lists them.
    pub(super) fn fill(&mut self, pairs: &Pairs, division: &Division, bits: &FeatureBits) {
        division.for_parts(&mut self.parts, |_, sources, numbers| {
            with_simd(
                #[inline(always)]
                || list(sources.clone(), pairs, bits, numbers),
            );
        });
    }

    /// Those of a part, which has the pairs that start in a range of nodes.
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

/// Lists the near pairs that start in a range of nodes.
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

#[cfg(test)]
mod tests {
    use super::super::test_support::synthetic;
    use super::*;
    use crate::model::{Features, Shape};

    #[test]
    fn pairs_with_a_common_feature_are_listed_with_their_ends() {
        let (pairs, _) = synthetic(Shape::Diagonal, 23, 1);
        let rows: Vec<Vec<u32>> = (0..23).map(|node| vec![node % 4, 4 + node % 3]).collect();
        let features = Features::from_rows(&rows, 7);
        let common = |source: usize, target: usize| {
            let [one, other] = [source, target].map(|node| features.row(node));
            one.iter().any(|slot| other.contains(slot))
        };
        let all: Vec<NearPair> = pairs
            .iter()
            .enumerate()
            .map(|(number, pair)| NearPair {
                number,
                source: pair.source as usize,
                target: pair.target as usize,
            })
            .filter(|pair| common(pair.source, pair.target))
            .collect();
        assert!(!all.is_empty() && all.len() < pairs.len());
        let division = Division::fine(&pairs);
        assert!(division.parts().len() > 1);
        let mut bits = FeatureBits::default();
        bits.fill(&features);
        let mut near = NearPairs::default();
        near.fill(&pairs, &division, &bits);
        let parts = division.parts().iter().enumerate();
        let found: Vec<NearPair> =
            parts.flat_map(|(number, sources)| near.of_part(number, sources.clone(), &pairs)).collect();
        assert_eq!(found, all);
    }
}
