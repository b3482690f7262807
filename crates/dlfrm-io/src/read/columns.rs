//! What columns mean: words for them, titles of headers that mean the same, and the labels of pairs.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::error::ColumnsProblem;
use super::fields::Delimiter;

/// The meaning of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// The node that a link starts from.
    Source,
    /// The node that a link goes to.
    Target,
    /// The relation that a link belongs to.
    Relation,
    /// Whether the pair is a link, a non-link or unobserved.
    Label,
    /// A weight, which is read and not used.
    Weight,
    /// Something that is not read.
    Skip,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Source, Self::Target, Self::Relation, Self::Label, Self::Weight, Self::Skip];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Relation => "relation",
            Self::Label => "label",
            Self::Weight => "weight",
            Self::Skip => "skip",
        }
    }

    fn parse(word: &str) -> Result<Self, ColumnsError> {
        let word = word.trim().to_lowercase();
        let found = Self::ALL
            .into_iter()
            .find(|column| column.word() == word || (*column == Self::Skip && word == "_"));
        found.ok_or(ColumnsError::Unknown(word))
    }

    /// What a title says about its column, if it is one of the usual words.
    pub fn titled(title: &str) -> Option<Self> {
        let plain: String =
            title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        // from_node_id, SourceName
        let word = ["id", "name", "node"]
            .iter()
            .fold(plain.as_str(), |word, end| word.strip_suffix(end).unwrap_or(word));
        match if word.is_empty() { &plain } else { word } {
            "source" | "from" | "src" | "start" | "sender" | "head" | "node1" | "n1" | "v1" | "user"
            | "citing" | "follower" => Some(Self::Source),
            "target" | "to" | "dst" | "dest" | "end" | "receiver" | "tail" | "node2" | "n2" | "v2"
            | "item" | "cited" | "followee" => Some(Self::Target),
            "relation" | "predicate" => Some(Self::Relation),
            "label" => Some(Self::Label),
            "weight" => Some(Self::Weight),
            _ => None,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The columns of a file: in order (`relation,source,target`), or by the file's own titles (`source=protein_A,target=protein_B`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    list: List,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum List {
    Order(Vec<Column>),
    Titles(Vec<(Column, String)>),
}

/// Why a list of columns makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsError {
    /// A word that names no column.
    #[error("'{0}' is no column: use source, target, relation, label, weight, or skip for one to ignore")]
    Unknown(String),
    /// A column that must be there.
    #[error("the columns must name a {0}")]
    Missing(&'static str),
    /// A column that may be named once.
    #[error("the columns name the {0} twice")]
    Twice(&'static str),
    /// Some columns with a title and some without.
    #[error(
        "'{0}' has no title: give all columns in their order, or each with its title, as in source=protein_A"
    )]
    Untitled(String),
}

impl Columns {
    /// Checks a list of columns in order: one source, one target, and at most one of each other kind.
    pub fn new(list: Vec<Column>) -> Result<Self, ColumnsError> {
        check(&list.iter().copied())?;
        Ok(Self { list: List::Order(list) })
    }

    /// Checks a list of columns with their titles.
    pub fn titled(list: Vec<(Column, String)>) -> Result<Self, ColumnsError> {
        check(&list.iter().map(|&(column, _)| column))?;
        Ok(Self { list: List::Titles(list) })
    }

    /// Whether they have titles, so that there is a header.
    pub(crate) fn have_titles(&self) -> bool {
        matches!(self.list, List::Titles(_))
    }

    /// Where they are in a file with so many columns and these titles.
    pub(crate) fn find(
        &self,
        count: usize,
        titles: Option<&[String]>,
        delimiter: Delimiter,
    ) -> Result<Positions, ColumnsProblem> {
        let mut found = Positions::default();
        match &self.list {
            List::Order(list) => {
                let needed =
                    list.iter().rposition(|&column| column != Column::Skip).map_or(0, |last| last + 1);
                if needed > count {
                    return Err(ColumnsProblem::Beyond { declared: needed, count, delimiter });
                }
                list.iter().enumerate().for_each(|(at, &column)| found.set(column, at));
            }
            List::Titles(list) => {
                let titles = titles.unwrap_or_default();
                for (column, title) in list {
                    let mut at =
                        titles.iter().enumerate().filter(|(_, known)| *known == title).map(|(at, _)| at);
                    let Some(first) = at.next() else {
                        return Err(ColumnsProblem::NoTitle { title: title.clone(), titles: titles.into() });
                    };
                    if at.next().is_some() {
                        return Err(ColumnsProblem::Twice { title: title.clone() });
                    }
                    found.set(*column, first);
                }
            }
        }
        Ok(found)
    }
}

fn check(list: &(impl Iterator<Item = Column> + Clone)) -> Result<(), ColumnsError> {
    let count = |column| list.clone().filter(|&one| one == column).count();
    for column in Column::ALL.into_iter().filter(|&column| column != Column::Skip) {
        match (column, count(column)) {
            (Column::Source | Column::Target, 0) => return Err(ColumnsError::Missing(column.word())),
            (_, 2..) => return Err(ColumnsError::Twice(column.word())),
            _ => {}
        }
    }
    Ok(())
}

impl Default for Columns {
    fn default() -> Self {
        Self { list: List::Order(vec![Column::Source, Column::Target]) }
    }
}

impl FromStr for Columns {
    type Err = ColumnsError;

    fn from_str(text: &str) -> Result<Self, ColumnsError> {
        let words: Vec<&str> = text.split(',').collect();
        if !text.contains('=') {
            return Self::new(words.into_iter().map(Column::parse).collect::<Result<_, _>>()?);
        }
        let titled = words.into_iter().map(|word| match word.split_once('=') {
            Some((column, title)) => Ok((Column::parse(column)?, title.trim().to_owned())),
            None => Err(ColumnsError::Untitled(word.to_owned())),
        });
        Self::titled(titled.collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = match &self.list {
            List::Order(list) => list.iter().map(ToString::to_string).collect(),
            List::Titles(list) => list.iter().map(|(column, title)| format!("{column}={title}")).collect(),
        };
        f.write_str(&words.join(","))
    }
}

/// Where the columns are that are read, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Positions {
    at: [Option<usize>; 5],
}

impl Positions {
    pub(crate) fn set(&mut self, column: Column, at: usize) {
        if let Some(position) = self.at.get_mut(column as usize) {
            *position = Some(at);
        }
    }

    pub(crate) fn get(&self, column: Column) -> Option<usize> {
        self.at.get(column as usize).copied().flatten()
    }

    /// What the titles of a header mean; the first column of a meaning counts.
    pub(crate) fn titled(titles: &[String]) -> Self {
        let mut found = Self::default();
        for (at, title) in titles.iter().enumerate() {
            if let Some(column) = Column::titled(title).filter(|&column| found.get(column).is_none()) {
                found.set(column, at);
            }
        }
        found
    }

    /// Source and target, if both are there.
    pub(crate) fn ends(&self) -> Option<[usize; 2]> {
        Some([self.get(Column::Source)?, self.get(Column::Target)?])
    }

    /// Whether a column is read.
    pub(crate) fn reads(&self, column: usize) -> bool {
        self.at.contains(&Some(column))
    }
}

/// The label of a listed pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Link,
    NonLink,
    Unobserved,
}

impl Label {
    /// What a label must be, for messages.
    pub(crate) const EXPECTED: &str =
        "a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved";

    /// Whether the pair is a link; `None` if it is unobserved.
    pub(crate) fn link(self) -> Option<bool> {
        match self {
            Self::Link => Some(true),
            Self::NonLink => Some(false),
            Self::Unobserved => None,
        }
    }

    /// The label in words, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Link => "a link",
            Self::NonLink => "a non-link",
            Self::Unobserved => "unobserved",
        }
    }

    /// Reads a label; letters may be large or small.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            // Tables written by numerical programs have 1.0 where 1 is meant.
            "1" | "1.0" | "+1" | "true" | "yes" | "link" => Some(Self::Link),
            "0" | "0.0" | "-1" | "-1.0" | "false" | "no" | "non-link" => Some(Self::NonLink),
            "" | "?" | "na" | "nan" | "unobserved" => Some(Self::Unobserved),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_from_words() {
        let columns: Columns = "relation, source,_,Target".parse().unwrap();
        assert_eq!(columns.to_string(), "relation,source,skip,target");
        let found = columns.find(4, None, Delimiter::Tab).unwrap();
        assert_eq!(
            (found.ends(), found.get(Column::Relation), found.reads(2)),
            (Some([1, 3]), Some(0), false)
        );
        assert!(columns.find(3, None, Delimiter::Tab).is_err());
        let columns: Columns = "source=protein A,target=B".parse().unwrap();
        let titles = ["B", "x", "protein A"].map(String::from);
        assert_eq!(columns.find(3, Some(&titles), Delimiter::Tab).unwrap().ends(), Some([2, 0]));
        let problem = columns.find(2, Some(&titles[..2]), Delimiter::Tab).unwrap_err();
        assert_eq!(problem.to_string(), "no column is called 'protein A'; the header has B, x");
    }

    #[test]
    fn mistakes_in_columns_are_named() {
        let error = |text: &str| text.parse::<Columns>().unwrap_err().to_string();
        assert_eq!(error("source,weight"), "the columns must name a target");
        assert_eq!(error("source,source,target"), "the columns name the source twice");
        assert!(error("source,goal").starts_with("'goal' is no column"));
        assert!(error("source=a,target").starts_with("'target' has no title"));
    }

    #[test]
    fn titles_have_many_spellings() {
        for title in ["source", "Source", "from", "FromNodeId", "source_id", "Node1", "from_name"] {
            assert_eq!(Column::titled(title), Some(Column::Source), "{title}");
        }
        for title in ["id", "name", "Ada", "", "protein_A", "score", "Id", "node"] {
            assert_eq!(Column::titled(title), None, "{title}");
        }
        for (text, label) in [("1", Label::Link), ("No", Label::NonLink), ("NaN", Label::Unobserved)] {
            assert_eq!(Label::parse(text), Some(label));
        }
        assert_eq!(Label::parse("2"), None);
    }
}
