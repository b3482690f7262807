//! The rows of a delimited file: edge lists, pairs, labelled pairs.
//!
//! Lines are cut by our own code and not by a crate for CSV: it reads 334 MB/s where line readers measured 117, finds
//! comments, runs of spaces and headers, and knows the line and column of every mistake.

use std::borrow::Cow;

use dlfrm::network::Nodes;

use super::super::fields::{Delimiter, Fields};
use super::between::undivided;
use super::columns::Column;
use super::comments::{Comments, MOST_ABOVE, skipped, surely_row};
use super::cut;
use super::error::{Location, ReadError};
use super::layout::{self, Expected, Layout, SAMPLE_BYTES, SAMPLE_ROWS};
use super::lines::Lines;
use super::names::{Naming, NoNumber};
use super::options::ReadOptions;

/// The rows of a delimited file: layout found, comments and header taken off.
pub(crate) struct Table<'a> {
    lines: Lines<'a>,
    pub(crate) layout: Layout,
    pub(crate) comments: Comments,
    sample: Vec<(u64, String)>,
    max_rows: u32,
}

/// One row, cut into fields.
pub(crate) struct Row<'a> {
    file: &'a str,
    line: u64,
    text: &'a str,
    fields: &'a Fields,
}

impl<'a> Table<'a> {
    /// Reads the first rows and finds the layout. `first` is a line that was taken from `lines` already, `known` are
    /// the nodes, if they are known beforehand, and `unnamed` are the columns if nothing names them.
    pub(crate) fn new(
        mut lines: Lines<'a>,
        first: Option<String>,
        options: &ReadOptions,
        known: Option<&Nodes>,
        unnamed: &[Column],
    ) -> Result<Self, ReadError> {
        let mut comments = Comments::default();
        let mut sample: Vec<(u64, String)> = Vec::new();
        let (mut above, mut below): (Vec<String>, Vec<(u64, String)>) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        let mut keep = |number: u64, line: &str, comments: &mut Comments| {
            if skipped(line) {
                comments.see(line);
                if !sample.is_empty() {
                    below.push((number, line.to_owned()));
                } else if above.len() < MOST_ABOVE {
                    above.push(line.to_owned());
                }
            } else {
                bytes += line.len();
                sample.push((number, line.to_owned()));
            }
            sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES
        };
        let mut more = first.is_none_or(|line| keep(1, &line, &mut comments));
        while more {
            let number = lines.number() + 1;
            let Some(line) = lines.next_line()? else { break };
            more = keep(number, line, &mut comments);
        }
        let delimiter = sample.first().and_then(|(_, line)| Delimiter::declared(line));
        sample.drain(..usize::from(delimiter.is_some()));
        // Below a header, or above it.
        let rule = sample.iter().take(2).position(|(_, line)| cut::is_rule(line)).map(|at| sample.remove(at));
        let (file, last) = (lines.file(), lines.number());
        let expected = Expected { file, last, known, unnamed, delimiter, comments: &comments };
        let mut layout = layout::find(&sample, options, expected)?;
        layout.remarks.extend(rule.map(|(number, line)| {
            format!("line {number} ({}) is a rule between rows and was skipped", line.trim())
        }));
        // Above a header there are no rows.
        for line in above.iter().filter(|_| !layout.header) {
            comments.see_above(line, &layout, options.columns.is_some());
        }
        for (number, line) in &below {
            comments.see_below(*number, line, layout.delimiter, layout.columns.needed());
        }
        if sample.len() <= usize::from(layout.header) {
            let what = match (lines.number(), layout.header) {
                (0, _) => "is empty",
                (_, true) if below.iter().any(|(_, line)| surely_row(line)) => {
                    "has a header and no rows: all lines below it begin with # or % and are comments (put names that begin so in \
                     double quotes)"
                }
                (_, true) => "has a header and no rows",
                _ if above.iter().any(|line| surely_row(line)) => {
                    "has no rows: all lines begin with # or % and are comments (put names that begin so in double quotes)"
                }
                _ => "has no rows, only blank lines and comments",
            };
            return Err(ReadError::Empty { file: lines.file().to_owned(), what });
        }
        Ok(Self { lines, layout, comments, sample, max_rows: options.max_rows })
    }

    /// The name of the file for messages.
    pub(crate) fn file(&self) -> &str {
        self.lines.file()
    }

    /// Calls `each` with every row of data.
    pub(crate) fn rows(
        mut self,
        mut each: impl FnMut(Row<'_>) -> Result<(), ReadError>,
    ) -> Result<(u64, Comments), ReadError> {
        let Layout { delimiter, header, ref columns, most_columns, empty_labels, .. } = self.layout;
        let needed = columns.needed();
        let file = self.lines.file().to_owned();
        let max_rows = self.max_rows;
        let mut fields = Fields::default();
        let mut count = 0_u32;
        let titles = self.sample.first().filter(|_| header).map(|(_, text)| text.clone());
        let sample = &self.sample;
        let mut row = |line: u64, text: &str| {
            if titles.as_deref() == Some(text) {
                let location = Location { file: file.clone(), line, column: None };
                return Err(ReadError::HeaderAgain { location });
            }
            if count == max_rows {
                return Err(ReadError::too_many(&file, max_rows, "rows"));
            }
            count += 1;
            let location = || Location { file: file.clone(), line, column: None };
            if fields.cut(text, delimiter).is_err() {
                return Err(ReadError::OpenQuote { location: location() });
            }
            if fields.len() < needed {
                let (found, mut delimiter) = (fields.len(), delimiter.cut());
                if cut::is_count(text) {
                    delimiter += "; the line has the number of rows, as databases write it: take it out";
                }
                if let Some(sign) = undivided(sample, text).filter(|_| found == 1) {
                    delimiter = format!("{delimiter}; {sign}");
                }
                return Err(ReadError::FewColumns { location: location(), found, needed, delimiter });
            }
            if let Some(most) = most_columns
                && (most..fields.len()).any(|column| !fields.get(text, column).is_empty())
            {
                let hint =
                    "the rows before have no more; name the columns, as in --columns source,target,skip";
                let (found, hint) = (fields.len(), hint.to_owned());
                return Err(ReadError::ManyColumns { location: location(), found, most, hint });
            }
            if let Some(column) = empty_labels
                && column < fields.len()
                && !fields.get(text, column).is_empty()
            {
                return Err(ReadError::Value {
                    location: Location { column: Some(column + 1), ..location() },
                    what: "a column of labels that is empty at first must be empty to its end, or named by --columns"
                        .to_owned(),
                    value: fields.get(text, column).into_owned(),
                });
            }
            each(Row { file: &file, line, text, fields: &fields })
        };
        for (line, text) in sample.iter().skip(usize::from(header)) {
            row(*line, text)?;
        }
        loop {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next_line()? else { break };
            if skipped(line) {
                self.comments.see(line);
                self.comments.see_below(number, line, delimiter, needed);
            } else {
                row(number, line)?;
            }
        }
        Ok((self.lines.number(), self.comments))
    }
}

impl Row<'_> {
    pub(crate) fn file(&self) -> &str {
        self.file
    }

    /// The number of the line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The location of the row.
    pub(crate) fn line_location(&self) -> Location {
        Location { file: self.file.to_owned(), line: self.line, column: None }
    }

    /// The location of a field of this row.
    pub(crate) fn location(&self, column: usize) -> Location {
        Location { file: self.file.to_owned(), line: self.line, column: Some(column + 1) }
    }

    /// How many fields the row has.
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether text follows a closing quote.
    pub(crate) fn stray(&self) -> bool {
        self.fields.stray()
    }

    /// The text of a field, unquoted.
    pub(crate) fn text(&self, column: usize) -> Cow<'_, str> {
        self.fields.get(self.text, column)
    }

    /// Whether a field may be the title of a column: it is no number.
    pub(crate) fn may_be_title(&self, column: usize) -> bool {
        let text = self.text(column);
        !text.is_empty() && text.parse::<f64>().is_err()
    }

    /// The value that `read` finds in a field; `what` says in the error what it must be.
    pub(crate) fn field<T>(
        &self,
        column: usize,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ReadError> {
        let value = self.text(column);
        read(&value).ok_or_else(|| ReadError::Value {
            location: self.location(column),
            what: what.to_owned(),
            value: value.into_owned(),
        })
    }

    /// The node that a field names, which must be one of `nodes`.
    pub(crate) fn known(&self, column: usize, nodes: &Nodes) -> Result<u32, ReadError> {
        let name = self.text(column);
        nodes.get(&name).ok_or_else(|| ReadError::UnknownName {
            location: self.location(column),
            name: name.into_owned(),
            nodes: nodes.len(),
            hint: "",
        })
    }

    /// The two different nodes that two fields name, which must be some of `nodes`.
    pub(crate) fn known_pair(
        &self,
        source: usize,
        target: usize,
        nodes: &Nodes,
    ) -> Result<(u32, u32), ReadError> {
        let (from, to) = (self.known(source, nodes)?, self.known(target, nodes)?);
        if from == to {
            return Err(ReadError::Value {
                location: self.location(target),
                what: "a pair must have two different nodes".to_owned(),
                value: nodes.name(to).to_owned(),
            });
        }
        Ok((from, to))
    }

    /// The number of the node that a field names.
    pub(crate) fn node(&self, column: usize, naming: &mut Naming, limit: u32) -> Result<u32, ReadError> {
        let name = self.text(column);
        if name.is_empty() {
            return Err(ReadError::EmptyField { location: self.location(column), what: "name" });
        }
        if let Naming::Known(nodes) = naming {
            return self.known(column, nodes);
        }
        naming.number(&name, limit).map_err(|reason| match (reason, naming) {
            (NoNumber::TooMany, _) => ReadError::too_many(self.file, limit, "nodes"),
            (NoNumber::Unknown, Naming::Count(count)) => ReadError::Value {
                location: self.location(column),
                what: format!("an id must be an integer from 0 to {}", i64::from(*count) - 1),
                value: name.clone().into_owned(),
            },
            (NoNumber::Unknown, _) => unreachable!("a free numbering takes every name"),
        })
    }
}
