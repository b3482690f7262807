//! Nodes of like degree, bounded together as the second ends of pairs.

use crate::covariates::End;

use super::mean_draw::MeanDraw;

/// Cells for each unit of the logarithm of the degree.
const CELLS_A_UNIT: f64 = 8.0;

/// Some nodes.
#[derive(Debug)]
pub(super) struct Cell {
    /// An end that adds at least as much as any of them, effects included in what it adds by itself.
    end: End,
    /// The most that features add for any of them.
    latent: f64,
    /// The nodes with what each adds by itself at most, features included; the most first.
    members: Vec<(u32, f64)>,
}

/// All nodes that are the second end of some pair.
pub(super) fn cells(mean: &MeanDraw<'_>, seconds: impl Iterator<Item = u32>) -> Vec<Cell> {
    let mut by_degree: std::collections::BTreeMap<usize, Vec<u32>> = std::collections::BTreeMap::new();
    for node in seconds {
        by_degree.entry((mean.second(node).logarithm() * CELLS_A_UNIT) as usize).or_default().push(node);
    }
    by_degree.into_values().map(|members| Cell::new(mean, &members)).collect()
}

impl Cell {
    fn new(mean: &MeanDraw<'_>, nodes: &[u32]) -> Self {
        let latent = |node: u32| mean.latent.most[1][node as usize];
        let end = |node: u32| mean.second(node).with(mean.effects[1][node as usize]);
        let ends = nodes.iter().map(|&node| end(node));
        let mut members: Vec<(u32, f64)> =
            nodes.iter().map(|&node| (node, end(node).own() + latent(node))).collect();
        members.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self {
            end: ends.reduce(|one, other| one.or(&other)).expect("a cell is not empty"),
            latent: nodes.iter().map(|&node| latent(node)).fold(f64::NEG_INFINITY, f64::max),
            members,
        }
    }

    /// The logarithm of 1 + the least degree.
    pub(super) fn least_logarithm(&self) -> f64 {
        self.end.least_logarithm()
    }

    /// The members whose pairs with a first end may have a mean logit of `needed` or more as far as the cell tells, if there is no path
    /// of length two. `base` is what intercept and effect add for the first end, `latent` the most that its features add.
    pub(super) fn members_within(
        &self,
        mean: &MeanDraw<'_>,
        first: &End,
        base: f64,
        latent: f64,
        needed: f64,
    ) -> impl Iterator<Item = u32> {
        let most = base + mean.far(first, &self.end);
        let none = most + latent.min(self.latent) < needed;
        let without_own = most - self.end.own();
        let members = if none { &[][..] } else { &self.members };
        members.iter().take_while(move |(_, own)| without_own + own >= needed).map(|&(node, _)| node)
    }
}
