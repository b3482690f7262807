//! `dlfrm predict --new`: links of nodes that were not there at the fit.

use crate::shared::{FRIENDS, Folder, json, refused};

#[test]
fn new_nodes_without_a_fit() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "-o", "friends.dlfrm", "--chains", "2", "-q"];
    folder.stdout(&[&fit[..], &["--burn-in", "200", "--draws", "60"]].concat());
    folder.write("zoe.tsv", "Zoe\tFinn\nZoe\tGus\nZoe\tHal\nYan\tZoe\n");
    let predict = ["predict", "friends.dlfrm", "--new", "zoe.tsv"];
    let with = |more: &[&str]| folder.stdout(&[&predict[..], more].concat());
    let lines = with(&["--top", "3"]);
    let rows: Vec<Vec<&str>> = lines.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["source", "target", "probability", "low", "high", "score"]);
    assert_eq!(rows.len(), 1 + 2 * 3, "{lines}");
    // Zoe first, then Yan.
    assert!(rows[1..4].iter().all(|row| row[1] == "Zoe") && rows[4..].iter().all(|row| row[1] == "Yan"));
    assert!(!rows.iter().any(|row| row[..2] == ["Finn", "Zoe"] || row[..2] == ["Zoe", "Yan"]), "{lines}");
    for row in &rows[1..] {
        let [mean, low, high] = [row[2], row[3], row[4]].map(|number| number.parse::<f64>().unwrap());
        assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0, "{row:?}");
    }
    assert_eq!(with(&["--top", "3", "--threads", "1"]), lines, "the same on any number of threads");
    assert_eq!(with(&[]).lines().count(), 1 + 7 + 10, "all there are, up to 10 of each");
    let of_yan = json(&with(&["--node", "Yan", "--top", "2", "--json", "--explain"]));
    assert_eq!(of_yan.as_array().unwrap().len(), 2);
    assert!(of_yan[0]["target"] == "Yan" && of_yan[0]["why"].is_string(), "{of_yan}");
    // By common neighbours alone Zoe's further friends are of the second group.
    let by_covariates = ["--max-new", "0", "--c-pos", "1.5", "--c-neg", "0.15", "-o", "linear.dlfrm", "-q"];
    folder.stdout(&[&["fit", "friends.tsv", "--undirected"], &by_covariates[..]].concat());
    let best = folder.stdout(&["predict", "linear.dlfrm", "--new", "zoe.tsv", "--node", "Zoe", "--top", "1"]);
    assert!(["Ida", "Jo"].iter().any(|name| best.contains(name)), "{best}");
    let refused_new = |text: &str, more: &[&str]| {
        folder.write("new.tsv", text);
        refused(&folder, &[&["predict", "friends.dlfrm", "--new", "new.tsv"], more].concat())
    };
    // Who is known to have no link gets fewer than the others, of whom 17 of 45 pairs are linked.
    folder.write("alone.tsv", "Yan\tFinn\t?\n");
    let columns = ["--columns", "source,target,label"];
    let alone = folder.stdout(&[&["predict", "friends.dlfrm", "--new", "alone.tsv"], &columns[..]].concat());
    let first: f64 = alone.lines().nth(1).unwrap().split('\t').nth(2).unwrap().parse().unwrap();
    assert!(first < 0.3, "{alone}");
    let line = refused_new("Zoe\tFinn\nAda\tEve\n", &[]);
    assert!(line.starts_with("new.tsv: the model knows both 'Ada' and 'Eve'"), "{line}");
    assert_eq!(refused_new("Zoe\tFinn\n", &["--node", "Ada"]), "new.tsv: --node 'Ada' is not a new node");
    assert_eq!(
        refused_new("X1\tX2\nX2\tX3\n", &[]),
        "new.tsv: none of its 3 names, such as 'X1', is one of the 10 nodes of the model: is it a file of another network?"
    );
    let line = refused_new("likes\tZoe\tFinn\n", &["--columns", "relation,source,target"]);
    assert_eq!(line, "new.tsv: the model has no relations, so none is called 'likes'");
    let line = refused_new("Zoe\tFinn\n", &["--pairs", "zoe.tsv"]);
    assert!(line.contains("cannot be used with"), "{line}");
    // A fit that was ended has no draws to begin from.
    let endless = ["fit", "friends.tsv", "--chains", "2", "--burn-in", "20", "--draws", "1000000"];
    folder.stdout(&[&endless[..], &["--time", "3s", "-o", "ended", "-q"]].concat());
    let line = refused(&folder, &["predict", "ended", "--new", "zoe.tsv"]);
    assert_eq!(line, "ended: the fit was not finished: 'dlfrm resume ended' goes on with it");
}

#[test]
fn new_nodes_of_bipartites_and_of_relations() {
    let folder = Folder::new();
    let boards = (0..12).flat_map(|i| (0..3).map(move |d| format!("p{i}\tb{}\n", (i / 4 * 3 + d) % 9)));
    folder.write("boards.tsv", boards.collect::<String>());
    let short = ["--chains", "2", "--burn-in", "50", "--draws", "20", "-q"];
    folder.stdout(&[&["fit", "boards.tsv", "--bipartite", "-o", "m"][..], &short].concat());
    folder.write("new.tsv", "pz\tb0\npz\tb1\n");
    let lines = folder.stdout(&["predict", "m", "--new", "new.tsv"]);
    assert_eq!(lines.lines().count(), 1 + 7, "a row is linked with columns only: {lines}");
    assert!(lines.lines().skip(1).all(|line| line.starts_with("pz\tb")), "{lines}");
    folder.write("new.tsv", "pz\tb0\npz\tp1\n");
    let line = refused(&folder, &["predict", "m", "--new", "new.tsv"]);
    assert!(line.contains("not possible in a bipartite network"), "{line}");
    let two = (0..14_u32).flat_map(|i| (1..4).map(move |d| (i, (i + d * d) % 14)));
    let two = two.flat_map(|(i, j)| {
        ["near", "far"].map(|relation| format!("{relation}\t{i}\t{}\n", (j + i % 3 + 1) % 14))
    });
    folder.write("two.tsv", two.filter(|line| !same_ends(line)).collect::<String>());
    for sharing in ["--share-features", "--separate-features"] {
        let fit = ["fit", "two.tsv", "--columns", "relation,source,target", sharing, "-o", "two"];
        folder.stdout(&[&fit[..], &short, &["--force"]].concat());
        folder.write("new.tsv", "near\tz\t1\nfar\t2\tz\n");
        let predict = ["predict", "two", "--new", "new.tsv", "--columns", "relation,source,target"];
        let lines = folder.stdout(&[&predict[..], &["--top", "60"]].concat());
        // Both directions of 14 pairs in two relations, but for two links.
        assert_eq!(lines.lines().count(), 1 + 2 * 28 - 2, "{lines}");
        let lines = folder.stdout(&[&predict[..], &["--relation", "far", "--top", "3"]].concat());
        assert!(lines.lines().skip(1).all(|line| line.ends_with("\tfar")), "{lines}");
    }
    folder.write("new.tsv", "z\t1\n");
    let line = refused(&folder, &["predict", "two", "--new", "new.tsv"]);
    assert!(line.contains("the model has relations, the new pairs have none"), "{line}");
}

fn same_ends(line: &str) -> bool {
    let fields: Vec<&str> = line.trim().split('\t').collect();
    fields[1] == fields[2]
}
