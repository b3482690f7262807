//! The rows of a delimited file: which delimiter, which header, and every row with as many fields as the first.

use std::borrow::Cow;

use dlfrm::network::Nodes;

use super::columns::{Column, Columns, Positions};
use super::error::{ColumnsProblem, Location, ReadError};
use super::fields::{Delimiter, Fields};
use super::input::{Lines, skipped};
use super::options::ReadOptions;

/// So many rows show the layout.
const SAMPLE_ROWS: usize = 1000;
/// So many bytes of them are enough.
const SAMPLE_BYTES: usize = 1 << 20;
const COMMENTS: usize = 100;

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
    pub(crate) titles: Option<Vec<String>>,
    pub(crate) header_line: u64,
    /// Where the columns are that have a meaning.
    pub(crate) positions: Positions,
    pub(crate) width: usize,
    pub(crate) comments: Vec<String>,
    /// Whether rows end with the data of a link, as networkx writes it: `{'weight': 3}`.
    pub(crate) data: bool,
    /// Whether the first row is taken for data though nobody has said so.
    first_row: bool,
    /// The text of the header, which may not come again.
    header: Option<String>,
    sample: Sample,
    /// How many comments are among the sample.
    below: u64,
}

type Sample = Vec<(u64, String)>;

pub(crate) struct End {
    pub(crate) lines: u64,
    /// How many comments are below the first row.
    pub(crate) comments: u64,
}

/// The comments above the rows, the first rows, and the number of comments among them.
fn first_rows(lines: &mut Lines<'_>) -> Result<(Vec<String>, Sample, u64), ReadError> {
    let (mut comments, mut sample, mut below) = (vec![], vec![], 0);
    let mut bytes = 0;
    while sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES {
        let number = lines.number + 1;
        let Some(line) = lines.next_line()? else { break };
        if !skipped(line) {
            bytes += line.len();
            sample.push((number, line.to_owned()));
        } else if !sample.is_empty() {
            below += u64::from(!line.trim_ascii().is_empty());
        } else if comments.len() < COMMENTS {
            comments.push(line.trim_ascii().to_owned());
        }
    }
    Ok((comments, sample, below))
}

impl<'a> Table<'a> {
    /// Reads the first rows and finds the layout.
    pub(crate) fn new(mut lines: Lines<'a>, options: &ReadOptions, need: Need) -> Result<Self, ReadError> {
        let (comments, mut sample, below) = first_rows(&mut lines)?;
        let file = lines.file().to_owned();
        let said = sample.first().and_then(|(_, line)| Delimiter::declared(line));
        sample.drain(..usize::from(said.is_some()));
        let Some((first_line, first)) = sample.first().cloned() else {
            return Err(ReadError::empty(&file, if lines.number == 0 { "is empty" } else { "has no rows" }));
        };
        let delimiter = match options.delimiter.or(said).or_else(|| of_ending(&file, &first)) {
            Some(delimiter) => delimiter,
            None => found(&sample, &file)?,
        };
        let mut fields = Fields::default();
        let data = sample.iter().any(|(_, line)| data_of_link(line, delimiter).is_some());
        let mut rows = vec![];
        for (number, line) in sample.iter().take(2) {
            let line = data_of_link(line, delimiter).filter(|_| data).unwrap_or(line);
            fields.cut(line, delimiter).map_err(|_| ReadError::open_quote(&file, *number))?;
            rows.push(fields.to_vec(line));
        }
        let row = rows[0].clone();
        let width = row.len();
        let wrong = |problem| {
            let other =
                Delimiter::ALL.into_iter().find(|&other| other != delimiter && constant(&sample, other));
            let (location, rows) = (Location::line(&file, first_line), rows.as_slice().into());
            Err(ReadError::Columns { location, problem, rows, other })
        };
        if need == Need::Ends && width < 2 {
            return wrong(ColumnsProblem::One(delimiter));
        }
        let declared = match options.columns.as_ref().map(|columns| columns.find(&row, delimiter)).transpose()
        {
            Ok(found) => found,
            Err(problem) => return wrong(problem),
        };
        let named = Positions::titled(&row);
        let above_integers = || {
            let ends = declared.and_then(|found| found.ends()).or((width == 2).then_some([0, 1]));
            ends.is_some_and(|ends| words_above_integers(&row, &sample, delimiter, ends))
        };
        let header = options.header.unwrap_or_else(|| {
            need == Need::Header
                || options.columns.as_ref().is_some_and(Columns::have_titles)
                || named.ends().is_some()
                || above_integers()
        });
        if header && options.columns.is_none() {
            let mut titles = row.iter().enumerate().filter(|(_, title)| !title.is_empty());
            if let Some((_, title)) = titles.find(|(at, title)| row[..*at].contains(title)) {
                return wrong(ColumnsProblem::Twice(title.clone()));
            }
        }
        let positions = match declared {
            Some(found) => found,
            None if need == Need::Header || header && named.ends().is_some() => named,
            None if width == 2 => {
                // One title may be known.
                let [source, target] = [Column::Source, Column::Target].map(|end| named.get(end));
                let swapped = header && (source == Some(1) || target == Some(0));
                let mut found = Positions::default();
                found.set(Column::Source, usize::from(swapped));
                found.set(Column::Target, usize::from(!swapped));
                found
            }
            None => return wrong(ColumnsProblem::Unnamed(width, delimiter)),
        };
        sample.drain(..usize::from(header));
        if sample.is_empty() && need == Need::Ends {
            return Err(ReadError::empty(&file, "has a header and no rows"));
        }
        Ok(Self {
            lines,
            delimiter,
            titles: header.then_some(row),
            header_line: first_line,
            positions,
            width,
            comments,
            data,
            first_row: !header && options.header.is_none(),
            header: header.then_some(first),
            sample,
            below,
        })
    }

    pub(crate) fn ends(&self) -> [usize; 2] {
        self.positions.ends().expect("a table of links has both ends")
    }

    pub(crate) fn needed(&self, meaning: Column) -> Result<usize, ReadError> {
        self.positions.get(meaning).ok_or_else(|| ReadError::Columns {
            location: Location::line(self.file(), self.header_line),
            problem: ColumnsProblem::Missing(meaning.word()),
            rows: self.titles.clone().into_iter().collect(),
            other: None,
        })
    }

    pub(crate) fn file(&self) -> &str {
        self.lines.file()
    }

    /// Calls `each` with every row of data, at most `max_rows`.
    pub(crate) fn rows(
        self,
        max_rows: u32,
        mut each: impl FnMut(Row<'_>) -> Result<(), ReadError>,
    ) -> Result<End, ReadError> {
        let Self { mut lines, delimiter, width, data, mut first_row, header, sample, below, .. } = self;
        let file = lines.file().to_owned();
        let mut fields = Fields::default();
        let (mut count, mut comments) = (0_u32, below);
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
            fields.cut(text, delimiter).map_err(|_| ReadError::open_quote(&file, line))?;
            if fields.len() != width {
                return Err(ReadError::Ragged(Location::line(&file, line), fields.len(), width, delimiter));
            }
            each(Row { file: &file, line, text, fields: &fields, first: std::mem::take(&mut first_row) })
        };
        for (line, text) in &sample {
            row(*line, text)?;
        }
        drop(sample);
        loop {
            let number = lines.number + 1;
            let Some(line) = lines.next_line()? else { break };
            row(number, line)?;
        }
        Ok(End { lines: lines.number, comments })
    }
}

/// The delimiter that the ending of a file says; a `.csv` of the countries with decimal commas has semicolons.
pub(crate) fn of_ending(file: &str, first: &str) -> Option<Delimiter> {
    match unpacked(&file.to_ascii_lowercase()).rsplit_once('.')?.1 {
        "csv" if first.contains(';') && !first.contains(',') => Some(Delimiter::Semicolon),
        "csv" => Some(Delimiter::Comma),
        "tsv" | "tab" => Some(Delimiter::Tab),
        _ => None,
    }
}

pub(crate) fn unpacked(file: &str) -> &str {
    [".gz", ".zst", ".bz2"].iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(file)
}

/// A tab if there is one, else a comma, else spaces; unless another delimiter gives columns, too.
fn found(sample: &[(u64, String)], file: &str) -> Result<Delimiter, ReadError> {
    let first = &sample[0].1;
    let chosen = [Delimiter::Tab, Delimiter::Comma].into_iter().find(|delimiter| delimiter.is_in(first));
    let chosen = chosen.unwrap_or(Delimiter::Spaces);
    if !constant(sample, chosen) {
        return Ok(chosen);
    }
    let also = |&other: &Delimiter| match (chosen, other) {
        // A tab among spaces was put there on purpose.
        (Delimiter::Tab, Delimiter::Spaces) | (_, Delimiter::Bar) => false,
        // Spaces behind commas, as in `a, b`, cut nothing.
        (Delimiter::Comma, Delimiter::Spaces) => {
            let plain = |line: &str| line.split(',').map(str::trim).collect::<Vec<_>>().join(",");
            constant(&sample.iter().map(|(at, line)| (*at, plain(line))).collect::<Vec<_>>(), other)
        }
        _ => other != chosen && constant(sample, other),
    };
    let Some(other) = Delimiter::ALL.into_iter().find(also) else { return Ok(chosen) };
    let reading = |delimiter| {
        let mut fields = Fields::default();
        let cut = fields.cut(first, delimiter);
        (delimiter, cut.map_or(vec![], |()| fields.to_vec(first)))
    };
    Err(ReadError::Delimiters(file.to_owned(), Box::new([reading(chosen), reading(other)])))
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

pub(crate) struct Row<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
    text: &'a str,
    fields: &'a Fields,
    /// Whether it is the first row, and nobody has said that it is no header.
    pub(crate) first: bool,
}

impl Row<'_> {
    pub(crate) fn location(&self, column: usize) -> Location {
        Location::line(self.file, self.line).field(column)
    }

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
    fn value(&self, column: usize, expected: &str) -> ReadError {
        let what = format!("{expected}, is '{}'", self.text(column));
        ReadError::Value(self.location(column), what, self.first)
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

    /// The two different nodes that two fields name, which must be some of `nodes`.
    pub(crate) fn known_pair(
        &self,
        [source, target]: [usize; 2],
        nodes: &Nodes,
    ) -> Result<(u32, u32), ReadError> {
        let known = |column: usize| {
            let name = self.text(column);
            let unknown = || ReadError::unknown(self.location(column), &name, nodes.len(), self.first);
            nodes.get(&name).ok_or_else(unknown)
        };
        let (from, to) = (known(source)?, known(target)?);
        if from == to {
            return Err(self.value(target, "a pair must have two different nodes"));
        }
        Ok((from, to))
    }
}
