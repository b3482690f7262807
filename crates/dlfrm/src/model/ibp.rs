//! The Indian buffet process: the prior of the feature matrix.

use std::collections::HashMap;

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Poisson};

use super::Features;
use crate::random::scatter;

/// A feature matrix drawn from the process by its restaurant construction: node n takes an existing
/// feature with probability m / (n + 1) and Poisson(alpha / (n + 1)) new ones.
pub fn draw(nodes: usize, alpha: f64, rng: &mut (impl Rng + ?Sized)) -> Features {
    let mut rows: Vec<Vec<u32>> = Vec::with_capacity(nodes);
    let mut counts: Vec<u32> = Vec::new();
    for n in 0..nodes {
        let mut row = Vec::new();
        for (slot, count) in counts.iter_mut().enumerate() {
            if rng.random::<f64>() * ((n + 1) as f64) < f64::from(*count) {
                *count += 1;
                row.push(slot as u32);
            }
        }
        for _ in 0..poisson(alpha / (n + 1) as f64, rng) {
            row.push(counts.len() as u32);
            counts.push(1);
        }
        rows.push(row);
    }
    Features::from_rows(&rows, counts.len())
}

/// A Poisson count; zero for a mean of zero.
pub(crate) fn poisson(mean: f64, rng: &mut (impl Rng + ?Sized)) -> usize {
    Poisson::new(mean).map_or(0, |poisson| poisson.sample(rng) as usize)
}

/// The log probability of the class of matrices that differ from `features` by the order of columns
/// (Griffiths & Ghahramani 2005): alpha^K exp(-alpha H_N) / prod K_h! prod (N - m)! (m - 1)! / N!.
pub fn log_probability(features: &Features, alpha: f64) -> f64 {
    let nodes = features.nodes();
    let log_factorial = log_factorials(nodes);
    let active = features.active();
    let mut sum = active as f64 * alpha.ln() - alpha * harmonic(nodes);
    for &count in features.counts().iter().filter(|&&count| count > 0) {
        let count = count as usize;
        sum += log_factorial[nodes - count] + log_factorial[count - 1] - log_factorial[nodes];
    }
    sum - log_repeats(features)
}

/// Sum over distinct columns of log(how often the column stands)!.
fn log_repeats(features: &Features) -> f64 {
    // A column is known by a hash of its owners: 128 bits of sums of mixed owner ids.
    let mut hashes = vec![0_u128; features.slots()];
    for node in 0..features.nodes() {
        let hash = u128::from(scatter(node as u64)) << 64 | u128::from(scatter(!(node as u64)));
        for &slot in features.row(node) {
            hashes[slot as usize] = hashes[slot as usize].wrapping_add(hash);
        }
    }
    let mut repeats: HashMap<u128, u32> = HashMap::new();
    let mut sum = 0.0;
    for (hash, _) in hashes.iter().zip(features.counts()).filter(|&(_, &count)| count > 0) {
        let times = repeats.entry(*hash).or_insert(0);
        *times += 1;
        sum += f64::from(*times).ln();
    }
    sum
}

/// 1 + 1/2 + ... + 1/n.
pub fn harmonic(n: usize) -> f64 {
    (1..=n).map(|i| 1.0 / i as f64).sum()
}

fn log_factorials(n: usize) -> Vec<f64> {
    let mut sum = 0.0;
    std::iter::once(0.0)
        .chain((1..=n).map(|i| {
            sum += (i as f64).ln();
            sum
        }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all classes of matrices with three rows the probabilities add up to one.
    #[test]
    fn probabilities_of_classes_sum_to_one() {
        // Multisets of non-empty columns: counts of each of the seven column types, up to 5 columns.
        fn visit(column: usize, left: usize, columns: &mut Vec<usize>, total: &mut f64, alpha: f64) {
            if column == 8 {
                let rows: Vec<Vec<u32>> = (0..3)
                    .map(|n| {
                        (0..columns.len()).filter(|&k| columns[k] >> n & 1 == 1).map(|k| k as u32).collect()
                    })
                    .collect();
                *total += log_probability(&Features::from_rows(&rows, columns.len()), alpha).exp();
                return;
            }
            for times in 0..=left {
                columns.extend(std::iter::repeat_n(column, times));
                visit(column + 1, left - times, columns, total, alpha);
                columns.truncate(columns.len() - times);
            }
        }
        let alpha = 0.7;
        let mut total = 0.0;
        visit(1, 9, &mut Vec::new(), &mut total, alpha);
        assert!((total - 1.0).abs() < 1e-4, "{total}");
    }
}
