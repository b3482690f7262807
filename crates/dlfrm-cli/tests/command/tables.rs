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
    let links = |model: &str| folder.json(&["info", model, "--json"])["relations"][0]["links"].clone();
    assert_eq!(links("friends.dlfrm"), 17);
    folder.write("more.csv", "source,target,label\nAda,Bob,?\nAda,Jo,?\n");
    let printed = folder.warnings(&["update", "friends.dlfrm", "more.csv", "-o", "more.dlfrm"]);
    assert!(printed.contains("2 pairs unobserved"), "{printed}");
    assert!(
        printed.contains(
            "new: 0 nodes, 0 links, 0 listed non-links, 2 unobserved pairs; 1 link became unobserved\n"
        ),
        "{printed}"
    );
    assert_eq!(links("more.dlfrm"), 16);
    folder.write("pair.csv", "Ada,Bob\n");
    let predicted = folder.json(&["predict", "more.dlfrm", "--pairs", "pair.csv", "--json"]);
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
    let said = "community.dat: each line was read as a node and its groups\n";
    let printed = folder.warnings(&args);
    assert!(printed.starts_with(said) && printed.lines().count() == 2, "{printed}");
    let printed = folder.stdout(&args);
    assert!(printed.contains(" beside the 2 groups of community.dat"), "{printed}");
}
