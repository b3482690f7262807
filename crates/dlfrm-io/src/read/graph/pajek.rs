//! Pajek: a section of vertices, then arcs (directed) or edges (undirected), as pairs or as lists.

use dlfrm::network::Mode;

use super::super::error::ReadError;
use super::super::fields::{Delimiter, Fields};
use super::{Edge, Graph, SEVERAL_GRAPHS};

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
    let (mut arcs, mut edges) = (Vec::new(), Vec::new());
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
                    graph.not_of_node("time", times);
                }
                graph_vertex(graph, id, rest.first(), line)?;
            }
            (Section::Links { directed, list: true }, [source, targets @ ..]) => {
                let links = targets.iter().map(|target| edge(source, target, line));
                if directed { arcs.extend(links) } else { edges.extend(links) }
            }
            (Section::Links { directed, list: false }, [source, target, rest @ ..]) => {
                if rest.iter().any(|cell| is_time(cell)) {
                    graph.not_of_edge("time");
                }
                let weight = rest.first().filter(|cell| !is_time(cell)).cloned();
                let link = Edge { weight, ..edge(source, target, line) };
                if directed { arcs.push(link) } else { edges.push(link) }
            }
            (Section::Links { .. }, _) => return Err(graph.wrong(line, "a line needs two vertices")),
            _ => return Err(graph.wrong(line, "the section of this line is not known")),
        }
    }
    graph.directed = !arcs.is_empty();
    for arc in &arcs {
        graph.edge(arc)?;
    }
    for one in &edges {
        graph.edge(one)?;
        // Edges beside arcs are arcs in both directions.
        if graph.directed {
            graph.edge(&edge(&one.target, &one.source, one.line))?;
        }
    }
    Ok(())
}

fn edge(source: &str, target: &str, line: u64) -> Edge {
    Edge { source: source.to_owned(), target: target.to_owned(), line, ..Edge::default() }
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
