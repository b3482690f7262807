//! The most that paths of length three add to a bound.

use super::Distance;
use super::end::End;

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

    /// Whatever the ends are.
    pub(super) fn most_of_all(&self) -> f64 {
        self.most_of_all
    }

    /// The most between two ends.
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
