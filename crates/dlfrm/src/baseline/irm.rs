//! The infinite relational model (Kemp et al. 2006): collapsed Gibbs sampling of who is in which block.
//!
//! The model: blocks of nodes come from a Chinese restaurant process with concentration 1; each ordered pair of blocks
//! (each unordered one, where pairs stand for both directions) has a link rate from a Beta prior; a training pair is a
//! link with the rate of its blocks. Rates are integrated out: of a pair of blocks with l links and n non-links what is
//! left is B(a + l, b + n) / B(a, b). A sweep takes every node out of its block and draws one for it given all others,
//! a new one among them. Kemp and others learn the concentration and a symmetric Beta(b, b) prior; here they are fixed
//! ([`RatePrior`]), which spares a second layer of draws and makes rare links what is expected.
//!
//! A chain starts with no node in a block, and takes them in one by one by the same conditional.

use rand::RngExt;

use crate::network::Pairs;
use crate::random::Stream;

pub(super) trait Chain {
    fn sweep(&mut self, rng: &mut Stream);
    fn probability(&self, source: u32, target: u32) -> f64;
}

/// The Beta prior of the link rate of two blocks, as pseudo-counts of links and non-links.
///
/// Its mean is the share of links among the training pairs and its weight is one pair, so that blocks that were never seen
/// together are as likely to be linked as any.
#[derive(Debug, Clone, Copy)]
pub(super) struct RatePrior {
    /// Non-links, then links, as labels are numbered.
    pub(super) pseudo_counts: [f64; 2],
}

impl RatePrior {
    /// That of a network; links and non-links are counted one too many, so that neither share is 0.
    pub(super) fn of(train: &Pairs) -> Self {
        let share = (train.links() + 1) as f64 / (train.len() + 2) as f64;
        Self { pseudo_counts: [1.0 - share, share] }
    }

    /// The mean rate after so many non-links and links.
    pub(super) fn mean(self, seen: [u32; 2]) -> f64 {
        let [non_links, links] = [0, 1].map(|label| f64::from(seen[label]) + self.pseudo_counts[label]);
        links / (non_links + links)
    }
}

/// Draws a place in proportion to its weight; all of them are finite, and one at least is positive.
pub(super) fn draw(weights: &[f64], rng: &mut Stream) -> usize {
    let total: f64 = weights.iter().sum();
    let mut left = total * rng.random::<f64>();
    for (place, &weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return place;
        }
    }
    // Rounding: the last place that can be drawn.
    weights.iter().rposition(|&weight| weight > 0.0).expect("a positive weight")
}

const CONCENTRATION: f64 = 1.0;
const NOWHERE: u32 = u32::MAX;

pub(super) struct Blocks<'a> {
    train: &'a Pairs,
    prior: RatePrior,
    most: usize,
    /// Logarithms of rising factorials, for non-links, links and both: the Beta functions without their constants.
    rising: [Vec<f64>; 3],
    block: Vec<u32>,
    /// How many nodes a block has: an empty one is free to be founded.
    sizes: Vec<u32>,
    /// Non-links and links from one block to another, row by row; of unordered blocks in the row of the smaller number.
    counts: Vec<[u32; 2]>,
    scratch: Scratch,
}

/// What the pairs of one node say, and the weights of the blocks it may go to.
#[derive(Default)]
struct Scratch {
    /// By block: non-links and links to its members, and from them.
    to: Vec<[u32; 2]>,
    from: Vec<[u32; 2]>,
    met: Vec<u32>,
    weights: Vec<f64>,
}

impl<'a> Blocks<'a> {
    /// Takes the nodes in one by one.
    pub(super) fn start(train: &'a Pairs, rng: &mut Stream) -> Self {
        Self::limited(train, usize::MAX, RatePrior::of(train), rng)
    }

    /// The same with so many blocks at most: beyond them none is founded.
    pub(super) fn limited(train: &'a Pairs, most: usize, prior: RatePrior, rng: &mut Stream) -> Self {
        let [non_links, links] = prior.pseudo_counts;
        let rising = [
            rising(non_links, train.len() - train.links()),
            rising(links, train.links()),
            rising(non_links + links, train.len()),
        ];
        let mut blocks = Self {
            train,
            prior,
            most,
            rising,
            block: vec![NOWHERE; train.nodes()],
            sizes: Vec::new(),
            counts: Vec::new(),
            scratch: Scratch::default(),
        };
        for node in 0..train.nodes() {
            blocks.seat(node, rng);
        }
        blocks
    }

    fn place(&self, from: u32, to: u32) -> usize {
        let turned = self.train.symmetric() && from > to;
        let (row, column) = if turned { (to, from) } else { (from, to) };
        row as usize * self.sizes.len() + column as usize
    }

    /// Makes sure that there is an empty block to be founded, and says which.
    fn free_block(&mut self) -> u32 {
        if let Some(free) = self.sizes.iter().position(|&size| size == 0) {
            return free as u32;
        }
        let old = self.sizes.len();
        let new = (2 * old).max(4);
        let mut counts = vec![[0; 2]; new * new];
        for row in 0..old {
            counts[row * new..row * new + old].copy_from_slice(&self.counts[row * old..(row + 1) * old]);
        }
        self.counts = counts;
        self.sizes.resize(new, 0);
        self.scratch.to.resize(new, [0; 2]);
        self.scratch.from.resize(new, [0; 2]);
        old as u32
    }

    fn gather(&mut self, node: usize) {
        let Self { train, block, scratch: Scratch { to, from, met, .. }, .. } = self;
        for &other in met.iter() {
            to[other as usize] = [0; 2];
            from[other as usize] = [0; 2];
        }
        met.clear();
        let mut see = |list: &mut [[u32; 2]], other: u32, link: bool| {
            let other = block[other as usize];
            if other != NOWHERE {
                met.push(other);
                list[other as usize][usize::from(link)] += 1;
            }
        };
        for pair in train.from(node) {
            see(to, train.targets()[pair], train.label(pair));
        }
        // Without a direction there is one kind of pair.
        let back = if train.symmetric() { to } else { from };
        for (&source, &link) in train.to(node).0.iter().zip(train.labels_to(node)) {
            see(back, source, link);
        }
        met.sort_unstable();
        met.dedup();
    }

    fn count(&mut self, own: u32, change: impl Fn(&mut u32, u32)) {
        for number in 0..self.scratch.met.len() {
            let other = self.scratch.met[number];
            for (place, tally) in [
                (self.place(own, other), self.scratch.to[other as usize]),
                (self.place(other, own), self.scratch.from[other as usize]),
            ] {
                for (count, tally) in self.counts[place].iter_mut().zip(tally) {
                    change(count, tally);
                }
            }
        }
    }

    /// The logarithm of what the pairs that were gathered are worth if their node is in this block.
    fn gain(&self, own: u32) -> f64 {
        let [non_links, links, all] = &self.rising;
        let worth = |[n, l]: [u32; 2]| non_links[n as usize] + links[l as usize] - all[(n + l) as usize];
        let plus = |a: [u32; 2], b: [u32; 2]| [a[0] + b[0], a[1] + b[1]];
        let gain = |place: usize, tally: [u32; 2]| {
            worth(plus(self.counts[place], tally)) - worth(self.counts[place])
        };
        let of_block = |&other: &u32| {
            let (to, from) = (self.scratch.to[other as usize], self.scratch.from[other as usize]);
            if own == other {
                return gain(self.place(own, own), plus(to, from));
            }
            let there = gain(self.place(own, other), to);
            if from == [0; 2] { there } else { there + gain(self.place(other, own), from) }
        };
        self.scratch.met.iter().map(of_block).sum()
    }

    fn seat(&mut self, node: usize, rng: &mut Stream) {
        let free = self.free_block();
        let full = self.sizes.iter().filter(|&&size| size > 0).count() >= self.most;
        let concentration = if full { 0.0 } else { CONCENTRATION };
        self.gather(node);
        let mut weights = std::mem::take(&mut self.scratch.weights);
        weights.clear();
        for block in 0..self.sizes.len() as u32 {
            let size = f64::from(self.sizes[block as usize]);
            let mass = if block == free { concentration } else { size };
            weights.push(if mass > 0.0 { mass.ln() + self.gain(block) } else { f64::NEG_INFINITY });
        }
        let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for weight in &mut weights {
            *weight = (*weight - largest).exp();
        }
        let block = draw(&weights, rng) as u32;
        self.scratch.weights = weights;
        self.block[node] = block;
        self.sizes[block as usize] += 1;
        self.count(block, |count, tally| *count += tally);
    }

    /// The block of each node, those that have members being numbered from 0.
    pub(super) fn numbered(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |&size: &u32| {
            next += u32::from(size > 0);
            next.saturating_sub(1)
        };
        let numbers: Vec<u32> = self.sizes.iter().map(number).collect();
        self.block.iter().map(|&block| numbers[block as usize]).collect()
    }

    fn leave(&mut self, node: usize) {
        self.gather(node);
        let block = self.block[node];
        self.count(block, |count, tally| *count -= tally);
        self.sizes[block as usize] -= 1;
        self.block[node] = NOWHERE;
    }
}

impl Chain for Blocks<'_> {
    fn sweep(&mut self, rng: &mut Stream) {
        for node in 0..self.block.len() {
            self.leave(node);
            self.seat(node, rng);
        }
    }

    fn probability(&self, source: u32, target: u32) -> f64 {
        let place = self.place(self.block[source as usize], self.block[target as usize]);
        self.prior.mean(self.counts[place])
    }
}

/// log of x (x + 1) ... (x + n - 1) for n from 0 to `most`.
fn rising(x: f64, most: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let steps = (0..most).map(|n| {
        sum += (x + n as f64).ln();
        sum
    });
    std::iter::once(0.0).chain(steps).collect()
}

#[cfg(test)]
mod tests {
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
}
