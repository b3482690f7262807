//! Rows at the beginning or the end of a file that may be no links, such as types of columns or a note: their names are in no
//! other row.

use super::first_row::{FEW, alone, stands_out};
use super::suspects::Seen;
use crate::read::old::collect::NumberedRows;

/// So many rows may be below a header that are no links.
const EARLY: usize = 3;

/// A row of two new names.
#[derive(Debug)]
struct Lone {
    line: u64,
    ends: [u32; 2],
    names: [String; 2],
}

/// The first rows and the last one, as far as they have two new names.
#[derive(Debug, Default)]
pub(crate) struct LoneRows {
    rows: usize,
    first: Vec<Lone>,
    last: Option<Lone>,
    /// How many rows link a new name to itself.
    selves: u64,
}

impl LoneRows {
    /// Looks at the next row; `known` says that something is said of it already.
    pub(crate) fn see(&mut self, seen: &Seen<'_>, known: bool) {
        self.rows += 1;
        self.last = None;
        if known || seen.are_new() != [true; 2] {
            return;
        }
        self.selves += u64::from(seen.ends[0] == seen.ends[1]);
        let lone = Lone { line: seen.row.line(), ends: seen.ends, names: seen.names() };
        if self.rows <= EARLY {
            self.first.push(lone);
        } else {
            self.last = Some(lone);
        }
    }

    /// What is said of them, if their names are in no other row, and all other rows have a name that is. `names` are those of
    /// all nodes.
    pub(crate) fn remarks(&self, rows: &NumberedRows, names: &[String]) -> Vec<String> {
        if rows.count() <= FEW || self.first.is_empty() && self.last.is_none() {
            return vec![];
        }
        let count = |end: u32| rows.pairs().filter(|&(i, j)| i == end || j == end).count();
        // Nodes without other links may be linked to themselves.
        let lone = |row: &&Lone| match row.ends {
            [source, target] if source == target => self.selves == 1 && count(source) == 0,
            ends => ends.iter().all(|&end| count(end) == 1),
        };
        let found: Vec<&Lone> = self.first.iter().chain(&self.last).filter(lone).collect();
        if found.is_empty() || alone(rows, names.len()) > found.len() {
            return vec![];
        }
        let odd = found.into_iter().filter(|row| stands_out(&row.names, names));
        let remark = |row: &Lone| {
            let [source, target] = &row.names;
            let taken =
                if source == target { "a self link, and its name is" } else { "a link, and its names are" };
            format!(
                "line {} ({source}, {target}) was taken for {taken} in no other row: if it is none, take it out",
                row.line
            )
        };
        odd.map(remark).collect()
    }
}
