//! How the work of a sweep is divided among threads: by the pairs alone, never by how many threads there are, so that
//! the same seed gives the same bits on any number of them.
//!
//! Sums over pairs and draws for single pairs go by **parts**, ranges of sources with about as many pairs each. Rows of
//! the feature matrix go by **classes**: the nodes of a class have no pair with one another (a colouring of the graph
//! that the pairs make), so that given the probabilities of the features their rows are independent (`kernel/prior.rs`).
//! Networks that are not large have one part and no classes: their chains run in parallel, which costs nothing.

use std::ops::Range;

use rayon::prelude::*;

use super::Pairs;

/// The most parts: sums are held once per part.
const PARTS: usize = 16;
/// Classes that are smaller than this on average are not worth having.
const SMALLEST_CLASS: f64 = 32.0;
/// The pairs of a chunk of a class: enough to be worth a thread's while, few enough for many chunks.
const CHUNK: usize = 4096;

/// The parts and the classes of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    parts: Vec<Range<usize>>,
    /// The nodes class by class, those with most pairs first; empty if there are no classes.
    order: Vec<u32>,
    chunks: Vec<Range<usize>>,
    classes: Vec<Range<usize>>,
}

/// Nodes without a common pair, in chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class<'a> {
    pub(crate) number: usize,
    order: &'a [u32],
    chunks: &'a [Range<usize>],
}

impl Division {
    /// A network with more pairs than this is a large one, whose work is worth dividing.
    pub const LARGE: usize = 1_000_000;

    /// The division that suits the size of a network.
    pub fn new(pairs: &Pairs) -> Self {
        if pairs.len() <= Self::LARGE {
            return Self::whole(pairs);
        }
        let undivided = Self::of_parts(parts(pairs, PARTS));
        if pairs.dense() {
            return undivided;
        }
        let coloured = Self::in_classes(pairs, PARTS);
        if coloured.mean_class() < SMALLEST_CLASS { undivided } else { coloured }
    }

    /// One part, no classes.
    pub fn whole(pairs: &Pairs) -> Self {
        Self::of_parts(parts(pairs, 1))
    }

    fn of_parts(parts: Vec<Range<usize>>) -> Self {
        Self { parts, order: vec![], chunks: vec![], classes: vec![] }
    }

    /// An eighth of the pairs, from everywhere: every eighth of many small parts, no classes.
    pub(crate) fn sample(pairs: &Pairs) -> Self {
        const EVERY: usize = 8;
        Self::of_parts(parts(pairs, EVERY * PARTS).into_iter().step_by(EVERY).collect())
    }

    /// Classes and several parts, whatever the size of the network (for tests).
    pub fn fine(pairs: &Pairs) -> Self {
        Self::in_classes(pairs, 3)
    }

    /// Classes, and up to so many parts.
    fn in_classes(pairs: &Pairs, most_parts: usize) -> Self {
        let colours = colour(pairs);
        let degree = |node: u32| pairs.from(node as usize).len() + pairs.to(node as usize).0.len();
        let mut order: Vec<u32> = (0..pairs.nodes() as u32).collect();
        order.sort_by_key(|&node| (colours[node as usize], std::cmp::Reverse(degree(node))));
        let (mut chunks, mut classes) = (vec![], vec![]);
        for class in order.chunk_by(|&a, &b| colours[a as usize] == colours[b as usize]) {
            let first_chunk = chunks.len();
            let mut size = CHUNK;
            for &node in class {
                if size >= CHUNK {
                    let end = chunks.last().map_or(0, |chunk: &Range<usize>| chunk.end);
                    chunks.push(end..end);
                    size = 0;
                }
                size += degree(node);
                chunks.last_mut().expect("there is one").end += 1;
            }
            classes.push(first_chunk..chunks.len());
        }
        Self { parts: parts(pairs, most_parts), order, chunks, classes }
    }

    /// The mean number of nodes per class: 1 without classes.
    pub fn mean_class(&self) -> f64 {
        if self.classes.is_empty() { 1.0 } else { self.order.len() as f64 / self.classes.len() as f64 }
    }

    /// Whether threads divide the work of a sweep.
    pub fn parallel(&self) -> bool {
        self.parts.len() > 1
    }

    pub(crate) fn coloured(&self) -> bool {
        !self.classes.is_empty()
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        self.classes.iter().enumerate().map(|(number, chunks)| Class {
            number,
            order: &self.order,
            chunks: &self.chunks[chunks.clone()],
        })
    }

    pub(crate) fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// What belongs to the pairs, divided into what belongs to those of each part.
    pub(crate) fn split_pairs<'v, T>(&self, pairs: &Pairs, mut values: &'v mut [T]) -> Vec<&'v mut [T]> {
        let mut split = Vec::with_capacity(self.parts.len());
        let mut first = 0;
        for part in &self.parts {
            let range = pairs.from(part.start).start..pairs.from(part.end - 1).end;
            let (here, others) = values.split_at_mut(range.end - first);
            split.push(&mut here[range.start - first..]);
            (values, first) = (others, range.end);
        }
        split
    }

    /// Works on every part, with a result for each: the caller sums them up in their order.
    pub(crate) fn for_parts<O: Default + Send>(
        &self,
        outputs: &mut Vec<O>,
        work: impl Fn(usize, Range<usize>, &mut O) + Sync,
    ) {
        outputs.resize_with(self.parts.len(), O::default);
        self.for_parts_with(outputs, work);
    }

    /// The same with something for each part that is there already.
    pub(crate) fn for_parts_with<O: Send>(
        &self,
        outputs: &mut [O],
        work: impl Fn(usize, Range<usize>, &mut O) + Sync,
    ) {
        if let ([part], [output]) = (&*self.parts, &mut *outputs) {
            return work(0, part.clone(), output);
        }
        let numbered = self.parts.par_iter().enumerate().zip(outputs);
        numbered.for_each(|((number, part), output)| work(number, part.clone(), output));
    }
}

impl<'a> Class<'a> {
    pub(crate) fn nodes(self) -> &'a [u32] {
        match self.chunks {
            [] => &[],
            [first, .., last] => &self.order[first.start..last.end],
            [only] => &self.order[only.clone()],
        }
    }

    /// Works on all nodes, chunk by chunk, with a result for each chunk.
    pub(crate) fn for_chunks<O: Default + Send>(
        self,
        outputs: &mut Vec<O>,
        work: impl Fn(&[u32], &mut O) + Sync,
    ) {
        outputs.resize_with(self.chunks.len(), O::default);
        if let ([_], [output]) = (self.chunks, &mut **outputs) {
            return work(self.nodes(), output);
        }
        let chunks = self.chunks.par_iter().zip(outputs);
        chunks.for_each(|(chunk, output)| work(&self.order[chunk.clone()], output));
    }
}

/// Up to `most` ranges of sources with about as many pairs each.
fn parts(pairs: &Pairs, most: usize) -> Vec<Range<usize>> {
    let mut parts = vec![];
    let mut start = 0;
    for number in 1..=most {
        let wanted = pairs.len() * number / most;
        let mut end = start;
        while end < pairs.nodes() && (number == most || pairs.from(end).end <= wanted) {
            end += 1;
        }
        if end > start {
            parts.push(start..end);
        }
        start = end;
    }
    parts
}

/// A number for each node that none of those it has a pair with has: the smallest one left, nodes with most pairs
/// first.
fn colour(pairs: &Pairs) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let partners = |node: usize| pairs.targets()[pairs.from(node)].iter().chain(pairs.to(node).0);
    let mut order: Vec<u32> = (0..pairs.nodes() as u32).collect();
    order.sort_by_key(|&node| std::cmp::Reverse(partners(node as usize).size_hint().0));
    let mut colours = vec![NONE; pairs.nodes()];
    // The last node with a partner of each colour.
    let mut taken: Vec<u32> = vec![];
    for &node in &order {
        for &partner in partners(node as usize) {
            if let Some(taken) = taken.get_mut(colours[partner as usize] as usize) {
                *taken = node;
            }
        }
        let free = taken.iter().position(|&by| by != node).unwrap_or_else(|| {
            taken.push(NONE);
            taken.len() - 1
        });
        colours[node as usize] = free as u32;
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::super::Pair;
    use super::*;

    /// A sparse network with hubs.
    fn synthetic(symmetric: bool) -> Pairs {
        let wanted = |i: u32, j: u32| i.is_multiple_of(20) || (i * 7 + j * 3).is_multiple_of(11);
        let list = (0..60).flat_map(|i| (i + 1..60).map(move |j| (i, j))).filter(|&(i, j)| wanted(i, j));
        Pairs::new(60, symmetric, list.map(|(source, target)| Pair { source, target, link: true }))
    }

    #[test]
    fn classes_have_all_nodes_once_and_no_pair() {
        for symmetric in [false, true] {
            let pairs = synthetic(symmetric);
            let division = Division::fine(&pairs);
            let mut seen = vec![None; pairs.nodes()];
            for class in division.classes() {
                let mut outputs: Vec<Vec<u32>> = vec![];
                class.for_chunks(&mut outputs, |chunk, output| output.extend_from_slice(chunk));
                assert_eq!(outputs.concat(), class.nodes());
                for &node in class.nodes() {
                    assert_eq!(seen[node as usize].replace(class.number), None);
                }
            }
            assert!(seen.iter().all(Option::is_some));
            for pair in pairs.iter() {
                assert_ne!(seen[pair.source as usize], seen[pair.target as usize]);
            }
        }
    }

    /// What belongs to the pairs is divided as they are, also where only some of them are in a part.
    #[test]
    fn values_are_split_as_the_pairs_are() {
        let pairs = synthetic(false);
        let sample = Division::sample(&pairs);
        let sources = |division: &Division| division.parts().iter().cloned().flatten().count();
        assert!((5..20).contains(&sources(&sample)) && sources(&Division::fine(&pairs)) == 60);
        for division in [sample, Division::fine(&pairs)] {
            let mut values: Vec<usize> = (0..pairs.len()).collect();
            let split = division.split_pairs(&pairs, &mut values);
            assert_eq!(split.len(), division.parts().len());
            for (part, values) in division.parts().iter().zip(split) {
                assert!(values.iter().copied().eq(part.clone().flat_map(|source| pairs.from(source))));
            }
        }
    }

    #[test]
    fn small_networks_are_not_divided() {
        let pairs = synthetic(false);
        assert_eq!(Division::new(&pairs), Division::whole(&pairs));
        assert_eq!(Division::new(&pairs).mean_class(), 1.0);
        assert!(Division::fine(&pairs).mean_class() > 1.0);
    }
}
