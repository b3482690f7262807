//! GML: lists of keys and values in brackets.

use quick_xml::escape::unescape;

use super::super::error::ReadError;
use super::{Edge, Graph, SEVERAL_GRAPHS, mode_of};

enum Token {
    Open,
    Close,
    /// A key, a number, or a text in quotes.
    Text(String),
}

pub(crate) fn read(text: &str, graph: &mut Graph) -> Result<(), ReadError> {
    let tokens = tokens(text).map_err(|line| ReadError::open_quote(&graph.file, line))?;
    let mut path: Vec<String> = Vec::new();
    let mut values: Vec<(String, String)> = Vec::new();
    let (mut began, mut graphs) = (1, 0);
    let mut rest = tokens.into_iter();
    while let Some((token, line)) = rest.next() {
        let key = match token {
            Token::Text(word) => word.to_lowercase(),
            Token::Close if !path.is_empty() => {
                let closed = path.pop().unwrap_or_default();
                if path == ["graph"] {
                    element(graph, &closed, &std::mem::take(&mut values), began)?;
                }
                continue;
            }
            _ => return Err(graph.wrong(line, "a key must stand here")),
        };
        match rest.next() {
            Some((Token::Open, line)) => {
                path.push(key);
                if path == ["graph"] {
                    graphs += 1;
                    if graphs > 1 {
                        return Err(graph.wrong(line, SEVERAL_GRAPHS));
                    }
                } else if path.len() == 2 {
                    began = line;
                    values.clear();
                }
            }
            Some((Token::Text(value), _)) => {
                if path == ["graph"] && key == "directed" {
                    graph.directed = value == "1";
                } else if path.len() == 2 {
                    values.push((key, value));
                }
            }
            _ => return Err(graph.wrong(line, format!("the key '{key}' has no value"))),
        }
    }
    if path.is_empty() { Ok(()) } else { Err(graph.wrong(began, "a bracket is opened and not closed")) }
}

fn element(graph: &mut Graph, kind: &str, values: &[(String, String)], line: u64) -> Result<(), ReadError> {
    let find = |key: &str| values.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    match kind {
        "node" => {
            let Some(id) = find("id") else { return Err(graph.wrong(line, "the node has no id")) };
            let label = find("label").or_else(|| find("name")).map(str::to_owned);
            let mode = values.iter().find_map(|(key, value)| mode_of(key, value));
            for (key, value) in values.iter().filter(|(key, value)| mode_of(key, value).is_none()) {
                graph.not_of_node(key, value);
            }
            graph.node(id, label, mode, line)
        }
        "edge" => {
            let (Some(source), Some(target)) = (find("source"), find("target")) else {
                return Err(graph.wrong(line, "the edge has no source or no target"));
            };
            let [source, target] = [source, target].map(str::to_owned);
            let mut edge = Edge { source, target, line, ..Edge::default() };
            for (key, value) in values {
                match key.as_str() {
                    "source" | "target" => {}
                    "value" if find("weight").is_none() => edge.weight = Some(value.clone()),
                    key => graph.attribute(&mut edge, key, value.clone()),
                }
            }
            graph.edge(&edge)
        }
        _ => Ok(()),
    }
}

/// The pieces with their lines, or the line of a quote that is not closed. A line that begins with # is a comment.
fn tokens(text: &str) -> Result<Vec<(Token, u64)>, u64> {
    let mut all = Vec::new();
    let mut quoted: Option<(String, u64)> = None;
    for (line, content) in (1..).zip(text.lines()) {
        if quoted.is_none() && content.trim_start().starts_with('#') {
            continue;
        }
        let mut word = String::new();
        for c in content.chars().chain(['\n']) {
            if let Some((inside, began)) = &mut quoted {
                if c == '"' {
                    let value =
                        unescape(inside).map_or_else(|_| inside.clone(), std::borrow::Cow::into_owned);
                    all.push((Token::Text(value), *began));
                    quoted = None;
                } else {
                    inside.push(if c == '\n' { ' ' } else { c });
                }
                continue;
            }
            if c.is_whitespace() || matches!(c, '[' | ']' | '"') {
                if !word.is_empty() {
                    all.push((Token::Text(std::mem::take(&mut word)), line));
                }
            } else {
                word.push(c);
            }
            match c {
                '[' => all.push((Token::Open, line)),
                ']' => all.push((Token::Close, line)),
                '"' => quoted = Some((String::new(), line)),
                _ => {}
            }
        }
    }
    quoted.map_or(Ok(all), |(_, line)| Err(line))
}
