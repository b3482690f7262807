//! Reading what is known of pairs: a table with a header.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use dlfrm::covariates::{PairColumn, PairTable, PairValues};
use dlfrm::network::Nodes;

use super::super::old::columns::Column as Meaning;
use super::super::old::error::ReadError;
use super::super::old::header;
use super::super::old::input::Input;
use super::cells::Cells;
use super::column::{Column, Values};
use super::warnings::described;

/// Covariates of pairs from a file, and warnings for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPairTable {
    /// The pairs and their covariates.
    pub table: PairTable,
    /// How columns were understood; missing values and repeated pairs.
    pub warnings: Vec<String>,
}

/// Reads covariates of pairs from a file (standard input for `-`): a table with a header and columns for source and target,
/// by their titles or the first two; every other column is a number or a category.
///
/// In an undirected network (i, j) and (j, i) are the same pair. A pair may be repeated only with the same values. Names
/// that are not among `nodes`, columns without information and numbers that are not finite are errors.
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
    let mut cells = Cells::read(input, nodes)?;
    let empty = |file: &str, what| ReadError::Empty { file: file.to_owned(), what };
    let Some(titles) = cells.titles.clone() else {
        return Err(empty(&cells.file, "has no header: its first line must name the columns"));
    };
    let columns = header::columns(&titles)
        .ok_or_else(|| empty(&cells.file, "has no two columns that could be source and target"))?;
    let ends = [Meaning::Source, Meaning::Target].map(|end| columns.position(end).expect("both are there"));
    if titles.len() == 2 {
        return Err(empty(&cells.file, "has pairs and no covariates"));
    }
    let (pairs, repeated) = pairs(&mut cells, ends, nodes, directed)?;
    let mut warnings = vec![];
    if repeated > 0 {
        let rows = if repeated == 1 { "1 row repeats".to_owned() } else { format!("{repeated} rows repeat") };
        warnings.push(format!("{}: {rows} a pair with the same values", cells.file));
    }
    let mut known = vec![];
    let positions = (0..titles.len()).filter(|position| !ends.contains(position));
    let columns = positions.map(|position| Column::read(&cells, position)).collect::<Result<Vec<_>, _>>()?;
    warnings.extend(cells.skipped_warning());
    warnings.push(described(&cells.file, &columns));
    for column in columns {
        warnings.extend(column.colon_warning(&cells.file));
        warnings.extend(column.alike_warning(&cells.file));
        warnings.extend(column.missing_warning(&cells.file));
        warnings.extend(column.odd_number_warning(&cells));
        warnings.extend(column.zeros_warning(&cells));
        warnings.extend(column.no_covariate_warning(&cells.file));
        warnings.extend(column.unknown_warning(&cells.file));
        let values = match &column.values {
            Values::Numbers(numbers) => PairValues::Numbers(numbers.clone()),
            Values::Categories { names, chosen } => {
                PairValues::Categories { names: names.clone(), chosen: chosen.clone() }
            }
            Values::Words { .. } => {
                let what = "words are known of nodes, not of pairs".to_owned();
                let (file, name) = (cells.file, column.name);
                return Err(ReadError::Column { file, column: column.position + 1, name, what });
            }
        };
        let one = PairColumn { name: column.name.clone(), values };
        // Column by column, so that an error names its column.
        PairTable::new(nodes.len(), !directed, &pairs, std::slice::from_ref(&one))
            .map_err(|cause| column.refused(&cells.file, cause))?;
        known.push(one);
    }
    let table = PairTable::new(nodes.len(), !directed, &pairs, &known).expect("each column was accepted");
    Ok(ReadPairTable { table, warnings })
}

/// The pair of each row. Rows that repeat one are taken out of the cells and counted.
fn pairs(
    cells: &mut Cells,
    ends: [usize; 2],
    nodes: &Nodes,
    directed: bool,
) -> Result<(Vec<(u32, u32)>, usize), ReadError> {
    let mut rows: HashMap<(u32, u32), usize> = HashMap::new();
    let mut repeats = vec![];
    let mut pairs = vec![];
    for row in 0..cells.rows.len() {
        let [source, target] = ends;
        let (i, j) = (cells.node(row, source, nodes)?, cells.node(row, target, nodes)?);
        if i == j {
            return Err(ReadError::Value {
                location: cells.location(row, target),
                what: "a pair must have two different nodes".to_owned(),
                value: nodes.name(j).to_owned(),
            });
        }
        let key = if directed { (i, j) } else { (i.min(j), i.max(j)) };
        let Some(&first) = rows.get(&key) else {
            rows.insert(key, row);
            pairs.push(key);
            continue;
        };
        let other = |&position: &usize| cells.rows[row].1[position] != cells.rows[first].1[position];
        if let Some(position) =
            (0..cells.rows[row].1.len()).filter(|position| !ends.contains(position)).find(other)
        {
            return Err(ReadError::RepeatedPair {
                location: cells.location(row, position),
                pair: format!("{}, {}", nodes.name(i), nodes.name(j)),
                first: cells.rows[first].0,
                values: format!(
                    "'{}' and not '{}'",
                    cells.rows[first].1[position], cells.rows[row].1[position]
                ),
            });
        }
        repeats.push(row);
    }
    let mut number = 0;
    cells.rows.retain(|_| {
        number += 1;
        repeats.binary_search(&(number - 1)).is_err()
    });
    Ok((pairs, repeats.len()))
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
    fn columns_that_may_be_no_covariates() {
        let names = ["a", "b", "c", "d"];
        let nodes: Nodes = names.into_iter().collect();
        let said = |titles: &str, row: fn(usize) -> String| {
            let pairs = (0..4).flat_map(|j| (0..j).map(move |i| (i, j))).enumerate();
            let rows: Vec<String> =
                pairs.map(|(at, (i, j))| format!("{},{},{}\n", names[i], names[j], row(at))).collect();
            let text = format!("source,target,{titles}\n{}", rows.concat());
            let warnings = parse_pair_table(text.as_bytes(), "km.csv", &nodes, false).unwrap().warnings;
            warnings.into_iter().filter(|warning| warning.contains("take the column out")).collect::<Vec<_>>()
        };
        let numbers = "km.csv: 'id' numbers the rows and is read as a covariate: if it says nothing of the pairs, take the column \
                       out";
        assert_eq!(said("id,km", |at| format!("{at},{}", at % 4)), [numbers]);
        assert_eq!(said("id,km", |at| format!("{},{}", at + 1, at % 4)), [numbers]);
        assert_eq!(
            said("label,weight", |at| format!("{},{}", at % 2, at % 3)),
            [
                "km.csv: 'label' is read as a covariate: if it says whether a pair is a link, take the column out",
                "km.csv: 'weight' is read as a covariate: if it is the weight of a link, take the column out",
            ]
        );
        assert_eq!(said("label", |at| ["yes", "no"][at % 2].to_owned()).len(), 1);
        for row in [|at| format!("{},{}", at + 2, at % 4), |at| format!("{},{}", 6 - at, at)]
            as [fn(usize) -> String; 2]
        {
            assert!(!said("id,km", row).iter().any(|warning| warning.contains("'id'")));
        }
    }

    #[test]
    fn mistakes_have_file_line_and_column() {
        let message = |text: &str| read(text, false).unwrap_err().to_string();
        assert_eq!(
            message("source,target,km\nAda,Bob,1\nBob,Ada,2\n"),
            "km.tsv, line 3, column 3: the pair Bob, Ada is in line 2 already, with '1' and not '2'"
        );
        assert_eq!(
            message("source,target,km\nAda,Bob,1\nBob,Zoe,2\n"),
            "km.tsv, line 3, column 2: 'Zoe' is not one of the 3 nodes"
        );
        assert!(message("a,b,km\nAda,Ada,1\n").contains("line 2, column 2: a pair must have two different"));
        assert!(
            message("a,b,km\nAda,Bob,-inf\nAda,Cleo,2\n").contains("line 2, column 3: a value of 'km' must")
        );
        assert_eq!(
            message("a,b,km\nAda,Bob,1\nAda,Cleo,1\n"),
            "km.tsv, column 3 ('km'): all values are the same (1)"
        );
        assert_eq!(message("a,b\nAda,Bob\n"), "km.tsv has pairs and no covariates");
        assert_eq!(
            message("Ada,Bob,1\nAda,Cleo,2\n"),
            "km.tsv has no header: its first line must name the columns"
        );
        assert!(message("a,b,t:words\nAda,Bob,x y\n").contains("column 3 ('t'): words are known of nodes"));
    }
}
