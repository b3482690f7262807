//! A first row that was taken for a link and may be a header or a comment: its names are in no other row.

use std::collections::HashSet;

use dlfrm::network::Nodes;

use super::suspects::Seen;
use crate::read::old::collect::NumberedRows;
use crate::read::old::header::{Sign, letters};
use crate::read::old::names::integer;
use crate::read::old::network::Dataset;

/// So few other rows may leave out the names of the first one by chance.
pub(crate) const FEW: u64 = 5;

/// The first row of an edge list, if both of its names are new.
#[derive(Debug)]
pub(crate) struct FirstRow {
    names: [String; 2],
    ends: [u32; 2],
    /// Which of the names are in other rows, too.
    again: [bool; 2],
    /// The source of the last row, if all are numbers in order.
    ordered: Option<u64>,
}

impl FirstRow {
    pub(crate) fn of(seen: &Seen<'_>) -> Option<Self> {
        let two = seen.are_new() == [true; 2] && seen.ends[0] != seen.ends[1];
        two.then(|| Self { names: seen.names(), ends: seen.ends, again: [false; 2], ordered: Some(0) })
    }

    pub(crate) fn see(&mut self, seen: &Seen<'_>) {
        for (own, again) in self.ends.iter().zip(&mut self.again) {
            *again |= seen.ends.contains(own);
        }
        if let Some(before) = self.ordered {
            self.ordered = integer(&seen.row.text(seen.columns[0])).filter(|&source| source >= before);
        }
    }

    /// What is said of the row if it is the only one whose names are in no other row. `names` are those of
    /// all nodes.
    pub(crate) fn remark(&self, rows: &NumberedRows, names: &[String]) -> Option<String> {
        // In a list in order the first row of a network may well be the only one of node 0.
        let shuffled = self.ordered.is_none();
        if self.names == ["0", "1"] && self.again == [false, true] && shuffled && rows.count() > FEW {
            return Some(
                "the first row (0, 1) was taken for a link, and 0 is in no other row: if these are numbers of columns, say \
                 --header"
                    .to_owned(),
            );
        }
        let found = self.again == [false; 2]
            && rows.count() > FEW
            && stands_out(&self.names, names)
            && alone(rows, names.len()) == 1;
        found.then(|| Sign::Alone.remark(&self.names))?
    }
}

/// How many rows have two names that are in no other row.
pub(crate) fn alone(rows: &NumberedRows, nodes: usize) -> usize {
    let mut counts = vec![0_u32; nodes];
    for (source, target) in rows.pairs() {
        counts[source as usize] += 1;
        counts[target as usize] += 1;
    }
    rows.pairs()
        .filter(|&(source, target)| [source, target].iter().all(|&end| counts[end as usize] == 1))
        .count()
}

/// Whether two cells may be something else than two of these names. Codes of the same form as others may not,
/// unless they are the numbers of the columns and the next number is no name.
pub(crate) fn stands_out(cells: &[String; 2], names: &[String]) -> bool {
    let next = match cells.each_ref().map(String::as_str) {
        ["0", "1"] => "2",
        ["1", "2"] => "3",
        _ => {
            let code = |cell: &String| cell.contains(|c: char| c.is_ascii_digit());
            return !(cells.iter().all(code) && have_forms(cells, names));
        }
    };
    !names.iter().any(|name| name == next)
}

/// Whether other names have the forms of these cells.
fn have_forms(cells: &[String; 2], names: &[String]) -> bool {
    let others = names.iter().filter(|name| !cells.contains(name));
    let forms: HashSet<String> = others.map(|name| form(name)).collect();
    cells.iter().all(|cell| forms.contains(&form(cell)))
}

/// What names such as `n1` and `n207` have in common: capitals, small letters, digits and signs in their
/// order.
fn form(name: &str) -> String {
    let mut kinds: Vec<char> = name
        .chars()
        .map(|c| match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            sign => sign,
        })
        .collect();
    kinds.dedup();
    kinds.into_iter().collect()
}

/// What is said of a first row that may be a header: it is taken for a link of two new nodes, and all
/// other rows have a name that is known.
pub fn first_row_remark(known: &Nodes, given: &Dataset) -> Option<String> {
    let names = given.relations[0].network.nodes().names();
    let [first, second, others @ ..] = names else { return None };
    let new = |name: &String| known.get(name).is_none();
    let links = || given.relations.iter().flat_map(|relation| relation.network.links());
    let in_first = |id: u32| id < 2;
    let known_end = |&(i, j): &(u32, u32)| {
        let ends = [i, j];
        ends.iter().all(|&id| in_first(id))
            || !ends.iter().any(|&id| in_first(id)) && ends.iter().any(|&id| !new(&names[id as usize]))
    };
    let cells = [first.clone(), second.clone()];
    let found = given.report.first_row_is_link
        && new(first)
        && new(second)
        && others.len() > 1
        && (cells.iter().all(|cell| letters(cell)) || stands_out(&cells, known.names()))
        && links().all(known_end);
    found.then(|| {
        let others = if others.iter().any(new) {
            "all other rows have a known name"
        } else {
            "all other names are known"
        };
        format!(
            "the first row ({first}, {second}) was taken for a link of two new nodes, and {others}: if it is a header, say \
             --header"
        )
    })
}
