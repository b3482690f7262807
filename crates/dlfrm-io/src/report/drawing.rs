//! A small network as a drawing: where its nodes stand.

use dlfrm::fit::{FittedModel, nearly_all};
use dlfrm::posterior::Draw;
use serde::Serialize;

use super::adjacency::Order;
use super::rounded::Rounded;
use crate::group_colours::group_colours;
use crate::places::places;

/// Larger networks would be a ball of wool.
pub(crate) const MOST_NODES: usize = 300;
pub(crate) const MOST_LINKS: usize = 5_000;

/// Nodes with their places, and the links between them.
#[derive(Debug, Serialize)]
pub(super) struct Drawing<'a> {
    nodes: Vec<Node<'a>>,
    links: Vec<(u32, u32)>,
    /// The colours of the features from number 1 on; none for one that nearly all nodes have.
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
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); numbers.iter().copied().max().unwrap_or(0)];
        for id in 0..n {
            for &k in draw.row(id) {
                members[numbers[k as usize] - 1].push(id as u32);
            }
        }
        let (nodes, colours) = ((0..n).map(node).collect(), colours(members, links, n));
        Some(Self { nodes, links: links.to_vec(), colours })
    }
}

/// Colours of the groups among the features.
fn colours(mut members: Vec<Vec<u32>>, links: &[(u32, u32)], n: usize) -> Vec<Option<usize>> {
    let common: Vec<bool> = members.iter().map(|members| nearly_all(members.len(), n)).collect();
    let mut common_ones = common.iter();
    members.retain(|_| !common_ones.next().expect("one for each"));
    let mut of_groups = group_colours(&members, links, n).into_iter();
    common.into_iter().map(|common| if common { None } else { of_groups.next() }).collect()
}
