//! What the ends of a pair, and the short paths between them, add to a bound; an end may stand for several nodes.
//!
//! How many paths of length three there can be between two ends: the sum over paths i - u - v - j of 1 / root(d_u d_v) is a product
//! 1_i' M 1_j: 1_i marks the neighbours of i, 1_j those of j, and M has the links divided by the roots of both degrees. So it is the
//! sum of the numbers r_j = M 1_j over the neighbours of i, and at most all of them together, the largest times the number of
//! neighbours, or by Cauchy and Schwarz the length of r_j times the root of that number; and the same with i and j exchanged. Where
//! the ends have no common neighbour, the neighbours of i are none of j's, and j is no neighbour of i: what r_j has there does not
//! count.

use rayon::prelude::*;

use crate::graph::Adjacency;

use super::columns::Distance;
use super::topology::Way;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct End {
    /// The most that it adds by itself, by distance.
    pub(super) own: [f64; 2],
    /// The logarithm of 1 + its degree: the least and the most.
    pub(super) logarithm: [f64; 2],
    /// The logarithm of its degree, at least zero: the least and the most.
    size: [f64; 2],
    /// What steps from it reach, by distance: only where there is no path of length two its neighbours do not count.
    reach: [Reach; 2],
}

impl End {
    pub(super) fn of_itself(own: f64) -> Self {
        Self { own: [own; 2], ..Self::default() }
    }

    pub(super) fn of_degree(own: [f64; 2], degree: f64, reach: [Reach; 2]) -> Self {
        Self { own, logarithm: [degree.ln_1p(); 2], size: [degree.max(1.0).ln(); 2], reach }
    }

    pub(crate) fn with(mut self, more: f64) -> Self {
        self.own = self.own.map(|own| own + more);
        self
    }

    /// The most that it adds by itself to a pair without a path of length two.
    pub(crate) fn own(&self) -> f64 {
        self.own[Distance::Far as usize]
    }

    pub(crate) fn least_logarithm(&self) -> f64 {
        self.logarithm[0]
    }

    pub(crate) fn logarithm(&self) -> f64 {
        self.logarithm[1]
    }

    /// An end that adds at least as much as either of two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let place = [Distance::Far as usize, Distance::Near as usize];
        let hull = |one: [f64; 2], other: [f64; 2]| [one[0].min(other[0]), one[1].max(other[1])];
        Self {
            own: place.map(|place| self.own[place].max(other.own[place])),
            logarithm: hull(self.logarithm, other.logarithm),
            size: hull(self.size, other.size),
            reach: place.map(|place| self.reach[place].or(&other.reach[place])),
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct NearEnd {
    pub(super) own: f64,
    pub(super) logarithm: f64,
    /// 1 / root of its degree, whatever the direction.
    pub(super) root: f64,
}

/// What two steps from an end reach, each weighed by the roots of the degrees of both nodes on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reach {
    neighbours: f64,
    total: f64,
    length: f64,
    largest: f64,
}

impl Reach {
    fn or(&self, other: &Self) -> Self {
        Self {
            neighbours: self.neighbours.max(other.neighbours),
            total: self.total.max(other.total),
            length: self.length.max(other.length),
            largest: self.largest.max(other.largest),
        }
    }

    /// The most that paths of length three between two ends sum up to.
    fn most_paths(&self, other: &Self) -> f64 {
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

/// The slopes of the columns that depend on the paths of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct WaySlopes {
    /// Of the logarithm of 1 + their number, and of its square.
    pub(super) logarithm: [f64; 2],
    /// Of the logarithm of 1 + their sum by 1 / log degree.
    pub(super) adamic: f64,
    /// Of the logarithm of 1 + 10 times their sum by 1 / degree.
    pub(super) share: f64,
    /// Of their number by the root of the product of the ends' degrees.
    pub(super) cosine: f64,
}

/// A function of the paths of one kind.
#[derive(Debug)]
pub(super) struct Ways {
    slopes: WaySlopes,
    table: Vec<f64>,
}

impl Ways {
    pub(super) fn new(slopes: WaySlopes, most: usize) -> Self {
        let [slope, square] = slopes.logarithm;
        let logarithms = (0..=most).map(|count| (count as f64).ln_1p());
        let table = logarithms.map(|x| x * (slope + square * x)).collect();
        Self { slopes, table }
    }

    /// What such paths add; `roots` is one over the root of the product of the ends' degrees.
    pub(super) fn of(&self, way: &Way, roots: f64) -> f64 {
        if way.count == 0.0 {
            return 0.0;
        }
        let WaySlopes { adamic, share, cosine, .. } = self.slopes;
        let mut sum = self.table[way.count as usize]
            + share * (1.0 + 10.0 * way.share).ln()
            + cosine * way.count * roots;
        if adamic != 0.0 {
            sum += adamic * (1.0 + way.adamic).ln();
        }
        sum
    }
}

/// How far apart the logarithms are that the table has an entry for.
const STEP: f64 = 0.125;

/// A function of the summed paths of length three and of the degrees of the ends, as a table of its suprema.
#[derive(Debug)]
pub(super) struct ThreeSteps {
    /// Without a path; by the logarithm of 1 + 10 times the sum, by its square, and by the logarithm of 1 + 10 times the sum
    /// over the geometric mean of the degrees.
    slopes: [f64; 4],
    /// How many sizes there are: logarithms of the geometric mean of the degrees.
    sizes: usize,
    /// For each number of steps of the logarithm of 1 + 10 times the sum, and each size, the most up to there.
    table: Vec<f64>,
    most_of_all: f64,
}

impl ThreeSteps {
    /// Where no degree is larger than `most`. The summed paths are at most the geometric mean of the degrees.
    pub(super) fn new(slopes: [f64; 4], most: usize) -> Self {
        let [none, slope, square, by_degrees] = slopes;
        let most = (most as f64).max(1.0);
        let steps = place((10.0 * most).ln_1p()) + 2;
        let sizes = if by_degrees == 0.0 { 1 } else { place(most.ln()) + 2 };
        let parabola = |x: f64| x * (slope + square * x);
        let peak = -slope / (2.0 * square);
        let mut table = vec![none; steps * sizes];
        for step in 0..steps {
            let [low, high] = [step, step + 1].map(|step| step as f64 * STEP);
            let top = if peak.is_finite() { parabola(peak.clamp(low, high)) } else { f64::NEG_INFINITY };
            let top = top.max(parabola(low)).max(parabola(high));
            for size in 0..sizes {
                // The end of each interval at which the logarithm by degrees adds more.
                let sum = if by_degrees < 0.0 { low } else { high }.exp_m1();
                let mean = ((size + usize::from(by_degrees < 0.0)) as f64 * STEP).exp();
                let here = top + by_degrees * (sum / mean).ln_1p();
                let before = if step == 0 { none } else { table[(step - 1) * sizes + size] };
                table[step * sizes + size] = here.max(before);
            }
        }
        let most_of_all = table.iter().copied().fold(none, f64::max);
        Self { slopes, sizes, table, most_of_all }
    }

    pub(super) fn most_of_all(&self) -> f64 {
        self.most_of_all
    }

    pub(super) fn most(&self, first: &End, second: &End, distance: Distance) -> f64 {
        let [one, other] = [first, second].map(|end| &end.reach[distance as usize]);
        let paths = one.most_paths(other);
        if paths == 0.0 {
            return self.slopes[0];
        }
        // One part in a hundred more, as sums were rounded.
        let step = place((10.1 * paths).ln_1p());
        let row = &self.table[step.min(self.table.len() / self.sizes - 1) * self.sizes..][..self.sizes];
        row[self.size(first, second)]
    }

    /// With such a sum between two nodes.
    pub(super) fn of(&self, paths: f64, first: &End, second: &End) -> f64 {
        let [none, slope, square, by_degrees] = self.slopes;
        if paths == 0.0 {
            return none;
        }
        let logarithm = (1.0 + 10.0 * paths).ln();
        let mut sum = logarithm * (slope + square * logarithm);
        if by_degrees != 0.0 {
            let mean = (0.5 * (first.size[0] + second.size[0])).exp();
            sum += by_degrees * (1.0 + 10.0 * paths / mean).ln();
        }
        sum
    }

    fn size(&self, first: &End, second: &End) -> usize {
        if self.sizes == 1 {
            return 0;
        }
        let end = usize::from(self.slopes[3] < 0.0);
        place(0.5 * (first.size[end] + second.size[end])).min(self.sizes - 1)
    }
}

fn place(logarithm: f64) -> usize {
    (logarithm / STEP) as usize
}
