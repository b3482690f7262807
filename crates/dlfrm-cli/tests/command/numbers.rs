//! Numbers that are none, or out of range: the message says what would have been accepted, in few digits.

use crate::shared::{FRIENDS, Folder, SHORT, refused};

#[test]
fn numbers_that_are_no_counts() {
    let folder = Folder::new();
    for (args, flag, least) in [
        (&["predict", "m", "--top"][..], "--top <N>", 0),
        (&["export", "m", "--top"], "--top <N>", 0),
        (&["report", "m", "--top"], "--top <N>", 0),
        (&["evaluate", "x.tsv", "--folds"], "--folds <K>", 2),
        (&["generate", "--nodes"], "--nodes <N>", 2),
        (&["generate", "--rows"], "--rows <N>", 1),
        (&["generate", "--planted", "--group-size", "2"], "--group-size <MIN> <MAX>", 2),
        (&["settings", "--pairs"], "--pairs <N>", 0),
        (&["corpus", "folder", "--methods", "ra", "--limit"], "--limit <N>", 0),
    ] {
        let wrong = format!("expected a whole number, {least} or more");
        let large = "the number is too large".to_owned();
        for (value, what) in [("-1", &wrong), ("1e3", &wrong), ("99999999999999999999", &large)] {
            let printed = refused(&folder, &[args, &[value]].concat());
            assert_eq!(printed, format!("invalid value '{value}' for '{flag}': {what} (see --help)"));
        }
    }
    assert_eq!(
        refused(&folder, &["info", "m", "--seed", "1"]),
        "unexpected argument '--seed' found (see --help)"
    );
}

#[test]
fn bounds_are_those_of_the_setting() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let printed = |more: &[&str]| refused(&folder, &[&["fit", "links", "-q"], more].concat());
    for (flag, least, most) in [
        ("--chains", 1, 10_000),
        ("--draws", 1, 1_000_000),
        ("--thin", 1, 1_000_000),
        ("--burn-in", 0, 1_000_000),
        ("--threads", 1, 1024),
    ] {
        for value in ["-1", "1.5", "many"] {
            let bounds = format!("expected a whole number from {least} to {most} (see --help)");
            let message = format!("invalid value '{value}' for '{flag} <N>': {bounds}");
            assert_eq!(printed(&[flag, value]), message);
        }
    }
    for value in ["0", "100000", "99999999999999999999"] {
        let bounds = "expected a whole number from 1 to 1024 (see --help)";
        let message = format!("invalid value '{value}' for '--threads <N>': {bounds}");
        assert_eq!(printed(&["--threads", value]), message);
    }
    let whole = "expected a whole number from 0 to 18446744073709551615 (see --help)";
    assert_eq!(printed(&["--seed", "-1"]), format!("invalid value '-1' for '--seed <N>': {whole}"));
}

#[test]
fn numbers_times_and_names_that_begin_with_a_dash() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    let printed = |more: &[&str]| refused(&folder, &[&["fit", "friends.tsv", "-q"], more].concat());
    for (flag, value) in [("--nu", "two"), ("--hold-out", "a"), ("--negatives", "x"), ("--until", "soon")] {
        let line = printed(&[flag, value]);
        assert!(line.starts_with(&format!("invalid value '{value}' for '{flag} <")), "{line}");
        assert!(line.ends_with(">': expected a number, such as 0.5 (see --help)"), "{line}");
    }
    let time = "a time is needed, such as 90s, 10m or 2h (see --help)";
    assert_eq!(printed(&["--time", "-1s"]), format!("invalid value '-1s' for '--time <T>': {time}"));
    let size = "expected a size above 0 such as 4G, 512M or 1000000 (see --help)";
    assert_eq!(printed(&["--memory", "-1G"]), format!("invalid value '-1G' for '--memory <SIZE>': {size}"));
    let nodes = "--nodes must be a whole number of at least 2, such as 1000, or a file of names, is";
    assert_eq!(printed(&["--nodes", "-1"]), format!("{nodes} -1"));
    assert_eq!(printed(&["--nodes", ""]), format!("{nodes} empty"));
    assert_eq!(
        refused(&folder, &["predict", "friends.dlfrm", "--top", "3", "--node", "-a"]),
        "friends.dlfrm: node '-a' is not in the network"
    );
}

#[test]
fn figures_have_few_digits() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let fit = |more: &[&str]| refused(&folder, &[&["fit", "links", "-q", "--undirected"], more].concat());
    let excluded = "between 0 and 1, both excluded, is";
    assert_eq!(fit(&["--hold-out", "1e308"]), format!("hold-out must be {excluded} 1e308"));
    assert_eq!(
        fit(&["--hold-out", "1e-308"]),
        "links: a share of 1e-308 of the pairs is not one pair: hold out more"
    );
    assert_eq!(fit(&["--until", "1e-308"]), "links: until must be a number above 1, is 1e-308");
    assert_eq!(fit(&["--negatives", "inf"]), "links: negatives must be above 0 and finite, is inf");
    assert_eq!(
        fit(&["--negatives", "99999999999999999999"]),
        "links: 1.7e21 pairs are more than 500000000: sample fewer non-links (negatives)"
    );
    let evaluate = refused(&folder, &["evaluate", "links", "-q", "--test-fraction", "1e308"]);
    assert_eq!(evaluate, format!("test-fraction must be {excluded} 1e308"));
    assert_eq!(
        refused(&folder, &["generate", "--planted", "--mean-degree", "1e308"]),
        "mean-degree must be from 1 to the number of other nodes, is 1e308"
    );
    let drawn = folder.stdout(&["generate", "-q", "--nodes", "9", "--intercept", "1e308"]);
    assert!(drawn.contains("\n# alpha 2, nu 0.4, intercept 1e308, seed 1. "), "{}", &drawn[..200]);
}

#[test]
fn what_leaves_nothing_to_learn_or_to_evaluate() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let fit = ["fit", "links", "-q", "--undirected", "--hold-out", "0.999"];
    assert_eq!(
        refused(&folder, &[&fit[..], &SHORT].concat()),
        "links: a share of 0.999 of the pairs leaves nothing to learn from: hold out less"
    );
    let evaluate = ["evaluate", "links", "-q", "--undirected", "--model", "ra", "--folds", "1000000"];
    assert_eq!(
        refused(&folder, &evaluate),
        "links: the split of run 1 has no link among its 0 test pairs, so nothing can be evaluated: take fewer folds, or \
         another seed"
    );
    let memory = |bytes: &'static str| {
        refused(&folder, &[&["fit", "links", "-q", "--memory", bytes], &SHORT[..]].concat())
    };
    let ends = "sample fewer non-links (--negatives), run fewer chains at once (--threads) or keep fewer draws (--draws)";
    assert!(memory("1").ends_with(&format!(" of memory, --memory allows 1 byte: {ends}")), "{}", memory("1"));
    // Both posteriors count, in an evaluation as in a fit.
    let evaluate = ["evaluate", "links", "-q", "--split", "pairs", "--memory", "1"];
    assert_eq!(refused(&folder, &[&evaluate[..], &SHORT].concat()), memory("1"));
    folder.fit_friends(&["-q"]);
    let line = refused(&folder, &["resume", "friends.dlfrm", "--draws", "+1", "--memory", "100"]);
    let ends = " of memory, --memory allows 100 bytes: run fewer chains at once (--threads)";
    assert!(line.starts_with("friends.dlfrm: the fit would take about ") && line.ends_with(ends), "{line}");
}
