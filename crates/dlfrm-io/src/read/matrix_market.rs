//! Reading Matrix Market coordinate files: entry (i, j) is a link from i to j.

use std::iter::repeat_n;
use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};

use super::error::ReadError;
use super::input::{Lines, skipped};
use super::options::{Declared, ReadOptions};
use super::report::{DirectionBy, ReadReport, Weights};
use super::rows::{FileContents, Names, NumberedRows};

pub(crate) fn read(mut lines: Lines<'_>, options: &ReadOptions) -> Result<FileContents, ReadError> {
    let banner = lines.next_line()?.unwrap_or_default().to_ascii_lowercase();
    let (valued, symmetric) = match banner.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [_, "matrix", "coordinate", field, symmetry] => {
            let valued = match field {
                "pattern" => Ok(false),
                "real" | "integer" | "double" => Ok(true),
                other => Err(format!("{other} entries are not read, only pattern, real and integer ones")),
            };
            let symmetric = match symmetry {
                "general" => Ok(false),
                "symmetric" => Ok(true),
                other => Err(format!("a {other} matrix is not read, only general and symmetric ones")),
            };
            let wrong = |what| wrong(&lines, what);
            (valued.map_err(wrong)?, symmetric.map_err(wrong)?)
        }
        [_, "matrix", "array", ..] => {
            let (format, instead) = ("a dense Matrix Market file", "write it as coordinates");
            return Err(ReadError::Foreign(lines.file().to_owned(), format, instead));
        }
        _ => {
            let what = "the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'";
            return Err(wrong(&lines, what));
        }
    };
    let [rows, columns, entries] = size(&mut lines)?;
    // Rows and columns are different nodes if there are not as many.
    let bipartite = match options.adds_to_bipartite.or(options.bipartite) {
        Some(false) if rows != columns => {
            let what = "a unipartite network needs as many rows as columns, the matrix has";
            return Err(wrong(&lines, format!("{what} {rows} and {columns}")));
        }
        Some(true) if symmetric => return Err(wrong(&lines, "a symmetric matrix is not bipartite")),
        asked => asked.unwrap_or(rows != columns),
    };
    // The columns of a bipartite network come after its rows.
    let before_columns = if bipartite { rows } else { 0 };
    if columns.saturating_add(before_columns) > u64::from(options.max_nodes) {
        return Err(ReadError::too_many(lines.file(), options.max_nodes, "nodes"));
    }
    let nodes = if bipartite {
        let row_names = (1..=rows).map(|number| format!("r{number}"));
        numbered(row_names.chain((1..=columns).map(|number| format!("c{number}"))), &lines, options)?
    } else {
        numbered((1..=rows).map(|number| number.to_string()), &lines, options)?
    };
    let mut numbered_rows = NumberedRows::default();
    let mut report = ReadReport::default();
    let mut found = 0;
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        found += 1;
        if found > entries {
            return Err(wrong(&lines, format!("more entries than the {entries} of the size line")));
        }
        let (row, column, weight) =
            parse_entry(line, rows, columns, valued).map_err(|what| wrong(&lines, what))?;
        if weight == Some(0.0) {
            report.stored_zeros += 1;
            continue;
        }
        if let Some(weight) = weight {
            Weights::add(&mut report.weights, weight);
        }
        numbered_rows.push(0, row, before_columns as u32 + column, None);
    }
    if found < entries {
        let what = format!("the size line says {entries} entries, but the file ends after {found}");
        return Err(wrong(&lines, what));
    }
    report.lines = lines.number;
    let modes = || {
        let modes = repeat_n(Some(Mode::Row), rows as usize);
        Modes::new(modes.chain(repeat_n(Some(Mode::Column), columns as usize)).collect())
    };
    Ok(FileContents {
        rows: numbered_rows,
        names: Names { nodes, final_ids: None, relations: None },
        directed: symmetric.then_some((false, DirectionBy::Format)),
        modes: (bipartite && options.adds_to_bipartite.is_none()).then(modes),
        report,
    })
}

fn wrong(lines: &Lines<'_>, what: impl Into<String>) -> ReadError {
    ReadError::Syntax(lines.location(), what.into())
}

fn size(lines: &mut Lines<'_>) -> Result<[u64; 3], ReadError> {
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        let numbers: Option<Vec<u64>> = line.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        return numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
            wrong(lines, "the size line must be three whole numbers: rows, columns, entries")
        });
    }
    Err(wrong(lines, "the file ends before its size line"))
}

/// The nodes of a file that numbers them: with its own names, or with as many declared ones in their order.
pub(crate) fn numbered(
    own: impl Iterator<Item = String>,
    lines: &Lines<'_>,
    options: &ReadOptions,
) -> Result<Arc<Nodes>, ReadError> {
    let own: Nodes = own.collect();
    let (declared, names) = match &options.nodes {
        None => (own.len(), None),
        Some(Declared::Count(count)) => (*count, None),
        Some(Declared::Names(names)) => (names.len(), Some(names)),
    };
    if declared != own.len() {
        return Err(wrong(lines, format!("the file has {} nodes, but {declared} are declared", own.len())));
    }
    // The names of the file in any order are a set of nodes, as those of an edge list are.
    let others = names.filter(|names| names.iter().any(|name| own.get(name).is_none()));
    let nodes = others.map_or_else(|| own.clone(), |names| names.iter().collect());
    if nodes.len() != declared {
        return Err(wrong(lines, "the declared names are not all different"));
    }
    Ok(Arc::new(nodes))
}

fn parse_entry(line: &str, rows: u64, columns: u64, valued: bool) -> Result<(u32, u32, Option<f64>), String> {
    let mut words = line.split_ascii_whitespace();
    let mut index = |what: &str, size: u64| {
        let word = words.next().ok_or_else(|| format!("the {what} is missing"))?;
        match word.parse::<u64>() {
            Ok(number) if (1..=size).contains(&number) => Ok((number - 1) as u32),
            _ => Err(format!("the {what} must be a whole number from 1 to {size}, is '{word}'")),
        }
    };
    let (row, column) = (index("row", rows)?, index("column", columns)?);
    if !valued {
        return Ok((row, column, None));
    }
    let word = words.next().ok_or("the value is missing")?;
    let weight = word.parse().ok().filter(|weight: &f64| weight.is_finite());
    let weight = weight.ok_or_else(|| format!("the value must be a finite number, is '{word}'"))?;
    Ok((row, column, Some(weight)))
}
