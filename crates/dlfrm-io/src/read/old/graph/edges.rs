//! The edges of a graph: links, or pairs of relations with labels where edges have attributes that say so.

use super::super::collect::NumberedRows;
use super::super::error::ReadError;
use super::super::label::Label;
use super::super::names::Numbering;

/// An edge as the file has it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Edge<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) weight: Option<&'a str>,
    pub(crate) relation: Option<&'a str>,
    pub(crate) label: Option<&'a str>,
    pub(crate) line: u64,
}

impl Edge<'_> {
    /// Whether the label, if it is one, does not say that the edge is something else than a link.
    pub(crate) fn may_be_link(&self) -> bool {
        written(self.label).and_then(Label::parse).is_none_or(|label| label == Label::Link)
    }
}

/// What the label of an edge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Label(Label),
    /// Something else: a text to be shown beside the edge.
    Text,
}

#[derive(Debug)]
struct Row {
    ends: (u32, u32),
    relation: Option<u32>,
    said: Said,
    line: u64,
}

/// All edges by the numbers of their nodes.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    rows: Vec<Row>,
    relations: Numbering,
}

/// What the edges are.
pub(crate) struct Found {
    pub(crate) rows: NumberedRows,
    pub(crate) relations: Option<Numbering>,
    /// Whether labels are texts, which say nothing of links.
    pub(crate) texts: bool,
}

/// A text that says something.
fn written(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

impl Edges {
    /// Adds an edge.
    pub(crate) fn push(&mut self, ends: (u32, u32), edge: &Edge<'_>) {
        let relation = written(edge.relation).and_then(|name| self.relations.number(name, u32::MAX));
        let label = written(edge.label);
        let said = label.map_or(Said::Nothing, |text| Label::parse(text).map_or(Said::Text, Said::Label));
        self.rows.push(Row { ends, relation, said, line: edge.line });
    }

    /// The rows of the network. An edge without the relation or the label that others have is an error.
    pub(crate) fn finish(self, wrong: impl Fn(u64, String) -> ReadError) -> Result<Found, ReadError> {
        let said = |one: fn(Said) -> bool| self.rows.iter().any(|row| one(row.said));
        let texts = said(|said| said == Said::Text);
        let labelled = !texts && said(|said| matches!(said, Said::Label(Label::NonLink | Label::Unobserved)));
        let related = self.relations.len() > 0;
        let mut rows = NumberedRows::default();
        for Row { ends: (source, target), relation, said, line } in self.rows {
            if related && relation.is_none() {
                return Err(wrong(line, "the edge has no relation, and others have one".to_owned()));
            }
            let mark = match said {
                Said::Label(label) if labelled => Some((label, line)),
                _ if labelled => {
                    let expected = Label::EXPECTED;
                    return Err(wrong(
                        line,
                        format!("the edge has no label, and others have one: {expected}"),
                    ));
                }
                _ => None,
            };
            rows.push(relation.unwrap_or(0), source, target, mark);
        }
        Ok(Found { rows, relations: related.then_some(self.relations), texts })
    }
}
