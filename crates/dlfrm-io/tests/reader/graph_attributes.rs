//! Attributes of nodes and edges in GraphML, GEXF and GML: relations and labels are read, of the others a warning speaks.

use dlfrm_io::{Dataset, ReadOptions, parse_network};

/// A graph of four nodes and four edges with these keys and data of the edges.
fn graphml(keys: &str, data: [&str; 4]) -> String {
    let ends = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")];
    let edges = ends.iter().zip(data).map(|((source, target), data)| {
        format!("<edge source=\"{source}\" target=\"{target}\">{data}</edge>\n")
    });
    let nodes = ["a", "b", "c", "d"].map(|id| format!("<node id=\"{id}\"/>\n")).concat();
    let edges: String = edges.collect();
    format!("<graphml>\n{keys}\n<graph edgedefault=\"undirected\">\n{nodes}{edges}</graph></graphml>\n")
}

fn key(title: &str) -> String {
    format!("<key id=\"d0\" for=\"edge\" attr.name=\"{title}\" attr.type=\"string\"/>")
}

fn values(values: [&str; 4]) -> [String; 4] {
    values.map(
        |value| if value.is_empty() { String::new() } else { format!("<data key=\"d0\">{value}</data>") },
    )
}

fn with_values(title: &str, given: [&str; 4]) -> String {
    let data = values(given);
    graphml(&key(title), [&data[0], &data[1], &data[2], &data[3]])
}

fn parse(text: &str) -> Result<Dataset, String> {
    let options = ReadOptions { directed_by_default: true, directed: false, ..ReadOptions::default() };
    parse_network(text.as_bytes(), "graph", &options).map_err(|error| error.to_string())
}

fn read(text: &str) -> Dataset {
    parse(text).unwrap()
}

/// The relations with their links and non-links.
fn counts(dataset: &Dataset) -> Vec<(Option<&str>, usize, usize)> {
    let count = |relation: &dlfrm::network::Relation| {
        (relation.network.links().len(), relation.network.non_links().len())
    };
    dataset
        .relations
        .iter()
        .map(|relation| (relation.name.as_deref(), count(relation).0, count(relation).1))
        .collect()
}

#[test]
fn edges_have_relations() {
    let dataset = read(&with_values("relation", ["friend", "foe", "friend", "friend"]));
    assert_eq!(counts(&dataset), [(Some("friend"), 3, 0), (Some("foe"), 1, 0)]);
    assert!(dataset.report.remarks.is_empty(), "{:?}", dataset.report.remarks);
    assert_eq!(
        parse(&with_values("relation", ["friend", "", "foe", "foe"])).unwrap_err(),
        "graph, line 9: the edge has no relation, and others have one"
    );
    let default = "<key id=\"d0\" for=\"edge\" attr.name=\"relation\"><default>foe</default></key>";
    let data = values(["friend", "", "friend", "friend"]);
    let dataset = read(&graphml(default, [&data[0], &data[1], &data[2], &data[3]]));
    assert_eq!(counts(&dataset), [(Some("friend"), 3, 0), (Some("foe"), 1, 0)]);
    let gml = "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ]\nedge [ source 1 target 2 relation \"likes\" ]\nedge [ source 2 \
               target 3 relation \"hates\" ] ]";
    assert_eq!(counts(&read(gml)), [(Some("likes"), 1, 0), (Some("hates"), 1, 0)]);
}

#[test]
fn edges_have_labels() {
    for given in [["1", "0", "1", "0"], ["true", "false", "true", "false"]] {
        let dataset = read(&with_values("label", given));
        assert_eq!(counts(&dataset), [(None, 2, 2)]);
        assert!(dataset.report.warnings()[0].starts_with("2 non-links are listed, so pairs"));
    }
    assert_eq!(
        parse(&with_values("label", ["1", "0", "", "1"])).unwrap_err(),
        "graph, line 10: the edge has no label, and others have one: a label must be 1 or 0, yes or no, true or false, or ? if \
         it is unobserved"
    );
    assert_eq!(counts(&read(&with_values("label", ["1", "1", "", "1"]))), [(None, 4, 0)]);
    // Texts beside the edges, as drawing programs have them.
    for given in [["0", "knows", "1", "0"], ["3", "0", "2", "1"]] {
        let dataset = read(&with_values("Edge Label", given));
        assert_eq!(counts(&dataset), [(None, 4, 0)]);
        assert_eq!(dataset.report.remarks, ["the edge attribute 'Edge Label' is not used"]);
    }
    let gexf = "<gexf><graph defaultedgetype=\"undirected\"><nodes><node id=\"0\"/><node id=\"1\"/><node id=\"2\"/></nodes><edges>\
                <edge source=\"0\" target=\"1\" label=\"1\"/><edge source=\"1\" target=\"2\" label=\"0\"/></edges></graph></gexf>";
    assert_eq!(counts(&read(gexf)), [(None, 1, 1)]);
    let empty = gexf.replace("label=\"1\"", "label=\"\"").replace("label=\"0\"", "label=\"\"");
    assert!(counts(&read(&empty)) == [(None, 2, 0)] && read(&empty).report.remarks.is_empty());
}

const OF_NODES: &str = "(--node-attributes reads a table of attributes)";

#[test]
fn other_attributes_are_not_used() {
    let dataset = read(&with_values("since", ["1999", "2001", "", ""]));
    assert_eq!(dataset.report.remarks, ["the edge attribute 'since' is not used"]);
    // An id of GEXF is one of nodes and one of edges.
    let gexf = "<gexf><graph defaultedgetype=\"undirected\"><attributes class=\"node\"><attribute id=\"0\" title=\"age\"/>\
                <attribute id=\"1\" title=\"city\"/></attributes><attributes class=\"edge\"><attribute id=\"0\" title=\"since\"/>\
                </attributes><nodes><node id=\"a\" label=\"Ada\"><attvalues><attvalue for=\"0\" value=\"3\"/><attvalue for=\"1\" \
                value=\"Rome\"/></attvalues><viz:color r=\"1\" g=\"2\" b=\"3\"/><viz:size value=\"4\"/></node>\
                <node id=\"b\" label=\"Bob\"/></nodes><edges><edge source=\"a\" target=\"b\"><attvalues><attvalue for=\"0\" \
                value=\"1999\"/></attvalues></edge></edges></graph></gexf>";
    assert_eq!(
        read(gexf).report.remarks,
        [
            "the edge attribute 'since' is not used".to_owned(),
            format!("the node attributes 'age' and 'city' are not used {OF_NODES}")
        ]
    );
    let timed = gexf
        .replace("<edge source", "<edge kind=\"work\" start=\"2001\" source")
        .replace("</edge>", "<spell/></edge>");
    assert_eq!(
        read(&timed).report.remarks[0],
        "the edge attributes 'kind', 'start', 'since' and 'spell' are not used"
    );
    let gml = "graph [ node [ id 1 label \"Ada\" value 3 graphics [ x 1 fill \"#fff\" ] ] node [ id 2 label \"Bob\" value 4 ]\nedge [ \
               source 1 target 2 value 7 since 1999 ] ]";
    let dataset = read(gml);
    assert_eq!(
        dataset.report.remarks,
        [
            "the edge attribute 'since' is not used".to_owned(),
            format!("the node attribute 'value' is not used {OF_NODES}")
        ]
    );
    assert_eq!(dataset.report.weights.unwrap().max, 7.0);
}

#[test]
fn times_of_pajek_are_not_used() {
    let pajek = "*Vertices 3\n1 \"Ada\" 0.1 0.2 [1-9]\n2 \"Bob\" [2-*]\n3 \"[C]\"\n*Edges\n1 2 1 [1-3, 7]\n2 3 [4]\n1 3 2\n";
    let dataset = read(pajek);
    assert_eq!(
        dataset.report.remarks[..2],
        [
            "the edge attribute 'time' is not used".to_owned(),
            format!("the node attribute 'time' is not used {OF_NODES}")
        ]
    );
    assert_eq!(dataset.report.weights.unwrap().count, 2);
    assert_eq!(dataset.relations[0].network.nodes().names(), ["Ada", "Bob", "[C]"]);
}

/// What programs keep for themselves is nobody's loss.
#[test]
fn how_a_graph_is_drawn_is_not_spoken_of() {
    let yed = "<graphml xmlns:y=\"http://www.yworks.com/xml/graphml\"><key for=\"node\" id=\"d5\" attr.name=\"description\"/>\
               <key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/><key for=\"edge\" id=\"d10\" yfiles.type=\"edgegraphics\"/>\
               <graph edgedefault=\"undirected\"><node id=\"n0\"><data key=\"d5\"/><data key=\"d6\"><y:ShapeNode><y:NodeLabel>Ada\
               <y:LabelModel> </y:LabelModel></y:NodeLabel></y:ShapeNode></data></node><node id=\"n1\"><data key=\"d6\"><y:ShapeNode>\
               <y:NodeLabel>Bob\n B.</y:NodeLabel><y:NodeLabel>two</y:NodeLabel></y:ShapeNode></data></node><edge id=\"e0\" source=\"n0\" target=\"n1\"><data key=\
               \"d10\"><y:PolyLineEdge><y:EdgeLabel>knows</y:EdgeLabel></y:PolyLineEdge></data></edge></graph></graphml>";
    assert_eq!(read(yed).report.remarks, Vec::<String>::new());
    assert_eq!(read(yed).relations[0].network.nodes().names(), ["Ada", "Bob B."]);
    let unnamed = yed.replace("<y:NodeLabel>Bob\n B.</y:NodeLabel>", "<y:NodeLabel hasText=\"false\"/>");
    let missing = "labels are missing or not all different, so nodes have the names of their ids";
    assert_eq!(read(&unnamed.replace("<y:NodeLabel>two</y:NodeLabel>", "")).report.remarks, [missing]);
    let titles = ["label", "r", "g", "b", "x", "y", "size"];
    let keys = titles
        .map(|title| format!("<key attr.name=\"{title}\" attr.type=\"int\" for=\"node\" id=\"{title}\"/>"));
    let data = |name: &str| {
        titles.map(|title| {
            format!("<data key=\"{title}\">{}</data>", if title == "label" { name } else { "12" })
        })
    };
    let gephi = format!(
        "<graphml>{}<key attr.name=\"Edge Label\" attr.type=\"string\" for=\"edge\" id=\"edgelabel\"/><key attr.name=\"Edge Id\" \
         attr.type=\"string\" for=\"edge\" id=\"edgeid\"/><graph edgedefault=\"undirected\"><node id=\"0\">{}</node><node id=\"1\">\
         {}</node><edge source=\"0\" target=\"1\"><data key=\"edgeid\">0</data></edge></graph></graphml>",
        keys.concat(),
        data("Ada").concat(),
        data("Bob").concat()
    );
    assert_eq!(read(&gephi).report.remarks, Vec::<String>::new());
}
