//! What can be wrong with a file: each error has the file, the line, the column and the value where they are known.

use std::fmt;
use std::io;

use serde::Serialize;

use super::fields::Delimiter;

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// How a file may be cut into columns, with its first row cut so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The delimiter.
    pub delimiter: Delimiter,
    /// The first row.
    pub row: Vec<String>,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} columns by {} ({})", self.row.len(), self.delimiter, self.row.join(" | "))
    }
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReadError {
    /// The system refuses to read the file, or it is not there.
    #[error("{file}{}", unreadable(*kind, cause))]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: String,
        /// The same as a kind.
        #[serde(skip)]
        kind: io::ErrorKind,
    },
    /// Compressed data that ends too early or makes no sense.
    #[error("{location}: the {compression} data {cause}")]
    Damaged {
        /// The last line that began.
        location: Location,
        /// gzip, zstd or bzip2.
        compression: &'static str,
        /// What is wrong.
        cause: String,
    },
    /// A format, an encoding or a compression that is not read.
    #[error("{file} is {format}, which is not read: {instead}")]
    Foreign {
        /// The file.
        file: String,
        /// What it is.
        format: &'static str,
        /// What to do about it in the program that wrote it.
        instead: &'static str,
    },
    /// A file without the rows, nodes or columns that it must have.
    #[error("{file} {what}")]
    Empty {
        /// The file.
        file: String,
        /// What is missing, as in "has no rows".
        what: &'static str,
    },
    /// Bytes that are no text, or lines that are none.
    #[error("{location}: {what}")]
    NotText {
        /// The line.
        location: Location,
        /// What is wrong.
        what: String,
    },
    /// A file that breaks the rules of its own format (a quote that is not closed, damaged XML or JSON, a wrong size line).
    #[error("{location}: {what}")]
    Syntax {
        /// Where.
        location: Location,
        /// What is wrong.
        what: String,
    },
    /// A row that has not as many fields as the first one.
    #[error("{location}: {found} {} where {expected} are needed (cut at {delimiter})", fields(*found))]
    Ragged {
        /// The line.
        location: Location,
        /// How many fields it has.
        found: usize,
        /// How many it must have.
        expected: usize,
        /// How it was cut.
        delimiter: Delimiter,
    },
    /// Two delimiters that both give columns.
    #[error("{file} can be read in two ways: {}; or {}", readings[0], readings[1])]
    Delimiters {
        /// The file.
        file: String,
        /// Both ways.
        readings: Box<[Reading; 2]>,
    },
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
    #[error("{location}: '{title}' {what}")]
    Column {
        /// The column.
        location: Location,
        /// Its title.
        title: String,
        /// What is wrong with it.
        what: String,
    },
    /// A field whose value has no meaning.
    #[error("{location}: {expected}, is '{value}'")]
    Value {
        /// The field.
        location: Location,
        /// What it must be, as in "a weight must be a finite number".
        expected: String,
        /// What it is.
        value: String,
        /// Whether it is in the first row, which may be a header that is not known as one.
        first_row: bool,
    },
    /// A name that is not among the nodes.
    #[error("{location}: '{name}' is not one of the {nodes} nodes")]
    UnknownName {
        /// The field.
        location: Location,
        /// The name.
        name: String,
        /// How many nodes there are.
        nodes: usize,
        /// Whether it is in the first row, which may be a header that is not known as one.
        first_row: bool,
    },
    /// A name or a pair that is there already, or that has two values.
    #[error("{location}: {what}")]
    Repeated {
        /// The later place.
        location: Location,
        /// What is repeated, and where it was before.
        what: String,
    },
    /// More nodes, rows or bytes than the options allow.
    #[error("{file} has more than {limit} {what}")]
    TooMany {
        /// The file.
        file: String,
        /// The limit.
        limit: u64,
        /// Of what.
        what: &'static str,
    },
    /// The library refuses the network.
    #[error("{file}: {cause}")]
    Network {
        /// The file.
        file: String,
        /// The library's reason.
        cause: String,
    },
}

/// What is wrong with the columns of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum ColumnsProblem {
    /// One column where two are needed.
    #[error("1 column (cut at {delimiter}) where a source and a target are needed")]
    One {
        /// How it was cut.
        delimiter: Delimiter,
    },
    /// More than two columns, and no header that says which are source and target.
    #[error("{count} columns (cut at {delimiter}), and no header says which are source and target")]
    Unnamed {
        /// How many there are.
        count: usize,
        /// How they were cut.
        delimiter: Delimiter,
    },
    /// A declared column that is beyond the last one.
    #[error("{declared} columns are declared, the file has {count} (cut at {delimiter})")]
    Beyond {
        /// How many are declared.
        declared: usize,
        /// How many there are.
        count: usize,
        /// How they were cut.
        delimiter: Delimiter,
    },
    /// A title that is not in the header.
    #[error("no column is called '{title}'; the header has {}", titles.join(", "))]
    NoTitle {
        /// The title that was declared.
        title: String,
        /// Those that are there.
        titles: Box<[String]>,
    },
    /// Two columns of one meaning or of one title.
    #[error("two columns are called '{title}'")]
    Twice {
        /// The title.
        title: String,
    },
    /// A column with this meaning is needed.
    #[error("no column is the {meaning}")]
    Missing {
        /// The meaning, such as "label".
        meaning: &'static str,
    },
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

/// The first rows behind an error.
fn shown(rows: &[Vec<String>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.join(" | ")).collect();
    if rows.is_empty() { String::new() } else { format!("; the first rows are [{}]", rows.join("] [")) }
}

impl ReadError {
    /// A short word that says which error it is.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable",
            Self::Damaged { .. } => "damaged",
            Self::Foreign { .. } => "foreign",
            Self::Empty { .. } => "empty",
            Self::NotText { .. } => "not-text",
            Self::Syntax { .. } => "syntax",
            Self::Ragged { .. } => "ragged",
            Self::Delimiters { .. } => "delimiters",
            Self::Columns { .. } => "columns",
            Self::Column { .. } => "column",
            Self::Value { .. } => "value",
            Self::UnknownName { .. } => "unknown-name",
            Self::Repeated { .. } => "repeated",
            Self::TooMany { .. } => "too-many",
            Self::Network { .. } => "network",
        }
    }

    pub(crate) fn unreadable(file: &str, cause: &io::Error) -> Self {
        Self::Unreadable { file: file.to_owned(), cause: cause.to_string(), kind: cause.kind() }
    }

    pub(crate) fn syntax(file: &str, line: u64, what: impl Into<String>) -> Self {
        Self::Syntax { location: Location::line(file, line), what: what.into() }
    }

    pub(crate) fn too_many(file: &str, limit: u32, what: &'static str) -> Self {
        Self::TooMany { file: file.to_owned(), limit: u64::from(limit), what }
    }

    pub(crate) fn network(file: &str, cause: &dlfrm::Error) -> Self {
        Self::Network { file: file.to_owned(), cause: cause.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_file_line_and_value() {
        let location = Location::line("links.tsv", 3).field(1);
        let error = ReadError::UnknownName { location, name: "Zoe".to_owned(), nodes: 5, first_row: false };
        assert_eq!(error.to_string(), "links.tsv, line 3, column 2: 'Zoe' is not one of the 5 nodes");
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!((json["code"].as_str(), json["name"].as_str()), (Some(error.code()), Some("Zoe")));
        let error = ReadError::Ragged {
            location: Location::line("links.tsv", 3),
            found: 1,
            expected: 2,
            delimiter: Delimiter::Tab,
        };
        assert_eq!(error.to_string(), "links.tsv, line 3: 1 field where 2 are needed (cut at tab)");
    }
}
