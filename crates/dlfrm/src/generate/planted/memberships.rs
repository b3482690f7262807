//! Which node is in which planted groups.

use std::collections::BinaryHeap;

use rand::RngExt;

use crate::random::Stream;

/// Exchanges that are tried per slot: every slot is chosen 20 times on average.
const EXCHANGES: usize = 10;

/// The groups of each node, in order. A group of a size has so many slots, and a node only enters groups with more
/// members than it needs partners. None if there is no room.
pub(super) fn assign(
    needs: &[u32],
    counts: &[u32],
    sizes: &[usize],
    rng: &mut Stream,
) -> Option<Vec<Vec<u32>>> {
    let mut groups_of = fill(needs, counts, sizes)?;
    exchange(&mut groups_of, needs, sizes, rng);
    for groups in &mut groups_of {
        groups.sort_unstable();
    }
    Some(groups_of)
}

/// The nodes of the largest needs enter first, each the groups with most free slots: whatever is open to them is open to
/// later ones too, and slots of different groups are left to the end.
fn fill(needs: &[u32], counts: &[u32], sizes: &[usize]) -> Option<Vec<Vec<u32>>> {
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

/// Exchanges random slots of two nodes, where both fit.
fn exchange(groups_of: &mut [Vec<u32>], needs: &[u32], sizes: &[usize], rng: &mut Stream) {
    let slots: Vec<(u32, u32)> = groups_of
        .iter()
        .enumerate()
        .flat_map(|(node, groups)| (0..groups.len()).map(move |slot| (node as u32, slot as u32)))
        .collect();
    for _ in 0..EXCHANGES * slots.len() {
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
}

/// Whether two sorted lists have an element in common.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn slots_are_filled_and_needs_are_met() {
        let sizes = [5, 12, 7, 6];
        let needs: Vec<u32> = (0..25).map(|node| if node < 4 { 10 } else { node % 5 }).collect();
        let counts: Vec<u32> = (0..25).map(|node| if node >= 20 { 2 } else { 1 }).collect();
        let mut rng = stream(1, 0, 0, Purpose::Planted, 0);
        let groups_of = assign(&needs, &counts, &sizes, &mut rng).unwrap();
        for (group, &size) in sizes.iter().enumerate() {
            let members = groups_of.iter().filter(|groups| groups.contains(&(group as u32)));
            assert_eq!(members.count(), size);
        }
        for (node, groups) in groups_of.iter().enumerate() {
            assert!(groups.len() == counts[node] as usize && groups.is_sorted_by(|a, b| a < b));
            assert!(groups.iter().all(|&group| sizes[group as usize] > needs[node] as usize));
        }
        // Thirteen nodes that only fit into the group of twelve.
        assert!(assign(&[7; 13], &[1; 13], &[12, 1], &mut rng).is_none());
        // Two nodes in two groups each, but one group alone has four slots.
        assert!(assign(&[0; 2], &[2; 2], &[4], &mut rng).is_none());
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

    #[test]
    fn common_elements() {
        assert!(common(&[1, 5, 9], &[2, 5]) && !common(&[1, 5, 9], &[2, 6]) && !common(&[], &[1]));
    }
}
