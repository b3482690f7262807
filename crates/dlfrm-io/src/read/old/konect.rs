//! Numbers of nodes, also where rows and columns are numbered by themselves, as in KONECT's bipartite networks, and the
//! sizes that a KONECT file says.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};

use super::error::{Location, ReadError};
use super::names::{Naming, Numbering, integer};
use super::table::Row;

/// How the ends of rows become numbers.
pub(crate) enum Ends {
    /// A name has one node.
    Together(Naming),
    /// A source and a target of the same name are two nodes. A row has an even number, a column an odd one.
    Apart { rows: Naming, columns: Naming },
}

/// The nodes of a file.
pub(crate) struct Named {
    pub(crate) nodes: Arc<Nodes>,
    /// The final number of each number so far, where it differs.
    pub(crate) final_ids: Option<Vec<u32>>,
    /// Their modes, if rows and columns are apart.
    pub(crate) modes: Option<Modes>,
    pub(crate) remark: Option<String>,
}

impl Ends {
    /// Rows and columns are apart if the file says so and the user declares no nodes.
    pub(crate) fn new(naming: Naming, bipartite: bool) -> Self {
        match naming {
            Naming::Free(rows) if bipartite => {
                Self::Apart { rows: Naming::Free(rows), columns: Naming::Free(Numbering::default()) }
            }
            naming => Self::Together(naming),
        }
    }

    /// Whether a name has one node.
    pub(crate) fn together(&self) -> bool {
        matches!(self, Self::Together(_))
    }

    /// How many names have appeared, or are known beforehand.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Together(naming) => naming.len(),
            Self::Apart { rows, columns } => rows.len() + columns.len(),
        }
    }

    /// The numbers of the two ends of a row, which these columns name.
    pub(crate) fn numbers(
        &mut self,
        row: &Row<'_>,
        [source, target]: [usize; 2],
        limit: u32,
    ) -> Result<[u32; 2], ReadError> {
        match self {
            Self::Together(naming) => {
                Ok([row.node(source, naming, limit)?, row.node(target, naming, limit)?])
            }
            Self::Apart { rows, columns } => {
                let half = limit.min(u32::MAX / 2);
                let from = row.node(source, rows, half)?;
                let to = row.node(target, columns, half)?;
                if rows.len() + columns.len() > limit as usize {
                    return Err(ReadError::too_many(row.file(), limit, "nodes"));
                }
                Ok([2 * from, 2 * to + 1])
            }
        }
    }

    /// Whether the nodes are declared and both ends of a row are words that are none of them.
    pub(crate) fn know_neither(&self, row: &Row<'_>, columns: [usize; 2]) -> bool {
        let Self::Together(naming) = self else { return false };
        columns.iter().all(|&column| match naming {
            Naming::Free(_) => false,
            Naming::Count(_) => row.may_be_title(column),
            Naming::Known(nodes) => row.may_be_title(column) && nodes.get(&row.text(column)).is_none(),
        })
    }

    pub(crate) fn finish(self) -> Named {
        let (rows, columns) = match self {
            Self::Together(naming) => {
                let (nodes, final_ids) = naming.finish();
                return Named { nodes, final_ids, modes: None, remark: None };
            }
            Self::Apart { rows, columns } => (rows.finish(), columns.finish()),
        };
        let sides = [&rows.0, &columns.0];
        let names = || sides.iter().flat_map(|side| side.names());
        let numbers = names().all(|name| integer(name).is_some());
        // Names of their own need no letter.
        let letters = numbers || rows.0.names().iter().any(|name| columns.0.get(name).is_some());
        let called = |letter: &'static str, side: &Nodes| -> Vec<String> {
            let letter = if letters { letter } else { "" };
            side.names().iter().map(|name| format!("{letter}{name}")).collect()
        };
        let [row_names, column_names] = [called("r", &rows.0), called("c", &columns.0)];
        let remark = letters.then(|| {
            format!(
                "a comment in the file says it is bipartite (bip of KONECT), so rows and columns of the same name are two \
                 nodes: rows are called {}, ..., columns {}, ...",
                row_names[0], column_names[0]
            )
        });
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
            remark,
        }
    }
}

/// The sizes in the second comment of a KONECT file, such as `% 45 15 12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    links: u64,
    rows: u64,
    columns: u64,
}

impl Sizes {
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let words = line.trim_ascii_start().strip_prefix('%')?.split_ascii_whitespace();
        let numbers: Vec<u64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match numbers[..] {
            [links, rows, columns] => Some(Self { links, rows, columns }),
            _ => None,
        }
    }

    /// How many rows of links there are.
    pub(crate) fn links(self) -> u64 {
        self.links
    }

    /// How many nodes there are: those of both kinds, or the same ones twice.
    pub(crate) fn nodes(self, bipartite: bool) -> u64 {
        if bipartite { self.rows.saturating_add(self.columns) } else { self.rows.max(self.columns) }
    }
}

/// The error of a name that is a source and a target in these lines, where rows and columns are numbered by themselves and the
/// user declares the nodes.
pub(crate) fn one_name(file: &str, name: &str, [source, target]: [u64; 2]) -> ReadError {
    let what = format!(
        "'{name}' is a source (line {source}) and a target (line {target}), but a comment in the file says it is bipartite (bip \
         of KONECT), so these are two nodes: declare none, or give them different names (awk '!/^%/ {{print \"r\" $1, \"c\" \
         $2}}')"
    );
    let line = source.max(target);
    ReadError::TwoKinds { location: Location { file: file.to_owned(), line, column: None }, what }
}
