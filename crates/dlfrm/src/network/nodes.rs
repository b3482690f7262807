//! The nodes of a network: their names, and in a bipartite network which of them are rows and which are columns (people and
//! boards, plants and insects).

use std::collections::HashMap;

use crate::error::{Error, Result};

/// Names of the nodes, numbered from 0 in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    names: Vec<String>,
    index: HashMap<String, u32>,
}

impl Nodes {
    /// Nodes named `0`, `1`, ..., `n - 1`.
    pub fn numbered(n: usize) -> Self {
        (0..n).map(|i| i.to_string()).collect()
    }

    /// The id of `name`, which is added if it is new.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.index.get(name) {
            return id;
        }
        let id = u32::try_from(self.names.len()).expect("more than 2^32 nodes");
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), id);
        id
    }

    /// The id of `name`, if it is there.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }

    /// The id of `name`, or an error that carries the name.
    pub fn id(&self, name: &str) -> Result<u32> {
        self.get(name).ok_or_else(|| Error::Node(format!("'{name}'")))
    }

    /// The name of node `id`.
    pub fn name(&self, id: u32) -> &str {
        &self.names[id as usize]
    }

    /// All names in the order of their ids.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Nodes {
    fn from_iter<I: IntoIterator<Item = S>>(iter: I) -> Self {
        let mut nodes = Self::default();
        for name in iter {
            nodes.intern(name.as_ref());
        }
        nodes
    }
}

/// A unipartite network whose two columns name different nodes by chance has few cycles: each of them would be of even
/// length by chance, too.
const ENOUGH_CYCLES: usize = 5;

/// Which of the two kinds of nodes a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The kind of the sources of a file.
    Row,
    /// The kind of its targets.
    Column,
}

impl Mode {
    /// What it is called in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Row => Self::Column,
            Self::Column => Self::Row,
        }
    }
}

/// The modes of all nodes: every pair of a bipartite network has a row and a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modes {
    of: Vec<Option<Mode>>,
    rows: Vec<u32>,
    columns: Vec<u32>,
}

impl Modes {
    /// The mode of each node. One without a mode, because no pair of it is known, has no pairs.
    pub fn new(of: Vec<Option<Mode>>) -> Self {
        let members =
            |mode| (0..).zip(&of).filter(|(_, one)| **one == Some(mode)).map(|(id, _)| id).collect();
        Self { rows: members(Mode::Row), columns: members(Mode::Column), of }
    }

    /// The modes that a list of pairs (source, target) shows by itself: its sources are never targets, and there are so many
    /// cycles that this is no accident, as it is in a tree.
    pub fn found(nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Option<Self> {
        let modes = Self::of_columns(nodes, pairs.clone())?;
        (cycles(nodes, pairs) >= ENOUGH_CYCLES).then_some(modes)
    }

    /// The modes that a list of pairs is said to have: sources are rows and targets are columns. If some nodes are both, the
    /// pairs decide which nodes are of one kind, and each part of the network that is connected has the most of its
    /// sources among the rows. Pairs that contradict each other are an error.
    pub fn asked(names: &Nodes, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Result<Self> {
        if let Some(modes) = Self::of_columns(names.len(), pairs.clone()) {
            return Ok(modes);
        }
        let mut neighbours: Vec<Vec<u32>> = vec![vec![]; names.len()];
        for (i, j) in pairs.clone() {
            neighbours[i as usize].push(j);
            neighbours[j as usize].push(i);
        }
        let (mut of, mut part) = (vec![None; names.len()], vec![usize::MAX; names.len()]);
        let mut parts = 0;
        for first in 0..names.len() as u32 {
            if of[first as usize].is_some() || neighbours[first as usize].is_empty() {
                continue;
            }
            of[first as usize] = Some(Mode::Row);
            let mut open = vec![first];
            while let Some(node) = open.pop() {
                part[node as usize] = parts;
                let mode = of[node as usize].map(Mode::other);
                for &other in &neighbours[node as usize] {
                    if of[other as usize].is_none() {
                        of[other as usize] = mode;
                        open.push(other);
                    } else if of[other as usize] != mode {
                        let [one, other] = [node, other].map(|id| names.name(id));
                        return Err(Error::Network(format!(
                            "it has no two modes: the pair '{one}', '{other}' closes a cycle of odd length, so rows and columns \
                             cannot be told apart; if a row and a column may have the same name, give them different ones"
                        )));
                    }
                }
            }
            parts += 1;
        }
        let mut sources_among_rows = vec![0_i64; parts];
        for (i, _) in pairs {
            sources_among_rows[part[i as usize]] += if of[i as usize] == Some(Mode::Row) { 1 } else { -1 };
        }
        for (mode, &part) in of.iter_mut().zip(&part) {
            if part < parts && sources_among_rows[part] < 0 {
                *mode = mode.map(Mode::other);
            }
        }
        Ok(Self::new(of))
    }

    /// Sources and targets, if none is both.
    fn of_columns(nodes: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Option<Self> {
        let mut of = vec![None; nodes];
        for (i, j) in pairs {
            for (id, mode) in [(i, Mode::Row), (j, Mode::Column)] {
                if *of[id as usize].get_or_insert(mode) != mode {
                    return None;
                }
            }
        }
        Some(Self::new(of))
    }

    /// The same with modes for nodes that had none or were not there, from more pairs: a node is of the other kind than
    /// those it is paired with.
    #[must_use]
    pub fn extended(&self, nodes: usize, pairs: &[(u32, u32)]) -> Self {
        let mut of = self.of.clone();
        of.resize(nodes, None);
        loop {
            let before = of.clone();
            for &(i, j) in pairs {
                let [one, other] = [of[i as usize], of[j as usize]];
                of[i as usize] = one.or(other.map(Mode::other));
                of[j as usize] = other.or(one.map(Mode::other));
            }
            if of == before {
                let Some(&(i, _)) = pairs.iter().find(|&&(i, _)| of[i as usize].is_none()) else {
                    return Self::new(of);
                };
                of[i as usize] = Some(Mode::Row);
            }
        }
    }

    /// The mode of a node.
    pub fn mode(&self, node: u32) -> Option<Mode> {
        self.of[node as usize]
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.of.len()
    }

    /// All nodes of one kind, in order.
    pub fn members(&self, mode: Mode) -> &[u32] {
        match mode {
            Mode::Row => &self.rows,
            Mode::Column => &self.columns,
        }
    }

    /// All nodes that a node may be linked to, in order.
    pub fn partners(&self, node: u32) -> &[u32] {
        self.mode(node).map_or(&[], |mode| self.members(mode.other()))
    }

    /// Whether one node is a row and the other a column.
    pub fn across(&self, i: u32, j: u32) -> bool {
        matches!((self.mode(i), self.mode(j)), (Some(one), Some(other)) if one != other)
    }

    /// How many pairs of a row and a column there are.
    pub fn pairs(&self) -> u64 {
        self.rows.len() as u64 * self.columns.len() as u64
    }

    /// The pair with its row first.
    pub fn row_first(&self, (i, j): (u32, u32)) -> (u32, u32) {
        if self.mode(i) == Some(Mode::Column) { (j, i) } else { (i, j) }
    }

    pub(crate) fn check_node(&self, names: &Nodes, node: u32) -> Result<()> {
        self.mode(node).map(|_| ()).ok_or_else(|| Error::Network(neither(names.name(node))))
    }

    /// Refuses a pair that is not across.
    pub fn check(&self, names: &Nodes, (i, j): (u32, u32)) -> Result<()> {
        if self.across(i, j) {
            return Ok(());
        }
        let [one, other] = [i, j].map(|id| names.name(id));
        let reason = match (self.mode(i), self.mode(j)) {
            (Some(Mode::Row), Some(_)) => "both are rows".to_owned(),
            (Some(Mode::Column), Some(_)) => "both are columns".to_owned(),
            (None, _) => neither(one),
            (_, None) => neither(other),
        };
        Err(Error::Network(format!(
            "the pair '{one}', '{other}' is not possible in a bipartite network: {reason}"
        )))
    }
}

fn neither(name: &str) -> String {
    format!("'{name}' has no link, so it is neither a row nor a column")
}

/// How many links could be left out without taking the network apart.
fn cycles(nodes: usize, pairs: impl Iterator<Item = (u32, u32)>) -> usize {
    fn root(parents: &mut [u32], mut node: u32) -> u32 {
        while parents[node as usize] != node {
            let above = parents[parents[node as usize] as usize];
            parents[node as usize] = above;
            node = above;
        }
        node
    }
    let mut parents: Vec<u32> = (0..nodes as u32).collect();
    let mut list: Vec<(u32, u32)> = pairs.collect();
    list.sort_unstable();
    list.dedup();
    let mut closing = 0;
    for (i, j) in list {
        let [one, other] = [i, j].map(|id| root(&mut parents, id));
        if one == other {
            closing += 1;
        } else {
            parents[one as usize] = other;
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::network::{Network, Pairs, Unlisted};
    use crate::split::{HeldOut, Protocol, Split, SplitOptions, TestNegatives};

    const ROWS: [u32; 5] = [0, 3, 4, 7, 9];

    /// Ten nodes, five of which are rows, and one that is neither; most pairs are links.
    fn network() -> Network {
        let columns = (0..10).filter(|id| !ROWS.contains(id));
        let links =
            columns.flat_map(|column| ROWS.map(|row| (row, column))).filter(|(i, j)| (i * 7 + j * 3) % 5 < 3);
        let links: Vec<(u32, u32)> = links.collect();
        let modes = Modes::found(11, links.iter().copied()).unwrap();
        Network::new(Arc::new(Nodes::numbered(11)), true, links).unwrap().with_modes(Arc::new(modes)).unwrap()
    }

    fn across(i: u32, j: u32) -> bool {
        ROWS.contains(&i) != ROWS.contains(&j) && i < 10 && j < 10
    }

    #[test]
    fn a_tree_has_no_modes_and_a_table_has() {
        let found = |pairs: &[(u32, u32)]| Modes::found(12, pairs.iter().copied());
        let star: Vec<(u32, u32)> = (1..12).map(|leaf| (0, leaf)).collect();
        assert_eq!(found(&star), None);
        let table: Vec<(u32, u32)> =
            (0..3).flat_map(|row| (3..12).map(move |column| (row, column))).collect();
        let modes = found(&table).unwrap();
        assert_eq!((modes.members(Mode::Row), modes.pairs()), (&[0, 1, 2][..], 27));
        assert_eq!(modes.partners(5), [0, 1, 2]);
        // Repeated rows are no cycles, and a node that is a source and a target may be of one kind with any other.
        for pairs in [[star.clone(), star].concat(), [table, vec![(5, 1)]].concat()] {
            assert_eq!(found(&pairs), None);
        }
        // Two rows of four columns have three cycles, three rows of four columns have six.
        let small = |rows: u32| {
            (0..rows).flat_map(|row| (8..12).map(move |column| (row, column))).collect::<Vec<_>>()
        };
        assert!(found(&small(2)).is_none() && found(&small(3)).is_some());
    }

    #[test]
    fn what_is_asked_for_follows_from_the_pairs() {
        let names = Nodes::numbered(7);
        let asked = |pairs: &[(u32, u32)]| Modes::asked(&names, pairs.iter().copied());
        // A chain whose links are written either way, and a pair of its own: rows are where most sources are.
        let modes = asked(&[(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (1, 4)]).unwrap();
        let kinds: Vec<_> = (0..7).map(|id| modes.mode(id)).collect();
        let (row, column) = (Some(Mode::Row), Some(Mode::Column));
        assert_eq!(kinds, [row, column, row, column, row, row, column]);
        let turned = asked(&[(1, 0), (1, 2), (2, 3)]).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|id| turned.mode(id)), [column, row, column, row, None]);
        let message = asked(&[(0, 1), (1, 2), (2, 0)]).unwrap_err().to_string();
        assert!(message.contains("closes a cycle of odd length"), "{message}");
    }

    #[test]
    fn more_pairs_give_modes_to_more_nodes() {
        let modes = Modes::new(vec![Some(Mode::Row), Some(Mode::Column), None, None, None, None, None]);
        let more = modes.extended(7, &[(3, 2), (2, 0), (5, 4)]);
        let (row, column) = (Some(Mode::Row), Some(Mode::Column));
        assert_eq!(
            (0..7).map(|id| more.mode(id)).collect::<Vec<_>>(),
            [row, column, column, row, column, row, None]
        );
    }

    #[test]
    fn pairs_within_a_mode_are_refused_by_name() {
        let network = network();
        let modes = network.modes().unwrap().clone();
        let message = |pair| modes.check(network.nodes(), pair).unwrap_err().to_string();
        assert!(message((0, 3)).contains("'0', '3' is not possible in a bipartite network: both are rows"));
        assert!(message((2, 1)).contains("both are columns"));
        assert!(message((0, 10)).contains("'10' has no link"));
        let links = Network::new(network.nodes().clone(), true, [(0, 3), (0, 1)]).unwrap();
        assert!(links.with_modes(modes).unwrap_err().to_string().contains("'0', '3'"));
        let labelled = network.with_labels([(1, 2)], [], Unlisted::Unobserved).unwrap_err().to_string();
        assert!(labelled.contains("'1', '2'"), "{labelled}");
    }

    #[test]
    fn all_pairs_across_are_observed_once() {
        let network = network();
        let seen: Vec<(u32, u32)> = network.observed().map(|pair| (pair.source, pair.target)).collect();
        let all = (0..11).flat_map(|i| (i + 1..11).map(move |j| (i, j))).filter(|&(i, j)| across(i, j));
        assert_eq!(seen, all.collect::<Vec<_>>());
        assert_eq!((network.observed_count(), network.directed()), (25, false));
        let links = network.observed().filter(|pair| pair.link).map(|pair| (pair.source, pair.target));
        assert_eq!(links.collect::<Vec<_>>(), network.links());
        let hidden = network.clone().with_labels([], [(seen[3].0, seen[3].1)], Unlisted::NonLink).unwrap();
        assert_eq!((hidden.observed_count(), hidden.observed().count()), (24, 24));
        assert_eq!(Pairs::observed(&hidden, true).len(), 48);
    }

    proptest! {
        #[test]
        fn everything_that_is_drawn_is_across(seed in any::<u64>(), negatives in 0.1..0.6) {
            let network = network();
            let check = |pairs: &Pairs| pairs.iter().all(|pair| across(pair.source, pair.target));
            let sampled = Pairs::sampled(&network, false, negatives, seed).unwrap();
            prop_assert!(check(&sampled) && sampled.modes() == network.modes());
            prop_assert!(sampled.iter().all(|pair| pair.link == network.has_link(pair.source, pair.target)));
            let share = (sampled.len() - sampled.links()) as f64 / (25 - network.links().len()) as f64;
            prop_assert!((sampled.non_link_share() - share).abs() < 1e-12);
            for pair in &network.sample(12, seed).pairs {
                prop_assert!(across(pair.source, pair.target));
            }
            for protocol in Protocol::ALL {
                let kinds = [TestNegatives::Uniform, TestNegatives::Degree].into_iter();
                for test_negatives in kinds.take(1 + usize::from(protocol.samples())) {
                    let held_out = HeldOut::Fraction(0.3);
                    let options = SplitOptions { protocol, held_out, negatives: 0.5, test_negatives };
                    let split = Split::with_options(&network, &options, seed).unwrap();
                    prop_assert!(check(&split.train) && split.train.modes() == network.modes());
                    prop_assert!(split.test.iter().all(|pair| across(pair.source, pair.target)));
                    prop_assert!(protocol.samples() || split.train.len() + split.test.len() >= 25);
                }
            }
            let hard = SplitOptions { test_negatives: TestNegatives::Hard, ..SplitOptions::new(Protocol::Links) };
            let message = Split::with_options(&network, &hard, seed).unwrap_err().to_string();
            prop_assert!(message.contains("no row is two steps from a column"), "{}", message);
        }
    }

    /// Few of many are drawn one by one: every non-link of a row and a column equally often.
    #[test]
    fn sampled_non_links_are_uniform() {
        let mut counts = std::collections::HashMap::new();
        let runs = 3000;
        for seed in 0..runs {
            let sampled = Pairs::sampled(&network(), false, 0.2, seed).unwrap();
            for pair in sampled.iter().filter(|pair| !pair.link) {
                *counts.entry((pair.source, pair.target)).or_insert(0.0) += 1.0;
            }
        }
        let network = network();
        let available = 25 - network.links().len();
        assert_eq!(counts.len(), available);
        let share = (0.2 * network.links().len() as f64).round() / available as f64;
        // Five deviations of 10 counts: 6e-6 by chance, with fixed seeds.
        let deviation = (f64::from(runs as u32) * share * (1.0 - share)).sqrt();
        for (pair, count) in counts {
            let off: f64 = count - share * f64::from(runs as u32);
            assert!(off.abs() < 5.0 * deviation, "{pair:?}: {off} of {deviation}");
        }
    }
}
