//! Ctrl-C ends a fit with the draws kept so far.

use std::process::{Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::shared::{FRIENDS, Folder};

/// Interrupts a command after so many milliseconds. Says what it printed, and, if it still ran, how long it took to end.
fn signalled(folder: &Folder, args: &[&str], delay: u64) -> (Output, Option<Duration>) {
    let child = Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"))
        .current_dir(folder.path(""))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(delay));
    let ran = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success();
    let began = Instant::now();
    let output = child.wait_with_output().unwrap();
    (output, ran.then(|| began.elapsed()))
}

/// Fits for ever and is interrupted, later and later until it ends as is wanted.
fn interrupted(folder: &Folder, args: &[&str], wanted: impl Fn(ExitStatus) -> bool) -> String {
    folder.write("friends.tsv", FRIENDS);
    for delay in [100, 500, 2_000, 10_000] {
        let fit = ["fit", "friends.tsv", "-o", "m", "--chains", "2", "--force"];
        let (output, ran) = signalled(folder, &[&fit[..], args].concat(), delay);
        let took = ran.expect("the fit ended by itself");
        assert!(took < Duration::from_secs(10), "the signal is heard");
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
    let tune = ["tune", "larger.tsv", "--undirected", "--json", "--chains", "1", "--burn-in", "2000"];
    let tune = [&tune[..], &["--draws", "1000"]].concat();
    for (args, part) in [([&evaluate[..], &endless].concat(), "models"), (tune, "trials")] {
        let complete = [1_000, 3_000, 10_000].into_iter().any(|delay| {
            let output = signalled(&folder, &args, delay).0;
            let messages = String::from_utf8(output.stderr).unwrap();
            if output.stdout.is_empty() {
                return false;
            }
            assert_eq!(output.status.code(), Some(130), "{messages}");
            let kept = kept_folder(&folder);
            assert_eq!(messages.lines().last(), Some(&*unfinished(&kept)), "{messages}");
            std::fs::remove_dir_all(folder.path(&kept)).unwrap();
            let printed = crate::shared::json(&String::from_utf8(output.stdout).unwrap());
            assert!(!printed[part].as_array().unwrap().is_empty());
            if part == "models" {
                assert_eq!((&printed["runs"], &printed["complete_runs"]), (&1.into(), &0.into()));
            }
            true
        });
        assert!(complete, "{args:?} never came so far");
    }
}

/// The folder with what is finished.
fn kept_folder(folder: &Folder) -> String {
    let mut names = folder.names().into_iter();
    names.find(|name| name.contains(".evaluate-") || name.contains(".tune-")).unwrap()
}

/// The last line of a run that left its pieces in this folder.
fn unfinished(kept: &str) -> String {
    format!(
        "dlfrm: interrupted before the figures were complete; what is finished is kept in {kept}: the same command goes on from \
         there"
    )
}

/// A table says how many of the runs it has.
#[test]
fn a_table_says_how_many_runs_are_complete() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let evaluate = ["evaluate", "friends.tsv", "-q", "--split", "links", "--model", "dlfrm-l,cn"];
    let length = ["--chains", "1", "--burn-in", "20", "--draws", "20", "--runs", "5000"];
    let done = [500, 2_000, 10_000].into_iter().any(|delay| {
        let output = signalled(&folder, &[&evaluate[..], &length].concat(), delay).0;
        let [table, messages] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        let heading = table.lines().find_map(|line| line.strip_prefix("(interrupted: "));
        let end = " of 5000 runs complete; the figures are those of complete runs)";
        let Some(complete) = heading.and_then(|heading| heading.strip_suffix(end)) else { return false };
        assert!((1..5000).contains(&complete.parse::<usize>().unwrap()), "{table}");
        assert_eq!(output.status.code(), Some(130), "{messages}");
        let kept = kept_folder(&folder);
        assert_eq!(messages.lines().last(), Some(&*unfinished(&kept)), "{messages}");
        std::fs::remove_dir_all(folder.path(&kept)).unwrap();
        true
    });
    assert!(done, "no run was complete");
}

/// A command that has nothing to keep ends at once, also while it reads.
#[cfg(unix)]
#[test]
fn reading_is_interrupted() {
    let folder = Folder::new();
    let begin = |args: &[&str]| {
        let mut command = Command::new("sh");
        // What a shell ignores its commands ignore.
        command.args(["-c", "if [ \"$0\" = nohup ]; then trap '' HUP; fi; exec \"$@\""]).args(args);
        command
            .current_dir(folder.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        sleep(Duration::from_secs(1));
        child
    };
    let signal = |name: &str, child: &std::process::Child| {
        assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    };
    let dlfrm = assert_cmd::cargo::cargo_bin!("dlfrm").to_str().unwrap();
    for (name, command) in [("-INT", "fit"), ("-TERM", "fit"), ("-HUP", "fit"), ("-INT", "tune")] {
        let output: &[&str] = if command == "fit" { &["-o", "m"] } else { &[] };
        let mut child = begin(&[&["sh", dlfrm, command, "-"], output].concat());
        // It waits for input until it ends.
        let input = child.stdin.take();
        signal(name, &child);
        let output = child.wait_with_output().unwrap();
        drop(input);
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(printed, "dlfrm: interrupted before the command was complete\n", "{name} {command}");
        assert_eq!(output.status.code(), Some(130), "{name} {command}");
    }
    // The end of the terminal is not heard under nohup.
    let child = begin(&["nohup", dlfrm, "fit", "-", "-o", "m"]);
    signal("-HUP", &child);
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.ends_with("is empty\n"), "{printed}");
    assert!(folder.names().is_empty());
}
