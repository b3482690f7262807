//! What a user may put into a file of links, and what comes of it.

use dlfrm::network::Unlisted;
use dlfrm_io::{Dataset, Declared, ReadOptions, parse_network};

fn read_with(text: &str, options: &ReadOptions) -> Dataset {
    parse_network(text.as_bytes(), "folder/links.tsv.gz", options).unwrap()
}

fn read(text: &str) -> Dataset {
    read_with(text, &ReadOptions::default())
}

fn undirected(text: &str) -> Dataset {
    read_with(text, &ReadOptions { directed: false, ..ReadOptions::default() })
}

fn with_columns(columns: &str) -> ReadOptions {
    ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() }
}

/// The links by name.
fn links(dataset: &Dataset, relation: usize) -> Vec<(&str, &str)> {
    let network = &dataset.relations[relation].network;
    let name = |id| network.nodes().name(id);
    network.links().iter().map(|&(i, j)| (name(i), name(j))).collect()
}

#[test]
fn words_keep_their_order_and_integers_are_sorted() {
    let dataset = read("# comment\nZoe\tAda\r\n\nAda\tBob\n% comment\nZoe\tBob");
    assert_eq!(dataset.name, "links");
    assert_eq!(dataset.relations[0].network.nodes().names(), ["Zoe", "Ada", "Bob"]);
    assert_eq!(links(&dataset, 0), [("Zoe", "Ada"), ("Zoe", "Bob"), ("Ada", "Bob")]);
    assert_eq!((dataset.report.lines, dataset.report.rows), (6, 3));
    let dataset = read("10 9\n9 100");
    assert_eq!(dataset.relations[0].network.nodes().names(), ["9", "10", "100"]);
    assert_eq!(links(&dataset, 0), [("9", "100"), ("10", "9")]);
}

#[test]
fn self_links_duplicates_and_both_directions_are_counted() {
    let dataset = undirected("a b\nb a\na b\nc c\nb c\n");
    assert_eq!(links(&dataset, 0), [("a", "b"), ("b", "c")]);
    assert_eq!(
        dataset.report.warnings(),
        [
            "1 self link was set aside",
            "1 row repeats another and counts once",
            "1 pair is listed in both directions and counts once",
        ]
    );
    let warnings = read("a b\nb a\n").report.warnings();
    assert_eq!(warnings, ["every link is listed in both directions: is the network undirected?"]);
    let labelled = with_columns("source,target,label");
    for (text, said) in [
        ("a b 1\na a 0\n", "1 self pair was set aside"),
        ("a b 1\na a 0\nb b 1\n", "2 self pairs were set aside"),
        ("a b 1\nb b 1\n", "1 self link was set aside"),
    ] {
        assert_eq!(read_with(text, &labelled).report.warnings(), [said]);
    }
}

#[test]
fn weights_are_read_and_reported() {
    let dataset = read("source,target,weight\na,b,0.5\nb,c,-2e3\n");
    let weights = dataset.report.weights.unwrap();
    assert_eq!((weights.count, weights.min, weights.max), (2, -2000.0, 0.5));
    assert_eq!(
        dataset.report.warnings(),
        ["2 weights from -2000 to 0.5 were read and are not used (1 of them negative and still links)"]
    );
    let error = parse_network(&b"a b 1\nb c inf\n"[..], "w.txt", &with_columns("source,target,weight"));
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "w.txt, line 2, column 3: a weight must be a finite number, is 'inf'");
}

#[test]
fn labels_decide_what_is_observed() {
    let options = with_columns("source,target,label");
    let dataset = read_with("a b 1\nb c 0\nc a NA\n", &options);
    let network = &dataset.relations[0].network;
    assert_eq!((network.links().len(), network.non_links().len(), network.unobserved().len()), (1, 1, 1));
    assert_eq!(network.unlisted(), Unlisted::Unobserved);
    assert_eq!(
        dataset.report.warnings(),
        [
            "1 non-link is listed, so pairs that are not listed count as unobserved",
            "1 pair is marked unobserved and left out",
            "1 node has no link",
        ]
    );
    let only_hidden = read_with("a,b,1\nb,c,\n", &options);
    assert_eq!(only_hidden.relations[0].network.unlisted(), Unlisted::NonLink);
    let said = ReadOptions { unlisted: Some(Unlisted::NonLink), ..options.clone() };
    assert_eq!(read_with("a b 1\nb c 0\n", &said).relations[0].network.unlisted(), Unlisted::NonLink);
    let error = parse_network(&b"a b yes\nb c no\nc a maybe\n"[..], "l", &options).unwrap_err().to_string();
    assert_eq!(
        error,
        "l, line 3, column 3: a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved, is 'maybe'"
    );
}

#[test]
fn contradictions_name_both_lines() {
    let options = ReadOptions { directed: false, ..with_columns("source,target,label") };
    let error = parse_network(&b"a b 1\nc d 1\nb a 0\n"[..], "l", &options).unwrap_err().to_string();
    assert_eq!(error, "l, line 3: the pair 'a', 'b' is a non-link, but line 1 says it is a link");
    let directed = with_columns("source,target,label");
    assert!(parse_network(&b"a b 1\nb a 0\n"[..], "l", &directed).is_ok());
    assert!(parse_network(&b"a b 1\na b ?\n"[..], "l", &directed).is_err());
    // The same pair in two relations is two pairs.
    let relations = with_columns("relation,source,target,label");
    assert!(parse_network(&b"r a b 1\ns a b 0\n"[..], "l", &relations).is_ok());
}

#[test]
fn relations_share_their_nodes_and_none_is_lost() {
    let options = with_columns("relation,source,target");
    let dataset = read_with("10 a b\n9 c c\n10 b a\n2 a b\n", &options);
    let names: Vec<_> = dataset.relations.iter().map(|r| r.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["2", "9", "10"]);
    assert_eq!(links(&dataset, 1), []);
    assert_eq!((dataset.counts[1].self_links, dataset.relations[1].network.len()), (1, 3));
    assert_eq!(links(&dataset, 2), [("a", "b"), ("b", "a")]);
    let dataset = read("relation,source,target\nlikes,a,b\nhates,b,a\n");
    assert_eq!(dataset.relations[1].name.as_deref(), Some("hates"));
}

#[test]
fn declared_nodes_are_there_without_links() {
    let count = ReadOptions { nodes: Some(Declared::Count(5)), ..ReadOptions::default() };
    let dataset = read_with("3 1\n", &count);
    assert_eq!(dataset.relations[0].network.len(), 5);
    assert_eq!(dataset.report.warnings(), ["3 nodes have no link"]);
    let error = parse_network(&b"3 1\n5 1\n"[..], "l", &count).unwrap_err().to_string();
    assert_eq!(error, "l, line 2, column 1: an id must be an integer from 0 to 4, is '5'");
    let names = Declared::Names(["c", "b", "a"].map(String::from).to_vec());
    let names = ReadOptions { nodes: Some(names), ..ReadOptions::default() };
    assert_eq!(links(&read_with("a b\n", &names), 0), [("a", "b")]);
    let error = parse_network(&b"a b\nb z\n"[..], "l", &names).unwrap_err().to_string();
    assert_eq!(error, "l, line 2, column 2: 'z' is not one of the 3 nodes");
}

#[test]
fn snap_files_are_edge_lists_whose_comments_are_checked() {
    let text = "# Undirected graph: x\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n3466\t937\n937\t5233\n";
    assert!(undirected(text).report.warnings().is_empty());
    assert_eq!(read(text).report.warnings().len(), 1);
    assert_eq!(links(&undirected(text), 0), [("937", "3466"), ("937", "5233")]);
}

#[test]
fn matrix_market_files_are_networks() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n% c\n4 4 3\n2 1 0.5\n3 3 1\n4 1 0\n";
    let dataset = read(text);
    assert!(!dataset.relations[0].network.directed());
    assert_eq!(dataset.relations[0].network.nodes().names(), ["1", "2", "3", "4"]);
    assert_eq!(links(&dataset, 0), [("1", "2")]);
    assert_eq!((dataset.report.counts.self_links, dataset.report.stored_zeros), (1, 1));
    assert_eq!(dataset.report.weights.unwrap().count, 2);
    for (directed_by_default, effect) in [(true, ""), (false, "; --directed has no effect")] {
        let options = ReadOptions { directed_by_default, ..ReadOptions::default() };
        let remark = format!("the matrix is symmetric, so the network is undirected{effect}");
        assert_eq!(read_with(text, &options).report.remarks, [remark]);
    }
    let dataset = read("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 1\n");
    assert_eq!(links(&dataset, 0), [("1", "2"), ("2", "1")]);
    let names = Declared::Names(["x", "y", "z"].map(String::from).to_vec());
    let names = ReadOptions { nodes: Some(names), ..ReadOptions::default() };
    let dataset = read_with("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 3\n", &names);
    assert_eq!(links(&dataset, 0), [("x", "z")]);
}

#[test]
fn quoted_names_and_a_byte_order_mark_are_understood() {
    let dataset = read("\u{feff}source,target\n\"Doe, \"\"Jo\"\"\",\"#1\"\n");
    assert_eq!(links(&dataset, 0), [("Doe, \"Jo\"", "#1")]);
}

#[test]
fn a_line_of_excel_declares_the_delimiter() {
    for text in ["sep=;\nDoe, J;Roe, A\n", "\"sep=;\"\nsource;target\nDoe, J;Roe, A\n"] {
        assert_eq!(links(&read(text), 0), [("Doe, J", "Roe, A")], "{text}");
    }
}

#[test]
fn names_and_relations_that_may_be_one_are_reported() {
    let dataset = read("relation,source,target\nlikes,a,b\nLikes,b,c\n");
    assert_eq!(
        dataset.report.warnings(),
        [
            "'likes' and 'Likes' are two relations: their names differ in case, spaces and signs between words, \
             quotes, invisible marks, look-alike letters of two scripts or the form of letters or numbers alone"
        ]
    );
    let dataset = read("a,\"b\"x\nb,c\n");
    assert_eq!(links(&dataset, 0)[0], ("a", "\"b\"x"));
    assert_eq!(
        dataset.report.warnings(),
        ["1 row has text behind a closing quote (line 1): the quotes are part of the name"]
    );
    let names = Declared::Names(["name", "a", "b"].map(String::from).to_vec());
    let dataset = read_with("a b\n", &ReadOptions { nodes: Some(names), ..ReadOptions::default() });
    assert_eq!(
        dataset.report.warnings()[0],
        "'name' is the first of the declared nodes and has no link: if it is a title, take it out of the list"
    );
}

#[test]
fn columns_without_a_title_or_a_use_are_reported() {
    let dataset = read(",source,target\n0,a,b\n1,b,c\n");
    assert_eq!(links(&dataset, 0), [("a", "b"), ("b", "c")]);
    assert_eq!(dataset.report.warnings(), ["column 1 has no title and is not used"]);
}

/// Links of both labels between the same nodes are not links in both directions.
#[test]
fn a_non_link_is_no_link_in_the_other_direction() {
    let text = "source,target,label\na,b,1\nb,a,0\nc,d,1\nd,c,0\na,c,1\nb,d,1\n";
    let warnings = read(text).report.warnings();
    assert_eq!(warnings, ["2 non-links are listed, so pairs that are not listed count as unobserved"]);
    let both = read(&text.replace(",0", ",1").replace("a,c,1\nb,d,1\n", "")).report.warnings();
    assert_eq!(both, ["every link is listed in both directions: is the network undirected?"]);
}

/// Tables of Gephi say whether links have a direction.
#[test]
fn a_column_of_types_says_whether_links_have_a_direction() {
    let table = |types: [&str; 2]| format!("Source,Target,Type\na,b,{}\nb,c,{}\n", types[0], types[1]);
    let by_default = ReadOptions { directed_by_default: true, ..ReadOptions::default() };
    let said = |types, options: &ReadOptions| {
        let Dataset { relations, report, .. } = read_with(&table(types), options);
        assert_eq!(relations[0].network.directed(), report.directed);
        (report.directed, report.warnings().join("|"))
    };
    let both = ["Undirected", "Undirected"];
    assert_eq!(
        said(both, &by_default),
        (false, "the column 'Type' says Undirected throughout, so the network is undirected".to_owned())
    );
    assert_eq!(
        said(both, &ReadOptions::default()),
        (true, "the column 'Type' says Undirected throughout, but the network is directed".to_owned())
    );
    let undirected = ReadOptions { directed: false, ..ReadOptions::default() };
    assert_eq!(said(both, &undirected), (false, String::new()));
    let both = ["directed", "Directed"];
    assert_eq!(said(both, &by_default), (true, String::new()));
    assert_eq!(
        said(both, &undirected),
        (false, "the column 'Type' says Directed throughout, but the network is undirected".to_owned())
    );
    assert_eq!(
        said(["Directed", "Undirected"], &by_default),
        (
            true,
            "the column 'Type' has 1 Directed and 1 Undirected rows, and all links are read as directed"
                .to_owned()
        )
    );
    assert_eq!(said(["friend", "foe"], &by_default), (true, "the column 'Type' is not used".to_owned()));
}

#[test]
fn options_of_edge_lists_have_no_effect_on_matrices() {
    let options = ReadOptions {
        header: Some(true),
        delimiter: Some("tab".parse().unwrap()),
        ..with_columns("source,target")
    };
    let dataset = read_with("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 2\n2 1\n", &options);
    assert_eq!(
        dataset.report.warnings(),
        [
            "a Matrix Market file has no columns to name",
            "a Matrix Market file has no delimiter to choose",
            "a Matrix Market file has no header to look for",
            "a bipartite network of 2 rows and 3 columns",
            "1 node has no link",
        ]
    );
}

/// Twelve links from three sources to four targets: six cycles.
const TABLE: &str = "a 1\na 2\na 3\na 4\nb 1\nb 2\nb 3\nb 4\nc 1\nc 2\nc 3\nc 4\n";

#[test]
fn bipartites_are_found_unless_a_name_is_on_both_sides() {
    let dataset = read(TABLE);
    let network = &dataset.relations[0].network;
    assert!(network.modes().is_some() && !network.directed() && !dataset.report.directed);
    let warnings = dataset.report.warnings();
    let expected = "a bipartite network of 3 rows (sources) and 4 columns (targets), none being both: ";
    assert!(warnings[0].starts_with(expected), "{warnings:?}");
    for more in ["1 a\n", "a a\n", "4 5\n"] {
        assert!(read(&format!("{TABLE}{more}")).relations[0].network.modes().is_none(), "{more}");
    }
    let one = ReadOptions { bipartite: Some(false), ..ReadOptions::default() };
    assert!(read_with(TABLE, &one).relations[0].network.directed());
    // Asked for, a link may be written either way.
    let two = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let dataset = read_with(&format!("{TABLE}1 d\n"), &two);
    let network = &dataset.relations[0].network;
    assert_eq!((network.observed_count(), network.links().len()), (16, 13));
    // All relations have the same modes.
    let options =
        ReadOptions { columns: Some("source,target,relation".parse().unwrap()), ..ReadOptions::default() };
    let rows: Vec<String> =
        TABLE.lines().enumerate().map(|(row, line)| format!("{line} {}", row % 2)).collect();
    let relations = rows.join("\n");
    let dataset = read_with(&relations, &options);
    assert!(
        dataset.relations.len() == 2
            && dataset.relations.iter().all(|one| one.network.observed_count() == 12)
    );
}

/// Users and items with the same numbers.
const OVERLAP: &str = "1,2\n2,3\n3,4\n4,5\n1,4\n2,5\n6,5\n3,6\n";

#[test]
fn a_name_of_two_kinds_is_reported_or_refused() {
    let titled = format!("user,item\n{OVERLAP}");
    let two = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let error = parse_network(titled.as_bytes(), "l", &two).unwrap_err().to_string();
    assert_eq!(
        error,
        "l, line 3: '2' is a source (user), but a target (item) in line 2: give a row and a column of the same name \
         different names, such as 'user 2' and 'item 2'"
    );
    let said = read_with(OVERLAP, &two).report.warnings();
    assert_eq!(
        said,
        [
            "4 names are in both columns, such as '2' (lines 2 and 1), and are one node each, a row or a column by its \
             links: if a row and a column have the same name, give them different names",
            "a bipartite network of 3 rows and 3 columns",
        ]
    );
    let said = read(&titled).report.warnings();
    assert_eq!(
        said[1],
        "the header names two kinds of nodes (user, item), but 4 names are in both columns, such as '2' (lines 3 and \
         2), and are one node each: if they are two, give them different names"
    );
    for header in ["parent,child", "user1,user2", "source,target"] {
        let said = read(&format!("{header}\n{OVERLAP}")).report.warnings().join("|");
        assert!(!said.contains("both columns"), "{header}: {said}");
    }
}
