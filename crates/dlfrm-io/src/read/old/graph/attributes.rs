//! What attributes of nodes and edges mean, and those that are not used.

use std::collections::HashSet;

use super::super::columns::Column;
use super::super::header::meaning;

/// Titles of what programs keep for themselves: names and ids, and how a node or an edge is drawn.
const OF_PROGRAMS: [&str; 36] = [
    "a",
    "alpha",
    "b",
    "color",
    "colour",
    "edge id",
    "edgeid",
    "fill",
    "g",
    "graphics",
    "height",
    "id",
    "image",
    "key",
    "label",
    "name",
    "pos",
    "position",
    "r",
    "root_index",
    "selected",
    "shape",
    "shared name",
    "size",
    "style",
    "suid",
    "thickness",
    "width",
    "x",
    "x coordinate",
    "y",
    "y coordinate",
    "z",
    "z coordinate",
    "zindex",
    "z_index",
];

/// So many titles are named.
const NAMED: usize = 8;

/// The titles of attributes that are not used, in the order in which they appear.
#[derive(Debug, Default)]
struct Titles {
    seen: HashSet<String>,
    order: Vec<String>,
}

impl Titles {
    fn see(&mut self, title: &str) {
        if !self.seen.contains(title) {
            self.seen.insert(title.to_owned());
            self.order.push(title.to_owned());
        }
    }

    /// Takes out what `dlfrm export` writes, if these titles show that it has written the file.
    fn take_written(&mut self, shown_by: &[&str], written: impl Fn(&str) -> bool) {
        if shown_by.iter().all(|title| self.seen.contains(*title)) {
            self.order.retain(|title| !written(title));
        }
    }

    /// What is said of them; `of` is what they are attributes of.
    fn remark(&self, of: &str) -> Option<String> {
        let named: Vec<String> = self.order.iter().take(NAMED).map(|title| format!("'{title}'")).collect();
        let (last, first) = named.split_last()?;
        let more = self.order.len() - named.len();
        Some(match (first, more) {
            ([], _) => format!("the {of} attribute {last} is not used"),
            (_, 0) => format!("the {of} attributes {} and {last} are not used", first.join(", ")),
            _ => format!("the {of} attributes {} and {more} more are not used", named.join(", ")),
        })
    }
}

/// What is known of the attributes of a graph so far.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    nodes: Titles,
    edges: Titles,
    /// The titles that mean the relation and the label: the first of each.
    relation: Option<String>,
    label: Option<String>,
}

impl Attributes {
    /// What an attribute of an edge means, if it is one that is read: a weight, a relation or a label.
    pub(crate) fn of_edge(&mut self, title: &str, value: &str) -> Option<Column> {
        if value.trim().is_empty() {
            return None;
        }
        if title.eq_ignore_ascii_case("weight") {
            return Some(Column::Weight);
        }
        let found = meaning(title);
        let chosen = match found {
            Some(Column::Relation) => &mut self.relation,
            Some(Column::Label) => &mut self.label,
            _ => {
                self.not_of_edge(title);
                return None;
            }
        };
        if chosen.get_or_insert_with(|| title.to_owned()) == title {
            return found;
        }
        self.edges.see(title);
        None
    }

    /// Remembers an attribute of an edge that is not used.
    pub(crate) fn not_of_edge(&mut self, title: &str) {
        if !of_programs(title) {
            self.edges.see(title);
        }
    }

    /// Remembers an attribute of a node that is not used.
    pub(crate) fn not_of_node(&mut self, title: &str, value: &str) {
        if !value.trim().is_empty() && !of_programs(title) {
            self.nodes.see(title);
        }
    }

    /// Takes out the kind of edges, and returns whether it was there: it says which edges are predicted ones.
    pub(crate) fn take_kind(&mut self) -> bool {
        let count = self.edges.order.len();
        self.edges.order.retain(|title| !title.eq_ignore_ascii_case("kind"));
        self.edges.order.len() < count
    }

    /// Remembers that labels are texts and are not used.
    pub(crate) fn texts(&mut self) {
        if let Some(title) = self.label.take() {
            self.edges.see(&title);
        }
    }

    /// What is said of attributes that are not used.
    pub(crate) fn remarks(mut self) -> Vec<String> {
        let groups =
            |title: &str| ["groups", "group", "certainty"].contains(&title) || title.starts_with("in group ");
        self.nodes.take_written(&["groups", "certainty"], groups);
        let predicted = |title: &str| ["probability", "low", "high", "why"].contains(&title);
        self.edges.take_written(&["probability", "low", "high"], predicted);
        let nodes = self
            .nodes
            .remark("node")
            .map(|remark| format!("{remark} (--node-attributes reads a table of attributes)"));
        self.edges.remark("edge").into_iter().chain(nodes).collect()
    }
}

fn of_programs(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower.starts_with("viz") || OF_PROGRAMS.contains(&lower.as_str())
}
