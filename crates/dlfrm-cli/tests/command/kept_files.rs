//! No command overwrites what it reads, what it writes elsewhere, or what somebody else wrote.

use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

const TAKEN: &str = "the command reads or writes this file already; name another one";

#[test]
fn inputs_are_never_overwritten() {
    let folder = Folder::new();
    folder.write("x.tsv", FRIENDS);
    fs::create_dir(folder.path("sub")).unwrap();
    folder.write("age", "name,age\nAda,3\nBob,4\n");
    for output in ["x.tsv", "./x.tsv", "sub/../x.tsv"] {
        let printed = refused(&folder, &["fit", "x.tsv", "-o", output, "--force"]);
        assert_eq!(printed, format!("-o {output}: {TAKEN}"));
    }
    let printed = refused(&folder, &["fit", "x.tsv", "--node-attributes", "age", "-o", "age", "--force"]);
    assert_eq!(printed, format!("-o age: {TAKEN}"));
    for trace in ["x.tsv", "m"] {
        let printed = refused(&folder, &["fit", "x.tsv", "-q", "-o", "m", "--trace", trace]);
        assert_eq!(printed, format!("--trace {trace}: {TAKEN}"));
    }
    assert_eq!(refused(&folder, &["generate", "-o", "y", "--truth", "y"]), format!("--truth y: {TAKEN}"));
    folder.write("run-1-train.tsv", FRIENDS);
    let evaluate = [
        "evaluate",
        "run-1-train.tsv",
        "--undirected",
        "-q",
        "--model",
        "cn",
        "--runs",
        "1",
        "--write-splits",
        ".",
    ];
    assert_eq!(refused(&folder, &evaluate), format!("--write-splits ./run-1-train.tsv: {TAKEN}"));
    assert_eq!(
        refused(&folder, &["generate", "--truth", "-"]),
        "--truth is not written to standard output: name a file"
    );
    assert_eq!(fs::read_to_string(folder.path("x.tsv")).unwrap(), FRIENDS);
}

#[test]
fn files_of_others_are_replaced_with_force_only() {
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    folder.write("thesis", "years of work");
    let fit = |more: &[&'static str]| [&["fit", "links", "-q", "-o", "thesis"], &SHORT[..], more].concat();
    assert_eq!(
        refused(&folder, &fit(&[])),
        "thesis is there and is not a model of dlfrm: it is replaced with --force only"
    );
    folder.stdout(&fit(&["--force"]));
    folder.stdout(&fit(&[]));
    assert_eq!(refused(&folder, &["report", "thesis", "-o", "thesis"]), format!("-o thesis: {TAKEN}"));
    assert_eq!(
        refused(&folder, &["report", "thesis", "-o", "links"]),
        "links is there and is not a report of dlfrm: it is replaced with --force only"
    );
    // A page of somebody else has the name that a report has by default.
    folder.write("thesis.html", "<!doctype html>\n<html lang=\"en\">\n<title>My report</title>\n");
    assert_eq!(
        refused(&folder, &["report", "thesis"]),
        "thesis.html is there and is not a report of dlfrm: it is replaced with --force only"
    );
    folder.stdout(&["report", "thesis", "--force"]);
    folder.stdout(&["report", "thesis"]);
    fs::remove_file(folder.path("thesis.html")).unwrap();
    for _ in 0..2 {
        folder.stdout(&["report", "thesis", "-o", "page.html", "--top", "3"]);
    }
    assert!(folder.stdout(&["report", "thesis", "-o", "-", "--top", "3"]).starts_with("<!doctype html>"));
    assert_eq!(fs::read_to_string(folder.path("links")).unwrap(), FRIENDS);
    let said = "a model is not written to standard output: name a file with -o";
    assert_eq!(refused(&folder, &["fit", "links", "-o", "-", "--force"]), said);
    assert_eq!(folder.names(), ["links", "page.html", "thesis"]);
}

#[cfg(unix)]
#[test]
fn who_may_read_a_model_stays_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("links", FRIENDS);
    let fit = [&["fit", "links", "--undirected", "-q", "-o", "m"], &SHORT[..]].concat();
    folder.stdout(&fit);
    let set = |mode| fs::set_permissions(folder.path("m"), fs::Permissions::from_mode(mode)).unwrap();
    let mode = || fs::metadata(folder.path("m")).unwrap().permissions().mode() & 0o777;
    set(0o600);
    folder.stdout(&fit);
    assert_eq!(mode(), 0o600);
    folder.stdout(&["resume", "m", "-q", "--draws", "+2"]);
    assert_eq!(mode(), 0o600);
    set(0o444);
    assert_eq!(
        refused(&folder, &["resume", "m", "-q", "--draws", "+2"]),
        "m is read-only, and the fit would replace it: make it writable"
    );
    folder.stdout(&[&fit[..], &["--force"]].concat());
    assert_eq!(mode(), 0o444);
}
