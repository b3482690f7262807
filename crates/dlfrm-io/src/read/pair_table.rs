//! Reading what is known of pairs: a table with a header, a source, a target, and numbers or categories.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use dlfrm::covariates::{FieldValues, PairColumn, PairTable, PairValues};
use dlfrm::network::Nodes;

use super::cells::{Cells, Kind, TableWarning};
use super::columns::Column as Meaning;
use super::error::ReadError;
use super::input::Input;

/// Covariates of pairs from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPairTable {
    /// The pairs and their covariates.
    pub table: PairTable,
    /// How columns were understood; missing values and repeated pairs.
    pub warnings: Vec<TableWarning>,
}

/// Reads covariates of pairs from a file (standard input for `-`): a table with a header that names a source and a target;
/// every other column is a number or a category.
pub fn read_pair_table(path: &Path, nodes: &Nodes, directed: bool) -> Result<ReadPairTable, ReadError> {
    table(Input::open(path)?, nodes, directed)
}

/// Reads covariates of pairs from a stream (see [`read_pair_table`]); `name` is its name in messages.
pub fn parse_pair_table(
    reader: impl Read,
    name: &str,
    nodes: &Nodes,
    directed: bool,
) -> Result<ReadPairTable, ReadError> {
    table(Input::new(reader, name)?, nodes, directed)
}

fn table(input: Input<'_>, nodes: &Nodes, directed: bool) -> Result<ReadPairTable, ReadError> {
    let table = Cells::table(input)?;
    let ends = [table.needed(Meaning::Source)?, table.needed(Meaning::Target)?];
    if table.width == 2 {
        return Err(ReadError::empty(table.file(), "has pairs and no covariates"));
    }
    let covariates: Vec<usize> = (0..table.width).filter(|position| !ends.contains(position)).collect();
    let mut pairs: Vec<(u32, u32)> = vec![];
    // The line of each pair and its values.
    let mut seen: HashMap<(u32, u32), (u64, Vec<String>)> = HashMap::new();
    let mut repeats = 0;
    let mut cells = Cells::read(table, |row| {
        let (i, j) = row.known_pair(ends, nodes)?;
        let pair = if directed { (i, j) } else { (i.min(j), i.max(j)) };
        let values = || covariates.iter().map(|&at| row.text(at).into_owned()).collect::<Vec<_>>();
        let Some((line, before)) = seen.get(&pair) else {
            seen.insert(pair, (row.line, values()));
            pairs.push(pair);
            return Ok(true);
        };
        repeats += 1;
        let values = values();
        let Some(at) = (0..values.len()).find(|&at| values[at] != before[at]) else { return Ok(false) };
        let (i, j, before, value) = (nodes.name(i), nodes.name(j), &before[at], &values[at]);
        let what = format!("the pair {i}, {j} is in line {line} already, with '{before}' and not '{value}'");
        Err(ReadError::Repeated(row.location(covariates[at]), what))
    })?;
    let repeated = match repeats {
        0 => None,
        1 => Some("1 row repeats a pair with the same values".to_owned()),
        rows => Some(format!("{rows} rows repeat a pair with the same values")),
    };
    cells.facts.extend(repeated.map(|text| ("repeated", text)));
    let mut known = vec![];
    for column in cells.columns(&ends)? {
        let values = match &column.values {
            _ if column.kind == Kind::Words => {
                return Err(column.error("words are known of nodes, not of pairs"));
            }
            FieldValues::Numbers(numbers) => PairValues::Numbers(numbers.clone()),
            FieldValues::Words { words, lists } => PairValues::Categories {
                names: words.clone(),
                chosen: lists.iter().map(|list| list.first().map(|one| one.0)).collect(),
            },
        };
        let one = PairColumn { name: column.name.clone(), values };
        // Column by column, so that an error names its column.
        PairTable::new(nodes.len(), !directed, &pairs, std::slice::from_ref(&one))
            .map_err(|cause| column.refused(cause))?;
        known.push(one);
    }
    let table = PairTable::new(nodes.len(), !directed, &pairs, &known).expect("each column was accepted");
    Ok(ReadPairTable { table, warnings: cells.warnings() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, directed: bool) -> Result<ReadPairTable, ReadError> {
        let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
        parse_pair_table(text.as_bytes(), "km.tsv", &nodes, directed)
    }

    #[test]
    fn numbers_and_categories_of_pairs() {
        let text =
            "km\tsource\ttarget\troad\n3\tBob\tAda\tA1\n5\tAda\tCleo\t\n3\tAda\tBob\tA1\n\tBob\tCleo\tB2\n";
        let ReadPairTable { table, warnings } = read(text, false).unwrap();
        assert_eq!(table.pairs(), [(0, 1), (0, 2), (1, 2)]);
        let names = ["A1", "B2"].map(str::to_owned).to_vec();
        let columns = [
            ("km", PairValues::Numbers(vec![Some(3.0), Some(5.0), None])),
            ("road", PairValues::Categories { names, chosen: vec![Some(0), None, Some(1)] }),
        ];
        for (column, (name, values)) in table.columns().iter().zip(columns) {
            assert_eq!((column.name.as_str(), &column.values), (name, &values));
        }
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "km.tsv: 1 row repeats a pair with the same values",
                "km.tsv: read as km (number), road (2 categories)",
                "km.tsv: 1 value of 'km' is missing",
                "km.tsv: 1 value of 'road' is missing"
            ]
        );
        let four = read(&text.replace("3\tAda\tBob\tA1", "4\tAda\tBob\tA1"), true).unwrap();
        assert_eq!(four.table.pairs(), [(0, 1), (0, 2), (1, 0), (1, 2)]);
    }

    #[test]
    fn mistakes_have_file_line_and_column() {
        let message = |text: &str| read(text, false).unwrap_err().to_string();
        let header = "source\ttarget\tkm\n";
        assert_eq!(
            message(&format!("{header}Ada\tBob\t1\nBob\tAda\t2\n")),
            "km.tsv, line 3, column 3: the pair Bob, Ada is in line 2 already, with '1' and not '2'"
        );
        assert_eq!(
            message(&format!("{header}Ada\tBob\t1\nAda\tCleo\t1\n")),
            "km.tsv, line 1, column 3: 'km' cannot be used: all values are the same (1)"
        );
        assert_eq!(message("source\ttarget\nAda\tBob\n"), "km.tsv has pairs and no covariates");
        assert_eq!(
            message("Ada\tBob\t1\n"),
            "km.tsv, line 1: no column is the source; the first rows are [Ada | Bob | 1]"
        );
        assert!(message("from\tto\tt:words\nAda\tBob\tx y\n").contains("words are known of nodes"));
    }
}
