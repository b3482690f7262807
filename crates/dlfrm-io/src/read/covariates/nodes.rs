//! Reading attributes of nodes: a table with a header, or a list of words for each node.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use dlfrm::covariates::{Attributes, Field, FieldValues};
use dlfrm::network::Nodes;

use super::super::old::error::ReadError;
use super::super::old::input::Input;
use super::super::old::titles::is_title;
use super::cells::Cells;
use super::column::{Between, Column, SIGNS, Values, Vocabulary};
use super::warnings::described;

/// What a list of words is called, which has no title.
const LISTS: &str = "word";

/// Attributes of nodes from a file, and warnings for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAttributes {
    /// The attributes, one per column.
    pub fields: Vec<Field>,
    /// How columns were understood; missing nodes and values.
    pub warnings: Vec<String>,
}

/// Reads attributes of nodes from a file (standard input for `-`).
///
/// A table has a header; its first column names the nodes, each once, and every other column is an attribute: a number,
/// a category, or words between spaces or commas if its title ends in `:words`. A file whose first line begins with a node has
/// lists instead: a node and its words on each line. Names that are not among `nodes`, columns without information and
/// numbers that are not finite are errors.
pub fn read_attributes(path: &Path, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    attributes(Input::open(path)?, nodes)
}

/// Reads attributes of nodes from several files (see [`read_attributes`]). Two of them with one title are an error; lists of
/// words, which have none, are numbered.
pub fn read_all_attributes(files: &[PathBuf], nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    let mut all = ReadAttributes { fields: vec![], warnings: vec![] };
    let mut known: HashMap<String, &Path> = HashMap::new();
    let mut lists = 0;
    for file in files {
        let ReadAttributes { fields, warnings } = read_attributes(file, nodes)?;
        for mut field in fields {
            if field.name == LISTS {
                lists += 1;
                if lists > 1 {
                    field.name = format!("{LISTS} {lists}");
                }
            }
            if let Some(first) = known.insert(field.name.clone(), file) {
                return Err(ReadError::RepeatedAttribute {
                    file: file.display().to_string(),
                    name: field.name,
                    first: first.display().to_string(),
                });
            }
            all.fields.push(field);
        }
        all.warnings.extend(warnings);
    }
    Ok(all)
}

/// Reads attributes from a stream (see [`read_attributes`]); `name` is its name in messages.
pub fn parse_attributes(reader: impl Read, name: &str, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    attributes(Input::new(reader, name)?, nodes)
}

fn attributes(input: Input<'_>, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    let cells = Cells::read(input, nodes)?;
    let owners = owners(&cells, nodes)?;
    let columns = match &cells.titles {
        Some(titles) if titles.len() == 1 => {
            return Err(ReadError::Empty { file: cells.file, what: "has names of nodes and no attributes" });
        }
        Some(titles) => {
            (1..titles.len()).map(|position| Column::read(&cells, position)).collect::<Result<Vec<_>, _>>()?
        }
        // Lists of the same length may as well be a table whose header was forgotten.
        None if cells.is_even() => {
            let what = "has no header: its first line must name the columns (lists of words need none, but differ in length)";
            return Err(ReadError::Empty { file: cells.file, what });
        }
        None => vec![lists(&cells)],
    };
    let mut warnings = vec![];
    if owners.len() < nodes.len() {
        let absent = nodes.len() - owners.len();
        let are = if absent == 1 { "is" } else { "are" };
        warnings.push(format!("{}: {absent} of {} nodes {are} not there", cells.file, nodes.len()));
    }
    warnings.extend(cells.skipped_warning());
    warnings.extend(other_names(&cells, nodes));
    warnings.push(described(&cells.file, &columns));
    let mut fields = vec![];
    for column in columns {
        warnings.extend(column.colon_warning(&cells.file));
        warnings.extend(column.alike_warning(&cells.file));
        warnings.extend(column.sign_warning(&cells.file));
        warnings.extend(column.missing_warning(&cells.file));
        warnings.extend(column.odd_number_warning(&cells));
        warnings.extend(column.zeros_warning(&cells));
        warnings.extend(column.thousands_warning(&cells));
        warnings.extend(column.unknown_warning(&cells.file));
        warnings.extend(column.own_categories_warning(&cells.file));
        let field = Field { name: column.name.clone(), values: spread(&column.values, &owners, nodes.len()) };
        // Column by column, so that an error names its column.
        Attributes::new(nodes.len(), vec![field.clone()])
            .map_err(|cause| column.refused(&cells.file, cause))?;
        fields.push(field);
    }
    Ok(ReadAttributes { fields, warnings })
}

/// What is said of a column behind the first one that has a title of nodes and other names of them, each once: the first may
/// have the numbers of the rows.
fn other_names(cells: &Cells, nodes: &Nodes) -> Option<String> {
    let titles = cells.titles.as_ref()?;
    let cell = |row: &[String], at: usize| row.get(at).and_then(|name| nodes.get(name));
    let names = |at: usize| {
        let ids: Option<HashSet<u32>> = cells.rows.iter().map(|(_, row)| cell(row, at)).collect();
        let others = cells.rows.iter().any(|(_, row)| row.get(at) != row.first());
        others && ids.is_some_and(|ids| ids.len() == cells.rows.len())
    };
    let other = (1..titles.len()).find(|&at| is_title(&titles[at]) && names(at))?;
    let (file, first, other) = (&cells.file, &titles[0], &titles[other]);
    Some(format!(
        "{file}: the first column ('{first}') names the nodes, but all values of '{other}' are names of nodes, too: if \
         that column names them, put it first"
    ))
}

/// The node of each row, none of them twice.
fn owners(cells: &Cells, nodes: &Nodes) -> Result<Vec<u32>, ReadError> {
    let mut lines = vec![0; nodes.len()];
    let mut owners = Vec::with_capacity(cells.rows.len());
    for (row, (line, fields)) in cells.rows.iter().enumerate() {
        let node = cells.node(row, 0, nodes)?;
        let first = std::mem::replace(&mut lines[node as usize], *line);
        if first > 0 {
            return Err(ReadError::RepeatedName {
                location: cells.location(row, 0),
                name: fields[0].clone(),
                first,
            });
        }
        owners.push(node);
    }
    Ok(owners)
}

/// The lists of a file without a header.
fn lists(cells: &Cells) -> Column {
    let mut vocabulary = Vocabulary::default();
    let signs: &[char] = if cells.cut_at_spaces() { &SIGNS } else { &[] };
    let words = |row: &Vec<String>| {
        let words = row[1..].iter().map(|word| word.trim_end_matches(signs));
        vocabulary.list(words.filter(|word| !word.is_empty()))
    };
    let signed = |row: &&Vec<String>| row[1..].iter().any(|word| word.ends_with(signs));
    let cut = cells.rows.iter().map(|(_, row)| row).find(signed).map(|row| row[1..].join(" "));
    let lists = cells.rows.iter().map(|(_, row)| row).map(words).collect();
    let values = Values::Words { words: vocabulary.words, lists, between: Between::Spaces, cut };
    Column { name: LISTS.to_owned(), position: 1, values, colon: false }
}

/// The values of the rows as values of all nodes.
fn spread(values: &Values, owners: &[u32], nodes: usize) -> FieldValues {
    match values {
        Values::Numbers(numbers) => {
            let mut all = vec![None; nodes];
            owners.iter().zip(numbers).for_each(|(&owner, &number)| all[owner as usize] = number);
            FieldValues::Numbers(all)
        }
        Values::Categories { names, chosen } => {
            let mut lists = vec![vec![]; nodes];
            for (&owner, &category) in owners.iter().zip(chosen) {
                lists[owner as usize].extend(category.map(|category| (category, 1.0)));
            }
            FieldValues::Words { words: names.clone(), lists }
        }
        Values::Words { words, lists: known, .. } => {
            let mut lists = vec![vec![]; nodes];
            owners.iter().zip(known).for_each(|(&owner, list)| lists[owner as usize].clone_from(list));
            FieldValues::Words { words: words.clone(), lists }
        }
    }
}

#[cfg(test)]
mod tests;
