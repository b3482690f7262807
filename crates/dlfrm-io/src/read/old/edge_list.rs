//! Reading delimited edge lists: the columns of each row become numbers of nodes and relations, labels and weights.

use super::collect::{FileContents, Names, NumberedRows};
use super::columns::Column;
use super::direction::Directions;
use super::error::ReadError;
use super::konect::{Ends, Named, one_name};
use super::label::Label;
use super::names::{Naming, Numbering};
use super::odd::{Seen, Suspects, lists};
use super::options::ReadOptions;
use super::report::Weights;
use super::sides::Sides;
use super::table::Table;

/// Reads all rows of an edge list.
pub(crate) fn read(
    table: Table<'_>,
    naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let limit = options.max_nodes;
    let columns = table.layout.columns.clone();
    let [source, target] = columns.ends();
    let [relation, label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| columns.position(column));
    let mut remarks = table.layout.remarks.clone();
    let layout = table.layout.clone();
    let file = table.file().to_owned();
    let expected = expected_label(layout.label_title.as_deref());
    let mut rows = NumberedRows::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut weights = None;
    let mut directions = Directions::default();
    let bipartite = table.comments.bipartite();
    let mut ends = Ends::new(naming, bipartite);
    let together = ends.together();
    // Where the file and not the user says that there are two kinds, a name of both must not pass for one.
    let one_kind_declared = bipartite && together && options.bipartite != Some(false);
    let mut sides = Sides::wanted(&layout, options, one_kind_declared).filter(|_| together);
    let mut suspects = Suspects::below(layout.header);
    let may_be_header = !layout.header && options.header.is_none();
    let (lines, comments) = table.rows(|row| {
        let first = may_be_header && rows.count() == 0;
        let known = ends.len();
        let numbers = ends.numbers(&row, [source, target], limit);
        let title = first && numbers.is_err() && ends.know_neither(&row, [source, target]);
        let [from, to] = numbers.map_err(|error| if title { error.may_be_title() } else { error })?;
        if together {
            let seen = Seen { row: &row, columns: [source, target], ends: [from, to], known };
            suspects.see(&seen, may_be_header);
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
        let unless_title = |error: ReadError| if first { error.may_be_title() } else { error };
        let mark = label
            .map(|column| row.field(column, &expected, Label::parse))
            .transpose()
            .map_err(unless_title)?
            .map(|label| (label, row.line()));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            let found = row.field(column, "a weight must be a finite number", finite);
            let link = mark.is_none_or(|(label, _)| label == Label::Link);
            Weights::add(&mut weights, found.map_err(unless_title)?, link);
        }
        if let Some((column, _)) = layout.direction.as_ref().filter(|(column, _)| *column < row.len()) {
            directions.see(&row.text(*column));
        }
        if let Some(sides) = &mut sides {
            sides.see(from, to, row.line());
        }
        rows.push(group, from, to, mark);
        Ok(())
    })?;
    let Named { nodes, final_ids, modes, remark } = ends.finish();
    let names = Names { nodes, final_ids, relations };
    let nodes = &names.nodes;
    remarks.extend(remark);
    let modes = modes.filter(|_| options.bipartite != Some(false));
    remarks.extend(modes.as_ref().map(|modes| modes.warning(Some(true))));
    let title = layout.direction.as_ref().map_or("", |(_, title)| title);
    let direction = directions.decide(title, options);
    remarks.extend(direction.remark);
    remarks.extend(suspects.remarks(nodes.names(), comments.lone_mark()));
    if options.adds_to.is_none() {
        remarks.extend(suspects.network_remarks(&rows, nodes.names(), layout.first_is_alone));
    }
    if options.nodes.is_none() {
        remarks.extend(lists(nodes));
    }
    if let Some(sides) = sides {
        if let Some((node, lines)) = sides.first_of_both().filter(|_| one_kind_declared) {
            return Err(one_name(&file, names.name(node), lines));
        }
        remarks.extend(sides.remark(&file, &names, layout.kinds.as_ref(), options.bipartite)?);
    }
    Ok(FileContents {
        rows,
        names,
        directed: direction.directed,
        directed_by_default: direction.by_default && !comments.directed(),
        first_row_is_link: !layout.header,
        weights,
        stored_zeros: 0,
        lines,
        comments,
        remarks,
        modes,
        unclear: layout.unclear,
        kinds: layout.kinds,
    })
}

/// What a label must be, in a column with this title.
fn expected_label(title: Option<&str>) -> String {
    match title {
        Some(title) => {
            format!("{} (if '{title}' is no column of labels, --columns can skip it)", Label::EXPECTED)
        }
        None => Label::EXPECTED.to_owned(),
    }
}
