//! `dlfrm tune` tries settings, prints all of them, and ends when nothing is better or the time is over.

use crate::shared::{FRIENDS, Folder, SHORT, refused};

#[test]
fn the_best_of_what_was_tried() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let tune = ["tune", "links", "--undirected", "--model", "diag-dlfrm-l", "-q", "--seed", "3", "--json"];
    let printed = folder.json(&[&tune[..], &SHORT].concat());
    let trials = printed["trials"].as_array().unwrap();
    assert!(trials.len() > 10 && printed["complete"] == true, "{printed}");
    let auc = |trial: &serde_json::Value| trial["auc"].as_f64().unwrap();
    let best = trials.iter().map(auc).fold(0.0, f64::max);
    assert_eq!(auc(&printed["best"]), best);
    assert!(auc(&trials[0]) <= best);
    // The flags ask for what was found.
    let (flags, settings) = (printed["flags"].as_str().unwrap(), printed["best"]["settings"].clone());
    let again: Vec<&str> = flags.split(' ').collect();
    folder.stdout(&[&["fit", "links", "--undirected", "-q", "-o", "m"], &again[..]].concat());
    assert_eq!(folder.json(&["info", "m", "--json"])["settings"], settings, "{flags}");
    let once = [&["tune", "links", "--undirected", "-q", "--json", "--budget", "0"][..], &again];
    let printed = folder.json(&once.concat());
    assert_eq!((printed["trials"].as_array().unwrap().len(), auc(&printed["best"])), (1, best));
    assert_eq!(printed["complete"], false);
}

/// The first candidate with its defaults: no more flags than needed, and each setting of the fit is that of the candidate.
#[test]
fn flags_have_what_is_needed() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    for (more, expected) in [
        (&[][..], "--model dlfrm-l --covariates topology"),
        (&["--covariates", "none"], "--model dlfrm-l --covariates none"),
        (
            &["--model", "dlfrm-l", "--node-effects", "--no-intercept", "--c-neg", "0.5", "--draws", "20"],
            "--model dlfrm-l --c-neg 0.5 --no-intercept --covariates topology --node-effects --draws 20",
        ),
    ] {
        let tune = ["tune", "links", "--undirected", "-q", "--json", "--budget", "0"];
        let printed = folder.json(&[&tune[..], more].concat());
        let flags = printed["flags"].as_str().unwrap();
        assert_eq!(flags, expected);
        let fit = ["fit", "links", "--undirected", "-q", "-o", "m"];
        folder.stdout(&[&fit[..], &flags.split(' ').collect::<Vec<_>>()].concat());
        let settings = &folder.json(&["info", "m", "--json"])["settings"];
        assert_eq!(*settings, printed["best"]["settings"], "{flags}");
    }
}

/// What was given beside the links belongs to the fit that is advised.
#[test]
fn flags_have_the_side_information() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    folder.write("their age.csv", "name,age\nAda,3\nBob,4\nCleo,5\n");
    folder.write("km.csv", "source,target,km\nAda,Bob,3\nBob,Cleo,4\nAda,Eve,9\n");
    let tune = [
        "tune",
        "links",
        "--undirected",
        "-q",
        "--json",
        "--budget",
        "0",
        "--node-attributes",
        "their age.csv",
    ];
    let printed = folder.json(&[&tune[..], &["--pair-covariates", "km.csv"], &SHORT].concat());
    let flags = printed["flags"].as_str().unwrap();
    assert!(flags.ends_with(" --node-attributes 'their age.csv' --pair-covariates km.csv"), "{flags}");
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    folder.write("links", "a b\nb c\n");
    assert_eq!(
        refused(&folder, &["tune", "links", "--budget", "-1"]),
        "budget must be a number of seconds, is -1"
    );
    let printed = refused(&folder, &["tune", "links", "--undirected", "-q"]);
    assert_eq!(printed, "links: there are too few links for a development set");
}
