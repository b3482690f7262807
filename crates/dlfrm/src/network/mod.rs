//! What is observed: nodes with names, links, the pairs a model learns from.

pub(crate) mod division;
mod nodes;
mod pairs;

use std::sync::Arc;

pub(crate) use division::{Class, Division};
pub use nodes::{Mode, Modes, Nodes};
pub use pairs::{Pair, Pairs};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// What a pair that no list names is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unlisted {
    /// It has been looked at and there is no link: the usual meaning of an edge list.
    #[default]
    NonLink,
    /// Nothing is known of it: only the listed links and non-links are learned from.
    Unobserved,
}

/// Nodes and the links between them, with what is known of the other pairs.
///
/// In an undirected network a pair stands once, the smaller id first. There are no self links. A bipartite network is
/// undirected, and only pairs of a row and a column are observed.
#[derive(Debug, Clone)]
pub struct Network {
    nodes: Arc<Nodes>,
    directed: bool,
    links: Vec<(u32, u32)>,
    non_links: Vec<(u32, u32)>,
    unobserved: Vec<(u32, u32)>,
    unlisted: Unlisted,
    modes: Option<Arc<Modes>>,
}

impl Network {
    /// A network in which every pair that is not in `links` is a non-link.
    ///
    /// Links may come in any order; repeated ones count once. In an undirected network (i, j) and (j, i)
    /// are the same link. A self link or an id outside the nodes is an error.
    pub fn new(
        nodes: Arc<Nodes>,
        directed: bool,
        links: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self> {
        let links = normalise(&nodes, directed, links)?;
        Ok(Self {
            nodes,
            directed,
            links,
            non_links: Vec::new(),
            unobserved: Vec::new(),
            unlisted: Unlisted::NonLink,
            modes: None,
        })
    }

    /// Adds what is known of pairs without a link. No pair may stand in two lists.
    pub fn with_labels(
        mut self,
        non_links: impl IntoIterator<Item = (u32, u32)>,
        unobserved: impl IntoIterator<Item = (u32, u32)>,
        unlisted: Unlisted,
    ) -> Result<Self> {
        self.non_links = normalise(&self.nodes, self.directed, non_links)?;
        self.unobserved = normalise(&self.nodes, self.directed, unobserved)?;
        self.unlisted = unlisted;
        self.check()?;
        Ok(self)
    }

    /// Makes it a bipartite network: links have no direction, and pairs that are not of a row and a column are not observed. A
    /// link or another listed pair of that kind is an error.
    pub fn with_modes(mut self, modes: Arc<Modes>) -> Result<Self> {
        assert_eq!(modes.nodes(), self.len(), "every node has a mode or none");
        self.directed = false;
        for list in [&mut self.links, &mut self.non_links, &mut self.unobserved] {
            *list = normalise(&self.nodes, false, list.iter().copied())?;
        }
        self.modes = Some(modes);
        self.check()?;
        Ok(self)
    }

    fn check(&self) -> Result<()> {
        for (list, what) in [(&self.non_links, "a non-link"), (&self.unobserved, "unobserved")] {
            if let Some(&(i, j)) = list.iter().find(|pair| self.links.binary_search(pair).is_ok()) {
                return Err(self.contradiction(i, j, "a link", what));
            }
        }
        if let Some(&(i, j)) = self.unobserved.iter().find(|pair| self.non_links.binary_search(pair).is_ok())
        {
            return Err(self.contradiction(i, j, "a non-link", "unobserved"));
        }
        let Some(modes) = &self.modes else { return Ok(()) };
        let mut listed = self.links.iter().chain(&self.non_links).chain(&self.unobserved);
        listed.try_for_each(|&pair| modes.check(&self.nodes, pair))
    }

    fn contradiction(&self, i: u32, j: u32, one: &str, other: &str) -> Error {
        let (i, j) = (self.nodes.name(i), self.nodes.name(j));
        Error::Network(format!("the pair '{i}', '{j}' is given both as {one} and as {other}"))
    }

    /// Names of the nodes.
    pub fn nodes(&self) -> &Arc<Nodes> {
        &self.nodes
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether (i, j) and (j, i) are different pairs.
    pub fn directed(&self) -> bool {
        self.directed
    }

    /// Which nodes are rows and which are columns, in a bipartite network.
    pub fn modes(&self) -> Option<&Arc<Modes>> {
        self.modes.as_ref()
    }

    /// Whether a pair of two nodes can be linked: any in a unipartite network.
    pub fn possible(&self, i: u32, j: u32) -> bool {
        i != j && self.modes.as_ref().is_none_or(|modes| modes.across(i, j))
    }

    /// The links, sorted; an undirected link once, smaller id first.
    pub fn links(&self) -> &[(u32, u32)] {
        &self.links
    }

    /// The pairs given as non-links, sorted like the links.
    pub fn non_links(&self) -> &[(u32, u32)] {
        &self.non_links
    }

    /// The pairs given as unobserved, sorted like the links.
    pub fn unobserved(&self) -> &[(u32, u32)] {
        &self.unobserved
    }

    /// What the pairs that stand in no list are taken for.
    pub fn unlisted(&self) -> Unlisted {
        self.unlisted
    }

    /// Whether there is a link from i to j (between them, if the network is undirected).
    pub fn has_link(&self, i: u32, j: u32) -> bool {
        self.links.binary_search(&self.key(i, j)).is_ok()
    }

    /// Whether there is a link from i to j (between them, if the network is undirected), if the pair is observed.
    pub fn label(&self, i: u32, j: u32) -> Option<bool> {
        let listed = |list: &[(u32, u32)]| list.binary_search(&self.key(i, j)).is_ok();
        match self.unlisted {
            _ if !self.possible(i, j) => None,
            _ if listed(&self.links) => Some(true),
            _ if listed(&self.non_links) => Some(false),
            Unlisted::Unobserved => None,
            Unlisted::NonLink => (!listed(&self.unobserved)).then_some(false),
        }
    }

    fn key(&self, i: u32, j: u32) -> (u32, u32) {
        if self.directed || i < j { (i, j) } else { (j, i) }
    }

    /// How many pairs [`observed`](Self::observed) yields, without walking through them.
    pub fn observed_count(&self) -> u64 {
        match self.unlisted {
            Unlisted::Unobserved => (self.links.len() + self.non_links.len()) as u64,
            Unlisted::NonLink => {
                let n = self.len() as u64;
                let ordered = n * n.saturating_sub(1);
                let all = if self.directed { ordered } else { ordered / 2 };
                let all = self.modes.as_ref().map_or(all, |modes| modes.pairs());
                all - self.unobserved.len() as u64
            }
        }
    }

    /// Every observed pair with its label, once (an undirected pair with the smaller id first), in order.
    pub fn observed(&self) -> Box<dyn Iterator<Item = Pair> + '_> {
        match self.unlisted {
            Unlisted::NonLink => Box::new(self.all_but_unobserved()),
            Unlisted::Unobserved => {
                let labelled = |list: &[(u32, u32)], link| {
                    list.iter().map(|&(source, target)| Pair { source, target, link }).collect::<Vec<_>>()
                };
                let mut listed = [labelled(&self.links, true), labelled(&self.non_links, false)].concat();
                listed.sort_unstable_by_key(|pair| (pair.source, pair.target));
                Box::new(listed.into_iter())
            }
        }
    }

    /// Whether an undirected pair is to stand in each direction, if pairs are `ordered`.
    pub(crate) fn both_ways(&self, ordered: bool) -> bool {
        ordered && !self.directed
    }

    /// Every observed pair; with `ordered` an undirected one in both directions, one after the other.
    pub(crate) fn observed_in(&self, ordered: bool) -> impl Iterator<Item = Pair> + '_ {
        let both_ways = self.both_ways(ordered);
        let back = move |pair: Pair| Pair { source: pair.target, target: pair.source, ..pair };
        self.observed().flat_map(move |pair| std::iter::once(pair).chain(both_ways.then(|| back(pair))))
    }

    fn all_but_unobserved(&self) -> impl Iterator<Item = Pair> + '_ {
        let n = self.len() as u32;
        let mut links = self.links.iter().peekable();
        let mut hidden = self.unobserved.iter().peekable();
        (0..n)
            .flat_map(move |i| {
                let first = if self.directed { 0 } else { i + 1 };
                let partners = self.modes.as_ref().map_or(&[][..], |modes| modes.partners(i));
                let partners = &partners[partners.partition_point(|&j| j < first)..];
                let others = if self.modes.is_some() { 0..0 } else { first..n };
                others.filter(move |&j| j != i).chain(partners.iter().copied()).map(move |j| (i, j))
            })
            .filter_map(move |(i, j)| {
                let link = links.next_if(|&&pair| pair == (i, j)).is_some();
                let hidden = hidden.next_if(|&&pair| pair == (i, j)).is_some();
                (!hidden).then_some(Pair { source: i, target: j, link })
            })
    }
}

/// The links of one relation. Several relations of a data set have the same nodes.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Its name; `None` if the data set has a single relation.
    pub name: Option<String>,
    /// Its links.
    pub network: Network,
}

impl From<Network> for Relation {
    fn from(network: Network) -> Self {
        Self { name: None, network }
    }
}

fn normalise(
    nodes: &Nodes,
    directed: bool,
    pairs: impl IntoIterator<Item = (u32, u32)>,
) -> Result<Vec<(u32, u32)>> {
    let mut list = Vec::new();
    for (i, j) in pairs {
        if let Some(bad) = [i, j].into_iter().find(|&id| id as usize >= nodes.len()) {
            return Err(Error::Node(format!("number {bad}")));
        }
        if i == j {
            return Err(Error::Network(format!("node '{}' is linked to itself", nodes.name(i))));
        }
        list.push(if directed || i < j { (i, j) } else { (j, i) });
    }
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four(directed: bool) -> Network {
        Network::new(Arc::new(Nodes::numbered(4)), directed, [(2, 1), (0, 3), (1, 2)]).unwrap()
    }

    #[test]
    fn undirected_links_stand_once() {
        assert_eq!(four(false).links(), [(0, 3), (1, 2)]);
        assert_eq!(four(true).links(), [(0, 3), (1, 2), (2, 1)]);
        assert!(four(false).has_link(2, 1) && !four(true).has_link(3, 0));
    }

    #[test]
    fn observed_pairs_leave_out_what_is_unobserved() {
        let network = four(false).with_labels([], [(3, 2)], Unlisted::NonLink).unwrap();
        let seen: Vec<_> = network.observed().map(|p| (p.source, p.target, p.link)).collect();
        assert_eq!(seen, [(0, 1, false), (0, 2, false), (0, 3, true), (1, 2, true), (1, 3, false)]);
        assert_eq!(four(true).observed().count(), 12);
        let listed = four(true).with_labels([(3, 0)], [], Unlisted::Unobserved).unwrap();
        assert_eq!(listed.observed().count(), 4);
        for network in [network, four(true), listed] {
            assert_eq!(network.observed_count(), network.observed().count() as u64);
        }
    }

    #[test]
    fn contradictions_are_told() {
        let error = four(false).with_labels([(3, 0)], [], Unlisted::NonLink).unwrap_err();
        assert!(error.to_string().contains("'0', '3'"), "{error}");
        assert!(Network::new(Arc::new(Nodes::numbered(2)), true, [(1, 1)]).is_err());
        assert!(Network::new(Arc::new(Nodes::numbered(2)), true, [(1, 2)]).is_err());
    }
}
