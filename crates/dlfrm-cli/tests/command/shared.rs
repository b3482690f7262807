//! A small network, the command, and a folder to run it in.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Two groups of five and a bridge.
pub(crate) const FRIENDS: &str = "# who knows whom\nsource\ttarget\nAda\tBob\nAda\tCleo\nAda\tDan\nBob\tCleo\nBob\tEve\nCleo\tDan\n\
    Cleo\tEve\nDan\tEve\nFinn\tGus\nFinn\tHal\nFinn\tIda\nGus\tHal\nGus\tJo\nHal\tIda\nHal\tJo\nIda\tJo\nEve\tFinn\n";

/// Few sweeps: the tests ask how the command behaves, not what it learns.
pub(crate) const SHORT: [&str; 6] = ["--chains", "2", "--burn-in", "5", "--draws", "5"];

/// A folder of its own for every test.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command in this folder.
    pub(crate) fn dlfrm(&self, args: &[&str]) -> Command {
        let mut command = crate::program();
        command.current_dir(self.folder.path()).args(args);
        command
    }

    /// Runs the command, which must succeed, and gives what it prints.
    pub(crate) fn stdout(&self, args: &[&str]) -> String {
        let output = self.dlfrm(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same of a command that prints JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        json(&self.stdout(args))
    }

    /// Runs the command, which must succeed, and gives what it prints beside its result.
    pub(crate) fn warnings(&self, args: &[&str]) -> String {
        let output = self.dlfrm(args).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{args:?}: {printed}");
        printed
    }

    /// Fits the friends.
    pub(crate) fn fit_friends(&self, more: &[&str]) -> String {
        self.write("friends.tsv", FRIENDS);
        let args = ["fit", "friends.tsv", "--undirected", "-o", "friends.dlfrm"];
        self.stdout(&[&args[..], &SHORT, more].concat())
    }
}

/// Runs a command that must be refused and gives its one line; mistakes in arguments have the usage behind it.
pub(crate) fn refused(folder: &Folder, args: &[&str]) -> String {
    let before = folder.names();
    let output = folder.dlfrm(args).write_stdin("").output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}");
    assert!(output.stdout.is_empty(), "{args:?} prints {}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(before, folder.names(), "a file is left behind");
    if let Some(usage) = printed.strip_prefix("error: ") {
        return usage.split("\n\nUsage:").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // The line that says what was read may stand before it.
    let last = printed.lines().last().expect("a refusal says why");
    last.strip_prefix("dlfrm: ").expect("a line of the program").trim_end().to_owned()
}

/// What a command printed as JSON.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
