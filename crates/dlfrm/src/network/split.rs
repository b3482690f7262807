//! Dividing the observed pairs of a network into training and test.

use rand::seq::SliceRandom;

use super::{HeldOut, Network, Pair, Pairs, Protocol, SplitOptions, TestNegatives, negatives, sample};
use crate::error::{Error, Result};
use crate::random::{Purpose, Stream, stream};

/// The training pairs and the test pairs.
///
/// ```
/// use std::sync::Arc;
/// use dlfrm::network::{Nodes, Network, Protocol, Split};
///
/// let ring = (0..10).map(|i| (i, (i + 1) % 10));
/// let network = Network::new(Arc::new(Nodes::numbered(10)), false, ring)?;
/// let split = Split::new(&network, Protocol::Pairs, 0.2, 1)?;
/// assert_eq!((split.train.len(), split.test.len()), (36, 9));
/// assert_eq!(split.train.links() + split.test_links(), 10);
/// # Ok::<(), dlfrm::Error>(())
/// ```
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
    /// A part without links is no error: a sparse relation may have none to give. See
    /// [`Split::test_links`]. The time and memory grow with the number of pairs in both parts: that of observed
    /// pairs, which is the square of the number of nodes unless the network lists what is observed, or that of
    /// links, where non-links are sampled.
    pub fn new(network: &Network, protocol: Protocol, test_fraction: f64, seed: u64) -> Result<Self> {
        Self::with_negatives(network, protocol, test_fraction, Protocol::NEGATIVES, seed)
    }

    /// The same with another number of non-links per link in training, if the protocol samples them.
    pub fn with_negatives(
        network: &Network,
        protocol: Protocol,
        test_fraction: f64,
        negatives: f64,
        seed: u64,
    ) -> Result<Self> {
        let held_out = HeldOut::Fraction(test_fraction);
        Self::with_options(
            network,
            &SplitOptions { held_out, negatives, ..SplitOptions::new(protocol) },
            seed,
        )
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
        let available = sample::available(network, protocol.ordered()) - held_out;
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
    u32::try_from(pairs).map_err(|_| {
        Error::Network(format!("{pairs} observed pairs are too many to split, {} are possible", u32::MAX))
    })
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
    let links = sample::links(network, ordered);
    let test_count = options.held_out.of(links.len());
    let (train_non_links, test_non_links) =
        non_link_counts(network, options, links.len() - test_count, test_count)?;
    let mut rng = stream(seed, 0, 0, Purpose::Split, 1);
    let held_out = choose(links.len(), options.held_out, &mut rng);
    let (mut train, mut test) = part(sample::labelled(links, true), &held_out);
    if let HeldOut::Fold { .. } = options.held_out {
        // Folds share the division of the links, and have non-links of their own.
        rng = stream(seed, 0, options.held_out.number(), Purpose::Split, 3);
    }
    let drawn = sample::non_links(network, ordered, train_non_links + test_non_links, &mut rng)?;
    let (more_train, more_test) = if options.test_negatives == TestNegatives::Uniform {
        let held_out = mark(drawn.len(), test_non_links, &mut rng);
        part(sample::labelled(drawn, false), &held_out)
    } else {
        let train_links: Vec<(u32, u32)> = train.iter().map(|pair| (pair.source, pair.target)).collect();
        let tested = negatives::draw(
            options.test_negatives,
            network,
            ordered,
            &train_links,
            test_non_links,
            &mut rng,
        )?;
        let mut rest: Vec<_> = drawn.into_iter().filter(|pair| tested.binary_search(pair).is_err()).collect();
        let (kept, _) = rest.partial_shuffle(&mut rng, train_non_links);
        (sample::labelled(kept.to_vec(), false).collect(), sample::labelled(tested, false).collect())
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
    let wanted = sample::wanted(train_links, options.negatives)?;
    let available = sample::available(network, options.protocol.ordered());
    if available == 0 || (wanted + test_links) as u64 <= available {
        return Ok((wanted, test_links));
    }
    // Fewer than were asked for, so they are countable.
    let available = available as usize;
    let tested = test_links.min(available - wanted.min(available.div_ceil(2)));
    Ok((wanted.min(available - tested), tested))
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

/// Marks a part of `count` at random.
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

#[cfg(test)]
mod tests;
