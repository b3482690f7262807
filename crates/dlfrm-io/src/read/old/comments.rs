//! What the comment lines of SNAP and KONECT files say about them, and which of them may be rows.

use dlfrm::network::Nodes;

use super::super::fields::{Delimiter, Fields};
use super::header;
use super::konect::Sizes;
use super::layout::Layout;
use super::names::integer;

/// Whether a line is blank or a comment.
pub(crate) fn skipped(line: &str) -> bool {
    matches!(line.trim_ascii_start().bytes().next(), None | Some(b'#' | b'%'))
}

/// What the first comment of a KONECT file says, such as `% bip unweighted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Konect {
    Undirected,
    Directed,
    /// Sources and targets are two kinds of nodes, and each kind is numbered from 1.
    Bipartite,
}

impl Konect {
    /// The kind of the network, and that of its weights.
    fn parse(line: &str) -> Option<(Self, &'static str)> {
        let mut words = line.trim_ascii_start().strip_prefix('%')?.split_ascii_whitespace();
        let kind = match words.next()? {
            "sym" => Self::Undirected,
            "asym" => Self::Directed,
            "bip" => Self::Bipartite,
            _ => return None,
        };
        let weights = [
            "unweighted",
            "positive",
            "posweighted",
            "signed",
            "multisigned",
            "weighted",
            "multiweighted",
            "multiposweighted",
            "dynamic",
        ];
        let word = words.next()?;
        let weights = weights.into_iter().find(|known| *known == word)?;
        words.next().is_none().then_some((kind, weights))
    }
}

/// More comments above the rows are not looked at.
pub(crate) const MOST_ABOVE: usize = 100_000;
/// So many comments with numbers that are names of nodes are rows.
const ENOUGH_NUMBERS: usize = 4;

/// Counts and direction as the comments give them, and comments that may be rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Comments {
    nodes: Option<u64>,
    edges: Option<u64>,
    undirected: bool,
    konect: Option<Konect>,
    /// What it says of weights.
    weights: Option<&'static str>,
    /// What the second comment of a KONECT file says.
    sizes: Option<Sizes>,
    /// Comments among the rows that could be rows themselves.
    like_rows: u64,
    /// The ends of comments above the rows that could be rows themselves.
    above: Vec<[String; 2]>,
    /// How many of them are surely rows: both ends begin as a comment does.
    above_marked: u64,
    /// A remark about titles of source and target in a comment that are the other way round.
    turned: Option<String>,
    /// The line of the first mark among the rows that stands alone, and how many there are.
    lone: Option<(u64, u64)>,
}

impl Comments {
    /// Looks at a comment such as `# Nodes: 18772 Edges: 396160` or `# Undirected graph: ...`.
    pub(crate) fn see(&mut self, line: &str) {
        let mut words = line.trim_start_matches(['#', '%', ' ']).split_ascii_whitespace();
        let mut first = true;
        while let Some(word) = words.next() {
            match word {
                "Nodes:" => self.nodes = words.next().and_then(|count| count.parse().ok()),
                "Edges:" => self.edges = words.next().and_then(|count| count.parse().ok()),
                "Undirected" if first => self.undirected = true,
                _ => {}
            }
            first = false;
        }
        if self.konect.is_some() {
            self.sizes = self.sizes.or_else(|| Sizes::parse(line));
        }
        if self.konect.is_none()
            && let Some((kind, weights)) = Konect::parse(line)
        {
            (self.konect, self.weights) = (Some(kind), Some(weights));
        }
    }

    /// Looks at a comment above the first row: one that has names of nodes may be a row. `named` says whether the user names
    /// the columns.
    pub(crate) fn see_above(&mut self, line: &str, layout: &Layout, named: bool) {
        let mut fields = Fields::default();
        let ends = layout.columns.ends();
        if like_row(line, &mut fields, layout.delimiter, layout.columns.needed()) {
            let names = ends.map(|column| fields.get(line, column).into_owned());
            if both_marked(&names) {
                self.above_marked += 1;
            } else {
                self.above.push(names);
            }
        }
        let words = line.trim_start_matches(['#', '%', ' ', '\t']);
        if named
            || fields.cut(words, layout.delimiter).is_err()
            || fields.len() != layout.columns.list().len()
        {
            return;
        }
        let titles = fields.to_vec(words);
        if let Some(titled) = header::sure_columns(&titles).filter(|titled| titled.ends() != ends) {
            let [from, to] = ends.map(|column| &titles[column]);
            self.turned = Some(format!(
                "links go from the first column to the second, which a comment calls '{from}' and '{to}': if they go the \
                 other way, say --columns {titled}"
            ));
        }
    }

    /// Looks at a comment below the first row: one that has as many columns as a row may be a row.
    pub(crate) fn see_below(&mut self, number: u64, line: &str, delimiter: Delimiter, needed: usize) {
        if line.trim_ascii() == "#" {
            let (_, count) = self.lone.get_or_insert((number, 0));
            *count += 1;
        }
        self.like_rows += u64::from(like_row(line, &mut Fields::default(), delimiter, needed));
    }

    /// The line of a `#` among the rows that stands alone, if there is one such line.
    pub(crate) fn lone_mark(&self) -> Option<u64> {
        self.lone.filter(|(_, count)| *count == 1).map(|(line, _)| line)
    }

    /// What to say of three or four columns of a KONECT file, which has no header.
    pub(crate) fn konect_columns(&self, found: usize) -> Option<String> {
        let weights = self.weights?;
        let columns =
            |third: &str| format!("--columns source,target,{third}{}", if found > 3 { ",skip" } else { "" });
        let signed = ["signed", "multisigned"].contains(&weights);
        let as_label = if signed {
            format!("; if a negative sign is to be the label of a non-link, say {}", columns("label"))
        } else {
            String::new()
        };
        let time = if found > 3 { " and a time" } else { "" };
        [3, 4].contains(&found).then(|| {
            format!(
                "a comment in the file says it is of KONECT, with weights ({weights}){time} behind the ends, which are not used: \
                 say {}{as_label}",
                columns("weight")
            )
        })
    }

    /// Whether the file says that links have a direction, as KONECT does.
    pub(crate) fn directed(&self) -> bool {
        self.konect == Some(Konect::Directed)
    }

    /// Whether the file says that sources and targets are two kinds of nodes, as KONECT does.
    pub(crate) fn bipartite(&self) -> bool {
        self.konect == Some(Konect::Bipartite)
    }

    /// Where the file is not what its comments say. `nodes` is unknown if the user declared the nodes.
    pub(crate) fn remarks(&self, nodes: Option<usize>, rows: u64, directed: bool) -> Vec<String> {
        let mut all = Vec::new();
        let mut compare = |said: Option<u64>, found: Option<u64>, what: &str, of: &str| {
            if let (Some(said), Some(found)) = (said, found)
                && said != found
            {
                all.push(format!("a comment in the file says {said} {what}, but there are {found} {of}"));
            }
        };
        let bipartite = self.bipartite();
        let said_nodes = self.nodes.or(self.sizes.map(|sizes| sizes.nodes(bipartite)));
        compare(said_nodes, nodes.map(|count| count as u64), "nodes", "nodes");
        compare(self.edges.or(self.sizes.map(Sizes::links)), Some(rows), "edges", "rows");
        if (self.undirected || self.konect == Some(Konect::Undirected)) && directed {
            all.push("a comment in the file says it is undirected, but it was read as directed".to_owned());
        }
        all.extend(self.turned.clone().filter(|_| directed));
        all
    }

    /// What is said of comments that may be rows of these nodes.
    pub(crate) fn row_remarks(&self, nodes: &Nodes) -> Vec<String> {
        let mut all = Vec::new();
        let named = self.above_with_names(nodes) as u64;
        all.extend(match (named, self.above_marked) {
            (_, 0) => with_names(named, "above the rows "),
            (0, 1) => Some(format!(
                "1 line above the rows was skipped as a comment, though both of its names begin with # or %: {IN_QUOTES}"
            )),
            (named, marked) => {
                skipped_though(named + marked, "above the rows ", ["it looks like a row", "they look like rows"])
            }
        });
        match self.like_rows {
            0 => {}
            1 => all.push("1 line among the rows begins with # or % and was skipped as a comment".to_owned()),
            count => all
                .push(format!("{count} lines among the rows begin with # or % and were skipped as comments")),
        }
        all
    }

    /// How many comments above the rows have a name of a node. A comment may have a number by chance, as in `#nodes 5`.
    fn above_with_names(&self, nodes: &Nodes) -> usize {
        let number = |name: &String| integer(name).is_some();
        if self.above.is_empty() || nodes.names().iter().all(number) {
            return 0;
        }
        let known = |name: &&String| nodes.get(name).is_some();
        let with_names = || self.above.iter().filter(|ends| ends.iter().any(|name| known(&name)));
        let words = |ends: &&[String; 2]| ends.iter().filter(known).any(|name| !number(name));
        let count = with_names().count();
        if with_names().any(|ends| words(&ends)) || count >= ENOUGH_NUMBERS { count } else { 0 }
    }
}

/// What to do with a name that begins as a comment does.
const IN_QUOTES: &str = "put names that begin so in double quotes";

/// What is said of so many comments that have names of nodes; `place` says where they are.
pub(crate) fn with_names(count: u64, place: &str) -> Option<String> {
    skipped_though(count, place, ["it has a name of a node", "they have names of nodes"])
}

/// What is said of so many lines that were skipped although one is, or several are, as `though` says.
pub(crate) fn skipped_though(count: u64, place: &str, though: [&str; 2]) -> Option<String> {
    let [one, several] = though;
    match count {
        0 => None,
        1 => Some(format!(
            "1 line {place}begins with # or % and was skipped as a comment, though {one}: put a name that begins so in double \
             quotes"
        )),
        count => Some(format!(
            "{count} lines {place}begin with # or % and were skipped as comments, though {several}: {IN_QUOTES}"
        )),
    }
}

/// Whether a cell is a name of a node, or one behind the mark of a comment without a space, as in a row that is left out.
pub(crate) fn names_node(cell: &str, nodes: &Nodes) -> bool {
    let known = |name: &str| nodes.get(name).is_some();
    known(cell) || cell.strip_prefix(['#', '%']).is_some_and(known)
}

/// Whether both ends of a comment begin as one, as hashtags do, and are no titles.
fn both_marked(ends: &[String; 2]) -> bool {
    let marks = ['#', '%'];
    let words = ends.clone().map(|end| end.trim_start_matches(marks).to_owned());
    ends.iter().all(|end| end.starts_with(marks))
        && words.iter().all(|word| !word.is_empty() && !word.starts_with(' '))
        && header::sure_columns(&words).is_none()
}

/// Whether a comment has as many columns as a row. A remark has a space, or more than one mark, before its words.
fn like_row(line: &str, fields: &mut Fields, delimiter: Delimiter, needed: usize) -> bool {
    let word = matches!(line.trim_ascii_start().as_bytes(),
        [mark, next, ..] if !next.is_ascii_whitespace() && next != mark);
    word && fields.cut(line, delimiter).is_ok() && fields.len() == needed
}

/// Whether a comment is surely a row, whatever cuts it.
pub(crate) fn surely_row(line: &str) -> bool {
    let mut fields = Fields::default();
    Delimiter::ALL.into_iter().any(|delimiter| {
        like_row(line, &mut fields, delimiter, 2)
            && both_marked(&[0, 1].map(|column| fields.get(line, column).into_owned()))
    })
}
