//! What Python programs write in place of an edge list: tuples, data of links, adjacency lists of several lines.

use super::super::fields::{Delimiter, Fields};
use super::error::{Location, ReadError};
use super::layout::ENDS;

const ADJACENCY: &str = "write an edge list, for example with networkx: \
    nx.write_edgelist(nx.read_multiline_adjlist('FILE'), 'links.tsv', delimiter='\\t', data=False)";

/// Refuses rows that look like what networkx writes and that would be read otherwise than they are meant. `named` says whether
/// the user names the columns.
pub(crate) fn check_networkx(sample: &[(u64, String)], file: &str, named: bool) -> Result<(), ReadError> {
    if multiline_adjacency(sample) {
        let name = "NetworkX (adjacency list of several lines)";
        return Err(ReadError::Foreign { file: file.to_owned(), name, how: ADJACENCY.into() });
    }
    if named {
        return Ok(());
    }
    let Some((line, delimiter, found)) = data_of_links(sample) else { return Ok(()) };
    Err(ReadError::ManyColumns {
        location: Location { file: file.to_owned(), line, column: None },
        found,
        most: ENDS.len(),
        hint: format!(
            "the rest of a row is data of a link, as networkx writes it: say --columns source,target --delimiter {delimiter}"
        ),
    })
}

/// Whether rows are a node with the number of its neighbours, and below it each neighbour with its data.
fn multiline_adjacency(sample: &[(u64, String)]) -> bool {
    let (mut left, mut neighbours) = (0_u64, 0_u64);
    for (_, text) in sample {
        let mut words = text.split_ascii_whitespace().skip(1);
        let second = words.next().unwrap_or_default();
        if left > 0 {
            if !second.starts_with('{') {
                return false;
            }
            left -= 1;
            neighbours += 1;
        } else {
            let degree = second.parse().ok().filter(|_| words.next().is_none());
            let Some(degree) = degree else { return false };
            left = degree;
        }
    }
    neighbours > 0
}

/// The first line, the delimiter and the number of columns of rows that have two names and then data in braces.
fn data_of_links(sample: &[(u64, String)]) -> Option<(u64, Delimiter, usize)> {
    let mut fields = Fields::default();
    let (line, first) = sample.first()?;
    let delimiter = Delimiter::ALL.into_iter().find(|&delimiter| {
        sample.iter().all(|(_, text)| {
            let Some((names, _)) = text.split_once('{').filter(|_| text.trim_end().ends_with('}')) else {
                return false;
            };
            let names = names.trim_end_matches([' ', '\t', ',', ';']);
            fields.cut(names, delimiter).is_ok() && fields.len() == ENDS.len()
        })
    })?;
    fields.cut(first, delimiter).ok()?;
    Some((*line, delimiter, fields.len()))
}

/// Refuses rows whose first name opens a bracket that the last one closes, such as (1, 2).
pub(crate) fn check_tuples(rows: &[Vec<String>], numbers: &[u64], file: &str) -> Result<(), ReadError> {
    let tuple = |row: &Vec<String>| {
        let [first, .., last] = &row[..] else { return false };
        open_brackets(first) > 0 && open_brackets(last) < 0
    };
    let (Some(row), Some(&line)) = (rows.first().filter(|_| rows.iter().all(tuple)), numbers.first()) else {
        return Ok(());
    };
    Err(ReadError::Value {
        location: Location { file: file.to_owned(), line, column: Some(1) },
        what: format!(
            "a name must close the brackets that it opens; if rows are tuples, take the brackets out (tr -d '()[]{{}}' < {file})"
        ),
        value: row[0].clone(),
    })
}

/// How many more brackets a text opens than it closes.
fn open_brackets(text: &str) -> i64 {
    let value = |c| match c {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    text.chars().map(value).sum()
}
