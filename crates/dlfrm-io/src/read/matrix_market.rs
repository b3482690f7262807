//! Reading Matrix Market coordinate files: entry (i, j) is a link from i to j.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};

use super::error::ReadError;
use super::input::{Lines, skipped};
use super::options::{Declared, ReadOptions};
use super::report::{DirectionBy, ReadReport, Weights};
use super::rows::{FileContents, Names, NumberedRows};

struct Banner {
    valued: bool,
    symmetric: bool,
}

/// Reads the whole file.
pub(crate) fn read(mut lines: Lines<'_>, options: &ReadOptions) -> Result<FileContents, ReadError> {
    let first = lines.next_line()?.unwrap_or_default();
    if first.split_ascii_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("array")) {
        let (format, instead) = ("a dense Matrix Market file", "write it as coordinates");
        return Err(ReadError::Foreign { file: lines.file().to_owned(), format, instead });
    }
    let banner = parse_banner(first);
    let Banner { valued, symmetric } = banner.map_err(|message| wrong(&lines, message))?;
    let (size, entries) = read_size(&mut lines)?;
    let bipartite = size
        .bipartite(options.adds_to.map(|known| known.bipartite).or(options.bipartite), symmetric)
        .map_err(|message| wrong(&lines, message))?;
    let nodes = nodes(&size, bipartite, &lines, options)?;
    // The columns of a bipartite network come after its rows.
    let before_columns = if bipartite { size.rows } else { 0 };
    let mut rows = NumberedRows::default();
    let mut report = ReadReport::default();
    let mut found = 0;
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
            report.stored_zeros += 1;
            continue;
        }
        if let Some(weight) = weight {
            Weights::add(&mut report.weights, weight, true);
        }
        rows.push(0, row, before_columns + column, None);
    }
    if found < entries {
        let message = format!("the size line says {entries} entries, but the file ends after {found}");
        return Err(wrong(&lines, message));
    }
    report.lines = lines.number();
    Ok(FileContents {
        rows,
        names: Names { nodes, final_ids: None, relations: None },
        directed: symmetric.then_some((false, DirectionBy::Format)),
        modes: (bipartite && options.adds_to.is_none()).then(|| size.modes()),
        report,
    })
}

fn wrong(lines: &Lines<'_>, message: impl Into<String>) -> ReadError {
    ReadError::Syntax { location: lines.location(), what: message.into() }
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
            Some(true) if symmetric => Err("a symmetric matrix is not bipartite".to_owned()),
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
/// before the columns c1, c2, ....
fn nodes(
    size: &Size,
    bipartite: bool,
    lines: &Lines<'_>,
    options: &ReadOptions,
) -> Result<Arc<Nodes>, ReadError> {
    let Size { rows, columns } = *size;
    let count = if bipartite { rows.checked_add(columns) } else { Some(rows) };
    if count.is_none_or(|count| count > options.max_nodes) {
        return Err(ReadError::too_many(lines.file(), options.max_nodes, "nodes"));
    }
    if bipartite {
        let names = |letter: char, count: u32| (1..=count).map(move |number| format!("{letter}{number}"));
        return numbered(names('r', rows).chain(names('c', columns)), lines, options);
    }
    numbered((1..=rows).map(|number| number.to_string()), lines, options)
}

/// The nodes of a file that numbers them: with its own names, or with as many declared ones in their order.
pub(crate) fn numbered(
    own: impl Iterator<Item = String>,
    lines: &Lines<'_>,
    options: &ReadOptions,
) -> Result<Arc<Nodes>, ReadError> {
    let own: Nodes = own.collect();
    let declared = match &options.nodes {
        None => own.len(),
        Some(Declared::Count(count)) => *count,
        Some(Declared::Names(names)) => names.len(),
    };
    if declared != own.len() {
        return Err(wrong(lines, format!("the file has {} nodes, but {declared} are declared", own.len())));
    }
    match &options.nodes {
        // The names of the file in any order are a set of nodes, as those of an edge list are.
        Some(Declared::Names(names)) if names.iter().any(|name| own.get(name).is_none()) => {
            let nodes: Nodes = names.iter().collect();
            if nodes.len() != own.len() {
                return Err(wrong(lines, "the declared names are not all different"));
            }
            Ok(Arc::new(nodes))
        }
        _ => Ok(Arc::new(own)),
    }
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
