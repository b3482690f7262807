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
            .args(["fit", "friends.tsv", "-o", "m", "--chains", "2", "--force"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(delay));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success(), "the fit ended by itself");
        let signalled = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(signalled.elapsed() < Duration::from_secs(10), "the signal is heard");
        let printed = String::from_utf8(output.stderr).unwrap();
        if output.status.code() == Some(130) && wanted(output.status) {
            return printed;
        }
        // A program that does not listen yet dies of the signal; one that has no draw yet says so.
        assert!(matches!(output.status.code(), None | Some(130)), "{printed}");
        assert_ne!(output.status.code(), Some(0), "a fit that was interrupted is not done");
    }
    panic!("the fit never came so far");
}

#[test]
fn the_draws_kept_so_far_are_saved() {
    let folder = Folder::new();
    let endless = ["--burn-in", "0", "--draws", "1000000", "--thin", "10"];
    let printed = interrupted(&folder, &endless, |_| folder.names().contains(&"m".to_owned()));
    let last = "dlfrm: interrupted: the draws kept until then are saved to m; 'dlfrm resume m' goes on";
    assert_eq!(printed.lines().last(), Some(last));
    assert_eq!(folder.names(), ["friends.tsv", "m", "m.checkpoint"]);
    assert!(folder.stdout(&["info", "m"]).contains("ended early"));
    assert_eq!(folder.stdout(&["predict", "m", "--top", "2"]).lines().count(), 3);
}

#[test]
fn without_a_draw_there_is_a_checkpoint() {
    let folder = Folder::new();
    let printed = interrupted(&folder, &["--burn-in", "1000000"], |status| status.code() == Some(130));
    // The choice of covariates, if it was made by then, is printed before it.
    let last = printed.lines().last();
    assert_eq!(
        last,
        Some(
            "dlfrm: interrupted before the first draw was kept: no model is saved; 'dlfrm resume m' goes on"
        ),
        "{printed}"
    );
    assert_eq!(folder.names(), ["friends.tsv", "m.checkpoint"]);
}

/// Evaluations and searches print what is complete, and say by their exit code that it is not all.
#[test]
fn what_is_complete_is_printed() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    // Large enough that a search takes some seconds.
    let links = (0..200_u32).flat_map(|i| (1..7).map(move |d| format!("{i}\t{}\n", (3 * i + d * d) % 200)));
    folder.write("larger.tsv", links.collect::<String>());
    let endless = ["--burn-in", "1000000", "--draws", "10"];
    let evaluate =
        ["evaluate", "friends.tsv", "--undirected", "--model", "cn,dlfrm-l", "--runs", "1", "--json"];
    let tune = [
        "tune",
        "larger.tsv",
        "--undirected",
        "--json",
        "--chains",
        "1",
        "--burn-in",
        "2000",
        "--draws",
        "1000",
    ];
    for (args, part) in [([&evaluate[..], &endless].concat(), "models"), (tune.to_vec(), "trials")] {
        let complete = [1_000, 3_000, 10_000].into_iter().any(|delay| {
            let child = Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"))
                .current_dir(folder.path(""))
                .args(&args)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            sleep(Duration::from_millis(delay));
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            let output = child.wait_with_output().unwrap();
            let messages = String::from_utf8(output.stderr).unwrap();
            if output.stdout.is_empty() {
                return false;
            }
            assert_eq!(output.status.code(), Some(130), "{messages}");
            let last = messages.lines().last();
            assert_eq!(last, Some("dlfrm: interrupted before the figures were complete"), "{messages}");
            let printed = crate::shared::json(&String::from_utf8(output.stdout).unwrap());
            assert!(!printed[part].as_array().unwrap().is_empty());
            true
        });
        assert!(complete, "{args:?} never came so far");
    }
}
