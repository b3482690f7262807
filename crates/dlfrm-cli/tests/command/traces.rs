//! Traces: a fit that goes on goes on with its trace.

use std::collections::BTreeMap;
use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

/// The sweeps of each chain of the fit itself, in the order of the lines.
fn sweeps(folder: &Folder, name: &str) -> BTreeMap<u64, Vec<u64>> {
    let mut found: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let text = fs::read_to_string(folder.path(name)).unwrap();
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
    let before = fs::read_to_string(folder.path("t.jsonl")).unwrap();
    let resume = ["resume", "friends.dlfrm", "-q", "--draws", "+3", "--trace", "t.jsonl"];
    folder.stdout(&resume);
    let after = fs::read_to_string(folder.path("t.jsonl")).unwrap();
    assert!(after.starts_with(&before), "nothing is lost");
    let second = whole(&folder, "t.jsonl");
    assert!(second > first);
    // A line that a kill cut off is made again, and sweeps beyond the last checkpoint stand once.
    folder.fit_friends(&["--trace", "t.jsonl"]);
    folder.write("t.jsonl", &after[..after.len() - 40]);
    folder.stdout(&resume);
    assert_eq!(whole(&folder, "t.jsonl"), second);
    // The trace of another fit is no beginning of this one.
    folder.fit_friends(&["--seed", "2", "--trace", "other.jsonl"]);
    let other = fs::read(folder.path("other.jsonl")).unwrap();
    folder.fit_friends(&[]);
    let resume = ["resume", "friends.dlfrm", "-q", "--draws", "+3", "--trace", "other.jsonl"];
    assert_eq!(
        refused(&folder, &resume),
        "--trace other.jsonl: it is the trace of another fit; name another file"
    );
    assert!(fs::read(folder.path("other.jsonl")).unwrap() == other);
}

#[test]
fn folders_that_are_not_there() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit =
        [&["fit", "friends.tsv", "--undirected", "-q", "-o", "m", "--trace"], &["no/t"][..], &SHORT].concat();
    assert_eq!(refused(&folder, &fit), "no/t cannot be written: there is no folder no");
}

#[test]
fn sweeps_without_a_trace_are_counted() {
    let folder = Folder::new();
    folder.fit_friends(&["--trace", "t.jsonl"]);
    let last = whole(&folder, "t.jsonl");
    let resume = ["resume", "friends.dlfrm", "--draws", "+3"];
    let traced = [&resume[..], &["--trace", "t.jsonl"]].concat();
    assert!(!folder.warnings(&traced).contains("without a trace"));
    let more = whole(&folder, "t.jsonl") - last;
    folder.stdout(&[&resume[..], &["-q"]].concat());
    let printed = folder.warnings(&traced);
    let said = format!("t.jsonl: {} sweeps that were made without a trace are not in it\n", 2 * more);
    assert!(printed.contains(&said), "{printed}");
    let sweeps = sweeps(&folder, "t.jsonl");
    assert_eq!(sweeps[&1].len() as u64, last + 2 * more, "what was traced stands once");
}
