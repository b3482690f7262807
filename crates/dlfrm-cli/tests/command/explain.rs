//! Why a link is predicted, as text and as JSON.

use crate::shared::{Folder, refused};

#[test]
fn a_pair_is_explained_in_words_and_numbers() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    let text = folder.stdout(&["explain", "friends.dlfrm", "Ada", "Eve"]);
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("Ada and Eve: probability ") && first.ends_with(" %), base rate 38 %"),
        "{text}"
    );
    assert!(
        text.contains("\n- 3 common neighbours (Bob, Dan, Cleo), given how many links they have: "),
        "{text}"
    );
    assert!(text.contains("\nCompared with an average pair, covariates add "), "{text}");
    let reasons = text.lines().filter(|line| line.starts_with("- ")).count();
    assert!((1..=5).contains(&reasons), "four reasons, and smaller ones in a line: {text}");
    assert!(text.contains("\nA pair that is average in everything has "), "{text}");
    let found = folder.json(&["explain", "friends.dlfrm", "Ada", "Eve", "--json"]);
    let found = &found[0];
    assert_eq!(found["common_neighbours"], serde_json::json!(["Bob", "Dan", "Cleo"]));
    assert_eq!(found["known_link"], false);
    let parts = found["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["kind"] == "common-neighbours"));
    let sum: f64 = parts.iter().map(|part| part["log_odds"].as_f64().unwrap()).sum();
    let both = found["by_covariates"].as_f64().unwrap() + found["by_features"].as_f64().unwrap();
    assert!((sum - both).abs() < 1e-9);
    // The same sentences beside predictions.
    folder.write("pairs", "Ada\tEve\n");
    let predicted = folder.json(&["predict", "friends.dlfrm", "--pairs", "pairs", "--explain", "--json"]);
    let sentences = [0, 1].map(|part| parts[part]["sentence"].as_str().unwrap());
    assert_eq!(predicted[0]["why"], sentences.join("; "));
    assert_eq!(predicted[0]["probability"], found["probability"]);
    let table = folder.stdout(&["predict", "friends.dlfrm", "--top", "2", "--explain"]);
    assert!(table.starts_with("source\ttarget\tprobability\tlow\thigh\tscore\twhy\n"), "{table}");
    let known = folder.stdout(&["explain", "friends.dlfrm", "Ada", "Bob"]);
    assert!(known.lines().next().unwrap().ends_with("; the model was fitted to this link"), "{known}");
}

#[test]
fn pairs_that_cannot_be_explained() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    assert_eq!(
        refused(&folder, &["explain", "friends.dlfrm", "Ada", "Zoe"]),
        "friends.dlfrm: node 'Zoe' is not in the network"
    );
    assert_eq!(
        refused(&folder, &["explain", "friends.dlfrm", "Ada", "Ada"]),
        "a pair must have two different nodes, is 'Ada' and 'Ada'"
    );
}

#[test]
fn what_a_model_does_not_have_adds_nothing() {
    let folder = Folder::new();
    let explain = |more: &[&str]| {
        folder.fit_friends(&[&["-q"], more].concat());
        folder.stdout(&["explain", "friends.dlfrm", "Ada", "Eve"])
    };
    let text = explain(&["--covariates", "none"]);
    let said = "\nCompared with an average pair, effects of the two nodes add ";
    assert!(text.contains(said) && text.contains(" to the log-odds and features "), "{text}");
    assert!(!text.contains("covariates") && !text.contains("-0.00"), "{text}");
    let text = explain(&["--covariates", "none", "--max-new", "0", "--start", "empty", "--no-node-effects"]);
    let lines: Vec<&str> = text.lines().collect();
    let effects = explain(&["--covariates", "none", "--max-new", "0"]);
    assert!(effects.contains(said) && !effects.contains("features"), "{effects}");
    assert_eq!(lines[1..3], ["", "Compared with an average pair, nothing adds to the log-odds."], "{text}");
}
