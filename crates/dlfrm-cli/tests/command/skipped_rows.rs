//! Rows that begin as comments, first lines that are no links, and networks of KONECT: what the command says of them.

use std::fmt::Write;

use crate::shared::{Folder, SHORT, json, refused};

/// People and tags, some of whose names begin as a comment.
const TAGS: &str = "\"#a\",Ada\n\"#a\",Bob\n\"#b\",Ada\nAda,Bob\nBob,Cleo\nCleo,Dan\nDan,Ada\nCleo,Ada\n";

fn fitted() -> Folder {
    let folder = Folder::new();
    folder.write("tags.csv", TAGS);
    let fit = ["fit", "tags.csv", "--undirected", "-q", "-o", "tags.dlfrm"];
    folder.stdout(&[&fit[..], &SHORT].concat());
    folder
}

const AMONG: &str = "1 line among the rows begins with # or % and was skipped as a comment\n";
const ABOVE: &str = "1 line above the rows begins with # or % and was skipped as a comment, though it has a name of a node: put \
                     a name that begins so in double quotes\n";

/// Every file of pairs or groups is read as a network is.
#[test]
fn rows_that_begin_as_comments_are_counted() {
    let folder = fitted();
    folder.write("pairs.csv", "Bob,Dan\n#b,Bob\n");
    folder.write("test.csv", "Bob,Dan,1\n#b,Bob,0\n\"#b\",Cleo,0\n");
    folder.write("validation.csv", "#b,Bob,0\n\"#a\",Cleo,0\n\"#a\",Dan,1\n");
    folder.write("groups.txt", "Ada,Bob\n#a,#b\n");
    let evaluate = ["evaluate", "tags.csv", "--undirected", "--model", "ra,cn", "--test", "test.csv"];
    let validation = [&evaluate[..], &["--validation", "validation.csv"]].concat();
    for (args, file, said) in [
        (&["predict", "tags.dlfrm", "--pairs", "pairs.csv"][..], "pairs.csv", AMONG),
        (&["report", "tags.dlfrm", "--test", "test.csv", "-o", "page.html"], "test.csv", AMONG),
        (&evaluate, "test.csv", AMONG),
        (&validation, "validation.csv", ABOVE),
        (
            &["features", "tags.dlfrm", "--truth", "groups.txt"],
            "groups.txt",
            "1 line with names of nodes begins with # or % and was skipped as a comment\n",
        ),
    ] {
        let printed = folder.warnings(args);
        assert!(printed.contains(&format!("{file}: {said}")), "{args:?}: {printed}");
        let quiet = folder.warnings(&[args, &["-q"]].concat());
        assert!(!quiet.contains("comment"), "{args:?}: {quiet}");
    }
}

#[test]
fn a_network_whose_first_rows_begin_as_comments() {
    let folder = fitted();
    folder.write("more.csv", "#a,Eve\n#b,Ada\nEve,Ada\nEve,Bob\n");
    let said = "more.csv: 2 lines above the rows begin with # or % and were skipped as comments, though they have names of \
                nodes: put names that begin so in double quotes\n";
    for args in [
        &[
            "fit",
            "more.csv",
            "--undirected",
            "-o",
            "m.dlfrm",
            "--chains",
            "1",
            "--burn-in",
            "2",
            "--draws",
            "2",
        ][..],
        &["update", "tags.dlfrm", "more.csv", "-o", "more.dlfrm"],
    ] {
        let printed = folder.warnings(args);
        assert!(printed.contains(said), "{args:?}: {printed}");
    }
}

#[test]
fn a_line_of_sizes_and_missing_values_are_remarked_on() {
    let folder = Folder::new();
    let mut text = "12 36\n".to_owned();
    for i in 0..12 {
        for step in 1..=3 {
            writeln!(text, "{i} {}", (i + step) % 12).unwrap();
        }
    }
    folder.write("sizes.txt", &text);
    let evaluate =
        |file: &str| folder.warnings(&["evaluate", file, "--undirected", "--model", "ra", "--runs", "1"]);
    let printed = evaluate("sizes.txt");
    let said = "sizes.txt: line 1 (12, 36) was taken for a link, though 36 other rows have 12 nodes: if it has the sizes of \
                the network, take it out\n";
    assert!(printed.contains(said), "{printed}");
    folder.write("gaps.txt", text.replacen("12 36", "NA 3\n4 NA", 1));
    let printed = evaluate("gaps.txt");
    let said = "gaps.txt: 2 rows have 'NA' as an end, which is taken for the name of a node: if it is a missing value, take \
                these rows out\n";
    assert!(printed.contains(said), "{printed}");
}

#[test]
fn rows_and_columns_of_konect_are_apart() {
    let folder = Folder::new();
    let mut text = "% bip unweighted\n% 45 15 12\n".to_owned();
    for row in 0..15 {
        for step in [0, 1, 4] {
            writeln!(text, "{} {}", row + 1, (row + step) % 12 + 1).unwrap();
        }
    }
    folder.write("out.boards", &text);
    let printed = folder.warnings(&[&["fit", "out.boards", "-o", "m.dlfrm"], &SHORT[..]].concat());
    let said = "out.boards: a comment in the file says it is bipartite (bip of KONECT), so rows and columns of the same name are \
                two nodes: rows are called r1, ..., columns c1, ...\n\
                out.boards: a bipartite network of 15 rows and 12 columns\n";
    assert!(printed.contains(said), "{printed}");
    let info = json(&folder.stdout(&["info", "m.dlfrm", "--json"]));
    assert_eq!((&info["nodes"], &info["bipartite"]), (&27.into(), &true.into()));
    assert_eq!(info["relations"][0]["links"], 45);
    folder.write("out.friends", text.replace("% bip", "% sym"));
    let printed = folder.warnings(&[&["fit", "out.friends", "-o", "m.dlfrm"], &SHORT[..]].concat());
    let said = "out.friends: a comment in the file says it is undirected, but it was read as directed\n";
    assert!(printed.contains(said), "{printed}");
}

#[test]
fn a_test_file_without_relations() {
    let folder = Folder::new();
    folder.write("links.csv", "relation,source,target\nr,a,b\ns,b,c\nr,c,a\ns,a,d\nr,d,b\n");
    let refused = |test: &str| {
        folder.write("test.csv", test);
        refused(&folder, &["evaluate", "links.csv", "-q", "--model", "ra", "--test", "test.csv"])
    };
    assert_eq!(
        refused("source,target,label\na,c,1\nb,a,0\n"),
        "test.csv: there are 2 relations, and no column names the relation of a pair (name a column relation, or choose one of \
         them)"
    );
    assert_eq!(
        refused("a,c,1\nb,a,0\n"),
        "test.csv, line 1: 3 columns where 4 are needed (cut at commas; the columns are relation,source,target,label)"
    );
}

#[test]
fn names_that_begin_as_comments_are_counted() {
    let folder = fitted();
    folder.write("names.txt", "\"#a\"\n\"#b\"\nAda\nBob\nCleo\nDan\n#c\n");
    let evaluate =
        ["evaluate", "tags.csv", "--undirected", "--model", "ra", "--runs", "1", "--nodes", "names.txt"];
    let printed = folder.warnings(&evaluate);
    let said = "names.txt: 1 line begins with # or % and was skipped as a comment, though it looks like a name: put a name that \
                begins so in double quotes\n";
    assert!(printed.contains(said), "{printed}");
}
