//! Networks as GraphML and GEXF, which Gephi, Cytoscape, igraph and networkx read.

use std::fmt::Write;

use super::{Export, ExportedLink};
use crate::report::escaped;
use crate::visible;

/// What a node or an edge has, with the type in both formats.
struct Attribute {
    id: String,
    title: String,
    kind: &'static str,
}

impl Attribute {
    fn new(id: impl Into<String>, title: impl Into<String>, kind: &'static str) -> Self {
        Self { id: id.into(), title: title.into(), kind }
    }
}

/// Text between tags: characters that XML does not allow are shown as codes.
fn text(value: &str) -> String {
    // XML reads a tab in the value of an attribute as a space.
    escaped(&visible(value)).replace('\t', "&#9;")
}

/// The values of an element by the ids of their attributes.
type Values = Vec<(String, String)>;

fn node_attributes(export: &Export<'_>) -> Vec<Attribute> {
    let mut all = vec![
        Attribute::new("groups", "groups", "string"),
        Attribute::new("group", "group", "int"),
        Attribute::new("certainty", "certainty", "double"),
    ];
    if export.model.modes().is_some() {
        all.push(Attribute::new("mode", "mode", "string"));
    }
    let numbers = export.features.iter().map(|feature| feature.number);
    all.extend(
        numbers.map(|number| Attribute::new(format!("p{number}"), format!("in group {number}"), "double")),
    );
    all
}

fn edge_attributes() -> Vec<Attribute> {
    [("kind", "string"), ("probability", "double"), ("low", "double"), ("high", "double"), ("why", "string")]
        .map(|(name, kind)| Attribute::new(name, name, kind))
        .into()
}

fn node_values(export: &Export<'_>, node: usize) -> Values {
    let groups = export.groups(node);
    let mut values = Values::new();
    if let Some(&(first, certainty)) = groups.first() {
        let numbers: Vec<String> = groups.iter().map(|(number, _)| number.to_string()).collect();
        values.push(("groups".into(), numbers.join(" ")));
        values.push(("group".into(), first.to_string()));
        values.push(("certainty".into(), certainty.to_string()));
    }
    values.extend(export.mode(node as u32).map(|mode| ("mode".into(), mode.to_owned())));
    values.extend(groups.iter().map(|(number, certainty)| (format!("p{number}"), certainty.to_string())));
    values
}

fn edge_values(link: &ExportedLink) -> Values {
    let numbers =
        [link.prediction.mean, link.prediction.low, link.prediction.high].map(|value| value.to_string());
    let mut values = vec![("kind".into(), link.kind().to_owned())];
    values.extend(["probability", "low", "high"].map(str::to_owned).into_iter().zip(numbers));
    if link.predicted {
        values.push(("why".into(), link.why.clone()));
    }
    values
}

/// The network as GraphML.
pub fn graphml(export: &Export<'_>) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
        xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns \
        http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n"
        .to_owned();
    let mut put = |line: std::fmt::Arguments<'_>| xml.write_fmt(line).expect("a string takes everything");
    put(format_args!("  <key id=\"n.label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"));
    for (of, prefix, attributes) in [("node", "n", node_attributes(export)), ("edge", "e", edge_attributes())]
    {
        for Attribute { id, title, kind } in attributes {
            put(format_args!(
                "  <key id=\"{prefix}.{id}\" for=\"{of}\" attr.name=\"{title}\" attr.type=\"{kind}\"/>\n"
            ));
        }
    }
    let directed = if export.model.directed { "directed" } else { "undirected" };
    put(format_args!("  <graph id=\"{}\" edgedefault=\"{directed}\">\n", "network"));
    for (node, name) in export.model.nodes.names().iter().enumerate() {
        put(format_args!("    <node id=\"n{node}\">\n      <data key=\"n.label\">{}</data>\n", text(name)));
        for (id, value) in node_values(export, node) {
            put(format_args!("      <data key=\"n.{id}\">{}</data>\n", text(&value)));
        }
        put(format_args!("    </node>\n"));
    }
    for (number, link) in export.links.iter().enumerate() {
        let ExportedLink { source, target, .. } = link;
        put(format_args!("    <edge id=\"e{number}\" source=\"n{source}\" target=\"n{target}\">\n"));
        for (id, value) in edge_values(link) {
            put(format_args!("      <data key=\"e.{id}\">{}</data>\n", text(&value)));
        }
        put(format_args!("    </edge>\n"));
    }
    put(format_args!("  </graph>\n</graphml>\n"));
    xml
}

/// The network as GEXF.
pub fn gexf(export: &Export<'_>) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://www.gexf.net/1.2draft\" \
        xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.gexf.net/1.2draft \
        http://www.gexf.net/1.2draft/gexf.xsd\" version=\"1.2\">\n"
        .to_owned();
    let mut put = |line: std::fmt::Arguments<'_>| xml.write_fmt(line).expect("a string takes everything");
    let directed = if export.model.directed { "directed" } else { "undirected" };
    put(format_args!("  <graph defaultedgetype=\"{directed}\">\n"));
    for (of, attributes) in [("node", node_attributes(export)), ("edge", edge_attributes())] {
        put(format_args!("    <attributes class=\"{of}\">\n"));
        for Attribute { id, title, kind } in attributes {
            let kind = if kind == "int" { "integer" } else { kind };
            put(format_args!("      <attribute id=\"{id}\" title=\"{title}\" type=\"{kind}\"/>\n"));
        }
        put(format_args!("    </attributes>\n"));
    }
    let values = |values: Values| -> String {
        let one =
            |(id, value): (String, String)| format!("<attvalue for=\"{id}\" value=\"{}\"/>", text(&value));
        let all: String = values.into_iter().map(one).collect();
        if all.is_empty() { all } else { format!("<attvalues>{all}</attvalues>") }
    };
    put(format_args!("    <nodes>\n"));
    for (node, name) in export.model.nodes.names().iter().enumerate() {
        let values = values(node_values(export, node));
        put(format_args!("      <node id=\"n{node}\" label=\"{}\">{values}</node>\n", text(name)));
    }
    put(format_args!("    </nodes>\n    <edges>\n"));
    for (number, link) in export.links.iter().enumerate() {
        let ExportedLink { source, target, .. } = link;
        let values = values(edge_values(link));
        put(format_args!(
            "      <edge id=\"e{number}\" source=\"n{source}\" target=\"n{target}\">{values}</edge>\n"
        ));
    }
    put(format_args!("    </edges>\n  </graph>\n</gexf>\n"));
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_as_they_are_in_attributes() {
        assert_eq!(text("a\tb & \"c\" \u{1}"), "a&#9;b &amp; &quot;c&quot; \\u0001");
    }
}
