//! Power laws of whole numbers, for degrees and for sizes of groups.

use rand::RngExt;

use crate::random::Stream;

/// Whole numbers k up to a largest one, with probability in proportion to k^-exponent; the smallest may have less, such that
/// the mean is any number.
#[derive(Debug, Clone)]
pub(super) struct PowerLaw {
    low: usize,
    /// The sums of the probabilities from the smallest number on.
    sums: Vec<f64>,
}

impl PowerLaw {
    /// All numbers between two, themselves included.
    pub(super) fn between(low: usize, high: usize, exponent: f64) -> Self {
        Self::new(low, (low..=high).map(|k| weight(k, exponent)))
    }

    /// From some number to a largest one, with a given mean that is no larger. None if the mean is below that of all numbers from 1 on.
    pub(super) fn with_mean(mean: f64, high: usize, exponent: f64) -> Option<Self> {
        let (mut weights, mut sum) = (0.0, 0.0);
        for low in (1..=high).rev() {
            let own = weight(low, exponent);
            // Numbers above this one have a larger mean than asked for: it gets the weight that is missing.
            let needed = (sum - mean * weights) / (mean - low as f64);
            if (low as f64) < mean && needed <= own {
                let rest = (low + 1..=high).map(|k| weight(k, exponent));
                return Some(Self::new(low, std::iter::once(needed.max(0.0)).chain(rest)));
            }
            weights += own;
            sum += low as f64 * own;
        }
        // All nodes have as many as possible.
        (mean == high as f64).then(|| Self::between(high, high, exponent))
    }

    fn new(low: usize, weights: impl Iterator<Item = f64>) -> Self {
        let sums = weights.scan(0.0, |sum: &mut f64, weight| {
            *sum += weight;
            Some(*sum)
        });
        let mut sums: Vec<f64> = sums.collect();
        let all = sums.last().copied().expect("there is a number");
        for sum in &mut sums {
            *sum /= all;
        }
        Self { low, sums }
    }

    /// The number that a share of all draws is below.
    pub(super) fn quantile(&self, share: f64) -> u32 {
        let position = self.sums.partition_point(|&sum| sum <= share);
        (self.low + position.min(self.sums.len() - 1)) as u32
    }

    fn high(&self) -> usize {
        self.low + self.sums.len() - 1
    }

    /// Sizes of groups that have so many slots together. None if no number of groups within the limits has.
    pub(super) fn sizes(&self, slots: usize, rng: &mut Stream) -> Option<Vec<usize>> {
        let (mut sizes, mut sum) = (vec![], 0);
        while sum < slots {
            sizes.push(self.quantile(rng.random()) as usize);
            sum += sizes[sizes.len() - 1];
        }
        if sizes.len() * self.low > slots {
            sum -= sizes.pop()?;
        }
        if sizes.len() * self.high() < slots {
            return None;
        }
        // What is too much or missing is taken from random groups or given to them, one slot at a time.
        while sum != slots {
            let chosen = rng.random_range(0..sizes.len());
            if sum > slots && sizes[chosen] > self.low {
                sizes[chosen] -= 1;
                sum -= 1;
            } else if sum < slots && sizes[chosen] < self.high() {
                sizes[chosen] += 1;
                sum += 1;
            }
        }
        Some(sizes)
    }
}

fn weight(k: usize, exponent: f64) -> f64 {
    (k as f64).powf(-exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    fn mean(law: &PowerLaw) -> f64 {
        let before = std::iter::once(0.0).chain(law.sums.iter().copied());
        let shares = law.sums.iter().zip(before).map(|(sum, before)| sum - before);
        shares.enumerate().map(|(position, share)| (law.low + position) as f64 * share).sum()
    }

    #[test]
    fn means_are_exact() {
        for (target, high, exponent) in
            [(10.0, 25, 2.0), (20.0, 50, 2.5), (3.2, 40, 2.0), (7.5, 8, 0.0), (8.0, 8, 2.0), (1.0, 1, 2.0)]
        {
            let law = PowerLaw::with_mean(target, high, exponent).unwrap();
            assert!((mean(&law) - target).abs() < 1e-9, "{target} {high}: {}", mean(&law));
            assert_eq!(law.high(), high);
        }
        // From 1 to 1000 the mean is 4.6 at least.
        assert!(PowerLaw::with_mean(4.0, 1000, 2.0).is_none());
    }

    #[test]
    fn numbers_are_as_frequent_as_their_power() {
        let law = PowerLaw::between(2, 40, 2.0);
        let all: Vec<u32> = (0..100_000).map(|i| law.quantile(f64::from(i) / 100_000.0)).collect();
        let count = |k: u32| all.iter().filter(|&&other| other == k).count() as f64;
        for k in [4, 8, 16] {
            assert!((count(k) * f64::from(k * k) / count(2) / 4.0 - 1.0).abs() < 0.05, "{k}");
        }
        assert_eq!((law.quantile(0.0), law.quantile(1.0)), (2, 40));
    }

    #[test]
    fn sizes_fill_the_slots() {
        let mut rng = stream(1, 0, 0, Purpose::Planted, 0);
        for (low, high, slots) in [(10, 50, 200), (10, 50, 243), (20, 20, 200), (20, 21, 209), (3, 8, 8)] {
            let sizes = PowerLaw::between(low, high, 1.0).sizes(slots, &mut rng).unwrap();
            assert_eq!(sizes.iter().sum::<usize>(), slots);
            assert!(sizes.iter().all(|size| (low..=high).contains(size)), "{sizes:?}");
        }
        for (low, high, slots) in [(20, 20, 205), (6, 8, 5), (6, 8, 11)] {
            assert!(
                PowerLaw::between(low, high, 1.0).sizes(slots, &mut rng).is_none(),
                "{low} {high} {slots}"
            );
        }
    }
}
