//! What can be wrong with a file: each error has the file, the line, the column and the value where they are known.

use std::fmt;
use std::io;

use super::fields::Delimiter;

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1, if one is to blame.
    pub line: Option<u64>,
    /// The column (a field of the line), counted from 1, if one is to blame.
    pub column: Option<usize>,
}

impl Location {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, column: None }
    }

    /// A line, counted from 1.
    pub fn line(file: impl Into<String>, line: u64) -> Self {
        Self { file: file.into(), line: Some(line), column: None }
    }

    /// A field of this line, counted from 0 as in code.
    #[must_use]
    pub fn field(self, index: usize) -> Self {
        Self { column: Some(index + 1), ..self }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.map_or(Ok(()), |line| write!(f, ", line {line}"))?;
        self.column.map_or(Ok(()), |column| write!(f, ", column {column}"))
    }
}

/// A way to cut a file into columns, and its first row cut so.
pub type Reading = (Delimiter, Vec<String>);

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system refuses to read the file, or it is not there.
    #[error("{0}{what}", what = unreadable(*.1, .2))]
    Unreadable(String, io::ErrorKind, String),
    /// Compressed data that ends too early or makes no sense.
    #[error("{0}: {1}")]
    Damaged(Location, String),
    /// A file in a format, an encoding or a compression that is not read, and what to do instead.
    #[error("{0} is {1}, which is not read: {2}")]
    Foreign(String, &'static str, &'static str),
    /// A file without the rows, nodes or columns that it must have.
    #[error("{0} {1}")]
    Empty(String, &'static str),
    /// Bytes that are no text, or lines that are none.
    #[error("{0}: {1}")]
    NotText(Location, String),
    /// A file that breaks the rules of its own format (a quote that is not closed, damaged XML or JSON, a wrong size line).
    #[error("{0}: {1}")]
    Syntax(Location, String),
    /// A row that has not as many fields as the first one: so many, not so many, and how it was cut.
    #[error("{0}: {1} {fields} where {2} are needed (cut at {3})", fields = fields(*.1))]
    Ragged(Location, usize, usize, Delimiter),
    /// A file that two delimiters cut into columns.
    #[error("{0} can be read in two ways: {first}; or {second}", first = way(&.1[0]), second = way(&.1[1]))]
    Delimiters(String, Box<[Reading; 2]>),
    /// Columns that nothing gives a meaning to, or a column that is needed and is not there.
    #[error("{location}: {problem}{}", shown(rows))]
    Columns {
        /// The first row.
        location: Location,
        /// What is missing.
        problem: ColumnsProblem,
        /// The first two rows.
        rows: Box<[Vec<String>]>,
        /// Another delimiter that would give columns, if there is one.
        other: Option<Delimiter>,
    },
    /// A column that says nothing, or that cannot be used.
    #[error("{0}: {1}")]
    Column(Location, String),
    /// A field whose value has no meaning, and whether it is in a first row that may be a header.
    #[error("{0}: {1}")]
    Value(Location, String, bool),
    /// A name that is not among the nodes, and whether it is in a first row that may be a header.
    #[error("{0}: {1}")]
    UnknownName(Location, String, bool),
    /// A name or a pair that is there already, or that has two values.
    #[error("{0}: {1}")]
    Repeated(Location, String),
    /// A file with more nodes, rows or bytes than the options allow.
    #[error("{0} has more than {1} {2}")]
    TooMany(String, u32, &'static str),
    /// A network that the library refuses, and its reason.
    #[error("{0}: {1}")]
    Network(String, String),
}

/// What is wrong with the columns of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsProblem {
    /// One column where two are needed, and how it was cut.
    #[error("1 column (cut at {0}) where a source and a target are needed")]
    One(Delimiter),
    /// So many columns, and no header that says which are source and target.
    #[error("{0} columns (cut at {1}), and no header says which are source and target")]
    Unnamed(usize, Delimiter),
    /// More columns are declared than there are.
    #[error("{0} columns are declared, the file has {1} (cut at {2})")]
    Beyond(usize, usize, Delimiter),
    /// A title that is not in the header, and those that are.
    #[error("no column is called '{0}'; the header has {titles}", titles = .1.join(", "))]
    NoTitle(String, Box<[String]>),
    /// Two columns of one title.
    #[error("two columns are called '{0}'")]
    Twice(String),
    /// A column with this meaning is needed.
    #[error("no column is the {0}")]
    Missing(&'static str),
}

fn unreadable(kind: io::ErrorKind, cause: &str) -> String {
    match kind {
        io::ErrorKind::NotFound => ": there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => " is a directory, a file is needed".to_owned(),
        _ => format!(" cannot be read: {cause}"),
    }
}

fn fields(count: usize) -> &'static str {
    if count == 1 { "field" } else { "fields" }
}

fn way((delimiter, row): &Reading) -> String {
    format!("{} columns by {delimiter} ({})", row.len(), row.join(" | "))
}

fn shown(rows: &[Vec<String>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.join(" | ")).collect();
    if rows.is_empty() { String::new() } else { format!("; the first rows are [{}]", rows.join("] [")) }
}

impl ReadError {
    /// A short word that says which error it is.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(..) => "unreadable",
            Self::Damaged(..) => "damaged",
            Self::Foreign(..) => "foreign",
            Self::Empty(..) => "empty",
            Self::NotText(..) => "not-text",
            Self::Syntax(..) => "syntax",
            Self::Ragged(..) => "ragged",
            Self::Delimiters(..) => "delimiters",
            Self::Columns { .. } => "columns",
            Self::Column(..) => "column",
            Self::Value(..) => "value",
            Self::UnknownName(..) => "unknown-name",
            Self::Repeated(..) => "repeated",
            Self::TooMany(..) => "too-many",
            Self::Network(..) => "network",
        }
    }

    pub(super) fn unreadable(file: &str, cause: &io::Error) -> Self {
        Self::Unreadable(file.to_owned(), cause.kind(), cause.to_string())
    }

    pub(super) fn empty(file: &str, what: &'static str) -> Self {
        Self::Empty(file.to_owned(), what)
    }

    pub(super) fn syntax(file: &str, line: u64, what: impl Into<String>) -> Self {
        Self::Syntax(Location::line(file, line), what.into())
    }

    pub(super) fn open_quote(file: &str, line: u64) -> Self {
        Self::syntax(file, line, "a double quote is opened and not closed")
    }

    pub(super) fn unknown(location: Location, name: &str, nodes: usize, first_row: bool) -> Self {
        Self::UnknownName(location, format!("'{name}' is not one of the {nodes} nodes"), first_row)
    }

    pub(super) fn too_many(file: &str, limit: u32, what: &'static str) -> Self {
        Self::TooMany(file.to_owned(), limit, what)
    }

    pub(super) fn network(file: &str, cause: &dlfrm::Error) -> Self {
        Self::Network(file.to_owned(), cause.to_string())
    }
}
