//! Reading pairs that are held out of a network: test and validation pairs with their labels.

use std::io::Read;
use std::path::Path;

use dlfrm::network::{Entities, Network, Pair};
use rustc_hash::FxHashMap;

use super::columns::{Column, Columns};
use super::edge_list::Table;
use super::error::ReadError;
use super::input::Input;
use super::label::Label;
use super::lines::Lines;
use super::network::Relation;
use super::options::ReadOptions;

/// Pairs with labels that are no part of the network they are asked about.
#[derive(Debug, Clone)]
pub struct HeldOut {
    file: String,
    /// The pairs of each relation, in the order of the network's; an undirected pair has the smaller id first.
    pub pairs: Vec<Vec<Pair>>,
    /// Where each pair stands.
    lines: FxHashMap<(usize, u32, u32), u64>,
}

/// Reads held-out pairs from a file (standard input for `-`).
///
/// The columns are source, target and label, behind a relation if the network has relations; a header is skipped. A label is
/// 1 or 0, or 1 or -1. A pair that the network lists, that stands twice, or that one of `others` holds out is an error, and so
/// is a name that the network does not have.
pub fn read_held_out(path: &Path, relations: &[Relation], others: &[&HeldOut]) -> Result<HeldOut, ReadError> {
    held_out(Input::open(path)?, relations, others)
}

/// Reads held-out pairs from a stream (see [`read_held_out`]); `name` stands for it in messages.
pub fn parse_held_out(
    reader: impl Read,
    name: &str,
    relations: &[Relation],
    others: &[&HeldOut],
) -> Result<HeldOut, ReadError> {
    held_out(Input::new(reader, name)?, relations, others)
}

fn held_out(input: Input<'_>, relations: &[Relation], others: &[&HeldOut]) -> Result<HeldOut, ReadError> {
    let file = input.name.clone();
    let entities = relations[0].network.entities().clone();
    let mut list = vec![Column::Source, Column::Target, Column::Label];
    let several = relations[0].name.is_some();
    if several {
        list.insert(0, Column::Relation);
    }
    let columns = Columns::new(list).expect("sound columns");
    let place = |column| columns.place(column).expect("it was put there");
    let [source, target, label] = [Column::Source, Column::Target, Column::Label].map(place);
    let relation = several.then(|| place(Column::Relation));
    let options = ReadOptions { columns: Some(columns), ..ReadOptions::default() };
    let table = Table::new(Lines::new(input), None, &options, Some(&entities))?;
    let mut found = HeldOut { file, pairs: vec![Vec::new(); relations.len()], lines: FxHashMap::default() };
    table.rows(|row| {
        let number = match relation {
            None => 0,
            Some(column) => row.field(column, "a relation must be one of the network's", |name| {
                relations.iter().position(|relation| relation.name.as_deref() == Some(name))
            })?,
        };
        let network = &relations[number].network;
        let (from, to) = row.known_pair(source, target, &entities)?;
        let link =
            row.field(label, "a label must be 1 or 0 (or 1 or -1)", |text| Label::parse(text)?.link())?;
        let (from, to) = if network.directed() || from < to { (from, to) } else { (to, from) };
        if let Some(taken) = found.taken(network, others, (number, from, to)) {
            let place = row.place_of_line();
            return Err(ReadError::Overlap { place, pair: names(&entities, from, to), taken });
        }
        found.lines.insert((number, from, to), row.line());
        found.pairs[number].push(Pair { source: from, target: to, link });
        Ok(())
    })?;
    Ok(found)
}

impl HeldOut {
    /// What else says something of a pair.
    fn taken(&self, network: &Network, others: &[&Self], pair: (usize, u32, u32)) -> Option<String> {
        let (_, from, to) = pair;
        if let Some(line) = self.lines.get(&pair) {
            return Some(format!("in line {line} already"));
        }
        if network.links().binary_search(&(from, to)).is_ok() {
            return Some("a link of the network that is learned from".to_owned());
        }
        if network.non_links().binary_search(&(from, to)).is_ok() {
            return Some("a non-link of the network that is learned from".to_owned());
        }
        let other = others.iter().find_map(|other| Some((&other.file, other.lines.get(&pair)?)));
        other.map(|(file, line)| format!("in {file}, line {line}"))
    }
}

fn names(entities: &Entities, from: u32, to: u32) -> String {
    format!("'{}', '{}'", entities.name(from), entities.name(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parse_network;

    fn network(text: &str, directed: bool) -> Vec<Relation> {
        let options = ReadOptions { directed, ..ReadOptions::default() };
        parse_network(text.as_bytes(), "links", &options).unwrap().relations
    }

    #[test]
    fn labels_and_directions() {
        let undirected = network("a b\nb c\nc d\n", false);
        let read = |text: &str| parse_held_out(text.as_bytes(), "test", &undirected, &[]);
        let pair = |source, target, link| Pair { source, target, link };
        let found = read("source\ttarget\tlabel\nc\ta\t1\nb\td\t-1\n").unwrap();
        assert_eq!(found.pairs, [vec![pair(0, 2, true), pair(1, 3, false)]]);
        let relations = network("relation source target\nr a b\ns b c\n", true);
        let found = parse_held_out(&b"s c b 0\nr b a 1\n"[..], "test", &relations, &[]).unwrap();
        assert_eq!(found.pairs, [vec![pair(1, 0, true)], vec![pair(2, 1, false)]]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let relations = network("source target label\na b 1\nb c 0\nc d 1\na e 1\n", false);
        let told =
            |text: &str| parse_held_out(text.as_bytes(), "test", &relations, &[]).unwrap_err().to_string();
        assert_eq!(
            told("a c 1\nb a 1\n"),
            "test, line 2: the pair 'a', 'b' is a link of the network that is learned from"
        );
        assert!(
            told("c b 1\n").ends_with("the pair 'b', 'c' is a non-link of the network that is learned from")
        );
        assert_eq!(told("a c 1\nb d 0\nc a 1\n"), "test, line 3: the pair 'a', 'c' is in line 1 already");
        assert_eq!(
            told("a c 1\na d 2\n"),
            "test, line 2, column 3: a label must be 1 or 0 (or 1 or -1), is '2'"
        );
        assert!(told("a c ?\n").ends_with("is '?'"));
        assert_eq!(told("a z 1\n"), "test, line 1, column 2: 'z' is not one of the 5 entities");
        assert!(told("a a 1\n").contains("two different entities"));
        assert!(told("a c\n").contains("2 columns where 3 are needed"));
        let first = parse_held_out(&b"a c 1\nb d 0\n"[..], "test", &relations, &[]).unwrap();
        let both =
            parse_held_out(&b"d b 0\n"[..], "validation", &relations, &[&first]).unwrap_err().to_string();
        assert_eq!(both, "validation, line 1: the pair 'b', 'd' is in test, line 2");
        let several = network("relation source target\nr a b\ns b c\n", true);
        let told = parse_held_out(&b"q a c 1\n"[..], "test", &several, &[]).unwrap_err().to_string();
        assert_eq!(told, "test, line 1, column 1: a relation must be one of the network's, is 'q'");
    }
}
