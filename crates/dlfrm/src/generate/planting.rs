//! What planted networks are put together from: numbers from power laws, memberships of groups, and simple graphs with given
//! degrees within a group and between nodes without a common group.

use std::collections::BinaryHeap;

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::random::Stream;

/// Whole numbers k up to a largest one, with probability in proportion to k^-exponent; the smallest may have less, such that
/// the mean is any number.
#[derive(Debug, Clone)]
pub(super) struct PowerLaw {
    low: usize,
    sums: Vec<f64>,
}

impl PowerLaw {
    pub(super) fn between(low: usize, high: usize, exponent: f64) -> Self {
        Self::new(low, (low..=high).map(|k| weight(k, exponent)))
    }

    /// From some number to a largest one, with a given mean that is no larger. None if the mean is below that of all numbers from 1 on.
    pub(super) fn with_mean(mean: f64, high: usize, exponent: f64) -> Option<Self> {
        let (mut weights, mut sum) = (0.0, 0.0);
        for low in (1..=high).rev() {
            let own = weight(low, exponent);
            // Numbers above this one have a larger mean than asked for: it gets the weight that is missing.
            let needed = (sum - mean * weights) / (mean - low as f64);
            if (low as f64) < mean && needed <= own {
                let rest = (low + 1..=high).map(|k| weight(k, exponent));
                return Some(Self::new(low, std::iter::once(needed.max(0.0)).chain(rest)));
            }
            weights += own;
            sum += low as f64 * own;
        }
        // All nodes have as many as possible.
        (mean == high as f64).then(|| Self::between(high, high, exponent))
    }

    fn new(low: usize, weights: impl Iterator<Item = f64>) -> Self {
        let sums = weights.scan(0.0, |sum: &mut f64, weight| {
            *sum += weight;
            Some(*sum)
        });
        let mut sums: Vec<f64> = sums.collect();
        let all = sums.last().copied().expect("there is a number");
        for sum in &mut sums {
            *sum /= all;
        }
        Self { low, sums }
    }

    /// The number that a share of all draws is below.
    pub(super) fn quantile(&self, share: f64) -> u32 {
        let position = self.sums.partition_point(|&sum| sum <= share);
        (self.low + position.min(self.sums.len() - 1)) as u32
    }

    fn high(&self) -> usize {
        self.low + self.sums.len() - 1
    }

    /// Sizes of groups that have so many slots together. None if no number of groups within the limits has.
    pub(super) fn sizes(&self, slots: usize, rng: &mut Stream) -> Option<Vec<usize>> {
        let (mut sizes, mut sum) = (vec![], 0);
        while sum < slots {
            sizes.push(self.quantile(rng.random()) as usize);
            sum += sizes[sizes.len() - 1];
        }
        if sizes.len() * self.low > slots {
            sum -= sizes.pop()?;
        }
        if sizes.len() * self.high() < slots {
            return None;
        }
        // What is too much or missing is taken from random groups or given to them, one slot at a time.
        while sum != slots {
            let chosen = rng.random_range(0..sizes.len());
            if sum > slots && sizes[chosen] > self.low {
                sizes[chosen] -= 1;
                sum -= 1;
            } else if sum < slots && sizes[chosen] < self.high() {
                sizes[chosen] += 1;
                sum += 1;
            }
        }
        Some(sizes)
    }
}

fn weight(k: usize, exponent: f64) -> f64 {
    (k as f64).powf(-exponent)
}

/// Exchanges that are tried per slot: every slot is chosen 20 times on average.
const SLOT_EXCHANGES: usize = 10;

/// The groups of each node, in order. A group of a size has so many slots, and a node only enters groups with more
/// members than it needs partners. None if there is no room.
pub(super) fn assign(
    needs: &[u32],
    counts: &[u32],
    sizes: &[usize],
    rng: &mut Stream,
) -> Option<Vec<Vec<u32>>> {
    let mut groups_of = fill_slots(needs, counts, sizes)?;
    let slots: Vec<(u32, u32)> = groups_of
        .iter()
        .enumerate()
        .flat_map(|(node, groups)| (0..groups.len()).map(move |slot| (node as u32, slot as u32)))
        .collect();
    // Random slots of two nodes are exchanged, where both fit.
    for _ in 0..SLOT_EXCHANGES * slots.len() {
        let [(one, first), (other, second)] =
            [0, 1].map(|_| slots[rng.random_range(0..slots.len())]).map(|(e, s)| (e as usize, s as usize));
        let (left, right) = (groups_of[one][first], groups_of[other][second]);
        let fits = |node: usize, group: u32| {
            sizes[group as usize] > needs[node] as usize && !groups_of[node].contains(&group)
        };
        if fits(one, right) && fits(other, left) {
            groups_of[one][first] = right;
            groups_of[other][second] = left;
        }
    }
    for groups in &mut groups_of {
        groups.sort_unstable();
    }
    Some(groups_of)
}

/// The nodes of the largest needs enter first, each the groups with most free slots: whatever is open to them is open to
/// later ones too, and slots of different groups are left to the end.
fn fill_slots(needs: &[u32], counts: &[u32], sizes: &[usize]) -> Option<Vec<Vec<u32>>> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&node| std::cmp::Reverse((needs[node], counts[node])));
    let mut closed: Vec<u32> = (0..sizes.len() as u32).collect();
    closed.sort_by_key(|&group| sizes[group as usize]);
    let mut open = BinaryHeap::new();
    let mut groups_of = vec![vec![]; needs.len()];
    for node in order {
        let fits = |&mut group: &mut u32| sizes[group as usize] > needs[node] as usize;
        while let Some(group) = closed.pop_if(fits) {
            open.push((sizes[group as usize], group));
        }
        let mut entered = Vec::with_capacity(counts[node] as usize);
        for _ in 0..counts[node] {
            entered.push(open.pop()?);
        }
        for (free, group) in entered {
            groups_of[node].push(group);
            if free > 1 {
                open.push((free - 1, group));
            }
        }
    }
    Some(groups_of)
}

pub(super) fn common(one: &[u32], other: &[u32]) -> bool {
    let (mut one, mut other) = (one, other);
    while let ([a, rest_of_one @ ..], [b, rest_of_other @ ..]) = (one, other) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => one = rest_of_one,
            std::cmp::Ordering::Greater => other = rest_of_other,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

/// Exchanges of partners that are tried per link of a group.
const EXCHANGES: usize = 10;
/// Links that are tried for two ends between groups that must not be linked, and rounds for the ends that are left.
const REPAIRS: usize = 100;
const ROUNDS: usize = 10;

/// A node in a group, and how many links it has there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) node: u32,
    pub(super) links: u32,
}

pub(super) struct Graph {
    neighbours: Vec<Vec<u32>>,
}

impl Graph {
    pub(super) fn new(nodes: usize) -> Self {
        Self { neighbours: vec![vec![]; nodes] }
    }

    pub(super) fn links(&self) -> Vec<(u32, u32)> {
        let of = |(i, others): (usize, &Vec<u32>)| {
            let i = i as u32;
            others.iter().filter(move |&&j| i < j).map(move |&j| (i, j)).collect::<Vec<_>>()
        };
        self.neighbours.iter().enumerate().flat_map(of).collect()
    }

    fn free(&self, i: u32, j: u32) -> bool {
        let [one, other] = [i, j].map(|node| &self.neighbours[node as usize]);
        i != j && if one.len() < other.len() { !one.contains(&j) } else { !other.contains(&i) }
    }

    fn link(&mut self, i: u32, j: u32) {
        self.neighbours[i as usize].push(j);
        self.neighbours[j as usize].push(i);
    }

    fn unlink(&mut self, i: u32, j: u32) {
        for (node, other) in [(i, j), (j, i)] {
            let all = &mut self.neighbours[node as usize];
            let position = all.iter().position(|&known| known == other).expect("the link is there");
            all.swap_remove(position);
        }
    }

    /// Links the members of a group, each as often as it asks for; returns how many ends of links find no partner.
    ///
    /// The member that lacks most is linked with those that lack most after it (Havel and Hakimi), which succeeds if any
    /// graph does, unless members are linked in another group already. Exchanges of partners then make it random.
    pub(super) fn wire_group(&mut self, members: &[Member], rng: &mut Stream) -> usize {
        let mut open = members.to_vec();
        open.shuffle(rng);
        open.sort_by_key(|member| member.links);
        let (mut links, mut lost) = (vec![], 0);
        while let Some(Member { node, links: wanted }) = open.pop() {
            let mut lacking = wanted;
            for other in open.iter_mut().rev() {
                if lacking == 0 || other.links == 0 {
                    break;
                }
                if self.free(node, other.node) {
                    self.link(node, other.node);
                    links.push((node, other.node));
                    other.links -= 1;
                    lacking -= 1;
                }
            }
            lost += lacking as usize;
            open.sort_by_key(|member| member.links);
        }
        for _ in 0..EXCHANGES * links.len() {
            let [one, other] = [0, 1].map(|_| rng.random_range(0..links.len()));
            let ((a, b), (c, d)) = (links[one], turned(links[other], rng));
            if one != other && self.free(a, d) && self.free(c, b) {
                self.unlink(a, b);
                self.unlink(c, d);
                self.link(a, d);
                self.link(c, b);
                (links[one], links[other]) = ((a, d), (c, b));
            }
        }
        lost
    }

    /// Links nodes at random, each as often as it asks for, with those that are apart from it; returns how many ends of
    /// links find no partner.
    pub(super) fn wire_outside(
        &mut self,
        wanted: &[u32],
        apart: impl Fn(u32, u32) -> bool,
        rng: &mut Stream,
    ) -> usize {
        let of = |(node, &count): (usize, &u32)| std::iter::repeat_n(node as u32, count as usize);
        let mut ends: Vec<u32> = wanted.iter().enumerate().flat_map(of).collect();
        let mut links = vec![];
        for _ in 0..ROUNDS {
            ends.shuffle(rng);
            let mut left = ends.chunks_exact(2).remainder().to_vec();
            for pair in ends.chunks_exact(2) {
                if !self.join(pair[0], pair[1], &apart, &mut links, rng) {
                    left.extend(pair);
                }
            }
            ends = left;
        }
        ends.len()
    }

    /// Links two ends, or gives both a partner by taking a random link apart; false if neither is found.
    fn join(
        &mut self,
        i: u32,
        j: u32,
        apart: &impl Fn(u32, u32) -> bool,
        links: &mut Vec<(u32, u32)>,
        rng: &mut Stream,
    ) -> bool {
        let fits = |graph: &Self, a: u32, b: u32| graph.free(a, b) && apart(a, b);
        if fits(self, i, j) {
            self.link(i, j);
            links.push((i, j));
            return true;
        }
        let tries = if links.is_empty() { 0 } else { REPAIRS };
        for _ in 0..tries {
            let chosen = rng.random_range(0..links.len());
            let (c, d) = turned(links[chosen], rng);
            if fits(self, i, c) && fits(self, j, d) {
                self.unlink(c, d);
                self.link(i, c);
                self.link(j, d);
                links[chosen] = (i, c);
                links.push((j, d));
                return true;
            }
        }
        false
    }
}

fn turned((i, j): (u32, u32), rng: &mut Stream) -> (u32, u32) {
    if rng.random() { (i, j) } else { (j, i) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn numbers_are_as_frequent_as_their_power() {
        let law = PowerLaw::between(2, 40, 2.0);
        let all: Vec<u32> = (0..100_000).map(|i| law.quantile(f64::from(i) / 100_000.0)).collect();
        let count = |k: u32| all.iter().filter(|&&other| other == k).count() as f64;
        for k in [4, 8, 16] {
            assert!((count(k) * f64::from(k * k) / count(2) / 4.0 - 1.0).abs() < 0.05, "{k}");
        }
        assert_eq!((law.quantile(0.0), law.quantile(1.0)), (2, 40));
    }

    #[test]
    fn every_group_is_as_likely_as_it_is_large() {
        let sizes = [4, 8, 12];
        let mut rng = stream(2, 0, 0, Purpose::Planted, 0);
        let mut seen: HashMap<u32, f64> = HashMap::new();
        for _ in 0..3000 {
            let groups_of = assign(&[1; 24], &[1; 24], &sizes, &mut rng).unwrap();
            *seen.entry(groups_of[0][0]).or_default() += 1.0 / 3000.0;
        }
        // Five deviations of a share of 3000 draws are at most 0.046.
        for (group, share) in [(0, 4.0 / 24.0), (1, 8.0 / 24.0), (2, 0.5)] {
            assert!((seen[&group] - share).abs() < 0.046, "{seen:?}");
        }
    }

    fn members(links: &[u32]) -> Vec<Member> {
        (0..).zip(links).map(|(node, &links)| Member { node, links }).collect()
    }

    #[test]
    fn impossible_degrees_lose_ends() {
        let mut rng = stream(1, 0, 0, Purpose::Planted, 0);
        let mut graph = Graph::new(4);
        assert_eq!(graph.wire_group(&members(&[3, 3, 1, 1]), &mut rng), 2, "no graph has these degrees");
        assert_eq!(graph.links().len(), 3);
    }

    /// Three pairings of four nodes are as likely as each other: five deviations of 3000 draws are 0.043.
    #[test]
    fn graphs_are_equally_likely() {
        let mut rng = stream(2, 0, 0, Purpose::Planted, 0);
        let mut seen: HashMap<Vec<(u32, u32)>, f64> = HashMap::new();
        for _ in 0..3000 {
            let mut graph = Graph::new(4);
            graph.wire_group(&members(&[1; 4]), &mut rng);
            *seen.entry(graph.links()).or_default() += 1.0 / 3000.0;
        }
        assert_eq!(seen.len(), 3);
        assert!(seen.values().all(|share| (share - 1.0 / 3.0).abs() < 0.043), "{seen:?}");
    }
}
