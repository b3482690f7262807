//! Simple graphs with given degrees: within a group, and between nodes without a common group.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::random::Stream;

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

/// A simple graph that is being made.
pub(super) struct Graph {
    neighbours: Vec<Vec<u32>>,
}

impl Graph {
    pub(super) fn new(nodes: usize) -> Self {
        Self { neighbours: vec![vec![]; nodes] }
    }

    /// The links, each once.
    pub(super) fn links(&self) -> Vec<(u32, u32)> {
        let of = |(i, others): (usize, &Vec<u32>)| {
            let i = i as u32;
            others.iter().filter(move |&&j| i < j).map(move |&j| (i, j)).collect::<Vec<_>>()
        };
        self.neighbours.iter().enumerate().flat_map(of).collect()
    }

    /// Whether two nodes may be linked: different ones that are not yet.
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

    /// Replaces the links (a, b) and (c, d) by (a, d) and (c, b).
    fn exchange(&mut self, (a, b): (u32, u32), (c, d): (u32, u32)) {
        self.unlink(a, b);
        self.unlink(c, d);
        self.link(a, d);
        self.link(c, b);
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
                self.exchange((a, b), (c, d));
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

/// A link from either of its ends.
fn turned((i, j): (u32, u32), rng: &mut Stream) -> (u32, u32) {
    if rng.random() { (i, j) } else { (j, i) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::{Purpose, stream};

    fn members(links: &[u32]) -> Vec<Member> {
        (0..).zip(links).map(|(node, &links)| Member { node, links }).collect()
    }

    #[test]
    fn degrees_are_met() {
        let mut rng = stream(1, 0, 0, Purpose::Planted, 0);
        for degrees in [vec![4, 4, 4, 4, 4], vec![5, 3, 3, 2, 2, 1], vec![2, 2, 2, 0]] {
            let mut graph = Graph::new(degrees.len());
            assert_eq!(graph.wire_group(&members(&degrees), &mut rng), 0);
            let found: Vec<u32> = graph.neighbours.iter().map(|others| others.len() as u32).collect();
            assert_eq!(found, degrees);
        }
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

    #[test]
    fn links_between_groups_keep_their_nodes_apart() {
        let mut rng = stream(3, 0, 0, Purpose::Planted, 0);
        let apart = |i: u32, j: u32| i % 3 != j % 3;
        let mut graph = Graph::new(60);
        let wanted: Vec<u32> = (0..60).map(|i| 5 + i % 20).collect();
        assert_eq!(graph.wire_outside(&wanted, apart, &mut rng), 0);
        assert!(graph.links().iter().all(|&(i, j)| apart(i, j)));
        let found: Vec<u32> = graph.neighbours.iter().map(|others| others.len() as u32).collect();
        assert_eq!(found, wanted);
        // Half of the nodes have no partner at all; nearly all of the others find theirs.
        let mut graph = Graph::new(40);
        let lost = graph.wire_outside(&[3; 40], |i, j| i < 20 && j < 20, &mut rng);
        assert!((60..=70).contains(&lost), "{lost}");
    }
}
