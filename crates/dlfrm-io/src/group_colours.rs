//! Colours of groups: two that share members or links have different ones as far as the palette goes.

/// How many colours the palette has.
pub(crate) const COLOURS: usize = 10;

/// A colour for each group of members. Groups come in the order of their importance: the first ones choose first.
pub(crate) fn group_colours(groups: &[Vec<u32>], links: &[(u32, u32)], nodes: usize) -> Vec<usize> {
    let mut of_node: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (group, members) in groups.iter().enumerate() {
        for &member in members {
            of_node[member as usize].push(group);
        }
    }
    let mut colours: Vec<usize> = Vec::with_capacity(groups.len());
    for (group, members) in groups.iter().enumerate() {
        // How much each earlier group has to do with this one.
        let mut near = vec![0_usize; group];
        let mut meet = |node: u32| {
            for &other in of_node[node as usize].iter().filter(|other| **other < group) {
                near[other] += 1;
            }
        };
        for &member in members {
            meet(member);
        }
        for &(i, j) in links {
            for (one, other) in [(i, j), (j, i)] {
                if of_node[one as usize].contains(&group) {
                    meet(other);
                }
            }
        }
        let cost = |colour: usize| {
            let same = || (0..group).filter(|&other| colours[other] == colour);
            (same().map(|other| near[other]).sum::<usize>(), same().count(), colour)
        };
        colours.push((0..COLOURS).min_by_key(|&colour| cost(colour)).expect("there are colours"));
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ() {
        let few: Vec<Vec<u32>> = (0..10).map(|k| vec![k, k + 1]).collect();
        assert_eq!(group_colours(&few, &[], 11), (0..10).collect::<Vec<_>>());
        // A ring of thirty groups: colours return, never beside or two beside each other.
        let ring: Vec<Vec<u32>> = (0..30_u32).map(|k| vec![2 * k, 2 * k + 1, (2 * k + 2) % 60]).collect();
        let links: Vec<(u32, u32)> = (0..60).map(|i| (i, (i + 3) % 60)).collect();
        let colours = group_colours(&ring, &links, 60);
        for k in 0..30 {
            assert_ne!(colours[k], colours[(k + 1) % 30], "{colours:?}");
            assert_ne!(colours[k], colours[(k + 2) % 30], "{colours:?}");
        }
        assert!((0..COLOURS).all(|colour| colours.iter().filter(|one| **one == colour).count() == 3));
    }
}
