//! GraphML, GEXF, GML and Pajek files: what is read, and what is refused with its line.

use dlfrm::network::Relation;
use dlfrm_io::{Dataset, DirectionBy, ReadOptions, ReadWarning, parse_network};

fn read(text: &str) -> Dataset {
    parse_network(text.as_bytes(), "graph.net", &ReadOptions::default()).unwrap()
}

fn message(text: &str) -> String {
    parse_network(text.as_bytes(), "graph", &ReadOptions::default()).unwrap_err().to_string()
}

/// Names, links by name, and whether they have a direction.
fn contents(dataset: &Dataset) -> (Vec<&str>, Vec<(&str, &str)>, bool) {
    let network = &dataset.relations[0].network;
    let name = |id| network.nodes().name(id);
    let links = network.links().iter().map(|&(i, j)| (name(i), name(j))).collect();
    (network.nodes().names().iter().map(String::as_str).collect(), links, network.directed())
}

const GRAPHML: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="directed">
    <node id="n0"><data key="d0">A &amp; B &lt;x&gt;</data></node>
    <node id="n1"><data key="d0">Bob</data></node>
    <node id="n2"><data key="d0">Cleo</data></node>
    <edge source="n0" target="n1"><data key="d1">2.5</data></edge>
    <edge source="n1" target="n0"/>
  </graph>
</graphml>
"#;

#[test]
fn graphml_has_labels_weights_and_nodes_without_links() {
    let dataset = read(GRAPHML);
    let links = vec![("A & B <x>", "Bob"), ("Bob", "A & B <x>")];
    assert_eq!(contents(&dataset), (vec!["A & B <x>", "Bob", "Cleo"], links, true));
    assert_eq!(dataset.report.weights.unwrap().max, 2.5);
    let one_line = GRAPHML.replace('\n', " ");
    assert_eq!(contents(&read(&one_line)), contents(&dataset));
    let ids = GRAPHML.replace(">Cleo<", ">Bob<");
    assert_eq!(contents(&read(&ids)).0, ["n0", "n1", "n2"]);
    assert_eq!(read(&ids).report.warnings, [ReadWarning::Ids]);
    let undirected = GRAPHML.replace("\"directed\"", "\"undirected\"");
    assert_eq!(contents(&read(&undirected)).1, [("A & B <x>", "Bob")]);
    // Spaces and tabs are part of a name, and lines are not.
    let spaced = GRAPHML.replace(">Bob<", "> Bob&#9;<").replace(">Cleo<", ">\n  Cleo\n <");
    assert_eq!(contents(&read(&spaced)).0, ["A & B <x>", " Bob\t", "Cleo"]);
}

#[test]
fn an_undirected_graph_stays_so() {
    let undirected = GRAPHML.replace("\"directed\"", "\"undirected\"");
    for (directed, warnings) in [(None, vec![]), (Some(true), vec![ReadWarning::Undirected])] {
        let options = ReadOptions { directed, ..ReadOptions::default() };
        let report = parse_network(undirected.as_bytes(), "graph", &options).unwrap().report;
        assert_eq!(
            (report.directed, report.directed_by, report.warnings),
            (false, DirectionBy::Format, warnings)
        );
    }
    // A directed one can be read without directions.
    let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
    let dataset = parse_network(GRAPHML.as_bytes(), "graph", &options).unwrap();
    assert_eq!(contents(&dataset).1, [("A & B <x>", "Bob")]);
}

#[test]
fn nodes_of_bipartites_are_rows_and_columns() {
    let modes = GRAPHML
        .replace("\"directed\"", "\"undirected\"")
        .replace(
            "  <graph ",
            "<key id=\"d2\" for=\"node\" attr.name=\"mode\" attr.type=\"string\"/>\n  <graph ",
        )
        .replace("Bob</data>", "Bob</data><data key=\"d2\">row</data>")
        .replace("&gt;</data>", "&gt;</data><data key=\"d2\">column</data>");
    let dataset = read(&modes);
    assert!(dataset.relations[0].network.modes().is_some());
    assert!(dataset.report.bipartite);
    let options = ReadOptions { bipartite: Some(false), ..ReadOptions::default() };
    let unipartite = parse_network(modes.as_bytes(), "graph", &options).unwrap();
    assert!(unipartite.relations[0].network.modes().is_none());
    assert!(message(&modes.replace(">row<", ">column<")).contains("both are columns"));
}

#[test]
fn gexf_is_read_and_predicted_links_are_set_aside() {
    let text = r#"<gexf version="1.2"><graph defaultedgetype="undirected">
      <attributes class="edge"><attribute id="k" title="kind" type="string"/></attributes>
      <nodes><node id="0" label="Ada"/><node id="1" label="Bob"/><node id="2" label="Cleo"/></nodes>
      <edges><edge id="0" source="0" target="1" weight="3"/>
      <edge id="1" source="0" target="2"><attvalues><attvalue for="k" value="predicted"/></attvalues></edge></edges>
    </graph></gexf>"#;
    let dataset = read(text);
    assert_eq!(contents(&dataset), (vec!["Ada", "Bob", "Cleo"], vec![("Ada", "Bob")], false));
    assert_eq!(
        dataset.report.to_string(),
        "graph.net: GEXF, first link Ada - Bob; 3 nodes (1 without links), 1 link (1 predicted ignored), undirected; weights \
         from 3 to 3 not used"
    );
}

#[test]
fn gml_and_pajek_are_read() {
    let gml = "# comment\nCreator \"me [1]\"\ngraph [\n  directed 1\n  node [ id 7 label \"A &quot;x&quot;\" ]\n  node [\n id 9\n \
               label \"Bob\"\n graphics [ x 1.5 ]\n ]\n  edge [ source 9 target 7 value 2 ]\n]\n";
    assert_eq!(contents(&read(gml)), (vec!["A \"x\"", "Bob"], vec![("Bob", "A \"x\"")], true));
    let pajek =
        "% c\n*Vertices 4\n1 \"Ada L\" 0.1 0.2\n2 Bob\n3 Cleo\n4 Dan\n*Edges\n1 2 1.5\n*edges\n3 1\n3 2\n";
    let dataset = read(pajek);
    assert_eq!(dataset.name, "graph");
    let links = vec![("Ada L", "Bob"), ("Ada L", "Cleo"), ("Bob", "Cleo")];
    assert_eq!(contents(&dataset), (vec!["Ada L", "Bob", "Cleo", "Dan"], links, false));
    let both = read("*Vertices 3\n*Arcs\n1 2\n*Edges\n2 3\n");
    assert_eq!(contents(&both).1, [("1", "2"), ("2", "3"), ("3", "2")]);
    let timed = "*Vertices 2\n1 \"Ada\" 0.1 0.2 [1-9]\n2 \"[C]\"\n*Edges\n1 2 3 [4]\n";
    assert_eq!(contents(&read(timed)).0, ["Ada", "[C]"]);
}

/// Whatever stands in strings and comments above the graph.
#[test]
fn gml_of_any_program_is_read() {
    let nodes = "node\n  [\n    id 1\n    label \"Ada\"\n  ]\n  node\n  [\n    id 2\n    label \"Bob\"\n  ]\n  edge\n  \
                 [\n    source 1\n    target 2\n  ]\n]\n";
    for above in [
        "Creator \"igraph version 0.10.4 Mon Jan  1 00:00:00 2024\"\nVersion 1\ngraph\n[\n  directed 0\n  ",
        "graph [\n  ",
        "graph\n[\n  Creator \"Gephi\"\n  directed 0\n  ",
        "Creator\t\"yFiles\"\nVersion\t\"2.17\"\ngraph\n[\n\thierarchic\t1\n\tlabel\t\"\"\n\tdirected\t0\n  ",
        "Creator \"Mark Newman on Fri Jul 21 12:39:27 2006\"\ngraph\n[\n  directed 0\n  ",
        "Creator \"my graph tool\"\ngraph [\n  ",
        "Creator \"of graph [ 1 ]\"\nGraph [\n  ",
        "# a graph of friends\n#\ngraph [\n  ",
        "# graph\ncomment \"a graph\nof friends\"\ngraph\n[\n  ",
    ] {
        let dataset = read(&format!("{above}{nodes}"));
        assert_eq!(contents(&dataset), (vec!["Ada", "Bob"], vec![("Ada", "Bob")], false), "{above}");
        // A byte order mark in front, and line ends of Windows.
        let marked = read(&format!("\u{feff}{}", format!("{above}{nodes}").replace('\n', "\r\n")));
        assert_eq!(contents(&marked), contents(&dataset), "{above}");
    }
    for text in ["graph theory\ntheory [x]\n", "Ada graph\n[x] Ada\n", "graphs Ada\nAda Bob\n"] {
        assert_eq!(read(text).report.counts.links, 2, "{text}");
    }
}

#[test]
fn edges_may_all_differ_from_the_default() {
    let turned = GRAPHML
        .replace("edgedefault=\"directed\"", "edgedefault=\"undirected\"")
        .replace("<edge ", "<edge directed=\"true\" ");
    assert_eq!(contents(&read(&turned)), contents(&read(GRAPHML)));
}

#[test]
fn damaged_graphs_have_a_line() {
    let cut = &GRAPHML[..GRAPHML.find("</graph>").unwrap()];
    assert_eq!(message(cut), "graph, line 11: the XML ends before its last element is closed");
    let unknown = GRAPHML.replace("target=\"n1\"", "target=\"n9\"");
    assert_eq!(message(&unknown), "graph, line 9: an edge names the node 'n9', which is not there");
    let twice = GRAPHML.replace("id=\"n2\"", "id=\"n1\"");
    assert_eq!(message(&twice), "graph, line 8: the node 'n1' is there twice");
    let mixed = GRAPHML.replace("<edge source=\"n1\"", "<edge directed=\"false\" source=\"n1\"");
    assert_eq!(message(&mixed), "graph, line 10: graphs with directed and undirected edges are not read");
    let weight = GRAPHML.replace("2.5", "2,5");
    assert_eq!(message(&weight), "graph, line 9: a weight must be a finite number, is '2,5'");
    let hyper = GRAPHML.replace("<edge source=\"n1\" target=\"n0\"/>", "<hyperedge/>");
    assert_eq!(message(&hyper), "graph, line 10: edges of more than two nodes are not read");
    let within = GRAPHML.replace("<node id=\"n1\">", "<node id=\"n3\"><node id=\"n1\"/>");
    assert_eq!(message(&within), "graph, line 7: nodes within others are not read");
    assert!(message(&GRAPHML.replace("&amp;", "&bomb;")).starts_with("graph, line 6: the XML is damaged: "));
    assert_eq!(message("<graphml><graph></graph></graphml>"), "graph has no nodes");
    assert_eq!(
        message("graph [ node [ id 1 ]\n edge [ source 1 ] ]"),
        "graph, line 2: the edge has no source or no target"
    );
    assert_eq!(message("graph [ node [ id 1 ]\n"), "graph, line 1: a bracket is opened and not closed");
    assert_eq!(
        message("*Vertices 2\n*Arcs\n1 3\n"),
        "graph, line 3: an edge names the node '3', which is not there"
    );
    for first in ["*Network one\n*Vertices 2\n*Edges\n1 2\n", "*Vertices 2\n*Edges\n1 2\n"] {
        let line = first.lines().count() + 1;
        for second in ["*Network two\n*Vertices 2\n*Edges\n1 2\n", "*Vertices 2\n*Edges\n1 2\n"] {
            let several =
                format!("graph, line {line}: there is more than one graph in the file, which is not read");
            assert_eq!(message(&format!("{first}{second}")), several);
        }
    }
    assert_eq!(message("*Vertices 2\n*Matrix\n0 1\n"), "graph, line 2: the section *matrix is not read");
    assert_eq!(
        message("*Vertices 2\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2 \"knows\"\n2 1\n"),
        "graph, line 4: several relations are not read from a Pajek file: write an edge list with a column relation"
    );
    assert_eq!(read("*Vertices 2\n*Arcs :1 \"likes\"\n1 2\n").report.counts.links, 1);
}

/// A graph of four nodes and four edges with these values of an attribute.
fn with_values(title: &str, values: [&str; 4]) -> String {
    let ends = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")];
    let edges = ends.iter().zip(values).map(|((source, target), value)| {
        let data = if value.is_empty() { String::new() } else { format!("<data key=\"d0\">{value}</data>") };
        format!("<edge source=\"{source}\" target=\"{target}\">{data}</edge>\n")
    });
    let nodes = ["a", "b", "c", "d"].map(|id| format!("<node id=\"{id}\"/>\n")).concat();
    let edges: String = edges.collect();
    let key = format!("<key id=\"d0\" for=\"edge\" attr.name=\"{title}\" attr.type=\"string\"/>");
    format!("<graphml>\n{key}\n<graph edgedefault=\"undirected\">\n{nodes}{edges}</graph></graphml>\n")
}

/// The relations with their links and non-links.
fn counts(text: &str) -> Vec<(Option<String>, usize, usize)> {
    let count = |relation: &Relation| {
        let network = &relation.network;
        (relation.name.clone(), network.links().len(), network.non_links().len())
    };
    read(text).relations.iter().map(count).collect()
}

#[test]
fn edges_have_relations_and_labels() {
    let named = |name: &str, links| (Some(name.to_owned()), links, 0);
    let relations = with_values("relation", ["friend", "foe", "friend", "friend"]);
    assert_eq!(counts(&relations), [named("friend", 3), named("foe", 1)]);
    assert_eq!(
        message(&with_values("relation", ["friend", "", "foe", "foe"])),
        "graph, line 9: the edge has no relation, and others have one"
    );
    assert_eq!(counts(&with_values("label", ["1", "0", "true", "no"])), [(None, 2, 2)]);
    assert_eq!(
        message(&with_values("label", ["1", "0", "", "1"])),
        "graph, line 10: the edge has no label, and others have one"
    );
    assert_eq!(counts(&with_values("label", ["1", "1", "", "1"])), [(None, 4, 0)]);
    // Texts beside the edges, as drawing programs have them.
    let texts = with_values("label", ["0", "knows", "1", "0"]);
    assert_eq!((counts(&texts), read(&texts).report.ignored), (vec![(None, 4, 0)], vec!["label".to_owned()]));
}

#[test]
fn attributes_that_are_not_used_are_said() {
    // An id of GEXF is one of nodes and one of edges.
    let gexf = "<gexf><graph defaultedgetype=\"undirected\"><attributes class=\"node\"><attribute id=\"0\" title=\"age\"/>\
                <attribute id=\"1\" title=\"city\"/></attributes><attributes class=\"edge\"><attribute id=\"0\" title=\"since\"/>\
                </attributes><nodes><node id=\"a\" label=\"Ada\"><attvalues><attvalue for=\"0\" value=\"3\"/><attvalue for=\"1\" \
                value=\"Rome\"/></attvalues><viz:color r=\"1\" g=\"2\" b=\"3\"/></node><node id=\"b\" label=\"Bob\"/></nodes>\
                <edges><edge source=\"a\" target=\"b\" start=\"2001\"><attvalues><attvalue for=\"0\" value=\"1999\"/></attvalues>\
                <spell/></edge></edges></graph></gexf>";
    let said = read(gexf).report.to_string();
    assert!(
        said.ends_with("undirected; start, since, spell ignored; node attributes age, city ignored"),
        "{said}"
    );
    let yed = "<graphml><key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/><graph edgedefault=\"undirected\">\
               <node id=\"n0\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel>Ada<y:LabelModel> </y:LabelModel></y:NodeLabel>\
               </y:ShapeNode></data></node><node id=\"n1\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel>Bob\n B.</y:NodeLabel>\
               <y:NodeLabel>two</y:NodeLabel></y:ShapeNode></data></node><edge source=\"n0\" target=\"n1\"/></graph></graphml>";
    assert_eq!(contents(&read(yed)).0, ["Ada", "Bob B."]);
    assert_eq!(read(yed).report.ignored_of_nodes, Vec::<String>::new());
}
