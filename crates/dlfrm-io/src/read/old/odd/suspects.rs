//! Rows that were read as links and may be something else: titles, sizes, remarks, nodes.

use super::first_row::FirstRow;
use super::lone_rows::LoneRows;
use crate::read::old::collect::NumberedRows;
use crate::read::old::header::surely_names_ends;
use crate::read::old::names::integer;
use crate::read::old::table::Row;

/// What is looked for among the rows of an edge list.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    /// Whether there is a header above the rows.
    header: bool,
    rows: u64,
    first: Option<FirstRow>,
    sizes: Option<Sizes>,
    /// Whether some row has a name that is not new.
    repeats: bool,
    late_header: Option<String>,
    strays: Lines,
    slashes: Lines,
    /// Whether two of these rows have the same source.
    slashes_again: bool,
    nodes: Nodes,
    total: Option<String>,
    lone: LoneRows,
}

/// A row as it was read.
pub(crate) struct Seen<'a> {
    pub(crate) row: &'a Row<'a>,
    /// The columns of source and target.
    pub(crate) columns: [usize; 2],
    /// The numbers of source and target, ...
    pub(crate) ends: [u32; 2],
    /// ... and how many nodes there were before it; names that are not among them are new.
    pub(crate) known: usize,
}

impl Seen<'_> {
    pub(crate) fn are_new(&self) -> [bool; 2] {
        self.ends.map(|end| end as usize >= self.known)
    }

    pub(crate) fn names(&self) -> [String; 2] {
        self.columns.map(|column| self.row.text(column).into_owned())
    }
}

impl Suspects {
    pub(crate) fn below(header: bool) -> Self {
        Self { header, ..Self::default() }
    }

    /// Looks at the next row; `doubt` says whether the first one may be no link.
    pub(crate) fn see(&mut self, seen: &Seen<'_>, doubt: bool) {
        let line = seen.row.line();
        self.rows += 1;
        let new = seen.are_new();
        if self.rows == 1 && doubt && new == [true; 2] {
            self.first = FirstRow::of(seen);
            self.sizes = Sizes::first(seen);
        } else {
            self.first.iter_mut().for_each(|first| first.see(seen));
            self.sizes.iter_mut().for_each(|sizes| sizes.see(seen.ends));
        }
        self.repeats |= new != [true; 2] || seen.ends[0] == seen.ends[1];
        self.nodes.see(new, line);
        self.lone.see(seen, !self.header && self.rows == 1);
        if new[0] {
            // Two new names below other rows: cheap enough to ask of every row.
            if self.rows > 1 && new[1] && seen.ends[0] != seen.ends[1] && self.late_header.is_none() {
                self.late_header = late_header(&seen.names(), line);
            }
        }
        self.total = if new[0] && self.rows > 1 { total(&seen.names(), line) } else { None };
        if seen.row.text(0).starts_with("//") {
            self.slashes.add(line);
            self.slashes_again |= !new[0];
        }
        if seen.row.stray() {
            self.strays.add(line);
        }
    }

    /// What is said of a network whose rows these are. `names` are those of the nodes, `first_is_said` says whether the first
    /// row is remarked on already.
    pub(crate) fn network_remarks(
        &self,
        rows: &NumberedRows,
        names: &[String],
        first_is_said: bool,
    ) -> Vec<String> {
        let first = self.first.as_ref().filter(|_| !first_is_said && self.sizes_remark(names).is_none());
        let first = first.and_then(|first| first.remark(rows, names));
        let once = !self.repeats && self.rows >= FEW;
        let table = once.then(|| {
            "every node is in one row alone: if the file lists nodes, such as numbers and their names, and not links, read \
             the file of links in its place"
                .to_owned()
        });
        let lone = if self.total.is_none() && !once { self.lone.remarks(rows, names) } else { vec![] };
        first.into_iter().chain(table).chain(lone).collect()
    }

    fn sizes_remark(&self, names: &[String]) -> Option<String> {
        self.sizes.as_ref()?.remark(names, self.rows - 1)
    }

    /// What is said of the rows. `names` are those of the nodes, `mark` is the line of a lone `#` among the rows.
    pub(crate) fn remarks(&self, names: &[String], mark: Option<u64>) -> Vec<String> {
        let mut all = vec![];
        let strays = ["has text behind a closing quote", "have text behind a closing quote"];
        all.extend(self.strays.remark(strays, "the quotes are part of the name"));
        all.extend(self.late_header.clone());
        all.extend(self.sizes_remark(names));
        all.extend(self.total.clone());
        // Names of nodes begin so in many rows, or are in several of them.
        let names_with_slashes = || names.iter().filter(|name| name.starts_with("//")).count() as u64;
        let names_too = self.slashes_again || 2 * self.slashes.count >= self.rows;
        if self.slashes.count > 0 && !names_too && self.slashes.count == names_with_slashes() {
            let slashes = ["begins with // and is taken for a link", "begin with // and are taken for links"];
            all.extend(self.slashes.remark(slashes, "comments begin with # or %"));
        }
        all.extend(mark.filter(|&mark| self.nodes.are_above(mark)).map(|mark| {
            format!(
                "line {mark} is a lone #, and no row below it has a new name: if the lines above it name nodes, as in TGF, \
                 take them out"
            )
        }));
        all
    }
}

/// A remark about a row that has words for source and target, below other rows.
fn late_header(names: &[String; 2], line: u64) -> Option<String> {
    surely_names_ends(names).then(|| {
        let words = names.join(", ");
        format!("line {line} ({words}) was taken for a link: if it is a header, take it out")
    })
}

/// What programs write before the sums of their columns, in the last row.
const TOTALS: [&str; 4] = ["total", "totals", "grand total", "sum"];

/// A remark about a row, if it is the last one, that may have the sums of the columns.
fn total(names: &[String; 2], line: u64) -> Option<String> {
    let [source, target] = names;
    let is_total = TOTALS.iter().any(|word| source.trim_end_matches(':').eq_ignore_ascii_case(word));
    is_total.then(|| {
        format!("line {line} ({source}, {target}) was taken for a link: if it has the sums of the columns, take it out")
    })
}

/// Lines that have something in common.
#[derive(Debug, Default)]
struct Lines {
    first: u64,
    count: u64,
}

impl Lines {
    fn add(&mut self, line: u64) {
        self.count += 1;
        if self.count == 1 {
            self.first = line;
        }
    }

    /// What is said of one of them or of several, and why.
    fn remark(&self, [one, several]: [&str; 2], why: &str) -> Option<String> {
        let rows = match self.count {
            0 => return None,
            1 => format!("1 row {one}"),
            count => format!("{count} rows {several}"),
        };
        Some(format!("{rows} (line {}): {why}", self.first))
    }
}

/// So few rows may have what is looked for by chance.
const FEW: u64 = 5;

/// A first row of two numbers, which may be the sizes of the network.
#[derive(Debug)]
struct Sizes {
    line: u64,
    numbers: [u64; 2],
    ends: [u32; 2],
    /// Which of the two are in other rows, too.
    again: [bool; 2],
    /// Whether the next row has one of them, as in a path.
    goes_on: Option<bool>,
}

impl Sizes {
    fn first(seen: &Seen<'_>) -> Option<Self> {
        let [one, other] = seen.names().map(|name| integer(&name));
        let (line, numbers) = (seen.row.line(), [one?, other?]);
        Some(Self { line, numbers, ends: seen.ends, again: [false; 2], goes_on: None })
    }

    fn see(&mut self, ends: [u32; 2]) {
        self.goes_on.get_or_insert_with(|| ends.iter().any(|end| self.ends.contains(end)));
        for (own, again) in self.ends.iter().zip(&mut self.again) {
            *again |= ends.contains(own);
        }
    }

    fn remark(&self, names: &[String], others: u64) -> Option<String> {
        let [one, other] = self.numbers;
        let alone = self.again.map(|again| !again);
        let absent =
            if one == other { usize::from(alone[0]) } else { alone.iter().filter(|alone| **alone).count() };
        let nodes = (names.len() - absent) as u64;
        if others < FEW {
            return None;
        }
        // The first link of a path from its last node to its first one has the sizes of the rest.
        let path = one.abs_diff(other) == 1 && absent == 1 && self.goes_on == Some(true);
        let turned = absent > 0 && [one, other] == [others, nodes];
        // Links may be there in both directions, and nodes without links have no row.
        let both_alone = absent == 2 && (other == others || Some(others) == other.checked_mul(2));
        let largest = || {
            let ids: Option<Vec<u64>> = names.iter().map(|name| integer(name)).collect();
            ids.and_then(|ids| ids.into_iter().filter(|id| !self.numbers.contains(id)).max())
        };
        let found = !path && (turned || other == others && one >= nodes)
            || both_alone && largest().is_some_and(|largest| one >= largest);
        found.then(|| {
            format!(
                "line {} ({one}, {other}) was taken for a link, though {others} other rows have {nodes} nodes: if it has \
                 the sizes of the network, take it out",
                self.line
            )
        })
    }
}

/// Rows that each have a new source, as a list of nodes with their labels has.
#[derive(Debug, Default)]
struct Nodes {
    /// The lines of the first two rows, ...
    first: Option<u64>,
    second: Option<u64>,
    /// ... of the first one whose source is not new, ...
    first_old: Option<u64>,
    /// ... of the last one that has a new name, and of the last one.
    last_new: u64,
    last: u64,
}

impl Nodes {
    fn see(&mut self, new: [bool; 2], line: u64) {
        if self.first.is_some() {
            self.second.get_or_insert(line);
        }
        self.first.get_or_insert(line);
        if !new[0] {
            self.first_old.get_or_insert(line);
        }
        if new.contains(&true) {
            self.last_new = line;
        }
        self.last = line;
    }

    /// Whether the rows above this line may be nodes, and those below it links of them.
    fn are_above(&self, line: u64) -> bool {
        self.second.is_some_and(|second| second < line)
            && self.first_old.is_some_and(|old| old > line)
            && self.last_new < line
            && self.last > line
    }
}
