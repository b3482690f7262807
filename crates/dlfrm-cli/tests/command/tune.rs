//! `dlfrm tune` tries settings, tells all of them, and ends when nothing is better or the time is over.

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

#[test]
fn the_best_of_what_was_tried() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let tune = ["tune", "links", "--undirected", "--model", "diag-dlfrm-l", "-q", "--seed", "3", "--json"];
    let told = json(&folder.stdout(&[&tune[..], &SHORT].concat()));
    let trials = told["trials"].as_array().unwrap();
    assert!(trials.len() > 10 && told["complete"] == true, "{told}");
    let auc = |trial: &serde_json::Value| trial["auc"].as_f64().unwrap();
    let best = trials.iter().map(auc).fold(0.0, f64::max);
    assert_eq!(auc(&told["best"]), best);
    assert!(auc(&trials[0]) <= best);
    // The flags ask for what was found.
    let flags = told["flags"].as_str().unwrap();
    let again: Vec<&str> = flags.split(' ').collect();
    let once = [
        &["tune", "links", "--undirected", "-q", "--seed", "3", "--json", "--budget", "0"][..],
        &SHORT,
        &again,
    ];
    let told = json(&folder.stdout(&once.concat()));
    assert_eq!((told["trials"].as_array().unwrap().len(), auc(&told["best"])), (1, best));
    assert_eq!(told["complete"], false);
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    folder.write("links", "a b\nb c\n");
    assert_eq!(
        refused(&folder, &["tune", "links", "--budget", "-1"]),
        "budget must be a number of seconds, is -1"
    );
    let told = refused(&folder, &["tune", "links", "--undirected", "-q"]);
    assert_eq!(told, "links: there are too few links for a development set");
}
