//! Block models to compare with: nodes are in blocks, and a link depends on the blocks of its ends.
//!
//! Unlike the other baselines they are fitted, to all training pairs, links and non-links, and never to pairs that are not
//! among them; and they give probabilities. They are what the paper's authors compare latent features with.

use rayon::prelude::*;

use super::irm::{self, Chain};
use super::mmsb;
use crate::error::{Error, PairsFor, Result};
use crate::network::Pairs;
use crate::random::{Purpose, Stream, stream};

/// More training pairs than this are refused: a sweep looks at every one of them.
const MOST_PAIRS: usize = 10_000_000;
/// Beyond so many training pairs there are fewer chains and sweeps.
const LARGE: usize = 1_000_000;

/// The probabilities of some pairs by one chain that is fitted to the training pairs.
type Run = fn(&Pairs, &[(u32, u32)], Length, &mut Stream) -> Vec<f64>;

/// A model of blocks.
#[derive(Debug, Clone, Copy)]
pub struct BlockModel {
    /// The name that commands and files use.
    pub name: &'static str,
    /// The number of its random streams: never reuse one.
    block: u64,
    run: Run,
}

/// Every block model: the infinite relational model of Kemp, Tenenbaum, Griffiths, Yamada and Ueda (2006), where every node
/// is in one block and the number of blocks is learned; and the mixed-membership stochastic block model of Airoldi, Blei, Fienberg
/// and Xing (2008), where a node is in one of 20 blocks for each of its pairs.
pub static BLOCK_MODELS: &[BlockModel] = &[
    BlockModel {
        name: "irm",
        block: 0,
        run: |train, pairs, length, rng| run(irm::Blocks::start(train, rng), pairs, length, rng),
    },
    BlockModel {
        name: "mmsb",
        block: 1,
        run: |train, pairs, length, rng| run(mmsb::Memberships::start(train, rng), pairs, length, rng),
    },
];

/// How long a model is fitted.
#[derive(Debug, Clone, Copy)]
struct Length {
    chains: u64,
    burn_in: u64,
    draws: u64,
}

impl Length {
    fn of(pairs: usize) -> Self {
        if pairs <= LARGE {
            Self { chains: 4, burn_in: 50, draws: 50 }
        } else {
            Self { chains: 2, burn_in: 10, draws: 10 }
        }
    }
}

impl BlockModel {
    /// The probability of a link for each pair (source, target): the mean over draws of several chains that were fitted
    /// to `train`.
    ///
    /// Where the non-links of `train` are a sample, probabilities are those among such pairs: they rank, and no more.
    pub fn score(self, train: &Pairs, pairs: &[(u32, u32)], seed: u64) -> Result<Vec<f64>> {
        if train.len() > MOST_PAIRS {
            let (method, pairs) = (self.name.to_owned(), train.len());
            return Err(Error::TooManyPairs {
                purpose: PairsFor::Method { method, pairs, most: MOST_PAIRS },
            });
        }
        let length = Length::of(train.len());
        let chains: Vec<Vec<f64>> = (0..length.chains)
            .into_par_iter()
            .map(|chain| {
                let mut rng = stream(seed, chain, 0, Purpose::Blocks, self.block);
                (self.run)(train, pairs, length, &mut rng)
            })
            .collect();
        // Summed in the order of the chains, whichever ended first.
        let mean = |pair: usize| chains.iter().map(|chain| chain[pair]).sum::<f64>() / length.chains as f64;
        Ok((0..pairs.len()).map(mean).collect())
    }
}

/// The mean probabilities over the draws of one chain.
fn run(mut chain: impl Chain, test: &[(u32, u32)], length: Length, rng: &mut Stream) -> Vec<f64> {
    let mut sums = vec![0.0; test.len()];
    for sweep in 0..length.burn_in + length.draws {
        chain.sweep(rng);
        if sweep >= length.burn_in {
            for (sum, &(source, target)) in sums.iter_mut().zip(test) {
                *sum += chain.probability(source, target);
            }
        }
    }
    for sum in &mut sums {
        *sum /= length.draws as f64;
    }
    sums
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::network::Pair;
    use crate::score::auc;

    /// Two groups of 20: links within, few between, directed or not; every fifth pair is held out.
    fn planted(symmetric: bool) -> (Pairs, Vec<(u32, u32)>, Vec<bool>) {
        let mut rng = stream(5, 0, 0, Purpose::Generate, 0);
        let (mut train, mut test, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for source in 0..40_u32 {
            for target in 0..40_u32 {
                if source == target || (symmetric && source > target) {
                    continue;
                }
                // Of ordered pairs those that lead from one group to the other are linked: no other model sees that.
                let near = if symmetric { source % 2 == target % 2 } else { source % 2 < target % 2 };
                let link = rng.random::<f64>() < if near { 0.7 } else { 0.05 };
                if rng.random::<f64>() < 0.2 {
                    test.push((source, target));
                    labels.push(near);
                } else {
                    train.push(Pair { source, target, link });
                }
            }
        }
        (Pairs::new(40, symmetric, train), test, labels)
    }

    #[test]
    fn planted_blocks_are_found() {
        for symmetric in [true, false] {
            let (train, test, near) = planted(symmetric);
            for model in BLOCK_MODELS {
                let scores = model.score(&train, &test, 1).unwrap();
                let area = auc(&scores, &near).unwrap();
                assert!(area > 0.97, "{} {symmetric}: {area}", model.name);
                assert!(scores.iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let (train, test, _) = planted(false);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                BLOCK_MODELS.iter().map(|model| model.score(&train, &test, 3).unwrap()).collect::<Vec<_>>()
            })
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn nodes_without_pairs_have_the_rate_of_all() {
        let train = Pairs::new(
            5,
            false,
            [Pair { source: 0, target: 1, link: true }, Pair { source: 1, target: 0, link: false }],
        );
        for model in BLOCK_MODELS {
            let scores = model.score(&train, &[(3, 4), (0, 4)], 1).unwrap();
            assert!(scores.iter().all(|p| (0.2..0.8).contains(p)), "{} {scores:?}", model.name);
        }
        assert!(BLOCK_MODELS[0].score(&Pairs::new(0, true, []), &[], 1).unwrap().is_empty());
    }
}
