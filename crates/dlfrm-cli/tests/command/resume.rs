//! Fits that are killed go on: the model is, bit for bit, that of a fit that was never killed.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

/// Long enough to be killed several times, with a checkpoint every few sweeps.
const LONG: [&str; 9] =
    ["--chains", "2", "--burn-in", "1500", "--draws", "50", "--thin", "10", "--checkpoint-every"];

/// Without what differs from run to run: seconds, and the checksum over them.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|name, _| !["seconds", "nanoseconds", "crc32"].contains(&name.as_str()));
            entries.values_mut().for_each(timeless);
        }
        Value::Array(values) => values.iter_mut().for_each(timeless),
        _ => {}
    }
}

/// Everything that a model file has, but times.
fn content(folder: &Folder, name: &str) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(folder.path(name)).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let mut entry = json(header["__metadata__"]["dlfrm"].as_str().unwrap());
    timeless(&mut entry);
    header["__metadata__"]["dlfrm"] = entry;
    (header, bytes[8 + length..].to_vec())
}

pub(crate) fn spawn(folder: &Folder, args: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"))
        .current_dir(folder.path(""))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Fits, kills the run some times, has it go on on another number of threads, and compares the model.
fn kill_and_compare(fit: &[&str], kills: u64, seed: u64) {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let two = (0..14_u32).flat_map(|i| (1..4).map(move |d| (i, (i + d * d) % 14)));
    let two = two.flat_map(|(i, j)| {
        ["near", "far"].map(|relation| format!("{relation}\t{i}\t{}\n", (j + i % 3) % 14))
    });
    folder.write("two.tsv", two.collect::<String>());
    let whole = [&["fit"], fit, &LONG, &["0", "-o", "whole"]].concat();
    let began = std::time::Instant::now();
    folder.stdout(&whole);
    let took = began.elapsed().as_millis() as u64;
    let begin = [&["fit"], fit, &LONG, &["0.01s", "-o", "killed", "--threads", "1"]].concat();
    let mut args = begin.clone();
    for kill in 1..=kills {
        let mut child = spawn(&folder, &args);
        // Later and later within the run, at moments that look random.
        sleep(Duration::from_millis((seed * 7919 + kill * 104_729) % (took / kills).max(2)));
        child.kill().unwrap();
        let printed = child.wait_with_output().unwrap();
        let killed = printed.status.code().is_none();
        assert!(killed || printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
        let begun = folder.path("killed.checkpoint").exists();
        let threads = if kill % 2 == 0 { "1" } else { "2" };
        args = if begun {
            vec!["resume", "killed", "--checkpoint-every", "0.01s", "--threads", threads]
        } else {
            begin.clone()
        };
    }
    if folder.path("killed.checkpoint").exists() || !folder.path("killed").exists() {
        folder.stdout(&args);
    }
    let left: Vec<String> = folder.names();
    assert_eq!(left, ["friends.tsv", "killed", "two.tsv", "whole"], "nothing else is left");
    assert!(content(&folder, "killed") == content(&folder, "whole"), "{fit:?} differs");
}

#[test]
fn killed_fits_of_all_models() {
    let models = ["dlfrm-l", "dlfrm-h", "sto-dlfrm-l", "sto-dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"];
    for (model, seed) in models.into_iter().zip(1..) {
        kill_and_compare(&["friends.tsv", "--undirected", "--model", model], 3, seed);
    }
}

#[test]
fn killed_fits_of_relations() {
    let two = ["two.tsv", "--columns", "relation,source,target"];
    for (features, seed) in [("--share-features", 11), ("--separate-features", 12)] {
        kill_and_compare(&[&two[..], &[features, "--keep", "30"]].concat(), 3, seed);
    }
}

#[test]
fn more_draws_are_those_of_a_longer_fit() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = |output: &str, draws: &str| {
        let args = ["fit", "friends.tsv", "--undirected", "--chains", "2", "--burn-in", "20", "--draws"];
        folder.stdout(&[&args[..], &[draws, "-o", output]].concat());
    };
    // With 60 draws the trials of the choice are longer than with 30, and as long as with 70.
    for (first, more, all) in [("60", "+10", "70"), ("30", "+40", "70")] {
        fit("m", first);
        folder.stdout(&["resume", "m", "--draws", more]);
        fit("all", all);
        assert!(content(&folder, "m") == content(&folder, "all"), "{first} {more}");
    }
    let line = refused(&folder, &["resume", "m"]);
    assert_eq!(line, "m: the fit is complete; --draws +N or --until R goes on with it");
    let line = refused(&folder, &["resume", "nothing"]);
    assert!(line.contains("there is neither a model nor a checkpoint"), "{line}");
    let line = refused(&folder, &["resume", "m", "--draws", "x"]);
    assert!(line.contains("a number of further draws is needed, such as +100"), "{line}");
}

/// A model keeps as many draws as it may, of all sweeps that count, however it came to them.
#[test]
fn no_more_draws_are_kept() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = |output: &str, more: &[&str]| {
        let args = ["fit", "friends.tsv", "--undirected", "--chains", "2", "--burn-in", "20", "-o", output];
        folder.stdout(&[&args[..], more].concat());
    };
    let kept = |name: &str| folder.json(&["info", name, "--json"])["relations"][0]["draws"].as_u64().unwrap();
    fit("m", &["--draws", "60", "--keep", "80"]);
    assert_eq!(kept("m"), 60, "every second one");
    folder.stdout(&["resume", "m", "--draws", "+110"]);
    fit("all", &["--draws", "170", "--keep", "80"]);
    assert_eq!(kept("m"), 2 * (170 / 8), "one in eight");
    assert!(content(&folder, "m") == content(&folder, "all"));
    // A file becomes smaller without a further sweep, and goes on.
    let size = |name: &str| std::fs::metadata(folder.path(name)).unwrap().len();
    let before = size("m");
    folder.stdout(&["resume", "m", "--keep", "20"]);
    assert!(kept("m") == 2 * (170 / 16) && size("m") < before);
    folder.stdout(&["resume", "m", "--draws", "+10", "--keep", "1000"]);
    assert_eq!(kept("m"), 2 * (180 / 16), "what was dropped does not come back");
    // Rounds double what is drawn, and not what is kept. What does not count any more is some of it.
    fit("u", &["--draws", "10", "--keep", "60", "--until", "1.2"]);
    let info = folder.json(&["info", "u", "--json"]);
    let setting = |name: &str| info["settings"][name].as_u64().unwrap();
    let (drawn, draws) = (2 * setting("draws"), kept("u"));
    assert!(draws <= 60 && draws * (drawn / draws) == drawn, "{draws} of {drawn}: {info}");
    folder.stdout(&["resume", "u", "--draws", "+100"]);
    assert!(kept("u") <= 60);
    // What a fit asks for is kept, if nothing else is said.
    fit("many", &["--draws", "600"]);
    assert_eq!(kept("many"), 1200);
    let line = refused(&folder, &["resume", "m", "--keep", "19"]);
    assert!(line.contains("keep must be at least 10 for each chain, is 19"), "{line}");
}

/// A run that was killed while it wrote leaves a part of a file. The next one removes it, unless somebody writes it.
#[test]
fn parts_of_files_are_removed() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let parts = [".m.checkpoint-Ab1.part", ".m-Cd2.part", ".m-live.part", ".other-Ef3.part"];
    for part in parts {
        folder.write(part, "half");
    }
    let live = std::fs::File::open(folder.path(".m-live.part")).unwrap();
    live.try_lock().unwrap();
    folder.stdout(&[&["fit", "friends.tsv", "--undirected", "-o", "m"][..], &SHORT].concat());
    assert_eq!(folder.names(), [".m-live.part", ".other-Ef3.part", "friends.tsv", "m"]);
}

#[test]
fn one_run_at_a_time() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let mut child = spawn(
        &folder,
        &["fit", "friends.tsv", "--burn-in", "1000000", "-o", "m", "--checkpoint-every", "1h"],
    );
    while !folder.path("m.checkpoint").exists() {
        sleep(Duration::from_millis(20));
    }
    let line = refused(&folder, &["resume", "m"]);
    assert_eq!(line, "m.checkpoint is in use: another run goes on with this fit");
    let line = refused(&folder, &["fit", "friends.tsv", "-q", "-o", "m", "--force"]);
    assert_eq!(line, "m.checkpoint is in use: another run goes on with this fit");
    child.kill().unwrap();
    child.wait().unwrap();
    let line = refused(&folder, &["fit", "friends.tsv", "-q", "-o", "m"]);
    let unfinished = "m.checkpoint has a fit that was not finished";
    let advice = ": 'dlfrm resume m' goes on with it, --force begins anew";
    assert_eq!(line, format!("{unfinished}{advice}"));
}

/// Writing fails beyond a size of a file, as it does on a full disk.
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit =
        "fit friends.tsv --undirected --chains 2 --burn-in 500 --draws 400 -o m --checkpoint-every 0.01s";
    let script = format!(
        "trap '' XFSZ; ulimit -f 60; exec {} {fit}",
        assert_cmd::cargo::cargo_bin!("dlfrm").display()
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("m.checkpoint cannot be written: "), "{printed}");
    assert!(printed.contains("; the fit goes on without a new checkpoint"), "{printed}");
    let last = printed.lines().last().unwrap();
    assert!(last.starts_with("dlfrm: m cannot be written: "), "{printed}");
    assert!(last.ends_with("; 'dlfrm resume m' goes on from the checkpoint"), "{printed}");
    assert_eq!(folder.names(), ["friends.tsv", "m.checkpoint"]);
    folder.stdout(&["resume", "m"]);
    assert_eq!(folder.names(), ["friends.tsv", "m"]);
}

#[test]
fn time_and_agreement_end_a_fit() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "-o", "m", "--chains", "2", "--burn-in", "50"];
    let endless = [&fit[..], &["--draws", "1000000", "--time", "3s", "--json"]].concat();
    let began = std::time::Instant::now();
    let summary = folder.json(&endless);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(summary["interrupted"], true);
    assert!(summary["relations"][0]["draws"].as_u64().unwrap() > 2);
    assert_eq!(folder.names(), ["friends.tsv", "m", "m.checkpoint"]);
    let line = refused(&folder, &[&fit[..], &["--force", "--time", "0"]].concat());
    let former = "m is still the former model; 'dlfrm resume m' goes on";
    assert_eq!(line, format!("the time was over before the first draw was kept: {former}"));
    let until = [&fit[..], &["--force", "--draws", "8", "--until", "1.02", "--keep", "100000"]].concat();
    let output = folder.dlfrm(&until).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && printed.contains("chains agree: R-hat 1.0"), "{printed}");
    assert!(printed.contains("going on to 16 draws of each chain"), "{printed}");
    let summary = folder.json(&["info", "m", "--json"]);
    assert!(summary["relations"][0]["agreement"]["r_hat"].as_f64().unwrap() <= 1.02);
    // It is a model with a longer burn-in and half of the draws, and goes on as such.
    let consistent = |more: u64| {
        let summary = folder.json(&["info", "m", "--json"]);
        let setting = |name: &str| summary["settings"][name].as_u64().unwrap();
        assert_eq!(summary["relations"][0]["draws"], 2 * setting("draws"), "{summary}");
        let first = setting("draws") - more;
        assert_eq!(setting("burn-in"), 50 + first * setting("thin"), "{summary}");
    };
    consistent(0);
    folder.stdout(&["resume", "m", "--draws", "+5"]);
    consistent(5);
    for wrong in ["1", "0", "nan", "-3"] {
        let line = refused(&folder, &["fit", "friends.tsv", "-q", "-o", "n", "--until", wrong]);
        assert!(line.contains("until must be a number above 1"), "{line}");
    }
}

#[test]
fn new_links_and_nodes() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "-o", "friends.dlfrm", "--chains", "2"];
    folder.stdout(&[&fit[..], &["--burn-in", "100", "--draws", "40"]].concat());
    folder.write("more.tsv", "Zoe\tFinn\nZoe\tGus\nZoe\tHal\nAda\tEve\nAda\tBob\n");
    let update = ["update", "friends.dlfrm", "more.tsv", "-o", "new.dlfrm"];
    let output = folder.dlfrm(&update).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("new: 1 node, 4 links, 0 listed non-links"), "{printed}");
    let info = folder.json(&["info", "new.dlfrm", "--json"]);
    assert_eq!(info["nodes"], 11);
    folder.write("pairs.tsv", "Zoe\tIda\nZoe\tBob\nAda\tEve\n");
    let predicted = folder.json(&["predict", "new.dlfrm", "--pairs", "pairs.tsv", "--json"]);
    let probability = |at: usize| predicted[at]["probability"].as_f64().unwrap();
    assert!(probability(0) > probability(1), "Zoe belongs to the second group: {predicted}");
    assert_eq!(predicted[2]["known_link"], true);
    // The same bits again, and from there on.
    folder.stdout(&["update", "friends.dlfrm", "more.tsv", "-o", "again.dlfrm", "--threads", "1"]);
    assert!(content(&folder, "new.dlfrm") == content(&folder, "again.dlfrm"));
    folder.stdout(&["resume", "new.dlfrm", "--draws", "+5"]);
    // In a fifth of the sweeps of a fit.
    let sweeps = |name: &str| content(&folder, name).0["relation.0.traces.features"]["shape"][0].as_u64();
    let (before, after) = (sweeps("friends.dlfrm").unwrap(), sweeps("again.dlfrm").unwrap());
    assert!(after > before && after - before <= before / 5, "{before} {after}");
    let line = refused(&folder, &["update", "friends.dlfrm", "more.tsv", "-o", "friends.dlfrm"]);
    assert!(line.contains("name another one"), "{line}");
}

/// The sweeps of each chain of the fit itself, in the order of the lines.
fn sweeps(folder: &Folder, name: &str) -> std::collections::BTreeMap<u64, Vec<u64>> {
    let mut found: std::collections::BTreeMap<u64, Vec<u64>> = std::collections::BTreeMap::new();
    let text = std::fs::read_to_string(folder.path(name)).unwrap();
    for line in text.lines().map(json).filter(|line| line.get("trial").is_none()) {
        found.entry(line["chain"].as_u64().unwrap()).or_default().push(line["sweep"].as_u64().unwrap());
    }
    found
}

/// The last sweep of both chains, which must have every one once.
fn whole(folder: &Folder, name: &str) -> u64 {
    let found = sweeps(folder, name);
    assert_eq!(found.len(), 2, "{found:?}");
    let (first, last) = (found[&1][0], *found[&1].last().unwrap());
    for sweeps in found.values() {
        assert_eq!(*sweeps, (first..=last).collect::<Vec<_>>(), "{found:?}");
    }
    last
}

#[test]
fn a_fit_that_goes_on_goes_on_with_its_trace() {
    let folder = Folder::new();
    folder.fit_friends(&["--trace", "t.jsonl"]);
    let first = whole(&folder, "t.jsonl");
    let before = std::fs::read_to_string(folder.path("t.jsonl")).unwrap();
    let resume = ["resume", "friends.dlfrm", "-q", "--draws", "+3", "--trace", "t.jsonl"];
    folder.stdout(&resume);
    let after = std::fs::read_to_string(folder.path("t.jsonl")).unwrap();
    assert!(after.starts_with(&before), "nothing is lost");
    let second = whole(&folder, "t.jsonl");
    assert!(second > first);
}
