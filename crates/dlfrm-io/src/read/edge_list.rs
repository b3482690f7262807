//! Reading delimited edge lists: the columns of each row become numbers of entities and relations, labels and weights.

use super::collect::{FileContents, Names, NumberedRows};
use super::columns::Column;
use super::error::ReadError;
use super::label::Label;
use super::names::{Naming, Numbering};
use super::options::ReadOptions;
use super::report::Weights;
use super::table::Table;

/// Reads all rows of an edge list.
pub(crate) fn read(
    table: Table<'_>,
    mut naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let limit = options.max_entities;
    let columns = table.layout.columns.clone();
    let [source, target] =
        [Column::Source, Column::Target].map(|end| columns.position(end).expect("checked columns"));
    let [relation, label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| columns.position(column));
    let remarks = table.layout.remarks.clone();
    let expected = match &table.layout.label_title {
        Some(title) => {
            format!("{} (if '{title}' is no column of labels, --columns can skip it)", Label::EXPECTED)
        }
        None => Label::EXPECTED.to_owned(),
    };
    let mut rows = NumberedRows::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut weights = None;
    let (lines, comments) = table.rows(|row| {
        let from = row.entity(source, &mut naming, limit)?;
        let to = row.entity(target, &mut naming, limit)?;
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
            .transpose()?
            .map(|label| (label, row.line()));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            Weights::add(&mut weights, row.field(column, "a weight must be a finite number", finite)?);
        }
        rows.push(group, from, to, mark);
        Ok(())
    })?;
    let (entities, final_ids) = naming.finish();
    Ok(FileContents {
        rows,
        names: Names { entities, final_ids, relations },
        directed: options.directed,
        weights,
        stored_zeros: 0,
        lines,
        comments,
        remarks,
        modes: None,
    })
}
