//! The tables of the README are those of docs/results: nobody types figures in.
//!
//! `DLFRM_UPDATE=1 cargo nextest run --release -p dlfrm-cli readme` writes them anew after a run of `dlfrm reproduce`.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Study, split, and the head of the column.
type Column = (&'static str, &'static str, &'static str);

const LEAK_FREE: [Column; 6] = [
    ("nips", "pairs", "NIPS234 `pairs`"),
    ("nips", "connected", "NIPS234 `connected`"),
    ("kinship", "pairs", "Kinship `pairs`"),
    ("webkb", "pairs", "WebKB `pairs`"),
    ("astroph", "links", "AstroPh `links`"),
    ("gowalla", "links", "Gowalla `links`"),
];

const PAPER: [Column; 5] = [
    ("nips", "paper-pairs", "NIPS234"),
    ("kinship", "paper-pairs", "Kinship, mean over relations"),
    ("webkb", "paper-pairs", "WebKB, links only"),
    ("astroph", "paper-links", "AstroPh"),
    ("gowalla", "paper-links", "Gowalla"),
];

const MODELS: [&str; 6] =
    ["dlfrm-l", "dlfrm-h", "sto-dlfrm-l", "sto-dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"];
const OTHERS: [&str; 12] = [
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
    for contender in MODELS.into_iter().chain(OTHERS) {
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

fn paper(studies: &[(&str, Value)]) -> String {
    let heads = PAPER.iter().flat_map(|(_, _, head)| [(*head).to_owned(), "paper".to_owned()]);
    let mut table = row(["model".to_owned()].into_iter().chain(heads));
    table += &row(vec!["---".to_owned(); 1 + 2 * PAPER.len()]);
    for model in MODELS {
        let cells = PAPER.iter().flat_map(|(study, split, _)| {
            let line = line(studies, study, split, model);
            let theirs = line.and_then(|line| line["paper_auc"].as_f64());
            [ours(line), theirs.map_or("-".to_owned(), |auc| format!("{auc:.4}"))]
        });
        table += &row([format!("`{model}`")].into_iter().chain(cells));
    }
    table
}

#[test]
fn tables_are_those_of_the_results() {
    let folder = project().join("docs/results");
    let studies: Vec<(&str, Value)> = ["nips", "kinship", "webkb", "astroph", "gowalla"]
        .into_iter()
        .filter_map(|name| Some((name, std::fs::read(folder.join(name).with_extension("json")).ok()?)))
        .map(|(name, text)| (name, serde_json::from_slice(&text).expect("the results are JSON")))
        .collect();
    let path = project().join("README.md");
    let before = std::fs::read_to_string(&path).expect("a README");
    let mut after = before.clone();
    for (name, table) in [("leak-free", leak_free(&studies)), ("paper", paper(&studies))] {
        let (begin, end) = (format!("<!-- figures: {name} -->\n"), format!("<!-- end: {name} -->\n"));
        let first = after.find(&begin).expect("where the table begins") + begin.len();
        let last = after.find(&end).expect("where it ends");
        after.replace_range(first..last, &table);
    }
    if std::env::var_os("DLFRM_UPDATE").is_some() {
        std::fs::write(&path, &after).expect("the README can be written");
    } else {
        assert!(before == after, "the README's tables are not those of docs/results; they would be\n{after}");
    }
}
