//! The elements of GraphML and GEXF that are read.

use dlfrm::network::Mode;

use super::super::super::columns::Column;

/// The element that is open, with what is known of it.
pub(crate) enum Open {
    Node {
        id: String,
        label: Option<String>,
        /// What a program that draws writes beside it, as yEd does.
        drawn: Option<String>,
        mode: Option<Mode>,
        line: u64,
    },
    Edge(OpenEdge),
}

/// An edge, with the attributes that are read.
#[derive(Default)]
pub(crate) struct OpenEdge {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) weight: Option<String>,
    pub(crate) relation: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) predicted: bool,
    pub(crate) line: u64,
}

impl OpenEdge {
    pub(crate) fn attribute(&mut self, column: Column) -> Option<&mut Option<String>> {
        match column {
            Column::Weight => Some(&mut self.weight),
            Column::Relation => Some(&mut self.relation),
            Column::Label => Some(&mut self.label),
            _ => None,
        }
    }
}

/// What data are attributes of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Nodes,
    Edges,
}

impl Of {
    /// What the word of a key says; nothing is said of both.
    pub(crate) fn word(word: Option<&str>) -> &'static [Self] {
        match word {
            Some("node") => &[Self::Nodes],
            Some("edge") => &[Self::Edges],
            None | Some("all") => &[Self::Nodes, Self::Edges],
            Some(_) => &[],
        }
    }
}

/// The text that is being read.
pub(crate) enum Data {
    /// A value with this title; one without is not for us.
    Value(Option<String>),
    /// What edges have that have no value with the open key.
    Default,
    /// The text that is drawn beside a node.
    Drawn,
}
