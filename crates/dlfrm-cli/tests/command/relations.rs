//! Relations that share their features, and settings that a network chooses itself.

use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

/// The friends twice, as two relations: acquaintances and letters.
fn two_relations() -> String {
    let links = FRIENDS.lines().filter(|line| line.contains('\t') && !line.starts_with("source"));
    let links: Vec<&str> = links.collect();
    let knows = links.iter().map(|link| format!("knows\t{link}\n"));
    let writes = links.iter().skip(3).map(|link| format!("writes\t{link}\n"));
    knows.chain(writes).collect()
}

const COLUMNS: [&str; 2] = ["--columns", "relation,source,target"];

#[test]
fn features_that_all_relations_share() {
    let folder = Folder::new();
    folder.write("links", two_relations());
    let fit = ["fit", "links", "--undirected", "-q", "--start", "prior", "-o", "m.dlfrm"];
    let features = |more: &[&str]| -> Vec<Vec<Vec<String>>> {
        folder.stdout(&[&fit[..], &COLUMNS, &SHORT, more].concat());
        let name = |member: &Value| member["name"].as_str().unwrap().to_owned();
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let members = |relation: &Value| {
            let features = relation["features"].as_array().unwrap().iter();
            let named =
                features.map(|feature| feature["members"].as_array().unwrap().iter().map(name).collect());
            let mut all: Vec<Vec<String>> = named.map(sorted).collect();
            all.sort();
            all
        };
        let printed = folder.json(&["features", "m.dlfrm", "--json"]);
        printed.as_array().unwrap().iter().map(members).collect()
    };
    let shared = features(&["--share-features"]);
    assert_eq!(shared.len(), 2);
    assert_eq!(shared[0], shared[1], "one feature matrix");
    let apart = features(&["--separate-features"]);
    assert_ne!(apart[0], apart[1]);
    let evaluate = ["evaluate", "links", "--undirected", "-q", "--model", "dlfrm-l", "--runs", "1", "--json"];
    let auc = |more: &[&str]| {
        let printed = folder.json(&[&evaluate[..], &COLUMNS, &SHORT, more].concat());
        printed["models"][0]["k_mean"].as_f64().unwrap()
    };
    assert_ne!(auc(&["--share-features"]), auc(&["--separate-features"]));
    assert_eq!(auc(&["--share-features", "--threads", "1"]), auc(&["--share-features", "--threads", "2"]));
}

/// A column names the relation of each pair; what is written can be read again, and links are marked.
#[test]
fn pairs_of_relations_are_predicted_in_their_relation() {
    let folder = Folder::new();
    folder.write("links", two_relations());
    let fit = ["fit", "links", "--undirected", "-q", "-o", "m.dlfrm"];
    folder.stdout(&[&fit[..], &COLUMNS, &SHORT].concat());
    folder.write("pairs", "relation,source,target\nwrites,Bob,Ada\nknows,Bob,Ada\n");
    let predicted = folder.stdout(&["predict", "m.dlfrm", "--pairs", "pairs"]);
    let lines: Vec<Vec<&str>> = predicted.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        lines[0],
        ["source", "target", "probability", "low", "high", "score", "relation", "known_link"]
    );
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[1][..2], &lines[1][6..]), (&["Bob", "Ada"][..], &["writes", "no"][..]));
    assert_eq!((&lines[2][..2], &lines[2][6..]), (&["Bob", "Ada"][..], &["knows", "yes"][..]));
    folder.write("again", &predicted);
    assert_eq!(folder.stdout(&["predict", "m.dlfrm", "--pairs", "again"]), predicted);
    let printed = folder.json(&["predict", "m.dlfrm", "--pairs", "pairs", "--json"]);
    assert_eq!((&printed[0]["known_link"], &printed[1]["known_link"]), (&false.into(), &true.into()));
    folder.write("pairs", "Ada,Bob\n");
    assert_eq!(
        folder.stdout(&["predict", "m.dlfrm", "--pairs", "pairs"]).lines().count(),
        3,
        "in both relations"
    );
    folder.write("pairs", "relation,source,target\nhates,Ada,Bob\n");
    assert_eq!(
        refused(&folder, &["predict", "m.dlfrm", "--pairs", "pairs"]),
        "pairs, line 2, column 1: a relation must be one of the model's, is 'hates'"
    );
}

#[test]
fn one_relation_cannot_share_features() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    for command in ["fit", "evaluate"] {
        let printed = refused(&folder, &[command, "links", "--undirected", "-q", "--share-features"]);
        assert_eq!(printed, "links: features cannot be shared: there is one relation");
        let printed = refused(&folder, &[command, "links", "--undirected", "-q", "--separate-features"]);
        assert_eq!(printed, "links: features cannot be kept apart: there is one relation");
    }
}

/// A development set of the training pairs decides how much covariates and features count, where both have a posterior.
#[test]
fn weights_are_learned() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let evaluate = ["evaluate", "links", "--undirected", "--model", "dlfrm-l", "--runs", "2", "--json", "-q"];
    let printed = |more: &[&str]| folder.json(&[&evaluate[..], &SHORT, more].concat());
    let open = printed(&[]);
    let choices = open["models"][0]["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 2, "one a run");
    for choice in choices.iter().map(|made| &made[0]) {
        assert!(choice["chosen"].as_str().unwrap().starts_with("covariates "), "{choice}");
        assert_eq!(choice["other"], "covariates alone");
        assert!(choice["development_auc"].is_f64() && choice["other_development_auc"].is_f64(), "{choice}");
    }
    for settled in [&["--covariates", "none"][..], &["--c-pos", "2"], &["--split", "paper-pairs"]] {
        assert!(printed(settled)["models"][0].get("choices").is_none(), "{settled:?}");
    }
}

/// It decides whether relations share their features, too; not on the paper's split.
#[test]
fn sharing_is_chosen() {
    let folder = Folder::new();
    folder.write("links", two_relations());
    let evaluate = ["evaluate", "links", "--undirected", "--model", "dlfrm-l", "--runs", "1", "--json", "-q"];
    let printed = |more: &[&str]| folder.json(&[&evaluate[..], &COLUMNS, &SHORT, more].concat());
    let made = |printed: &Value| -> Vec<String> {
        let runs = printed["models"][0].get("choices").and_then(Value::as_array).cloned();
        let choices = runs.unwrap_or_default().into_iter().flat_map(|run| run.as_array().unwrap().clone());
        choices.map(|choice| choice["chosen"].as_str().unwrap().to_owned()).collect()
    };
    let open = printed(&[]);
    let [features, weights] = &made(&open)[..] else { panic!("{open}") };
    assert!(weights.starts_with("covariates "), "{weights}");
    let flag = match features.as_str() {
        "shared features" => "--share-features",
        "features for each relation" => "--separate-features",
        other => panic!("{other}"),
    };
    let settled = printed(&[flag]);
    assert_eq!(made(&settled), std::slice::from_ref(weights));
    assert_eq!(open["models"][0]["auc_mean"], settled["models"][0]["auc_mean"]);
    assert!(made(&printed(&["--split", "paper-pairs"])).is_empty());
}
