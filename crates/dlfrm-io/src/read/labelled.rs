//! Reading files of pairs that are known to be links or non-links, to judge a model on.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use dlfrm::network::Entities;

use super::columns::{Column, Columns};
use super::edge_list::{Row, Table};
use super::error::ReadError;
use super::input::Input;
use super::label::Label;
use super::lines::Lines;
use super::options::ReadOptions;

/// A pair that is known to be a link or a non-link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LabelledPair {
    /// The relation, if the file has a column for it.
    pub relation: Option<String>,
    /// Where a link would start; in an undirected network the smaller id.
    pub source: u32,
    /// Where it would end.
    pub target: u32,
    /// Whether it is one.
    pub link: bool,
}

/// Reads pairs of names with their labels from a file (standard input for `-`), in the order of the file.
///
/// Delimiter, header and columns are found as in an edge list; without words for them they are source, target and label.
/// A pair that stands twice counts once. A name that is not among `entities`, a pair of an entity with itself, a
/// label other than link and non-link, and two labels for one pair are errors.
pub fn read_labelled_pairs(
    path: &Path,
    entities: &Entities,
    options: &ReadOptions,
) -> Result<Vec<LabelledPair>, ReadError> {
    labelled(Input::open(path)?, entities, options)
}

/// Reads labelled pairs from a stream (see [`read_labelled_pairs`]); `name` stands for it in messages.
pub fn parse_labelled_pairs(
    reader: impl Read,
    name: &str,
    entities: &Entities,
    options: &ReadOptions,
) -> Result<Vec<LabelledPair>, ReadError> {
    labelled(Input::new(reader, name)?, entities, options)
}

fn labelled(
    input: Input<'_>,
    entities: &Entities,
    options: &ReadOptions,
) -> Result<Vec<LabelledPair>, ReadError> {
    let mut table = Table::new(Lines::new(input), None, options, Some(entities))?;
    let columns = with_label(&table.layout.columns);
    table.layout.columns = columns.clone();
    let [source, target, label] = [Column::Source, Column::Target, Column::Label]
        .map(|column| columns.place(column).expect("checked columns"));
    let relation = columns.place(Column::Relation);
    let mut seen: HashMap<(Option<String>, u32, u32), (bool, u64)> = HashMap::new();
    let mut all = Vec::new();
    table.rows(|row| {
        let (from, to) = row.known_pair(source, target, entities)?;
        let (from, to) = if options.directed { (from, to) } else { (from.min(to), from.max(to)) };
        let link =
            row.field(label, "a label must be 1 (a link) or 0 (none)", |text| Label::parse(text)?.link())?;
        let relation = relation.map(|column| row.text(column));
        match seen.insert((relation.clone(), from, to), (link, row.line())) {
            None => all.push(LabelledPair { relation, source: from, target: to, link }),
            Some((first, _)) if first == link => {}
            Some((first, line)) => {
                return Err(contradiction(&row, entities, (from, to), (first, line), link));
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// The columns with one for the label: the first that has no other use, or one more at the end.
fn with_label(columns: &Columns) -> Columns {
    let mut list = columns.list().to_vec();
    if !list.contains(&Column::Label) {
        match list.iter().position(|column| matches!(column, Column::Skip | Column::Weight)) {
            Some(place) => list[place] = Column::Label,
            None => list.push(Column::Label),
        }
    }
    Columns::new(list).expect("one column more, and no other twice")
}

fn contradiction(
    row: &Row<'_>,
    entities: &Entities,
    (from, to): (u32, u32),
    (first, first_line): (bool, u64),
    second: bool,
) -> ReadError {
    let describe = |link| if link { Label::Link } else { Label::NonLink }.describe();
    ReadError::Contradiction {
        place: row.place_of_line(),
        first_line,
        pair: format!("'{}', '{}'", entities.name(from), entities.name(to)),
        first: describe(first),
        second: describe(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, directed: bool) -> Result<Vec<(u32, u32, bool)>, String> {
        let entities: Entities = ["Ada", "Bob", "Cleo"].into_iter().collect();
        let options = ReadOptions { directed, ..ReadOptions::default() };
        let pairs = parse_labelled_pairs(text.as_bytes(), "test", &entities, &options);
        let pairs = pairs.map_err(|error| error.to_string())?;
        Ok(pairs.into_iter().map(|pair| (pair.source, pair.target, pair.link)).collect())
    }

    #[test]
    fn labels_stand_in_their_column() {
        let expected = Ok(vec![(1, 0, true), (0, 2, false)]);
        assert_eq!(read("Bob Ada 1\nAda Cleo 0\nBob Ada 1\n", true), expected);
        assert_eq!(read("source,label,target\nBob,+1,Ada\nAda,-1,Cleo\n", true), expected);
        assert_eq!(read("Bob Ada 1\nAda Cleo 0\nAda Bob 1\n", false), Ok(vec![(0, 1, true), (0, 2, false)]));
        let entities: Entities = ["Ada", "Bob"].into_iter().collect();
        let text = &b"relation,source,target,label\nlikes,Ada,Bob,1\nknows,Ada,Bob,0\n"[..];
        let pairs = parse_labelled_pairs(text, "test", &entities, &ReadOptions::default()).unwrap();
        let relations: Vec<_> = pairs.iter().map(|pair| (pair.relation.as_deref(), pair.link)).collect();
        assert_eq!(relations, [(Some("likes"), true), (Some("knows"), false)]);
    }

    #[test]
    fn mistakes_have_their_line() {
        let error = |text: &str| read(text, false).unwrap_err();
        let label = "a label must be 1 (a link) or 0 (none)";
        assert_eq!(error("Ada Bob 1\nAda Cleo 2\n"), format!("test, line 2, column 3: {label}, is '2'"));
        assert_eq!(
            error("source,target,label\nAda,Bob,?\n"),
            format!("test, line 2, column 3: {label}, is '?'")
        );
        assert_eq!(error("Ada Bob\n"), "test, line 1: 2 columns where 3 are needed (cut at spaces)");
        assert_eq!(error("Ada Zoe 1\n"), "test, line 1, column 2: 'Zoe' is not one of the 3 entities");
        assert!(error("Ada Ada 1\n").contains("two different entities"));
        let told = "test, line 2: the pair 'Ada', 'Bob' is a non-link, but line 1 says it is a link";
        assert_eq!(error("Ada Bob 1\nBob Ada 0\n"), told);
    }
}
