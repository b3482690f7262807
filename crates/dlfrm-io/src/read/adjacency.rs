//! Lists of neighbours: a node and its neighbours in each row, or a file of METIS.

use super::error::{Location, ReadError};
use super::fields::{Delimiter, Fields};
use super::input::{Lines, skipped};
use super::matrix_market::numbered;
use super::names::Naming;
use super::options::ReadOptions;
use super::report::{DirectionBy, ReadReport, Weights};
use super::rows::{FileContents, Names, NumberedRows};
use super::table::of_ending;

/// Reads rows of a node and its neighbours; a row of one name is a node without neighbours.
pub(crate) fn read(
    mut lines: Lines<'_>,
    mut naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let file = lines.file().to_owned();
    let mut delimiter = options.delimiter;
    let mut fields = Fields::default();
    let mut rows = NumberedRows::default();
    let mut any = false;
    loop {
        let line = lines.number + 1;
        let Some(text) = lines.next_line()? else { break };
        if skipped(text) {
            continue;
        }
        any = true;
        let delimiter = *delimiter.get_or_insert_with(|| {
            let found = [Delimiter::Tab, Delimiter::Comma].into_iter().find(|one| one.is_in(text));
            of_ending(&file, text).or(found).unwrap_or(Delimiter::Spaces)
        });
        fields.cut(text, delimiter).map_err(|_| ReadError::open_quote(&file, line))?;
        let mut number =
            |at: usize| naming.number(&fields.get(text, at), || Location::line(&file, line).field(at), false);
        let source = number(0)?;
        for at in 1..fields.len() {
            // A comma at the end of a row names nobody.
            if !fields.get(text, at).is_empty() {
                rows.push(0, source, number(at)?, None);
            }
        }
        if rows.count > u64::from(options.max_rows) {
            return Err(ReadError::too_many(&file, options.max_rows, "links"));
        }
    }
    if !any {
        return Err(ReadError::empty(&file, "has no rows"));
    }
    let (nodes, final_ids) = naming.finish();
    let report = ReadReport { delimiter, lines: lines.number, ..ReadReport::default() };
    let names = Names { nodes, final_ids, relations: None };
    Ok(FileContents { rows, names, directed: None, modes: None, report })
}

/// Reads a file of METIS: sizes in the first line, and below it a line for each node.
pub(crate) fn read_metis(mut lines: Lines<'_>, options: &ReadOptions) -> Result<FileContents, ReadError> {
    let file = lines.file().to_owned();
    let wrong = |line: u64, what: String| ReadError::syntax(&file, line, what);
    let sizes = loop {
        match lines.next_line()? {
            None => return Err(ReadError::empty(&file, "has no rows")),
            Some(text) if skipped(text) => {}
            Some(text) => break numbers(text).unwrap_or_default(),
        }
    };
    let ([count, links] | [count, links, _] | [count, links, _, _]) = sizes[..] else {
        let what = "the first line must be whole numbers: nodes, links, and which weights there are";
        return Err(wrong(lines.number, what.to_owned()));
    };
    let (format, weights) = (sizes.get(2).unwrap_or(&0), *sizes.get(3).unwrap_or(&1) as usize);
    let Some(count) = u32::try_from(count).ok().filter(|&count| count <= options.max_nodes) else {
        return Err(ReadError::too_many(&file, options.max_nodes, "nodes"));
    };
    let [node_sizes, node_weights, link_weights] =
        [format / 100, format / 10 % 10, format % 10].map(|flag| flag == 1);
    let before = usize::from(node_sizes).saturating_add(if node_weights { weights } else { 0 });
    let nodes = numbered((1..=count).map(|number| number.to_string()), &lines, options)?;
    let mut report = ReadReport::default();
    let mut rows = NumberedRows::default();
    let (mut node, mut entries) = (0, 0);
    loop {
        let line = lines.number + 1;
        let Some(text) = lines.next_line()? else { break };
        if text.trim_ascii_start().starts_with('%') {
            continue;
        }
        if node == count {
            if text.trim_ascii().is_empty() {
                continue;
            }
            return Err(wrong(line, format!("a line more than the {count} nodes of the first line")));
        }
        let Some(all) = numbers(text) else {
            return Err(wrong(line, "neighbours must be whole numbers".to_owned()));
        };
        let step = 1 + usize::from(link_weights);
        let Some(neighbours) = all.get(before..).filter(|rest| rest.len() % step == 0) else {
            let what = format!("{} numbers do not fit the weights of the first line", all.len());
            return Err(wrong(line, what));
        };
        for entry in neighbours.chunks(step) {
            let neighbour = u32::try_from(entry[0]).ok().filter(|neighbour| (1..=count).contains(neighbour));
            let Some(neighbour) = neighbour else {
                return Err(wrong(line, format!("a neighbour must be from 1 to {count}, is {}", entry[0])));
            };
            entries += 1;
            // Each link stands in the lines of both its ends.
            if neighbour > node {
                rows.push(0, node, neighbour - 1, None);
                if let Some(&weight) = entry.get(1) {
                    Weights::add(&mut report.weights, weight as f64);
                }
            }
        }
        node += 1;
    }
    if node < count {
        let what = format!("the first line says {count} nodes, but the file ends after {node}");
        return Err(wrong(lines.number, what));
    }
    if entries != links.saturating_mul(2) {
        let what = format!(
            "the first line says {links} links, but {entries} neighbours are listed and not twice as many"
        );
        return Err(wrong(lines.number, what));
    }
    report.lines = lines.number;
    let names = Names { nodes, final_ids: None, relations: None };
    Ok(FileContents { rows, names, directed: Some((false, DirectionBy::Format)), modes: None, report })
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}
