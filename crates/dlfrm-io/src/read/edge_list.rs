//! Reading delimited edge lists.

use dlfrm::network::Entities;

use super::collect::Collector;
use super::columns::{Column, Columns};
use super::comments::{Comments, skipped};
use super::error::{Location, ReadError};
use super::fields::{Delimiter, Fields};
use super::label::Label;
use super::layout::{self, Layout, SAMPLE_ROWS};
use super::lines::Lines;
use super::names::{Naming, NoNumber, Numbering};
use super::options::ReadOptions;
use super::report::Weights;

/// How many bytes of the first rows are looked at to find the layout.
const SAMPLE_BYTES: usize = 1 << 20;

/// The rows of a delimited file: layout found, comments and header taken off.
pub(crate) struct Table<'a> {
    lines: Lines<'a>,
    pub(crate) layout: Layout,
    pub(crate) comments: Comments,
    sample: Vec<(u64, String)>,
}

/// One row, cut into fields.
pub(crate) struct Row<'a> {
    file: &'a str,
    line: u64,
    text: &'a str,
    fields: &'a Fields,
}

impl<'a> Table<'a> {
    /// Reads the first rows and finds the layout. `first` is a line that was taken from `lines` already,
    /// `known` are the entities, if they are known beforehand.
    pub(crate) fn new(
        mut lines: Lines<'a>,
        first: Option<String>,
        options: &ReadOptions,
        known: Option<&Entities>,
    ) -> Result<Self, ReadError> {
        let mut comments = Comments::default();
        let mut sample: Vec<(u64, String)> = Vec::new();
        let mut bytes = 0;
        let mut keep = |number: u64, line: &str, comments: &mut Comments| {
            if skipped(line) {
                comments.see(line);
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
        let layout = layout::find(&sample, options, known);
        if sample.len() <= usize::from(layout.header) {
            let what = match (lines.number(), layout.header) {
                (0, _) => "is empty",
                (_, true) => "has a header and no rows",
                _ => "has no rows, only blank lines and comments",
            };
            return Err(ReadError::Empty { file: lines.file().to_owned(), what });
        }
        Ok(Self { lines, layout, comments, sample })
    }

    /// Calls `each` with every row of data.
    pub(crate) fn rows(
        mut self,
        mut each: impl FnMut(Row<'_>) -> Result<(), ReadError>,
    ) -> Result<(u64, Comments), ReadError> {
        let Layout { delimiter, header, ref columns, .. } = self.layout;
        let needed = columns.needed();
        let file = self.lines.file().to_owned();
        let mut fields = Fields::default();
        let mut row = |line: u64, text: &str| {
            let place = || Location { file: file.clone(), line, column: None };
            if fields.cut(text, delimiter).is_err() {
                return Err(ReadError::OpenQuote { place: place() });
            }
            if fields.len() < needed {
                let (found, delimiter) = (fields.len(), delimiter.cut());
                return Err(ReadError::FewColumns { place: place(), found, needed, delimiter });
            }
            each(Row { file: &file, line, text, fields: &fields })
        };
        for (line, text) in self.sample.iter().skip(usize::from(header)) {
            row(*line, text)?;
        }
        drop(self.sample);
        loop {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next_line()? else { break };
            if skipped(line) {
                self.comments.see(line);
            } else {
                row(number, line)?;
            }
        }
        Ok((self.lines.number(), self.comments))
    }
}

impl Row<'_> {
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The place of the row.
    pub(crate) fn place_of_line(&self) -> Location {
        Location { file: self.file.to_owned(), line: self.line, column: None }
    }

    /// The place of a field of this row.
    pub(crate) fn place(&self, column: usize) -> Location {
        Location { file: self.file.to_owned(), line: self.line, column: Some(column + 1) }
    }

    /// Hands the field to `read`, which may want something else to stand there.
    pub(crate) fn field<T>(
        &self,
        column: usize,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ReadError> {
        let value = self.fields.get(self.text, column);
        read(&value).ok_or_else(|| ReadError::Value {
            place: self.place(column),
            what: what.to_owned(),
            value: value.into_owned(),
        })
    }

    /// The entity that a field names, which must be one of `entities`.
    pub(crate) fn known(&self, column: usize, entities: &Entities) -> Result<u32, ReadError> {
        let name = self.fields.get(self.text, column);
        entities.get(&name).ok_or_else(|| ReadError::UnknownName {
            place: self.place(column),
            name: name.into_owned(),
            entities: entities.len(),
        })
    }

    /// The two different entities that two fields name, which must be some of `entities`.
    pub(crate) fn known_pair(
        &self,
        source: usize,
        target: usize,
        entities: &Entities,
    ) -> Result<(u32, u32), ReadError> {
        let (from, to) = (self.known(source, entities)?, self.known(target, entities)?);
        if from == to {
            return Err(ReadError::Value {
                place: self.place(target),
                what: "a pair must have two different entities".to_owned(),
                value: entities.name(to).to_owned(),
            });
        }
        Ok((from, to))
    }

    /// The number of the entity that a field names.
    pub(crate) fn entity(&self, column: usize, naming: &mut Naming, limit: u32) -> Result<u32, ReadError> {
        let name = self.fields.get(self.text, column);
        if name.is_empty() {
            return Err(ReadError::EmptyField { place: self.place(column), what: "name" });
        }
        if let Naming::Known(entities) = naming {
            return self.known(column, entities);
        }
        naming.number(&name, limit).map_err(|reason| match (reason, naming) {
            (NoNumber::TooMany, _) => too_many(self.file, limit, "entities"),
            (NoNumber::Unknown, Naming::Count(count)) => ReadError::Value {
                place: self.place(column),
                what: format!("an id must be an integer from 0 to {}", i64::from(*count) - 1),
                value: name.clone().into_owned(),
            },
            (NoNumber::Unknown, _) => unreachable!("every name is welcome"),
        })
    }
}

pub(crate) fn too_many(file: &str, limit: u32, what: &'static str) -> ReadError {
    ReadError::TooMany { file: file.to_owned(), limit: u64::from(limit), what }
}

/// What an edge list holds.
pub(crate) struct EdgeList {
    pub(crate) collector: Collector,
    pub(crate) naming: Naming,
    pub(crate) relations: Option<Numbering>,
    pub(crate) weights: Option<Weights>,
    pub(crate) comments: Comments,
    pub(crate) lines: u64,
    pub(crate) remarks: Vec<String>,
}

/// Reads all rows of an edge list.
pub(crate) fn read(table: Table<'_>, mut naming: Naming, limit: u32) -> Result<EdgeList, ReadError> {
    let columns: Columns = table.layout.columns.clone();
    let [source, target] =
        [Column::Source, Column::Target].map(|end| columns.place(end).expect("checked columns"));
    let [relation, label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| columns.place(column));
    let remarks = table.layout.remarks.clone();
    let mut collector = Collector::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut weights = None;
    let (lines, comments) = table.rows(|row| {
        let from = row.entity(source, &mut naming, limit)?;
        let to = row.entity(target, &mut naming, limit)?;
        let mut group = 0;
        if let (Some(column), Some(relations)) = (relation, &mut relations) {
            let name = row.fields.get(row.text, column);
            if name.is_empty() {
                return Err(ReadError::EmptyField { place: row.place(column), what: "relation" });
            }
            group =
                relations.number(&name, u32::MAX).ok_or_else(|| too_many(row.file, u32::MAX, "relations"))?;
        }
        let mark = label
            .map(|column| row.field(column, "a label must be 1, 0 or ?", Label::parse))
            .transpose()?
            .map(|label| (label, row.line()));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            Weights::add(&mut weights, row.field(column, "a weight must be a finite number", finite)?);
        }
        collector.push(group, from, to, mark);
        Ok(())
    })?;
    Ok(EdgeList { collector, naming, relations, weights, comments, lines, remarks })
}

/// The name on a line that holds one name, quoted or not; nothing if a quote stays open.
pub(crate) fn whole_line(line: &str) -> Option<String> {
    let line = line.trim_ascii();
    let mut fields = Fields::default();
    if !line.starts_with('"') {
        return Some(line.to_owned());
    }
    fields.cut(line, Delimiter::Tab).ok()?;
    Some(if fields.len() == 1 { fields.get(line, 0).into_owned() } else { line.to_owned() })
}
