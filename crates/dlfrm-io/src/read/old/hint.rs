//! What columns that nothing names may be, and how to say so.

mod awk;
mod columns;
mod matrix;

use super::super::fields::Delimiter;
use super::names::integer;
pub(crate) use awk::PLAIN;
use awk::awk;
pub(crate) use columns::behind_first;
use columns::{MOST_MARKS, ROWS_OF_EACH, columns};
use matrix::matrix;
pub(crate) use matrix::named_matrix;

/// What rows with more than `most` columns may be, and what to do. `header` is what the user says of the first row.
pub(crate) fn hint(rows: &[Vec<String>], most: usize, delimiter: Delimiter, header: Option<bool>) -> String {
    let doubt = header.is_none();
    let with_names = doubt.then(|| names_of_rows(rows)).flatten();
    with_names
        .or_else(|| slashes(rows, most))
        .or_else(|| sizes(rows, most))
        .or_else(|| dimacs(rows))
        .or_else(|| matrix(rows, delimiter))
        .or_else(|| lists_of_relations(rows, delimiter))
        .or_else(|| few_longer(rows, most, delimiter))
        .or_else(|| lists(rows, delimiter))
        .unwrap_or_else(|| columns(rows, most, delimiter, doubt))
}

/// Rows below a header with one title less, numbered from 1.
fn names_of_rows(rows: &[Vec<String>]) -> Option<String> {
    let (titles, rows) = rows.split_first()?;
    let numbered =
        |(at, row): (usize, &Vec<String>)| row.len() == titles.len() + 1 && row[0] == (at + 1).to_string();
    (rows.len() > 1 && titles.len() == 2 && rows.iter().enumerate().all(numbered)).then(|| {
        "the first row has one column less than the others, as R writes a table with names of rows: say --header \
         --columns skip,source,target"
            .to_owned()
    })
}

/// What is said of remarks of another kind.
pub(crate) const SLASHES: &str = "lines that begin with // are read as rows: begin comments with # or %";

/// Remarks of another kind, and nothing else that is too long.
fn slashes(rows: &[Vec<String>], most: usize) -> Option<String> {
    let remark = |row: &&Vec<String>| row[0].starts_with("//");
    let others = || rows.iter().filter(|row| !remark(row));
    (rows.iter().any(|row| remark(&row)) && others().count() > 0 && others().all(|row| row.len() <= most))
        .then(|| SLASHES.to_owned())
}

/// The sizes of a network above links of numbers.
fn sizes(rows: &[Vec<String>], most: usize) -> Option<String> {
    let (first, rows) = rows.split_first()?;
    let numbers = |row: &Vec<String>| row.iter().all(|cell| integer(cell).is_some());
    let links = rows.len() > 1 && rows.iter().all(|row| row.len() == most && numbers(row));
    if !links || first.len() <= most || !numbers(first) {
        return None;
    }
    // In a list of neighbours, others have larger numbers than the first row.
    let largest = |column: usize| rows.iter().filter_map(|row| integer(&row[column])).max();
    (0..most).all(|column| integer(&first[column]) >= largest(column)).then(|| {
        "no other row has so many; if the first line has the sizes of the network, take it out".to_owned()
    })
}

/// Links of DIMACS, each behind the letter e or a; comments and sizes are behind c and p.
fn dimacs(rows: &[Vec<String>]) -> Option<String> {
    let links = || rows.iter().filter(|row| !["c", "p"].contains(&row[0].as_str()));
    let first = links().next().filter(|row| ["e", "a"].contains(&row[0].as_str()))?;
    let like_first = |row: &Vec<String>| {
        row[0] == first[0] && row.len() == first.len() && row[1..].iter().all(|cell| integer(cell).is_some())
    };
    if links().count() < 2 || !links().all(like_first) {
        return None;
    }
    let columns = match first.len() {
        3 => "skip,source,target",
        4 => "skip,source,target,weight",
        _ => return None,
    };
    let others =
        if links().count() < rows.len() { "take out lines that begin with c or p, and " } else { "" };
    Some(format!("rows that begin with '{}' are those of DIMACS: {others}say --columns {columns}", first[0]))
}

const SPACES_IN_NAMES: &str = "; if names have spaces in them, put tabs or commas between the columns";

fn spaces_in_names(delimiter: Delimiter) -> &'static str {
    if delimiter == Delimiter::Spaces { SPACES_IN_NAMES } else { "" }
}

/// A node, a relation and all its neighbours on each line, as Cytoscape writes them (SIF).
fn lists_of_relations(rows: &[Vec<String>], delimiter: Delimiter) -> Option<String> {
    // A node without neighbours is alone on its line.
    let lists: Vec<&Vec<String>> = rows.iter().filter(|row| row.len() > 1).collect();
    let mut words: Vec<&str> = lists.iter().map(|row| row[1].as_str()).collect();
    words.sort_unstable();
    words.dedup();
    let end = |word: &str| {
        let others = |row: &Vec<String>| row.iter().enumerate().any(|(at, cell)| at != 1 && cell == word);
        word.parse::<f64>().is_ok() || rows.iter().any(others)
    };
    let found = lists.iter().all(|row| row.len() >= 3)
        && rows.iter().any(|row| row.len() != rows[0].len())
        && words.len() <= MOST_MARKS
        && lists.len() >= ROWS_OF_EACH * words.len()
        && !words.iter().any(|word| end(word));
    found.then(|| {
        let alone = if lists.len() < rows.len() {
            ", and declare nodes without links (--nodes)"
        } else {
            ""
        };
        format!(
            "rows that differ in length, with the same words ({}) in the second column, look like relations and lists of \
             neighbours, which are not read: write a line for each link ({} '{PLAIN} {{for (i = 3; i <= NF; i++) print $1, $2, $i}}') and \
             say --columns source,relation,target{alone}{}",
            words.join(", "),
            awk(delimiter),
            spaces_in_names(delimiter)
        )
    })
}

/// So many rows must have two cells where one has more ...
const ROWS_PER_LONGER: usize = 10;

/// A few rows that are longer than all others, which have two cells.
fn few_longer(rows: &[Vec<String>], most: usize, delimiter: Delimiter) -> Option<String> {
    let longer = rows.iter().filter(|row| row.len() > most).count();
    let others = rows.iter().filter(|row| row.len() == most).count();
    if with_colons(rows) || longer + others < rows.len() || others < ROWS_PER_LONGER * longer {
        return None;
    }
    let which = if longer == 1 { "all other rows".to_owned() } else { format!("all but {longer} rows") };
    let quotes = if delimiter == Delimiter::Spaces {
        "if a name has a space in it, put tabs or commas between the columns".to_owned()
    } else {
        format!("if a name has a {delimiter} in it, put the name in double quotes")
    };
    Some(format!(
        "{which} have {most}; {quotes}; if there is something else behind the names, name the columns, as in --columns \
         source,target,skip"
    ))
}

/// Whether a colon is behind the first name of every row.
fn with_colons(rows: &[Vec<String>]) -> bool {
    rows.iter().all(|row| row[0].contains(": ") || row[0].ends_with(':'))
}

/// A node and all its neighbours on each line.
fn lists(rows: &[Vec<String>], delimiter: Delimiter) -> Option<String> {
    if rows.iter().all(|row| row.len() == rows[0].len()) {
        return None;
    }
    // Commas may be behind the neighbours, and delimiters at the end of a line.
    let colons = with_colons(rows);
    let commas = || rows.iter().flatten().any(|cell| cell.ends_with(','));
    let (awk, filled) = match delimiter {
        Delimiter::Comma if colons => ("awk -F' *[:,] *' -v OFS=,", true),
        Delimiter::Spaces if colons && commas() => ("awk -F' *[:,] *' -v OFS=,", true),
        Delimiter::Spaces if colons => ("awk -F'[: ]+'", true),
        Delimiter::Spaces => ("awk", false),
        other => (awk(other), true),
    };
    let filled = if filled { "if ($i != \"\") " } else { "" };
    Some(format!(
        "rows that differ in length look like an adjacency list, which is not read: write a line for each link \
         ({awk} '{PLAIN} {{for (i = 2; i <= NF; i++) {filled}print $1, $i}}'), or name the columns, as in --columns source,target,skip{}",
        spaces_in_names(delimiter)
    ))
}
