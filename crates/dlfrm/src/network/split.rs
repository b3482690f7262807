//! Dividing the observed pairs of a network into training and test.

use rand::seq::SliceRandom;

use super::{Network, Pair, Pairs, Protocol, sample};
use crate::error::{Error, Result};
use crate::random::{Purpose, Stream, stream};

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
    /// Holds out `test_fraction` of the pairs, or of the links (rounded to whole ones), the same ones for the same
    /// seed; where non-links are sampled, [`Protocol::NEGATIVES`] for a link in training.
    ///
    /// A part without links is no error: a sparse relation may have none to give. See
    /// [`Split::test_links`]. The time and memory grow with the number of pairs in both parts: that of observed
    /// pairs, which is the square of the number of entities unless the network lists what is observed, or that of
    /// links, where non-links are sampled.
    pub fn new(network: &Network, protocol: Protocol, test_fraction: f64, seed: u64) -> Result<Self> {
        Self::with_negatives(network, protocol, test_fraction, Protocol::NEGATIVES, seed)
    }

    /// The same with another number of non-links a link in training, if the protocol samples them.
    pub fn with_negatives(
        network: &Network,
        protocol: Protocol,
        test_fraction: f64,
        negatives: f64,
        seed: u64,
    ) -> Result<Self> {
        if !(test_fraction > 0.0 && test_fraction < 1.0) {
            return Err(Error::Setting {
                name: "test-fraction",
                expected: "between 0 and 1, both excluded",
                value: test_fraction.to_string(),
            });
        }
        let symmetric = !network.directed() && !protocol.ordered();
        let (train, test) = match protocol {
            Protocol::Links | Protocol::PaperLinks => {
                divide_links(network, protocol.ordered(), test_fraction, negatives, seed)?
            }
            Protocol::Pairs | Protocol::PaperPairs => {
                divide_pairs(network, protocol.ordered(), test_fraction, seed)?
            }
            Protocol::Connected => divide_connected(network, test_fraction, seed)?,
        };
        let train = Pairs::new(network.len(), symmetric, train);
        if !protocol.samples() {
            return Ok(Self { train, test });
        }
        // A pair that is held out is not among those that were sampled from, link or not.
        let held_out = test.iter().filter(|pair| !pair.link).count() as u64;
        let available = sample::available(network, protocol.ordered()) - held_out;
        let share = (train.len() - train.links()) as f64 / available as f64;
        Ok(Self { train: train.with_non_link_share(share), test })
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

/// Training and test pairs, every observed pair being in one of them.
fn divide_pairs(
    network: &Network,
    ordered: bool,
    test_fraction: f64,
    seed: u64,
) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let both_ways = network.both_ways(ordered);
    let count = countable(network.observed_count() * if both_ways { 2 } else { 1 })?;
    let test_count = (test_fraction * f64::from(count)).round() as usize;
    let held_out = choose(count as usize, test_count, &mut stream(seed, 0, 0, Purpose::Split, 0));
    if !both_ways {
        return Ok(part(network.observed(), &held_out));
    }
    let mut pairs: Vec<Pair> = network.observed_in(ordered).collect();
    pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
    Ok(part(pairs.into_iter(), &held_out))
}

/// The numbers of pairs are u32 throughout; told here because such a network is a user's choice.
fn countable(pairs: u64) -> Result<u32> {
    u32::try_from(pairs).map_err(|_| {
        Error::Network(format!("{pairs} observed pairs are too many to split, {} are possible", u32::MAX))
    })
}

/// Training and test pairs, every entity that has links keeping one of them in training.
fn divide_connected(network: &Network, test_fraction: f64, seed: u64) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let count = countable(network.observed_count())? as usize;
    let mut rng = stream(seed, 0, 0, Purpose::Split, 2);
    let links = network.links();
    let part_of = |count: usize| (test_fraction * count as f64).round() as usize;
    let mut left = vec![0_u32; network.len()];
    for end in links.iter().flat_map(|&(i, j)| [i, j]) {
        left[end as usize] += 1;
    }
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.shuffle(&mut rng);
    let mut link_out = vec![false; links.len()];
    let mut wanted = part_of(links.len());
    for number in order {
        let ends = [links[number].0, links[number].1].map(|end| end as usize);
        if wanted > 0 && ends.iter().all(|&end| left[end] > 1) {
            for end in ends {
                left[end] -= 1;
            }
            link_out[number] = true;
            wanted -= 1;
        }
    }
    let non_links = count - links.len();
    let non_link_out = choose(non_links, part_of(non_links), &mut rng);
    let (mut link_out, mut non_link_out) = (link_out.into_iter(), non_link_out.into_iter());
    let held_out = network.observed().map(|pair| {
        let out = if pair.link { link_out.next() } else { non_link_out.next() };
        out.expect("as many as were counted")
    });
    let held_out: Vec<bool> = held_out.collect();
    Ok(part(network.observed(), &held_out))
}

/// Training and test links, each with non-links.
fn divide_links(
    network: &Network,
    ordered: bool,
    test_fraction: f64,
    negatives: f64,
    seed: u64,
) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let links = sample::links(network, ordered);
    let test_count = (test_fraction * links.len() as f64).round() as usize;
    let train_count = sample::wanted(links.len() - test_count, negatives)?;
    let mut rng = stream(seed, 0, 0, Purpose::Split, 1);
    let held_out = choose(links.len(), test_count, &mut rng);
    let (mut train, mut test) = part(sample::labelled(links, true), &held_out);
    let non_links = sample::non_links(network, ordered, train_count + test_count, &mut rng)?;
    let held_out = choose(non_links.len(), test_count, &mut rng);
    let (more_train, more_test) = part(sample::labelled(non_links, false), &held_out);
    train.extend(more_train);
    test.extend(more_test);
    test.sort_unstable_by_key(|pair| (pair.source, pair.target));
    Ok((train, test))
}

/// The pairs that are not held out, and those that are.
fn part(pairs: impl Iterator<Item = Pair>, held_out: &[bool]) -> (Vec<Pair>, Vec<Pair>) {
    let test_count = held_out.iter().filter(|&&out| out).count();
    let mut test = Vec::with_capacity(test_count);
    let mut train = Vec::with_capacity(held_out.len() - test_count);
    for (pair, &out) in pairs.zip(held_out) {
        if out { &mut test } else { &mut train }.push(pair);
    }
    debug_assert_eq!(train.len() + test.len(), held_out.len());
    (train, test)
}

/// Marks so many of `count` at random, in their order so that both parts keep it without sorting.
fn choose(count: usize, chosen: usize, rng: &mut Stream) -> Vec<bool> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let (chosen, _) = numbers.partial_shuffle(rng, chosen);
    let mut marked = vec![false; count];
    for &mut number in chosen {
        marked[number as usize] = true;
    }
    marked
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::network::{Entities, Unlisted};

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
        let [one, other, links, paper_links, _] =
            Protocol::ALL.map(|p| Split::new(&network, p, 0.3, 5).unwrap());
        assert_eq!((one.test, links.test), (other.test, paper_links.test));
    }

    #[test]
    fn links_are_held_out_with_as_many_non_links() {
        let ring: Vec<(u32, u32)> = (0..100).map(|i| (i, (i + 1) % 100)).collect();
        for directed in [false, true] {
            let network = network(100, directed, &ring);
            for protocol in [Protocol::Links, Protocol::PaperLinks] {
                let split = Split::with_negatives(&network, protocol, 0.2, 4.0, 3).unwrap();
                let links = if protocol == Protocol::PaperLinks && !directed { 200 } else { 100 };
                let (train_links, test_links) = (links * 4 / 5, links / 5);
                assert_eq!((split.train.links(), split.train.len()), (train_links, 5 * train_links));
                assert_eq!((split.test_links(), split.test_non_links()), (test_links, test_links));
                assert_eq!(together(&split).len(), 5 * train_links + 2 * test_links, "a pair stands twice");
                assert!(together(&split).iter().all(|&(i, j, link)| network.has_link(i, j) == link));
                assert!(split.test.is_sorted_by_key(|pair| (pair.source, pair.target)));
                assert_eq!(Split::with_negatives(&network, protocol, 0.2, 4.0, 3).unwrap().test, split.test);
                assert_ne!(Split::with_negatives(&network, protocol, 0.2, 4.0, 4).unwrap().test, split.test);
                if protocol == Protocol::Links && !directed {
                    assert!(split.train.symmetric());
                    assert!(together(&split).iter().all(|&(i, j, _)| i < j));
                }
            }
        }
    }

    #[test]
    fn everybody_keeps_a_link() {
        // A hub, a ring and a far pair: most links are somebody's only one, or become so.
        let spokes = (1..20).map(|j| (0, j));
        let ring = (1..20).map(|i| (i, i % 19 + 1));
        let links: Vec<(u32, u32)> = spokes.chain(ring).chain([(20, 21)]).collect();
        for directed in [false, true] {
            let network = network(24, directed, &links);
            for (fraction, seed) in [(0.2, 1), (0.5, 2), (0.9, 3)] {
                let split = Split::new(&network, Protocol::Connected, fraction, seed).unwrap();
                let mut kept = HashSet::new();
                for pair in split.train.iter().filter(|pair| pair.link) {
                    kept.extend([pair.source, pair.target]);
                }
                assert_eq!(kept, (0..22).collect());
                assert_eq!(
                    together(&split),
                    network.observed().map(|p| (p.source, p.target, p.link)).collect()
                );
                let wanted = (fraction * network.links().len() as f64).round() as usize;
                assert!(split.test_links() <= wanted && (fraction > 0.4 || split.test_links() == wanted));
                let non_links = network.observed_count() as usize - network.links().len();
                assert_eq!(split.test_non_links(), (fraction * non_links as f64).round() as usize);
            }
        }
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
        let error = "paper".parse::<Protocol>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown split 'paper'; known are pairs, paper-pairs, links, paper-links, connected"
        );
        let told = Split::new(&small, Protocol::Links, 0.3, 1).unwrap_err().to_string();
        assert!(told.contains("10 non-links are asked for, but only 2"), "{told}");
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse::<Protocol>().unwrap(), protocol);
        }
        let large = network(100_000, true, &[]);
        assert!(Split::new(&large, Protocol::Pairs, 0.2, 1).is_err());
    }
}
