//! The README's table of leak-free splits is that of docs/results: nobody types its figures in.
//!
//! `DLFRM_UPDATE=1 cargo nextest run --release -p dlfrm-cli readme` writes it anew after a run of `dlfrm reproduce`.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Study, split, and the head of the column.
type Column = (&'static str, &'static str, &'static str);

/// What stands before the table and after it.
const BEGIN: &str = "<!-- leak-free figures: made from docs/results by a test, crates/dlfrm-cli/tests/command/readme.rs -->\n";
const END: &str = "<!-- end of leak-free figures -->\n";

const LEAK_FREE: [Column; 6] = [
    ("nips", "pairs", "NIPS234 `pairs`"),
    ("nips", "connected", "NIPS234 `connected`"),
    ("kinship", "pairs", "Kinship `pairs`"),
    ("webkb", "pairs", "WebKB `pairs`"),
    ("astroph", "links", "AstroPh `links`"),
    ("gowalla", "links", "Gowalla `links`"),
];

const CONTENDERS: [&str; 18] = [
    "dlfrm-l",
    "dlfrm-h",
    "sto-dlfrm-l",
    "sto-dlfrm-h",
    "diag-dlfrm-l",
    "diag-dlfrm-h",
    "diag-dlfrm-l with attributes",
    "svm-linear",
    "svm-rbf",
    "lfrm",
    "irm",
    "mmsb",
    "katz",
    "ra",
    "aa",
    "cn",
    "jaccard",
    "pa",
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a study says of a contender on a split, if it was run.
fn line<'a>(studies: &'a [(&str, Value)], study: &str, split: &str, contender: &str) -> Option<&'a Value> {
    let (_, study) = studies.iter().find(|(name, _)| *name == study)?;
    study["lines"].as_array()?.iter().find(|line| line["split"] == split && line["contender"] == contender)
}

/// AUC, its deviation over the runs, and how many there were.
fn ours(line: Option<&Value>) -> String {
    let Some(line) = line else { return "-".to_owned() };
    let (auc, runs) = (line["auc_mean"].as_f64().expect("an AUC"), &line["runs"]);
    match line["auc_sd"].as_f64() {
        Some(deviation) if runs == 5 => format!("{auc:.4} ({deviation:.4})"),
        Some(deviation) => format!("{auc:.4} ({deviation:.4}), {runs} runs"),
        None => format!("{auc:.4}, 1 run"),
    }
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

fn leak_free(studies: &[(&str, Value)]) -> String {
    let mut table =
        row(["model".to_owned()].into_iter().chain(LEAK_FREE.map(|(_, _, head)| head.to_owned())));
    table += &row(vec!["---".to_owned(); 1 + LEAK_FREE.len()]);
    for contender in CONTENDERS {
        let cells = LEAK_FREE.map(|(study, split, _)| ours(line(studies, study, split, contender)));
        if cells.iter().any(|cell| cell != "-") {
            let name = match contender.strip_suffix(" with attributes") {
                Some(model) => format!("`{model}` with words"),
                None if contender.starts_with("svm") => format!("`{contender}` on words"),
                None => format!("`{contender}`"),
            };
            table += &row([name].into_iter().chain(cells));
        }
    }
    table
}

#[test]
fn the_table_is_that_of_the_results() {
    let folder = project().join("docs/results");
    let studies: Vec<(&str, Value)> = ["nips", "kinship", "webkb", "astroph", "gowalla"]
        .into_iter()
        .filter_map(|name| Some((name, std::fs::read(folder.join(name).with_extension("json")).ok()?)))
        .map(|(name, text)| (name, serde_json::from_slice(&text).expect("the results are JSON")))
        .collect();
    let path = project().join("README.md");
    let before = std::fs::read_to_string(&path).expect("a README");
    let mut after = before.clone();
    let first = after.find(BEGIN).expect("where the table begins") + BEGIN.len();
    let last = after.find(END).expect("where it ends");
    after.replace_range(first..last, &leak_free(&studies));
    if std::env::var_os("DLFRM_UPDATE").is_some() {
        std::fs::write(&path, &after).expect("the README can be written");
    } else {
        assert!(before == after, "the README's table is not that of docs/results; it would be\n{after}");
    }
}
