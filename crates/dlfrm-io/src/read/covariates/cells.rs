//! A file with a header as cells, or one without as lists.

use dlfrm::network::Entities;

use super::super::comments::skipped;
use super::super::error::{Location, ReadError};
use super::super::fields::Fields;
use super::super::input::Input;
use super::super::layout;
use super::super::lines::Lines;

/// All rows of a file, header and comments taken off.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) file: String,
    /// The header; none of a file of lists.
    pub(super) titles: Option<Vec<String>>,
    /// The cells of each row, with the number of its line.
    pub(super) rows: Vec<(u64, Vec<String>)>,
    how: String,
}

impl Cells {
    /// Reads a file. One whose first cell is no entity has a header, and then all rows are as long as it is.
    pub(super) fn read(input: Input<'_>, entities: &Entities) -> Result<Self, ReadError> {
        let mut lines = Lines::new(input);
        let mut all: Vec<(u64, String)> = vec![];
        while let Some(line) = lines.next_line()? {
            if !skipped(line) {
                let text = line.to_owned();
                all.push((lines.number(), text));
            }
        }
        let file = lines.file().to_owned();
        let delimiter = layout::delimiter(&all[..all.len().min(layout::SAMPLE_ROWS)]);
        let mut fields = Fields::default();
        let mut rows = Vec::with_capacity(all.len());
        for (line, text) in all {
            if fields.cut(&text, delimiter).is_err() {
                return Err(ReadError::OpenQuote { location: Location { file, line, column: None } });
            }
            rows.push((line, fields.to_vec(&text)));
        }
        let Some((_, first)) = rows.first() else {
            return Err(ReadError::Empty { file, what: "has no rows" });
        };
        let lists = entities.get(&first[0]).is_some();
        let titles = (!lists).then(|| rows.remove(0).1);
        let cells = Self { file, titles, rows, how: delimiter.cut() };
        cells.check()?;
        Ok(cells)
    }

    fn check(&self) -> Result<(), ReadError> {
        let lengths = || self.rows.iter().map(|(line, row)| (*line, row.len()));
        let empty = |what| Err(ReadError::Empty { file: self.file.clone(), what });
        let Some(titles) = &self.titles else {
            // Lists of the same length may as well be a table whose header was forgotten.
            return match lengths().map(|(_, length)| length).max() {
                Some(longest) if longest > 1 && lengths().all(|(_, length)| length == longest) => empty(
                    "has no header: its first line must name the columns (lists of words need none, but differ \
                     in length)",
                ),
                _ => Ok(()),
            };
        };
        if self.rows.is_empty() {
            return empty("has a header and no rows");
        }
        match lengths().find(|&(_, length)| length != titles.len()) {
            Some((line, found)) => Err(ReadError::FewColumns {
                location: Location { file: self.file.clone(), line, column: None },
                found,
                needed: titles.len(),
                delimiter: self.how.clone(),
            }),
            None => Ok(()),
        }
    }

    /// The location of a cell.
    pub(super) fn location(&self, row: usize, column: usize) -> Location {
        Location { file: self.file.clone(), line: self.rows[row].0, column: Some(column + 1) }
    }

    /// The entity that a cell names.
    pub(super) fn entity(&self, row: usize, column: usize, entities: &Entities) -> Result<u32, ReadError> {
        let name = &self.rows[row].1[column];
        entities.get(name).ok_or_else(|| ReadError::UnknownName {
            location: self.location(row, column),
            name: name.clone(),
            entities: entities.len(),
        })
    }
}
