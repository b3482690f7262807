//! GraphML and GEXF: nodes with labels, edges with weights, relations and labels; other data are not used.

use std::collections::HashMap;

use dlfrm::network::Mode;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::super::error::ReadError;
use super::{Edge, Graph, SEVERAL_GRAPHS, mode_of};

/// The title of what a program that draws writes beside a node, as yEd does.
const DRAWN: &str = "NodeLabel";

/// The element that is open, with what is known of it.
enum Open {
    Node { id: String, label: Option<String>, mode: Option<Mode>, line: u64 },
    Edge(Edge),
}

struct State<'g> {
    graph: &'g mut Graph,
    /// The titles of data of edges (or else of nodes) by their ids; none for what only a program that draws can read.
    titles: HashMap<(bool, String), Option<String>>,
    /// What the attributes of GEXF that are being declared are of.
    class: Option<String>,
    graphs: usize,
    /// Whether edges have a direction that say nothing of it, and whether the first one has.
    default_directed: bool,
    edges_directed: Option<bool>,
    open: Option<Open>,
    /// The title and the text of the data that is open; data without a title are not for us.
    data: Option<(Option<String>, String)>,
}

pub(crate) fn read(text: &str, graph: &mut Graph) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(text);
    let mut state = State {
        graph,
        titles: HashMap::new(),
        class: None,
        graphs: 0,
        default_directed: false,
        edges_directed: None,
        open: None,
        data: None,
    };
    let (mut line, mut seen, mut depth) = (1_u64, 0_usize, 0_i64);
    loop {
        let event = reader.read_event();
        let now = (reader.buffer_position() as usize).min(text.len());
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[seen..now]).count() as u64;
        seen = now;
        match event {
            Err(error) => return Err(damaged(state.graph, line, &error)),
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => {
                depth += 1;
                state.begin(&tag, line)?;
            }
            Ok(Event::Empty(tag)) => {
                state.begin(&tag, line)?;
                state.end(local(tag.name().as_ref()))?;
            }
            Ok(Event::End(tag)) => {
                depth -= 1;
                state.end(local(tag.name().as_ref()))?;
            }
            Ok(Event::Text(piece)) => state.text(&piece),
            Ok(Event::CData(piece)) => state.text(&piece),
            Ok(Event::GeneralRef(node)) => {
                let known = plain(&format!("&{};", &*node), state.graph, line)?;
                state.text(&known);
            }
            Ok(_) => {}
        }
    }
    if depth != 0 {
        return Err(state.graph.wrong(line, "the XML ends before its last element is closed"));
    }
    if state.graphs == 0 {
        return Err(state.graph.wrong(line, "there is no graph in the file"));
    }
    Ok(())
}

fn damaged(graph: &Graph, line: u64, error: &dyn std::error::Error) -> ReadError {
    graph.wrong(line, format!("the XML is damaged: {error}"))
}

/// The name of an element without its namespace.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn plain(text: &str, graph: &Graph, line: u64) -> Result<String, ReadError> {
    unescape(text).map(std::borrow::Cow::into_owned).map_err(|error| damaged(graph, line, &error))
}

impl State<'_> {
    fn text(&mut self, piece: &str) {
        if let Some((_, text)) = &mut self.data {
            text.push_str(piece);
        }
    }

    fn begin(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ReadError> {
        let mut attributes: HashMap<String, String> = HashMap::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| damaged(self.graph, line, &error))?;
            let value = plain(&attribute.value, self.graph, line)?;
            attributes.insert(local(attribute.key.as_ref()).to_owned(), value);
        }
        let name = tag.name();
        let name = local(name.as_ref());
        let mut need = |key: &str| {
            let found = attributes.remove(key);
            found.ok_or_else(|| self.graph.wrong(line, format!("the element {name} has no {key}")))
        };
        let inside = matches!(name, "node" | "edge") && self.open.is_some();
        match name {
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self.graph.wrong(line, SEVERAL_GRAPHS));
                }
                let direction = attributes.get("edgedefault").or_else(|| attributes.get("defaultedgetype"));
                self.default_directed = direction.is_some_and(|direction| direction == "directed");
                self.graph.directed = self.default_directed;
            }
            "hyperedge" => return Err(self.graph.wrong(line, "edges of more than two nodes are not read")),
            "attributes" => self.class = attributes.remove("class"),
            "key" | "attribute" => {
                let id = need("id")?;
                let title = attributes.remove("attr.name").or_else(|| attributes.remove("title"));
                let title = (!attributes.contains_key("yfiles.type")).then(|| title.unwrap_or(id.clone()));
                let word = if name == "key" { attributes.remove("for") } else { self.class.clone() };
                let edges: &[bool] = match word.as_deref() {
                    Some("node") => &[false],
                    Some("edge") => &[true],
                    None | Some("all") => &[false, true],
                    Some(_) => &[],
                };
                for &edges in edges {
                    self.titles.insert((edges, id.clone()), title.clone());
                }
            }
            _ if inside => return Err(self.graph.wrong(line, "nodes within others are not read")),
            "node" => {
                let (id, label) = (need("id")?, attributes.remove("label"));
                self.open = Some(Open::Node { id, label, mode: None, line });
            }
            "edge" => {
                let (source, target) = (need("source")?, need("target")?);
                let own =
                    match attributes.get("directed").or_else(|| attributes.get("type")).map(String::as_str) {
                        Some("true" | "directed") => Some(true),
                        Some("false" | "undirected") => Some(false),
                        Some(other) => {
                            let what = format!("edges that are {other} are not read");
                            return Err(self.graph.wrong(line, what));
                        }
                        None => None,
                    };
                // The first edge may say another thing than the graph, if all others do, too.
                let directed = own.unwrap_or(self.default_directed);
                if *self.edges_directed.get_or_insert(directed) != directed {
                    let message = "graphs with directed and undirected edges are not read";
                    return Err(self.graph.wrong(line, message));
                }
                self.graph.directed = directed;
                let weight = attributes.remove("weight");
                let edge = Edge { source, target, weight, line, ..Edge::default() };
                self.open = Some(Open::Edge(edge));
                for title in ["label", "kind"] {
                    if let Some(value) = attributes.remove(title) {
                        self.datum(title, value);
                    }
                }
                for time in ["start", "end"].into_iter().filter(|&time| attributes.contains_key(time)) {
                    self.graph.not_of_edge(time);
                }
            }
            "spell" if matches!(self.open, Some(Open::Edge(_))) => self.graph.not_of_edge("spell"),
            "NodeLabel" => self.data = Some((Some(DRAWN.to_owned()), String::new())),
            "data" => {
                let key = need("key")?;
                self.data = Some((self.title(key), String::new()));
            }
            "attvalue" => {
                let key = attributes.remove("for").or_else(|| attributes.remove("id")).unwrap_or_default();
                if let Some(title) = self.title(key) {
                    self.datum(&title, attributes.remove("value").unwrap_or_default());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn title(&self, key: String) -> Option<String> {
        let known = self.titles.get(&(matches!(self.open, Some(Open::Edge(_))), key.clone()));
        known.cloned().unwrap_or(Some(key))
    }

    fn datum(&mut self, title: &str, value: String) {
        let lower = title.to_lowercase();
        match &mut self.open {
            Some(Open::Node { label, .. }) if title == DRAWN => {
                let drawn = || value.split_whitespace().collect::<Vec<_>>().join(" ");
                label.get_or_insert_with(drawn);
            }
            Some(Open::Node { label, .. }) if lower == "label" || (lower == "name" && label.is_none()) => {
                // Over several lines it was laid out for the eye.
                *label = Some(if value.contains('\n') { value.trim().to_owned() } else { value });
            }
            Some(Open::Node { mode, .. }) if mode_of(title, &value).is_some() => {
                *mode = mode_of(title, &value);
            }
            Some(Open::Edge(edge)) if lower == "kind" && matches!(value.trim(), "predicted" | "link") => {
                edge.predicted = value.trim() == "predicted";
            }
            Some(Open::Node { .. }) => self.graph.not_of_node(title, &value),
            Some(Open::Edge(edge)) => self.graph.attribute(edge, title, value),
            None => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), ReadError> {
        match name {
            "data" | "NodeLabel" => {
                if let Some((Some(title), text)) = self.data.take() {
                    self.datum(&title, text);
                }
            }
            "node" | "edge" => match self.open.take() {
                Some(Open::Node { id, label, mode, line }) => self.graph.node(&id, label, mode, line)?,
                Some(Open::Edge(edge)) => self.graph.edge(&edge)?,
                None => {}
            },
            _ => {}
        }
        Ok(())
    }
}
