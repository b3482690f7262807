//! The network with its nodes in the order of their features: as an adjacency matrix, and, if it is small, as a drawing.

use std::cmp::Reverse;

use dlfrm::fit::FittedModel;
use dlfrm::posterior::{Draw, FeatureRole};
use serde::Serialize;

use super::rounded::Rounded;
use crate::drawing::{MOST_LINKS, MOST_NODES, group_colours, places};

/// Beyond so many nodes a cell stands for several.
const MOST_CELLS: usize = 600;

/// Nodes in the order of their main features.
#[derive(Debug)]
pub(super) struct Order {
    /// The number of each node's main feature: that which makes most of its links likely.
    pub(super) main: Vec<Option<usize>>,
    /// The nodes, those of feature 1 first, those without a feature last; within one those with the same
    /// other features together, the best linked first.
    pub(super) nodes: Vec<u32>,
}

impl Order {
    /// `numbers` are those of the draw's features.
    pub(super) fn new(draw: &Draw, numbers: &[usize], links: &[(u32, u32)]) -> Self {
        let n = draw.nodes();
        let mut degrees = vec![0_usize; n];
        let mut credits: Vec<Vec<(u32, usize)>> = vec![Vec::new(); n];
        for &(i, j) in links {
            let best = strongest(draw, i as usize, j as usize);
            for (node, feature) in
                [(i as usize, best.map(|best| best.0)), (j as usize, best.map(|best| best.1))]
            {
                degrees[node] += 1;
                let Some(feature) = feature else { continue };
                let own = &mut credits[node];
                match own.iter_mut().find(|(known, _)| *known == feature) {
                    Some((_, count)) => *count += 1,
                    None => own.push((feature, 1)),
                }
            }
        }
        let number = |feature: u32| numbers[feature as usize];
        let main: Vec<Option<usize>> = (0..n)
            .map(|node| {
                let credited =
                    credits[node].iter().max_by_key(|(feature, count)| (*count, Reverse(number(*feature))));
                // A node whose features explain none of its links is shown with the largest of them.
                credited
                    .map(|&(feature, _)| number(feature))
                    .or_else(|| draw.row(node).iter().map(|&k| number(k)).min())
            })
            .collect();
        let mut nodes: Vec<u32> = (0..n as u32).collect();
        nodes.sort_by_cached_key(|&id| {
            let id = id as usize;
            let mut features: Vec<usize> = draw.row(id).iter().map(|&k| number(k)).collect();
            features.sort_unstable();
            (main[id].unwrap_or(usize::MAX), features, Reverse(degrees[id]))
        });
        Self { main, nodes }
    }
}

/// The features of two linked nodes with the largest weight between them, if it speaks for the link.
fn strongest(draw: &Draw, i: usize, j: usize) -> Option<(u32, u32)> {
    let pairs = draw.row(i).iter().flat_map(|&k| draw.row(j).iter().map(move |&l| (k, l)));
    let weighed = pairs.map(|(k, l)| (draw.weight(k as usize, l as usize), (k, l)));
    let best = weighed.filter(|(weight, _)| *weight > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, features)| features)
}

/// The links as counts in a square of cells.
#[derive(Debug, Serialize)]
pub(super) struct Adjacency {
    /// Cells a side.
    side: usize,
    /// The cells that have links, row by row: how many cells after the one before, and how many links.
    cells: Vec<u32>,
    /// The features in the order of their nodes: number (0 for none), and how many nodes.
    groups: Vec<(usize, usize)>,
}

impl Adjacency {
    pub(super) fn new(order: &Order, links: &[(u32, u32)], directed: bool) -> Self {
        let n = order.nodes.len();
        let side = n.min(MOST_CELLS);
        let mut cell_of = vec![0; n];
        for (place, &node) in order.nodes.iter().enumerate() {
            cell_of[node as usize] = place * side / n;
        }
        let mut counts = vec![0_u32; side * side];
        for &(i, j) in links {
            let (row, column) = (cell_of[i as usize], cell_of[j as usize]);
            counts[row * side + column] += 1;
            if !directed {
                counts[column * side + row] += 1;
            }
        }
        let mut cells = Vec::new();
        let mut next = 0;
        for (place, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            cells.extend([(place - next) as u32, count]);
            next = place + 1;
        }
        let number = |node: &u32| order.main[*node as usize].unwrap_or(0);
        let groups = order.nodes.chunk_by(|a, b| number(a) == number(b));
        Self { side, cells, groups: groups.map(|group| (number(&group[0]), group.len())).collect() }
    }
}

/// Nodes with their places, and the links between them.
#[derive(Debug, Serialize)]
pub(super) struct Drawing<'a> {
    nodes: Vec<Node<'a>>,
    links: Vec<(u32, u32)>,
    /// The colours of the features from number 1 on; none for one that is no group.
    colours: Vec<Option<usize>>,
}

#[derive(Debug, Serialize)]
struct Node<'a> {
    name: &'a str,
    /// Between 0 and 1, from the left and from the top.
    at: [Rounded; 2],
    /// The number of its main feature, 0 for none.
    main: usize,
    /// The numbers of all its features, the largest feature first.
    features: Vec<usize>,
}

impl<'a> Drawing<'a> {
    /// None if the network is too large to be drawn.
    pub(super) fn new(
        model: &'a FittedModel,
        draw: &Draw,
        numbers: &[usize],
        order: &Order,
        links: &[(u32, u32)],
    ) -> Option<Self> {
        let n = model.nodes.len();
        if n > MOST_NODES || links.len() > MOST_LINKS {
            return None;
        }
        let places = places(n, links, &order.nodes);
        let node = |id: usize| {
            let mut features: Vec<usize> = draw.row(id).iter().map(|&k| numbers[k as usize]).collect();
            features.sort_unstable();
            let [x, y] = places[id];
            let main = order.main[id].unwrap_or(0);
            Node { name: model.nodes.name(id as u32), at: [Rounded(x), Rounded(y)], main, features }
        };
        let mut groups = vec![None; draw.features()];
        for (k, members) in draw.members().into_iter().enumerate() {
            let role = FeatureRole::of(members.len(), n, draw.weight(k, k));
            groups[numbers[k] - 1] = (role == FeatureRole::Group).then_some(members);
        }
        let (nodes, colours) = ((0..n).map(node).collect(), colours(groups, links, n));
        Some(Self { nodes, links: links.to_vec(), colours })
    }
}

/// Colours of the groups among the features.
fn colours(groups: Vec<Option<Vec<u32>>>, links: &[(u32, u32)], n: usize) -> Vec<Option<usize>> {
    let members: Vec<Vec<u32>> = groups.iter().flatten().cloned().collect();
    let mut of_groups = group_colours(&members, links, n).into_iter();
    groups.into_iter().map(|group| group.and_then(|_| of_groups.next())).collect()
}

#[cfg(test)]
mod tests {
    use dlfrm::model::{Linear, Nu, Shape};
    use dlfrm::posterior::DrawParts;

    use super::*;

    /// Five nodes: 0 and 1 have feature 0, 2 and 3 feature 1, 4 none; feature 1 has the number 1.
    fn order(links: &[(u32, u32)]) -> Order {
        let parts = DrawParts {
            chain: 0,
            sweep: 1,
            log_joint: 0.0,
            intercept: 0.0,
            linear: Linear::default(),
            alpha: 1.0,
            nu: Nu::same(1.0),
            shape: Shape::Symmetric,
            features: 2,
            starts: vec![0, 1, 2, 3, 5, 5],
            items: vec![0, 0, 1, 0, 1],
            weights: vec![2.0, -1.0, -1.0, 3.0],
        };
        Order::new(&Draw::from_parts(parts).unwrap(), &[2, 1], links)
    }

    #[test]
    fn nodes_stand_by_the_feature_of_their_links() {
        let order = order(&[(0, 1), (1, 4), (2, 3)]);
        assert_eq!(order.main, [Some(2), Some(2), Some(1), Some(1), None]);
        assert_eq!(order.nodes, [2, 3, 1, 0, 4]);
    }

    #[test]
    fn cells_count_links() {
        let links = [(0, 1), (1, 4), (2, 3)];
        let adjacency = Adjacency::new(&order(&links), &links, false);
        assert_eq!((adjacency.side, adjacency.groups), (5, vec![(1, 2), (2, 2), (0, 1)]));
        // (2, 3), (3, 2), (1, 0), (1, 4), (0, 1), (4, 1) at their places.
        assert_eq!(adjacency.cells, [1, 1, 3, 1, 7, 1, 0, 1, 2, 1, 4, 1]);
        let many: Vec<(u32, u32)> = (0..1199).map(|i| (i, i + 1)).collect();
        let order = Order { main: vec![None; 1200], nodes: (0..1200).collect() };
        let adjacency = Adjacency::new(&order, &many, true);
        assert_eq!(adjacency.side, 600);
        assert_eq!(adjacency.cells.iter().skip(1).step_by(2).sum::<u32>(), 1199);
    }
}
