//! Reading files of pairs to predict.

use std::io::Read;
use std::path::Path;

use dlfrm::network::Nodes;

use super::old::columns::Column;
use super::old::error::ReadError;
use super::old::foreign::check_pairs;
use super::old::input::Input;
use super::old::layout::ENDS;
use super::old::lines::Lines;
use super::old::options::ReadOptions;
use super::old::table::{Row, Table};

/// Reads pairs of names from a file (standard input for `-`) as pairs of nodes, in the order of the file.
///
/// Delimiter, header and columns are found as in an edge list; the other options do not matter. A name
/// that is not among `nodes` and a pair of a node with itself are errors.
pub fn read_pairs(path: &Path, nodes: &Nodes, options: &ReadOptions) -> Result<Vec<(u32, u32)>, ReadError> {
    pairs(Input::open(path)?, nodes, options)
}

/// Reads pairs of names from a stream (see [`read_pairs`]); `name` is its name in messages.
pub fn parse_pairs(
    reader: impl Read,
    name: &str,
    nodes: &Nodes,
    options: &ReadOptions,
) -> Result<Vec<(u32, u32)>, ReadError> {
    pairs(Input::new(reader, name)?, nodes, options)
}

/// Reads pairs to predict from a file: as [`read_pairs`], with the number of the relation of each pair among `relations`
/// if a column names it. A relation that is none of them is an error, and so is another one than `only`, if it is given.
pub fn read_relation_pairs(
    path: &Path,
    nodes: &Nodes,
    relations: &[Option<&str>],
    only: Option<&str>,
    options: &ReadOptions,
) -> Result<RelationPairs, ReadError> {
    relation_pairs(Input::open(path)?, nodes, relations, only, options)
}

/// The relation of a pair, if a column names it, and the pair.
pub type RelationPair = (Option<usize>, (u32, u32));

/// Pairs to predict from a file, and warnings for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationPairs {
    /// The pairs in the order of the file.
    pub pairs: Vec<RelationPair>,
    /// Columns that are not used, and lines that were skipped and may be pairs.
    pub warnings: Vec<String>,
}

fn pairs(mut input: Input<'_>, nodes: &Nodes, options: &ReadOptions) -> Result<Vec<(u32, u32)>, ReadError> {
    check_pairs(&mut input)?;
    let table = Table::new(Lines::new(input), None, options, Some(nodes), &ENDS)?;
    let may_be_header = !table.layout.header && options.header.is_none();
    let mut all = Vec::new();
    let ends = ends(&table);
    table.rows(|row| {
        let first = may_be_header && all.is_empty();
        all.push(pair(&row, ends, nodes, first)?);
        Ok(())
    })?;
    Ok(all)
}

fn relation_pairs(
    mut input: Input<'_>,
    nodes: &Nodes,
    relations: &[Option<&str>],
    only: Option<&str>,
    options: &ReadOptions,
) -> Result<RelationPairs, ReadError> {
    check_pairs(&mut input)?;
    let table = Table::new(Lines::new(input), None, options, Some(nodes), &ENDS)?;
    let relation = table.layout.columns.position(Column::Relation);
    let [source, target] = ends(&table);
    let used = [Column::Source, Column::Target, Column::Relation];
    let mut warnings = table.layout.unused(&used, options.columns.is_some());
    let expected = if relations == [None] {
        "a relation must be one of the model's, which has none (--columns can skip the column)"
    } else {
        "a relation must be one of the model's"
    };
    let may_be_header = !table.layout.header && options.header.is_none();
    let mut pairs = Vec::new();
    let (_, comments) = table.rows(|row| {
        let number = |name: &str| relations.iter().position(|known| *known == Some(name));
        let named = |column| row.field(column, expected, number);
        let found = relation.map(named).transpose()?;
        if let (Some(column), Some(only)) = (relation, only) {
            let what = format!("the relation must be '{only}', as --relation says");
            row.field(column, &what, |name| (name == only).then_some(()))?;
        }
        let first = may_be_header && pairs.is_empty();
        pairs.push((found, pair(&row, [source, target], nodes, first)?));
        Ok(())
    })?;
    warnings.extend(comments.row_remarks(nodes));
    Ok(RelationPairs { pairs, warnings })
}

/// The pair of a row, which may be titles if it is the first one.
fn pair(
    row: &Row<'_>,
    [source, target]: [usize; 2],
    nodes: &Nodes,
    first: bool,
) -> Result<(u32, u32), ReadError> {
    let title = |column| row.may_be_title(column) && nodes.get(&row.text(column)).is_none();
    let titles = first && title(source) && title(target);
    let pair = row.known_pair(source, target, nodes);
    pair.map_err(|error| if titles { error.may_be_title() } else { error })
}

/// The columns of source and target.
fn ends(table: &Table<'_>) -> [usize; 2] {
    ENDS.map(|end| table.layout.columns.position(end).expect("checked columns"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_name() {
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        let read = |text: &str| parse_pairs(text.as_bytes(), "pairs", &nodes, &ReadOptions::default());
        assert_eq!(read("# who\nsource,target\nBob,Ada\nAda,7\nBob,Ada").unwrap(), [(1, 0), (0, 3), (1, 0)]);
        // What `dlfrm predict` writes.
        let written = "source\ttarget\tprobability\tlow\thigh\tknown_link\nCleo\tBob\t0.5\t0.1\t0.9\tno\n";
        assert_eq!(read(written).unwrap(), [(2, 1)]);
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("Ada Bob\nAda Zoe"), "pairs, line 2, column 2: 'Zoe' is not one of the 4 nodes");
        assert!(error("Ada Ada").contains("two different nodes"));
        assert_eq!(error("Ada"), "pairs, line 1: 1 column where 2 are needed (cut at spaces)");
        assert!(error("Cleo\tBob\textra\n").starts_with("pairs, line 1: 3 columns where 2 are understood: "));
        assert_eq!(
            error("<graphml>\n</graphml>"),
            "pairs is a file of GraphML, which is not read: pairs are read from an edge list, one pair per line"
        );
        assert_eq!(error("\n"), "pairs has no rows, only blank lines and comments");
    }

    #[test]
    fn a_column_names_the_relation_of_each_pair() {
        let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
        let read_only = |text: &str, only| {
            let input = Input::new(text.as_bytes(), "pairs").unwrap();
            let relations = [Some("likes"), Some("knows")];
            relation_pairs(input, &nodes, &relations, only, &ReadOptions::default())
        };
        let read = |text: &str| read_only(text, None);
        let found = read("relation,source,target\nknows,Ada,Bob\nlikes,Bob,Cleo\n").unwrap();
        assert_eq!(found.pairs, [(Some(1), (0, 1)), (Some(0), (1, 2))]);
        assert_eq!(
            read("Ada,Bob\n").unwrap(),
            RelationPairs { pairs: vec![(None, (0, 1))], warnings: vec![] }
        );
        let found = read("source,target,day,low,label\nAda,Bob,Monday,0.1,1\n").unwrap();
        assert_eq!(
            found.warnings,
            ["the column 'day' is not used", "the column 'label' is not used"],
            "but not those that the command writes"
        );
        let error = read("relation,source,target\nhates,Ada,Bob\n").unwrap_err().to_string();
        assert_eq!(error, "pairs, line 2, column 1: a relation must be one of the model's, is 'hates'");
        let input = Input::new("relation,source,target\nknows,Ada,Bob\n".as_bytes(), "pairs").unwrap();
        let error = relation_pairs(input, &nodes, &[None], None, &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pairs, line 2, column 1: a relation must be one of the model's, which has none (--columns can skip the column), is \
             'knows'"
        );
        let text = "relation,source,target\nknows,Ada,Bob\nlikes,Ada,Bob\n";
        let error = read_only(text, Some("knows")).unwrap_err().to_string();
        assert_eq!(
            error,
            "pairs, line 3, column 1: the relation must be 'knows', as --relation says, is 'likes'"
        );
    }

    #[test]
    fn a_first_row_of_nodes_is_no_header() {
        let nodes: Nodes = ["Ada", "Bob", "7", "8"].into_iter().collect();
        let pairs = parse_pairs(&b"Ada Bob\n7 8\n"[..], "pairs", &nodes, &ReadOptions::default());
        assert_eq!(pairs.unwrap(), [(0, 1), (2, 3)]);
    }
}
