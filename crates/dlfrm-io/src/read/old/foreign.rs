//! Formats of networks other than edge lists, known by how they begin: read, or refused with how to convert them.

use super::comments::skipped;
use super::error::ReadError;
use super::graph::is_gml;
use super::input::{HEAD, Input};
use super::sections::{LGL, TGF, is_lgl, is_tgf};

/// A format with nodes and edges that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    GraphMl,
    Gexf,
    Gml,
    Pajek,
}

/// A format that is no edge list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    Read(Format),
    /// Its name, and how to convert it.
    Refused(&'static str, &'static str),
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::GraphMl => "GraphML",
            Self::Gexf => "GEXF",
            Self::Gml => "GML",
            Self::Pajek => "Pajek",
        }
    }
}

/// Refuses a file that is no edge list, where networks of other formats make no sense.
pub(crate) fn check_pairs(input: &mut Input<'_>) -> Result<(), ReadError> {
    let (name, how) = match foreign(&input.head()?) {
        None => return Ok(()),
        Some(Foreign::Read(format)) => (format.name(), "pairs are read from an edge list, one pair per line"),
        Some(Foreign::Refused(name, how)) => (name, how),
    };
    Err(ReadError::Foreign { file: input.name.clone(), name, how: how.into() })
}

const EDGE_LIST: &str = "write an edge list, one pair per line";

const PYTHON: &str = "pairs in one list, as Python prints it";

const NETWORKX: &str = "write an edge list, for example with networkx: \
    nx.write_edgelist(nx.nx_pydot.read_dot('FILE'), 'links.tsv', delimiter='\\t', data=False)";

/// How the first line of a pointer of Git LFS begins.
const LFS: &str = "version https://git-lfs";

const GDF: &str = "write an edge list of the lines below edgedef> (sed '1,/^edgedef>/d')";

/// The format of a file that begins with these bytes, if it is no edge list.
pub(crate) fn foreign(head: &[u8]) -> Option<Foreign> {
    let written = String::from_utf8_lossy(head);
    // A byte order mark says nothing, in any format.
    let written = written.strip_prefix('\u{feff}').unwrap_or(&written);
    let text = written.to_ascii_lowercase();
    let text = text.as_str();
    let refused = |name, how| Some(Foreign::Refused(name, how));
    let read = |format| Some(Foreign::Read(format));
    let lines = || text.lines().map(str::trim).filter(|line| !skipped(line));
    let first = lines().next()?;
    if first.starts_with('<') {
        return match () {
            () if text.contains("<graphml") => read(Format::GraphMl),
            () if text.contains("<gexf") => read(Format::Gexf),
            () if text.contains("<html") || text.contains("<!doctype html") => {
                refused("HTML", "is it the page that links to the data?")
            }
            () if first.starts_with("<?xml") || text.contains("</") => refused("XML", EDGE_LIST),
            () => None,
        };
    }
    // A name in brackets has no comma.
    let pair = |line: &str| line.split_once("),").is_some_and(|(pair, _)| pair.contains(','));
    let word = first.split(|c: char| !c.is_alphanumeric() && c != '*').next().unwrap_or_default();
    // What follows the word "graph" and a name, over the end of a line too.
    let braced = || {
        let begun = text.find(first).map_or(text, |at| &text[at..]);
        let rest = begun.find("graph").map(|at| begun[at + "graph".len()..].trim_start());
        rest.is_some_and(|rest| {
            let name_taken_off =
                rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'));
            name_taken_off.trim_start().starts_with('{')
        })
    };
    let mut whole: Vec<&str> = written.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // The last line may go on.
    whole.truncate(whole.len() - usize::from(head.len() >= HEAD));
    match word {
        "version" if first.starts_with(LFS) => {
            refused("Git LFS", "it only says where the data is (git lfs pull fetches it)")
        }
        "nodedef" if first.starts_with("nodedef>") => refused("GDF", GDF),
        _ if is_gml(written) => read(Format::Gml),
        _ if is_tgf(&whole) => refused("TGF (Trivial Graph Format)", TGF),
        _ if is_lgl(&whole) => refused("LGL (Large Graph Layout)", LGL),
        "graph" | "digraph" | "strict" if braced() => refused("Graphviz (DOT)", NETWORKX),
        "*vertices" | "*network" | "*arcs" | "*edges" | "*arcslist" | "*edgeslist" | "*matrix" => {
            read(Format::Pajek)
        }
        "dl" if text.contains("data:") => refused("UCINET (DL)", EDGE_LIST),
        "*node" | "*tie" if first.contains(" data") => refused("NetDraw (VNA)", EDGE_LIST),
        _ => {
            let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            match dense.get(..2) {
                Some("{\"" | "[[" | "[{") => refused("JSON", EDGE_LIST),
                Some("[(" | "((" | "{(") => refused(PYTHON, EDGE_LIST),
                _ if dense.starts_with('(') && pair(first) => refused(PYTHON, EDGE_LIST),
                _ => None,
            }
        }
    }
}
