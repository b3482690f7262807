//! Puts the commit into the version of the command, where the source is a repository.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    println!("cargo:rerun-if-changed=build.rs");
    // The file that changes with every commit and every other branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let version = match git(&["rev-parse", "--short=9", "HEAD"]) {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo:rustc-env=DLFRM_VERSION={version}");
}
