//! Evaluations and searches that are killed go on with what was finished (`--checkpoint`, `--checkpoint-every`).

use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::resume::spawn;
use crate::shared::{FRIENDS, Folder, json, refused};

/// Without what differs from run to run: how long things took.
fn without_seconds(mut value: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                entries.retain(|name, _| !name.starts_with("seconds"));
                entries.values_mut().for_each(walk);
            }
            Value::Array(values) => values.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut value);
    value
}

/// Kills a command as soon as it has kept some pieces in a folder whose name begins like this, and has the same command go on.
fn kill_and_go_on(folder: &Folder, command: &[&str], kept: &str, pieces: usize) -> Value {
    let mut child = spawn(folder, command);
    let kept = || {
        let names = folder.names();
        let found = names.iter().find(|name| name.starts_with(kept));
        found
            .and_then(|name| std::fs::read_dir(folder.path(name).join("pieces")).ok())
            .map_or(0, Iterator::count)
    };
    while kept() < pieces && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(kept() >= pieces);
    folder.json(command)
}

#[test]
fn an_evaluation_goes_on() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let length = ["--chains", "2", "--burn-in", "400", "--draws", "50"];
    let evaluate =
        ["evaluate", "friends.tsv", "--undirected", "--model", "dlfrm-l,diag-dlfrm-l,cn", "--runs"];
    let evaluate = [&evaluate[..], &["3", "--json"], &length].concat();
    let whole = without_seconds(folder.json(&evaluate));
    let kept = [&evaluate[..], &["--checkpoint", "kept"]].concat();
    assert_eq!(without_seconds(kill_and_go_on(&folder, &kept, "kept", 2)), whole);
    // Nothing is left to do.
    let output = folder.dlfrm(&kept).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.contains("9 of 9 pieces are there already and are taken"), "{printed}");
    let other = [&kept[..], &["--seed", "2"]].concat();
    let line = refused(&folder, &other);
    assert!(
        line.contains("was made with other settings: arguments.settings.seed is not given there and 2 here"),
        "{line}"
    );
    folder.write("friends.tsv", FRIENDS.replace("Eve\tFinn", "Eve\tGus"));
    let line = refused(&folder, &kept);
    assert!(line.contains("files-crc32.friends.tsv is"), "{line}");
}

/// Without a folder that is named there is one as long as the command is not complete.
#[test]
fn what_is_finished_is_kept_until_the_end() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let length = ["--chains", "2", "--burn-in", "400", "--draws", "50"];
    let evaluate =
        ["evaluate", "friends.tsv", "--undirected", "--model", "dlfrm-l,cn", "--runs", "4", "--json"];
    let evaluate = [&evaluate[..], &length].concat();
    let whole = without_seconds(folder.json(&[&evaluate[..], &["--checkpoint-every", "0"]].concat()));
    let often = [&evaluate[..], &["--checkpoint-every", "0.000001"]].concat();
    assert_eq!(without_seconds(kill_and_go_on(&folder, &often, "friends.evaluate-", 2)), whole);
    assert_eq!(folder.names(), ["friends.tsv"]);
    let tune = ["tune", "friends.tsv", "--undirected", "--model", "diag-dlfrm-l", "-q", "--json"];
    let tune = [&tune[..], &["--budget", "1000"], &length].concat();
    let whole = without_seconds(folder.json(&tune));
    let often = [&tune[..], &["--checkpoint-every", "0.000001"]].concat();
    assert_eq!(without_seconds(kill_and_go_on(&folder, &often, "friends.tune-", 3)), whole);
    assert_eq!(folder.names(), ["friends.tsv"]);
    // At Ctrl-C what waits is written, and whatever else decides the figures has another folder.
    let endless = [&evaluate[..4], &["cn,dlfrm-l", "--runs", "1", "--burn-in", "1000000"]].concat();
    let child = spawn(&folder, &endless);
    sleep(Duration::from_millis(1500));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    let names = folder.names();
    let kept = names.iter().find(|name| name.starts_with("friends.evaluate-")).unwrap();
    let said = format!("what is finished is kept in {kept}: the same command goes on from there\n");
    assert!(printed.contains(&said), "{printed}");
    folder.stdout(&often);
    assert_eq!(folder.names(), names);
}

/// More runs are added to those that are there; what differs is named by its flag.
#[test]
fn more_runs_and_other_splits() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--model", "ra", "--checkpoint", "kept"];
    let with = |more: &[&'static str]| [&evaluate[..], more].concat();
    folder.stdout(&with(&["--runs", "2"]));
    let printed = folder.warnings(&with(&["--runs", "3"]));
    assert!(printed.contains("2 of 3 pieces are there already and are taken"), "{printed}");
    // One run alone has an interval, which one of several has not.
    let one = |printed: &str| {
        let printed = json(printed);
        assert!(printed["models"][0]["auc_low"].is_f64(), "{printed}");
        without_seconds(printed)
    };
    let single = ["evaluate", "friends.tsv", "--undirected", "--model", "ra", "--runs", "1", "--json"];
    let alone = one(&folder.stdout(&single));
    assert_eq!(one(&folder.stdout(&with(&["--runs", "1", "--json"]))), alone);
    let printed = folder.warnings(&with(&["--runs", "1", "--json"]));
    assert!(printed.contains("1 of 1 pieces are there already and are taken"), "{printed}");
    let printed = folder.warnings(&with(&["--runs", "4"]));
    assert!(printed.contains("3 of 4 pieces are there already and are taken"), "{printed}");
    let anew = "; choose another folder or remove the piece";
    assert_eq!(
        refused(&folder, &with(&["--folds", "3"])),
        format!(
            "kept/pieces/ra-run-1.json was made with other settings: arguments.split.folds is not given there and 3 here{anew}"
        )
    );
    let line = refused(&folder, &[&evaluate[..5], &["--checkpoint", "friends.tsv"]].concat());
    assert_eq!(line, "friends.tsv is a file, a folder is needed");
    // What a pipe gives is gone.
    let piped = ["evaluate", "/dev/stdin", "--undirected", "--model", "ra", "--checkpoint", "other"];
    let output = folder.dlfrm(&piped).write_stdin(FRIENDS).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    let line =
        "--checkpoint needs a file, not standard input or a pipe: another call could not read it again\n";
    assert!(output.status.code() == Some(2) && printed.ends_with(line), "{printed}");
}
