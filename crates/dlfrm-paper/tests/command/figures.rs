//! The tables of docs/figures.md are those of docs/results: no figure is typed in.
//!
//! `DLFRM_UPDATE=1 cargo nextest run --release -p dlfrm-paper figures` writes them after a run of `dlfrm-paper reproduce`.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Study, split, and the head of the column.
type Column = (&'static str, &'static str, &'static str);

/// The name of a table, and how it is made.
type Made = (&'static str, fn(&[(&str, Value)]) -> String);

const TABLES: [Made; 3] =
    [("leak-free figures", leak_free), ("figures on the paper's split", papers), ("large networks", large)];

const LEAK_FREE: [Column; 6] = [
    ("nips", "pairs", "NIPS234 `pairs`"),
    ("nips", "connected", "NIPS234 `connected`"),
    ("kinship", "pairs", "Kinship `pairs`"),
    ("webkb", "pairs", "WebKB `pairs`"),
    ("astroph", "links", "AstroPh `links`"),
    ("gowalla", "links", "Gowalla `links`"),
];

/// The paper's own splits: study, and the head of the column.
const PAPERS: [(&str, &str); 3] = [("nips", "NIPS234"), ("kinship", "Kinship"), ("webkb", "WebKB")];
const LARGE: [(&str, &str); 2] = [("astroph", "AstroPh"), ("gowalla", "Gowalla")];

const METHODS: [&str; 18] = [
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

/// The line of a method on a split, if it was run.
fn line<'a>(studies: &'a [(&str, Value)], study: &str, split: &str, method: &str) -> Option<&'a Value> {
    let (_, study) = studies.iter().find(|(name, _)| *name == study)?;
    study["lines"].as_array()?.iter().find(|line| line["split"] == split && line["contender"] == method)
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

/// The first two lines of a table.
fn head(cells: Vec<String>) -> String {
    let below = row(vec!["---".to_owned(); cells.len()]);
    row(cells) + &below
}

/// The first cell of a method's row.
fn title(method: &str) -> String {
    match method.strip_suffix(" with attributes") {
        Some(model) => format!("`{model}` with words"),
        None if method.starts_with("svm") => format!("`{method}` on words"),
        None => format!("`{method}`"),
    }
}

fn leak_free(studies: &[(&str, Value)]) -> String {
    let heads = LEAK_FREE.map(|(_, _, head)| head.to_owned());
    let mut table = head(["model".to_owned()].into_iter().chain(heads).collect());
    for method in METHODS {
        let cells = LEAK_FREE.map(|(study, split, _)| ours(line(studies, study, split, method)));
        if cells.iter().any(|cell| cell != "-") {
            table += &row([title(method)].into_iter().chain(cells));
        }
    }
    table
}

/// A figure of a line, if there is one.
fn figure(line: Option<&Value>, name: &str, digits: usize) -> String {
    line.and_then(|line| line[name].as_f64()).map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

/// The paper's figure, whether we have one beside it or not.
fn published(studies: &[(&str, Value)], study: &str, method: &str) -> String {
    let study = studies.iter().find(|(name, _)| *name == study);
    let row = study
        .and_then(|(_, study)| study["paper"]["rows"].as_array()?.iter().find(|row| row["name"] == method));
    figure(row, "auc", 4)
}

/// All methods with a figure in the paper, its figure beside ours.
fn papers(studies: &[(&str, Value)]) -> String {
    let heads = PAPERS.iter().flat_map(|(_, head)| [(*head).to_owned(), "paper".to_owned()]);
    let mut table = head(["model".to_owned()].into_iter().chain(heads).collect());
    for method in METHODS {
        let both = PAPERS.map(|(study, _)| {
            [ours(line(studies, study, "paper-pairs", method)), published(studies, study, method)]
        });
        if both.iter().any(|[_, paper]| paper != "-") {
            table += &row([title(method)].into_iter().chain(both.into_iter().flatten()));
        }
    }
    table
}

/// The models on the paper's split of large networks, with their seconds.
fn large(studies: &[(&str, Value)]) -> String {
    let heads = ["network, `paper-links`", "model", "AUC", "paper", "K", "seconds", "paper's seconds"];
    let mut table = head(heads.map(str::to_owned).to_vec());
    for (study, name) in LARGE {
        let models = METHODS.into_iter().filter(|method| method.contains("dlfrm"));
        let found = models.filter_map(|model| Some((model, line(studies, study, "paper-links", model)?)));
        for (position, (model, line)) in found.enumerate() {
            let (network, line) = (if position == 0 { name } else { "" }, Some(line));
            let figures = [("paper_auc", 4), ("k_mean", 0), ("seconds_mean", 0), ("paper_seconds", 0)]
                .map(|(name, digits)| figure(line, name, digits));
            table += &row([network.to_owned(), title(model), ours(line)].into_iter().chain(figures));
        }
    }
    table
}

#[test]
fn the_tables_are_those_of_the_results() {
    let folder = project().join("docs/results");
    let studies: Vec<(&str, Value)> = ["nips", "kinship", "webkb", "astroph", "gowalla"]
        .into_iter()
        .filter_map(|name| Some((name, std::fs::read(folder.join(name).with_extension("json")).ok()?)))
        .map(|(name, text)| (name, serde_json::from_slice(&text).expect("the results are JSON")))
        .collect();
    let path = project().join("docs/figures.md");
    let before = std::fs::read_to_string(&path).expect("the figures");
    let mut after = before.clone();
    for (name, table) in TABLES {
        let begin = format!("<!-- {name}: made by tests/command/figures.rs -->\n");
        let first = after.find(&begin).expect("where a table begins") + begin.len();
        let last = after.find(&format!("<!-- end of {name} -->\n")).expect("where it ends");
        after.replace_range(first..last, &table(&studies));
    }
    if std::env::var_os("DLFRM_UPDATE").is_some() {
        std::fs::write(&path, &after).expect("the figures can be written");
    } else {
        assert!(
            before == after,
            "the tables of docs/figures.md are not those of docs/results; it would be\n{after}"
        );
    }
}
