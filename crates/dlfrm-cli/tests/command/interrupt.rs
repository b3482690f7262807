//! Ctrl-C ends a fit with the draws kept so far.

use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::shared::{FRIENDS, Folder};

/// Fits for ever and is interrupted, later and later until it ends as is wanted.
fn interrupted(folder: &Folder, args: &[&str], wanted: impl Fn(ExitStatus) -> bool) -> String {
    folder.write("friends.tsv", FRIENDS);
    for delay in [100, 500, 2_000, 10_000] {
        let child = Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"))
            .current_dir(folder.path(""))
            .args(["fit", "friends.tsv", "-o", "m", "--chains", "2"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(delay));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success(), "the fit ended by itself");
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        if wanted(output.status) {
            return printed;
        }
        // A program that does not listen yet dies of the signal; one that has no draw yet says so.
        assert!(matches!(output.status.code(), None | Some(130)), "{printed}");
    }
    panic!("the fit never came so far");
}

#[test]
fn the_draws_kept_so_far_are_saved() {
    let folder = Folder::new();
    let endless = ["--burn-in", "0", "--draws", "1000000", "--thin", "10"];
    interrupted(&folder, &endless, |status| status.success());
    assert_eq!(folder.names(), ["friends.tsv", "m"]);
    assert!(folder.stdout(&["info", "m"]).contains("ended early"));
    assert_eq!(folder.stdout(&["predict", "m", "--top", "2"]).lines().count(), 3);
}

#[test]
fn without_a_draw_nothing_is_saved() {
    let folder = Folder::new();
    let printed = interrupted(&folder, &["--burn-in", "1000000"], |status| status.code() == Some(130));
    // The choice of covariates, if it was made by then, is printed before it.
    let last = printed.lines().last();
    assert_eq!(
        last,
        Some("dlfrm: interrupted before the first draw was kept; nothing was saved"),
        "{printed}"
    );
    assert_eq!(folder.names(), ["friends.tsv"]);
}
