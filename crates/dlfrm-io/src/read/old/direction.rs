//! What the column `Type` of Gephi's tables says: whether links have a direction.

use super::options::ReadOptions;

/// Whether a value says that a link has a direction, if it says anything of that.
fn parse(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "directed" => Some(true),
        "undirected" => Some(false),
        _ => None,
    }
}

/// Whether a column is one of directions, as far as these values of it show.
pub(crate) fn is_column<'a>(title: &str, mut values: impl Iterator<Item = &'a str>) -> bool {
    title.eq_ignore_ascii_case("type") && values.all(|value| parse(value).is_some())
}

/// How many links have a direction, have none, or have a value that says nothing of it.
#[derive(Debug, Default)]
pub(crate) struct Directions {
    directed: u64,
    undirected: u64,
    others: u64,
}

/// Whether a network is directed, and who says so.
pub(crate) struct Direction {
    pub(crate) directed: bool,
    /// Whether nobody has said so, neither the user nor the file.
    pub(crate) by_default: bool,
    pub(crate) remark: Option<String>,
}

impl Directions {
    pub(crate) fn see(&mut self, value: &str) {
        let count = match parse(value) {
            Some(true) => &mut self.directed,
            Some(false) => &mut self.undirected,
            None => &mut self.others,
        };
        *count += 1;
    }

    /// What follows for the network; the user has the last word. `title` is that of the column.
    pub(crate) fn decide(&self, title: &str, options: &ReadOptions) -> Direction {
        let (directed, by_default) = (options.directed, options.directed_by_default);
        let read_as = if directed { "directed" } else { "undirected" };
        let &Self { directed: arcs, undirected: edges, others } = self;
        let said = |word: &str, verb: &str, read_as: &str| {
            Some(format!("the column '{title}' says {word} throughout, {verb} the network is {read_as}"))
        };
        let (directed, by_default, remark) = match (arcs, edges, others) {
            (0, 0, 0) => (directed, by_default, None),
            (_, _, 1..) => (directed, by_default, Some(format!("the column '{title}' is not used"))),
            (0, ..) if by_default => (false, false, said("Undirected", "so", "undirected")),
            (0, ..) if directed => (true, false, said("Undirected", "but", read_as)),
            (_, 0, _) if !directed => (false, false, said("Directed", "but", read_as)),
            (0, ..) | (_, 0, _) => (directed, false, None),
            (..) => {
                let mixed = format!(
                    "the column '{title}' has {arcs} Directed and {edges} Undirected rows, and all links are read as {read_as}"
                );
                (directed, by_default, Some(mixed))
            }
        };
        Direction { directed, by_default, remark }
    }
}
