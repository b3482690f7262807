//! Files that could be read otherwise than they are meant: the command reads them rightly, remarks on them or refuses them.

use std::fmt::Write;

use crate::shared::{Folder, SHORT, json, refused};

/// Test files whose headers name the columns in another order give the same figures.
#[test]
fn test_pairs_follow_their_header() {
    let folder = Folder::new();
    folder.write("links.csv", "a,b\nb,c\nc,d\nd,a\na,c\nb,e\n");
    let area = |test: &str| {
        folder.write("test.csv", test);
        let args =
            ["evaluate", "links.csv", "--directed", "--test", "test.csv", "--model", "pa", "-q", "--json"];
        json(&folder.stdout(&args))["models"][0]["auc_mean"].as_f64().unwrap()
    };
    for test in [
        "a,e,1\ne,c,0\n",
        "source,target,label\na,e,1\ne,c,0\n",
        "target,source,label\ne,a,1\nc,e,0\n",
        "label,source,target\n1,a,e\n0,e,c\n",
    ] {
        assert_eq!(area(test), 1.0, "{test}");
    }
}

/// A table is no list of names.
#[test]
fn nodes_are_a_list_of_names() {
    let folder = Folder::new();
    folder.write("links.csv", "1,2\n2,3\n3,1\n1,4\n");
    folder.write("nodes.csv", "id,name\n1,Ada\n2,Bob\n3,Cleo\n4,Dan\n");
    assert_eq!(
        refused(&folder, &["fit", "links.csv", "--nodes", "nodes.csv", "-o", "links.dlfrm"]),
        "nodes.csv is a table of 2 columns, and --nodes needs a file of names, one per line: write its column 1 alone (tail -n \
         +2 nodes.csv | cut -d, -f1 > names.txt)"
    );
}

/// Words for source and target are a header even if a node is called like one of them, and doubt is remarked on.
#[test]
fn a_header_may_have_the_names_of_nodes() {
    let folder = Folder::new();
    let links = "go,to\nto,be\nbe,or\nor,not\nnot,go\n";
    folder.write("words.csv", format!("from,to\n{links}"));
    let fit = ["fit", "words.csv", "-o", "words.dlfrm"];
    let nodes = || json(&folder.stdout(&["info", "words.dlfrm", "--json"]))["nodes"].as_u64().unwrap();
    let remark = "words.csv: the first row (from, to) was taken for a header, though a word of it is a node, too: \
                  --no-header takes it for a link\n";
    let printed = folder.warnings(&[&fit[..], &SHORT].concat());
    assert!(printed.contains(remark), "{printed}");
    assert_eq!(nodes(), 5);
    let printed = folder.warnings(&[&fit[..], &["--no-header"], &SHORT].concat());
    assert!(!printed.contains("words.csv: the first row"), "{printed}");
    assert_eq!(nodes(), 6);
    folder.write("names.txt", "from\nto\ngo\nbe\nor\nnot\n");
    let printed = folder.warnings(&[&fit[..], &["--nodes", "names.txt"], &SHORT].concat());
    let remark = "words.csv: the first row (from, to) was taken for a link, because both words are nodes: --header takes \
                  it for a header\n";
    assert!(printed.contains(remark), "{printed}");
    // What the command writes is read back.
    folder.write("words.csv", links.replace("go", "target").replace("be", "source"));
    folder.stdout(&[&fit[..], &["-q"], &SHORT].concat());
    folder.write("top.tsv", folder.stdout(&["predict", "words.dlfrm", "--top", "3"]));
    let read = folder.stdout(&["predict", "words.dlfrm", "--pairs", "top.tsv"]);
    assert_eq!(read.lines().count(), 4, "{read}");
    folder.stdout(&["export", "words.dlfrm", "--format", "csv", "-o", "tables"]);
    let printed = folder.warnings(&[&["fit", "tables/links.csv", "-o", "words.dlfrm"], &SHORT[..]].concat());
    assert!(!printed.contains("the first row"), "{printed}");
    assert_eq!(nodes(), 5);
}

/// Files that were put together may have the header of the second in the midst.
#[test]
fn a_header_below_other_rows_is_remarked_on() {
    let folder = Folder::new();
    folder.write("links.csv", "a,b\nb,c\nsource,target\nc,d\nd,a\n");
    let printed = folder.warnings(&[&["fit", "links.csv", "-o", "m.dlfrm"], &SHORT[..]].concat());
    let remark = "links.csv: line 3 (source, target) was taken for a link: if it is a header, take it out\n";
    assert!(printed.contains(remark), "{printed}");
}

/// A title row among names that the model knows would be a link of two new nodes.
#[test]
fn a_title_row_of_an_update_is_remarked_on() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let remark = "more.csv: the first row (A, B) was taken for a link of two new nodes, and all other names are known: \
                  if it is a header, say --header";
    let rows = "Ada,Finn\nBob,Gus\nCleo,Hal\nDan,Ida\n";
    for (text, said) in [
        (format!("A,B\n{rows}"), true),
        (format!("A,B\nB,Ada\n{rows}"), false),
        (format!("A,Ada\n{rows}"), false),
        (format!("source,target\nA,B\n{rows}"), false),
        (rows.to_owned(), false),
    ] {
        folder.write("more.csv", &text);
        let printed = folder.warnings(&["update", "friends.dlfrm", "more.csv", "-o", "more.dlfrm"]);
        assert_eq!(printed.contains(remark), said, "{text}: {printed}");
    }
}

#[test]
fn a_model_is_no_network() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    assert_eq!(
        refused(&folder, &["fit", "friends.dlfrm", "-o", "x"]),
        "friends.dlfrm is a model or a checkpoint of dlfrm, a file of links is needed (dlfrm export writes those of a model)"
    );
}

#[test]
fn nodes_come_from_a_file_of_their_own() {
    let folder = Folder::new();
    assert_eq!(
        refused(&folder, &["fit", "-", "--nodes", "-", "-o", "m"]),
        "--nodes -: standard input has the network already; name a file"
    );
    for (args, message) in [
        (
            &["fit", "-", "--node-attributes", "-", "-o", "m"][..],
            "--node-attributes -: standard input has the network",
        ),
        (
            &["fit", "-", "--pair-covariates", "-", "-o", "m"],
            "--pair-covariates -: standard input has the network",
        ),
        (&["tune", "-", "--node-attributes", "-"], "--node-attributes -: standard input has the network"),
        (&["evaluate", "-", "--test", "-"], "--test -: standard input has the network"),
        (
            &["evaluate", "links.csv", "--test", "-", "--validation", "-"],
            "--validation -: standard input has the file of --test",
        ),
    ] {
        assert_eq!(refused(&folder, args), format!("{message} already; name a file"));
    }
    folder.write("links.csv", "a,b\nb,c\n");
    assert_eq!(
        refused(&folder, &["fit", "links.csv", "--nodes", "", "-o", "m"]),
        "--nodes must be a whole number of at least 2, such as 1000, or a file of names, is empty"
    );
}

#[test]
fn attributes_are_given_once() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("people.csv", "name,age\nAda,1\nBob,2\n");
    let files = ["--node-attributes", "people.csv", "--node-attributes", "./people.csv"];
    assert_eq!(
        refused(&folder, &[&["fit", "friends.tsv", "-q", "-o", "m"], &files[..]].concat()),
        "--node-attributes ./people.csv: the file is given twice; leave one out"
    );
}

/// A rectangular matrix can have no other modes, so that no flag is offered that would be refused.
#[test]
fn a_rectangular_matrix_is_bipartite_without_a_choice() {
    let folder = Folder::new();
    let mut entries = String::new();
    for (row, column) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 4), (3, 1), (3, 3), (3, 4)] {
        writeln!(entries, "{row} {column}").unwrap();
    }
    folder.write("table.mtx", format!("%%MatrixMarket matrix coordinate pattern general\n3 4 9\n{entries}"));
    let printed = folder.warnings(&[&["fit", "table.mtx", "-o", "m.dlfrm"], &SHORT[..]].concat());
    assert!(printed.contains("table.mtx: a bipartite network of 3 rows and 4 columns\n"), "{printed}");
    assert!(!printed.contains("--unipartite"), "{printed}");
}

/// Gephi writes whether links have a direction.
#[test]
fn a_table_of_gephi_is_undirected_if_it_says_so() {
    let folder = Folder::new();
    folder.write("edges.csv", "Source,Target,Type\na,b,Undirected\nb,c,Undirected\nc,d,Undirected\n");
    let fit = ["fit", "edges.csv", "-o", "m.dlfrm"];
    let printed = folder.warnings(&[&fit[..], &SHORT].concat());
    assert!(
        printed.contains(
            "edges.csv: the column 'Type' says Undirected throughout, so the network is undirected"
        ),
        "{printed}"
    );
    assert_eq!(json(&folder.stdout(&["info", "m.dlfrm", "--json"]))["directed"], false);
    let printed = folder.warnings(&[&fit[..], &["--directed"], &SHORT].concat());
    assert!(printed.contains("says Undirected throughout, but the network is directed"), "{printed}");
}

/// A model is named wherever a file of text is needed.
#[test]
fn a_model_is_no_table() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let said = "friends.dlfrm is a model or a checkpoint of dlfrm, a text file is needed";
    for args in [
        &["predict", "friends.dlfrm", "--pairs", "friends.dlfrm"][..],
        &["features", "friends.dlfrm", "--truth", "friends.dlfrm"],
        &["fit", "friends.tsv", "--node-attributes", "friends.dlfrm", "-q", "-o", "m"],
        &["fit", "friends.tsv", "--nodes", "friends.dlfrm", "-q", "-o", "m"],
    ] {
        assert_eq!(refused(&folder, args), said, "{args:?}");
    }
}

#[test]
fn nodes_in_no_group_are_counted() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let printed = |groups: &str| {
        folder.write("truth.txt", groups);
        folder.warnings(&["features", "friends.dlfrm", "--truth", "truth.txt"])
    };
    assert!(printed("Ada Bob Cleo\nAda Finn\n").contains("6 of 10 nodes are in no group of truth.txt\n"));
    let most = "Ada Bob Cleo Dan Eve\nFinn Gus Hal Ida";
    assert!(printed(most).contains("1 of 10 nodes is in no group of truth.txt\n"));
    assert!(!printed(&format!("{most} Jo\n")).contains("in no group"));
}

#[test]
fn runs_that_are_all_the_same() {
    let folder = Folder::new();
    folder.write("links.csv", "a,b\nb,c\nc,d\nd,a\na,c\nb,e\n");
    folder.write("test.csv", "a,e,1\ne,c,0\n");
    let printed = |more: &[&str]| {
        folder.warnings(&[&["evaluate", "links.csv", "--directed", "--test", "test.csv"], more].concat())
    };
    assert!(printed(&["--model", "pa,cn", "--runs", "3"]).contains(
        "all 3 runs have the pairs of --test, and the figures of pa, cn are the same in each: --runs 1 is enough\n"
    ));
    assert!(!printed(&["--model", "pa"]).contains("runs have the pairs"));
}
