//! Names that stand among sources and targets, where the two are different kinds of nodes.

use super::collect::Names;
use super::error::{Location, ReadError};
use super::layout::Layout;
use super::options::ReadOptions;

/// The first lines that have each node as a source and as a target; 0 for none.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    lines: Vec<[u64; 2]>,
}

impl Sides {
    /// Sides are of interest if two modes are asked for, if the header names two kinds, or if something else says so.
    pub(crate) fn wanted(layout: &Layout, options: &ReadOptions, said: bool) -> Option<Self> {
        let titled = options.bipartite.is_none() && layout.kinds.is_some();
        (options.bipartite == Some(true) || titled || said).then(Self::default)
    }

    pub(crate) fn see(&mut self, source: u32, target: u32, line: u64) {
        for (side, node) in [source, target].into_iter().enumerate() {
            let node = node as usize;
            if node >= self.lines.len() {
                self.lines.resize(node + 1, [0, 0]);
            }
            let first = &mut self.lines[node][side];
            if *first == 0 {
                *first = line;
            }
        }
    }

    /// The nodes that are sources and targets, with the first lines of both.
    fn both(&self) -> impl Iterator<Item = (u32, [u64; 2])> {
        (0..).zip(self.lines.iter().copied()).filter(|(_, lines)| !lines.contains(&0))
    }

    /// The first of them in the order of the file.
    pub(crate) fn first_of_both(&self) -> Option<(u32, [u64; 2])> {
        self.both().min_by_key(|(_, lines)| lines.iter().max().copied())
    }

    /// A remark about names that are sources and targets. They are refused if the user and the header say that these are
    /// different kinds; else it may be that links are listed either way.
    pub(crate) fn remark(
        &self,
        file: &str,
        names: &Names,
        kinds: Option<&[String; 2]>,
        asked: Option<bool>,
    ) -> Result<Option<String>, ReadError> {
        let Some((node, [source, target])) = self.first_of_both() else { return Ok(None) };
        let name = names.name(node);
        let both = match self.both().count() {
            1 => {
                format!("1 name is in both columns, '{name}' (lines {source} and {target}), and is one node")
            }
            count => format!(
                "{count} names are in both columns, such as '{name}' (lines {source} and {target}), and are one node each"
            ),
        };
        match (kinds, asked) {
            (Some([one, other]), Some(true)) => Err(ReadError::TwoKinds {
                location: Location { file: file.to_owned(), line: source.max(target), column: None },
                what: format!(
                    "'{name}' is {}: give a row and a column of the same name different names, such as '{one} {name}' and \
                     '{other} {name}'",
                    if source < target {
                        format!("a target ({other}), but a source ({one}) in line {source}")
                    } else {
                        format!("a source ({one}), but a target ({other}) in line {target}")
                    }
                ),
            }),
            (Some([one, other]), _) => Ok(Some(format!(
                "the header names two kinds of nodes ({one}, {other}), but {both}: if they are two, give them \
                 different names"
            ))),
            (None, _) => Ok(Some(format!(
                "{both}, a row or a column by its links: if a row and a column have the same name, give them different \
                 names"
            ))),
        }
    }
}
