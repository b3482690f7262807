//! How similar two lists of overlapping groups are.

use rayon::prelude::*;

/// The overlapping normalised mutual information (ONMI) of two covers, from 0 to 1.
///
/// A cover is a list of groups, a group a list of nodes from 0 to `nodes` - 1. This is the definition of Lancichinetti,
/// Fortunato and Kertesz (New Journal of Physics 11, 2009): 1 less the mean, over the groups of a cover, of the share of a
/// group's entropy that the most similar group of the other cover leaves, averaged over both directions.
///
/// The same groups in any order give 1, as do two empty covers; an empty cover and another one give 0. A group without
/// members or of all nodes has no entropy: it counts as unexplained in all other covers.
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
    of_node: Vec<Vec<u32>>,
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

fn bits(count: usize, nodes: usize) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let share = count as f64 / nodes as f64;
    -share * share.log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u32 = 120;

    /// Groups of consecutive nodes, each `shift` after the one before.
    fn blocks(size: u32, shift: usize) -> Vec<Vec<u32>> {
        (0..N).step_by(shift).map(|start| (start..start + size).map(|i| i % N).collect()).collect()
    }

    /// Each node i in the group i mod `modulus`, and every `second`-th one in the next group too.
    fn residues(modulus: u32, second: u32) -> Vec<Vec<u32>> {
        let of = |i: u32, group: u32| {
            i % modulus == group || i.is_multiple_of(second) && (i + 1) % modulus == group
        };
        (0..modulus).map(|group| (0..N).filter(|&i| of(i, group)).collect()).collect()
    }

    /// The same groups, but every `every`-th node is in the next one.
    fn almost(groups: &[Vec<u32>], every: u32) -> Vec<Vec<u32>> {
        let one = |(number, group): (usize, &Vec<u32>)| {
            let before = &groups[(number + groups.len() - 1) % groups.len()];
            let stay = group.iter().filter(|&&i| !i.is_multiple_of(every));
            stay.chain(before.iter().filter(|&&i| i.is_multiple_of(every))).copied().collect()
        };
        groups.iter().enumerate().map(one).collect()
    }

    #[test]
    fn values_are_those_of_cdlib() {
        // scripts/reference_groups.py, cdlib 0.4.1
        let (parts, overlapping, six) = (blocks(20, 20), blocks(20, 15), residues(6, 4));
        let with = |group: Vec<u32>| [parts.clone(), vec![group]].concat();
        let all: Vec<u32> = (0..N).collect();
        let cases = [
            (parts.clone(), overlapping.clone(), 0.557_273_662_327_238_1),
            (parts.clone(), almost(&parts, 7), 0.594_424_350_813_651_5),
            (overlapping.clone(), almost(&overlapping, 4), 0.526_813_327_963_551_3),
            (six.clone(), residues(3, 5), 0.266_460_957_971_062_73),
            (six.clone(), almost(&six, 9), 0.754_953_541_170_919_6),
            (parts[..3].to_vec(), overlapping.clone(), 0.432_774_201_603_585_6),
            (vec![(0..90).collect()], parts.clone(), 0.092_307_166_975_463_7),
            (vec![(0..90).collect()], vec![vec![100, 101], vec![7, 93]], 0.097_542_126_050_579_88),
            (with(all.clone()), overlapping.clone(), 0.513_234_413_630_104_8),
            (with(vec![]), parts.clone(), 0.928_571_428_571_428_6),
            (vec![all], parts.clone(), 0.0),
        ];
        for (number, (found, truth, expected)) in cases.iter().enumerate() {
            for value in [onmi(found, truth, N as usize), onmi(truth, found, N as usize)] {
                assert!((value - expected).abs() < 1e-12, "case {number}: {value} {expected}");
            }
        }
    }

    #[test]
    fn edges_are_defined() {
        let none: [Vec<u32>; 0] = [];
        let parts = blocks(20, 20);
        assert_eq!(onmi(&none, &none, 7), 1.0);
        assert_eq!(onmi(&none, &none, 0), 1.0);
        assert_eq!(onmi(&none, &parts, 120), 0.0);
        assert_eq!(onmi(&parts, &none, 120), 0.0);
        assert_eq!(onmi(&[vec![0, 1, 2]], &[[2_u32, 1, 0, 1]], 3), 1.0, "one group of all nodes, twice");
        assert_eq!(onmi(&[vec![]], &[vec![0_u32]], 1), 0.0);
    }
}
