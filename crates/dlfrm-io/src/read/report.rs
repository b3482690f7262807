//! What was read from a file: facts for programs, and one line for people.

use std::fmt::{self, Display};

use dlfrm::network::Unlisted;
use serde::Serialize;

use super::fields::Delimiter;
use super::format::Format;

/// What was found of one relation, or of all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Links, each once.
    pub links: u64,
    /// Pairs listed as non-links, each once.
    pub non_links: u64,
    /// Pairs listed as unobserved, each once.
    pub unobserved: u64,
    /// Rows that pair a node with itself; they are ignored.
    pub self_links: u64,
    /// Rows that repeat an earlier row in the same direction.
    pub duplicates: u64,
    /// Pairs of nodes that are listed in both directions; as links, in a directed network. In an undirected one they
    /// count once.
    pub both_directions: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.links += other.links;
        self.non_links += other.non_links;
        self.unobserved += other.unobserved;
        self.self_links += other.self_links;
        self.duplicates += other.duplicates;
        self.both_directions += other.both_directions;
    }
}

/// The weights of a file, which are read and not used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Weights {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Weights {
    pub(crate) fn add(all: &mut Option<Self>, weight: f64) {
        let Self { min, max } = all.unwrap_or(Self { min: weight, max: weight });
        *all = Some(Self { min: min.min(weight), max: max.max(weight) });
    }
}

/// Who says whether links have a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DirectionBy {
    /// Nobody: they have one.
    #[default]
    Default,
    /// The options.
    Options,
    /// A comment in the file.
    Comment,
    /// A column in the file.
    Column,
    /// The format, or an attribute of the graph.
    Format,
    /// The network is bipartite, so they have none.
    Bipartite,
}

/// What a network looks like and was not read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Looks {
    /// Nearly every link is listed in both directions.
    Undirected,
    /// No source is a target, and there are so many cycles that it is no accident.
    Bipartite,
}

/// Something that a user may not expect of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReadWarning {
    /// The first row was taken for a link, and neither of its names occurs again: it may be a header.
    FirstRow {
        /// The two names.
        row: [String; 2],
    },
    /// Lines among the rows begin with a mark of comments.
    Comments {
        /// How many.
        count: u64,
    },
    /// Some labels of nodes are missing or not different, so nodes have the names of their ids.
    Ids,
    /// Directed links are asked for, and the file can say nothing of directions.
    Undirected,
    /// A bipartite network is asked for, and names are among the sources and among the targets.
    BothSides {
        /// One of them.
        name: String,
        /// How many.
        count: u64,
    },
}

impl Display for ReadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstRow { row: [source, target] } => write!(
                f,
                "the first row ({source}, {target}) was read as a link, but neither name occurs again: is it a header?"
            ),
            Self::Comments { count } => f.write_str(&comments_skipped(*count)),
            Self::Ids => {
                f.write_str("labels of nodes are missing or not all different, so their ids are the names")
            }
            Self::Undirected => f.write_str("the file has undirected links, so the network is undirected"),
            Self::BothSides { name, count: 1 } => {
                write!(f, "'{name}' is a source and a target, and is one node")
            }
            Self::BothSides { name, count } => {
                write!(f, "{count} names, such as '{name}', are sources and targets, and are one node each")
            }
        }
    }
}

pub(super) fn comments_skipped(count: u64) -> String {
    match count {
        1 => "1 line among the rows begins with # or % and was skipped as a comment".to_owned(),
        _ => format!("{count} lines among the rows begin with # or % and were skipped as comments"),
    }
}

/// What was read from a file of links.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ReadReport {
    /// The file as the user named it.
    pub file: String,
    /// Its format.
    pub format: Format,
    /// The delimiter of a table.
    pub delimiter: Option<Delimiter>,
    /// The header of a table that has one.
    pub header: Option<Vec<String>>,
    /// The ends of the first row.
    pub first_link: Option<[String; 2]>,
    /// Lines of the file, comments and blank lines among them.
    pub lines: u64,
    /// Rows of data.
    pub rows: u64,
    /// How many relations there are.
    pub relations: usize,
    /// What was found, summed over the relations.
    #[serde(flatten)]
    pub counts: Counts,
    /// The weights, if the file has them.
    pub weights: Option<Weights>,
    /// Entries of a Matrix Market file whose value is 0; they are no links.
    pub stored_zeros: u64,
    /// Edges of a graph that a program predicted; they are no links.
    pub predicted: u64,
    /// Columns, or attributes of edges, that are not used.
    pub ignored: Vec<String>,
    /// Attributes of nodes that are not used.
    pub ignored_of_nodes: Vec<String>,
    /// How many nodes there are.
    pub nodes: usize,
    /// How many of them have no link in any relation.
    pub nodes_without_links: usize,
    /// Whether the network was read as a directed one.
    pub directed: bool,
    /// Who says so.
    pub directed_by: DirectionBy,
    /// Whether the network has rows and columns.
    pub bipartite: bool,
    /// What the network looks like, and was not read as.
    pub looks: Option<Looks>,
    /// What the pairs that the file does not list are.
    pub unlisted: Unlisted,
    /// What a user may not expect.
    pub warnings: Vec<ReadWarning>,
}

const SHOWN: usize = 4;

impl Display for ReadReport {
    /// The one line that says what was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match self.delimiter {
            Some(delimiter) => {
                write!(f, "{delimiter}, ")?;
                f.write_str(if self.format == Format::Adjacency {
                    "adjacency list"
                } else if self.header.is_some() {
                    "header"
                } else {
                    "no header"
                })?;
            }
            None => f.write_str(self.format.name())?,
        }
        if let Some([source, target]) = &self.first_link {
            write!(f, ", first link {source} {} {target}", if self.directed { "->" } else { "-" })?;
        }
        let counts = &self.counts;
        write!(f, "; {}", counted(self.nodes as u64, "node", "nodes"))?;
        if self.nodes_without_links > 0 {
            write!(f, " ({} without links)", self.nodes_without_links)?;
        }
        if self.relations > 1 {
            write!(f, ", {} relations", self.relations)?;
        }
        write!(f, ", {}", counted(counts.links, "link", "links"))?;
        let both = if self.directed { 0 } else { counts.both_directions };
        let zeros = counted(self.stored_zeros, "stored zero ignored", "stored zeros ignored");
        let selves = counted(counts.self_links, "self-loop ignored", "self-loops ignored");
        let beside = [
            (counts.duplicates, format!("{} repeated", counts.duplicates)),
            (both, format!("{both} listed in both directions")),
            (counts.self_links, selves),
            (self.stored_zeros, zeros),
            (self.predicted, format!("{} predicted ignored", self.predicted)),
        ];
        let beside: Vec<String> =
            beside.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
        if !beside.is_empty() {
            write!(f, " ({})", beside.join(", "))?;
        }
        if counts.non_links > 0 {
            write!(f, ", {}", counted(counts.non_links, "non-link", "non-links"))?;
        }
        if counts.unobserved > 0 {
            write!(f, ", {} unobserved", counted(counts.unobserved, "pair", "pairs"))?;
        }
        if self.unlisted == Unlisted::Unobserved {
            f.write_str(", unlisted pairs unobserved")?;
        }
        f.write_str(match (self.bipartite, self.directed) {
            (true, _) => ", bipartite",
            (_, true) => ", directed",
            (_, false) => ", undirected",
        })?;
        f.write_str(match self.directed_by {
            DirectionBy::Comment => " (says a comment)",
            DirectionBy::Column => " (says a column)",
            _ => "",
        })?;
        if let Some(Weights { min, max }) = self.weights {
            write!(f, "; weights from {min} to {max} not used")?;
        }
        for (what, titles) in [("", &self.ignored), ("node attributes ", &self.ignored_of_nodes)] {
            if !titles.is_empty() {
                write!(f, "; {what}{}", titles[..titles.len().min(SHOWN)].join(", "))?;
                if titles.len() > SHOWN {
                    write!(f, " and {} more", titles.len() - SHOWN)?;
                }
                f.write_str(" ignored")?;
            }
        }
        match self.looks {
            None => Ok(()),
            Some(Looks::Undirected) => {
                f.write_str("; links are listed in both directions: is it undirected?")
            }
            Some(Looks::Bipartite) => f.write_str("; no source is a target: is it bipartite?"),
        }
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
