//! Fixed splits: a network to learn from, and pairs that are held out of it.

use super::{Network, Pair, Pairs, Split, Unlisted};
use crate::error::Result;

/// Which pairs of a network are learned from, beside test pairs that are fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Training {
    /// All observed pairs.
    Observed,
    /// All links and listed non-links, which are a random part of all non-links.
    ListedSample,
    /// All links and so many non-links per link, drawn with a seed.
    Sampled {
        /// Non-links per link.
        negatives: f64,
        /// What they are drawn with.
        seed: u64,
    },
}

impl Split {
    /// A split by hand: everything observed in `network` but `test` and `validation` is for training.
    ///
    /// A link or a listed non-link of the network that is held out all the same is an error.
    pub fn from_pairs(
        network: &Network,
        test: &[Pair],
        validation: &[Pair],
        training: Training,
    ) -> Result<Self> {
        let held_out = test.iter().chain(validation).map(|pair| (pair.source, pair.target));
        let unknown: Vec<(u32, u32)> = network.unobserved().iter().copied().chain(held_out).collect();
        let known = |unlisted: Unlisted| {
            network.clone().with_labels(
                network.non_links().iter().copied(),
                unknown.iter().copied(),
                unlisted,
            )
        };
        let rest = known(network.unlisted())?;
        let train = match training {
            Training::Observed => Pairs::observed(&rest, false),
            Training::Sampled { negatives, seed } => Pairs::sampled(&rest, false, negatives, seed)?,
            Training::ListedSample => {
                let all = known(Unlisted::NonLink)?.observed_count() - network.links().len() as u64;
                let share = rest.non_links().len() as f64 / all as f64;
                Pairs::observed(&known(Unlisted::Unobserved)?, false).with_non_link_share(share)
            }
        };
        let turn = |pair: &Pair| {
            let turned = !network.directed() && pair.source > pair.target;
            if turned { Pair { source: pair.target, target: pair.source, ..*pair } } else { *pair }
        };
        let in_order = |pairs: &[Pair]| {
            let mut pairs: Vec<Pair> = pairs.iter().map(turn).collect();
            pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
            pairs
        };
        Ok(Self { train, test: in_order(test), validation: in_order(validation) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::network::{Nodes, Protocol};

    fn numbered(links: impl IntoIterator<Item = (u32, u32)>) -> Network {
        Network::new(Arc::new(Nodes::numbered(30)), false, links).unwrap()
    }

    fn links_of(pairs: &Pairs, link: bool) -> impl Iterator<Item = (u32, u32)> + '_ {
        pairs.iter().filter(move |pair| pair.link == link).map(|pair| (pair.source, pair.target))
    }

    #[test]
    fn a_split_taken_apart_is_put_together_again() {
        let network = numbered((0..30).map(|i| (i, (i + 1) % 30)).chain((0..28).map(|i| (i, i + 2))));
        for protocol in [Protocol::Pairs, Protocol::Links] {
            let split = Split::with_negatives(&network, protocol, 0.2, 3.0, 4).unwrap();
            let (rest, training) = if protocol.samples() {
                let rest = numbered(links_of(&split.train, true));
                let listed = links_of(&split.train, false);
                (rest.with_labels(listed, [], Unlisted::Unobserved).unwrap(), Training::ListedSample)
            } else {
                (numbered(links_of(&split.train, true)), Training::Observed)
            };
            let again = Split::from_pairs(&rest, &split.test, &[], training).unwrap();
            assert_eq!(again.test, split.test);
            assert!(again.train.iter().eq(split.train.iter()) && again.train.symmetric());
            assert_eq!(again.train.non_link_share(), split.train.non_link_share());
        }
    }

    #[test]
    fn validation_pairs_are_hidden_and_turned_pairs_understood() {
        let network = numbered([(0, 1), (1, 2)]);
        let pair = |source, target, link| Pair { source, target, link };
        let split =
            Split::from_pairs(&network, &[pair(5, 3, true)], &[pair(7, 8, false)], Training::Observed)
                .unwrap();
        assert_eq!(split.test, [pair(3, 5, true)]);
        assert_eq!(split.train.len(), 30 * 29 / 2 - 2);
        let training = Training::Sampled { negatives: 4.0, seed: 1 };
        assert_eq!(Split::from_pairs(&network, &[pair(5, 3, true)], &[], training).unwrap().train.len(), 10);
        let message = Split::from_pairs(&network, &[pair(2, 1, true)], &[], Training::Observed).unwrap_err();
        assert!(message.to_string().contains("'1', '2'"), "{message}");
    }
}
