//! Adjacency matrices: tables with a row and a column for every node.

use std::collections::HashSet;

use super::awk::{PLAIN, awk};
use crate::read::fields::Delimiter;
use crate::read::old::cut::decimal_comma;
use crate::read::old::layout::{SAMPLE_BYTES, SAMPLE_ROWS};
use crate::read::old::odd::missing_value;

/// Fewer nodes may be in rows and columns by chance.
const FEWEST: usize = 3;

/// How to convert a matrix with names: the first cells of its rows are the titles, in the same order. The title of the first
/// column may be missing, as R writes it.
pub(crate) fn named_matrix(rows: &[Vec<String>], delimiter: Delimiter) -> Option<String> {
    let (titles, body) = rows.split_first()?;
    let before = || body.iter().map(|row| &row[0]);
    let below = |titles: &[String]| {
        let all = titles.len() == body.len() || titles.len() > body.len() && is_part(rows);
        let distinct = || titles.iter().collect::<HashSet<_>>().len() == titles.len();
        body.len() >= FEWEST && all && distinct() && titles.iter().take(body.len()).eq(before())
    };
    let corner = usize::from(!below(titles));
    if corner == 1 && !below(&titles[1..]) {
        return None;
    }
    let width = titles.len() - corner;
    let numbered = titles[corner..].iter().all(|title| value(title).is_some());
    let full = body.iter().all(|row| row.len() == width + 1);
    // A list of neighbours has names in its cells. Blank cells at the end of a row are not there.
    let list = body
        .iter()
        .any(|row| row.len() > width + 1 || row[1..].iter().any(|cell| titles[corner..].contains(cell)));
    let other = if numbered { !full || corner == 1 && value(&titles[0]).is_some() } else { list };
    if other {
        return None;
    }
    let cells: Vec<&[String]> = body.iter().map(|row| &row[1..]).collect();
    // Between spaces a first title without letters is none.
    let before_names = corner == 1 && !(delimiter == Delimiter::Spaces && titles[0].is_empty());
    let above = if before_names { "name[i]" } else { "name[i - 1]" };
    let test = test(&cells);
    let body =
        format!("if (!n++) split($0, name); else for (i = 2; i <= NF; i++) if ({test}) print $1, {above}");
    let cut = titles.iter().any(|name| delimiter.is_in(name));
    Some(said(&body, delimiter, cut, without_links(&cells, width)))
}

/// How to convert a matrix of numbers alone.
pub(crate) fn matrix(rows: &[Vec<String>], delimiter: Delimiter) -> Option<String> {
    let width = rows.iter().map(Vec::len).max()?;
    let square = width == rows.len() || width > rows.len() && is_part(rows);
    // A blank cell at the end of a row is not there: it may be the last one of the diagonal.
    let whole = |(at, row): (usize, &Vec<String>)| row.len() == width || at + 1 == width && row.len() == at;
    if !square || width < FEWEST || !rows.iter().enumerate().all(whole) {
        return None;
    }
    let diagonal = || rows.iter().enumerate().map(|(at, row)| row.get(at).map_or("", String::as_str));
    let beside =
        || rows.iter().enumerate().flat_map(|(at, row)| row.iter().take(at).chain(row.iter().skip(at + 1)));
    let all = |which: fn(&str) -> bool| {
        beside().all(|cell| which(cell)) && diagonal().all(|cell| which(cell) || missing_value(cell))
    };
    let hollow = || diagonal().all(|cell| value(cell) == Some(0.0) || missing_value(cell));
    let numbers = || width > FEWEST && all(|cell| value(cell).is_some()) && hollow();
    if !(all(zero_or_one) || all(truth) || numbers()) {
        return None;
    }
    let cells: Vec<&[String]> = rows.iter().map(Vec::as_slice).collect();
    let test = test(&cells);
    let body = format!("n++; for (i = 1; i <= NF; i++) if ({test}) print n, i");
    Some(said(&body, delimiter, false, without_links(&cells, width)))
}

/// What is said of a matrix; `cut` says that awk would cut names.
fn said(body: &str, delimiter: Delimiter, cut: bool, alone: bool) -> String {
    let (first, awk) = if cut {
        (
            "put tabs between the columns, because names have other delimiters in them, and ",
            awk(Delimiter::Tab),
        )
    } else {
        ("", awk(delimiter))
    };
    let alone = if alone { ", and declare nodes without links (--nodes)" } else { "" };
    format!(
        "the rows look like an adjacency matrix, which is not read: {first}write a line for each link ({awk} '{PLAIN} NF && \
         !/^[#%]/ {{{body}}}'){alone}"
    )
}

/// Whether these may be the first rows of a longer file.
fn is_part(rows: &[Vec<String>]) -> bool {
    let bytes = |row: &Vec<String>| row.iter().map(|cell| cell.len() + 1).sum::<usize>();
    let longest = rows.iter().map(bytes).max().unwrap_or(0);
    rows.len() == SAMPLE_ROWS || rows.iter().map(bytes).sum::<usize>() + 2 * longest > SAMPLE_BYTES
}

/// How awk knows the cell of a link: by a digit other than 0, or by a mark.
fn test(cells: &[&[String]]) -> &'static str {
    let all = |which: fn(&str) -> bool| cells.iter().copied().flatten().all(|cell| which(cell));
    if all(|cell| value(cell).is_some() || missing_value(cell)) {
        "$i ~ /[1-9]/"
    } else if all(|cell| value(cell).is_some() || missing_value(cell) || truth(cell) || mark(cell)) {
        "$i ~ /[1-9TtXxYy]/"
    } else {
        "$i !~ /^ *([-.0]*|NA) *$/"
    }
}

/// Whether a cell is that of a link.
fn linked(cell: &str) -> bool {
    match value(cell) {
        Some(value) => value != 0.0,
        None => {
            !(missing_value(cell) || (truth(cell) || mark(cell)) && cell.starts_with(['F', 'f', 'N', 'n']))
        }
    }
}

/// Whether a node has nothing in its row and in its column.
fn without_links(cells: &[&[String]], width: usize) -> bool {
    let mut free = vec![true; width];
    for (at, row) in cells.iter().enumerate() {
        for (column, _) in row.iter().enumerate().filter(|(_, cell)| linked(cell)) {
            free[at] = false;
            free[column] = false;
        }
    }
    cells.len() == width && free.contains(&true)
}

fn value(cell: &str) -> Option<f64> {
    let cell = if decimal_comma(cell) { &cell.replacen(',', ".", 1) } else { cell };
    cell.parse().ok().filter(|value: &f64| value.is_finite())
}

fn zero_or_one(cell: &str) -> bool {
    matches!(value(cell), Some(0.0 | 1.0))
}

/// Whether a cell says true or false in a word.
fn truth(cell: &str) -> bool {
    ["true", "false", "t", "f"].iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Whether a cell has a mark of a link, or says that there is none.
fn mark(cell: &str) -> bool {
    ["x", "yes", "y", "no", "n"].iter().any(|word| cell.eq_ignore_ascii_case(word))
}
