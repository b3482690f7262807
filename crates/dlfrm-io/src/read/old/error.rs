//! What can be wrong with a file: each error has the file, the line and the value.

use std::borrow::Cow;
use std::fmt;
use std::io;

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The column (a field of the line), counted from 1, where one field is to blame.
    pub column: Option<usize>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ", column {column}"))
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is not there.
    #[error("{file}: there is no such file")]
    Missing {
        /// The file.
        file: String,
    },
    /// The path is a directory.
    #[error("{file} is a directory, a file is needed")]
    Directory {
        /// The path.
        file: String,
    },
    /// The system refuses to read it.
    #[error("{file} cannot be read: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A compressed file that stops in the middle.
    #[error("{location}: the compressed data ends before its end: the file is cut short")]
    CutShort {
        /// The last line that began.
        location: Location,
    },
    /// A compressed file whose bytes make no sense.
    #[error("{location}: the {compression} data is damaged: {cause}")]
    Damaged {
        /// The last line that began.
        location: Location,
        /// gzip or zstd.
        compression: &'static str,
        /// What the decompressor says.
        cause: String,
    },
    /// An archive or a compression that is not read.
    #[error("{file} is packed with {kind}, which is not read: unpack it, or use .gz or .zst")]
    Packed {
        /// The file.
        file: String,
        /// What packed it.
        kind: &'static str,
    },
    /// A compressed file within a compressed file.
    #[error("{file} is compressed twice: unpack it once")]
    PackedTwice {
        /// The file.
        file: String,
    },
    /// A network in a format that is not read.
    #[error("{file} is a file of {name}, which is not read: {how}")]
    Foreign {
        /// The file.
        file: String,
        /// The format.
        name: &'static str,
        /// How to convert it.
        how: Cow<'static, str>,
    },
    /// Nothing but comments, blank lines and a header.
    #[error("{file} {what}")]
    Empty {
        /// The file.
        file: String,
        /// What is missing.
        what: &'static str,
    },
    /// A line longer than any edge list has.
    #[error("{file}: line {line} is longer than 1 MiB")]
    LongLine {
        /// The file.
        file: String,
        /// The line.
        line: u64,
    },
    /// Binary data, or text that is not UTF-8.
    #[error("{location}: not UTF-8 text (byte 0x{byte:02x} at position {position}){}", not_text(*byte, &location.file))]
    NotText {
        /// The line.
        location: Location,
        /// The first byte that is no text.
        byte: u8,
        /// Its position in the line, from 1.
        position: usize,
    },
    /// Text in two or four bytes per character.
    #[error("{file} is {} text: convert it (iconv -f {encoding} -t UTF-8 {file})", &encoding[.."UTF-16".len()])]
    Wide {
        /// The file.
        file: String,
        /// What `iconv` calls it.
        encoding: &'static str,
    },
    /// A model file or a checkpoint.
    #[error("{file} is a model or a checkpoint of dlfrm, {needed}")]
    Model {
        /// The file.
        file: String,
        /// What is needed.
        needed: &'static str,
    },
    /// Lines that end as on old Macintoshes: the whole file would be one line.
    #[error(
        "{location}: a carriage return within a line; lines must end with a line feed (tr '\\r' '\\n' converts them)"
    )]
    CarriageReturn {
        /// The line.
        location: Location,
    },
    /// Two columns with one title, or a title that says nothing.
    #[error("{location}: {what}")]
    Title {
        /// The line of the header, and the column.
        location: Location,
        /// What is wrong.
        what: String,
    },
    /// A line with fewer fields than the columns need.
    #[error("{location}: {found} {} where {needed} are needed ({delimiter})", if *found == 1 { "column" } else { "columns" })]
    FewColumns {
        /// The line.
        location: Location,
        /// How many fields there are.
        found: usize,
        /// How many are needed.
        needed: usize,
        /// How the line was cut into fields.
        delimiter: String,
    },
    /// A line with more fields than have a meaning.
    #[error("{location}: {found} columns where {most} are understood: {hint}")]
    ManyColumns {
        /// The line.
        location: Location,
        /// How many fields there are.
        found: usize,
        /// How many have a meaning.
        most: usize,
        /// What they may be, and how to say so.
        hint: String,
    },
    /// The header of a file in the midst of it.
    #[error("{location}: the header is there again: take it out, if files were put together")]
    HeaderAgain {
        /// The line.
        location: Location,
    },
    /// A double quote that opens a field and is not closed on the line.
    #[error("{location}: a double quote is opened and not closed")]
    OpenQuote {
        /// The line.
        location: Location,
    },
    /// A field that must not be empty.
    #[error("{location}: the {what} is empty")]
    EmptyField {
        /// The field.
        location: Location,
        /// Its meaning.
        what: &'static str,
    },
    /// A field whose value has no meaning.
    #[error("{location}: {what}, is '{value}'")]
    Value {
        /// The field.
        location: Location,
        /// What it must be.
        what: String,
        /// What it is.
        value: String,
    },
    /// A name that is not among the nodes.
    #[error("{location}: '{name}' is not one of the {nodes} nodes{hint}")]
    UnknownName {
        /// The field.
        location: Location,
        /// The name.
        name: String,
        /// How many nodes there are.
        nodes: usize,
        /// What else may be wrong.
        hint: &'static str,
    },
    /// A name that a list of names has twice.
    #[error("{location}: the name '{name}' is in line {first} already")]
    RepeatedName {
        /// The second line.
        location: Location,
        /// The name.
        name: String,
        /// The first line.
        first: u64,
    },
    /// A name of nodes of two kinds.
    #[error("{location}: {what}")]
    TwoKinds {
        /// The later line.
        location: Location,
        /// The name, the earlier line, and what to do.
        what: String,
    },
    /// A column without information, or of the wrong kind.
    #[error("{file}, column {column} ('{name}'): {what}")]
    Column {
        /// The file.
        file: String,
        /// The column, counted from 1.
        column: usize,
        /// Its title.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// An attribute that two files have.
    #[error(
        "{file}: '{name}' is an attribute of {first} already: put both into one file, or call it otherwise"
    )]
    RepeatedAttribute {
        /// The later file.
        file: String,
        /// The title.
        name: String,
        /// The earlier file.
        first: String,
    },
    /// A pair that a table has twice, with different values.
    #[error("{location}: the pair {pair} is in line {first} already, with {values}")]
    RepeatedPair {
        /// The later value.
        location: Location,
        /// The names of the pair.
        pair: String,
        /// The earlier line.
        first: u64,
        /// The earlier value and the later one.
        values: String,
    },
    /// One pair with two labels.
    #[error("{location}: the pair {pair} is {second}, but line {first_line} says it is {first}")]
    Contradiction {
        /// The later line.
        location: Location,
        /// The earlier line.
        first_line: u64,
        /// The names of the pair.
        pair: String,
        /// What the earlier line says.
        first: &'static str,
        /// What the later line says.
        second: &'static str,
    },
    /// A held-out pair that another file or the network has, too.
    #[error("{location}: the pair {pair} is {taken}")]
    Overlap {
        /// The line.
        location: Location,
        /// The names of the pair.
        pair: String,
        /// Where else it is.
        taken: String,
    },
    /// Labelled pairs whose relation is not known.
    #[error(
        "{file}: there are {relations} relations, and no column names the relation of a pair (name a column relation, \
         or choose one of them)"
    )]
    NoRelation {
        /// The file.
        file: String,
        /// How many relations there are.
        relations: usize,
    },
    /// More nodes, relations or lines than can be numbered or than the options allow.
    #[error("{file} has more than {limit} {what}")]
    TooMany {
        /// The file.
        file: String,
        /// The limit.
        limit: u64,
        /// Of what.
        what: &'static str,
    },
    /// A Matrix Market file that is no network, or that breaks its own rules.
    #[error("{location}: {message}")]
    MatrixMarket {
        /// The line.
        location: Location,
        /// What is wrong.
        message: String,
    },
    /// A file of GraphML, GEXF, GML or Pajek that is damaged or has what is not read.
    #[error("{location}: {message}")]
    Graph {
        /// The line.
        location: Location,
        /// What is wrong.
        message: String,
    },
    /// JSON that is damaged or is something else than was expected.
    #[error("{file}: {message}")]
    Json {
        /// The file.
        file: String,
        /// What is wrong, and where.
        message: String,
    },
    /// The library refuses the network.
    #[error("{file}: {cause}")]
    Network {
        /// The file.
        file: String,
        /// The library's reason.
        cause: dlfrm::Error,
    },
}

/// What a byte that is no text may mean, and what to do.
fn not_text(byte: u8, file: &str) -> String {
    match byte {
        0 => ": a byte of zero is in no text, so the file is binary or damaged".to_owned(),
        _ => format!(": if it is Latin-1, convert it (iconv -f LATIN1 -t UTF-8 {file})"),
    }
}

impl ReadError {
    /// The error of a value in the first row, which may be a title.
    pub(crate) fn may_be_title(self) -> Self {
        match self {
            Self::Value { location, what, value } => {
                let what = format!("{what} (if it is a title, say --header)");
                Self::Value { location, what, value }
            }
            Self::UnknownName { location, name, nodes, .. } => {
                Self::UnknownName { location, name, nodes, hint: " (if it is a title, say --header)" }
            }
            other => other,
        }
    }

    pub(crate) fn too_many(file: &str, limit: u32, what: &'static str) -> Self {
        Self::TooMany { file: file.to_owned(), limit: u64::from(limit), what }
    }
}
