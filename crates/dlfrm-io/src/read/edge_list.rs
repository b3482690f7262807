//! Edge lists: the columns of each row become numbers of nodes and relations, labels and weights.

use super::columns::{Column, Label};
use super::error::ReadError;
use super::input::Lines;
use super::names::{Naming, Numbering, integer};
use super::options::ReadOptions;
use super::report::{DirectionBy, ReadReport, ReadWarning, Weights};
use super::rows::{FileContents, Names, NumberedRows};
use super::table::{Need, Row, Table};

pub(crate) fn read(
    lines: Lines<'_>,
    mut naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let file = lines.file().to_owned();
    let table = Table::new(lines, options, Need::Ends)?;
    let free = matches!(naming, Naming::Free(..));
    let (by_comment, two_kinds) = said(&table.comments);
    let apart = free && two_kinds;
    let [from, to] = table.ends();
    let [relation, mut label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| table.positions.get(column));
    let (positions, titles, data) = (table.positions, table.titles.clone(), table.data);
    let mut report = ReadReport { delimiter: Some(table.delimiter), ..ReadReport::default() };
    // The column that says in tables of Gephi whether links have a direction.
    let titled = |word: &str| titles.iter().flatten().position(|title| title.eq_ignore_ascii_case(word));
    let kind = titled("type").filter(|&column| !positions.reads(column));
    let mut by_column = None;

    let mut rows = NumberedRows::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut first = None;
    let mut again = false;
    let end = table.rows(options.max_rows, |row| {
        let source = number(&row, from, "source", &mut naming, apart.then_some('r'))?;
        let target = number(&row, to, "target", &mut naming, apart.then_some('c'))?;
        again |= first.is_some_and(|first: [u32; 2]| first.contains(&source) || first.contains(&target));
        first.get_or_insert([source, target]);
        if let Some(column) = kind {
            let said = directed(&row.text(column));
            if rows.count == 0 {
                by_column = said;
                // The labels of Gephi's tables are texts.
                label = label.filter(|_| said.is_none() || options.columns.is_some());
            } else if said.is_some()
                && by_column.is_some_and(|_| said != by_column && options.directed.is_none())
            {
                let what = "'Type' has Directed and Undirected, and a network has links of one kind";
                return Err(ReadError::Column(row.location(column), what.to_owned()));
            }
        }
        let mut group = 0;
        if let (Some(column), Some(relations)) = (relation, &mut relations) {
            let name = row.filled(column, "relation")?;
            let number = relations.number(&name, u32::MAX);
            group = number.ok_or_else(|| ReadError::too_many(row.file, u32::MAX, "relations"))?;
        }
        let mark = label
            .map(|column| row.field(column, Label::EXPECTED, Label::parse))
            .transpose()?
            .map(|label| (label, row.line));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            let found = row.field(column, "a weight must be a finite number", finite)?;
            Weights::add(&mut report.weights, found);
        }
        rows.push(group, source, target, mark);
        Ok(())
    })?;

    let (nodes, final_ids) = naming.finish();
    // A row of integers is no header.
    let may_be_header = titles.is_none() && options.header.is_none() && free && final_ids.is_none();
    let names = Names { nodes, final_ids, relations };
    if let Some(row) = rows.first(&names).filter(|_| may_be_header && rows.count > 1 && !again) {
        report.warnings.push(ReadWarning::FirstRow { row });
    }
    if end.comments > 0 {
        report.warnings.push(ReadWarning::Comments { count: end.comments });
    }
    let unused_label = positions.get(Column::Label).filter(|_| label.is_none());
    let used = |column: usize| {
        positions.reads(column) && unused_label != Some(column) || by_column.is_some() && kind == Some(column)
    };
    let titled = titles.iter().flatten().enumerate();
    let ignored = titled.filter(|&(column, title)| !title.is_empty() && !used(column));
    report.ignored = ignored.map(|(_, title)| title.clone()).collect();
    report.ignored.extend(data.then(|| "data of links ({...})".to_owned()));
    report.lines = end.lines;
    report.header.clone_from(&titles);
    let column = by_column.filter(|_| options.directed.is_none());
    let directed = column.map(|directed| (directed, DirectionBy::Column));
    let comment = by_comment.map(|directed| (directed, DirectionBy::Comment));
    let bipartite = apart && options.bipartite != Some(false);
    let modes = bipartite.then(|| rows.modes(&file, &names)).transpose()?;
    Ok(FileContents { rows, names, directed: directed.or(comment), modes, report })
}

fn directed(text: &str) -> Option<bool> {
    let said = ["undirected", "directed"].iter().position(|kind| text.eq_ignore_ascii_case(kind));
    said.map(|said| said == 1)
}

/// The number of the node that a field names. Numbers that count sources and targets apart have a letter in front.
fn number(
    row: &Row<'_>,
    column: usize,
    what: &str,
    naming: &mut Naming,
    letter: Option<char>,
) -> Result<u32, ReadError> {
    let name = row.filled(column, what)?;
    let at = || row.location(column);
    match letter.filter(|_| integer(&name).is_some()) {
        None => naming.number(&name, at, row.first),
        Some(letter) => naming.number(&format!("{letter}{name}"), at, row.first),
    }
}

/// What the comments above the rows say, as SNAP (`# Undirected graph: ...`) and KONECT (`% sym unweighted`) write them: whether
/// links have a direction, and whether sources and targets are two kinds of nodes, each numbered from 1.
fn said(comments: &[String]) -> (Option<bool>, bool) {
    let (mut directed, mut bipartite) = (None, false);
    for line in comments {
        let words: Vec<&str> = line.trim_start_matches(['#', '%', ' ']).split_ascii_whitespace().collect();
        match words[..] {
            ["Undirected", ..] => directed = Some(false),
            ["Directed", ..] => directed = Some(true),
            [kind @ ("sym" | "asym" | "bip"), weights]
                if line.starts_with('%')
                    && (weights.ends_with("weighted")
                        || matches!(weights, "positive" | "signed" | "multisigned" | "dynamic")) =>
            {
                bipartite = kind == "bip";
                directed = (kind != "bip").then_some(kind == "asym");
            }
            _ => {}
        }
    }
    (directed, bipartite)
}
