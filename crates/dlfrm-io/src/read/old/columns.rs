//! Which column of an edge list means what.

use std::fmt;
use std::str::FromStr;

/// The meaning of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Relation => "relation",
            Self::Label => "label",
            Self::Weight => "weight",
            Self::Skip => "skip",
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The columns of an edge list in order, such as `source,target` or `relation,source,target`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    list: Vec<Column>,
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
}

impl Columns {
    /// Checks a list of columns: one source, one target, and at most one of each other kind.
    pub fn new(list: Vec<Column>) -> Result<Self, ColumnsError> {
        let count = |column| list.iter().filter(|&&c| c == column).count();
        for column in [Column::Source, Column::Target, Column::Relation, Column::Label, Column::Weight] {
            if count(column) > 1 {
                return Err(ColumnsError::Twice(column.word()));
            }
        }
        for column in [Column::Source, Column::Target] {
            if count(column) == 0 {
                return Err(ColumnsError::Missing(column.word()));
            }
        }
        Ok(Self { list })
    }

    /// The position of a column, from 0.
    pub(crate) fn position(&self, column: Column) -> Option<usize> {
        self.list.iter().position(|&c| c == column)
    }

    /// The positions of source and target, from 0.
    pub(crate) fn ends(&self) -> [usize; 2] {
        [Column::Source, Column::Target].map(|end| self.position(end).expect("checked columns"))
    }

    /// The same with source and target exchanged.
    pub(crate) fn turned(&self) -> Self {
        let turn = |&column: &Column| match column {
            Column::Source => Column::Target,
            Column::Target => Column::Source,
            other => other,
        };
        Self { list: self.list.iter().map(turn).collect() }
    }

    /// How many fields a line must have: up to the last column that is read.
    pub(crate) fn needed(&self) -> usize {
        self.list.iter().rposition(|&c| c != Column::Skip).map_or(0, |last| last + 1)
    }

    /// The columns in order.
    pub(crate) fn list(&self) -> &[Column] {
        &self.list
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self { list: vec![Column::Source, Column::Target] }
    }
}

impl FromStr for Columns {
    type Err = ColumnsError;

    fn from_str(text: &str) -> Result<Self, ColumnsError> {
        let list = text.split(',').map(|word| match word.trim().to_lowercase().as_str() {
            "source" => Ok(Column::Source),
            "target" => Ok(Column::Target),
            "relation" => Ok(Column::Relation),
            "label" => Ok(Column::Label),
            "weight" => Ok(Column::Weight),
            "skip" | "_" => Ok(Column::Skip),
            other => Err(ColumnsError::Unknown(other.to_owned())),
        });
        Self::new(list.collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.list.iter().map(|column| column.word()).collect();
        f.write_str(&words.join(","))
    }
}
