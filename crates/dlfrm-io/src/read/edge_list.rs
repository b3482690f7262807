//! Edge lists: the columns of each row become numbers of nodes and relations, labels and weights.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};

use super::columns::{Column, Label};
use super::error::{Location, ReadError};
use super::input::Lines;
use super::names::{Naming, NoNumber, Numbering, integer};
use super::options::ReadOptions;
use super::report::{DirectionBy, ReadReport, ReadWarning, Weights};
use super::rows::{FileContents, Names, NumberedRows};
use super::table::{Layout, Need, Row, Table};

/// Reads all rows of an edge list.
pub(crate) fn read(
    lines: Lines<'_>,
    naming: Naming,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let layout =
        Layout { columns: options.columns.as_ref(), delimiter: options.delimiter, header: options.header };
    let table = Table::new(lines, layout, Need::Ends)?;
    let comments = Comments::of(&table.comments);
    let ends = table.positions.ends().expect("a table of links has both ends");
    let [relation, mut label, weight] =
        [Column::Relation, Column::Label, Column::Weight].map(|column| table.positions.get(column));
    let (positions, titles, data) = (table.positions, table.titles.clone(), table.data);
    let mut report = ReadReport { delimiter: Some(table.delimiter), ..ReadReport::default() };
    let titled = |word: &str| titles.iter().flatten().position(|title| title.eq_ignore_ascii_case(word));
    let kind = titled("type").filter(|&column| !positions.reads(column));
    let mut kinds = Kinds { column: kind, seen: [false; 2], mixed: None };

    let free = matches!(naming, Naming::Free(_));
    let mut nodes = Ends::new(naming, comments.bipartite);
    let mut rows = NumberedRows::default();
    let mut relations = relation.map(|_| Numbering::default());
    let mut first = First::default();
    let end = table.rows(options.max_rows, |row| {
        let [from, to] = nodes.numbers(&row, ends, options.max_nodes)?;
        first.see(&row, ends, [from, to]);
        kinds.see(&row);
        if rows.count() == 0 && kinds.column.is_some() && options.columns.is_none() {
            // The labels of Gephi's tables are texts.
            label = None;
        }
        let mut group = 0;
        if let (Some(column), Some(relations)) = (relation, &mut relations) {
            let name = row.filled(column, "relation")?;
            group = relations
                .number(&name, u32::MAX)
                .ok_or_else(|| ReadError::too_many(row.file(), u32::MAX, "relations"))?;
        }
        let mark = label
            .map(|column| row.field(column, Label::EXPECTED, Label::parse))
            .transpose()?
            .map(|label| (label, row.line()));
        if let Some(column) = weight {
            let finite = |text: &str| text.parse().ok().filter(|weight: &f64| weight.is_finite());
            let found = row.field(column, "a weight must be a finite number", finite)?;
            let link = mark.is_none_or(|(label, _)| label == Label::Link);
            Weights::add(&mut report.weights, found, link);
        }
        rows.push(group, from, to, mark);
        Ok(())
    })?;

    let Named { nodes, final_ids, modes } = nodes.finish();
    // A row of integers is no header.
    let may_be_header = titles.is_none() && options.header.is_none() && free && final_ids.is_none();
    report.warnings.extend(first.warning().filter(|_| may_be_header));
    if end.comments > 0 {
        report.warnings.push(ReadWarning::Comments { count: end.comments });
    }
    let mut compare = |what, said: Option<u64>, found: u64| {
        if let Some(said) = said.filter(|&said| said != found) {
            report.warnings.push(ReadWarning::Count { what, said, found });
        }
    };
    compare("nodes", comments.nodes.filter(|_| free), nodes.len() as u64);
    compare("edges", comments.edges, rows.count());
    let unused_label = positions.get(Column::Label).filter(|_| label.is_none());
    let used = |column: usize| {
        positions.reads(column) && unused_label != Some(column) || kinds.column == Some(column)
    };
    report.ignored = titles
        .iter()
        .flatten()
        .enumerate()
        .filter(|&(column, title)| !title.is_empty() && !used(column))
        .map(|(_, title)| title.clone())
        .chain(data.then(|| "data of links ({...})".to_owned()))
        .collect();
    report.lines = end.lines;
    report.header.clone_from(&titles);
    let column = kinds.directed(options.directed)?.map(|directed| (directed, DirectionBy::Column));
    let comment = comments.directed.map(|directed| (directed, DirectionBy::Comment));
    Ok(FileContents {
        rows,
        names: Names { nodes, final_ids, relations },
        directed: column.or(comment),
        modes: modes.filter(|_| options.bipartite != Some(false)),
        report,
    })
}

/// What the comments above the rows say, as SNAP and KONECT write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Comments {
    nodes: Option<u64>,
    edges: Option<u64>,
    directed: Option<bool>,
    /// Whether sources and targets are two kinds of nodes, each numbered from 1, as KONECT says with `bip`.
    bipartite: bool,
    /// Whether it is a file of KONECT.
    konect: bool,
}

impl Comments {
    fn of(lines: &[String]) -> Self {
        let mut found = Self::default();
        for line in lines {
            found.see(line);
        }
        found
    }

    /// Looks at a comment such as `# Nodes: 18772 Edges: 396160`, `# Undirected graph: ...`, `% sym unweighted` or `% 45 15 12`.
    fn see(&mut self, line: &str) {
        let words: Vec<&str> = line.trim_start_matches(['#', '%', ' ']).split_ascii_whitespace().collect();
        for pair in words.windows(2) {
            match pair[0] {
                "Nodes:" => self.nodes = pair[1].parse().ok(),
                "Edges:" => self.edges = pair[1].parse().ok(),
                _ => {}
            }
        }
        match words.first() {
            Some(&"Undirected") => self.directed = Some(false),
            Some(&"Directed") => self.directed = Some(true),
            _ => {}
        }
        if !line.starts_with('%') {
            return;
        }
        match words[..] {
            [kind @ ("sym" | "asym" | "bip"), weights]
                if weights.ends_with("weighted")
                    || matches!(weights, "positive" | "signed" | "multisigned" | "dynamic") =>
            {
                self.konect = true;
                self.bipartite = kind == "bip";
                self.directed = (kind != "bip").then_some(kind == "asym");
            }
            [links, rows, columns] if self.konect => {
                let number = |word: &str| word.parse::<u64>().ok();
                if let (Some(links), Some(rows), Some(columns)) =
                    (number(links), number(rows), number(columns))
                {
                    self.edges = Some(links);
                    self.nodes =
                        Some(if self.bipartite { rows.saturating_add(columns) } else { rows.max(columns) });
                }
            }
            _ => {}
        }
    }
}

/// The first row, and whether one of its names occurs again.
#[derive(Default)]
struct First {
    ends: Option<([u32; 2], [String; 2])>,
    more: bool,
    again: bool,
}

impl First {
    fn see(&mut self, row: &Row<'_>, columns: [usize; 2], [from, to]: [u32; 2]) {
        match &self.ends {
            None => {
                let names = columns.map(|column| row.text(column).into_owned());
                self.ends = Some(([from, to], names));
            }
            Some((first, _)) => {
                self.more = true;
                self.again |= first.contains(&from) || first.contains(&to);
            }
        }
    }

    fn warning(self) -> Option<ReadWarning> {
        let (_, row) = self.ends.filter(|_| self.more && !self.again)?;
        Some(ReadWarning::FirstRow { row })
    }
}

/// What the column `Type` of Gephi's tables says: `Directed` or `Undirected`.
struct Kinds {
    column: Option<usize>,
    /// Whether some link has a direction, and whether some link has none.
    seen: [bool; 2],
    mixed: Option<Location>,
}

impl Kinds {
    fn see(&mut self, row: &Row<'_>) {
        let Some(column) = self.column else { return };
        let text = row.text(column);
        match ["directed", "undirected"].iter().position(|kind| text.eq_ignore_ascii_case(kind)) {
            Some(kind) => self.seen[kind] = true,
            // It is a column of something else.
            None => self.column = None,
        }
        if self.mixed.is_none() && self.seen == [true, true] {
            self.mixed = Some(row.location(column));
        }
    }

    /// Whether links have a direction, if the column says so and no option does.
    fn directed(self, asked: Option<bool>) -> Result<Option<bool>, ReadError> {
        match self.mixed {
            _ if self.column.is_none() || asked.is_some() => Ok(None),
            None => Ok(Some(self.seen[0])),
            Some(location) => {
                let what = "has Directed and Undirected, and a network has links of one kind".to_owned();
                Err(ReadError::Column { location, title: "Type".to_owned(), what })
            }
        }
    }
}

/// How the ends of rows become numbers.
enum Ends {
    /// A name has one node.
    Together(Naming),
    /// A source and a target of the same name are two nodes, as in KONECT's bipartite networks. A row has an even number, a
    /// column an odd one.
    Apart { rows: Naming, columns: Naming },
}

/// The nodes of a file.
struct Named {
    nodes: Arc<Nodes>,
    /// The final number of each number so far, where it differs.
    final_ids: Option<Vec<u32>>,
    /// Their modes, if rows and columns are apart.
    modes: Option<Modes>,
}

impl Ends {
    /// Rows and columns are apart if the file says so and the user declares no nodes.
    fn new(naming: Naming, bipartite: bool) -> Self {
        match naming {
            Naming::Free(rows) if bipartite => {
                Self::Apart { rows: Naming::Free(rows), columns: Naming::Free(Numbering::default()) }
            }
            naming => Self::Together(naming),
        }
    }

    /// The numbers of the two ends of a row, which these columns name.
    fn numbers(
        &mut self,
        row: &Row<'_>,
        [source, target]: [usize; 2],
        limit: u32,
    ) -> Result<[u32; 2], ReadError> {
        match self {
            Self::Together(naming) => Ok([
                number(row, source, "source", naming, limit)?,
                number(row, target, "target", naming, limit)?,
            ]),
            Self::Apart { rows, columns } => {
                let half = limit.min(u32::MAX / 2);
                let from = number(row, source, "source", rows, half)?;
                let to = number(row, target, "target", columns, half)?;
                if rows.len() + columns.len() > limit as usize {
                    return Err(ReadError::too_many(row.file(), limit, "nodes"));
                }
                Ok([2 * from, 2 * to + 1])
            }
        }
    }

    fn finish(self) -> Named {
        let (rows, columns) = match self {
            Self::Together(naming) => {
                let (nodes, final_ids) = naming.finish();
                return Named { nodes, final_ids, modes: None };
            }
            Self::Apart { rows, columns } => (rows.finish(), columns.finish()),
        };
        let numbers =
            [&rows.0, &columns.0].iter().flat_map(|side| side.names()).all(|name| integer(name).is_some());
        // Names of their own need no letter.
        let letters = numbers || rows.0.names().iter().any(|name| columns.0.get(name).is_some());
        let called = |letter: &'static str, side: &Nodes| -> Vec<String> {
            let letter = if letters { letter } else { "" };
            side.names().iter().map(|name| format!("{letter}{name}")).collect()
        };
        let [row_names, column_names] = [called("r", &rows.0), called("c", &columns.0)];
        let mut final_ids = vec![0; 2 * row_names.len().max(column_names.len())];
        for (odd, before, (side, ids)) in [(0, 0, &rows), (1, row_names.len(), &columns)] {
            for number in 0..side.len() {
                let id = ids.as_ref().map_or(number, |ids| ids[number] as usize);
                final_ids[2 * number + odd] = (before + id) as u32;
            }
        }
        let kinds = [(Mode::Row, row_names.len()), (Mode::Column, column_names.len())];
        let modes =
            kinds.into_iter().flat_map(|(mode, count)| std::iter::repeat_n(Some(mode), count)).collect();
        Named {
            nodes: Arc::new(row_names.into_iter().chain(column_names).collect()),
            final_ids: Some(final_ids),
            modes: Some(Modes::new(modes)),
        }
    }
}

/// The number of the node that a field names.
fn number(
    row: &Row<'_>,
    column: usize,
    what: &str,
    naming: &mut Naming,
    limit: u32,
) -> Result<u32, ReadError> {
    let name = row.filled(column, what)?;
    naming.number(&name, limit).map_err(|why| match why {
        NoNumber::TooMany => ReadError::too_many(row.file(), limit, "nodes"),
        NoNumber::Unknown => row.unknown(column, naming.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Comments {
        Comments::of(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn snap_and_konect_say_what_the_network_is() {
        let snap = of(&["# Undirected graph: ../data/x.txt", "# Nodes: 3\tEdges: 4"]);
        assert_eq!(
            (snap.directed, snap.nodes, snap.edges, snap.konect),
            (Some(false), Some(3), Some(4), false)
        );
        let snap = of(&["# Directed graph (each unordered pair of nodes is saved once): x"]);
        assert_eq!(snap.directed, Some(true));
        let konect = of(&["% bip multisigned", "% 45 15 12"]);
        assert_eq!((konect.bipartite, konect.directed), (true, None));
        assert_eq!((konect.nodes, konect.edges), (Some(27), Some(45)));
        assert_eq!(of(&["% sym unweighted", "% 9 4 4"]).nodes, Some(4));
        assert_eq!(of(&["% asym positive"]).directed, Some(true));
        for line in ["% 45 15 12", "# bip unweighted", "% bip", "% sym and asym", "% bip unweighted x"] {
            assert!(!of(&[line]).konect, "{line}");
        }
    }
}
