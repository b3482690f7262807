//! Where rows are cut: at the delimiter that fits the most rows, unless the one comma or semicolon of each row is within a cell.

use std::collections::HashSet;

use super::super::fields::{Delimiter, Fields};
use super::between::between;
use super::error::ReadError;
use super::names::integer;

/// The delimiter that cuts the most rows into two fields or more, with quotes only around whole fields if
/// there is such a one.
pub(crate) fn delimiter(sample: &[(u64, String)]) -> Delimiter {
    let mut fields = Fields::default();
    let mut best = ((0, 0), Delimiter::Spaces);
    for delimiter in Delimiter::ALL {
        let (mut clean, mut all) = (0, 0);
        for (_, line) in sample {
            if fields.cut(line, delimiter).is_ok() && fields.len() > 1 {
                all += 1;
                clean += usize::from(!fields.stray());
            }
        }
        if (clean, all) > best.0 {
            best = ((clean, all), delimiter);
        }
    }
    best.1
}

/// Whether a line is a rule below a header, as printed tables have it: `------,------` or `:---|---:`.
pub(crate) fn is_rule(line: &str) -> bool {
    let strokes = line.chars().filter(|c| matches!(c, '-' | '=')).count();
    strokes > 3 && line.chars().all(|c| matches!(c, '-' | '=' | ':' | '+' | '|' | ',' | ';' | '\t' | ' '))
}

/// Whether a line is `(23 rows)`, as databases write it below their rows.
pub(crate) fn is_count(line: &str) -> bool {
    let within = line.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let count = within.and_then(|rest| rest.strip_suffix(" rows").or_else(|| rest.strip_suffix(" row")));
    count.is_some_and(|count| integer(count).is_some())
}

/// Refuses a table with borders, as MySQL, PostgreSQL and Markdown have it.
pub(crate) fn check_borders(sample: &[(u64, String)], file: &str) -> Result<(), ReadError> {
    let bordered = |line: &str| line.len() > 1 && line.starts_with('|') && line.ends_with('|');
    let rows = || sample.iter().map(|(_, line)| line.trim()).filter(|line| !is_rule(line));
    let between = |line: &str| is_count(line) || line.contains(" | ");
    let how = if rows().next().is_none() {
        return Ok(());
    } else if rows().all(bordered) {
        format!(
            "take the borders out (tr -d '\\r' < {file} | grep -v '^+' | sed 's/^| *//; s/ *|$//; s/ *| */\\t/g' > links.tsv)"
        )
    } else if rows().any(is_count) && rows().all(between) {
        format!(
            "take the borders out (tr -d '\\r' < {file} | grep '|' | sed 's/^ *//; s/ *$//; s/ *| */\\t/g' > links.tsv)"
        )
    } else {
        return Ok(());
    };
    Err(ReadError::Foreign { file: file.to_owned(), name: "text tables with borders", how: how.into() })
}

/// Whether a cell is a number with a decimal comma.
pub(crate) fn decimal_comma(cell: &str) -> bool {
    cell.contains(',') && number(&cell.replacen(',', ".", 1))
}

fn number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether rows that this delimiter cuts in two have at least three cells between spaces, the same number in
/// each, of which it cuts one: a number with a decimal comma, or a date such as `Jan 5, 2020` behind two
/// names.
pub(crate) fn within_cells(sample: &[(u64, String)], delimiter: Delimiter) -> bool {
    let Some(rows) = cut_once(sample, delimiter) else { return false };
    let cells = |(_, line): &(u64, String)| line.split_whitespace().count();
    let Some(width) = sample.first().map(cells).filter(|&width| width > 2) else { return false };
    let decimal = |(_, line): &(u64, String)| line.split_whitespace().next_back().is_some_and(decimal_comma);
    sample.iter().all(|row| cells(row) == width)
        && rows.iter().all(|[_, second]| number(second))
        && (sample.iter().all(decimal) || two_names(&rows))
}

/// What is said of rows without quotes that are cut in two at commas or semicolons, if all first cells may be
/// two names; and of rows that are cut elsewhere than at the one sign that each has.
pub(crate) fn remark(sample: &[(u64, String)], delimiter: Delimiter) -> Option<String> {
    if let Some(sign) = between(sample).filter(|sign| delimiter == Delimiter::Spaces || sign.is_control()) {
        return Some(sign.remark(delimiter));
    }
    let rows = cut_once(sample, delimiter)?;
    let sources: HashSet<&str> = rows.iter().map(|[first, _]| *first).collect();
    let one_kind = rows.iter().any(|[_, second]| sources.contains(second) || second.contains(' '));
    (!one_kind && two_names(&rows)).then(|| {
        format!(
            "'{}' is the name of one node, as rows are cut at {delimiter}s: if these are two names, put the same delimiter \
             between all columns",
            rows[0][0]
        )
    })
}

/// The two cells of each row, if a comma or a semicolon cuts each row once and there are no quotes.
fn cut_once(sample: &[(u64, String)], delimiter: Delimiter) -> Option<Vec<[&str; 2]>> {
    let sign = match delimiter {
        Delimiter::Comma => ',',
        Delimiter::Semicolon => ';',
        Delimiter::Tab | Delimiter::Spaces | Delimiter::Bar => return None,
    };
    sample.iter().map(|(_, line)| two_cells(line, sign)).collect()
}

fn two_cells(line: &str, sign: char) -> Option<[&str; 2]> {
    let (first, second) = line.split_once(sign)?;
    (!second.contains(sign) && !line.contains('"')).then(|| [first.trim(), second.trim()])
}

/// So few words may be in both places by chance.
const FEW: usize = 3;

/// Whether the first cell of every row begins with two words, and many words are first in one row and second
/// in another, as are names of nodes that are source and target. First names and surnames are not.
fn two_names(rows: &[[&str; 2]]) -> bool {
    let words = |place: usize| -> Option<HashSet<&str>> {
        rows.iter().map(|[first, _]| first.split_whitespace().nth(place)).collect()
    };
    let (Some(first), Some(second)) = (words(0), words(1)) else { return false };
    let common = first.intersection(&second).count();
    common > FEW && 3 * common >= first.len().min(second.len())
}
