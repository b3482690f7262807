//! The formats of networks, known by their first words or by the ending of the file.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;

use super::input::skipped;

/// The format of a file of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A pair of names in each row.
    #[default]
    Edges,
    /// A node and its neighbours in each row.
    Adjacency,
    /// A first line with the sizes, then a line of neighbours for each node.
    Metis,
    /// Coordinates of a sparse matrix.
    MatrixMarket,
    /// XML as networkx, igraph and yEd write it.
    GraphMl,
    /// XML as Gephi writes it.
    Gexf,
    /// Keys and values in brackets.
    Gml,
    /// Sections of vertices, arcs and edges.
    Pajek,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Edges,
        Self::Adjacency,
        Self::Metis,
        Self::MatrixMarket,
        Self::GraphMl,
        Self::Gexf,
        Self::Gml,
        Self::Pajek,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Adjacency => "adjacency",
            Self::Metis => "metis",
            Self::MatrixMarket => "matrixmarket",
            Self::GraphMl => "graphml",
            Self::Gexf => "gexf",
            Self::Gml => "gml",
            Self::Pajek => "pajek",
        }
    }

    /// The name of a format that is no table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Edges => "an edge list",
            Self::Adjacency => "an adjacency list",
            Self::Metis => "METIS",
            Self::MatrixMarket => "Matrix Market",
            Self::GraphMl => "GraphML",
            Self::Gexf => "GEXF",
            Self::Gml => "GML",
            Self::Pajek => "Pajek",
        }
    }

    /// The format of a file with these first bytes.
    pub(crate) fn find(head: &[u8], file: &str) -> Self {
        let text = String::from_utf8_lossy(head).to_ascii_lowercase();
        let text = text.trim_start_matches('\u{feff}');
        if text.starts_with("%%matrixmarket") {
            return Self::MatrixMarket;
        }
        let Some(first) = text.lines().map(str::trim).find(|line| !skipped(line)) else { return Self::Edges };
        let word = first.split([' ', '\t', '[']).next().unwrap_or_default();
        let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
        match word {
            _ if first.starts_with('<') && text.contains("<graphml") => Self::GraphMl,
            _ if first.starts_with('<') && text.contains("<gexf") => Self::Gexf,
            "*network" | "*vertices" => Self::Pajek,
            "graph" | "creator" | "version" | "comment" if opens_graph(text) => Self::Gml,
            _ if matches!(ending, Some("graph" | "metis")) => Self::Metis,
            _ => Self::Edges,
        }
    }
}

/// Whether a text has the word graph before a bracket.
fn opens_graph(text: &str) -> bool {
    text.match_indices("graph").any(|(at, word)| text[at + word.len()..].trim_start().starts_with('['))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the format must be edges, adjacency, metis, matrixmarket, graphml, gexf, gml or pajek, is '{0}'")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|format| format.word().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_words() {
        for (text, file, format) in [
            ("a b\n", "links", Format::Edges),
            ("3 2\n2\n1 3\n2\n", "x.graph", Format::Metis),
            ("%%MatrixMarket matrix", "x.mtx", Format::MatrixMarket),
            ("\u{feff}<?xml version='1.0'?>\n<graphml>", "x", Format::GraphMl),
            ("<gexf>", "x", Format::Gexf),
            ("# made\nCreator \"me\"\nGraph\n[\n", "x", Format::Gml),
            ("graph theory\n", "x", Format::Edges),
            ("% c\n*Vertices 3\n", "x", Format::Pajek),
        ] {
            assert_eq!(Format::find(text.as_bytes(), file), format, "{text}");
        }
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("dot".parse::<Format>().unwrap_err().to_string().ends_with("'dot'"));
    }
}
