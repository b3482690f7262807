//! Reading delimited edge lists: the columns of each row become numbers of entities and relations, labels and weights.

use super::collect::{FileContents, Names, NumberedRows};
use super::columns::Column;
use super::direction::Directions;
use super::error::ReadError;
use super::header::surely_names_ends;
use super::label::Label;
use super::names::{Naming, Numbering};
use super::options::ReadOptions;
use super::report::Weights;
use super::sides::Sides;
use super::table::{Row, Table};

/// Reads all rows of an edge list.
pub(crate) fn read(
    table: Table<'_>,
    mut naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let limit = options.max_entities;
    let columns = table.layout.columns.clone();
    let [source, target] = columns.ends();
    let [relation, label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| columns.position(column));
    let mut remarks = table.layout.remarks.clone();
    let layout = table.layout.clone();
    let file = table.file().to_owned();
    let expected = match &table.layout.label_title {
        Some(title) => {
            format!("{} (if '{title}' is no column of labels, --columns can skip it)", Label::EXPECTED)
        }
        None => Label::EXPECTED.to_owned(),
    };
    let mut rows = NumberedRows::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut weights = None;
    let mut directions = Directions::default();
    let mut sides = Sides::wanted(&layout, options);
    let mut strays = Strays::default();
    let mut late_header = LateHeader::default();
    let may_be_header = !layout.header && options.header.is_none();
    let (lines, comments) = table.rows(|row| {
        let first = may_be_header && rows.count() == 0;
        let known = naming.len();
        let from = row.entity(source, &mut naming, limit)?;
        let to = row.entity(target, &mut naming, limit)?;
        // Two new names below other rows: cheap enough to ask of every row.
        if from as usize >= known && to as usize > known && rows.count() > 0 {
            late_header.see(&row, [source, target]);
        }
        let mut group = 0;
        if let (Some(column), Some(relations)) = (relation, &mut relations) {
            let name = row.text(column);
            if name.is_empty() {
                return Err(ReadError::EmptyField { location: row.location(column), what: "relation" });
            }
            group = relations
                .number(&name, u32::MAX)
                .ok_or_else(|| ReadError::too_many(row.file(), u32::MAX, "relations"))?;
        }
        let mark = label
            .map(|column| row.field(column, &expected, Label::parse))
            .transpose()
            .map_err(|error| if first { may_be_title(error) } else { error })?
            .map(|label| (label, row.line()));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            let found = row.field(column, "a weight must be a finite number", finite);
            Weights::add(
                &mut weights,
                found.map_err(|error| if first { may_be_title(error) } else { error })?,
            );
        }
        if let Some((column, _)) = layout.direction.as_ref().filter(|(column, _)| *column < row.len()) {
            directions.see(&row.text(*column));
        }
        if let Some(sides) = &mut sides {
            sides.see(from, to, row.line());
        }
        strays.see(&row);
        rows.push(group, from, to, mark);
        Ok(())
    })?;
    let (entities, final_ids) = naming.finish();
    let title = layout.direction.as_ref().map_or("", |(_, title)| title);
    let direction = directions.decide(title, options);
    remarks.extend(direction.remark);
    remarks.extend(strays.remark());
    remarks.extend(late_header.remark);
    if let Some(sides) = sides {
        let id = |entity: u32| final_ids.as_ref().map_or(entity, |ids| ids[entity as usize]);
        let name = |entity| entities.name(id(entity)).to_owned();
        remarks.extend(sides.remark(&file, name, layout.kinds.as_ref(), options.two_mode)?);
    }
    Ok(FileContents {
        rows,
        names: Names { entities, final_ids, relations },
        directed: direction.directed,
        directed_by_default: direction.by_default,
        first_row_is_link: !layout.header,
        weights,
        stored_zeros: 0,
        lines,
        comments,
        remarks,
        modes: None,
    })
}

/// The error of a value in the first row, which may be a title.
fn may_be_title(error: ReadError) -> ReadError {
    match error {
        ReadError::Value { location, what, value } => {
            let what = format!("{what} (if it is a title, say --header)");
            ReadError::Value { location, what, value }
        }
        other => other,
    }
}

/// A row that has words for source and target, below other rows.
#[derive(Debug, Default)]
struct LateHeader {
    remark: Option<String>,
}

impl LateHeader {
    fn see(&mut self, row: &Row<'_>, ends: [usize; 2]) {
        let words = ends.map(|column| row.text(column).into_owned());
        if self.remark.is_none() && surely_names_ends(&words) {
            let (words, line) = (words.join(", "), row.line());
            self.remark =
                Some(format!("line {line} ({words}) was taken for a link: if it is a header, take it out"));
        }
    }
}

/// Rows with text behind a closing quote.
#[derive(Debug, Default)]
struct Strays {
    first: u64,
    count: u64,
}

impl Strays {
    fn see(&mut self, row: &Row<'_>) {
        if row.stray() {
            self.count += 1;
            if self.count == 1 {
                self.first = row.line();
            }
        }
    }

    fn remark(&self) -> Option<String> {
        let rows = match self.count {
            0 => return None,
            1 => "1 row has".to_owned(),
            count => format!("{count} rows have"),
        };
        let line = self.first;
        Some(format!("{rows} text behind a closing quote (line {line}): the quotes are part of the name"))
    }
}
