//! Reading files of graphs, with nodes and edges of their own: GraphML, GEXF, GML and Pajek.

mod attributes;
mod edges;
mod gml;
mod pajek;
mod xml;

use std::collections::HashSet;
use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};
use rustc_hash::FxHashMap;

use super::collect::{FileContents, Names};
use super::comments::Comments;
use super::error::{Location, ReadError};
use super::foreign::Format;
use super::input::Input;
use super::options::ReadOptions;
use super::report::Weights;
use attributes::Attributes;
use edges::{Edge, Edges};
pub(crate) use gml::is_gml;

/// Reads a file of one of these formats; it is held in memory as a whole.
pub(crate) fn read(
    format: Format,
    input: Input<'_>,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let file = input.name.clone();
    if options.nodes.is_some() {
        let message = "the file names its nodes itself: declare none".to_owned();
        return Err(ReadError::Graph { location: Location { file, line: 1, column: None }, message });
    }
    let bytes = input.bytes()?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
            let position = before.len() - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1;
            let byte = bytes[error.valid_up_to()];
            return Err(ReadError::NotText {
                location: Location { file, line, column: None },
                byte,
                position,
            });
        }
    };
    let mut graph = Graph::new(file, options.max_nodes);
    match format {
        Format::GraphMl | Format::Gexf => xml::read(text, &mut graph)?,
        Format::Gml => gml::read(text, &mut graph)?,
        Format::Pajek => pajek::read(text, &mut graph)?,
    }
    graph.finish(text.lines().count() as u64, options)
}

const SEVERAL_GRAPHS: &str = "there is more than one graph in the file, which is not read";

/// A graph that is being read.
struct Graph {
    file: String,
    limit: u32,
    numbers: FxHashMap<String, u32>,
    nodes: Vec<Node>,
    edges: Edges,
    attributes: Attributes,
    weights: Option<Weights>,
    directed: bool,
    /// Edges that a program predicted: they are no links.
    predicted: u64,
    remarks: Vec<String>,
}

/// A node: its own id, its label, its mode in a bipartite network, and the line that names it first.
struct Node {
    id: String,
    label: Option<String>,
    mode: Option<Mode>,
    line: u64,
    declared: bool,
}

impl Graph {
    fn new(file: String, limit: u32) -> Self {
        Self {
            file,
            limit,
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            edges: Edges::default(),
            attributes: Attributes::default(),
            weights: None,
            directed: false,
            predicted: 0,
            remarks: Vec::new(),
        }
    }

    fn wrong(&self, line: u64, message: impl Into<String>) -> ReadError {
        let location = Location { file: self.file.clone(), line, column: None };
        ReadError::Graph { location, message: message.into() }
    }

    fn number(&mut self, id: &str, line: u64) -> Result<u32, ReadError> {
        if let Some(&number) = self.numbers.get(id) {
            return Ok(number);
        }
        let number = self.nodes.len() as u32;
        if number >= self.limit {
            return Err(ReadError::too_many(&self.file, self.limit, "nodes"));
        }
        self.numbers.insert(id.to_owned(), number);
        self.nodes.push(Node { id: id.to_owned(), label: None, mode: None, line, declared: false });
        Ok(number)
    }

    /// Adds a node.
    fn node(
        &mut self,
        id: &str,
        label: Option<String>,
        mode: Option<Mode>,
        line: u64,
    ) -> Result<(), ReadError> {
        let number = self.number(id, line)? as usize;
        if self.nodes[number].declared {
            return Err(self.wrong(line, format!("the node '{id}' is there twice")));
        }
        let node = &mut self.nodes[number];
        node.declared = true;
        node.label = label.filter(|label| !label.is_empty());
        node.mode = mode;
        Ok(())
    }

    /// Adds an edge.
    fn edge(&mut self, edge: &Edge<'_>) -> Result<(), ReadError> {
        let line = edge.line;
        let ends = (self.number(edge.source, line)?, self.number(edge.target, line)?);
        if let Some(text) = edge.weight {
            match text.trim().parse::<f64>() {
                Ok(weight) if weight.is_finite() => {
                    Weights::add(&mut self.weights, weight, edge.may_be_link());
                }
                _ => return Err(self.wrong(line, format!("a weight must be a finite number, is '{text}'"))),
            }
        }
        self.edges.push(ends, edge);
        Ok(())
    }

    fn finish(mut self, lines: u64, options: &ReadOptions) -> Result<FileContents, ReadError> {
        if let Some(node) = self.nodes.iter().find(|node| !node.declared) {
            return Err(
                self.wrong(node.line, format!("an edge names the node '{}', which is not there", node.id))
            );
        }
        if self.nodes.is_empty() {
            return Err(ReadError::Empty { file: self.file, what: "has no nodes" });
        }
        let labels: HashSet<&str> = self.nodes.iter().filter_map(|node| node.label.as_deref()).collect();
        let by_label = labels.len() == self.nodes.len();
        if !by_label && !labels.is_empty() {
            let why = "labels are missing or not all different, so nodes have the names of their ids";
            self.remarks.push(why.to_owned());
        }
        let others = if self.predicted > 0 && self.attributes.take_kind() {
            " (its kind is 'predicted', as dlfrm export writes it; edges of other kinds are links)"
        } else {
            ""
        };
        match self.predicted {
            0 => {}
            1 => self.remarks.push(format!("1 edge is a predicted one and was set aside{others}")),
            count => {
                let others = others.replace("its kind", "their kind");
                self.remarks.push(format!("{count} edges are predicted ones and were set aside{others}"));
            }
        }
        let file = self.file.clone();
        let edges = std::mem::take(&mut self.edges).finish(|line, message| ReadError::Graph {
            location: Location { file: file.clone(), line, column: None },
            message,
        })?;
        if edges.texts {
            self.attributes.texts();
        }
        self.remarks.extend(std::mem::take(&mut self.attributes).remarks());
        self.remarks.extend(options.without_effect("the file"));
        if !self.directed && options.directed {
            let flag = options.without_direction();
            self.remarks.push(format!("the graph is undirected, so the network is{flag}"));
        }
        // Where the user says what the network is, the file does not.
        let bipartite = options.bipartite.is_none() && self.nodes.iter().any(|node| node.mode.is_some());
        let modes = bipartite.then(|| Modes::new(self.nodes.iter().map(|node| node.mode).collect()));
        self.remarks.extend(modes.as_ref().map(|modes: &Modes| modes.warning(options.bipartite)));
        let name = |node: Node| if by_label { node.label.unwrap_or(node.id) } else { node.id };
        let nodes: Nodes = self.nodes.into_iter().map(name).collect();
        Ok(FileContents {
            rows: edges.rows,
            names: Names { nodes: Arc::new(nodes), final_ids: None, relations: edges.relations },
            directed: self.directed && options.directed,
            directed_by_default: options.directed_by_default,
            first_row_is_link: false,
            weights: self.weights,
            stored_zeros: 0,
            lines,
            comments: Comments::default(),
            remarks: self.remarks,
            modes,
            unclear: None,
            kinds: None,
        })
    }
}
