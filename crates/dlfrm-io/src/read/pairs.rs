//! Reading files of pairs to predict.

use std::io::Read;
use std::path::Path;

use dlfrm::network::Entities;

use super::columns::Column;
use super::error::ReadError;
use super::input::Input;
use super::lines::Lines;
use super::options::ReadOptions;
use super::table::Table;

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

/// Reads pairs of names from a stream (see [`read_pairs`]); `name` is its name in messages.
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
        [Column::Source, Column::Target].map(|end| columns.position(end).expect("checked columns"));
    let mut all = Vec::new();
    table.rows(|row| {
        all.push(row.known_pair(source, target, entities)?);
        Ok(())
    })?;
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
}
