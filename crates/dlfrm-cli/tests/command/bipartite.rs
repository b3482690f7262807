//! Bipartite networks: pairs across alone, and mistakes.

use std::fmt::Write as _;
use std::fs;

use crate::shared::{Folder, SHORT, refused};

/// Twelve people on six boards: each is on two or three of them.
fn boards() -> Folder {
    let folder = Folder::new();
    let mut text = String::new();
    for person in 0..12 {
        for step in [0, 1, 3].iter().take(2 + person % 2) {
            writeln!(text, "p{person}\tb{}", (person + step) % 6).unwrap();
        }
    }
    folder.write("boards.tsv", text);
    folder
}

/// Sources and targets of a table with a header.
fn ends(table: &str) -> Vec<(String, String)> {
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let ends = rows.map(|row| {
        let mut fields = row.split('\t').map(str::to_owned);
        (fields.next().unwrap(), fields.next().unwrap())
    });
    ends.collect()
}

fn rows_first(table: &str) -> bool {
    ends(table).iter().all(|(row, column)| row.starts_with('p') && column.starts_with('b'))
}

#[test]
fn predictions_are_across() {
    let folder = boards();
    let fit = |more: &[&str], model: &str| {
        let args = [&["fit", "boards.tsv", "-o", model], &SHORT[..], more].concat();
        let output = folder.dlfrm(&args).output().unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    // A network is bipartite if it is said to be; what looks like one is asked about.
    let [summary, warnings] = fit(&[], "one.dlfrm");
    assert!(summary.contains("18 nodes, directed") && warnings.contains("is it bipartite? (--bipartite)"));
    let [summary, warnings] = fit(&["--bipartite"], "m.dlfrm");
    assert!(summary.contains("18 nodes, bipartite") && !warnings.contains("--bipartite"), "{warnings}");
    let top = |more: &[&str]| folder.stdout(&[&["predict", "m.dlfrm", "--top", "1000"], more].concat());
    // 12 x 6 pairs less 30 links.
    let all = top(&[]);
    assert!(rows_first(&all));
    assert_eq!(ends(&all).len(), 42);
    let of_board = ends(&top(&["--node", "b2"]));
    let links = fs::read_to_string(folder.path("boards.tsv")).unwrap();
    assert_eq!(of_board.len(), 12 - links.lines().filter(|line| line.ends_with("\tb2")).count());
    assert!(of_board.iter().all(|(_, board)| board == "b2"));
    let info = folder.json(&["info", "m.dlfrm", "--json"]);
    assert_eq!((&info["bipartite"], &info["directed"]), (&true.into(), &false.into()));
    let coefficients = info["relations"][0]["coefficients"].as_array().unwrap();
    let names: Vec<&str> = coefficients.iter().map(|one| one["covariate"].as_str().unwrap()).collect();
    assert!(names.contains(&"log row degree"), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("common neighbour")), "{names:?}");
    // Any pair, if the user wants it: every pair but the links.
    fit(&["--unipartite", "--undirected"], "one.dlfrm");
    assert_eq!(ends(&folder.stdout(&["predict", "one.dlfrm", "--top", "1000"])).len(), 18 * 17 / 2 - 30);
}

#[test]
fn pairs_within_a_mode_are_refused() {
    let folder = boards();
    folder.stdout(&[&["fit", "boards.tsv", "--bipartite", "-o", "m.dlfrm"], &SHORT[..]].concat());
    folder.write("pairs.tsv", "p1\tb1\nb1\tp1\n");
    assert_eq!(ends(&folder.stdout(&["predict", "m.dlfrm", "--pairs", "pairs.tsv"])).len(), 2);
    folder.write("within.tsv", "p1\tb1\np1\tp2\n");
    let message = refused(&folder, &["predict", "m.dlfrm", "--pairs", "within.tsv"]);
    assert!(
        message.contains(
            "within.tsv: the pair 'p1', 'p2' is not possible in a bipartite network: both are rows"
        ),
        "{message}"
    );
    let message = refused(&folder, &["explain", "m.dlfrm", "b1", "b2"]);
    assert!(message.contains("both are columns"), "{message}");
    folder.write("test.tsv", "source\ttarget\tlabel\np1\tp3\t1\np0\tb5\t0\n");
    let evaluate = ["evaluate", "boards.tsv", "--bipartite", "--model", "cn", "--quiet"];
    let message = refused(&folder, &[&evaluate[..], &["--test", "test.tsv"]].concat());
    assert!(message.contains("the pair 'p1', 'p3'"), "{message}");
    let hard = ["--split", "links", "--test-negatives", "hard"];
    let message = refused(&folder, &[&evaluate[..], &hard].concat());
    assert!(message.contains("no row is two steps from a column"), "{message}");
    let message = refused(&folder, &["fit", "boards.tsv", "--bipartite", "--directed", "-o", "x.dlfrm"]);
    assert!(message.contains("--bipartite: links between two kinds of nodes have no direction"), "{message}");
}

#[test]
fn splits_are_across_and_are_read_back() {
    let folder = boards();
    for (split, more) in [("pairs", &[][..]), ("links", &["--negatives", "0.5"])] {
        let args = ["evaluate", "boards.tsv", "--bipartite", "--runs", "2", "--split", split, "--model"];
        let write = ["cn,linear", "--write-splits", split, "--json"];
        let written = folder.json(&[&args[..], &write, more].concat());
        for file in ["run-1-train", "run-1-test", "run-2-train", "run-2-test"] {
            assert!(rows_first(&fs::read_to_string(folder.path(&format!("{split}/{file}.tsv"))).unwrap()));
        }
        let [train, test, nodes] =
            ["run-1-train.tsv", "run-1-test.tsv", "nodes.txt"].map(|name| format!("{split}/{name}"));
        let sampled: &[&str] = if split == "links" { &["--sampled-non-links"] } else { &[] };
        let args = ["evaluate", &train, "--bipartite", "--nodes", &nodes, "--test", &test, "--model"];
        let read = folder.json(&[&args[..], &["linear", "--json"], sampled].concat());
        assert!(read["models"][0]["auc_mean"].is_f64() && written["models"][0]["auc_mean"] == 0.5);
    }
}

#[test]
fn a_rectangular_matrix_is_bipartite() {
    let folder = Folder::new();
    let entries = "1 1\n1 2\n1 3\n2 1\n2 2\n2 4\n3 1\n3 3\n3 4\n";
    folder.write("table.mtx", format!("%%MatrixMarket matrix coordinate pattern general\n3 4 9\n{entries}"));
    folder.stdout(&[&["fit", "table.mtx", "-o", "m.dlfrm"], &SHORT[..]].concat());
    let mut found = ends(&folder.stdout(&["predict", "m.dlfrm", "--top", "9"]));
    found.sort();
    let expected =
        [("r1", "c4"), ("r2", "c3"), ("r3", "c2")].map(|(row, column)| (row.to_owned(), column.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn generated_links_are_across() {
    let folder = Folder::new();
    let links = folder.stdout(&["generate", "--rows", "10", "--nodes", "40", "--seed", "2"]);
    let numbers = links.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (row, column) = line.split_once('\t').unwrap();
        (row.parse::<u32>().unwrap(), column.parse::<u32>().unwrap())
    });
    let numbers: Vec<(u32, u32)> = numbers.collect();
    assert!(numbers.len() > 10 && numbers.iter().all(|&(row, column)| row < 10 && column >= 10));
    let message = refused(&folder, &["generate", "--rows", "40", "--nodes", "40"]);
    assert!(message.contains("rows must be at least 1 and below the number of nodes"), "{message}");
}
