//! Reading pairs of known nodes: pairs to predict, and pairs with the label of a link or a non-link.

use std::io::Read;
use std::path::Path;

use dlfrm::network::{Nodes, Pair, Relation};
use rustc_hash::FxHashMap;

use super::cells::{Fact, TableWarning, comments};
use super::columns::{Column, Columns, Label};
use super::error::{Location, ReadError};
use super::input::{Input, Lines};
use super::options::ReadOptions;
use super::table::{Need, Table};

/// Columns beside the pair that `dlfrm predict` writes.
const WRITTEN: [&str; 6] = ["probability", "low", "high", "score", "known_link", "why"];

/// The relation of a pair, if a column names it, and the pair.
pub type RelationPair = (Option<usize>, (u32, u32));

/// Pairs to predict from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationPairs {
    /// The pairs in the order of the file.
    pub pairs: Vec<RelationPair>,
    /// Columns that are not used, and lines that were skipped.
    pub warnings: Vec<TableWarning>,
}

/// Reads pairs of names from a file (standard input for `-`) as pairs of nodes, in the order of the file.
///
/// If a column names relations, each pair has the number of its own among `relations`; one that is none of them is an error,
/// and so is another one than `only`, if it is given.
pub fn read_pairs(
    path: &Path,
    nodes: &Nodes,
    relations: &[Option<&str>],
    only: Option<&str>,
    options: &ReadOptions,
) -> Result<RelationPairs, ReadError> {
    pairs(Input::open(path)?, nodes, relations, only, options)
}

/// Reads pairs of names from a stream (see [`read_pairs`]) for a model without relations; `name` is its name in messages.
pub fn parse_pairs(
    reader: impl Read,
    name: &str,
    nodes: &Nodes,
    options: &ReadOptions,
) -> Result<Vec<(u32, u32)>, ReadError> {
    let found = pairs(Input::new(reader, name)?, nodes, &[None], None, options)?;
    Ok(found.pairs.into_iter().map(|(_, pair)| pair).collect())
}

fn pairs(
    input: Input<'_>,
    nodes: &Nodes,
    relations: &[Option<&str>],
    only: Option<&str>,
    options: &ReadOptions,
) -> Result<RelationPairs, ReadError> {
    let file = input.name.clone();
    let table = Table::new(Lines::new(input)?, options, Need::Ends)?;
    let ends = table.ends();
    let mut facts = unused(&table, &[Column::Source, Column::Target, Column::Relation]);
    let relation = table.positions.get(Column::Relation);
    let expected = match only {
        Some(only) => format!("the relation must be '{only}'"),
        None if relations == [None] => "a relation must be one of the model's, which has none".to_owned(),
        None => "a relation must be one of the model's".to_owned(),
    };
    let number = |name: &str| {
        let known = relations.iter().position(|known| *known == Some(name));
        known.filter(|_| only.is_none_or(|only| only == name))
    };
    let mut pairs = Vec::new();
    let end = table.rows(options.max_rows, |row| {
        let found = relation.map(|column| row.field(column, &expected, number)).transpose()?;
        pairs.push((found, row.known_pair(ends, nodes)?));
        Ok(())
    })?;
    facts.extend(comments(end.comments));
    Ok(RelationPairs { pairs, warnings: TableWarning::all(&file, facts) })
}

/// Titled columns that have none of these meanings and were not written by this program.
fn unused(table: &Table<'_>, used: &[Column]) -> Vec<Fact> {
    let places: Vec<usize> = used.iter().filter_map(|&column| table.positions.get(column)).collect();
    let titles = table.titles.iter().flatten().enumerate();
    let unused = titles.filter(|(at, title)| !places.contains(at) && !WRITTEN.contains(&title.as_str()));
    unused.map(|(_, title)| ("unused", format!("the column '{title}' is not used"))).collect()
}

/// Which labelled pairs a file may have, and how its columns are read.
#[derive(Debug, Clone)]
pub struct LabelledOptions<'a> {
    /// The nodes that a pair may name.
    pub nodes: &'a Nodes,
    /// Whether (i, j) and (j, i) are different pairs.
    pub directed: bool,
    /// The names of the relations that a pair may be of; one without a name if there are no relations.
    pub relations: Vec<Option<&'a str>>,
    /// The number of the relation of all pairs if no column names it; if it is `None`, a column must.
    pub relation: Option<usize>,
    /// The meaning of the columns: what the header says unless it is given.
    pub columns: Option<Columns>,
    /// The networks that are learned from, of each relation: a pair that they list is refused. Empty if any pair is allowed.
    pub learned: &'a [Relation],
    /// Other files, whose pairs are refused.
    pub others: &'a [&'a LabelledPairs],
}

impl<'a> LabelledOptions<'a> {
    /// Pairs that are held out of networks: one that is in the networks or in the other files is refused.
    ///
    /// # Panics
    /// If there is no network.
    pub fn held_out(learned: &'a [Relation], others: &'a [&'a LabelledPairs]) -> Self {
        Self {
            nodes: learned[0].network.nodes(),
            directed: learned[0].network.directed(),
            relations: learned.iter().map(|relation| relation.name.as_deref()).collect(),
            relation: learned[0].name.is_none().then_some(0),
            columns: None,
            learned,
            others,
        }
    }

    /// Where else a pair is.
    fn taken(&self, pair: (usize, u32, u32)) -> Option<String> {
        let (number, from, to) = pair;
        if let Some(Relation { network, .. }) = self.learned.get(number) {
            for (list, kind) in [(network.links(), Label::Link), (network.non_links(), Label::NonLink)] {
                if list.binary_search(&(from, to)).is_ok() {
                    return Some(format!("{} of the network that is learned from", kind.describe()));
                }
            }
        }
        let other = self.others.iter().find_map(|other| Some((&other.file, other.seen.get(&pair)?)));
        other.map(|(file, (line, _))| format!("in {file}, line {line}"))
    }
}

/// Pairs that are known to be links or non-links.
#[derive(Debug, Clone)]
pub struct LabelledPairs {
    file: String,
    /// The pairs of each relation, in the order of the file; an undirected pair has the smaller id first.
    pub pairs: Vec<Vec<Pair>>,
    /// Columns that are not used, and lines that were skipped.
    pub warnings: Vec<TableWarning>,
    /// The line of each pair, and whether it is a link.
    seen: FxHashMap<(usize, u32, u32), (u64, bool)>,
}

/// Reads pairs of names with their labels from a file (standard input for `-`).
///
/// A header names source, target and label, unless the options name the columns. A pair that is there twice is an error.
pub fn read_labelled_pairs(path: &Path, options: &LabelledOptions<'_>) -> Result<LabelledPairs, ReadError> {
    labelled(Input::open(path)?, options)
}

/// Reads labelled pairs from a stream (see [`read_labelled_pairs`]); `name` is its name in messages.
pub fn parse_labelled_pairs(
    reader: impl Read,
    name: &str,
    options: &LabelledOptions<'_>,
) -> Result<LabelledPairs, ReadError> {
    labelled(Input::new(reader, name)?, options)
}

fn labelled(input: Input<'_>, options: &LabelledOptions<'_>) -> Result<LabelledPairs, ReadError> {
    let nodes = options.nodes;
    let layout = ReadOptions { columns: options.columns.clone(), ..ReadOptions::default() };
    let file = input.name.clone();
    let table = Table::new(Lines::new(input)?, &layout, Need::Ends)?;
    let ends = table.ends();
    let label = table.needed(Column::Label)?;
    let relation = match options.relation {
        None => Some(table.needed(Column::Relation)?),
        Some(_) => table.positions.get(Column::Relation),
    };
    let mut facts = unused(&table, &[Column::Source, Column::Target, Column::Label, Column::Relation]);
    let mut pairs = vec![vec![]; options.relations.len()];
    let mut seen: FxHashMap<(usize, u32, u32), (u64, bool)> = FxHashMap::default();
    let end = table.rows(u32::MAX, |row| {
        let number = match (relation, options.relation) {
            (Some(column), _) => row.field(column, "a relation must be one of the network's", |name| {
                options.relations.iter().position(|relation| *relation == Some(name))
            })?,
            (None, only) => only.expect("checked above"),
        };
        let (from, to) = row.known_pair(ends, nodes)?;
        let expected = "a label must be 1 or 0 (or -1), yes or no, or true or false";
        let known = |text: &str| Label::parse(text).filter(|&label| label != Label::Unobserved);
        let link = row.field(label, expected, known)? == Label::Link;
        let (from, to) = if options.directed || from < to { (from, to) } else { (to, from) };
        let taken = match seen.insert((number, from, to), (row.line, link)) {
            Some((line, first)) if first != link => {
                let [first, second] =
                    [first, link].map(|link| if link { Label::Link } else { Label::NonLink }.describe());
                Some(format!("{second}, but line {line} says it is {first}"))
            }
            Some((line, _)) => Some(format!("in line {line} already")),
            None => options.taken((number, from, to)),
        };
        if let Some(taken) = taken {
            let what = format!("the pair '{}', '{}' is {taken}", nodes.name(from), nodes.name(to));
            return Err(ReadError::Repeated(Location::line(row.file, row.line), what));
        }
        pairs[number].push(Pair { source: from, target: to, link });
        Ok(())
    })?;
    facts.extend(comments(end.comments));
    let warnings = TableWarning::all(&file, facts);
    Ok(LabelledPairs { file, pairs, warnings, seen })
}

#[cfg(test)]
mod tests {
    use dlfrm::network::Network;

    use super::*;

    fn text(warnings: &[TableWarning]) -> Vec<String> {
        warnings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn pairs_are_found_by_name() {
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        let read = |text: &str| parse_pairs(text.as_bytes(), "pairs", &nodes, &ReadOptions::default());
        // What `dlfrm predict` writes.
        let written =
            "source\ttarget\tprobability\tlow\thigh\tscore\tknown_link\nCleo\tBob\t0.5\t0.1\t0.9\t0.02\tno\n";
        assert_eq!(read(written).unwrap(), [(2, 1)]);
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("Ada Bob\nAda Zoe"), "pairs, line 2, column 2: 'Zoe' is not one of the 4 nodes");
        assert!(error("Ada Ada").contains("two different nodes"));
    }

    #[test]
    fn a_column_names_the_relation_of_each_pair() {
        let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
        let read = |text: &str, relations: &[Option<&str>], only| {
            let input = Input::new(text.as_bytes(), "pairs").unwrap();
            pairs(input, &nodes, relations, only, &ReadOptions::default())
        };
        let two = [Some("likes"), Some("knows")];
        let found = read("relation,source,target\nknows,Ada,Bob\nlikes,Bob,Cleo\n", &two, None).unwrap();
        assert_eq!(found.pairs, [(Some(1), (0, 1)), (Some(0), (1, 2))]);
        let none = RelationPairs { pairs: vec![(None, (0, 1))], warnings: vec![] };
        assert_eq!(read("Ada,Bob\n", &two, None).unwrap(), none);
        let found = read("source,target,day,low,label\nAda,Bob,Monday,0.1,1\n", &two, None).unwrap();
        let unused = ["pairs: the column 'day' is not used", "pairs: the column 'label' is not used"];
        assert_eq!(text(&found.warnings), unused, "but not those that the command writes");
        let error = read("relation,source,target\nhates,Ada,Bob\n", &[None], None).unwrap_err().to_string();
        let expected = "a relation must be one of the model's, which has none, is 'hates'";
        assert_eq!(error, format!("pairs, line 2, column 1: {expected}"));
    }

    fn network(links: &[(u32, u32)], non_links: &[(u32, u32)]) -> Network {
        let nodes: Nodes = ["a", "b", "c", "d", "e"].into_iter().collect();
        let network = Network::new(nodes.into(), false, links.iter().copied()).unwrap();
        network.with_labels(non_links.iter().copied(), [], dlfrm::network::Unlisted::Unobserved).unwrap()
    }

    fn held_out(
        text: &str,
        learned: &[Relation],
        others: &[&LabelledPairs],
    ) -> Result<LabelledPairs, ReadError> {
        parse_labelled_pairs(text.as_bytes(), "test", &LabelledOptions::held_out(learned, others))
    }

    fn pair(source: u32, target: u32, link: bool) -> Pair {
        Pair { source, target, link }
    }

    #[test]
    fn labels_and_relations_are_in_their_columns() {
        let one = [network(&[(0, 1)], &[]).into()];
        for text in ["source,target,label\nc,a,1\nb,d,-1\n", "label,weight,to,from\n1,7,a,c\n0,8,d,b\n"] {
            assert_eq!(held_out(text, &one, &[]).unwrap().pairs, [vec![pair(0, 2, true), pair(1, 3, false)]]);
        }
        let found = held_out("source,target,label,day\nc,a,1,Monday\n\n# b d\n", &one, &[]).unwrap();
        let said = "test: 1 line among the rows begins with # or % and was skipped as a comment";
        assert_eq!(text(&found.warnings), ["test: the column 'day' is not used", said]);
        let relation =
            |name: &str| Relation { name: Some(name.to_owned()), network: network(&[(0, 1)], &[]) };
        let two = [relation("likes"), relation("knows")];
        let text = "relation,source,target,label\nlikes,c,b,0\nknows,c,b,1\n";
        assert_eq!(
            held_out(text, &two, &[]).unwrap().pairs,
            [vec![pair(1, 2, false)], vec![pair(1, 2, true)]]
        );
        let error = |text: &str| held_out(text, &two, &[]).unwrap_err().to_string();
        assert!(error("source,target,label\na,c,1\n").starts_with("test, line 1: no column is the relation"));
        assert!(error(&text.replace("likes", "hates")).ends_with("must be one of the network's, is 'hates'"));
    }

    #[test]
    fn held_out_pairs_are_nowhere_else() {
        let relations = [network(&[(0, 1), (2, 3), (0, 4)], &[(1, 2)]).into()];
        let read = |rows: &str, others: &[&LabelledPairs]| {
            held_out(&format!("source target label\n{rows}"), &relations, others)
        };
        let message = |rows: &str| read(rows, &[]).unwrap_err().to_string();
        for (rows, expected) in [
            (
                "a c 1\nb a 1\n",
                "test, line 3: the pair 'a', 'b' is a link of the network that is learned from",
            ),
            ("c b 1\n", "test, line 2: the pair 'b', 'c' is a non-link of the network that is learned from"),
            ("a c 1\nb d 0\nc a 1\n", "test, line 4: the pair 'a', 'c' is in line 2 already"),
            ("a c 1\nc a 0\n", "test, line 3: the pair 'a', 'c' is a non-link, but line 2 says it is a link"),
        ] {
            assert_eq!(message(rows), expected);
        }
        assert!(
            message("a c ?\n")
                .ends_with("a label must be 1 or 0 (or -1), yes or no, or true or false, is '?'")
        );
        let first = read("a c 1\nb d 0\n", &[]).unwrap();
        let both = read("a d 1\nd b 0\n", &[&first]).unwrap_err().to_string();
        assert_eq!(both, "test, line 3: the pair 'b', 'd' is in test, line 3");
    }
}
