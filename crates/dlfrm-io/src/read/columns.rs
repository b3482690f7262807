//! What columns mean: words for them, titles of headers that mean the same, and the labels of pairs.

use std::fmt;
use std::str::FromStr;

use super::error::ColumnsProblem;
use super::fields::{Delimiter, UnknownWord};

/// The meaning of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    fn parse(word: &str) -> Result<Self, UnknownWord> {
        let word = word.trim().to_lowercase();
        let found = |column: &Self| column.word() == word || *column == Self::Skip && word == "_";
        Self::ALL.into_iter().find(found).ok_or_else(|| {
            UnknownWord(format!(
                "'{word}' is no column: use source, target, relation, label, weight, or skip for one to ignore"
            ))
        })
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
    list: Vec<(Column, Option<String>)>,
}

impl Columns {
    pub(crate) fn have_titles(&self) -> bool {
        self.list.iter().any(|(_, title)| title.is_some())
    }

    pub(crate) fn find(&self, row: &[String], delimiter: Delimiter) -> Result<Positions, ColumnsProblem> {
        let mut found = Positions::default();
        let needed =
            self.list.iter().rposition(|(column, _)| *column != Column::Skip).map_or(0, |last| last + 1);
        if !self.have_titles() && needed > row.len() {
            return Err(ColumnsProblem::Beyond(needed, row.len(), delimiter));
        }
        for (at, (column, title)) in self.list.iter().enumerate() {
            let Some(title) = title else {
                found.set(*column, at);
                continue;
            };
            let first = row.iter().position(|known| known == title);
            let first = first.ok_or_else(|| ColumnsProblem::NoTitle(title.clone(), row.into()))?;
            if row[first + 1..].contains(title) {
                return Err(ColumnsProblem::Twice(title.clone()));
            }
            found.set(*column, first);
        }
        Ok(found)
    }
}

impl FromStr for Columns {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let titled = text.contains('=');
        let column = |word: &str| match word.split_once('=') {
            Some((column, title)) => Ok((Column::parse(column)?, Some(title.trim().to_owned()))),
            None if titled => Err(UnknownWord(format!(
                "'{word}' has no title: give all columns in their order, or each with its title, as in source=protein_A"
            ))),
            None => Ok((Column::parse(word)?, None)),
        };
        let list: Vec<_> = text.split(',').map(column).collect::<Result<_, _>>()?;
        for column in Column::ALL.into_iter().filter(|&column| column != Column::Skip) {
            let count = list.iter().filter(|(known, _)| *known == column).count();
            if count == 0 && matches!(column, Column::Source | Column::Target) {
                return Err(UnknownWord(format!("the columns must name a {column}")));
            }
            if count > 1 {
                return Err(UnknownWord(format!("the columns name the {column} twice")));
            }
        }
        Ok(Self { list })
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.list.iter().map(|(column, title)| match title {
            Some(title) => format!("{column}={title}"),
            None => column.to_string(),
        });
        f.write_str(&words.collect::<Vec<_>>().join(","))
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

    pub(crate) fn ends(&self) -> Option<[usize; 2]> {
        Some([self.get(Column::Source)?, self.get(Column::Target)?])
    }

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
    pub(crate) const EXPECTED: &str =
        "a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved";

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
        let titles = ["B", "x", "protein A", ""].map(String::from);
        let columns: Columns = "relation, source,_,Target".parse().unwrap();
        assert_eq!(columns.to_string(), "relation,source,skip,target");
        let found = columns.find(&titles, Delimiter::Tab).unwrap();
        assert_eq!(
            (found.ends(), found.get(Column::Relation), found.reads(2)),
            (Some([1, 3]), Some(0), false)
        );
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
    }
}
