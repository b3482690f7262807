//! `dlfrm generate --planted`, and features beside the truth.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::shared::{Folder, SHORT, json, refused};

const PLANT: [&str; 8] =
    ["generate", "--planted", "-o", "links.tsv", "--truth", "truth.json", "--nodes", "60"];

fn planted(more: &[&str]) -> (Folder, Value) {
    let folder = Folder::new();
    folder.stdout(&[&PLANT[..], more].concat());
    let truth = json(&fs::read_to_string(folder.path("truth.json")).unwrap());
    (folder, truth)
}

#[test]
fn groups_are_planted_with_their_truth() {
    let flags = ["--mean-degree", "6", "--mixing", "0.2", "--overlapping", "12", "--memberships", "3"];
    let (folder, truth) = planted(&[&flags[..], &["--group-size", "12", "20", "--seed", "4"]].concat());
    let groups: Vec<Vec<&str>> = truth["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect())
        .collect();
    assert!(groups.iter().all(|group| (12..=20).contains(&group.len())), "{groups:?}");
    let mut memberships: HashMap<&str, usize> = HashMap::new();
    for name in groups.iter().flatten() {
        *memberships.entry(name).or_default() += 1;
    }
    assert_eq!(memberships.values().filter(|&&count| count == 3).count(), 12);
    assert_eq!(memberships.values().filter(|&&count| count == 1).count(), 48);
    let text = fs::read_to_string(folder.path("links.tsv")).unwrap();
    let links: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert_eq!(truth["mean_degree"].as_f64().unwrap(), links.len() as f64 / 30.0);
    let apart = |link: &&Vec<&str>| !groups.iter().any(|group| link.iter().all(|name| group.contains(name)));
    let mixing = links.iter().filter(apart).count() as f64 / links.len() as f64;
    assert!(
        (mixing - truth["mixing"].as_f64().unwrap()).abs() < 1e-12 && (mixing - 0.2).abs() < 0.03,
        "{mixing}"
    );
    // The same seed plants the same network, to standard output too.
    let again = ["generate", "--planted", "--nodes", "60", "--group-size", "12", "20", "--seed", "4"];
    assert_eq!(folder.stdout(&[&again[..], &flags].concat()), text);
}

#[test]
fn features_are_compared_with_the_truth() {
    let (folder, truth) = planted(&["--mean-degree", "8", "--mixing", "0.1"]);
    let fit = ["fit", "links.tsv", "--undirected", "--nodes", "60", "-q", "-o", "m"];
    folder.stdout(&[&fit[..], &["--start", "prior", "--alpha", "3"], &SHORT].concat());
    let shown = |more: &[&str]| folder.stdout(&[&["features", "m"], more].concat());
    let plain = json(&shown(&["--json"]));
    assert!(plain[0]["truth"].is_null(), "{plain}");
    let compared = json(&shown(&["--json", "--truth", "truth.json"]));
    assert_eq!(plain[0]["features"], compared[0]["features"]);
    let figures = &compared[0]["truth"];
    let groups = truth["groups"].as_array().unwrap();
    assert_eq!(figures["groups_true"], groups.len());
    // Members of a feature with a negative own weight avoid each other; one that nearly all have is part of the intercept.
    let features = plain[0]["features"].as_array().unwrap();
    let groups = || {
        features.iter().filter(|feature| {
            feature["own_weight"].as_f64().unwrap() > 0.0 && feature["size"].as_u64().unwrap() < 54
        })
    };
    assert_eq!(figures["groups_found"], groups().count());
    let onmi = figures["onmi"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&onmi));
    let line = format!(
        "ONMI {onmi:.4}: {} groups among the features beside the {} groups of truth.json\n",
        figures["groups_found"], figures["groups_true"]
    );
    assert!(shown(&["--truth", "truth.json"]).contains(&line), "{line}");
    // The features themselves as the truth, in plain text, one group per line.
    let name = |member: &Value| member["name"].as_str().unwrap().to_owned();
    let own: Vec<String> = groups()
        .map(|feature| feature["members"].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join(" "))
        .collect();
    folder.write("own.txt", own.join("\n"));
    let same = json(&shown(&["--json", "--truth", "own.txt"]));
    assert_eq!(same[0]["truth"]["onmi"], 1.0);
    // And as they are printed.
    folder.write("own.json", shown(&["--json"]));
    let same = json(&shown(&["--json", "--truth", "own.json"]));
    let features = same[0]["features"].as_array().unwrap().len();
    assert_eq!(same[0]["truth"]["groups_true"], features, "{same}");
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    let message = |args: &[&str]| refused(&folder, &[&["generate", "--planted"], args].concat());
    assert_eq!(message(&["--mixing", "-0.1"]), "mixing must be from 0 to 1, is -0.1");
    assert!(message(&["--group-size", "5", "6"]).starts_with("no network can be planted so: a node with "));
    assert!(message(&["--group-size", "5"]).starts_with("2 values required for '--group-size <MIN> <MAX>'"));
    assert!(message(&["--directed"]).contains("cannot be used with"));
    assert!(message(&["--alpha", "3"]).contains("cannot be used with"));
    let alone = refused(&folder, &["generate", "--mixing", "0.1"]);
    assert!(alone.contains("--planted"), "{alone}");
    folder.fit_friends(&["-q"]);
    folder.write("truth.txt", "Ada Bob\nCleo Zoe\n");
    let message = |file: &str| refused(&folder, &["features", "friends.dlfrm", "--truth", file]);
    assert_eq!(message("truth.txt"), "truth.txt, line 2, column 2: 'Zoe' is not one of the 10 nodes");
    assert_eq!(message("none.txt"), "none.txt: there is no such file");
    folder.write("truth.json", "{\"groups\": [[\"Ada\", \"Zoe\"]]}");
    assert_eq!(message("truth.json"), "truth.json: group 1: 'Zoe' is not one of the 10 nodes");
}
