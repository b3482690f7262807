//! Dividing the observed pairs of a network into training and test, by protocols that say what they leak.

use std::fmt;
use std::str::FromStr;

use rand::seq::SliceRandom;

use super::{Network, Pair, Pairs, Unlisted};
use crate::error::{Error, Result};
use crate::random::{Purpose, stream};

/// Which pairs are held out. Figures of different protocols are never comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Protocol {
    /// A uniformly random part of the observed pairs, links and non-links alike (name: `pairs`).
    ///
    /// **Leaks nothing.** In an undirected network an unordered pair goes whole into one side, so no
    /// test link has its own reverse in training. In a directed network (i, j) and (j, i) are two facts,
    /// and one may well be trained on while the other is tested: that is reciprocity, not a leak.
    #[default]
    Pairs,
    /// The same over ordered pairs, an undirected link counted in both directions (name: `paper-pairs`).
    ///
    /// **Leaks in an undirected network**: the reverse of most test links (at a test fraction f, of the
    /// part 1 - f) stands in training as a link, and the reverse of a test non-link as a non-link. The
    /// paper splits so; the protocol exists to compare with its figures. For a directed network it is the
    /// same split as [`Protocol::Pairs`], seed by seed.
    PaperPairs,
}

impl Protocol {
    /// Every protocol that there is.
    pub const ALL: [Self; 2] = [Self::Pairs, Self::PaperPairs];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::PaperPairs => "paper-pairs",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| Error::Unknown {
            what: "split",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// The pairs to learn from and the pairs to be judged on.
///
/// ```
/// use std::sync::Arc;
/// use dlfrm::network::{Entities, Network, Protocol, Split};
///
/// let ring = (0..10).map(|i| (i, (i + 1) % 10));
/// let network = Network::new(Arc::new(Entities::numbered(10)), false, ring)?;
/// let split = Split::new(&network, Protocol::Pairs, 0.2, 1)?;
/// assert_eq!((split.train.len(), split.test.len()), (36, 9));
/// assert_eq!(split.train.links() + split.test_links(), 10);
/// # Ok::<(), dlfrm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Split {
    /// What a model may see. Pairs that are in neither part are unknown to it, not non-links.
    pub train: Pairs,
    /// What it is judged on, in the order of (source, target).
    pub test: Vec<Pair>,
}

impl Split {
    /// Holds out `test_fraction` of the pairs (rounded to whole pairs), the same ones for the same seed.
    ///
    /// A part without links is no error: a sparse relation may have none to give. See
    /// [`Split::test_links`]. The time and memory grow with the number of observed pairs, which is the
    /// square of the number of entities unless the network lists what is observed.
    pub fn new(network: &Network, protocol: Protocol, test_fraction: f64, seed: u64) -> Result<Self> {
        if !(test_fraction > 0.0 && test_fraction < 1.0) {
            return Err(Error::Setting {
                name: "test-fraction",
                expected: "between 0 and 1, both excluded",
                value: test_fraction.to_string(),
            });
        }
        let both_ways = protocol == Protocol::PaperPairs && !network.directed();
        let count = observed_pairs(network) * if both_ways { 2 } else { 1 };
        // The numbers of pairs are u32 throughout; told here because such a network is a user's choice.
        let count = u32::try_from(count).map_err(|_| {
            Error::Network(format!("{count} observed pairs are too many to split, {} are possible", u32::MAX))
        })?;
        let held_out = hold_out(count, test_fraction, seed);
        let ordered: Box<dyn Iterator<Item = Pair>> =
            if both_ways { Box::new(in_both_directions(network).into_iter()) } else { network.observed() };
        let test_count = held_out.iter().filter(|&&out| out).count();
        let mut test = Vec::with_capacity(test_count);
        let mut train = Vec::with_capacity(count as usize - test_count);
        for (pair, &out) in ordered.zip(&held_out) {
            if out { &mut test } else { &mut train }.push(pair);
        }
        debug_assert_eq!(train.len() + test.len(), count as usize);
        let symmetric = !network.directed() && !both_ways;
        Ok(Self { train: Pairs::new(network.len(), symmetric, train), test })
    }

    /// How many of the test pairs are links.
    pub fn test_links(&self) -> usize {
        self.test.iter().filter(|pair| pair.link).count()
    }

    /// How many of the test pairs are not links.
    pub fn test_non_links(&self) -> usize {
        self.test.len() - self.test_links()
    }

    /// The test pairs without their labels, as predictors and baselines are given them.
    pub fn test_pairs(&self) -> Vec<(u32, u32)> {
        self.test.iter().map(|pair| (pair.source, pair.target)).collect()
    }

    /// The labels of the test pairs, in their order, as the scores take them.
    pub fn test_labels(&self) -> Vec<bool> {
        self.test.iter().map(|pair| pair.link).collect()
    }
}

/// How many pairs [`Network::observed`] yields, without walking through them.
fn observed_pairs(network: &Network) -> u64 {
    match network.unlisted() {
        Unlisted::Unobserved => (network.links().len() + network.non_links().len()) as u64,
        Unlisted::NonLink => {
            let n = network.len() as u64;
            let ordered = n * n.saturating_sub(1);
            let all = if network.directed() { ordered } else { ordered / 2 };
            all - network.unobserved().len() as u64
        }
    }
}

/// Marks a random part of `count` pairs, in pair order so that both parts keep it without sorting.
fn hold_out(count: u32, fraction: f64, seed: u64) -> Vec<bool> {
    let test = (fraction * f64::from(count)).round() as usize;
    let mut numbers: Vec<u32> = (0..count).collect();
    let mut rng = stream(seed, 0, 0, Purpose::Split, 0);
    let (chosen, _) = numbers.partial_shuffle(&mut rng, test);
    let mut held_out = vec![false; count as usize];
    for &mut number in chosen {
        held_out[number as usize] = true;
    }
    held_out
}

fn in_both_directions(network: &Network) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = network
        .observed()
        .flat_map(|pair| [pair, Pair { source: pair.target, target: pair.source, ..pair }])
        .collect();
    pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::network::Entities;

    fn network(n: usize, directed: bool, links: &[(u32, u32)]) -> Network {
        let links = links.iter().copied().filter(|(i, j)| i != j);
        Network::new(Arc::new(Entities::numbered(n)), directed, links).unwrap()
    }

    /// Sources, targets and labels of both parts together.
    fn together(split: &Split) -> HashSet<(u32, u32, bool)> {
        split.train.iter().chain(split.test.iter().copied()).map(|p| (p.source, p.target, p.link)).collect()
    }

    proptest! {
        #[test]
        fn parts_make_up_the_whole(
            n in 2_usize..12,
            links in prop::collection::vec((0_u32..12, 0_u32..12), 0..40),
            directed: bool,
            paper: bool,
            fraction in 0.01_f64..0.99,
            seed: u64,
        ) {
            let links: Vec<_> = links.iter().map(|&(i, j)| (i % n as u32, j % n as u32)).collect();
            let network = network(n, directed, &links);
            let protocol = if paper { Protocol::PaperPairs } else { Protocol::Pairs };
            let split = Split::new(&network, protocol, fraction, seed).unwrap();
            let mut whole: HashSet<_> = network.observed().map(|p| (p.source, p.target, p.link)).collect();
            if paper && !directed {
                whole.extend(network.observed().map(|p| (p.target, p.source, p.link)));
            }
            prop_assert_eq!(split.train.len() + split.test.len(), whole.len());
            prop_assert_eq!(split.test.len(), (fraction * whole.len() as f64).round() as usize);
            prop_assert_eq!(together(&split), whole);
            prop_assert_eq!(split.train.symmetric(), !directed && !paper);
            prop_assert!(split.test.is_sorted_by_key(|p| (p.source, p.target)));
            let again = Split::new(&network, protocol, fraction, seed).unwrap();
            prop_assert_eq!(again.test, split.test);
        }
    }

    #[test]
    fn every_pair_is_held_out_equally_often() {
        // 45 pairs, 2000 seeds, 20 %: counts have mean 400 and deviation 17.9; five deviations fail by
        // chance for one of the 45 pairs with probability below 3e-5.
        let network = network(10, false, &[(0, 1), (2, 3)]);
        let mut counts = std::collections::HashMap::new();
        for seed in 0..2000 {
            for pair in Split::new(&network, Protocol::Pairs, 0.2, seed).unwrap().test {
                *counts.entry((pair.source, pair.target)).or_insert(0) += 1;
            }
        }
        assert_eq!(counts.len(), 45);
        assert!(counts.values().all(|&count: &i32| (count - 400).abs() < 90), "{counts:?}");
    }

    #[test]
    fn directed_networks_have_one_split() {
        let network = network(9, true, &[(0, 1), (1, 0), (4, 8)]);
        let [one, other] = Protocol::ALL.map(|p| Split::new(&network, p, 0.3, 5).unwrap());
        assert_eq!(one.test, other.test);
    }

    #[test]
    fn explicit_labels_are_honoured() {
        let network =
            network(5, false, &[(0, 1)]).with_labels([(2, 3), (1, 4)], [], Unlisted::Unobserved).unwrap();
        assert_eq!(together(&Split::new(&network, Protocol::Pairs, 0.5, 1).unwrap()).len(), 3);
        assert_eq!(together(&Split::new(&network, Protocol::PaperPairs, 0.5, 1).unwrap()).len(), 6);
        for n in [0, 1] {
            let empty = Network::new(Arc::new(Entities::numbered(n)), true, []).unwrap();
            assert!(Split::new(&empty, Protocol::Pairs, 0.5, 1).unwrap().test.is_empty());
        }
    }

    #[test]
    fn mistakes_are_told() {
        let small = network(3, false, &[(0, 1)]);
        for bad in [0.0, 1.0, -0.2, f64::NAN, f64::INFINITY] {
            let error = Split::new(&small, Protocol::Pairs, bad, 1).unwrap_err();
            assert!(error.to_string().contains(&bad.to_string()), "{error}");
        }
        let error = "paper-links".parse::<Protocol>().unwrap_err();
        assert_eq!(error.to_string(), "unknown split 'paper-links'; known are pairs, paper-pairs");
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse::<Protocol>().unwrap(), protocol);
        }
        let large = network(100_000, true, &[]);
        assert!(Split::new(&large, Protocol::Pairs, 0.2, 1).is_err());
    }
}
