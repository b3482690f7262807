//! GraphML, GEXF, GML and Pajek files: what is read, and what is refused with its line.

use dlfrm_io::{Dataset, ReadOptions, parse_network};

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
    let remark = "labels are missing or not all different, so nodes have the names of their ids";
    assert_eq!(
        (contents(&read(&ids)).0, read(&ids).report.remarks),
        (vec!["n0", "n1", "n2"], vec![remark.to_owned()])
    );
    let undirected = GRAPHML.replace("\"directed\"", "\"undirected\"");
    assert_eq!(contents(&read(&undirected)).1, [("A & B <x>", "Bob")]);
    // Spaces and tabs are part of a name, and lines are not.
    let spaced = GRAPHML.replace(">Bob<", "> Bob&#9;<").replace(">Cleo<", ">\n  Cleo\n <");
    assert_eq!(contents(&read(&spaced)).0, ["A & B <x>", " Bob\t", "Cleo"]);
}

#[test]
fn an_undirected_graph_stays_so() {
    let undirected = GRAPHML.replace("\"directed\"", "\"undirected\"");
    for (directed_by_default, effect) in [(true, ""), (false, "; --directed has no effect")] {
        let options = ReadOptions { directed_by_default, ..ReadOptions::default() };
        let remarks = parse_network(undirected.as_bytes(), "graph", &options).unwrap().report.remarks;
        assert_eq!(remarks, [format!("the graph is undirected, so the network is{effect}")]);
    }
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
    assert!(
        dataset.report.remarks[1].starts_with("a bipartite network of 1 rows"),
        "{:?}",
        dataset.report.remarks
    );
    let options = ReadOptions { bipartite: Some(false), ..ReadOptions::default() };
    let unipartite = parse_network(modes.as_bytes(), "graph", &options).unwrap();
    assert!(unipartite.relations[0].network.modes().is_none());
    assert!(message(&modes.replace(">row<", ">column<")).contains("both are columns"));
}

#[test]
fn options_of_edge_lists_have_no_effect() {
    let options = ReadOptions {
        columns: Some("source,target".parse().unwrap()),
        delimiter: Some("tab".parse().unwrap()),
        header: Some(false),
        ..ReadOptions::default()
    };
    let dataset = parse_network(GRAPHML.as_bytes(), "graph", &options).unwrap();
    assert_eq!(
        dataset.report.remarks,
        [
            "the file has no columns to name",
            "the file has no delimiter to choose",
            "the file has no header to look for"
        ]
    );
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
        dataset.report.remarks,
        [
            "1 edge is a predicted one and was set aside",
            "the graph is undirected, so the network is; --directed has no effect"
        ]
    );
}

#[test]
fn nodes_of_gexf_may_be_within_others() {
    let text = r#"<gexf><graph defaultedgetype="undirected"><nodes>
      <node id="0" label="Ada"><nodes><node id="1" label="Bob"><nodes><node id="2" label="Cleo"/></nodes></node></nodes>
      <edges><edge id="0" source="1" target="2"/></edges></node><node id="3" label="Dan"/></nodes>
      <edges><edge id="1" source="0" target="3"/></edges></graph></gexf>"#;
    let links = vec![("Ada", "Dan"), ("Bob", "Cleo")];
    assert_eq!(contents(&read(text)), (vec!["Ada", "Bob", "Cleo", "Dan"], links, false));
}

#[test]
fn gml_and_pajek_are_read() {
    let gml = "# comment\nCreator \"me [1]\"\ngraph [\n  directed 1\n  node [ id 7 label \"A &quot;x&quot;\" ]\n  node [\n id 9\n \
               label \"Bob\"\n graphics [ x 1.5 ]\n ]\n  edge [ source 9 target 7 value 2 ]\n]\n";
    assert_eq!(contents(&read(gml)), (vec!["A \"x\"", "Bob"], vec![("Bob", "A \"x\"")], true));
    let pajek =
        "% c\n*Vertices 4\n1 \"Ada L\" 0.1 0.2\n2 Bob\n3 Cleo\n4 Dan\n*Edges\n1 2 1.5\n*edgeslist\n3 1 2\n";
    let dataset = read(pajek);
    assert_eq!(dataset.name, "graph");
    let links = vec![("Ada L", "Bob"), ("Ada L", "Cleo"), ("Bob", "Cleo")];
    assert_eq!(contents(&dataset), (vec!["Ada L", "Bob", "Cleo", "Dan"], links, false));
    let words = read(
        "*Vertices 3\n1 Ada Lovelace 0.1 0.2\n2 Bob B.\n3 Cleo 0.5 0.5 ellipse ic Red\n*Arcs\n1 2\n2 3\n",
    );
    assert_eq!(
        words.report.remarks,
        [
            "the label in line 2 is 'Ada', and 'Lovelace' behind it is not used: labels of several words must be in double quotes"
        ]
    );
    let drawn = read("*Vertices 2\n1 Ada box\n2 \"Bob B.\" ic Red\n*Arcs\n1 2\n");
    assert_eq!(drawn.report.remarks, Vec::<String>::new());
    let both = read("*Vertices 3\n*Arcs\n1 2\n*Edges\n2 3\n");
    assert_eq!(contents(&both).1, [("1", "2"), ("2", "3"), ("3", "2")]);
    assert_eq!(both.report.remarks, ["edges beside arcs were read as arcs in both directions"]);
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
        "label \"friends\"\ndate 2006\ngraph [\n  ",
    ] {
        let dataset = read(&format!("{above}{nodes}"));
        assert_eq!(contents(&dataset), (vec!["Ada", "Bob"], vec![("Ada", "Bob")], false), "{above}");
        // A byte order mark in front, and line ends of Windows.
        let marked = read(&format!("\u{feff}{}", format!("{above}{nodes}").replace('\n', "\r\n")));
        assert_eq!(contents(&marked), contents(&dataset), "{above}");
    }
    for text in ["graph theory\ntheory [x]\n", "Ada graph\n[x] Ada\n", "\"graph [\" Ada\nAda Bob\n"] {
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
