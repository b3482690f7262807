//! Traces: a fit that goes on goes on with its trace.

use std::collections::BTreeMap;
use std::fs;

use crate::shared::{Folder, json};

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
}
