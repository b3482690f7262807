//! A generator for every (seed, chain, sweep, purpose, block), so that results do not depend on threads.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator that everything in this crate draws from.
pub type Stream = Xoshiro256PlusPlus;

/// What a stream is used for. The numbers are part of what makes a run reproducible: never reuse one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The start of a chain.
    Start = 1,
    /// Augmentation variables.
    Augment = 2,
    /// Rows of features, and new ones.
    Features = 3,
    /// Weights.
    Weights = 4,
    /// Intercept.
    Intercept = 5,
    /// Hyperparameters.
    Hyper = 6,
    /// Dividing pairs into training and test.
    Split = 7,
    /// Networks drawn from the model.
    Generate = 8,
    /// Rows of features with the augmentation integrated out.
    CollapsedRows = 9,
    /// Non-links to learn from.
    Negatives = 10,
    /// The linear part.
    Linear = 11,
    /// Resampled test pairs.
    Bootstrap = 20,
    /// Block models.
    Blocks = 21,
    /// Development sets.
    Development = 22,
    /// Weights of new features shared by several relations.
    FeaturesOfRelations = 23,
    /// Pairs that chains are compared by.
    Probe = 24,
    /// Pairs that a support vector machine learns from.
    SupportVectors = 30,
    /// Networks with planted groups.
    Planted = 40,
}

/// Where a run is: with a purpose and a block it is the key of a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamKey {
    /// The seed of the run.
    pub seed: u64,
    /// The chain.
    pub chain: u64,
    /// The sweep, counted from 1; 0 is the start.
    pub sweep: u64,
}

impl StreamKey {
    /// The stream for one block of one purpose.
    pub fn stream(self, purpose: Purpose, block: u64) -> Stream {
        stream(self.seed, self.chain, self.sweep, purpose, block)
    }
}

/// The stream for one block of one kernel in one sweep of one chain.
pub fn stream(seed: u64, chain: u64, sweep: u64, purpose: Purpose, block: u64) -> Stream {
    let mut state = seed;
    for part in [chain, sweep, purpose as u64, block] {
        state = mix(state ^ scatter(part));
    }
    Stream::seed_from_u64(state)
}

/// The seed of one of several runs that repeat an experiment: independent ones for any two (seed, run).
pub fn run_seed(seed: u64, run: u64) -> u64 {
    mix(scatter(seed) ^ run.wrapping_add(0x6a09_e667_f3bc_c909))
}

/// A step of SplitMix64: a bijection that sends small numbers far apart, and 0 elsewhere.
pub(crate) fn scatter(x: u64) -> u64 {
    mix(x.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The finaliser of SplitMix64: a bijection in which every input bit moves every output bit.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::RngExt;

    use super::*;

    #[test]
    fn runs_have_their_own_seeds() {
        let seeds: HashSet<u64> = (0..50).flat_map(|s| (0..50).map(move |r| run_seed(s, r))).collect();
        assert_eq!(seeds.len(), 2500);
    }

    #[test]
    fn streams_differ_in_every_part() {
        let mut seen = HashSet::new();
        let purposes = [Purpose::Start, Purpose::Augment, Purpose::Weights];
        for number in 0..256 {
            let [seed, chain, sweep, block] = [1, 4, 16, 64].map(|place| number / place % 4);
            for purpose in purposes {
                assert!(seen.insert(stream(seed, chain, sweep, purpose, block).random::<u64>()));
            }
        }
    }
}
