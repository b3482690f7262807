//! The blocks against enumeration: every partition of a small network, and the counts of a larger one.

use std::collections::HashMap;

use super::*;
use crate::network::Pair;
use crate::random::{Purpose, stream};

/// Blocks renumbered in the order of their first members.
fn canonical(blocks: &[u32]) -> Vec<u32> {
    let mut seen: Vec<u32> = Vec::new();
    let number = |&block: &u32| {
        let place = seen.iter().position(|&known| known == block);
        place.unwrap_or_else(|| {
            seen.push(block);
            seen.len() - 1
        }) as u32
    };
    blocks.iter().map(number).collect()
}

/// Every partition of so many nodes.
fn partitions(nodes: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..nodes {
        let longer = |partition: &Vec<u32>| {
            let next = partition.iter().max().map_or(0, |&most| most + 1);
            (0..=next).map(|block| [&partition[..], &[block]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The weight of a partition by the definition: factorials of sizes, and one Beta integral a pair of blocks.
fn weight(partition: &[u32], train: &Pairs, prior: RatePrior) -> f64 {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let blocks = partition.iter().max().map_or(0, |&most| most + 1);
    let mut weight = CONCENTRATION.powi(blocks as i32);
    for block in 0..blocks {
        weight *= factorial(partition.iter().filter(|&&other| other == block).count() - 1);
    }
    let mut seen: HashMap<(u32, u32), [f64; 2]> = HashMap::new();
    for pair in train.iter() {
        let (a, b) = (partition[pair.source as usize], partition[pair.target as usize]);
        let key = if train.symmetric() { (a.min(b), a.max(b)) } else { (a, b) };
        // The chance of the next label given those before it: their product is the integral.
        let counts = seen.entry(key).or_insert(prior.pseudo_counts);
        weight *= counts[usize::from(pair.link)] / (counts[0] + counts[1]);
        counts[usize::from(pair.link)] += 1.0;
    }
    weight
}

#[test]
fn partitions_are_as_frequent_as_enumeration_says() {
    // 52 partitions of five nodes, two networks, five standard errors of 100 batch means: 6e-5 by chance.
    let (sweeps, batches) = (1000, 100);
    for symmetric in [true, false] {
        let links = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 1)];
        let pairs = (0..5).flat_map(|i| (0..5).map(move |j| (i, j))).filter(|&(i, j)| {
            i != j
                && (i, j) != (2, 3)
                && (!symmetric || i < j || (i, j) == (4, 1))
                && (!symmetric || (i, j) != (1, 4))
        });
        let pairs = pairs.map(|(i, j)| Pair { source: i, target: j, link: links.contains(&(i, j)) });
        let train = Pairs::new(5, symmetric, pairs);
        let prior = RatePrior { pseudo_counts: [0.7, 0.4] };
        let all = partitions(5);
        assert_eq!(all.len(), 52);
        let weights: Vec<f64> = all.iter().map(|partition| weight(partition, &train, prior)).collect();
        let total: f64 = weights.iter().sum();
        let mut rng = stream(11, 0, 0, Purpose::Blocks, 0);
        let mut chain = Blocks::limited(&train, usize::MAX, prior, &mut rng);
        let mut means = vec![Vec::new(); all.len()];
        for _ in 0..batches {
            let mut counts: HashMap<Vec<u32>, f64> = HashMap::new();
            for _ in 0..sweeps {
                chain.sweep(&mut rng);
                *counts.entry(canonical(&chain.block)).or_default() += 1.0 / f64::from(sweeps);
            }
            for (means, partition) in means.iter_mut().zip(&all) {
                means.push(counts.get(partition).copied().unwrap_or(0.0));
            }
        }
        for ((means, weight), partition) in means.iter().zip(&weights).zip(&all) {
            let n = f64::from(batches);
            let mean = means.iter().sum::<f64>() / n;
            let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0);
            // A rare partition is hit a few times or never: its standard error is at least that of counts.
            let expected = weight / total;
            let error = (variance / n).sqrt().max((expected / (n * f64::from(sweeps))).sqrt());
            assert!(
                (mean - expected).abs() < 5.0 * error,
                "{symmetric} {partition:?}: {mean} {expected} {error}"
            );
        }
    }
}

#[test]
fn counts_follow_the_blocks() {
    let mut rng = stream(3, 0, 0, Purpose::Blocks, 0);
    for symmetric in [true, false] {
        let pairs = (0..30_u32).flat_map(|i| (0..30).map(move |j| (i, j)));
        let pairs = pairs.filter(|&(i, j)| if symmetric { i < j } else { i != j });
        let pairs = pairs.map(|(i, j)| Pair { source: i, target: j, link: (i * 7 + j * 5) % 6 == 0 });
        let train = Pairs::new(30, symmetric, pairs);
        let mut chain = Blocks::start(&train, &mut rng);
        for _ in 0..20 {
            chain.sweep(&mut rng);
        }
        let mut counts = vec![[0; 2]; chain.counts.len()];
        for pair in train.iter() {
            let place = chain.place(chain.block[pair.source as usize], chain.block[pair.target as usize]);
            counts[place][usize::from(pair.link)] += 1;
        }
        assert_eq!(counts, chain.counts);
        let mut few = Blocks::limited(&train, 3, RatePrior::of(&train), &mut rng);
        for _ in 0..20 {
            few.sweep(&mut rng);
        }
        let numbered = few.numbered();
        assert!(numbered.iter().all(|&block| block < 3));
        assert_eq!(canonical(&numbered), canonical(&few.block));
    }
}
