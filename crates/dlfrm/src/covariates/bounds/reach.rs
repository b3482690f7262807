//! How many paths of length three there can be between two ends.
//!
//! The sum over paths i - u - v - j of 1 / root(d_u d_v) is a product 1_i' M 1_j: 1_i marks the neighbours of i, 1_j those of j, and
//! M has the links divided by the roots of both degrees. So it is the sum of the numbers r_j = M 1_j over the neighbours of i, and
//! at most all of them together, the largest times the number of neighbours, or by Cauchy and Schwarz the length of r_j times the
//! root of that number; and the same with i and j exchanged. Where the ends have no common neighbour, the neighbours of i are none of
//! j's, and j is no neighbour of i: what r_j has there does not count.

use rayon::prelude::*;

use crate::graph::Adjacency;

/// What two steps from an end reach, each weighed by the roots of the degrees of both nodes on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reach {
    /// How many neighbours the end has.
    neighbours: f64,
    /// The sum of what is reached.
    total: f64,
    /// Its Euclidean length.
    length: f64,
    /// The largest.
    largest: f64,
}

impl Reach {
    /// At least as much as either of two.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self {
            neighbours: self.neighbours.max(other.neighbours),
            total: self.total.max(other.total),
            length: self.length.max(other.length),
            largest: self.largest.max(other.largest),
        }
    }

    /// The most that paths of length three between two ends sum up to.
    pub(super) fn most_paths(&self, other: &Self) -> f64 {
        let one_way = |from: &Self, to: &Self| {
            let lengths = (from.length * to.neighbours.sqrt()).min(from.largest * to.neighbours);
            lengths.min(from.total)
        };
        one_way(self, other).min(one_way(other, self))
    }

    fn add(&mut self, reached: f64) {
        self.total += reached;
        self.length += reached * reached;
        self.largest = self.largest.max(reached);
    }

    fn rooted(mut self) -> Self {
        self.length = self.length.sqrt();
        self
    }
}

/// What two steps along some links reach from each node: without and with the nodes that `around` has as its neighbours.
pub(super) fn reaches(steps: [&Adjacency; 2], around: [&Adjacency; 2], roots: &[f64]) -> Vec<[Reach; 2]> {
    let nodes = steps[0].len();
    // In single precision, which leaves more of them in the cache; bounds of paths have room for it.
    let start = || (vec![0.0; nodes], vec![]);
    let reach = |(sums, reached): &mut (Vec<f32>, Vec<u32>), from: u32| {
        for &between in steps[0].neighbours(from) {
            let root = roots[between as usize] as f32;
            for &end in steps[1].neighbours(between) {
                let sum = &mut sums[end as usize];
                if *sum == 0.0 {
                    reached.push(end);
                }
                *sum += root;
            }
        }
        let weighed = |sums: &[f32], end: u32| f64::from(sums[end as usize]) * roots[end as usize];
        let mut with = Reach { neighbours: steps[0].degree(from) as f64, ..Reach::default() };
        let mut without = with;
        reached.iter().filter(|&&end| end != from).for_each(|&end| with.add(weighed(sums, end)));
        // What is taken away is marked by a sum of zero.
        sums[from as usize] = 0.0;
        for &end in around.iter().flat_map(|list| list.neighbours(from)) {
            sums[end as usize] = 0.0;
        }
        for &end in reached.iter() {
            without.add(weighed(sums, end));
        }
        for end in reached.drain(..) {
            sums[end as usize] = 0.0;
        }
        [without.rooted(), with.rooted()]
    };
    (0..nodes as u32).into_par_iter().map_init(start, reach).collect()
}
