//! Pajek: a section of vertices, then arcs (directed) or edges (undirected), as pairs or as lists.

use dlfrm::network::Mode;

use super::super::error::ReadError;
use super::edges::Edge;
use super::{Graph, SEVERAL_GRAPHS};
use crate::read::fields::{Delimiter, Fields};

/// The section that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Nothing,
    Vertices,
    /// Pairs or lists of arcs or edges.
    Links {
        directed: bool,
        list: bool,
    },
}

/// The sections of a graph that have begun.
#[derive(Debug, Default)]
struct Begun {
    network: bool,
    vertices: bool,
    /// The number of the relation of links, such as `:1`.
    relation: Option<String>,
}

/// Reads all vertices, arcs and edges.
pub(crate) fn read(text: &str, graph: &mut Graph) -> Result<(), ReadError> {
    let mut section = Section::Nothing;
    let mut begun = Begun::default();
    let mut fields = Fields::default();
    // Source, target, weight and line of everything that links.
    let mut arcs: Vec<(String, String, Option<String>, u64)> = Vec::new();
    let mut edges = arcs.clone();
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() || content.trim_start().starts_with('%') {
            continue;
        }
        if fields.cut(content, Delimiter::Spaces).is_err() {
            return Err(graph.wrong(line, "a double quote is opened and not closed"));
        }
        let cells = fields.to_vec(content);
        if content.trim_start().starts_with('*') {
            section = begin(graph, &mut begun, &cells, line)?;
            continue;
        }
        match (section, &cells[..]) {
            (Section::Vertices, [id, rest @ ..]) => {
                if let Some(times) = rest.iter().skip(1).find(|cell| is_time(cell)) {
                    graph.attributes.not_of_node("time", times);
                }
                if let [label, next, ..] = rest
                    && graph.remarks.is_empty()
                    && goes_on(content, next)
                {
                    graph.remarks.push(format!(
                        "the label in line {line} is '{label}', and '{next}' behind it is not used: labels of several words must \
                         be in double quotes"
                    ));
                }
                graph_vertex(graph, id, rest.first(), line)?;
            }
            (Section::Links { directed, list: true }, [source, targets @ ..]) => {
                let links = targets.iter().map(|target| (source.clone(), target.clone(), None, line));
                if directed { arcs.extend(links) } else { edges.extend(links) }
            }
            (Section::Links { directed, list: false }, [source, target, rest @ ..]) => {
                if rest.iter().any(|cell| is_time(cell)) {
                    graph.attributes.not_of_edge("time");
                }
                let weight = rest.first().filter(|cell| !is_time(cell)).cloned();
                let link = (source.clone(), target.clone(), weight, line);
                if directed { arcs.push(link) } else { edges.push(link) }
            }
            (Section::Links { .. }, _) => return Err(graph.wrong(line, "a line needs two vertices")),
            _ => return Err(graph.wrong(line, "the section of this line is not known")),
        }
    }
    graph.directed = !arcs.is_empty();
    if graph.directed && !edges.is_empty() {
        graph.remarks.push("edges beside arcs were read as arcs in both directions".to_owned());
    }
    for (source, target, weight, line) in &arcs {
        graph.edge(&Edge { source, target, weight: weight.as_deref(), line: *line, ..Edge::default() })?;
    }
    for (source, target, weight, line) in &edges {
        graph.edge(&Edge { source, target, weight: weight.as_deref(), line: *line, ..Edge::default() })?;
        if graph.directed {
            graph.edge(&Edge { source: target, target: source, line: *line, ..Edge::default() })?;
        }
    }
    Ok(())
}

/// Words that say how a vertex is drawn: its shape, or what a number or a colour behind the word is for.
const DRAWN: [&str; 25] = [
    "ellipse", "box", "diamond", "triangle", "cross", "empty", "house", "man", "woman", "circle", "s_size",
    "x_fact", "y_fact", "phi", "r", "q", "ic", "bc", "bw", "lc", "la", "lr", "lphi", "fos", "font",
];

/// Whether a label without quotes may go on with the cell behind it.
fn goes_on(line: &str, next: &str) -> bool {
    !line.contains('"')
        && next.starts_with(char::is_alphabetic)
        && !DRAWN.contains(&next.to_lowercase().as_str())
}

/// Whether a cell begins the times of a vertex or a line, as in `[1-3,7]`.
fn is_time(cell: &str) -> bool {
    cell.starts_with('[')
}

/// The section that a line with an asterisk begins.
fn begin(graph: &mut Graph, begun: &mut Begun, cells: &[String], line: u64) -> Result<Section, ReadError> {
    let relation = cells.get(1).filter(|cell| cell.starts_with(':'));
    if relation.is_some_and(|number| begun.relation.get_or_insert_with(|| number.clone()) != number) {
        let message =
            "several relations are not read from a Pajek file: write an edge list with a column relation";
        return Err(graph.wrong(line, message));
    }
    match cells[0].to_lowercase().as_str() {
        // The numbers of a second graph would be those of the first one.
        "*network" if begun.network || begun.vertices => Err(graph.wrong(line, SEVERAL_GRAPHS)),
        "*vertices" if begun.vertices => Err(graph.wrong(line, SEVERAL_GRAPHS)),
        "*network" => {
            begun.network = true;
            Ok(Section::Nothing)
        }
        "*vertices" => {
            begun.vertices = true;
            let Some(count) = cells.get(1).and_then(|cell| cell.parse::<u32>().ok()) else {
                let given = cells.get(1).map_or(String::new(), |cell| format!(", is '{cell}'"));
                return Err(graph
                    .wrong(line, format!("*Vertices must have their number, at most {}{given}", u32::MAX)));
            };
            if count > graph.limit {
                return Err(ReadError::too_many(&graph.file, graph.limit, "nodes"));
            }
            // Vertices need no lines of their own.
            for number in 1..=count {
                graph.number(&number.to_string(), line)?;
            }
            for node in &mut graph.nodes {
                node.declared = true;
            }
            if let Some(cell) = cells.get(2) {
                let rows = cell.parse::<usize>().ok().filter(|rows| (1..count as usize).contains(rows));
                let Some(rows) = rows else {
                    let most = count.saturating_sub(1);
                    let message = format!("the number of rows must be from 1 to {most}, is '{cell}'");
                    return Err(graph.wrong(line, message));
                };
                for (number, node) in graph.nodes.iter_mut().enumerate() {
                    node.mode = Some(if number < rows { Mode::Row } else { Mode::Column });
                }
            }
            Ok(Section::Vertices)
        }
        "*arcs" => Ok(Section::Links { directed: true, list: false }),
        "*edges" => Ok(Section::Links { directed: false, list: false }),
        "*arcslist" => Ok(Section::Links { directed: true, list: true }),
        "*edgeslist" => Ok(Section::Links { directed: false, list: true }),
        other => Err(graph.wrong(line, format!("the section {other} is not read"))),
    }
}

/// The line of a vertex: its number and its label.
fn graph_vertex(graph: &mut Graph, id: &str, label: Option<&String>, line: u64) -> Result<(), ReadError> {
    if let Some(&number) = graph.numbers.get(id) {
        graph.nodes[number as usize].label = label.cloned();
        return Ok(());
    }
    let count = graph.nodes.len();
    Err(graph.wrong(line, format!("a vertex must be a whole number from 1 to {count}, is '{id}'")))
}
