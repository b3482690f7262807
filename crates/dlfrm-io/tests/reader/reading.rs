//! What a user may put into a file of links, and what comes of it.

use dlfrm::network::Unlisted;
use dlfrm_io::{Dataset, Declared, DirectionBy, Format, Looks, ReadOptions, ReadWarning, parse_network};

fn read_with(text: &str, options: &ReadOptions) -> Dataset {
    parse_network(text.as_bytes(), "folder/links.tsv.gz", options).unwrap()
}

fn read(text: &str) -> Dataset {
    parse_network(text.as_bytes(), "links", &ReadOptions::default()).unwrap()
}

fn undirected(text: &str) -> Dataset {
    let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
    parse_network(text.as_bytes(), "links", &options).unwrap()
}

fn with_columns(columns: &str) -> ReadOptions {
    ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() }
}

fn read_columns(text: &str, columns: &str) -> Dataset {
    parse_network(text.as_bytes(), "links", &with_columns(columns)).unwrap()
}

/// The links by name.
fn links(dataset: &Dataset, relation: usize) -> Vec<(&str, &str)> {
    let network = &dataset.relations[relation].network;
    let name = |id| network.nodes().name(id);
    network.links().iter().map(|&(i, j)| (name(i), name(j))).collect()
}

/// The line that says what was read, behind the name of the file.
fn line(dataset: &Dataset) -> String {
    dataset.report.to_string().trim_start_matches("links: ").to_owned()
}

#[test]
fn words_keep_their_order_and_integers_are_sorted() {
    let dataset =
        read_with("# comment\nZoe\tAda\r\n\nAda\tBob\n% comment\nZoe\tBob", &ReadOptions::default());
    assert_eq!(dataset.name, "links");
    assert_eq!(dataset.relations[0].network.nodes().names(), ["Zoe", "Ada", "Bob"]);
    assert_eq!(links(&dataset, 0), [("Zoe", "Ada"), ("Zoe", "Bob"), ("Ada", "Bob")]);
    assert_eq!((dataset.report.lines, dataset.report.rows), (6, 3));
    assert_eq!(dataset.report.warnings, [ReadWarning::Comments { count: 1 }]);
    let dataset = read("10 9\n9 100");
    assert_eq!(dataset.relations[0].network.nodes().names(), ["9", "10", "100"]);
    assert_eq!(links(&dataset, 0), [("9", "100"), ("10", "9")]);
}

#[test]
fn one_line_says_what_was_read() {
    let text = "a,b\nb,a\na,b\nc,c\nb,c\n";
    assert_eq!(
        line(&undirected(text)),
        "comma, no header, first link a - b; 3 nodes, 2 links (1 repeated, 1 listed in both directions, 1 self-loop ignored), \
         undirected"
    );
    assert_eq!(
        line(&read(text)),
        "comma, no header, first link a -> b; 3 nodes, 3 links (1 repeated, 1 self-loop ignored), directed"
    );
    let text = "from,to,weight,year,note\na,b,0.5,1,x\nb,c,-2e3,2,y\n";
    assert_eq!(
        line(&read(text)),
        "comma, header, first link a -> b; 3 nodes, 2 links, directed; weights from -2000 to 0.5 not used; year, note ignored"
    );
    let weights = read(text).report.weights.unwrap();
    assert_eq!((weights.min, weights.max), (-2000.0, 0.5));
    let json = serde_json::to_value(&read(text).report).unwrap();
    assert_eq!((json["links"].as_u64(), json["delimiter"].as_str()), (Some(2), Some("comma")));
    assert_eq!(json["ignored"], serde_json::json!(["year", "note"]));
    assert_eq!(json["header"][0], "from");
}

#[test]
fn labels_decide_what_is_observed() {
    let columns = "source,target,label";
    let dataset = read_columns("a b 1\nb c 0\nc a NA\n", columns);
    let network = &dataset.relations[0].network;
    assert_eq!((network.links().len(), network.non_links().len(), network.unobserved().len()), (1, 1, 1));
    assert_eq!(network.unlisted(), Unlisted::Unobserved);
    assert_eq!(
        line(&dataset),
        "space, no header, first link a -> b; 3 nodes (1 without links), 1 link, 1 non-link, 1 pair unobserved, unlisted pairs \
         unobserved, directed"
    );
    let only_hidden = read_columns("a,b,1\nb,c,\n", columns);
    assert_eq!(only_hidden.relations[0].network.unlisted(), Unlisted::NonLink);
    let said = ReadOptions { unlisted: Some(Unlisted::NonLink), ..with_columns(columns) };
    assert_eq!(read_with("a\tb\t1\nb\tc\t0\n", &said).relations[0].network.unlisted(), Unlisted::NonLink);
    // A third column of 0 and 1 is no label by its values.
    assert!(parse_network(&b"a b 1\nb c 0\n"[..], "links", &ReadOptions::default()).is_err());
    assert_eq!(read("source,target,x\na,b,1\nb,c,0\n").report.counts.links, 2);
}

#[test]
fn relations_share_their_nodes_and_none_is_lost() {
    let dataset = read_columns("10 a b\n9 c c\n10 b a\n2 a b\n", "relation,source,target");
    let names: Vec<_> = dataset.relations.iter().map(|r| r.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["2", "9", "10"]);
    assert_eq!(links(&dataset, 1), []);
    assert_eq!((dataset.counts[1].self_links, dataset.relations[1].network.len()), (1, 3));
    assert_eq!(links(&dataset, 2), [("a", "b"), ("b", "a")]);
    assert!(line(&dataset).contains(", 3 relations, 3 links "));
    let dataset = read("relation,source,target\nlikes,a,b\nhates,b,a\n");
    assert_eq!(dataset.relations[1].name.as_deref(), Some("hates"));
}

#[test]
fn columns_have_titles() {
    let text = "protein_A,score,protein_B\np,1,q\nq,2,r\n";
    let dataset = read_columns(text, "source=protein_B,target=protein_A,weight=score");
    assert_eq!(links(&dataset, 0), [("q", "p"), ("r", "q")]);
    assert_eq!(dataset.report.weights.unwrap().max, 2.0);
    let dataset = read(",target,source\n0,a,b\n1,b,c\n");
    assert_eq!(links(&dataset, 0), [("b", "a"), ("c", "b")]);
    let header = ReadOptions { header: Some(true), ..ReadOptions::default() };
    assert_eq!(read_with("x\ty\na\tb\n", &header).report.counts.links, 1);
    let none = ReadOptions { header: Some(false), ..ReadOptions::default() };
    assert_eq!(read_with("from\tto\na\tb\n", &none).report.counts.links, 2);
}

#[test]
fn a_first_row_that_may_be_a_header_is_warned_of() {
    let dataset = read("pal,chum\nAda,Bob\nBob,Cleo\n");
    assert_eq!(dataset.report.warnings, [ReadWarning::FirstRow { row: ["pal", "chum"].map(String::from) }]);
    assert_eq!(
        dataset.report.warnings[0].to_string(),
        "the first row (pal, chum) was read as a link, but neither name occurs again: is it a header?"
    );
    for text in ["Ada,Bob\nBob,Cleo\n", "1,2\n3,4\n", "Ada,Bob\n"] {
        assert_eq!(read(text).report.warnings, [], "{text}");
    }
    let said = ReadOptions { header: Some(false), ..ReadOptions::default() };
    assert_eq!(read_with("pal\tchum\nAda\tBob\n", &said).report.warnings, []);
}

#[test]
fn declared_nodes_are_there_without_links() {
    let count = ReadOptions { nodes: Some(Declared::Count(5)), ..ReadOptions::default() };
    let dataset = read_with("3\t1\n", &count);
    assert_eq!((dataset.relations[0].network.len(), dataset.report.nodes_without_links), (5, 3));
    let names = Declared::Names(["c", "b", "a"].map(String::from).to_vec());
    let names = ReadOptions { nodes: Some(names), ..ReadOptions::default() };
    let dataset = read_with("a\tb\n", &names);
    assert_eq!(links(&dataset, 0), [("a", "b")]);
    assert_eq!(dataset.relations[0].network.nodes().names(), ["c", "b", "a"]);
}

#[test]
fn comments_decide_the_direction_unless_an_option_does() {
    let text = "# Undirected graph: x\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n3466\t937\n937\t5233\n";
    let dataset = read(text);
    assert_eq!((dataset.report.directed, dataset.report.directed_by), (false, DirectionBy::Comment));
    assert_eq!(
        line(&dataset),
        "tab, no header, first link 3466 - 937; 3 nodes, 2 links, undirected (says a comment)"
    );
    assert_eq!(links(&dataset, 0), [("937", "3466"), ("937", "5233")]);
    let directed = ReadOptions { directed: Some(true), ..ReadOptions::default() };
    assert!(read_with(text, &directed).report.directed);
    assert!(!read("% sym unweighted\n1 2\n2 3\n").report.directed);
}

#[test]
fn konect_s_bipartite_networks_have_rows_and_columns_of_their_own() {
    let dataset = read("% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 2\n");
    assert_eq!(dataset.relations[0].network.nodes().names(), ["r1", "c1", "c2", "r2"]);
    assert_eq!(line(&dataset), "space, no header, first link r1 - c1; 4 nodes, 3 links, bipartite");
    assert_eq!(dataset.report.directed_by, DirectionBy::Bipartite);
    let words = read("% bip unweighted\na x\nb x\n");
    assert_eq!(words.relations[0].network.nodes().names(), ["a", "x", "b"]);
}

/// Tables of Gephi say whether links have a direction.
#[test]
fn a_column_of_types_says_whether_links_have_a_direction() {
    let table =
        |types: [&str; 2]| format!("Source,Target,Type,Label\na,b,{},0\nb,c,{},x\n", types[0], types[1]);
    let report = |types: [&str; 2]| read(&table(types)).report;
    let found = report(["Undirected", "undirected"]);
    assert_eq!((found.directed, found.directed_by, found.counts.links), (false, DirectionBy::Column, 2));
    assert_eq!(found.ignored, ["Label"]);
    assert_eq!(report(["Directed", "Directed"]).directed_by, DirectionBy::Column);
    let error = parse_network(table(["Directed", "Undirected"]).as_bytes(), "l", &ReadOptions::default());
    let error = error.unwrap_err();
    assert_eq!(error.code(), "column");
    assert!(error.to_string().starts_with("l, line 3, column 3: 'Type' has Directed and Undirected"));
    let other = read("source,target,type\na,b,friend\nb,c,foe\n").report;
    assert_eq!((other.directed_by, other.ignored), (DirectionBy::Default, vec!["type".to_owned()]));
    assert_eq!(read("source,target,type,label\na,b,friend,1\nb,c,foe,0\n").report.counts.non_links, 1);
}

#[test]
fn what_a_network_looks_like_is_said_and_not_done() {
    let dataset = read("a b\nb a\n");
    assert_eq!(dataset.report.looks, Some(Looks::Undirected));
    assert!(line(&dataset).ends_with("directed; links are listed in both directions: is it undirected?"));
    // Links of both labels between the same nodes are not links in both directions.
    assert_eq!(read("source,target,label\na,b,1\nb,a,0\n").report.looks, None);
    let table = "a 1\na 2\na 3\na 4\nb 1\nb 2\nb 3\nb 4\nc 1\nc 2\nc 3\nc 4\n";
    let dataset = read(table);
    assert!(dataset.relations[0].network.modes().is_none() && dataset.report.directed);
    assert!(line(&dataset).ends_with("directed; no source is a target: is it bipartite?"));
    let one = ReadOptions { bipartite: Some(false), ..ReadOptions::default() };
    assert_eq!(parse_network(table.as_bytes(), "links", &one).unwrap().report.looks, None);
    // Asked for, a link may be written either way.
    let two = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let dataset = parse_network(format!("{table}1 d\n").as_bytes(), "links", &two).unwrap();
    let network = &dataset.relations[0].network;
    assert_eq!((network.observed_count(), network.links().len()), (16, 13));
    assert_eq!(dataset.report.warnings, [ReadWarning::BothSides { name: "1".to_owned(), count: 1 }]);
}

#[test]
fn matrix_market_files_are_networks() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n% c\n4 4 3\n2 1 0.5\n3 3 1\n4 1 0\n";
    let dataset = read(text);
    assert_eq!(dataset.relations[0].network.nodes().names(), ["1", "2", "3", "4"]);
    assert_eq!(links(&dataset, 0), [("1", "2")]);
    assert_eq!(
        line(&dataset),
        "Matrix Market, first link 2 - 1; 4 nodes (2 without links), 1 link (1 self-loop ignored, 1 stored zero ignored), \
         undirected; weights from 0.5 to 1 not used"
    );
    let directed = ReadOptions { directed: Some(true), ..ReadOptions::default() };
    assert_eq!(read_with(text, &directed).report.warnings, [ReadWarning::Undirected]);
    let dataset = read("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 1\n");
    assert_eq!(links(&dataset, 0), [("1", "2"), ("2", "1")]);
    let names = Declared::Names(["x", "y", "z"].map(String::from).to_vec());
    let names = ReadOptions { nodes: Some(names), ..ReadOptions::default() };
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 3\n";
    assert_eq!(links(&read_with(matrix, &names), 0), [("x", "z")]);
    let wide = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n";
    assert_eq!(links(&read(wide), 0), [("r1", "c3")]);
    assert!(read(wide).report.bipartite);
    let added =
        ReadOptions { bipartite: Some(false), adds_to_bipartite: Some(true), ..ReadOptions::default() };
    assert_eq!(links(&read_with(matrix, &added), 0), [("r1", "c3")]);
}

#[test]
fn lists_of_neighbours_are_read() {
    let adjacency = ReadOptions { format: Some(Format::Adjacency), ..ReadOptions::default() };
    let read = |text: &str, options: &ReadOptions| parse_network(text.as_bytes(), "links", options).unwrap();
    let dataset = read("# c\na b c\nb c\nd\n", &adjacency);
    assert_eq!(links(&dataset, 0), [("a", "b"), ("a", "c"), ("b", "c")]);
    assert_eq!(
        line(&dataset),
        "space, adjacency list, first link a -> b; 4 nodes (1 without links), 3 links, directed"
    );
    assert_eq!(links(&read("a,\"b c\",d\nd,,\n", &adjacency), 0), [("a", "b c"), ("a", "d")]);
    // The endings of METIS say the format, and a line without neighbours is a node.
    let metis = |text: &str| parse_network(text.as_bytes(), "x.graph", &ReadOptions::default()).unwrap();
    let dataset = metis("% a graph\n4 2\n2 3\n1\n1\n\n");
    assert_eq!((links(&dataset, 0), dataset.report.nodes), (vec![("1", "2"), ("1", "3")], 4));
    assert_eq!((dataset.report.directed, dataset.report.format), (false, Format::Metis));
    let weighted = metis("3 2 11 2\n9 9 2 7\n9 9 1 7 3 8\n8 8 2 8\n");
    assert_eq!(links(&weighted, 0), [("1", "2"), ("2", "3")]);
    assert_eq!(weighted.report.weights.unwrap().max, 8.0);
}

#[test]
fn quoted_names_and_a_byte_order_mark_are_understood() {
    let dataset = read("\u{feff}source,target\n\"Doe, \"\"Jo\"\"\",\"#1\"\n");
    assert_eq!(links(&dataset, 0), [("Doe, \"Jo\"", "#1")]);
    for text in ["sep=;\nDoe, J;Roe, A\n", "\"sep=;\"\nsource;target\nDoe, J;Roe, A\n"] {
        assert_eq!(links(&read(text), 0), [("Doe, J", "Roe, A")], "{text}");
    }
    // Data of links, as networkx writes them.
    let dataset = read("a b {'weight': 3}\nb c {}\n");
    assert_eq!(
        (dataset.report.counts.links, line(&dataset).ends_with("data of links ({...}) ignored")),
        (2, true)
    );
}
