//! The rows of a delimited file: which delimiter, which header, and every row with as many fields as the first.
//!
//! Lines are cut by our own code and not by a crate for CSV: it reads 334 MB/s where line readers measured 117, knows runs of
//! spaces and comments, and the line and column of every mistake.

use std::borrow::Cow;

use dlfrm::network::Nodes;

use super::columns::{Column, Columns, Positions};
use super::error::{ColumnsProblem, Location, ReadError, Reading};
use super::fields::{Delimiter, Fields};
use super::input::{Lines, skipped};

/// So many rows show the layout.
const SAMPLE_ROWS: usize = 1000;
/// So many bytes of them are enough.
const SAMPLE_BYTES: usize = 1 << 20;
/// So many comments are kept.
const COMMENTS: usize = 100;

/// What is declared of a table; what is `None` follows from the grammar.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Layout<'o> {
    pub(crate) columns: Option<&'o Columns>,
    pub(crate) delimiter: Option<Delimiter>,
    pub(crate) header: Option<bool>,
}

/// What a table must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// A source and a target: of two columns, of a header, or declared.
    Ends,
    /// A header, whatever it says.
    Header,
}

/// The rows of a delimited file: layout found, comments and header taken off.
pub(crate) struct Table<'a> {
    lines: Lines<'a>,
    pub(crate) delimiter: Delimiter,
    /// The header and its line.
    pub(crate) titles: Option<Vec<String>>,
    pub(crate) header_line: u64,
    /// Where the columns are that have a meaning.
    pub(crate) positions: Positions,
    /// How many fields a row has.
    pub(crate) width: usize,
    /// Comments above the first row.
    pub(crate) comments: Vec<String>,
    /// Whether rows end with the data of a link, as networkx writes it: `{'weight': 3}`.
    pub(crate) data: bool,
    /// Whether the first row is taken for data though nobody has said so.
    first_row: bool,
    /// The text of the header, which may not come again.
    header: Option<String>,
    sample: Vec<(u64, String)>,
}

/// How a table ended.
pub(crate) struct End {
    pub(crate) lines: u64,
    /// How many comments are below the first row.
    pub(crate) comments: u64,
}

/// What the layout is found from.
struct First {
    comments: Vec<String>,
    /// The first rows with their lines, ...
    sample: Vec<(u64, String)>,
    /// ... and the comments between them: read with the rows, so that they are counted there.
    below: Vec<(u64, String)>,
}

impl First {
    fn read(lines: &mut Lines<'_>) -> Result<Self, ReadError> {
        let (mut comments, mut sample, mut below) = (vec![], vec![], vec![]);
        let mut bytes = 0;
        while sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES {
            let number = lines.number() + 1;
            let Some(line) = lines.next_line()? else { break };
            if !skipped(line) {
                bytes += line.len();
                sample.push((number, line.to_owned()));
            } else if sample.is_empty() && comments.len() < COMMENTS {
                comments.push(line.trim_ascii().to_owned());
            } else if !line.trim_ascii().is_empty() {
                below.push((number, line.to_owned()));
            }
        }
        Ok(Self { comments, sample, below })
    }
}

impl<'a> Table<'a> {
    /// Reads the first rows and finds the layout.
    pub(crate) fn new(mut lines: Lines<'a>, layout: Layout<'_>, need: Need) -> Result<Self, ReadError> {
        let First { comments, mut sample, below } = First::read(&mut lines)?;
        let file = lines.file().to_owned();
        let said = sample.first().and_then(|(_, line)| Delimiter::declared(line));
        sample.drain(..usize::from(said.is_some()));
        let Some((first_line, first)) = sample.first().cloned() else {
            let what = if lines.number() == 0 { "is empty" } else { "has no rows" };
            return Err(ReadError::Empty { file, what });
        };
        let delimiter = match layout.delimiter.or(said).or_else(|| of_ending(&file, &first)) {
            Some(delimiter) => delimiter,
            None => found(&sample, &file)?,
        };
        let mut fields = Fields::default();
        let data = sample.iter().find_map(|(_, line)| data_of_link(line, delimiter)).is_some();
        let mut cut = |(number, line): &(u64, String)| {
            let line = data_of_link(line, delimiter).filter(|_| data).unwrap_or(line);
            match fields.cut(line, delimiter) {
                Ok(()) => Ok(fields.to_vec(line)),
                Err(_) => Err(open_quote(&file, *number)),
            }
        };
        let rows = [0, 1].map(|at| sample.get(at).map(&mut cut).transpose());
        let [row, second] = rows;
        let (row, second) = (row?.unwrap_or_default(), second?);
        let width = row.len();
        let wrong = |problem| {
            let rows = [Some(row.clone()), second.clone()].into_iter().flatten().collect();
            let location = Location::line(&file, first_line);
            let other =
                Delimiter::ALL.into_iter().find(|&other| other != delimiter && constant(&sample, other));
            Err(ReadError::Columns { location, problem, rows, other })
        };
        if need == Need::Ends && width < 2 {
            return wrong(ColumnsProblem::One { delimiter });
        }
        let declared = match layout.columns {
            Some(columns) => match columns.find(width, Some(&row), delimiter) {
                Ok(found) => Some(found),
                Err(problem) => return wrong(problem),
            },
            None => None,
        };
        let named = Positions::titled(&row);
        let above_integers = || {
            let ends = declared.and_then(|found| found.ends()).or((width == 2).then_some([0, 1]));
            ends.is_some_and(|ends| words_above_integers(&row, &sample, delimiter, ends))
        };
        let header = layout.header.unwrap_or_else(|| {
            need == Need::Header
                || layout.columns.is_some_and(Columns::have_titles)
                || named.ends().is_some()
                || above_integers()
        });
        if header && layout.columns.is_none() {
            for (at, title) in row.iter().enumerate().filter(|(_, title)| !title.is_empty()) {
                if row[..at].contains(title) {
                    return wrong(ColumnsProblem::Twice { title: title.clone() });
                }
            }
        }
        let positions = match declared {
            Some(found) => found,
            None if need == Need::Header => named,
            None if header && named.ends().is_some() => named,
            None if width == 2 => two(&named, header),
            None => return wrong(ColumnsProblem::Unnamed { count: width, delimiter }),
        };
        sample.drain(..usize::from(header));
        if sample.is_empty() && need == Need::Ends {
            return Err(ReadError::Empty { file, what: "has a header and no rows" });
        }
        sample.extend(below);
        sample.sort_by_key(|&(number, _)| number);
        let first_row = !header && layout.header.is_none();
        let titles = header.then_some(row);
        let header = header.then_some(first);
        Ok(Self {
            lines,
            delimiter,
            titles,
            header_line: first_line,
            positions,
            width,
            comments,
            data,
            first_row,
            header,
            sample,
        })
    }

    /// The name of the file for messages.
    pub(crate) fn file(&self) -> &str {
        self.lines.file()
    }

    /// Calls `each` with every row of data, at most `max_rows`.
    pub(crate) fn rows(
        self,
        max_rows: u32,
        mut each: impl FnMut(Row<'_>) -> Result<(), ReadError>,
    ) -> Result<End, ReadError> {
        let Self { mut lines, delimiter, width, data, mut first_row, header, sample, .. } = self;
        let file = lines.file().to_owned();
        let mut fields = Fields::default();
        let (mut count, mut comments) = (0_u32, 0);
        let mut row = |line: u64, whole: &str| {
            if skipped(whole) {
                comments += u64::from(!whole.trim_ascii().is_empty());
                return Ok(());
            }
            if header.as_deref() == Some(whole) {
                return Err(ReadError::syntax(&file, line, "the header is there again"));
            }
            if count == max_rows {
                return Err(ReadError::too_many(&file, max_rows, "rows"));
            }
            count += 1;
            let text = if data { data_of_link(whole, delimiter).unwrap_or(whole) } else { whole };
            if fields.cut(text, delimiter).is_err() {
                return Err(open_quote(&file, line));
            }
            if fields.len() != width {
                let location = Location::line(&file, line);
                return Err(ReadError::Ragged { location, found: fields.len(), expected: width, delimiter });
            }
            each(Row { file: &file, line, text, fields: &fields, first: std::mem::take(&mut first_row) })
        };
        for (line, text) in &sample {
            row(*line, text)?;
        }
        drop(sample);
        loop {
            let number = lines.number() + 1;
            let Some(line) = lines.next_line()? else { break };
            row(number, line)?;
        }
        Ok(End { lines: lines.number(), comments })
    }
}

/// Source and target of two columns: those that titles name, or else the first and the second.
fn two(named: &Positions, header: bool) -> Positions {
    let [source, target] = [Column::Source, Column::Target].map(|end| named.get(end).filter(|_| header));
    let [source, target] = match (source, target) {
        (Some(source), _) => [source, 1 - source],
        (None, Some(target)) => [1 - target, target],
        (None, None) => [0, 1],
    };
    let mut found = Positions::default();
    found.set(Column::Source, source);
    found.set(Column::Target, target);
    found
}

fn open_quote(file: &str, line: u64) -> ReadError {
    ReadError::syntax(file, line, "a double quote is opened and not closed")
}

/// The delimiter that the ending of a file says; a `.csv` of the countries with decimal commas has semicolons.
pub(crate) fn of_ending(file: &str, first: &str) -> Option<Delimiter> {
    let lower = file.to_ascii_lowercase();
    let unpacked = [".gz", ".zst", ".bz2"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    match unpacked.rsplit_once('.')?.1 {
        "csv" if first.contains(';') && !first.contains(',') => Some(Delimiter::Semicolon),
        "csv" => Some(Delimiter::Comma),
        "tsv" | "tab" => Some(Delimiter::Tab),
        _ => None,
    }
}

/// A tab if there is one, else a comma, else spaces; unless another delimiter gives columns, too.
fn found(sample: &[(u64, String)], file: &str) -> Result<Delimiter, ReadError> {
    let first = &sample[0].1;
    let chosen = [Delimiter::Tab, Delimiter::Comma].into_iter().find(|delimiter| delimiter.is_in(first));
    let chosen = chosen.unwrap_or(Delimiter::Spaces);
    if !constant(sample, chosen) {
        return Ok(chosen);
    }
    let also = [Delimiter::Tab, Delimiter::Comma, Delimiter::Semicolon, Delimiter::Spaces].into_iter().find(
        |&other| {
            other != chosen
                && match (chosen, other) {
                    // A tab among spaces was put there on purpose.
                    (Delimiter::Tab, Delimiter::Spaces) => false,
                    // Spaces behind commas, as in `a, b`, cut nothing.
                    (Delimiter::Comma, Delimiter::Spaces) => {
                        let plain: Vec<_> =
                            sample.iter().map(|(at, line)| (*at, without_spaces_at_commas(line))).collect();
                        constant(&plain, other)
                    }
                    _ => constant(sample, other),
                }
        },
    );
    match also {
        None => Ok(chosen),
        Some(other) => {
            let reading = |delimiter| {
                let mut fields = Fields::default();
                let cut = fields.cut(first, delimiter);
                Reading { delimiter, row: cut.map_or(vec![], |()| fields.to_vec(first)) }
            };
            let readings = Box::new([reading(chosen), reading(other)]);
            Err(ReadError::Delimiters { file: file.to_owned(), readings })
        }
    }
}

fn without_spaces_at_commas(line: &str) -> String {
    line.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

/// Whether a delimiter cuts all rows into the same number of fields, at least two, with quotes around whole fields only.
fn constant(sample: &[(u64, String)], delimiter: Delimiter) -> bool {
    let mut fields = Fields::default();
    let mut width = |line: &str| {
        let cut = fields.cut(data_of_link(line, delimiter).unwrap_or(line), delimiter);
        cut.ok().map(|()| fields.len()).filter(|&width| width > 1 && !fields.stray())
    };
    let first = sample.first().and_then(|(_, line)| width(line));
    first.is_some() && sample.iter().all(|(_, line)| width(line) == first)
}

/// What stands before the data of a link, `{'weight': 3}` or `{}`, at the end of a row of networkx.
fn data_of_link(line: &str, delimiter: Delimiter) -> Option<&str> {
    let line = line.trim_ascii_end();
    let open = line.strip_suffix('}')?.find('{')?;
    let before = line[..open].trim_end_matches([' ', '\t']);
    if delimiter == Delimiter::Spaces {
        return (before.len() < open).then_some(before);
    }
    delimiter.strip_end(before)
}

/// Whether the first row has words where all others have whole numbers.
fn words_above_integers(
    row: &[String],
    sample: &[(u64, String)],
    delimiter: Delimiter,
    ends: [usize; 2],
) -> bool {
    let word = |at: usize| row.get(at).is_some_and(|cell| !cell.is_empty() && cell.parse::<f64>().is_err());
    let mut fields = Fields::default();
    let mut integers = |line: &str| {
        let cut = fields.cut(line, delimiter).is_ok();
        let number = |at: usize| at < fields.len() && fields.get(line, at).parse::<i64>().is_ok();
        cut && ends.into_iter().all(number)
    };
    ends.into_iter().all(word) && sample.len() > 1 && sample[1..].iter().all(|(_, line)| integers(line))
}

/// One row, cut into fields.
pub(crate) struct Row<'a> {
    file: &'a str,
    line: u64,
    text: &'a str,
    fields: &'a Fields,
    /// Whether it is the first row, and nobody has said that it is no header.
    first: bool,
}

impl Row<'_> {
    pub(crate) fn file(&self) -> &str {
        self.file
    }

    /// The number of the line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The location of a field of this row.
    pub(crate) fn location(&self, column: usize) -> Location {
        Location::line(self.file, self.line).field(column)
    }

    /// The text of a field, unquoted.
    pub(crate) fn text(&self, column: usize) -> Cow<'_, str> {
        self.fields.get(self.text, column)
    }

    /// The text of a field that must not be empty; `what` is its meaning.
    pub(crate) fn filled(&self, column: usize, what: &str) -> Result<Cow<'_, str>, ReadError> {
        let text = self.text(column);
        if text.is_empty() {
            return Err(self.value(column, &format!("a {what} must not be empty")));
        }
        Ok(text)
    }

    /// The error of a field; `expected` says what it must be.
    pub(crate) fn value(&self, column: usize, expected: &str) -> ReadError {
        ReadError::Value {
            location: self.location(column),
            expected: expected.to_owned(),
            value: self.text(column).into_owned(),
            first_row: self.first,
        }
    }

    /// The value that `read` finds in a field; `expected` says in the error what it must be.
    pub(crate) fn field<T>(
        &self,
        column: usize,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ReadError> {
        read(&self.text(column)).ok_or_else(|| self.value(column, expected))
    }

    /// The node that a field names, which must be one of `nodes`.
    pub(crate) fn known(&self, column: usize, nodes: &Nodes) -> Result<u32, ReadError> {
        nodes.get(&self.text(column)).ok_or_else(|| self.unknown(column, nodes.len()))
    }

    /// The error of a field that names none of so many nodes.
    pub(crate) fn unknown(&self, column: usize, nodes: usize) -> ReadError {
        ReadError::UnknownName {
            location: self.location(column),
            name: self.text(column).into_owned(),
            nodes,
            first_row: self.first,
        }
    }

    /// The two different nodes that two fields name, which must be some of `nodes`.
    pub(crate) fn known_pair(
        &self,
        [source, target]: [usize; 2],
        nodes: &Nodes,
    ) -> Result<(u32, u32), ReadError> {
        let (from, to) = (self.known(source, nodes)?, self.known(target, nodes)?);
        if from == to {
            return Err(self.value(target, "a pair must have two different nodes"));
        }
        Ok((from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::super::input::Input;
    use super::*;

    fn table<'a>(text: &'a str, name: &str) -> Result<Table<'a>, ReadError> {
        Table::new(Lines::new(Input::new(text.as_bytes(), name)?), Layout::default(), Need::Ends)
    }

    #[test]
    fn the_ending_or_the_first_line_says_the_delimiter() {
        for (text, name, delimiter) in [
            ("a b\tc d", "links", Delimiter::Tab),
            ("a, b\nc, d", "links", Delimiter::Comma),
            ("a  b", "links", Delimiter::Spaces),
            ("a\tx,b", "links.csv", Delimiter::Comma),
            ("a;b", "links.CSV.gz", Delimiter::Semicolon),
            ("a,x\tb", "links.tsv", Delimiter::Tab),
            ("sep=;\na,x;b", "links.csv", Delimiter::Semicolon),
        ] {
            assert_eq!(table(text, name).unwrap().delimiter, delimiter, "{text}");
        }
    }

    #[test]
    fn headers_have_known_words_or_words_above_integers() {
        let header = |text: &str| table(text, "links.csv").unwrap().titles.is_some();
        assert!(header("from,to\nAda,Bob\n") && header("a,b\n1,2\n") && header("x,target,source\n1,a,b\n"));
        assert!(!header("a,b\nc,d\n") && !header("1,2\n3,4\n") && !header("a,b\n1,c\n"));
        let ends = |text: &str| table(text, "links.csv").unwrap().positions.ends();
        assert_eq!((ends("to,from\na,b"), ends("x,target,source\n1,a,b\n")), (Some([1, 0]), Some([2, 1])));
    }
}
