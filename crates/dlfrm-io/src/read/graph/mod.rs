//! Files of graphs, with nodes and edges of their own: GraphML, GEXF, GML and Pajek.

mod gml;
mod pajek;
mod xml;

use std::collections::HashSet;
use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Nodes};
use rustc_hash::FxHashMap;

use super::columns::{Column, Label};
use super::error::ReadError;
use super::format::Format;
use super::input::Input;
use super::names::Numbering;
use super::options::ReadOptions;
use super::report::{DirectionBy, ReadReport, ReadWarning, Weights};
use super::rows::{FileContents, Names, NumberedRows};

pub(crate) fn read(
    format: Format,
    input: Input<'_>,
    options: &ReadOptions,
) -> Result<FileContents, ReadError> {
    let mut graph = Graph { file: input.name.clone(), limit: options.max_nodes, ..Graph::default() };
    if options.nodes.is_some() {
        return Err(graph.wrong(1, "the file names its nodes itself, so none can be declared"));
    }
    let text = input.text()?;
    match format {
        Format::Gml => gml::read(&text, &mut graph)?,
        Format::Pajek => pajek::read(&text, &mut graph)?,
        _ => xml::read(&text, &mut graph)?,
    }
    graph.report.lines = text.lines().count() as u64;
    graph.finish(options)
}

const SEVERAL_GRAPHS: &str = "there is more than one graph in the file, which is not read";

/// A graph that is being read.
#[derive(Default)]
struct Graph {
    file: String,
    limit: u32,
    numbers: FxHashMap<String, u32>,
    nodes: Vec<Node>,
    edges: Vec<Row>,
    relations: Numbering,
    label: Option<String>,
    directed: bool,
    report: ReadReport,
}

/// A node: its own id, its label, its mode in a bipartite network, and the line that names it first.
struct Node {
    id: String,
    label: Option<String>,
    mode: Option<Mode>,
    line: u64,
    declared: bool,
}

/// An edge as the file has it.
#[derive(Debug, Clone, Default)]
struct Edge {
    source: String,
    target: String,
    weight: Option<String>,
    relation: Option<String>,
    label: Option<String>,
    predicted: bool,
    line: u64,
}

/// An edge by the numbers of its nodes.
struct Row {
    ends: (u32, u32),
    relation: Option<u32>,
    label: Option<String>,
    line: u64,
}

const NAMES: [&str; 4] = ["id", "key", "label", "name"];

/// What an attribute of a node says about its mode: that of networkx, or that of `dlfrm export`.
fn mode_of(title: &str, value: &str) -> Option<Mode> {
    match (title.to_ascii_lowercase().as_str(), value.trim()) {
        ("mode", "row") | ("bipartite", "0") => Some(Mode::Row),
        ("mode", "column") | ("bipartite", "1") => Some(Mode::Column),
        _ => None,
    }
}

fn remember(titles: &mut Vec<String>, title: &str) {
    if !titles.iter().any(|known| known == title) {
        titles.push(title.to_owned());
    }
}

impl Graph {
    fn wrong(&self, line: u64, what: impl Into<String>) -> ReadError {
        ReadError::syntax(&self.file, line, what)
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

    fn not_of_node(&mut self, title: &str, value: &str) {
        if !value.trim().is_empty() && !NAMES.contains(&title.to_ascii_lowercase().as_str()) {
            remember(&mut self.report.ignored_of_nodes, title);
        }
    }

    fn not_of_edge(&mut self, title: &str) {
        if !NAMES.contains(&title.to_ascii_lowercase().as_str()) {
            remember(&mut self.report.ignored, title);
        }
    }

    /// Gives an edge an attribute, if it is a weight, a relation or a label that it has not.
    fn attribute(&mut self, edge: &mut Edge, title: &str, value: String) {
        if value.trim().is_empty() {
            return;
        }
        let meaning = Column::titled(title).filter(|_| !title.to_ascii_lowercase().ends_with("id"));
        let place = match meaning {
            Some(Column::Weight) => &mut edge.weight,
            Some(Column::Relation) => &mut edge.relation,
            Some(Column::Label) => {
                self.label.get_or_insert_with(|| title.to_owned());
                &mut edge.label
            }
            _ => return self.not_of_edge(title),
        };
        place.get_or_insert(value);
    }

    fn edge(&mut self, edge: &Edge) -> Result<(), ReadError> {
        if edge.predicted {
            self.report.predicted += 1;
            return Ok(());
        }
        let line = edge.line;
        let ends = (self.number(&edge.source, line)?, self.number(&edge.target, line)?);
        if let Some(text) = &edge.weight {
            match text.trim().parse::<f64>() {
                Ok(weight) if weight.is_finite() => Weights::add(&mut self.report.weights, weight),
                _ => return Err(self.wrong(line, format!("a weight must be a finite number, is '{text}'"))),
            }
        }
        let relation = edge.relation.as_deref().and_then(|name| self.relations.number(name.trim(), u32::MAX));
        self.edges.push(Row { ends, relation, label: edge.label.clone(), line });
        Ok(())
    }

    fn finish(mut self, options: &ReadOptions) -> Result<FileContents, ReadError> {
        if let Some(node) = self.nodes.iter().find(|node| !node.declared) {
            let what = format!("an edge names the node '{}', which is not there", node.id);
            return Err(self.wrong(node.line, what));
        }
        if self.nodes.is_empty() {
            return Err(ReadError::empty(&self.file, "has no nodes"));
        }
        let labels: HashSet<&str> = self.nodes.iter().filter_map(|node| node.label.as_deref()).collect();
        let by_label = labels.len() == self.nodes.len();
        self.report.warnings.extend((!by_label && !labels.is_empty()).then_some(ReadWarning::Ids));
        let rows = self.rows()?;
        // Where the user says what the network is, the file does not.
        let bipartite = options.bipartite.is_none() && self.nodes.iter().any(|node| node.mode.is_some());
        let modes = bipartite.then(|| Modes::new(self.nodes.iter().map(|node| node.mode).collect()));
        let name = |node: Node| if by_label { node.label.unwrap_or(node.id) } else { node.id };
        let nodes: Nodes = self.nodes.into_iter().map(name).collect();
        let relations = (self.relations.len() > 0).then_some(self.relations);
        Ok(FileContents {
            rows,
            names: Names { nodes: Arc::new(nodes), final_ids: None, relations },
            directed: Some((self.directed, DirectionBy::Format)),
            modes,
            report: self.report,
        })
    }

    /// The rows of the network. An edge without the relation or the label that others have is an error; labels that are texts
    /// say nothing of links.
    fn rows(&mut self) -> Result<NumberedRows, ReadError> {
        let label = |row: &Row| row.label.as_deref().map(|text| Label::parse(text.trim()));
        let texts = self.edges.iter().any(|row| label(row) == Some(None));
        let other = |row| matches!(label(row), Some(Some(Label::NonLink | Label::Unobserved)));
        let labelled = !texts && self.edges.iter().any(other);
        let mut rows = NumberedRows::default();
        for row in &self.edges {
            if self.relations.len() > 0 && row.relation.is_none() {
                return Err(self.wrong(row.line, "the edge has no relation, and others have one"));
            }
            let mark = label(row).flatten().filter(|_| labelled).map(|label| (label, row.line));
            if labelled && mark.is_none() {
                return Err(self.wrong(row.line, "the edge has no label, and others have one"));
            }
            rows.push(row.relation.unwrap_or(0), row.ends.0, row.ends.1, mark);
        }
        if let Some(title) = self.label.take().filter(|_| texts) {
            remember(&mut self.report.ignored, &title);
        }
        Ok(rows)
    }
}
