//! GraphML and GEXF: nodes with labels, edges with weights; other data are not used.

use std::collections::HashMap;

use dlfrm::network::Mode;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::super::error::ReadError;
use super::{Graph, SEVERAL_GRAPHS};

/// The element that is open, with what is known of it.
enum Open {
    Node { id: String, label: Option<String>, mode: Option<Mode>, line: u64 },
    Edge { source: String, target: String, weight: Option<String>, predicted: bool, line: u64 },
}

/// What was read so far.
struct State<'g> {
    graph: &'g mut Graph,
    /// The titles of data by their ids.
    titles: HashMap<String, String>,
    graphs: usize,
    open: Option<Open>,
    /// The title of the data that is open, and its text.
    data: Option<(String, String)>,
}

/// Reads all nodes and edges.
pub(super) fn read(text: &str, graph: &mut Graph) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(text);
    let mut state = State { graph, titles: HashMap::new(), graphs: 0, open: None, data: None };
    let (mut line, mut seen, mut depth) = (1_u64, 0_usize, 0_i64);
    loop {
        let event = reader.read_event();
        let now = (reader.buffer_position() as usize).min(text.len());
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[seen..now]).count() as u64;
        seen = now;
        match event {
            Err(error) => return Err(state.graph.wrong(line, format!("the XML is damaged: {error}"))),
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => {
                depth += 1;
                state.begin(&tag, line)?;
            }
            Ok(Event::Empty(tag)) => {
                state.begin(&tag, line)?;
                state.end(local(tag.name().as_ref()), line)?;
            }
            Ok(Event::End(tag)) => {
                depth -= 1;
                state.end(local(tag.name().as_ref()), line)?;
            }
            Ok(Event::Text(piece)) => {
                if let Some((_, data)) = &mut state.data {
                    data.push_str(&piece);
                }
            }
            Ok(Event::CData(piece)) => {
                if let Some((_, data)) = &mut state.data {
                    data.push_str(&piece);
                }
            }
            Ok(Event::GeneralRef(entity)) => {
                let known = plain(&format!("&{};", &*entity), state.graph, line)?;
                if let Some((_, data)) = &mut state.data {
                    data.push_str(&known);
                }
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

/// The name of an element without its namespace.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn plain(text: &str, graph: &Graph, line: u64) -> Result<String, ReadError> {
    unescape(text)
        .map(std::borrow::Cow::into_owned)
        .map_err(|error| graph.wrong(line, format!("the XML is damaged: {error}")))
}

impl State<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ReadError> {
        let mut attributes: HashMap<String, String> = HashMap::new();
        for attribute in tag.attributes() {
            let attribute =
                attribute.map_err(|error| self.graph.wrong(line, format!("the XML is damaged: {error}")))?;
            let value = plain(&attribute.value, self.graph, line)?;
            attributes.insert(local(attribute.key.as_ref()).to_owned(), value);
        }
        let name = tag.name();
        let name = local(name.as_ref());
        let mut need = |key: &str| {
            attributes
                .remove(key)
                .ok_or_else(|| self.graph.wrong(line, format!("the element {name} has no {key}")))
        };
        match name {
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self.graph.wrong(line, SEVERAL_GRAPHS));
                }
                let direction = attributes.get("edgedefault").or_else(|| attributes.get("defaultedgetype"));
                self.graph.directed = direction.is_some_and(|direction| direction == "directed");
            }
            "hyperedge" => return Err(self.graph.wrong(line, "edges of more than two nodes are not read")),
            "key" | "attribute" => {
                let id = need("id")?;
                let title = attributes.remove("attr.name").or_else(|| attributes.remove("title"));
                self.titles.insert(id.clone(), title.unwrap_or(id));
            }
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
                            return Err(self
                                .graph
                                .wrong(line, format!("edges that are {other} are not read")));
                        }
                        None => None,
                    };
                if own.is_some_and(|own| own != self.graph.directed) {
                    let message = "graphs with directed and undirected edges are not read";
                    return Err(self.graph.wrong(line, message));
                }
                let weight = attributes.remove("weight");
                self.open = Some(Open::Edge { source, target, weight, predicted: false, line });
            }
            "data" => {
                let key = need("key")?;
                self.data = Some((self.titles.get(&key).cloned().unwrap_or(key), String::new()));
            }
            "attvalue" => {
                let key = attributes.remove("for").or_else(|| attributes.remove("id")).unwrap_or_default();
                let title = self.titles.get(&key).cloned().unwrap_or(key);
                self.datum(&title, attributes.remove("value").unwrap_or_default());
            }
            _ => {}
        }
        Ok(())
    }

    /// A value of the element that is open.
    fn datum(&mut self, title: &str, value: String) {
        let lower = title.to_lowercase();
        match &mut self.open {
            Some(Open::Node { label, .. }) if lower == "label" || (lower == "name" && label.is_none()) => {
                // Over several lines it was laid out for the eye.
                *label = Some(if value.contains('\n') { value.trim().to_owned() } else { value });
            }
            Some(Open::Edge { weight, .. }) if lower == "weight" => *weight = Some(value),
            // What `dlfrm export` writes.
            Some(Open::Node { mode, .. }) if lower == "mode" => {
                *mode = [Mode::Row, Mode::Column].into_iter().find(|mode| mode.word() == value.trim());
            }
            Some(Open::Edge { predicted, .. }) if lower == "kind" => *predicted = value.trim() == "predicted",
            _ => {}
        }
    }

    fn end(&mut self, name: &str, _: u64) -> Result<(), ReadError> {
        match name {
            "data" => {
                if let Some((title, text)) = self.data.take() {
                    self.datum(&title, text);
                }
            }
            "node" | "edge" => match self.open.take() {
                Some(Open::Node { id, label, mode, line }) => self.graph.node(&id, label, mode, line)?,
                Some(Open::Edge { predicted: true, .. }) => self.graph.predicted += 1,
                Some(Open::Edge { source, target, weight, line, .. }) => {
                    self.graph.edge(&source, &target, weight.as_deref(), line)?;
                }
                None => {}
            },
            _ => {}
        }
        Ok(())
    }
}
