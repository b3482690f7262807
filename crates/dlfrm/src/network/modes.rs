//! Bipartite networks: which nodes are rows and which are columns (people and boards, plants and insects).

use crate::error::{Error, Result};

use super::Nodes;

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

    /// The modes of a list of pairs (source, target): those that are [asked for](Self::asked) with `Some(true)`, none with
    /// `Some(false)`, and else those that can be [found](Self::found).
    pub fn of(
        names: &Nodes,
        pairs: impl Iterator<Item = (u32, u32)> + Clone,
        asked: Option<bool>,
    ) -> Result<Option<Self>> {
        match asked {
            Some(false) => Ok(None),
            Some(true) => Self::asked(names, pairs).map(Some),
            None => Ok(Self::found(names.len(), pairs)),
        }
    }

    /// What a user should know of them, if they were asked for or found.
    pub fn warning(&self, asked: Option<bool>) -> String {
        let [rows, columns] = [self.rows.len(), self.columns.len()];
        if asked.is_some() {
            return format!("a bipartite network of {rows} rows and {columns} columns");
        }
        format!(
            "a bipartite network of {rows} rows (sources) and {columns} columns (targets), none being both: only pairs of a \
             row and a column count, and links have no direction; --unipartite lets any two nodes be linked"
        )
    }

    /// What a user should know of nodes without a mode, if there are any.
    pub fn without_mode(&self, names: &Nodes) -> Option<String> {
        let mut without = (0..).zip(&self.of).filter(|(_, mode)| mode.is_none()).map(|(id, _)| id);
        let first = names.name(without.next()?);
        Some(match 1 + without.count() {
            1 => format!("{} and in no pair", neither(first)),
            count => format!(
                "{count} nodes, the first of them '{first}', have no link, so they are neither rows nor columns and in no pair"
            ),
        })
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

    /// Refuses a node that has no mode.
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

/// What is said of a node without a mode.
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
mod tests;
