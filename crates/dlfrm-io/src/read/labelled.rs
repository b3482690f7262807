//! Reading files of pairs that are known to be links or non-links: test and validation pairs with their labels.

use std::io::Read;
use std::path::Path;

use dlfrm::network::{Nodes, Pair, Relation};
use rustc_hash::FxHashMap;

use super::old::columns::{Column, Columns};
use super::old::error::ReadError;
use super::old::foreign::check_pairs;
use super::old::header::meaning;
use super::old::input::Input;
use super::old::label::Label;
use super::old::layout::Layout;
use super::old::lines::Lines;
use super::old::options::ReadOptions;
use super::old::table::{Row, Table};

/// What the columns are if nothing names them.
const LABELLED: [Column; 3] = [Column::Source, Column::Target, Column::Label];

/// Which pairs a file may have, and how its columns are read.
#[derive(Debug, Clone)]
pub struct LabelledOptions<'a> {
    /// The nodes that a pair may name.
    pub nodes: &'a Nodes,
    /// Whether (i, j) and (j, i) are different pairs.
    pub directed: bool,
    /// The names of the relations that a pair may be of; one without a name if there are no relations.
    pub relations: Vec<Option<&'a str>>,
    /// The number of the relation of all pairs if no column names it; if it is `None`, a column must.
    pub relation: Option<usize>,
    /// The meaning of the columns: what a header says, or else source, target and label.
    pub columns: Option<super::columns::Columns>,
    /// The networks that are learned from, of each relation: a pair that they list is refused. Empty if any pair is allowed.
    pub learned: &'a [Relation],
    /// Other files, whose pairs are refused.
    pub others: &'a [&'a LabelledPairs],
}

impl<'a> LabelledOptions<'a> {
    /// Pairs that are held out of networks. The columns are those that a header names, or else source, target and label, behind
    /// a relation if there are relations. A repeated pair, and one that is in the networks or in the other files, is refused.
    ///
    /// # Panics
    /// If there is no network.
    pub fn held_out(learned: &'a [Relation], others: &'a [&'a LabelledPairs]) -> Self {
        let several = learned[0].name.is_some();
        let relation = several.then_some(Column::Relation);
        let columns = relation.into_iter().chain([Column::Source, Column::Target, Column::Label]);
        Self {
            nodes: learned[0].network.nodes(),
            directed: learned[0].network.directed(),
            relations: learned.iter().map(|relation| relation.name.as_deref()).collect(),
            relation: (!several).then_some(0),
            columns: Some(
                Columns::new(columns.collect()).expect("sound columns").to_string().parse().expect("columns"),
            ),
            learned,
            others,
        }
    }

    /// Where else a pair is.
    fn taken(&self, pair: (usize, u32, u32)) -> Option<String> {
        let (number, from, to) = pair;
        if let Some(Relation { network, .. }) = self.learned.get(number) {
            for (list, kind) in [(network.links(), Label::Link), (network.non_links(), Label::NonLink)] {
                if list.binary_search(&(from, to)).is_ok() {
                    return Some(format!("{} of the network that is learned from", kind.describe()));
                }
            }
        }
        let other = self.others.iter().find_map(|other| Some((&other.file, other.seen.get(&pair)?)));
        other.map(|(file, (line, _))| format!("in {file}, line {line}"))
    }
}

/// Pairs that are known to be links or non-links.
#[derive(Debug, Clone)]
pub struct LabelledPairs {
    file: String,
    /// The pairs of each relation, in the order of the file; an undirected pair has the smaller id first.
    pub pairs: Vec<Vec<Pair>>,
    /// What the user may not expect: columns that are not used, and lines that were skipped and may be pairs.
    pub warnings: Vec<String>,
    /// The line of each pair, and whether it is a link.
    seen: FxHashMap<(usize, u32, u32), (u64, bool)>,
}

/// Reads pairs of names with their labels from a file (standard input for `-`).
///
/// Delimiter and header are found as in an edge list, and labels are those of an edge list but for unobserved pairs. A name that
/// is not among the nodes, a pair of a node with itself, a pair that is there twice, and what the options do not allow are
/// errors.
pub fn read_labelled_pairs(path: &Path, options: &LabelledOptions<'_>) -> Result<LabelledPairs, ReadError> {
    labelled(Input::open(path)?, options)
}

/// Reads labelled pairs from a stream (see [`read_labelled_pairs`]); `name` is its name in messages.
pub fn parse_labelled_pairs(
    reader: impl Read,
    name: &str,
    options: &LabelledOptions<'_>,
) -> Result<LabelledPairs, ReadError> {
    labelled(Input::new(reader, name)?, options)
}

fn labelled(mut input: Input<'_>, options: &LabelledOptions<'_>) -> Result<LabelledPairs, ReadError> {
    check_pairs(&mut input)?;
    let (file, nodes) = (input.name.clone(), options.nodes);
    let layout = ReadOptions {
        columns: options.columns.as_ref().map(|columns| columns.to_string().parse().expect("columns")),
        ..ReadOptions::default()
    };
    let mut table = Table::new(Lines::new(input), None, &layout, Some(nodes), &LABELLED)?;
    let columns = columns(&table.layout, options);
    table.layout.columns = columns.clone();
    let [source, target, label] = [Column::Source, Column::Target, Column::Label]
        .map(|column| columns.position(column).expect("checked columns"));
    let relation = columns.position(Column::Relation);
    let used = [Column::Source, Column::Target, Column::Label, Column::Relation];
    let named = options.columns.is_some() && options.learned.is_empty();
    let mut found = LabelledPairs {
        warnings: table.layout.unused(&used, named),
        file,
        pairs: vec![vec![]; options.relations.len()],
        seen: FxHashMap::default(),
    };
    let title = table.layout.titles.as_ref().and_then(|titles| titles.get(label));
    if let Some(title) = title.filter(|title| !named && meaning(title) != Some(Column::Label)) {
        found.warnings.push(format!("column {} ('{title}') is read as the label", label + 1));
    }
    // A header that names the other columns has none to spare for the relation.
    let titles =
        table.layout.titled.as_ref().filter(|_| table.layout.header).map(|titled| titled.list().len());
    let beyond = relation.is_some_and(|column| titles.is_some_and(|titles| column >= titles));
    if options.relation.is_none() && (relation.is_none() || beyond) {
        return Err(ReadError::NoRelation { file: found.file, relations: options.relations.len() });
    }
    let several = options.relation.is_none();
    let read = table.rows(|row| {
        let number = match (relation, options.relation) {
            (Some(column), _) => row.field(column, "a relation must be one of the network's", |name| {
                options.relations.iter().position(|relation| *relation == Some(name))
            })?,
            (None, only) => only.expect("checked above"),
        };
        let (from, to) = row.known_pair(source, target, nodes)?;
        let link =
            row.field(label, "a label must be 1 or 0 (or -1), yes or no, or true or false", |text| {
                Label::parse(text)?.link()
            })?;
        let (from, to) = if options.directed || from < to { (from, to) } else { (to, from) };
        let taken = match found.seen.get(&(number, from, to)) {
            Some(&first) if first.1 != link => {
                return Err(contradiction(&row, nodes, (from, to), first, link));
            }
            Some((line, _)) => Some(format!("in line {line} already")),
            None => options.taken((number, from, to)),
        };
        if let Some(taken) = taken {
            let pair = names(nodes, from, to);
            return Err(ReadError::Overlap { location: row.line_location(), pair, taken });
        }
        found.seen.insert((number, from, to), (row.line(), link));
        found.pairs[number].push(Pair { source: from, target: to, link });
        Ok(())
    });
    let (_, comments) = read.map_err(|error| if several { with_columns(error, &columns) } else { error })?;
    found.warnings.extend(comments.row_remarks(nodes));
    Ok(found)
}

/// The error of a row that is too short, with what its columns are: one may be missing that the user does not think of.
fn with_columns(error: ReadError, columns: &Columns) -> ReadError {
    match error {
        ReadError::FewColumns { location, found, needed, delimiter } => {
            let delimiter = format!("{delimiter}; the columns are {columns}");
            ReadError::FewColumns { location, found, needed, delimiter }
        }
        other => other,
    }
}

/// The columns: held-out pairs have theirs in a fixed order, unless a header says otherwise.
fn columns(layout: &Layout, options: &LabelledOptions<'_>) -> Columns {
    let held_out = !options.learned.is_empty();
    let Some(titled) = layout.titled.as_ref().filter(|_| held_out) else {
        return with(&layout.columns, Column::Label);
    };
    let labelled = with(titled, Column::Label);
    if options.relation.is_none() { with(&labelled, Column::Relation) } else { labelled }
}

/// The columns with one more: the first that has no other use, or one at the end.
fn with(columns: &Columns, more: Column) -> Columns {
    let mut list = columns.list().to_vec();
    if !list.contains(&more) {
        match list.iter().position(|column| matches!(column, Column::Skip | Column::Weight)) {
            Some(position) => list[position] = more,
            None => list.push(more),
        }
    }
    Columns::new(list).expect("one column more, and no other twice")
}

fn contradiction(
    row: &Row<'_>,
    nodes: &Nodes,
    (from, to): (u32, u32),
    (first_line, first): (u64, bool),
    second: bool,
) -> ReadError {
    let describe = |link| if link { Label::Link } else { Label::NonLink }.describe();
    ReadError::Contradiction {
        location: row.line_location(),
        first_line,
        pair: names(nodes, from, to),
        first: describe(first),
        second: describe(second),
    }
}

fn names(nodes: &Nodes, from: u32, to: u32) -> String {
    format!("'{}', '{}'", nodes.name(from), nodes.name(to))
}

#[cfg(test)]
mod tests;
