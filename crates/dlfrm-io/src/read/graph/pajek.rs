//! Pajek: a section of vertices, then arcs (directed) or edges (undirected).

use dlfrm::network::Mode;

use super::super::error::ReadError;
use super::super::fields::{Delimiter, Fields};
use super::{Edge, Graph, SEVERAL_GRAPHS};

/// The section that is being read.
#[derive(Debug, Clone, Copy)]
enum Section {
    Nothing,
    Vertices,
    Arcs,
    Edges,
}

pub(crate) fn read(text: &str, graph: &mut Graph) -> Result<(), ReadError> {
    let mut section = Section::Nothing;
    let mut relation = None;
    let mut fields = Fields::default();
    let (mut arcs, mut edges) = (Vec::new(), Vec::new());
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() || content.trim_start().starts_with('%') {
            continue;
        }
        fields.cut(content, Delimiter::Spaces).map_err(|_| ReadError::open_quote(&graph.file, line))?;
        let cells = fields.to_vec(content);
        if content.trim_start().starts_with('*') {
            section = begin(graph, &cells, line)?;
            let number = cells.get(1).filter(|cell| cell.starts_with(':')).cloned();
            if number.is_some_and(|number| *relation.get_or_insert_with(|| number.clone()) != number) {
                let what = "several relations are not read from a Pajek file: write an edge list with a column relation";
                return Err(graph.wrong(line, what));
            }
            continue;
        }
        match (section, &cells[1..]) {
            (Section::Vertices, labels) => {
                let Some(&number) = graph.numbers.get(&cells[0]) else {
                    let what = format!("a vertex must be a whole number from 1 to {}", graph.nodes.len());
                    return Err(graph.wrong(line, format!("{what}, is '{}'", cells[0])));
                };
                graph.nodes[number as usize].label = labels.first().cloned();
            }
            (Section::Arcs | Section::Edges, [target, rest @ ..]) => {
                let [source, target] = [cells[0].clone(), target.clone()];
                let link = Edge { source, target, weight: rest.first().cloned(), line, ..Edge::default() };
                (if matches!(section, Section::Arcs) { &mut arcs } else { &mut edges }).push(link);
            }
            (Section::Arcs | Section::Edges, []) => {
                return Err(graph.wrong(line, "a line needs two vertices"));
            }
            (Section::Nothing, _) => return Err(graph.wrong(line, "the section of this line is not known")),
        }
    }
    graph.directed = !arcs.is_empty();
    for arc in &arcs {
        graph.edge(arc)?;
    }
    for one in edges {
        graph.edge(&one)?;
        // Edges beside arcs are arcs in both directions.
        if graph.directed {
            graph.edge(&Edge { source: one.target, target: one.source, weight: None, ..one })?;
        }
    }
    Ok(())
}

fn begin(graph: &mut Graph, cells: &[String], line: u64) -> Result<Section, ReadError> {
    match cells[0].to_lowercase().as_str() {
        // The numbers of a second graph would be those of the first one.
        "*network" | "*vertices" if !graph.nodes.is_empty() => Err(graph.wrong(line, SEVERAL_GRAPHS)),
        "*network" => Ok(Section::Nothing),
        "*vertices" => {
            let Some(count) = cells.get(1).and_then(|cell| cell.parse::<u32>().ok()) else {
                return Err(graph.wrong(line, "*Vertices must have their number"));
            };
            if count > graph.limit {
                return Err(ReadError::too_many(&graph.file, graph.limit, "nodes"));
            }
            // Vertices need no lines of their own.
            for number in 1..=count {
                graph.node(&number.to_string(), None, None, line)?;
            }
            if let Some(cell) = cells.get(2) {
                let rows = cell.parse::<usize>().ok().filter(|rows| (1..count as usize).contains(rows));
                let Some(rows) = rows else {
                    let most = count.saturating_sub(1);
                    let what = format!("the number of rows must be from 1 to {most}, is '{cell}'");
                    return Err(graph.wrong(line, what));
                };
                for (number, node) in graph.nodes.iter_mut().enumerate() {
                    node.mode = Some(if number < rows { Mode::Row } else { Mode::Column });
                }
            }
            Ok(Section::Vertices)
        }
        "*arcs" => Ok(Section::Arcs),
        "*edges" => Ok(Section::Edges),
        other => Err(graph.wrong(line, format!("the section {other} is not read"))),
    }
}
