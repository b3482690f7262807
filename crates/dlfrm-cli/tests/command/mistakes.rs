//! Every mistake of the user gets one line that names the file, exit code 2, and leaves no file behind.

use std::io::Write;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

fn fit_refused(folder: &Folder, bytes: impl AsRef<[u8]>, more: &[&str]) -> String {
    folder.write("links", bytes);
    refused(folder, &[&["fit", "links", "-o", "m", "-q"], &SHORT[..], more].concat())
}

#[test]
fn files_that_are_no_networks() {
    let folder = Folder::new();
    assert_eq!(fit_refused(&folder, "", &[]), "links is empty");
    let one_column = "links, line 1: 1 column (cut at space) where a source and a target are needed; the first rows are [Ada] \
                      [Bob]";
    assert_eq!(fit_refused(&folder, "Ada\nBob\n", &[]), one_column);
    assert!(fit_refused(&folder, b"a b\n\x00\x01\xff", &[]).starts_with("links, line 2: not UTF-8 text"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(FRIENDS.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let printed = fit_refused(&folder, &packed[..packed.len() / 2], &[]);
    assert!(printed.starts_with("links, line ") && printed.ends_with("the file is cut short"), "{printed}");
    assert_eq!(refused(&folder, &["fit", "none.tsv"]), "none.tsv: there is no such file");
    assert_eq!(refused(&folder, &["fit", "."]), ". is a directory, a file is needed");
    assert!(refused(&folder, &["fit", "-", "-o", "m"]).ends_with("is empty"));
}

#[test]
fn networks_that_teach_nothing() {
    let folder = Folder::new();
    let printed = |bytes: &str, more: &[&str]| fit_refused(&folder, bytes, more);
    assert_eq!(printed("a a\n", &[]), "links: a network needs at least two nodes, this one has 1");
    for wrong in ["0", "1", "1e3", "-5", "2.5"] {
        let number = "--nodes must be a whole number of at least 2, such as 1000, or a file of names, is";
        assert_eq!(printed("0 1\n", &[&format!("--nodes={wrong}")]), format!("{number} {wrong}"));
    }
    assert!(printed("a a\nb b\n", &[]).contains("links: none of the 2 observed pairs is a link"));
    assert!(printed("a b\nb a\n", &[]).contains("links: all 2 observed pairs are links"));
    assert!(printed("a b\n", &["--undirected"]).contains("links: the one observed pair is a link, so"));
    let relations = printed("r a a\ns b b\n", &["--columns", "relation,source,target"]);
    assert!(
        relations.starts_with("links: relation 'r': none of the 2 observed pairs is a link"),
        "{relations}"
    );
    let large = printed("0 1\n", &["--nodes", "20000", "--negatives", "1e9"]);
    assert!(large.starts_with("links: 1000000001 pairs are more than"), "{large}");
    let evaluated = refused(
        &folder,
        &["evaluate", "links", "--nodes", "20000", "-q", "--split", "links", "--negatives", "1e9"],
    );
    assert_eq!(evaluated, large);
    let little = printed("0 1\n", &["--nodes", "2000", "--memory", "1M"]);
    assert!(little.starts_with("links: the fit would take about "), "{little}");
    assert!(little.contains(" MiB of memory, --memory allows 1 MiB: run fewer"), "{little}");
    assert!(printed("0 1\n", &["--memory", "much"]).contains("'much'"));
    let whole = refused(&folder, &["evaluate", "links", "--nodes", "20000", "-q", "--split", "pairs"]);
    assert!(whole.starts_with("links: 399980000 pairs are more than"), "{whole}");
}

#[test]
fn settings_out_of_range() {
    let folder = Folder::new();
    let printed = |more: &[&str]| fit_refused(&folder, FRIENDS, more);
    assert_eq!(printed(&["--nu", "-1"]), "nu must be a positive number, is -1");
    assert_eq!(printed(&["--alpha", "NaN"]), "alpha must be a positive number, is NaN");
    assert_eq!(printed(&["--c-pos", "inf"]), "c-pos must be a positive number, is inf");
    assert_eq!(printed(&["--c-neg", "0"]), "c-neg must be a positive number, is 0");
    assert_eq!(printed(&["--thin", "0"]), "thin must be at least 1, is 0");
    assert!(
        printed(&["--model", "lfrm"])
            .contains("known are dlfrm-l, dlfrm-h, sto-dlfrm-l, sto-dlfrm-h, diag-dlfrm-l")
    );
    assert!(printed(&["--columns", "source,goal"]).contains("'goal' is no column"));
    assert!(printed(&["--nuu", "2"]).contains("'--nuu'"));
    assert_eq!(printed(&["--alpha", "1e308"]), "alpha must be between 0.000001 and 1000, is 1e308");
    assert_eq!(refused(&folder, &["generate", "--alpha", "0"]), "alpha must be a positive number, is 0");
    assert_eq!(
        refused(&folder, &["generate", "--alpha", "1e9"]),
        "alpha must be between 0.000001 and 1000, is 1000000000"
    );
    assert_eq!(
        refused(&folder, &["generate", "--alpha", "1000", "--nodes", "1000000"]),
        "nodes x alpha must be at most 100000000, is 1000000000"
    );
    assert!(printed(&["--nodes", "none"]).starts_with("none: there is no such file"));
}

#[test]
fn a_link_that_would_predict_itself() {
    let folder = Folder::new();
    let more = ["--undirected", "--asymmetric", "--covariates", "topology"];
    let printed = fit_refused(&folder, "a b\nb c\nc d\n", &more);
    assert!(
        printed
            .contains("links: covariates topology with asymmetric pairs: each link of an undirected network"),
        "{printed}"
    );
    let printed = fit_refused(&folder, "a b\nb c\nc d\n", &["--covariates", "weather"]);
    assert!(printed.contains("unknown covariates 'weather'; known are none, topology"), "{printed}");
}

#[test]
fn runs_that_would_never_end() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    for command in ["fit", "evaluate"] {
        let printed = |more: &[&str]| refused(&folder, &[&[command, "links", "-q"], more].concat());
        let draws = "99999999999999999";
        assert_eq!(printed(&["--draws", draws]), format!("draws must be at most 1000000, is {draws}"));
        assert_eq!(printed(&["--chains", "20000"]), "chains must be at most 10000, is 20000");
        assert!(printed(&["--draws", "99999999999999999999999"]).starts_with("invalid value '9999"));
        let total = printed(&["--burn-in", "100", "--draws", "1000000", "--thin", "1000000"]);
        assert_eq!(total, "burn-in + draws x thin must be at most 10000000, is 1000000000100");
        assert_eq!(printed(&["--alpha", "1e9"]), "alpha must be between 0.000001 and 1000, is 1000000000");
    }
}

#[test]
fn places_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    assert_eq!(refused(&folder, &["fit", "links", "-o", "."]), ". is a directory, a file is needed");
    let printed = refused(&folder, &["fit", "links", "-o", "none/m"]);
    assert_eq!(printed, "none/m cannot be written: there is no folder none");
    let printed = refused(&folder, &["fit", "links", "-o", "/dev/null"]);
    assert_eq!(printed, "/dev/null is a device or a pipe, a file is needed");
    let printed = refused(&folder, &["fit", "links", "-o", "folder/"]);
    assert_eq!(printed, "folder/ is the name of a folder, a file is needed");
    // The place is looked at before the network is.
    assert!(refused(&folder, &["fit", "none", "-o", "."]).starts_with(". is a directory"));
}

#[test]
fn names_that_the_model_does_not_know() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    folder.write("pairs", "Ada\tBob\nAda\tZoe\n");
    let printed = refused(&folder, &["predict", "friends.dlfrm", "--pairs", "pairs"]);
    assert_eq!(printed, "pairs, line 2, column 2: 'Zoe' is not one of the 10 nodes");
    let printed = refused(&folder, &["predict", "friends.dlfrm", "--top", "3", "--node", "Zoe"]);
    assert_eq!(printed, "friends.dlfrm: node 'Zoe' is not in the network");
    let printed = refused(&folder, &["explain", "friends.dlfrm", "", "Bob"]);
    assert_eq!(printed, "friends.dlfrm: node '' is not in the network");
    let printed = refused(&folder, &["features", "friends.dlfrm", "--relation", "likes"]);
    assert_eq!(printed, "friends.dlfrm: the model has no relations, so none is called 'likes'");
    assert!(refused(&folder, &["predict", "friends.dlfrm"]).contains("--pairs"));
    assert!(
        refused(&folder, &["predict", "friends.dlfrm", "--top", "2", "--pairs", "pairs"]).contains("--top")
    );
}

#[test]
fn files_that_are_no_models() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    let model = std::fs::read(folder.path("friends.dlfrm")).unwrap();
    let printed = |bytes: &[u8]| {
        folder.write("m", bytes);
        let printed = refused(&folder, &["info", "m"]);
        assert_eq!(printed, refused(&folder, &["predict", "m", "--top", "3"]));
        assert_eq!(printed, refused(&folder, &["features", "m"]));
        printed
    };
    assert_eq!(printed(FRIENDS.as_bytes()), "m is not a model file of dlfrm");
    assert_eq!(printed(b""), "m is not a model file of dlfrm");
    assert_eq!(printed(&model[..model.len() - 1]), "m is cut short: its length does not fit its header");
    let mut other = model.clone();
    let version = br#"\"version\":7"#;
    let place = model.windows(version.len()).position(|window| window == version).unwrap();
    other[place + version.len() - 1] = b'9';
    assert_eq!(printed(&other), "m was written in format 9, this program reads format 7");
    let mut damaged = model.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(printed(&damaged).starts_with("m is damaged: its checksum is "));
    assert_eq!(printed(&[&model[..], b"x"].concat()), "m is damaged: it goes on behind its last array");
    assert_eq!(refused(&folder, &["info", "none"]), "none: there is no such file");
    assert_eq!(refused(&folder, &["info", "."]), ". is a directory, a file is needed");
}

/// Characters that move the cursor or turn the direction of writing are shown as codes.
#[test]
fn names_that_would_write_elsewhere() {
    let folder = Folder::new();
    let odd = "A\u{1b}[2J\u{202e}x";
    folder.write("links", FRIENDS.replace("Ada", odd));
    folder.stdout(
        &[&["fit", "links", "-q", "--undirected", "--start", "prior", "-o", "m"], &SHORT[..]].concat(),
    );
    let shown = "A\\u001b[2J\\u202ex";
    let hidden = |text: &str| text.contains('\u{1b}') || text.contains('\u{202e}');
    let features = folder.stdout(&["features", "m", "--members", "0"]);
    assert!(!hidden(&features), "{features}");
    let page = folder.stdout(&["report", "m", "-o", "-"]);
    assert!(page.contains(&shown.replace('\\', "\\\\")) && !hidden(&page) && !page.contains("\"A\\u001b"));
    // A program reads the name as it is.
    folder.write("pairs", format!("{odd}\tEve\n"));
    let predicted = folder.stdout(&["predict", "m", "--pairs", "pairs"]);
    assert!(predicted.contains(odd));
    folder.write("pairs", format!("{odd}\tZ\u{1b}oe\n"));
    assert_eq!(
        refused(&folder, &["predict", "m", "--pairs", "pairs"]),
        "pairs, line 1, column 2: 'Z\\u001boe' is not one of the 10 nodes (if the first row is a header: --header)"
    );
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_mistake() {
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"))
        .args(["predict", "--top", "40", "--quiet"])
        .arg(folder.path("friends.dlfrm"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}
