//! Formats of networks that are not read: known by how they begin, refused with how to convert them.

use super::comments::skipped;

/// A format that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) name: &'static str,
    /// How to convert it.
    pub(crate) how: &'static str,
}

const EDGE_LIST: &str = "write an edge list, one pair per line";

/// Converting with networkx: the function that reads is all that differs.
macro_rules! networkx {
    ($read:literal) => {
        concat!(
            "write an edge list, for example with networkx: nx.write_edgelist(nx.",
            $read,
            "('FILE'), 'links.tsv', delimiter='\\t', data=False)"
        )
    };
}

/// The format of a file that begins with these bytes, if it is one that is not read.
pub(crate) fn foreign(head: &[u8]) -> Option<Foreign> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let found = |name, how| Some(Foreign { name, how });
    let lines = || text.lines().map(str::trim).filter(|line| !skipped(line));
    let first = lines().next()?;
    if first.starts_with('<') {
        return match () {
            () if text.contains("<graphml") => found("GraphML", networkx!("read_graphml")),
            () if text.contains("<gexf") => found("GEXF", networkx!("read_gexf")),
            () if text.contains("<html") || text.contains("<!doctype html") => {
                found("HTML", "is it the page that links to the data?")
            }
            () if first.starts_with("<?xml") || text.contains("</") => found("XML", EDGE_LIST),
            () => None,
        };
    }
    let word = first.split(|c: char| !c.is_alphanumeric() && c != '*').next().unwrap_or_default();
    // What follows the word "graph", over the end of a line too.
    let opened = |bracket: char| {
        let rest = text.find("graph").map(|at| text[at + "graph".len()..].trim_start());
        rest.is_some_and(|rest| {
            let name_taken_off =
                rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'));
            rest.starts_with(bracket) || (bracket == '{' && name_taken_off.trim_start().starts_with(bracket))
        })
    };
    match word {
        "graph" | "creator" | "version" | "comment" if opened('[') => found("GML", networkx!("read_gml")),
        "graph" | "digraph" | "strict" if opened('{') => {
            found("Graphviz (DOT)", networkx!("nx_pydot.read_dot"))
        }
        "*vertices" | "*network" | "*arcs" | "*edges" | "*arcslist" | "*edgeslist" | "*matrix" => {
            found("Pajek", networkx!("read_pajek"))
        }
        "dl" if text.contains("data:") => found("UCINET (DL)", EDGE_LIST),
        _ => {
            let dense: String = text.chars().filter(|c| !c.is_whitespace()).take(2).collect();
            matches!(dense.as_str(), "{\"" | "[[" | "[{").then_some(Foreign { name: "JSON", how: EDGE_LIST })
        }
    }
}
