//! The infinite relational model (Kemp et al. 2006): collapsed Gibbs sampling of who is in which block.
//!
//! The model: blocks of nodes come from a Chinese restaurant process with concentration 1; each ordered pair of blocks
//! (each unordered one, where pairs stand for both directions) has a link rate from a Beta prior; a training pair is a
//! link with the rate of its blocks. Rates are integrated out: of a pair of blocks with l links and n non-links what is
//! left is B(a + l, b + n) / B(a, b). A sweep takes every node out of its block and draws one for it given all others,
//! a new one among them. Kemp and others learn the concentration and a symmetric Beta(b, b) prior; here they are fixed
//! (`blocks::RatePrior`), which spares a second layer of draws and makes rare links what is expected.
//!
//! A chain starts with no node in a block, and takes them in one by one by the same conditional.

use super::blocks::{Chain, RatePrior, draw};
use crate::network::Pairs;
use crate::random::Stream;

/// The concentration of the Chinese restaurant process.
const CONCENTRATION: f64 = 1.0;
/// A node that is in no block yet.
const NOWHERE: u32 = u32::MAX;

/// The blocks of a chain.
pub(super) struct Blocks<'a> {
    train: &'a Pairs,
    prior: RatePrior,
    /// The most blocks that there may be.
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
    /// The blocks that have any.
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

    /// Gathers the pairs of a node with those that are in blocks.
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

    /// Adds what was gathered to the counts of a block, or takes it away.
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

    /// Draws the block of a node that is in none.
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

    /// Takes a node out of its block.
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
mod tests;
