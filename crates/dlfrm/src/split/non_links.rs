//! Non-links drawn at random: to learn from, where a network has too many pairs for all of them, and to test beside held-out
//! links: any, those of busy nodes, or those two steps apart.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::error::{Error, Result};
use crate::graph::Adjacency;
use crate::model::number;
use crate::network::{Mode, Network, Pair, Pairs, Unlisted};
use crate::random::{Purpose, Stream, stream};

use super::options::TestNegatives;

impl Pairs {
    /// Every observed pair of a network. An undirected pair stands once and for both directions, or with
    /// `asymmetric` once for each direction, as in the paper.
    pub fn observed(network: &Network, asymmetric: bool) -> Self {
        let symmetric = !network.directed() && !asymmetric;
        Self::new(network.len(), symmetric, network.observed_in(asymmetric)).with_modes(network.modes())
    }

    /// Every link of a network and so many non-links per link, drawn at random: the pairs to learn from where all
    /// of them would be too many.
    pub fn sampled(network: &Network, asymmetric: bool, negatives: f64, seed: u64) -> Result<Self> {
        let links = links(network, asymmetric);
        let count = wanted(links.len(), negatives)?;
        let mut rng = stream(seed, 0, 0, Purpose::Negatives, 0);
        let non_links = non_links(network, asymmetric, count, &mut rng)?;
        let share = non_links.len() as f64 / available(network, asymmetric) as f64;
        let pairs = labelled(links, true).chain(labelled(non_links, false));
        let pairs = Self::new(network.len(), !network.directed() && !asymmetric, pairs);
        Ok(pairs.with_modes(network.modes()).with_non_link_share(share))
    }
}

/// Some of the observed pairs of a network, to evaluate a model on where all would be too many.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The pairs, in order.
    pub pairs: Vec<Pair>,
    /// How many non-links each of the chosen ones stands for, if a chosen link stands for one link.
    pub non_link_weight: f64,
}

impl Network {
    /// All observed pairs; or, where there are more than `most`, so many of them drawn at random: the links, but no
    /// more than half of `most`, and non-links for the rest.
    pub fn sample(&self, most: usize, seed: u64) -> Sample {
        let available = available(self, false);
        if self.observed_count() <= most as u64 {
            return Sample { pairs: self.observed().collect(), non_link_weight: 1.0 };
        }
        let mut rng = stream(seed, 0, 0, Purpose::Negatives, 1);
        let mut links = self.links().to_vec();
        let (all, non_links_wanted) = (links.len(), available.min((most - most / 2) as u64) as usize);
        let kept = all.min(most - non_links_wanted);
        drop_at_random(&mut links, kept, &mut rng);
        let wanted = available.min((most - kept) as u64) as usize;
        let non_links =
            non_links(self, false, wanted, &mut rng).expect("no more are asked for than there are");
        let stands_for = |all: f64, kept: usize| if kept == 0 { 1.0 } else { all / kept as f64 };
        let weight = stands_for(available as f64, wanted) / stands_for(all as f64, kept);
        let mut pairs: Vec<Pair> = labelled(links, true).chain(labelled(non_links, false)).collect();
        pairs.sort_unstable_by_key(|pair| (pair.source, pair.target));
        Sample { pairs, non_link_weight: weight }
    }
}

pub(super) fn labelled(pairs: Vec<(u32, u32)>, link: bool) -> impl Iterator<Item = Pair> {
    pairs.into_iter().map(move |(source, target)| Pair { source, target, link })
}

pub(super) fn links(network: &Network, ordered: bool) -> Vec<(u32, u32)> {
    let mut links = network.links().to_vec();
    if network.both_ways(ordered) {
        links.extend(network.links().iter().map(|&(i, j)| (j, i)));
        links.sort_unstable();
    }
    links
}

/// How many non-links are drawn: where there are links, at least one.
pub(super) fn wanted(links: usize, negatives: f64) -> Result<usize> {
    check_negatives(negatives)?;
    Ok(((negatives * links as f64).round() as usize).max(links.min(1)))
}

/// Refuses a number of non-links per link that is none.
pub(crate) fn check_negatives(negatives: f64) -> Result<()> {
    if negatives > 0.0 && negatives.is_finite() {
        return Ok(());
    }
    Err(Error::Setting { name: "negatives", expected: "above 0 and finite", value: number(negatives) })
}

/// Draws `count` different non-links of a network, all sets of that size being equally likely; sorted. With `ordered` an
/// undirected pair is two, one in each direction, as in the paper.
///
/// A non-link is an observed pair that is no link. Asking for more than there are is an error.
pub(super) fn non_links(
    network: &Network,
    ordered: bool,
    count: usize,
    rng: &mut Stream,
) -> Result<Vec<(u32, u32)>> {
    let available = available(network, ordered);
    if count as u64 > available {
        return Err(Error::Network(format!(
            "{count} non-links are asked for, but only {available} observed pairs are not links: the network is too \
             dense to sample them"
        )));
    }
    // Where most of them are wanted, or they are listed, choosing among all is quickest.
    let mut chosen = if network.unlisted() == Unlisted::Unobserved || 2 * count as u64 > available {
        let all = network.observed_in(ordered).filter(|pair| !pair.link);
        let mut all: Vec<(u32, u32)> = all.map(|pair| (pair.source, pair.target)).collect();
        drop_at_random(&mut all, count, rng);
        all
    } else {
        by_rejection(network, network.both_ways(ordered), count, rng)
    };
    chosen.sort_unstable();
    Ok(chosen)
}

pub(super) fn available(network: &Network, ordered: bool) -> u64 {
    let pairs = network.observed_count() - network.links().len() as u64;
    if network.both_ways(ordered) { 2 * pairs } else { pairs }
}

/// Draws pairs until enough different non-links are among them. Adding draws and leaving out repeated ones treats all
/// non-links alike, and so does dropping the excess at random.
fn by_rejection(network: &Network, both_ways: bool, count: usize, rng: &mut Stream) -> Vec<(u32, u32)> {
    let mut chosen = Vec::with_capacity(count + count / 16 + 16);
    while chosen.len() < count {
        let lacking = count - chosen.len();
        for _ in 0..lacking + lacking / 16 + 16 {
            let (source, target) = any_pair(network, rng);
            let turned = !network.directed() && !both_ways && source > target;
            chosen.push(if turned { (target, source) } else { (source, target) });
        }
        chosen.sort_unstable();
        chosen.dedup();
        remove(&mut chosen, network.links(), both_ways);
        remove(&mut chosen, network.unobserved(), both_ways);
    }
    drop_at_random(&mut chosen, count, rng);
    chosen
}

/// An ordered pair that can be linked, all being equally likely.
fn any_pair(network: &Network, rng: &mut Stream) -> (u32, u32) {
    if let Some(modes) = network.modes() {
        let [row, column] = [Mode::Row, Mode::Column].map(|mode| {
            let members = modes.members(mode);
            members[rng.random_range(0..members.len())]
        });
        return if rng.random() { (row, column) } else { (column, row) };
    }
    let nodes = network.len() as u32;
    let source = rng.random_range(0..nodes);
    // The others, in order, without the source.
    let target = rng.random_range(0..nodes - 1);
    (source, target + u32::from(target >= source))
}

/// Removes the pairs of a sorted list from a sorted list, in both directions if `both_ways`.
fn remove(from: &mut Vec<(u32, u32)>, pairs: &[(u32, u32)], both_ways: bool) {
    subtract(from, pairs);
    if both_ways {
        let mut back: Vec<(u32, u32)> = pairs.iter().map(|&(i, j)| (j, i)).collect();
        back.sort_unstable();
        subtract(from, &back);
    }
}

fn subtract(from: &mut Vec<(u32, u32)>, sorted: &[(u32, u32)]) {
    let mut sorted = sorted.iter().peekable();
    from.retain(|pair| {
        while sorted.next_if(|&other| other < pair).is_some() {}
        sorted.peek() != Some(&pair)
    });
}

fn drop_at_random(pairs: &mut Vec<(u32, u32)>, count: usize, rng: &mut Stream) {
    // What is shuffled is the smaller part: that which goes, or that which stays.
    let excess = pairs.len() - count;
    let (chosen, rest) = pairs.partial_shuffle(rng, excess.min(count));
    *pairs = if excess < count { rest } else { chosen }.to_vec();
}

/// Networks with no more candidates than this are gone through; in others candidates are drawn.
const FEW: u64 = 5_000_000;
/// Draws for each non-link that is wanted, before it is said that there are too few.
const PATIENCE: usize = 200;

/// Draws `count` different non-links of a network of some kind, given the training links; sorted.
pub(super) fn draw(
    kind: TestNegatives,
    network: &Network,
    ordered: bool,
    train_links: &[(u32, u32)],
    count: usize,
    rng: &mut Stream,
) -> Result<Vec<(u32, u32)>> {
    if kind == TestNegatives::Hard && network.modes().is_some() {
        return Err(Error::Network(
            "test negatives hard are pairs two steps apart, and in a bipartite network no row is two steps from a column: take \
             uniform or degree"
                .to_owned(),
        ));
    }
    let asked = Asked { network, ordered, train_links, count, few: FEW };
    match kind {
        TestNegatives::Uniform => non_links(network, ordered, count, rng),
        TestNegatives::Degree => by_degree(&asked, rng),
        TestNegatives::Hard => two_steps_apart(&asked, rng),
    }
}

/// What to draw: so many non-links of a network, given the training links.
#[derive(Clone, Copy)]
struct Asked<'a> {
    network: &'a Network,
    ordered: bool,
    train_links: &'a [(u32, u32)],
    count: usize,
    /// Up to so many candidates are gone through.
    few: u64,
}

/// The pair as it is tested: without an order the smaller id is first.
fn oriented(network: &Network, ordered: bool, source: u32, target: u32) -> (u32, u32) {
    if network.directed() || ordered || source < target { (source, target) } else { (target, source) }
}

fn too_few(count: usize, found: usize, what: &str) -> Error {
    Error::Network(format!(
        "{count} test non-links are asked for, but only {found} {what}: take other test negatives, or hold out fewer links"
    ))
}

fn by_degree(asked: &Asked<'_>, rng: &mut Stream) -> Result<Vec<(u32, u32)>> {
    let Asked { network, ordered, train_links, count, few } = *asked;
    let both_ways = !network.directed() && !ordered;
    let what = "were found between nodes with training links";
    if available(network, ordered) > few && network.unlisted() == Unlisted::NonLink {
        // The ends of random links: a source as often as it has links, and a target likewise.
        return by_drawing(count, what, || {
            let [one, other] = [0, 1].map(|_| train_links[rng.random_range(0..train_links.len())]);
            let (source, target) = if both_ways {
                let end = |(i, j): (u32, u32), rng: &mut Stream| if rng.random() { i } else { j };
                (end(one, rng), end(other, rng))
            } else {
                (one.0, other.1)
            };
            (network.label(source, target) == Some(false)).then(|| oriented(network, ordered, source, target))
        });
    }
    let (mut out, mut back) = (vec![0.0; network.len()], vec![0.0; network.len()]);
    for &(i, j) in train_links {
        out[i as usize] += 1.0;
        back[j as usize] += 1.0;
    }
    if both_ways {
        for (out, back) in out.iter_mut().zip(&mut back) {
            *out += *back;
            *back = *out;
        }
    }
    // Draws without repeats in proportion to weights are the smallest of exponential times with these rates.
    let mut times: Vec<(f64, (u32, u32))> = network
        .observed_in(ordered)
        .filter(|pair| !pair.link)
        .filter_map(|pair| {
            let rate = out[pair.source as usize] * back[pair.target as usize];
            let time = -(1.0 - rng.random::<f64>()).ln() / rate;
            (rate > 0.0).then_some((time, (pair.source, pair.target)))
        })
        .collect();
    if times.len() < count {
        return Err(too_few(count, times.len(), what));
    }
    times.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<(u32, u32)> = times[..count].iter().map(|&(_, pair)| pair).collect();
    chosen.sort_unstable();
    Ok(chosen)
}

fn two_steps_apart(asked: &Asked<'_>, rng: &mut Stream) -> Result<Vec<(u32, u32)>> {
    let Asked { network, ordered, train_links, count, few } = *asked;
    let mut once: Vec<(u32, u32)> = train_links.iter().map(|&(i, j)| (i.min(j), i.max(j))).collect();
    once.sort_unstable();
    once.dedup();
    let labelled = once.into_iter().map(|(source, target)| Pair { source, target, link: true });
    let graph = Adjacency::undirected(&Pairs::new(network.len(), true, labelled));
    let apart =
        |i: u32, j: u32| graph.neighbours(i).binary_search(&j).is_err() && network.label(i, j) == Some(false);
    let both_ways = network.directed() || ordered;
    let what = "pairs two steps apart in training are non-links";
    let wedges = |u: u32| graph.degree(u) as u64 * graph.degree(u).saturating_sub(1) as u64;
    // The wedges up to each node in their middle: where to look for a random one.
    let mut ends: Vec<u64> = Vec::with_capacity(graph.len());
    for u in 0..graph.len() as u32 {
        ends.push(ends.last().copied().unwrap_or(0) + wedges(u));
    }
    let all = ends.last().copied().unwrap_or(0);
    if all > few {
        return by_drawing(count, what, || {
            let place = rng.random_range(0..all);
            let middle = ends.partition_point(|&end| end <= place) as u32;
            let neighbours = graph.neighbours(middle);
            let source = rng.random_range(0..neighbours.len());
            let target = rng.random_range(0..neighbours.len() - 1);
            let (i, j) = (neighbours[source], neighbours[target + usize::from(target >= source)]);
            let (i, j) = oriented(network, ordered, i, j);
            let mut ways = 0;
            graph.for_each_common(i, j, |_| ways += 1);
            // A pair is met once for every common neighbour, and kept as if it had one.
            (apart(i, j) && rng.random_range(0..ways) == 0).then_some((i, j))
        });
    }
    let mut found = Vec::new();
    for middle in 0..graph.len() as u32 {
        let neighbours = graph.neighbours(middle);
        for &i in neighbours {
            for &j in neighbours.iter().filter(|&&j| j != i && (both_ways || i < j)) {
                if apart(i, j) {
                    found.push((i, j));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.len() < count {
        return Err(too_few(count, found.len(), what));
    }
    drop_at_random(&mut found, count, rng);
    found.sort_unstable();
    Ok(found)
}

/// Draws candidates until so many different ones are found; sorted.
fn by_drawing(
    count: usize,
    what: &str,
    mut candidate: impl FnMut() -> Option<(u32, u32)>,
) -> Result<Vec<(u32, u32)>> {
    let mut chosen = std::collections::BTreeSet::new();
    for _ in 0..PATIENCE.saturating_mul(count) {
        if chosen.len() == count {
            break;
        }
        chosen.extend(candidate());
    }
    if chosen.len() < count {
        return Err(too_few(count, chosen.len(), what));
    }
    Ok(chosen.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::sync::Arc;

    use super::*;
    use crate::network::Nodes;

    fn random() -> Stream {
        stream(1, 0, 0, Purpose::Negatives, 0)
    }

    fn network(n: usize, directed: bool, unlisted: Unlisted) -> Network {
        let network = Network::new(Arc::new(Nodes::numbered(n)), directed, [(0, 1), (2, 1), (3, 4)]);
        let non_links = [(0, 2), (2, 4), (1, 4), (0, 3)];
        network.unwrap().with_labels(non_links, [(1, 3)], unlisted).unwrap()
    }

    /// What may be drawn, by definition.
    fn allowed(network: &Network, ordered: bool) -> HashSet<(u32, u32)> {
        let pairs = network.observed().filter(|pair| !pair.link);
        let ways = 1 + usize::from(ordered && !network.directed());
        pairs.flat_map(|p| [(p.source, p.target), (p.target, p.source)].into_iter().take(ways)).collect()
    }

    #[test]
    fn every_non_link_is_drawn_equally_often() {
        // Few of many, so that they are drawn, and many of few, so that they are chosen.
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        for (n, count) in [(12, 20), (5, 3), (5, 2)] {
            for (directed, ordered) in kinds {
                for unlisted in [Unlisted::NonLink, Unlisted::Unobserved] {
                    let network = network(n, directed, unlisted);
                    let allowed = allowed(&network, ordered);
                    let count = count.min(allowed.len());
                    let mut rng = random();
                    let mut counts: HashMap<(u32, u32), f64> = HashMap::new();
                    let runs = 4000;
                    for _ in 0..runs {
                        let drawn = non_links(&network, ordered, count, &mut rng).unwrap();
                        assert!(drawn.len() == count && drawn.is_sorted_by(|a, b| a < b));
                        for pair in drawn {
                            assert!(allowed.contains(&pair), "{pair:?}");
                            *counts.entry(pair).or_default() += 1.0;
                        }
                    }
                    // Five deviations, 500 counts in all: 3e-4 by chance, with a fixed seed.
                    let share = count as f64 / allowed.len() as f64;
                    let sd = (f64::from(runs) * share * (1.0 - share)).sqrt();
                    for pair in &allowed {
                        let off = counts.get(pair).copied().unwrap_or(0.0) - share * f64::from(runs);
                        assert!(off.abs() <= 5.0 * sd, "{n} {count} {pair:?}: {off} of {sd}");
                    }
                }
            }
        }
    }

    #[test]
    fn all_links_and_some_non_links() {
        for (asymmetric, links) in [(false, 3), (true, 6)] {
            let pairs = Pairs::sampled(&network(40, false, Unlisted::NonLink), asymmetric, 2.5, 7).unwrap();
            assert_eq!((pairs.links(), pairs.len()), (links, links + (2.5 * links as f64).round() as usize));
            assert_eq!(pairs.symmetric(), !asymmetric);
            let share = if asymmetric { 15.0 / (40.0 * 39.0 - 8.0) } else { 8.0 / (20.0 * 39.0 - 4.0) };
            assert_eq!(pairs.non_link_share(), share);
        }
        // However few are asked for, a share of none would say that no link is ever missing.
        let few = Pairs::sampled(&network(40, false, Unlisted::NonLink), false, 0.01, 7).unwrap();
        assert_eq!((few.links(), few.len()), (3, 4));
        let observed = Pairs::observed(&network(5, false, Unlisted::NonLink), true);
        assert_eq!((observed.len(), observed.links()), (18, 6));
    }

    #[test]
    fn samples_to_judge_on() {
        let network = network(40, false, Unlisted::NonLink);
        let whole = network.sample(780, 1);
        assert_eq!((whole.pairs.len(), whole.non_link_weight), (779, 1.0));
        // Three links and 776 non-links, one pair being unobserved.
        for (most, links, weight) in [(100, 3, 776.0 / 97.0), (4, 2, 776.0 / 2.0 / 1.5), (1, 0, 776.0)] {
            let sample = network.sample(most, 1);
            assert_eq!(sample.pairs.len(), most);
            assert_eq!(sample.pairs.iter().filter(|pair| pair.link).count(), links);
            assert!((sample.non_link_weight / weight - 1.0).abs() < 1e-12, "{}", sample.non_link_weight);
            assert!(sample.pairs.is_sorted_by_key(|pair| (pair.source, pair.target)));
            for pair in &sample.pairs {
                assert_eq!(pair.link, network.has_link(pair.source, pair.target));
            }
            assert_eq!(sample, network.sample(most, 1));
            assert_ne!(sample, network.sample(most, 2));
        }
    }

    #[test]
    fn too_many_are_refused() {
        let dense = network(5, true, Unlisted::Unobserved);
        assert_eq!(Pairs::sampled(&dense, false, 1.0, 1).unwrap().len(), 6);
        let message = Pairs::sampled(&dense, false, 2.0, 1).unwrap_err().to_string();
        assert!(
            message.contains("6 non-links are asked for, but only 4 observed pairs are not links"),
            "{message}"
        );
    }

    /// A path with two hubs.
    fn with_hubs(directed: bool) -> Network {
        let links = (0..11).map(|i| (i, i + 1)).chain((2..8).map(|j| (0, j))).chain((5..9).map(|i| (i, 11)));
        Network::new(Arc::new(Nodes::numbered(14)), directed, links).unwrap()
    }

    /// How many links a node has as a source, or as a target.
    fn degree(network: &Network, node: u32, outgoing: bool) -> f64 {
        let ends = |&&(i, j): &&(u32, u32)| {
            if network.directed() { node == if outgoing { i } else { j } } else { node == i || node == j }
        };
        network.links().iter().filter(ends).count() as f64
    }

    /// Asks for one non-link, of candidates that are gone through or drawn.
    fn one(network: &Network, few: u64) -> Asked<'_> {
        Asked { network, ordered: false, train_links: network.links(), count: 1, few }
    }

    /// How often each is drawn if one is asked for, against its weight: five deviations, some 500 counts, 3e-4 by chance.
    fn compare(network: &Network, expected: &HashMap<(u32, u32), f64>, one: impl Fn(u64) -> (u32, u32)) {
        let runs = 20_000;
        let mut counts: HashMap<(u32, u32), f64> = HashMap::new();
        for seed in 0..runs {
            *counts.entry(one(seed)).or_default() += 1.0;
        }
        assert!(counts.keys().all(|pair| expected.contains_key(pair)), "{}", network.directed());
        let total: f64 = expected.values().sum();
        for (pair, weight) in expected {
            let p = weight / total;
            let sd = (runs as f64 * p * (1.0 - p)).sqrt();
            let off = counts.get(pair).copied().unwrap_or(0.0) - p * runs as f64;
            assert!(off.abs() < 5.0 * sd.max(1.0), "{} {pair:?}: {off} of {sd}", network.directed());
        }
    }

    #[test]
    fn ends_meet_in_proportion_to_their_links() {
        for directed in [false, true] {
            let network = with_hubs(directed);
            let pairs = network.observed().filter(|pair| !pair.link);
            let expected: HashMap<(u32, u32), f64> = pairs
                .map(|p| {
                    let weight = degree(&network, p.source, true) * degree(&network, p.target, false);
                    ((p.source, p.target), weight)
                })
                .filter(|&(_, weight)| weight > 0.0)
                .collect();
            for few in [0, FEW] {
                compare(&network, &expected, |seed| {
                    let mut rng = stream(seed, 0, 0, Purpose::Split, 7);
                    by_degree(&one(&network, few), &mut rng).unwrap()[0]
                });
            }
        }
    }

    #[test]
    fn hard_ones_are_two_steps_apart() {
        for directed in [false, true] {
            let network = with_hubs(directed);
            let linked = |i, j| network.has_link(i, j) || network.has_link(j, i);
            let apart =
                |i: u32, j: u32| i != j && !linked(i, j) && (0..14).any(|u| linked(i, u) && linked(u, j));
            let all = (0..14).flat_map(|i| (0..14).map(move |j| (i, j)));
            let expected: HashMap<(u32, u32), f64> =
                all.filter(|&(i, j)| apart(i, j) && (directed || i < j)).map(|pair| (pair, 1.0)).collect();
            for few in [0, FEW] {
                compare(&network, &expected, |seed| {
                    let mut rng = stream(seed, 0, 0, Purpose::Split, 8);
                    two_steps_apart(&one(&network, few), &mut rng).unwrap()[0]
                });
            }
            let mut rng = stream(1, 0, 0, Purpose::Split, 8);
            let message =
                draw(TestNegatives::Hard, &network, false, network.links(), 1000, &mut rng).unwrap_err();
            let message = message.to_string();
            let count = expected.len();
            assert!(
                message.contains(&format!("only {count} pairs two steps apart in training")),
                "{message}"
            );
        }
    }
}
