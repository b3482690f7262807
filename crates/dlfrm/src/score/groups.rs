//! How similar two lists of overlapping groups are.

use rayon::prelude::*;

/// The overlapping normalised mutual information (ONMI) of two covers, from 0 to 1.
///
/// A cover is a list of groups, a group a list of nodes from 0 to `nodes` - 1. Groups may overlap and need not contain
/// every node. This is the definition of Lancichinetti, Fortunato and Kertesz (New Journal of Physics 11, 2009), which
/// cdlib calls `overlapping_normalized_mutual_information_LFK`: 1 less the mean, over the groups of a cover, of the share of
/// a group's entropy that the most similar group of the other cover leaves, averaged over both directions.
///
/// Covers with the same groups in any order give 1, as do two empty covers; an empty cover and another one give 0. A group
/// without members or of all nodes has no entropy: it counts as unexplained in all other covers.
///
/// ```
/// use dlfrm::score::onmi;
///
/// let truth = [vec![0, 1, 2], vec![2, 3, 4]];
/// assert_eq!(onmi(&[vec![4, 3, 2], vec![0, 1, 2]], &truth, 6), 1.0);
/// assert!(onmi(&[vec![0, 1], vec![2, 3, 4]], &truth, 6) < 1.0);
/// ```
///
/// # Panics
/// If a group has a node beyond the last one.
pub fn onmi<G: AsRef<[u32]>, H: AsRef<[u32]>>(found: &[G], truth: &[H], nodes: usize) -> f64 {
    let (found, truth) = (Cover::new(found, nodes), Cover::new(truth, nodes));
    if found.groups.is_empty() != truth.groups.is_empty() {
        return 0.0;
    }
    if found.in_order() == truth.in_order() {
        return 1.0;
    }
    let unexplained = 0.5 * (found.unexplained_by(&truth) + truth.unexplained_by(&found));
    (1.0 - unexplained).clamp(0.0, 1.0)
}

/// Groups, each node of a group once.
struct Cover {
    groups: Vec<Vec<u32>>,
    /// The groups of each node.
    of_node: Vec<Vec<u32>>,
    /// The groups, the largest first.
    by_size: Vec<u32>,
}

impl Cover {
    fn new<G: AsRef<[u32]>>(groups: &[G], nodes: usize) -> Self {
        let sorted = |group: &G| {
            let mut members = group.as_ref().to_vec();
            members.sort_unstable();
            members.dedup();
            members
        };
        let groups: Vec<Vec<u32>> = groups.iter().map(sorted).collect();
        let mut of_node = vec![vec![]; nodes];
        for (number, members) in groups.iter().enumerate() {
            for &node in members {
                of_node[node as usize].push(number as u32);
            }
        }
        let mut by_size: Vec<u32> = (0..groups.len() as u32).collect();
        by_size.sort_by_key(|&number| std::cmp::Reverse(groups[number as usize].len()));
        Self { groups, of_node, by_size }
    }

    fn in_order(&self) -> Vec<&[u32]> {
        let mut all: Vec<&[u32]> = self.groups.iter().map(Vec::as_slice).collect();
        all.sort_unstable();
        all
    }

    /// The share of a group's entropy that the other cover leaves, mean over the groups.
    fn unexplained_by(&self, other: &Self) -> f64 {
        let shares: Vec<f64> = self
            .groups
            .par_iter()
            .map_init(|| Overlaps::new(other), |overlaps, group| overlaps.unexplained(group))
            .collect();
        shares.iter().sum::<f64>() / shares.len() as f64
    }
}

/// How many members a group has in common with each group of a cover.
struct Overlaps<'a> {
    cover: &'a Cover,
    common: Vec<usize>,
    touched: Vec<u32>,
}

impl<'a> Overlaps<'a> {
    fn new(cover: &'a Cover) -> Self {
        Self { cover, common: vec![0; cover.groups.len()], touched: vec![] }
    }

    /// The share of the entropy of a group that the most similar group of the cover leaves.
    fn unexplained(&mut self, group: &[u32]) -> f64 {
        let Self { cover, common, touched } = self;
        let nodes = cover.of_node.len();
        let whole = bits(group.len(), nodes) + bits(nodes - group.len(), nodes);
        if whole == 0.0 {
            return 1.0;
        }
        for &other in group.iter().flat_map(|&node| &cover.of_node[node as usize]) {
            if common[other as usize] == 0 {
                touched.push(other);
            }
            common[other as usize] += 1;
        }
        let left = |other: u32| {
            let size = cover.groups[other as usize].len();
            conditional(group.len(), size, common[other as usize], nodes).unwrap_or(whole)
        };
        // Of the groups without a common member only those explain something that have with this one more than half of all
        // nodes: with x the share of both, h(b) + h(c) >= h(x) >= h(1 - x) = h(a) if x <= 1/2.
        let large = cover.by_size.iter().copied();
        let large = large.take_while(|&other| 2 * (cover.groups[other as usize].len() + group.len()) > nodes);
        let least = touched.iter().copied().chain(large).map(left).fold(whole, f64::min);
        for other in touched.drain(..) {
            common[other as usize] = 0;
        }
        least / whole
    }
}

/// H(group | other) in bits. None if the two agree less than they disagree, a pair that the definition leaves out: the
/// complement of a group would match it otherwise.
fn conditional(group: usize, other: usize, both: usize, nodes: usize) -> Option<f64> {
    let (only_group, only_other) = (group - both, other - both);
    let neither = nodes - both - only_group - only_other;
    let [neither, only_other, only_group, both] =
        [neither, only_other, only_group, both].map(|count| bits(count, nodes));
    let known = bits(other, nodes) + bits(nodes - other, nodes);
    (neither + both > only_other + only_group).then_some(neither + only_other + only_group + both - known)
}

/// -p log2 p of a share p.
fn bits(count: usize, nodes: usize) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let share = count as f64 / nodes as f64;
    -share * share.log2()
}

#[cfg(test)]
mod tests;
