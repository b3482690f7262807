//! Tables, test pairs and new pairs that once were misread without a word: what is said of them now.

use std::fmt::Write;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

/// The strength of each link, and of no other pair.
fn strengths() -> String {
    let mut text = "source,target,strength\n".to_owned();
    for (at, line) in FRIENDS.lines().skip(2).enumerate() {
        writeln!(text, "{},{}", line.replace('\t', ","), at % 4).unwrap();
    }
    text
}

#[test]
fn a_table_of_the_links_gives_them_away() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("ties.csv", strengths());
    let absent = "ties.csv: 28 of 45 pairs are not there\n";
    let away = "ties.csv: 17 of 17 links and 0 of 28 non-links have a value of 'strength', so that having one gives a link away, \
                and figures of an evaluation mean nothing: give the values of all pairs, or leave the table out\n";
    let evaluate = ["evaluate", "friends.tsv", "--runs", "1", "--model", "linear"];
    let tune = ["tune", "friends.tsv", "--budget", "0"];
    for command in [&["fit", "friends.tsv", "-o", "m"][..], &evaluate, &tune] {
        let args = [command, &["--undirected", "--pair-covariates", "ties.csv"], &SHORT].concat();
        let printed = folder.warnings(&args);
        assert!(printed.contains(absent) && printed.contains(away), "{printed}");
        let quiet = folder.warnings(&[&args[..], &["-q"]].concat());
        assert_eq!(quiet, "");
    }
}

#[test]
fn two_tables_have_different_titles() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("one.csv", "name,age\nAda,1\nBob,2\n");
    folder.write("other.csv", "name,age\nCleo,1\nDan,2\n");
    let fit = ["fit", "friends.tsv", "--undirected", "-q", "--node-attributes", "one.csv"];
    assert_eq!(
        refused(&folder, &[&fit[..], &["--node-attributes", "other.csv"]].concat()),
        "other.csv: 'age' is an attribute of one.csv already: put both into one file, or call it otherwise"
    );
}

#[test]
fn kinds_of_columns_are_told() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write(
        "people.csv",
        "name,dept,city,tags:words\nAda,1,Rome,\"a,b\"\nBob,2,rome,b\nCleo,None,Oslo,c\n",
    );
    let args = ["fit", "friends.tsv", "--undirected", "-o", "m", "--node-attributes", "people.csv"];
    let printed = folder.warnings(&[&args[..], &SHORT].concat());
    for said in [
        "people.csv: read as dept (number), city (3 categories), tags (3 words between commas)\n",
        "people.csv: 'Rome' and 'rome' are two categories of 'city': ",
        "people.csv: 1 value of 'dept' is missing\n",
    ] {
        assert!(printed.contains(said), "{printed}");
    }
}

#[test]
fn columns_that_are_not_used_are_told_everywhere() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("test.csv", "source,target,label,day\nAda,Jo,1,Monday\nAda,Ida,0,Friday\n");
    let said = "test.csv: the column 'day' is not used\n";
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--test", "test.csv", "--model", "ra"];
    let report = ["report", "friends.dlfrm", "--test", "test.csv", "-o", "page.html"];
    let predict = ["predict", "friends.dlfrm", "--pairs", "test.csv"];
    for args in [&evaluate[..], &report, &predict] {
        let printed = folder.warnings(args);
        assert!(printed.contains(said), "{args:?}: {printed}");
    }
    // What the command writes is read back without a word; what is said is of the model.
    folder.write("top.tsv", folder.stdout(&["predict", "friends.dlfrm", "--top", "3", "--explain"]));
    let printed = folder.warnings(&["predict", "friends.dlfrm", "--pairs", "top.tsv"]);
    assert!(printed.lines().count() == 1 && printed.starts_with("friends.dlfrm: Chains do not"), "{printed}");
}

#[test]
fn a_test_pair_is_there_once() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("test.csv", "source,target,label\nAda,Jo,1\nAda,Ida,0\nJo,Ada,1\n");
    let message = "test.csv, line 4: the pair 'Ada', 'Jo' is in line 2 already";
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--test", "test.csv", "--model", "ra", "-q"];
    let report = ["report", "friends.dlfrm", "--test", "test.csv", "-o", "page.html"];
    for args in [&evaluate[..], &report] {
        assert_eq!(refused(&folder, args), message);
    }
}

#[test]
fn a_pair_may_become_unobserved() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let links =
        |model: &str| json(&folder.stdout(&["info", model, "--json"]))["relations"][0]["links"].clone();
    assert_eq!(links("friends.dlfrm"), 17);
    folder.write("more.csv", "source,target,label\nAda,Bob,?\nAda,Jo,?\n");
    let printed = folder.warnings(&["update", "friends.dlfrm", "more.csv", "-o", "more.dlfrm"]);
    assert!(printed.contains("more.csv: 2 pairs are marked unobserved and left out\n"), "{printed}");
    assert!(
        printed.contains(
            "new: 0 nodes, 0 links, 0 listed non-links, 2 unobserved pairs; 1 link became unobserved\n"
        ),
        "{printed}"
    );
    assert_eq!(links("more.dlfrm"), 16);
    folder.write("pair.csv", "Ada,Bob\n");
    let predicted = json(&folder.stdout(&["predict", "more.dlfrm", "--pairs", "pair.csv", "--json"]));
    assert_eq!(predicted[0]["known_link"], false);
    // It may become a non-link as well.
    folder.write("none.csv", "source,target,label\nAda,Cleo,0\n");
    let update = folder
        .dlfrm(&["update", "friends.dlfrm", "none.csv", "-o", "none.dlfrm", "--json"])
        .output()
        .unwrap();
    let printed = String::from_utf8(update.stderr).unwrap();
    assert!(
        printed.contains("new: 0 nodes, 0 links, 1 listed non-link; 1 link became a non-link\n"),
        "{printed}"
    );
    let added = json(&String::from_utf8(update.stdout).unwrap())["added"].clone();
    assert_eq!((&added["links_to_non_links"], &added["links_to_unobserved"]), (&1.into(), &0.into()));
    // Given again, it is new.
    folder.write("again.csv", "Ada,Bob\n");
    let printed = folder.warnings(&["update", "more.dlfrm", "again.csv", "-o", "again.dlfrm"]);
    assert!(printed.contains("new: 0 nodes, 1 link, 0 listed non-links\n"), "{printed}");
    folder.write("same.csv", "source,target,label\nAda,Bob,?\n");
    let printed = folder.warnings(&["update", "more.dlfrm", "same.csv", "-o", "same.dlfrm"]);
    assert!(printed.contains("nothing is new"), "{printed}");
}

#[test]
fn nothing_is_known_of_new_nodes() {
    let folder = Folder::new();
    folder.write("people.csv", "name,age\nAda,1\nBob,2\nCleo,4\n");
    folder.fit_friends(&["--node-attributes", "people.csv"]);
    folder.write("more.tsv", "Zoe\tAda\nZoe\tBob\nYan\tAda\n");
    folder.write("known.tsv", "Ada\tJo\n");
    let said = "attributes of 2 new nodes are not known\n";
    let update = |file: &'static str| folder.warnings(&["update", "friends.dlfrm", file, "-o", "more.dlfrm"]);
    assert!(update("more.tsv").contains(&format!("more.tsv: {said}")));
    assert!(!update("known.tsv").contains("not known"));
    let printed = folder.warnings(&["predict", "friends.dlfrm", "--new", "more.tsv"]);
    assert!(printed.contains(said), "{printed}");
}

#[test]
fn a_title_row_above_new_nodes_is_remarked_on() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let remark = "new.csv: the first row (giver, taker) was taken for a link of two new nodes, and all other rows have a known \
                  name: if it is a header, say --header\n";
    for (text, said) in [
        ("giver,taker\nZoe,Ada\n", true),
        ("giver,taker\nZoe,Ada\nYan,Bob\n", true),
        ("giver,taker\ngiver,Ada\n", false),
        ("giver,taker\nZoe,Ada\nZoe,Yan\n", false),
        ("Zoe,Ada\n", false),
    ] {
        folder.write("new.csv", text);
        let printed = folder.warnings(&["predict", "friends.dlfrm", "--new", "new.csv"]);
        assert_eq!(printed.contains(remark), said, "{text}: {printed}");
    }
    folder.write("new.csv", "giver,taker\nZoe,Ada\n");
    let predict = ["predict", "friends.dlfrm", "--new", "new.csv", "--header"];
    assert!(!folder.warnings(&predict).contains("first row") && !folder.stdout(&predict).contains("giver"));
    assert_eq!(
        refused(&folder, &["predict", "friends.dlfrm", "--top", "1", "--header"]),
        "--header needs --pairs or --new"
    );
    folder.write("more.csv", "giver,taker\nZoe,Ada\n");
    let printed = folder.warnings(&["update", "friends.dlfrm", "more.csv", "-o", "more.dlfrm", "--header"]);
    assert!(printed.contains("new: 1 node, 1 link"), "{printed}");
}

#[test]
fn groups_by_node_are_read() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let names = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo"];
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        writeln!(text, "{name}\t{}", 1 + at / 5).unwrap();
    }
    folder.write("community.dat", text);
    let args = ["features", "friends.dlfrm", "--truth", "community.dat"];
    let said = "community.dat: each line is taken for a node and its group\n";
    let printed = folder.warnings(&args);
    assert!(printed.starts_with(said) && printed.lines().count() == 2, "{printed}");
    let printed = folder.stdout(&args);
    assert!(printed.contains(" beside the 2 groups of community.dat"), "{printed}");
}

#[test]
fn files_of_other_programs_are_named() {
    let folder = Folder::new();
    let pandas = |name: &str, read: &str| {
        format!(
            "links is a file of {name}, which is not read: write CSV, for example with pandas: pd.read_{read}('FILE').to_csv(\
             'links.csv', index=False)"
        )
    };
    let sheet = "links is a file of a spreadsheet program (.xlsx), which is not read: save it as CSV there";
    for (bytes, message) in [
        (&b"\x80\x04\x95\x0b\0\0\0\0\0\0\0]\x94."[..], pandas("Python (pickle)", "pickle")),
        (b"PAR1\x15\x04\x15\x10\x15\x14L", pandas("Parquet", "parquet")),
        (
            b"PK\x03\x04\x14\0\x08\x08\x08\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml",
            sheet.to_owned(),
        ),
        (
            b"PK\x03\x04\x14\0\x08\x08\x08\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0links.tsv",
            "links is packed with zip, which is not read: unpack it, or use .gz or .zst".to_owned(),
        ),
    ] {
        folder.write("links", bytes);
        assert_eq!(refused(&folder, &["fit", "links", "-q", "-o", "m"]), message);
    }
}

#[test]
fn export_needs_one_of_several_relations() {
    let folder = Folder::new();
    let help = folder.stdout(&["export", "--help"]);
    assert!(help.contains("The relation to write; needed if the model has several"), "{help}");
    assert!(folder.stdout(&["features", "--help"]).contains("Only this relation [default: all of them]"));
}

/// The same data as a table and as a graph.
#[test]
fn a_graph_has_the_relations_of_a_table() {
    let folder = Folder::new();
    let ends = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("b", "e"), ("c", "e"), ("a", "e")];
    let (mut table, mut edges) = ("source,target,relation\n".to_owned(), String::new());
    for (at, (i, j)) in ends.iter().enumerate() {
        let relation = if at % 2 == 0 { "friend" } else { "foe" };
        writeln!(table, "{i},{j},{relation}").unwrap();
        writeln!(edges, "<edge source=\"{i}\" target=\"{j}\"><data key=\"r\">{relation}</data></edge>")
            .unwrap();
    }
    let nodes = ["a", "b", "c", "d", "e"]
        .map(|id| format!("<node id=\"{id}\"><data key=\"g\">3</data></node>"))
        .concat();
    let keys =
        "<key id=\"r\" for=\"edge\" attr.name=\"relation\"/><key id=\"g\" for=\"node\" attr.name=\"age\"/>";
    folder.write("links.csv", table);
    folder.write(
        "links.graphml",
        format!("<graphml>{keys}<graph edgedefault=\"undirected\">{nodes}{edges}</graph></graphml>"),
    );
    let mut printed = vec![];
    for file in ["links.csv", "links.graphml"] {
        let args = [&["fit", file, "--undirected", "-o", "m"], &SHORT[..]].concat();
        let warnings = folder.warnings(&args);
        let said = "links.graphml: the node attribute 'age' is not used (--node-attributes reads a table of attributes)\n";
        assert_eq!(warnings.contains(said), file == "links.graphml", "{warnings}");
        let info = json(&folder.stdout(&["info", "m", "--json"]));
        let relations = info["relations"].as_array().unwrap().clone();
        printed.push(
            relations.iter().map(|one| (one["relation"].clone(), one["links"].clone())).collect::<Vec<_>>(),
        );
    }
    assert_eq!(printed[0].len(), 2);
    assert_eq!(printed[0], printed[1]);
}
