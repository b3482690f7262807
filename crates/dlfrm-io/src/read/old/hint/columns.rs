//! Which columns look like source and target, and what the others look like.

use std::collections::HashSet;

use super::spaces_in_names;
use crate::read::fields::Delimiter;
use crate::read::old::cut::decimal_comma;
use crate::read::old::label::Label;

type Rows = [Vec<String>];

/// How to name the columns of rows that have more than `most`; `doubt` says whether the first one may be a header.
pub(crate) fn columns(rows: &Rows, most: usize, delimiter: Delimiter, doubt: bool) -> String {
    // Words that are in no other row stand above the marks between source and target, too.
    let above = doubt && rows.len() > 2 && !rows[1..].iter().flatten().any(|cell| rows[0].contains(cell));
    let (first, header) = if above { (1, "--header ") } else { (0, "") };
    if let Some(found) = edges_in_a_cell(rows).or_else(|| with_marks(&rows[first..], header)) {
        return found;
    }
    let titles = doubt && (titles_first(rows) || titles_behind(rows, most));
    let (first, values) = rows.split_at(usize::from(titles));
    let header = if titles { "--header " } else { "" };
    let found = (most == 2).then(|| behind_first(first.first().map(Vec::as_slice), values, header)).flatten();
    if let Some(found) = found {
        return found;
    }
    let (example, behind) = example(values, most, delimiter);
    let why = match first {
        [first] => format!("the words of the first row ({}) have no known meaning", first.join(", ")),
        _ => "there is no header that names them".to_owned(),
    };
    format!("{why}; name them, as in {header}--columns source,target,{example}{behind}")
}

/// What the column behind the ends may be, and what is said of it.
fn example(values: &Rows, at: usize, delimiter: Delimiter) -> (&'static str, String) {
    const OR_SKIP: &str = " (or skip for one to ignore)";
    let next = || values.iter().filter_map(|row| row.get(at)).map(String::as_str);
    if next().all(|value| Label::parse(value).is_some()) {
        return ("label", OR_SKIP.to_owned());
    }
    if next().all(is_number) {
        return ("weight", OR_SKIP.to_owned());
    }
    if next().all(is_time) {
        return ("skip", "; times are not used".to_owned());
    }
    if next().all(decimal_comma) {
        let comma = "; numbers with a decimal comma are not used; if names have spaces in them, put them in double quotes";
        return ("skip", comma.to_owned());
    }
    // Labels of which some are unobserved beside numbers: a weight must be there.
    if next().all(|value| is_number(value) || Label::parse(value) == Some(Label::Unobserved)) {
        return ("skip", "; weights are not used".to_owned());
    }
    ("relation", format!("{OR_SKIP}{}", spaces_in_names(delimiter)))
}

fn is_number(value: &str) -> bool {
    value.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether the first row has words above the numbers or labels of a column behind the ends.
fn titles_behind(rows: &Rows, most: usize) -> bool {
    let value = |value: &String| {
        Label::parse(value).is_some() || is_number(value) || is_time(value) || decimal_comma(value)
    };
    let plain = |row: &Vec<String>| row.get(most).is_none_or(value);
    rows.len() > 1 && !plain(&rows[0]) && rows[1..].iter().all(plain)
}

/// Whether the first row has a title, or none, above numbers of rows or times.
fn titles_first(rows: &Rows) -> bool {
    let Some((titles, rows)) = rows.split_first() else { return false };
    let above_numbers = numbered(rows) && titles[0].parse::<f64>().is_err();
    let above_times = rows.iter().all(|row| is_time(&row[0])) && !is_time(&titles[0]);
    let above_names = titles[0].is_empty() && rows.iter().all(|row| !row[0].is_empty());
    rows.len() > 1 && (above_numbers || above_times || above_names)
}

/// Whether the first column has the numbers of the rows, from 0 or from 1.
fn numbered(rows: &Rows) -> bool {
    let from = |first: usize| rows.iter().enumerate().all(|(at, row)| row[0] == (at + first).to_string());
    rows.len() > 1 && (from(0) || from(1))
}

/// What is said if source and target look like the columns behind the first one. `titles` are those of the header.
pub(crate) fn behind_first(titles: Option<&[String]>, rows: &Rows, header: &str) -> Option<String> {
    if rows.len() < 2 || rows.iter().any(|row| row.len() < 3) {
        return None;
    }
    let say = format!("say {header}--columns skip,source,target");
    if rows.iter().all(|row| is_time(&row[0])) {
        return Some(format!("column 1 has times, which are not used: {say}"));
    }
    let value = |cell: &String| is_time(cell) || cell.contains('.') && is_number(cell);
    let ends = [1, 2].iter().all(|&column| !rows.iter().any(|row| value(&row[column])));
    let untitled = |title: &String| title.is_empty() || title.starts_with("Unnamed: ");
    let no_title = titles.and_then(|titles| titles.first()).is_some_and(untitled);
    let column = |at: usize| rows.iter().map(|row| row[at].as_str()).collect::<HashSet<&str>>();
    let [first, second, third] = [0, 1, 2].map(column);
    let own = first.len() == rows.len();
    if ends && own && no_title {
        return Some(format!("column 1 numbers the rows: {say}"));
    }
    // Names of the first column are sources or targets elsewhere, or there several times.
    let nearer = second.intersection(&third).count() > first.intersection(&second).count();
    (ends && own && numbered(rows) && nearer).then(|| {
        format!("column 1 seems to number the rows: if so, {say}; else name the columns in another order")
    })
}

/// Source, relation and target in one cell, as Cytoscape writes tables of edges.
fn edges_in_a_cell(rows: &Rows) -> Option<String> {
    let (_, rows) = rows.split_first()?;
    let edge = |cell: &str| {
        let parts = cell.split_once(" (").and_then(|(source, rest)| Some((source, rest.split_once(") ")?)));
        parts.is_some_and(|(source, (_, target))| !source.is_empty() && !target.is_empty())
    };
    let column = rows.first()?.iter().position(|cell| edge(cell))?;
    let all = rows.iter().all(|row| row.get(column).is_some_and(|cell| edge(cell)));
    all.then(|| {
        format!(
            "column {} has both ends of a link, as in '{}', as Cytoscape writes a table of edges: export the network as GraphML",
            column + 1,
            rows[0][column]
        )
    })
}

/// More words between source and target may be names.
pub(crate) const MOST_MARKS: usize = 4;
/// So many rows must have each of several words.
pub(crate) const ROWS_OF_EACH: usize = 3;

/// What is said of rows with marks between source and target.
fn with_marks(rows: &Rows, header: &str) -> Option<String> {
    let marks = marks_between(rows)?;
    Some(match marks[..] {
        [mark] => format!("the second one is always '{mark}': say {header}--columns source,skip,target"),
        _ => format!(
            "the second one is one of {} words ({}), which no end is: say {header}--columns source,relation,target",
            marks.len(),
            marks.join(", ")
        ),
    })
}

/// The marks that stand between source and target in all rows: one sign such as `->`, or few words such as those of Cytoscape's
/// files (SIF), which no source and no target is.
fn marks_between(rows: &Rows) -> Option<Vec<&str>> {
    let mark = rows.first()?.get(1)?;
    if rows.iter().any(|row| row.len() != 3) {
        return None;
    }
    let mut marks: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    marks.sort_unstable();
    marks.dedup();
    let sign = !mark.is_empty() && !mark.contains(char::is_alphanumeric);
    if sign && marks.len() == 1 {
        return Some(marks);
    }
    let value = |cell: &str| Label::parse(cell).is_some() || cell.parse::<f64>().is_ok() || is_time(cell);
    let values = |column: usize| rows.iter().all(|row| value(&row[column]));
    let end = |mark: &str| rows.iter().any(|row| row[0] == mark || row[2] == mark);
    // In few rows the names of one end are at the other, too.
    let both = || rows.iter().any(|row| rows.iter().any(|other| row[0] == other[2]));
    let many = rows.len() >= ROWS_OF_EACH * marks.len() || rows.len() > marks.len() && both();
    let few = marks.len() <= MOST_MARKS && many;
    // A third column of numbers are targets if the first has numbers, too; else they are weights or labels.
    let targets = !values(2) || values(0);
    (few && targets && marks.iter().all(|mark| !value(mark) && !end(mark))).then_some(marks)
}

/// Whether a value is a date or a time of day, such as 2001-01-31 or 12:30:00.
fn is_time(value: &str) -> bool {
    let signs = value.matches(['-', '/', ':', '.']).count();
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | ':' | '.' | 'T' | 'Z' | '+' | ' ');
    signs >= 2 && value.starts_with(|c: char| c.is_ascii_digit()) && value.chars().all(plain)
}
