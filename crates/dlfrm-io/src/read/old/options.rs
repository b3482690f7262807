//! Options of reading a file of links.

use dlfrm::network::Unlisted;

use super::super::fields::Delimiter;
use super::columns::Columns;

/// Nodes that are there whether or not a link names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// The numbers from 0 up to this one, itself not included.
    Count(usize),
    /// These names in this order (see [`read_names`](super::read_names)).
    Names(Vec<String>),
}

/// A network that is known, and that a file adds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownNetwork {
    /// Whether it has two modes: then a matrix has rows and columns.
    pub bipartite: bool,
}

/// How to read a network. What is `None` is found out from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The meaning of the columns: what a header says, or else `source,target`.
    pub columns: Option<Columns>,
    /// The delimiter between the columns.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
    /// Whether (i, j) and (j, i) are different pairs.
    pub directed: bool,
    /// Whether nobody has said so: a file that looks undirected is remarked on.
    pub directed_by_default: bool,
    /// Whether sources and targets are two kinds of nodes, so that only pairs of both kinds count and links have no direction.
    pub bipartite: Option<bool>,
    /// The nodes: those that the file names, unless they are declared.
    pub nodes: Option<Declared>,
    /// What pairs that the file does not list are: unobserved if it lists non-links, else non-links.
    pub unlisted: Option<Unlisted>,
    /// The network that the file adds to, if it is no network by itself: what is odd in a whole network only is not remarked on.
    pub adds_to: Option<KnownNetwork>,
    /// More nodes than this are refused before they fill the memory.
    pub max_nodes: u32,
    /// More rows than this are refused: a stream that never ends is not read until the memory is full.
    pub max_rows: u32,
}

impl ReadOptions {
    /// What is said behind a file that is undirected by itself: a direction was asked for, by the user and not by a model.
    pub(crate) fn without_direction(&self) -> &'static str {
        if self.directed_by_default || self.adds_to.is_some() { "" } else { "; --directed has no effect" }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            columns: None,
            delimiter: None,
            header: None,
            directed: true,
            directed_by_default: false,
            bipartite: None,
            nodes: None,
            unlisted: None,
            adds_to: None,
            max_nodes: 100_000_000,
            // As links they take 4 GB.
            max_rows: 500_000_000,
        }
    }
}

impl ReadOptions {
    /// What is said of options of edge lists where the network is in another format; `file` begins the sentences.
    pub(crate) fn without_effect(&self, file: &str) -> Vec<String> {
        let said = [
            (self.columns.is_some(), "columns to name"),
            (self.delimiter.is_some(), "delimiter to choose"),
            (self.header.is_some(), "header to look for"),
        ];
        said.iter().filter(|(given, _)| *given).map(|(_, what)| format!("{file} has no {what}")).collect()
    }
}
