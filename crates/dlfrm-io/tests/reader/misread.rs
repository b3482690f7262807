//! Rows and comments that may be meant otherwise than they are read: each has its warning, and ordinary files have none.

use std::fmt::Write;

use dlfrm_io::{Dataset, Declared, ReadOptions, parse_network};

fn read_with(text: &str, options: &ReadOptions) -> Dataset {
    parse_network(text.as_bytes(), "links", options).unwrap()
}

fn warnings(text: &str) -> Vec<String> {
    read_with(text, &ReadOptions::default()).report.warnings()
}

fn names(dataset: &Dataset) -> Vec<&str> {
    dataset.relations[0].network.nodes().names().iter().map(String::as_str).collect()
}

/// A ring of `count` nodes from `first`, each with links to the next `reach` ones.
fn ring(first: usize, count: usize, reach: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        for step in 1..=reach {
            writeln!(text, "{} {}", first + i, first + (i + step) % count).unwrap();
        }
    }
    text
}

#[test]
fn a_first_line_with_the_sizes_of_the_network() {
    let said = |sizes: &str, rows: usize, nodes: usize| {
        vec![format!(
            "line 1 ({sizes}) was taken for a link, though {rows} other rows have {nodes} nodes: if it has the sizes of \
             the network, take it out"
        )]
    };
    for first in [0, 1] {
        let rows = ring(first, 12, 3);
        assert_eq!(warnings(&format!("12 36\n{rows}")), said("12, 36", 36, 12));
        assert_eq!(warnings(&format!("36 12\n{rows}")), said("36, 12", 36, 12));
        // Nodes without links, and links in both directions.
        assert_eq!(warnings(&format!("15 36\n{rows}")), said("15, 36", 36, 12));
        assert_eq!(warnings(&format!("15 18\n{rows}")), said("15, 18", 36, 12));
        for other in ["12 35", "11 36", "36 11", "12 0"] {
            assert_eq!(warnings(&format!("{other}\n{rows}")), Vec::<String>::new(), "{other}");
        }
        let no_header = ReadOptions { header: Some(false), ..ReadOptions::default() };
        assert!(read_with(&format!("12 36\n{rows}"), &no_header).report.warnings().is_empty());
    }
    // Few rows, a path from its end, and sizes that are other nodes, too.
    for text in ["3 2\n1 4\n4 5\n", "9 8\n8 7\n7 6\n6 5\n5 4\n4 3\n3 2\n2 1\n1 0\n"] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
    // The sizes of a tree or a ring are nodes, too, and ids may begin anywhere.
    let tree = |first: u64| {
        (1..40).map(|i| format!("{} {}\n", first + i, first + i / 2)).collect::<Vec<_>>().concat()
    };
    for (sizes, from) in [("40 39", 1), ("60 39", 1), ("40 39", 0), ("1020 39", 1000), ("100 39", 50)] {
        let found = warnings(&format!("{sizes}\n{}", tree(from)));
        assert_eq!(found, said(&sizes.replace(' ', ", "), 39, 40), "{sizes}");
    }
    assert_eq!(warnings(&format!("40,39\n{}", tree(1).replace(' ', ","))), said("40, 39", 39, 40));
    let ring_of = warnings(&format!("6 6\n{}", ring(1, 6, 1)));
    assert!(ring_of.contains(&said("6, 6", 6, 6)[0]), "{ring_of:?}");
    // METIS has as many lines below as there are nodes.
    let few = (0..39).map(|i| format!("{} {}\n", 70 + i % 19, 71 + i * 7 % 19)).collect::<Vec<_>>().concat();
    assert!(warnings(&format!("100 39\n{few}")).contains(&said("100, 39", 39, 20)[0]), "{few}");
}

#[test]
fn rows_that_begin_as_comments_above_the_others() {
    let several = |count: usize| {
        format!(
            "{count} lines above the rows begin with # or % and were skipped as comments, though they have names of nodes: \
             put names that begin so in double quotes"
        )
    };
    assert_eq!(warnings("#t0\tAda\n#t1\tBob\nt2\tAda\nt2\tBob\n"), [several(2)]);
    assert_eq!(warnings("#t0 Cleo\n%t1 Dan\nAda #t0\nBob %t1\n"), [several(2)]);
    assert_eq!(warnings("#a,1\n#b,2\n#c,1\n#d,3\ne,1\nf,2\ng,3\n"), [several(4)]);
    assert_eq!(
        warnings("# tags\n#t0 Ada\nt1 Ada\nt1 Bob\n"),
        [
            "1 line above the rows begins with # or % and was skipped as a comment, though it has a name of a node: put a \
             name that begins so in double quotes"
        ]
    );
    assert_eq!(
        warnings("Ada,Bob\n#Bob,Cleo\nCleo,Ada\n"),
        ["1 line among the rows begins with # or % and was skipped as a comment"]
    );
    for text in [
        "# Directed graph: x\n# Nodes: 4 Edges: 5\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n3\t4\n4\t1\n4\t2\n",
        "% asym unweighted\n% 4 3 3\n1 2\n2 3\n3 1\n1 3\n",
        "#nodes 3\n#edges 4\n#made by\n1 2\n2 3\n3 1\n1 3\n",
        "#nodes\t3\n#edges\t4\nAda\tBob\nBob\t3\n3\tAda\n",
        "#source,target\nAda,Bob\nBob,Cleo\nCleo,Ada\n",
        "#script.py here\n# GMT Wed Nov 18\n#\nAda Bob\nBob Cleo\nCleo Ada\n",
        "#t0,Ada\nsource,target\nAda,Bob\nBob,Cleo\n",
        "\"#t0\" Ada\nt1 Ada\nt1 Bob\n",
    ] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn titles_in_a_comment_that_are_the_other_way_round() {
    let rows = "Ada\tBob\nBob\tCleo\nCleo\tAda\n";
    for comment in ["#target\tsource", "# To\tFrom"] {
        let [target, source] = [1, 2].map(|word| comment.split(['#', '\t']).nth(word).unwrap().trim());
        assert_eq!(
            warnings(&format!("{comment}\n{rows}")),
            [format!(
                "links go from the first column to the second, which a comment calls '{target}' and '{source}': if they go \
                 the other way, say --columns target,source"
            )]
        );
    }
    let undirected = ReadOptions { directed: false, ..ReadOptions::default() };
    assert!(read_with(&format!("#target\tsource\n{rows}"), &undirected).report.warnings().is_empty());
    let columns = ReadOptions { columns: Some("source,target".parse().unwrap()), ..ReadOptions::default() };
    assert!(read_with(&format!("#target\tsource\n{rows}"), &columns).report.warnings().is_empty());
    for comment in ["#source\ttarget", "#tail\thead", "# the target\tand the source"] {
        assert_eq!(warnings(&format!("{comment}\n{rows}")), Vec::<String>::new(), "{comment}");
    }
}

#[test]
fn remarks_of_other_kinds_and_nodes_above_a_mark() {
    assert_eq!(
        warnings("a b\nb c\n//by me\nc d\n"),
        ["1 row begins with // and is taken for a link (line 3): comments begin with # or %"]
    );
    assert_eq!(
        warnings("//made by\n//somebody else\na b\nb c\nc a\n"),
        ["2 rows begin with // and are taken for links (line 1): comments begin with # or %"]
    );
    for text in ["//host/a //host/b\nx //host/a\ny x\n", "//host/a x\n//host/a y\nx y\nz x\nz y\n"] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
    // A list of nodes that is longer than what is looked at first.
    let mut tgf = String::new();
    for i in 0..9000 {
        writeln!(tgf, "{i} n{i}").unwrap();
    }
    tgf += "#\n";
    for i in 0..9000 {
        writeln!(tgf, "{i} {}", (i + 1) % 9000).unwrap();
    }
    let said = "line 9001 is a lone #, and no row below it has a new name: if the lines above it name nodes, as in TGF, take \
                them out";
    assert_eq!(warnings(&tgf), [said]);
    for text in ["a b\nb c\n#\nc a\n", "a b\nc d\n#\nd e\n", "a b\nc d\n#\n#\nb d\n", "#\na b\nb c\n"] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
}

/// Fifteen rows and twelve columns, each numbered from 1.
fn konect(kind: &str) -> String {
    let mut text = format!("% {kind} unweighted\n% 45 15 12\n");
    for row in 0..15 {
        for step in 0..3 {
            writeln!(text, "{} {}", row + 1, (row + step) % 12 + 1).unwrap();
        }
    }
    text
}

#[test]
fn konect_s_bipartite_networks_have_rows_and_columns_of_their_own() {
    let letters = "a comment in the file says it is bipartite (bip of KONECT), so rows and columns of the same name are two \
                   nodes: rows are called r1, ..., columns c1, ...";
    let modes = "a bipartite network of 15 rows and 12 columns";
    for bipartite in [None, Some(true)] {
        let dataset = read_with(&konect("bip"), &ReadOptions { bipartite, ..ReadOptions::default() });
        assert_eq!((dataset.report.nodes, dataset.report.counts.links), (27, 45));
        assert_eq!(dataset.report.warnings(), [letters, modes]);
        assert_eq!(names(&dataset)[14..16], ["r15", "c1"]);
        let network = &dataset.relations[0].network;
        let links: Vec<_> =
            network.links().iter().filter(|(row, _)| *row == 14).map(|(_, column)| column - 15).collect();
        assert_eq!(links, [2, 3, 4]);
        assert!(!network.directed() && network.modes().is_some());
    }
    let dataset =
        read_with(&konect("bip"), &ReadOptions { bipartite: Some(false), ..ReadOptions::default() });
    assert_eq!((dataset.report.nodes, dataset.report.warnings()), (27, vec![letters.to_owned()]));
    assert!(dataset.relations[0].network.modes().is_none());
    // Names of their own stay as they are.
    let dataset = read_with("% bip weighted\nAda tea\nBob tea\nBob rum\n", &ReadOptions::default());
    assert_eq!(names(&dataset), ["Ada", "Bob", "tea", "rum"]);
    assert_eq!(dataset.report.warnings(), ["a bipartite network of 2 rows and 2 columns"]);
    let few = ReadOptions { max_nodes: 26, ..ReadOptions::default() };
    let error = parse_network(konect("bip").as_bytes(), "links", &few).unwrap_err();
    assert_eq!(error.to_string(), "links has more than 26 nodes");
    let declared = ReadOptions { nodes: Some(Declared::Count(16)), ..ReadOptions::default() };
    let error = parse_network(konect("bip").as_bytes(), "links", &declared).unwrap_err();
    assert_eq!(
        error.to_string(),
        "links, line 3: '1' is a source (line 3) and a target (line 3), but a comment in the file says it is bipartite (bip of KONECT), \
         so these are two nodes: declare none, or give them different names (awk '!/^%/ {print \"r\" $1, \"c\" $2}')"
    );
}

#[test]
fn ids_may_begin_at_1() {
    let said = |text: &str, count: usize| {
        let options = ReadOptions { nodes: Some(Declared::Count(count)), ..ReadOptions::default() };
        let mut warnings = read_with(text, &options).report.warnings();
        warnings.retain(|warning| warning.contains("ids begin"));
        warnings
    };
    assert_eq!(
        said(&ring(1, 12, 1), 13),
        [
            "0 is the only one of the declared ids without a link: if ids begin at 1, there is no such node, so leave --nodes \
             out"
        ]
    );
    let labelled = format!("source target label\n{}0 5 0\n", ring(1, 12, 1).replace('\n', " 1\n"));
    for (text, count) in [
        (ring(0, 13, 1), 13),
        (ring(1, 12, 1), 14),
        (ring(0, 12, 1), 13),
        (ring(1, 12, 1), 12 + 20),
        (labelled, 13),
    ] {
        assert_eq!(said(&text, count), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn konect_says_whether_links_have_a_direction() {
    let default = ReadOptions { directed_by_default: true, bipartite: Some(false), ..ReadOptions::default() };
    let said = |kind: &str| read_with(&konect(kind), &default).report.warnings();
    let undirected = "a comment in the file says it is undirected, but it was read as directed";
    assert!(said("sym").contains(&undirected.to_owned()), "{:?}", said("sym"));
    assert!(!said("asym").iter().any(|said| said.contains("directed")), "{:?}", said("asym"));
    let options = ReadOptions { directed: false, ..default };
    assert!(!read_with(&konect("sym"), &options).report.warnings().contains(&undirected.to_owned()));
}

#[test]
fn konect_says_how_large_a_network_is() {
    let few = [
        "a comment in the file says 27 nodes, but there are 26 nodes",
        "a comment in the file says 45 edges, but there are 42 rows",
    ];
    let cut = |kind: &str, last: usize| {
        let lines: Vec<String> = konect(kind).lines().map(str::to_owned).collect();
        read_with(&lines[..lines.len() - last].join("\n"), &ReadOptions::default()).report.warnings()
    };
    assert_eq!(cut("bip", 3)[2..], few);
    let unipartite = few.map(|said| said.replace("27", "15").replace("26", "14"));
    assert_eq!(cut("asym", 3)[..2], unipartite);
    assert!(!cut("sym", 0).iter().any(|said| said.contains("a comment in the file says 4")));
    // Numbers in other comments are no sizes.
    for above in ["% 9 9 9\n", "# 9 9 9\n", "% asym unweighted\n# 9 9 9\n", "% asym unweighted\n% 9 9\n"] {
        assert_eq!(warnings(&format!("{above}1 2\n2 3\n3 1\n1 3\n")), Vec::<String>::new(), "{above}");
    }
}

#[test]
fn ends_that_may_be_missing_values() {
    assert_eq!(
        warnings("a,b\nNA,c\nc,NA\nb,c\nd,?\n"),
        [
            "2 rows have 'NA' as an end, which is taken for the name of a node: if it is a missing value, take these rows out",
            "1 row has '?' as an end, which is taken for the name of a node: if it is a missing value, take the row out",
        ]
    );
    let words = [
        "N/A",
        "<NA>",
        "NaN",
        "nan",
        "NULL",
        "null",
        "None",
        "-",
        "--",
        ".",
        "(null)",
        "n.a.",
        "NaT",
        "undefined",
        "\\N",
        "#N/A",
        "#REF!",
        "#VALUE!",
        "#NAME?",
        "#NULL!",
        "#DIV/0!",
        "#NUM!",
    ];
    for word in words {
        assert_eq!(
            warnings(&format!("a b\nc {word}\nc a\n")),
            [format!(
                "1 row has '{word}' as an end, which is taken for the name of a node: if it is a missing value, take the row \
                 out"
            )]
        );
    }
    // Sodium, Nan and labels.
    for text in ["Na Cl\nK Cl\nK Br\n", "Nan Ada\nAda Bob\nBob Nan\n"] {
        assert_eq!(warnings(text), Vec::<String>::new());
    }
    let labelled = read_with("source,target,label\na,b,1\nb,c,NA\nc,a,1\n", &ReadOptions::default());
    assert_eq!(labelled.report.warnings(), ["1 pair is marked unobserved and left out"]);
    let nodes = Some(Declared::Names(["NA", "b", "c"].map(str::to_owned).to_vec()));
    let declared = ReadOptions { nodes, ..ReadOptions::default() };
    assert_eq!(read_with("NA b\nb c\nc NA\n", &declared).report.warnings(), Vec::<String>::new());
}

#[test]
fn names_in_quotes_that_stay() {
    let said =
        "every name is in single quotes, which are part of it, as in 'n0': double quotes are taken off";
    assert_eq!(warnings("'n0','n1'\n'n1','n2'\n'n2','n0'\n"), [said]);
    assert_eq!(
        warnings("“n0”,“n1”\n“n1”,“n2”\n“n2”,“n0”\n"),
        [
            "every name is in curly quotes, which are part of it, as in “n0”: straight double quotes are taken off"
        ]
    );
    assert_eq!(warnings("'n0','n1'\nn3,'n2'\n'n2','n0'\n"), Vec::<String>::new());
    let alike = "two nodes: their names differ in case, spaces and signs between words, quotes, invisible marks, \
                 look-alike letters of two scripts or the form of letters or numbers alone";
    assert_eq!(warnings("'n0','n1'\nn1,'n2'\n'n2','n0'\n"), [format!("''n1'' and 'n1' are {alike}")]);
    assert_eq!(
        warnings("Ada,Bob\nBob,Cleo\n“Ada”,“Cleo”\n"),
        [format!("'Ada' and '“Ada”' are {alike}; there is 1 more such pair")]
    );
}

#[test]
fn comments_behind_names() {
    let said = "'Ned' and 'Ned # met 2003' are two nodes: a line that begins with # or % is a comment, and nothing else is";
    assert_eq!(warnings("Ada\tNed\nNed\tMax\nMax\tNed # met 2003\nAda\tMax\n"), [said]);
    let more = format!("{said}; there is 1 more such name");
    assert_eq!(warnings("Ada\tNed\nNed\tMax\nMax\tNed # met 2003\nAda\tMax % old\n"), [more]);
    // A name that ends so, and one that is like no other.
    assert_eq!(warnings("C\tC#\nC#\tF#\nF#\tC\nC\troom #5\n"), Vec::<String>::new());
}
