//! Dividing the observed pairs of a network into training and test: at random, or as somebody else has divided them.

use rand::seq::SliceRandom;

use crate::error::{Error, PairsFor, Result};
use crate::network::{Network, Pair, Pairs, Unlisted};
use crate::random::{Purpose, Stream, stream};

use super::non_links;
use super::options::{HeldOut, Protocol, SplitOptions, TestNegatives};

/// The training pairs and the test pairs.
#[derive(Debug, Clone)]
pub struct Split {
    /// What a model may see. Pairs that are in neither part are unknown to it, not non-links.
    pub train: Pairs,
    /// What it is evaluated on, in the order of (source, target).
    pub test: Vec<Pair>,
    /// What settings may be chosen by, if there is anything: neither training nor test pairs.
    pub validation: Vec<Pair>,
}

impl Split {
    /// Holds out `test_fraction` of the pairs, or of the links (rounded to whole ones), the same ones for the same
    /// seed; where non-links are sampled, [`Protocol::NEGATIVES`] for a link in training.
    ///
    /// A part without links is no error: a sparse relation may have none to give.
    pub fn new(network: &Network, protocol: Protocol, test_fraction: f64, seed: u64) -> Result<Self> {
        let held_out = HeldOut::Fraction(test_fraction);
        Self::with_options(network, &SplitOptions { held_out, ..SplitOptions::new(protocol) }, seed)
    }

    /// The same with all that can be chosen.
    pub fn with_options(network: &Network, options: &SplitOptions, seed: u64) -> Result<Self> {
        options.check()?;
        let protocol = options.protocol;
        let symmetric = !network.directed() && !protocol.ordered();
        let (train, test) = match protocol {
            Protocol::Links | Protocol::PaperLinks => divide_links(network, options, seed)?,
            Protocol::Pairs | Protocol::PaperPairs => {
                divide_pairs(network, protocol.ordered(), options.held_out, seed)?
            }
            Protocol::Connected => divide_connected(network, options.held_out, seed)?,
        };
        let train = Pairs::new(network.len(), symmetric, train).with_modes(network.modes());
        if !protocol.samples() {
            return Ok(Self { train, test, validation: vec![] });
        }
        // A pair that is held out is not among those that were sampled from, link or not.
        let held_out = test.iter().filter(|pair| !pair.link).count() as u64;
        let available = non_links::available(network, protocol.ordered()) - held_out;
        let share = (train.len() - train.links()) as f64 / available as f64;
        Ok(Self { train: train.with_non_link_share(share), test, validation: vec![] })
    }

    /// How many of the test pairs are links.
    pub fn test_links(&self) -> usize {
        self.test.iter().filter(|pair| pair.link).count()
    }

    /// How many of the test pairs are not links.
    pub fn test_non_links(&self) -> usize {
        self.test.len() - self.test_links()
    }

    /// How many training non-links there are per training link.
    pub fn non_links_per_link(&self) -> f64 {
        let links = self.train.links();
        (self.train.len() - links) as f64 / links.max(1) as f64
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
    share: HeldOut,
    seed: u64,
) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let both_ways = network.both_ways(ordered);
    let count = countable(network.observed_count() * if both_ways { 2 } else { 1 })?;
    let held_out = choose(count as usize, share, &mut stream(seed, 0, 0, Purpose::Split, 0));
    if !both_ways {
        return Ok(part(network.observed(), &held_out));
    }
    let mut pairs: Vec<Pair> = network.observed_in(ordered).collect();
    pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
    Ok(part(pairs.into_iter(), &held_out))
}

/// The numbers of pairs are u32 throughout. Checked here because such a network is a user's choice.
fn countable(pairs: u64) -> Result<u32> {
    u32::try_from(pairs).map_err(|_| Error::TooManyPairs { purpose: PairsFor::Split { pairs } })
}

/// Training and test pairs, every node that has links keeping one of them in training.
fn divide_connected(network: &Network, share: HeldOut, seed: u64) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let count = countable(network.observed_count())? as usize;
    let mut rng = stream(seed, 0, 0, Purpose::Split, 2);
    let links = network.links();
    let mut left = vec![0_u32; network.len()];
    for end in links.iter().flat_map(|&(i, j)| [i, j]) {
        left[end as usize] += 1;
    }
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.shuffle(&mut rng);
    let mut link_out = vec![false; links.len()];
    let mut wanted = share.of(links.len());
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
    let non_link_out = choose(non_links, share, &mut rng);
    let (mut link_out, mut non_link_out) = (link_out.into_iter(), non_link_out.into_iter());
    let held_out = network.observed().map(|pair| {
        let out = if pair.link { link_out.next() } else { non_link_out.next() };
        out.expect("as many as were counted")
    });
    let held_out: Vec<bool> = held_out.collect();
    Ok(part(network.observed(), &held_out))
}

/// Training and test links, each with non-links.
fn divide_links(network: &Network, options: &SplitOptions, seed: u64) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let ordered = options.protocol.ordered();
    let links = non_links::links(network, ordered);
    let test_count = options.held_out.of(links.len());
    let (train_non_links, test_non_links) =
        non_link_counts(network, options, links.len() - test_count, test_count)?;
    let mut rng = stream(seed, 0, 0, Purpose::Split, 1);
    let held_out = choose(links.len(), options.held_out, &mut rng);
    let (mut train, mut test) = part(non_links::labelled(links, true), &held_out);
    if let HeldOut::Fold { number, .. } = options.held_out {
        // Folds share the division of the links, and have non-links of their own.
        rng = stream(seed, 0, number as u64, Purpose::Split, 3);
    }
    let drawn = non_links::non_links(network, ordered, train_non_links + test_non_links, &mut rng)?;
    let (more_train, more_test) = if options.test_negatives == TestNegatives::Uniform {
        let held_out = mark(drawn.len(), test_non_links, &mut rng);
        part(non_links::labelled(drawn, false), &held_out)
    } else {
        let train_links: Vec<(u32, u32)> = train.iter().map(|pair| (pair.source, pair.target)).collect();
        let tested = non_links::draw(
            options.test_negatives,
            network,
            ordered,
            &train_links,
            test_non_links,
            &mut rng,
        )?;
        let mut rest: Vec<_> = drawn.into_iter().filter(|pair| tested.binary_search(pair).is_err()).collect();
        let (kept, _) = rest.partial_shuffle(&mut rng, train_non_links);
        (non_links::labelled(kept.to_vec(), false).collect(), non_links::labelled(tested, false).collect())
    };
    train.extend(more_train);
    test.extend(more_test);
    test.sort_unstable_by_key(|pair| (pair.source, pair.target));
    Ok((train, test))
}

/// How many non-links are trained on and tested, for so many links: those that are asked for. In a dense network all that
/// there are, of which the test takes as many as it has links, but no more than half.
fn non_link_counts(
    network: &Network,
    options: &SplitOptions,
    train_links: usize,
    test_links: usize,
) -> Result<(usize, usize)> {
    let wanted = non_links::wanted(train_links, options.negatives)?;
    let available = non_links::available(network, options.protocol.ordered());
    if available == 0 || (wanted + test_links) as u64 <= available {
        return Ok((wanted, test_links));
    }
    // Fewer than were asked for, so they are countable.
    let available = available as usize;
    let tested = test_links.min(available - wanted.min(available.div_ceil(2)));
    Ok((wanted.min(available - tested), tested))
}

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

fn choose(count: usize, share: HeldOut, rng: &mut Stream) -> Vec<bool> {
    match share {
        HeldOut::Fraction(_) => mark(count, share.of(count), rng),
        HeldOut::Fold { number, of } => {
            let mut numbers: Vec<u32> = (0..count as u32).collect();
            numbers.shuffle(rng);
            marked(count, &numbers[number * count / of..(number + 1) * count / of])
        }
    }
}

/// Marks so many of `count` at random, in their order so that both parts keep it without sorting.
fn mark(count: usize, chosen: usize, rng: &mut Stream) -> Vec<bool> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let (chosen, _) = numbers.partial_shuffle(rng, chosen);
    marked(count, chosen)
}

fn marked(count: usize, chosen: &[u32]) -> Vec<bool> {
    let mut marked = vec![false; count];
    for &number in chosen {
        marked[number as usize] = true;
    }
    marked
}

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
    use std::collections::HashSet;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::network::Nodes;

    fn network(n: usize, directed: bool, links: &[(u32, u32)]) -> Network {
        let links = links.iter().copied().filter(|(i, j)| i != j);
        Network::new(Arc::new(Nodes::numbered(n)), directed, links).unwrap()
    }

    fn with_negatives(network: &Network, protocol: Protocol, test: f64, negatives: f64, seed: u64) -> Split {
        let held_out = HeldOut::Fraction(test);
        let options = SplitOptions { held_out, negatives, ..SplitOptions::new(protocol) };
        Split::with_options(network, &options, seed).unwrap()
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
                let split = with_negatives(&network, protocol, 0.2, 4.0, 3);
                let links = if protocol == Protocol::PaperLinks && !directed { 200 } else { 100 };
                let (train_links, test_links) = (links * 4 / 5, links / 5);
                assert_eq!((split.train.links(), split.train.len()), (train_links, 5 * train_links));
                assert_eq!((split.test_links(), split.test_non_links()), (test_links, test_links));
                assert_eq!(together(&split).len(), 5 * train_links + 2 * test_links, "a pair stands twice");
                assert!(together(&split).iter().all(|&(i, j, link)| network.has_link(i, j) == link));
                assert!(split.test.is_sorted_by_key(|pair| (pair.source, pair.target)));
                assert_eq!(with_negatives(&network, protocol, 0.2, 4.0, 3).test, split.test);
                assert_ne!(with_negatives(&network, protocol, 0.2, 4.0, 4).test, split.test);
                if protocol == Protocol::Links && !directed {
                    assert!(split.train.symmetric());
                    assert!(together(&split).iter().all(|&(i, j, _)| i < j));
                }
            }
        }
    }

    /// Fewer non-links than are asked for: all there are, none in both parts.
    #[test]
    fn dense_networks_give_all_non_links() {
        // Every node is linked to the next `reach` ones: 20 links per step of it, of 190 pairs.
        let dense = |reach: u32| -> Vec<(u32, u32)> {
            (0..20).flat_map(|i| (1..=reach).map(move |step| (i, (i + step) % 20))).collect()
        };
        // Links, those tested, and non-links trained on and tested.
        let cases =
            [(3, 60, 12, (118, 12)), (7, 140, 28, (25, 25)), (9, 180, 36, (5, 5)), (1, 20, 4, (160, 4))];
        for (reach, links, test_links, non_links) in cases {
            let network = network(20, false, &dense(reach));
            assert_eq!(network.links().len(), links);
            for test_negatives in [TestNegatives::Uniform, TestNegatives::Degree] {
                let held_out = HeldOut::Fraction(0.2);
                let options = SplitOptions { held_out, test_negatives, ..SplitOptions::new(Protocol::Links) };
                let split = Split::with_options(&network, &options, 5).unwrap();
                assert_eq!((split.test_links(), split.train.links()), (test_links, links - test_links));
                assert_eq!((split.train.len() - split.train.links(), split.test_non_links()), non_links);
                let all = together(&split);
                assert_eq!(all.len(), split.train.len() + split.test.len(), "a pair stands twice");
                assert!(all.iter().all(|&(i, j, link)| network.has_link(i, j) == link));
                assert_eq!(
                    split.train.non_link_share() == 1.0,
                    reach > 1,
                    "all that are not tested are trained on"
                );
            }
        }
        // Where little is trained on, the test keeps its size.
        let network = network(20, false, &dense(7));
        let split = with_negatives(&network, Protocol::Links, 0.3, 0.2, 5);
        assert_eq!((split.train.len() - split.train.links(), split.test_non_links()), (20, 30));
    }

    #[test]
    fn everybody_keeps_a_link() {
        // A hub, a ring and a far pair: most links are the only one of a node, or become so.
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
    fn folds_test_everything_once() {
        let ring: Vec<(u32, u32)> = (0..31).map(|i| (i, (i + 1) % 31)).collect();
        for directed in [false, true] {
            let network = network(31, directed, &ring);
            for protocol in [Protocol::Pairs, Protocol::PaperPairs, Protocol::Links, Protocol::PaperLinks] {
                let (mut links, mut non_links) = (Vec::new(), Vec::new());
                for number in 0..4 {
                    let options = SplitOptions {
                        held_out: HeldOut::Fold { number, of: 4 },
                        negatives: 2.0,
                        ..SplitOptions::new(protocol)
                    };
                    let split = Split::with_options(&network, &options, 9).unwrap();
                    assert_eq!(
                        together(&split).len(),
                        split.train.len() + split.test.len(),
                        "a pair stands twice"
                    );
                    for pair in split.test {
                        if pair.link { &mut links } else { &mut non_links }.push((pair.source, pair.target));
                    }
                }
                links.sort_unstable();
                let mut expected = non_links::links(&network, protocol.ordered());
                expected.sort_unstable();
                assert_eq!(links, expected, "{protocol}");
                if !protocol.samples() {
                    let count = non_links.len() as u64;
                    non_links.sort_unstable();
                    non_links.dedup();
                    assert_eq!(non_links.len() as u64, count, "a non-link is tested twice");
                    assert_eq!(count, non_links::available(&network, protocol.ordered()));
                }
            }
        }
    }

    #[test]
    fn mistakes_are_told() {
        let complete = network(3, false, &[(0, 1), (0, 2), (1, 2)]);
        let message = Split::new(&complete, Protocol::Links, 0.3, 1).unwrap_err().to_string();
        assert!(message.contains("non-links are asked for, but only 0"), "{message}");
        let large = network(100_000, true, &[]);
        assert!(Split::new(&large, Protocol::Pairs, 0.2, 1).is_err());
    }

    fn links_of(pairs: &Pairs, link: bool) -> impl Iterator<Item = (u32, u32)> + '_ {
        pairs.iter().filter(move |pair| pair.link == link).map(|pair| (pair.source, pair.target))
    }

    #[test]
    fn a_split_taken_apart_is_put_together_again() {
        let links = (0..30).map(|i| (i, (i + 1) % 30)).chain((0..28).map(|i| (i, i + 2)));
        let network = network(30, false, &links.collect::<Vec<_>>());
        for protocol in [Protocol::Pairs, Protocol::Links] {
            let split = with_negatives(&network, protocol, 0.2, 3.0, 4);
            let links: Vec<_> = links_of(&split.train, true).collect();
            let mut rest = self::network(30, false, &links);
            let mut training = Training::Observed;
            if protocol.samples() {
                training = Training::ListedSample;
                let listed = links_of(&split.train, false);
                rest = rest.with_labels(listed, [], Unlisted::Unobserved).unwrap();
            }
            let again = Split::from_pairs(&rest, &split.test, &[], training).unwrap();
            assert_eq!(again.test, split.test);
            assert!(again.train.iter().eq(split.train.iter()) && again.train.symmetric());
            assert_eq!(again.train.non_link_share(), split.train.non_link_share());
        }
    }

    #[test]
    fn validation_pairs_are_hidden_and_turned_pairs_understood() {
        let network = network(30, false, &[(0, 1), (1, 2)]);
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
