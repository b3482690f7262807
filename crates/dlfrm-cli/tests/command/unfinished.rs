//! Fits that were not finished, or whose checkpoint cannot be read: every command says how to go on.

use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

/// A folder with the checkpoint `m.checkpoint` of a fit that was ended before its first draw.
fn ended() -> Folder {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "-q", "-o", "m", "--time", "0"];
    assert_eq!(folder.dlfrm(&[&fit[..], &SHORT].concat()).output().unwrap().status.code(), Some(2));
    assert_eq!(folder.names(), ["friends.tsv", "m.checkpoint"]);
    folder
}

#[test]
fn a_model_that_is_not_there_yet() {
    let folder = ended();
    folder.write("more.tsv", "Ada\tZoe\n");
    folder.write("test.tsv", "source\ttarget\tlabel\nAda\tJo\t1\nAda\tIda\t0\n");
    let goes_on = "'dlfrm resume m' goes on with it";
    let commands = |model: &'static str| {
        [
            vec!["predict", model, "--top", "1"],
            vec!["info", model],
            vec!["features", model],
            vec!["explain", model, "Ada", "Bob"],
            vec!["report", model, "-o", "page.html"],
            vec!["export", model, "-o", "x.graphml"],
            vec!["update", model, "more.tsv", "-o", "n"],
            vec!["evaluate", "friends.tsv", "--undirected", "-q", "--fitted", model, "--test", "test.tsv"],
        ]
    };
    for args in commands("m") {
        let line = refused(&folder, &args);
        let there = "m: there is no such file, but m.checkpoint has a fit that was not finished";
        assert_eq!(line, format!("{there}: {goes_on}"), "{args:?}");
    }
    for args in commands("m.checkpoint") {
        let line = refused(&folder, &args);
        let is = "m.checkpoint is the checkpoint of a fit that was not finished";
        assert_eq!(line, format!("{is}: {goes_on}"), "{args:?}");
    }
    // The checkpoint stands for its model.
    folder.stdout(&["resume", "m.checkpoint", "-q"]);
    assert_eq!(folder.names(), ["friends.tsv", "m", "more.tsv", "test.tsv"]);
}

#[test]
fn a_model_that_was_ended() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let endless =
        ["fit", "friends.tsv", "--undirected", "--chains", "2", "--burn-in", "20", "--draws", "1000000"];
    folder.stdout(&[&endless[..], &["--time", "3s", "-o", "m", "-q"]].concat());
    folder.write("more.tsv", "Ada\tZoe\n");
    let update = ["update", "m", "more.tsv", "-o", "n"];
    let goes_on = "m: the fit was not finished: 'dlfrm resume m' goes on with it";
    assert_eq!(refused(&folder, &update), goes_on);
    assert_eq!(refused(&folder, &["predict", "m", "--new", "more.tsv"]), goes_on);
    fs::remove_file(folder.path("m.checkpoint")).unwrap();
    let gone = "m: the fit was not finished, and m.checkpoint is gone: fit again";
    for args in [&update[..], &["resume", "m"]] {
        assert_eq!(refused(&folder, args), gone);
    }
}

#[test]
fn checkpoints_that_cannot_be_read() {
    let folder = ended();
    let bytes = fs::read(folder.path("m.checkpoint")).unwrap();
    let fit = [&["fit", "friends.tsv", "--undirected", "-q", "-o", "m"], &SHORT[..]].concat();
    let goes_on =
        "m.checkpoint has a fit that was not finished: 'dlfrm resume m' goes on with it, --force begins anew";
    assert_eq!(refused(&folder, &fit), goes_on);
    let short = "m.checkpoint is cut short: its length does not fit its header";
    folder.write("m.checkpoint", &bytes[..bytes.len() / 2]);
    let anew = "'dlfrm fit NETWORK -o m --force' begins anew";
    assert_eq!(refused(&folder, &["resume", "m"]), format!("{short}: {anew}"));
    assert_eq!(refused(&folder, &["info", "m"]), "m: there is no such file");
    folder.stdout(&[&fit[..], &["--force"]].concat());
    folder.write("m.checkpoint", "");
    let line = refused(&folder, &["resume", "m", "--draws", "+1"]);
    let what = "m.checkpoint is not a checkpoint of dlfrm: remove it to go on with the model, or";
    assert_eq!(line, format!("{what} {anew}"));
}

/// What a fit says when it ends goes with its verdict.
#[test]
fn the_end_of_rounds_goes_with_the_verdict() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "-o", "m", "--chains", "2", "--burn-in", "5"];
    let output = folder.dlfrm(&[&fit[..], &["--draws", "8", "--until", "1000"]].concat()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let agreement = folder.json(&["info", "m", "--json"])["relations"][0]["agreement"].clone();
    let r_hat = agreement["r_hat"].as_f64().unwrap();
    let figure = format!("R-hat {r_hat:.3} of link probabilities");
    let agreed = format!("chains agree: {figure}\n");
    let end = if r_hat <= 1.05 { agreed } else { format!("{figure}, at most 1000 as asked for\n") };
    assert!(said.ends_with(&end), "{said}");
    // Probabilities that never vary are agreed on at once.
    let constant =
        ["--max-new", "0", "--start", "empty", "--covariates", "none", "--no-node-effects", "--no-intercept"];
    folder
        .stdout(&[&["fit", "friends.tsv", "--undirected", "-q", "-o", "c"], &SHORT[..], &constant].concat());
    let output = folder.dlfrm(&["resume", "c", "--until", "1.05"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "chains agree: R-hat 1.000 of link probabilities\n");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.contains("Probabilities: the standard error is 0.000, and chains agree (R-hat 1.00)"),
        "{printed}"
    );
}
