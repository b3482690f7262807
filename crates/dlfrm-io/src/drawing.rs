//! What a drawing of a small network needs: where its nodes stand, and colours of its groups.

/// Larger networks would be a ball of wool.
pub(crate) const MOST_NODES: usize = 300;
pub(crate) const MOST_LINKS: usize = 5_000;

/// Rounds of moving nodes.
const ROUNDS: usize = 300;
/// How strongly everything is drawn to the middle, so that parts without a link between them stay near.
const GRAVITY: f64 = 0.6;

/// Places by forces (Fruchterman & Reingold 1991): linked nodes attract, all others repel each other. Nothing is random: the
/// nodes start from an even spread in the given order.
pub(crate) fn places(n: usize, links: &[(u32, u32)], order: &[u32]) -> Vec<[f64; 2]> {
    // The plastic number's sequence covers the square evenly, and needs no sine.
    let spread = |step: f64, number: usize| (0.5 + step * number as f64).fract();
    let mut at = vec![[0.0; 2]; n];
    for (number, &id) in order.iter().enumerate() {
        at[id as usize] = [spread(0.754_877_666_246_692_7, number), spread(0.569_840_290_998_053_2, number)];
    }
    let ideal = (1.0 / n as f64).sqrt();
    for round in 0..ROUNDS {
        let mut pull = vec![[0.0; 2]; n];
        for i in 0..n {
            for j in 0..i {
                push(&at, &mut pull, i, j, |distance| ideal * ideal / distance);
            }
        }
        for &(i, j) in links {
            push(&at, &mut pull, i as usize, j as usize, |distance| -distance * distance / ideal);
        }
        let most = 0.1 * (1.0 - round as f64 / ROUNDS as f64);
        for (at, pull) in at.iter_mut().zip(&pull) {
            let force = [0, 1].map(|axis| pull[axis] + GRAVITY * (0.5 - at[axis]));
            let length = force[0].hypot(force[1]).max(1e-12);
            for axis in 0..2 {
                at[axis] += force[axis] / length * length.min(most);
            }
        }
    }
    into_square(&mut at);
    at
}

/// Adds a force between two nodes that depends on their distance; above 0 it drives them apart.
fn push(at: &[[f64; 2]], pull: &mut [[f64; 2]], i: usize, j: usize, force: impl Fn(f64) -> f64) {
    let apart = [at[i][0] - at[j][0], at[i][1] - at[j][1]];
    let distance = apart[0].hypot(apart[1]).max(1e-4);
    let force = force(distance) / distance;
    for axis in 0..2 {
        pull[i][axis] += force * apart[axis];
        pull[j][axis] -= force * apart[axis];
    }
}

/// Stretches the places until they fill the square between 0 and 1.
fn into_square(at: &mut [[f64; 2]]) {
    for axis in 0..2 {
        let low = at.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        let high = at.iter().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max);
        let width = (high - low).max(1e-12);
        for place in at.iter_mut() {
            place[axis] = (place[axis] - low) / width;
        }
    }
}

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
    fn linked_nodes_stand_together() {
        // Two cliques of six.
        let clique = |from: u32| (from..from + 6).flat_map(move |i| (from..i).map(move |j| (j, i)));
        let links: Vec<(u32, u32)> = clique(0).chain(clique(6)).collect();
        let order: Vec<u32> = (0..12).map(|i| i * 5 % 12).collect();
        let at = places(12, &links, &order);
        let distance = |i: usize, j: usize| (at[i][0] - at[j][0]).hypot(at[i][1] - at[j][1]);
        let mean = |i: usize, others: std::ops::Range<usize>| {
            let others = others.filter(|&j| j != i);
            others.clone().map(|j| distance(i, j)).sum::<f64>() / others.count() as f64
        };
        for i in 0..12 {
            let (own, other) = if i < 6 { (0..6, 6..12) } else { (6..12, 0..6) };
            let (within, across) = (mean(i, own), mean(i, other));
            assert!(1.3 * within < across, "{i}: {within} {across}");
        }
        assert!(at.iter().flatten().all(|place| (0.0..=1.0).contains(place)));
        assert_eq!(at, places(12, &links, &order));
    }

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
