//! Reading Matrix Market coordinate files: entry (i, j) is a link from i to j.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};

use super::collect::{FileContents, Names, NumberedRows};
use super::comments::{Comments, skipped};
use super::error::ReadError;
use super::lines::Lines;
use super::options::{Declared, ReadOptions};
use super::report::Weights;

const BANNER: &str = "%%matrixmarket";

/// Whether a first line says that the file is a Matrix Market file.
pub(crate) fn is_banner(line: &str) -> bool {
    line.get(..BANNER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BANNER))
}

struct Banner {
    valued: bool,
    symmetric: bool,
}

/// Reads the file behind its first line, the banner.
pub(crate) fn read(
    banner: &str,
    mut lines: Lines<'_>,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let Banner { valued, symmetric } = parse_banner(banner).map_err(|message| wrong(&lines, message))?;
    let (size, entries) = read_size(&mut lines)?;
    let bipartite = size
        .bipartite(options.adds_to.map(|known| known.bipartite).or(options.bipartite), symmetric)
        .map_err(|message| wrong(&lines, message))?;
    let (nodes, naming) = nodes(&size, bipartite, &lines, options)?;
    // The columns of a bipartite network come after its rows.
    let before_columns = if bipartite { size.rows } else { 0 };
    let mut rows = NumberedRows::default();
    let mut weights = None;
    let (mut found, mut stored_zeros) = (0, 0);
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        found += 1;
        if found > entries {
            let message = format!("more entries than the {entries} of the size line");
            return Err(wrong(&lines, message));
        }
        let (row, column, weight) =
            parse_entry(line, &size, valued).map_err(|message| wrong(&lines, message))?;
        if weight == Some(0.0) {
            stored_zeros += 1;
            continue;
        }
        if let Some(weight) = weight {
            Weights::add(&mut weights, weight, true);
        }
        rows.push(0, row, before_columns + column, None);
    }
    if found < entries {
        let message = format!("the size line says {entries} entries, but the file ends after {found}");
        return Err(wrong(&lines, message));
    }
    let mut remarks = Vec::from_iter(naming);
    if symmetric && options.directed {
        let flag = options.without_direction();
        remarks.push(format!("the matrix is symmetric, so the network is undirected{flag}"));
    }
    remarks.extend(options.without_effect("a Matrix Market file"));
    let modes = (bipartite && options.adds_to.is_none()).then(|| size.modes());
    // It has modes because they were asked for, or because it can have no others.
    remarks.extend(modes.as_ref().map(|modes| modes.warning(Some(true))));
    Ok(FileContents {
        rows,
        names: Names { nodes, final_ids: None, relations: None },
        directed: options.directed && !symmetric,
        directed_by_default: options.directed_by_default,
        first_row_is_link: false,
        weights,
        stored_zeros,
        lines: lines.number(),
        comments: Comments::default(),
        remarks,
        modes,
        unclear: None,
        kinds: None,
    })
}

fn wrong(lines: &Lines<'_>, message: impl Into<String>) -> ReadError {
    ReadError::MatrixMarket { location: lines.location(), message: message.into() }
}

fn parse_banner(line: &str) -> Result<Banner, String> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let [_, object, format, field, symmetry] = words[..] else {
        return Err("the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'".to_owned());
    };
    if object != "matrix" {
        return Err(format!("a Matrix Market {object} is not read, only a matrix"));
    }
    if format != "coordinate" {
        return Err(format!("a dense matrix ({format}) is not read, only coordinate ones"));
    }
    let valued = match field {
        "pattern" => false,
        "real" | "integer" | "double" => true,
        other => return Err(format!("{other} entries are not read, only pattern, real and integer ones")),
    };
    let symmetric = match symmetry {
        "general" => false,
        "symmetric" => true,
        other => return Err(format!("a {other} matrix is not read, only general and symmetric ones")),
    };
    Ok(Banner { valued, symmetric })
}

/// How large a matrix is.
struct Size {
    rows: u32,
    columns: u32,
}

impl Size {
    /// Whether its rows and columns are different nodes: as they must be if there are not as many.
    fn bipartite(&self, asked: Option<bool>, symmetric: bool) -> Result<bool, String> {
        let &Self { rows, columns } = self;
        match asked {
            Some(false) if rows != columns => Err(format!(
                "a unipartite network needs as many rows as columns, the matrix has {rows} and {columns}"
            )),
            Some(true) if symmetric => Err("a symmetric matrix has no two modes".to_owned()),
            asked => Ok(asked.unwrap_or(rows != columns)),
        }
    }

    /// The modes of its nodes: the rows, then the columns.
    fn modes(&self) -> Modes {
        let rows = std::iter::repeat_n(Some(Mode::Row), self.rows as usize);
        Modes::new(rows.chain(std::iter::repeat_n(Some(Mode::Column), self.columns as usize)).collect())
    }
}

/// Rows, columns and entries.
fn read_size(lines: &mut Lines<'_>) -> Result<(Size, u64), ReadError> {
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        let numbers: Option<Vec<u64>> = line.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        let message = match numbers.as_deref() {
            Some(&[rows, columns, entries]) => match (u32::try_from(rows), u32::try_from(columns)) {
                (Ok(rows), Ok(columns)) => return Ok((Size { rows, columns }, entries)),
                _ => format!("{rows} rows and {columns} columns are more than can be numbered"),
            },
            _ => "the size line must be three whole numbers: rows, columns, entries".to_owned(),
        };
        return Err(wrong(lines, message));
    }
    Err(wrong(lines, "the file ends before its size line"))
}

/// The nodes are numbered from 1, as the file does, unless they have names; in a bipartite network the rows r1, r2, ... come
/// before the columns c1, c2, .... Beside them what is said of those that are declared.
fn nodes(
    size: &Size,
    bipartite: bool,
    lines: &Lines<'_>,
    options: &ReadOptions,
) -> Result<(Arc<Nodes>, Option<String>), ReadError> {
    let Size { rows, columns } = *size;
    let size = if bipartite { rows.checked_add(columns) } else { Some(rows) };
    let Some(size) = size.filter(|&size| size <= options.max_nodes) else {
        return Err(ReadError::too_many(lines.file(), options.max_nodes, "nodes"));
    };
    let declared = match &options.nodes {
        None => size as usize,
        Some(Declared::Count(count)) => *count,
        Some(Declared::Names(names)) => names.len(),
    };
    if declared != size as usize {
        return Err(wrong(
            lines,
            if bipartite {
                format!("the matrix has {rows} rows and {columns} columns, but {declared} nodes are declared")
            } else {
                format!("the matrix has {size} rows, but {declared} nodes are declared")
            },
        ));
    }
    let numbered: Nodes = if bipartite {
        let names = |letter: char, count: u32| (1..=count).map(move |number| format!("{letter}{number}"));
        names('r', rows).chain(names('c', columns)).collect()
    } else {
        (1..=u64::from(size)).map(|number| number.to_string()).collect()
    };
    let (first, last) = (numbered.name(0), numbered.name(size - 1));
    let remark = match &options.nodes {
        Some(Declared::Names(names)) => {
            let nodes: Nodes = names.iter().collect();
            if nodes.len() != size as usize {
                return Err(wrong(lines, "the declared names are not all different"));
            }
            // The names of the file in any order are a set of nodes, as those of an edge list are.
            if names.iter().any(|name| numbered.get(name).is_none()) {
                let (own, others) = (nodes.name(0), nodes.name(size - 1));
                let remark = format!(
                    "the declared names are those of {} in their order: '{own}' is {first}, '{others}' is {last}",
                    if bipartite { "the rows and then of the columns" } else { "the rows" }
                );
                return Ok((Arc::new(nodes), Some(remark)));
            }
            None
        }
        Some(Declared::Count(count)) => {
            Some(format!("nodes are called {first} to {last}, as in the file, and not 0 to {}", count - 1))
        }
        None => None,
    };
    Ok((Arc::new(numbered), remark))
}

fn parse_entry(line: &str, size: &Size, valued: bool) -> Result<(u32, u32, Option<f64>), String> {
    let mut words = line.split_ascii_whitespace();
    let mut index = |what: &str, size: u32| {
        let word = words.next().ok_or_else(|| format!("the {what} is missing"))?;
        match word.parse::<u32>() {
            Ok(number) if (1..=size).contains(&number) => Ok(number - 1),
            _ => Err(format!("the {what} must be a whole number from 1 to {size}, is '{word}'")),
        }
    };
    let (row, column) = (index("row", size.rows)?, index("column", size.columns)?);
    let weight = match words.next() {
        _ if !valued => None,
        None => return Err("the value is missing".to_owned()),
        Some(word) => match word.parse::<f64>() {
            Ok(weight) if weight.is_finite() => Some(weight),
            _ => return Err(format!("the value must be a finite number, is '{word}'")),
        },
    };
    Ok((row, column, weight))
}
