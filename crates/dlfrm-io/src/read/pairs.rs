//! Reading files of pairs to predict and files of names.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use dlfrm::network::Entities;

use super::columns::Column;
use super::comments::skipped;
use super::edge_list::{Table, whole_line};
use super::error::ReadError;
use super::input::Input;
use super::lines::Lines;
use super::options::ReadOptions;

/// Reads pairs of names from a file (standard input for `-`) as pairs of entities, in the order of the file.
///
/// Delimiter, header and columns are found as in an edge list; the other options do not matter. A name
/// that is not among `entities` and a pair of an entity with itself are errors.
pub fn read_pairs(
    path: &Path,
    entities: &Entities,
    options: &ReadOptions,
) -> Result<Vec<(u32, u32)>, ReadError> {
    pairs(Input::open(path)?, entities, options)
}

/// Reads pairs of names from a stream (see [`read_pairs`]); `name` stands for it in messages.
pub fn parse_pairs(
    reader: impl Read,
    name: &str,
    entities: &Entities,
    options: &ReadOptions,
) -> Result<Vec<(u32, u32)>, ReadError> {
    pairs(Input::new(reader, name)?, entities, options)
}

fn pairs(input: Input<'_>, entities: &Entities, options: &ReadOptions) -> Result<Vec<(u32, u32)>, ReadError> {
    let table = Table::new(Lines::new(input), None, options, Some(entities))?;
    let columns = table.layout.columns.clone();
    let [source, target] =
        [Column::Source, Column::Target].map(|end| columns.place(end).expect("checked columns"));
    let mut all = Vec::new();
    table.rows(|row| {
        all.push(row.known_pair(source, target, entities)?);
        Ok(())
    })?;
    Ok(all)
}

/// Reads names, one a line, from a file (standard input for `-`). Blank lines and comments are skipped;
/// a name that begins with `#` or `%` stands in double quotes. No name may stand twice.
pub fn read_names(path: &Path) -> Result<Vec<String>, ReadError> {
    names(Input::open(path)?)
}

/// Reads names from a stream (see [`read_names`]); `name` stands for it in messages.
pub fn parse_names(reader: impl Read, name: &str) -> Result<Vec<String>, ReadError> {
    names(Input::new(reader, name)?)
}

fn names(input: Input<'_>) -> Result<Vec<String>, ReadError> {
    let mut lines = Lines::new(input);
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut all = Vec::new();
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        let Some(name) = whole_line(line) else {
            return Err(ReadError::OpenQuote { place: lines.place() });
        };
        if name.is_empty() {
            return Err(ReadError::EmptyField { place: lines.place(), what: "name" });
        }
        if let Some(first) = seen.insert(name.clone(), lines.number()) {
            return Err(ReadError::RepeatedName { place: lines.place(), name, first });
        }
        all.push(name);
    }
    if all.is_empty() {
        return Err(ReadError::Empty { file: lines.file().to_owned(), what: "has no names" });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_name() {
        let entities: Entities = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        let read = |text: &str| parse_pairs(text.as_bytes(), "pairs", &entities, &ReadOptions::default());
        assert_eq!(read("# who\nsource,target\nBob,Ada\nAda,7\nBob,Ada").unwrap(), [(1, 0), (0, 3), (1, 0)]);
        assert_eq!(read("Cleo\tBob\textra\n").unwrap(), [(2, 1)]);
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("Ada Bob\nAda Zoe"), "pairs, line 2, column 2: 'Zoe' is not one of the 4 entities");
        assert!(error("Ada Ada").contains("two different entities"));
        assert_eq!(error("Ada"), "pairs, line 1: 1 column where 2 are needed (cut at spaces)");
        assert_eq!(error("\n"), "pairs has no rows, only blank lines and comments");
    }

    #[test]
    fn a_first_row_of_entities_is_no_header() {
        let entities: Entities = ["Ada", "Bob", "7", "8"].into_iter().collect();
        let pairs = parse_pairs(&b"Ada Bob\n7 8\n"[..], "pairs", &entities, &ReadOptions::default());
        assert_eq!(pairs.unwrap(), [(0, 1), (2, 3)]);
    }

    #[test]
    fn names_stand_one_a_line() {
        let read = |text: &str| parse_names(text.as_bytes(), "names");
        assert_eq!(
            read("# all\nDoe, J\n\n \"#tag\" \r\nBob \"B\" Roe").unwrap(),
            ["Doe, J", "#tag", "Bob \"B\" Roe"]
        );
        let error = read("a\nb\na\n").unwrap_err().to_string();
        assert_eq!(error, "names, line 3: the name 'a' stands in line 1 already");
        assert_eq!(read("").unwrap_err().to_string(), "names has no names");
        assert!(read("\"a").unwrap_err().to_string().contains("not closed"));
    }
}
