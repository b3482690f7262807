//! Options of reading a file of links.

use dlfrm::network::Unlisted;

use super::columns::Columns;
use super::fields::Delimiter;
use super::format::Format;

/// Nodes that are there whether or not a link names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// The numbers from 0 up to this one, itself not included.
    Count(usize),
    /// These names in this order (see [`read_names`](crate::read_names)).
    Names(Vec<String>),
}

/// How to read a network. What is `None` follows from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format: found by the first words of the file or by its ending. Adjacency lists must be declared.
    pub format: Option<Format>,
    /// The meaning of the columns: what a header says, or else source and target if there are two.
    pub columns: Option<Columns>,
    /// The delimiter between the columns.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
    /// Whether (i, j) and (j, i) are different pairs: what the file says, or else they are.
    pub directed: Option<bool>,
    /// Whether sources and targets are two kinds of nodes, so that only pairs of both kinds count and links have no direction.
    pub bipartite: Option<bool>,
    /// The nodes: those that the file names, unless they are declared.
    pub nodes: Option<Declared>,
    /// What pairs that the file does not list are: unobserved if it lists non-links, else non-links.
    pub unlisted: Option<Unlisted>,
    /// Whether the network that the file adds to is bipartite, if it is no network by itself.
    pub adds_to_bipartite: Option<bool>,
    /// More nodes than this are refused before they fill the memory.
    pub max_nodes: u32,
    /// More rows than this are refused: a stream that never ends is not read until the memory is full.
    pub max_rows: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            columns: None,
            delimiter: None,
            header: None,
            directed: None,
            bipartite: None,
            nodes: None,
            unlisted: None,
            adds_to_bipartite: None,
            max_nodes: 100_000_000,
            // As links they take 4 GB.
            max_rows: 500_000_000,
        }
    }
}
