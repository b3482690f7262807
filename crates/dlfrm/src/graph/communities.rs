//! Groups of nodes with many links among them: where a chain can start.
//!
//! Nodes move to the group of a neighbour while modularity rises, groups become the nodes of a smaller network, and
//! so on (Blondel, Guillaume, Lambiotte and Lefebvre, 2008). Modularity merges small groups of large networks, so groups that
//! fall apart more clearly than a random network of their mean degree would are divided again.

use rand::seq::SliceRandom;

use crate::random::Stream;

use super::Adjacency;

const ROUNDS: usize = 20;
const DIVISIONS: usize = 10;
const DIVISIBLE: usize = 8;
/// By how much the modularity of a division must exceed that of a random network.
const CLEARLY: f64 = 0.1;

/// A network whose links have weights; a link of a node to itself counts twice in its strength.
struct Weighted {
    starts: Vec<usize>,
    links: Vec<(u32, f64)>,
    loops: Vec<f64>,
}

/// The number of the group of each node, from 0 on.
pub(crate) fn communities(links: &Adjacency, rng: &mut Stream) -> Vec<u32> {
    let all: Vec<u32> = (0..links.len() as u32).collect();
    let (mut group, _) = divide(&Weighted::of_part(links, &all, &all), rng);
    for _ in 0..DIVISIONS {
        if !divide_again(links, &mut group, rng) {
            break;
        }
    }
    group
}

fn divide_again(links: &Adjacency, group: &mut [u32], rng: &mut Stream) -> bool {
    let mut count = group.iter().max().map_or(0, |&last| last as usize + 1);
    let mut members = vec![vec![]; count];
    for (node, &own) in (0..).zip(group.iter()) {
        members[own as usize].push(node);
    }
    let mut place = vec![u32::MAX; group.len()];
    let mut divided = false;
    for members in members.iter().filter(|members| members.len() >= DIVISIBLE) {
        for (number, &node) in (0..).zip(members) {
            place[node as usize] = number;
        }
        let part = Weighted::of_part(links, members, &place);
        let mean_degree = part.links.len() as f64 / members.len() as f64;
        let (parts, modularity) = divide(&part, rng);
        if modularity > 1.0 / mean_degree.max(1.0).sqrt() + CLEARLY {
            // The first part keeps the number of the whole.
            for (&node, &part) in members.iter().zip(&parts).filter(|&(_, &part)| part > 0) {
                group[node as usize] = count as u32 + part - 1;
            }
            count += parts.iter().max().map_or(0, |&last| last as usize);
            divided = true;
        }
        for &node in members {
            place[node as usize] = u32::MAX;
        }
    }
    divided
}

fn divide(network: &Weighted, rng: &mut Stream) -> (Vec<u32>, f64) {
    let mut group: Vec<u32> = (0..network.len() as u32).collect();
    let mut merged = None;
    loop {
        let level = merged.as_ref().unwrap_or(network);
        let (moved, count) = level.move_nodes(rng);
        for own in &mut group {
            *own = moved[*own as usize];
        }
        let next = level.merge(&moved, count);
        if count == level.len() {
            return (group, next.modularity());
        }
        merged = Some(next);
    }
}

impl Weighted {
    /// The links among some nodes, whose places are known; other places are the largest number.
    fn of_part(links: &Adjacency, members: &[u32], place: &[u32]) -> Self {
        let mut starts = vec![0];
        let mut list = vec![];
        for &node in members {
            let others = links.neighbours(node).iter().filter(|&&other| other != node);
            list.extend(others.map(|&other| (place[other as usize], 1.0)).filter(|&(u, _)| u != u32::MAX));
            starts.push(list.len());
        }
        Self { starts, links: list, loops: vec![0.0; members.len()] }
    }

    fn len(&self) -> usize {
        self.loops.len()
    }

    fn neighbours(&self, node: usize) -> &[(u32, f64)] {
        &self.links[self.starts[node]..self.starts[node + 1]]
    }

    fn strengths(&self) -> Vec<f64> {
        let links = |node| self.neighbours(node).iter().map(|&(_, weight)| weight).sum::<f64>();
        (0..self.len()).map(|node| links(node) + 2.0 * self.loops[node]).collect()
    }

    /// Moves nodes between groups, each of which begins with one, while modularity rises: the group of each, and how many
    /// there are.
    fn move_nodes(&self, rng: &mut Stream) -> (Vec<u32>, usize) {
        let strengths = self.strengths();
        let all: f64 = strengths.iter().sum();
        let mut group: Vec<u32> = (0..self.len() as u32).collect();
        let mut totals = strengths.clone();
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.shuffle(rng);
        let mut to_group = vec![0.0; self.len()];
        for _ in 0..ROUNDS {
            let mut moves = 0;
            for &node in &order {
                let own = group[node];
                for &(other, weight) in self.neighbours(node) {
                    to_group[group[other as usize] as usize] += weight;
                }
                totals[own as usize] -= strengths[node];
                let gain = |to: u32| {
                    to_group[to as usize] - strengths[node] * totals[to as usize] / all.max(f64::MIN_POSITIVE)
                };
                let mut best = (gain(own), own);
                for &(other, _) in self.neighbours(node) {
                    let to = group[other as usize];
                    let gained = gain(to);
                    if gained > best.0 + 1e-12 {
                        best = (gained, to);
                    }
                }
                for &(other, _) in self.neighbours(node) {
                    to_group[group[other as usize] as usize] = 0.0;
                }
                totals[best.1 as usize] += strengths[node];
                group[node] = best.1;
                moves += usize::from(best.1 != own);
            }
            if moves * 100 <= self.len() {
                break;
            }
        }
        let count = renumber(&mut group);
        (group, count)
    }

    fn merge(&self, group: &[u32], count: usize) -> Self {
        let mut members = vec![vec![]; count];
        (0..).zip(group).for_each(|(node, &own): (u32, _)| members[own as usize].push(node));
        let mut merged = Self { starts: vec![0], links: vec![], loops: vec![0.0; count] };
        let (mut sums, mut touched) = (vec![0.0; count], vec![]);
        for (own, members) in members.iter().enumerate() {
            for &node in members {
                merged.loops[own] += self.loops[node as usize];
                for &(other, weight) in self.neighbours(node as usize) {
                    let to = group[other as usize];
                    if sums[to as usize] == 0.0 {
                        touched.push(to);
                    }
                    sums[to as usize] += weight;
                }
            }
            // Links within are seen from both of their ends.
            merged.loops[own] += 0.5 * std::mem::take(&mut sums[own]);
            touched.sort_unstable();
            for to in touched.drain(..).filter(|&to| to as usize != own) {
                merged.links.push((to, std::mem::take(&mut sums[to as usize])));
            }
            merged.starts.push(merged.links.len());
        }
        merged
    }

    fn modularity(&self) -> f64 {
        let strengths = self.strengths();
        let all: f64 = strengths.iter().sum();
        if all == 0.0 {
            return 0.0;
        }
        let share = |(within, strength): (&f64, &f64)| 2.0 * within / all - (strength / all).powi(2);
        self.loops.iter().zip(&strengths).map(share).sum()
    }
}

/// Numbers groups from 0 on, in the order of their first nodes, and says how many there are.
fn renumber(group: &mut [u32]) -> usize {
    let mut numbers = vec![u32::MAX; group.len()];
    let mut count = 0;
    for own in group {
        let number = &mut numbers[*own as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *own = *number;
    }
    count as usize
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::network::{Pair, Pairs};

    /// A ring of cliques, each linked to the next once.
    fn ring(cliques: u32, size: u32) -> Adjacency {
        let inside = (0..cliques).flat_map(|c| {
            (0..size).flat_map(move |i| (i + 1..size).map(move |j| (c * size + i, c * size + j)))
        });
        let between = (0..cliques).map(|c| (c * size, (c + 1) % cliques * size + 1));
        let pairs =
            inside.chain(between).map(|(i, j)| Pair { source: i.min(j), target: i.max(j), link: true });
        Adjacency::undirected(&Pairs::new((cliques * size) as usize, true, pairs))
    }

    /// Modularity alone merges cliques of a long ring (Fortunato and Barthelemy, 2007): they are divided again.
    #[test]
    fn cliques_are_groups() {
        for (cliques, size) in [(3, 6), (60, 5)] {
            let group = communities(&ring(cliques, size), &mut Stream::seed_from_u64(1));
            let of = |node: u32| group[node as usize];
            let whole = (0..cliques * size).all(|node| of(node) == of(node / size * size));
            let count = group.iter().max().unwrap() + 1;
            assert!(whole && (size < 6 || count == cliques), "{cliques} {size}: {group:?}");
            assert!(count >= cliques / 2, "{count} of {cliques}");
        }
    }

    #[test]
    fn modularity_is_that_of_its_definition() {
        let links = ring(4, 4);
        let all: Vec<u32> = (0..16).collect();
        let network = Weighted::of_part(&links, &all, &all);
        let group: Vec<u32> = (0..16).map(|node| node / 4).collect();
        // 28 links, 24 of them within; each group has 14 ends of links.
        let expected = 24.0 / 28.0 - 4.0 * (14.0_f64 / 56.0).powi(2);
        assert!((network.merge(&group, 4).modularity() - expected).abs() < 1e-12);
    }
}
