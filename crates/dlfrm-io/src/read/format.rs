//! The formats of networks, known by their first words or by the ending of the file.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;

use super::fields::UnknownWord;
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

/// The word for each, and its name in sentences.
const WORDS: [(Format, &str, &str); 8] = [
    (Format::Edges, "edges", "an edge list"),
    (Format::Adjacency, "adjacency", "an adjacency list"),
    (Format::Metis, "metis", "METIS"),
    (Format::MatrixMarket, "matrixmarket", "Matrix Market"),
    (Format::GraphMl, "graphml", "GraphML"),
    (Format::Gexf, "gexf", "GEXF"),
    (Format::Gml, "gml", "GML"),
    (Format::Pajek, "pajek", "Pajek"),
];

impl Format {
    /// The word for it.
    pub fn word(self) -> &'static str {
        WORDS[self as usize].1
    }

    /// Its name in sentences.
    pub fn name(self) -> &'static str {
        WORDS[self as usize].2
    }

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

fn opens_graph(text: &str) -> bool {
    text.match_indices("graph").any(|(at, word)| text[at + word.len()..].trim_start().starts_with('['))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Format {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = WORDS.iter().find(|(_, word, _)| word.eq_ignore_ascii_case(text));
        found.map(|&(format, ..)| format).ok_or_else(|| {
            UnknownWord(format!(
                "the format must be edges, adjacency, metis, matrixmarket, graphml, gexf, gml or pajek, is '{text}'"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_words() {
        for (format, word, _) in WORDS {
            assert_eq!((format.to_string().as_str(), word.parse()), (word, Ok(format)));
        }
        assert!("dot".parse::<Format>().unwrap_err().to_string().ends_with("'dot'"));
    }
}
