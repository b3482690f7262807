//! What makes the figures: the program, as exactly as it knows itself, and the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

/// A program on a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Maker {
    pub(crate) version: String,
    /// None if the program was built outside of its repository.
    pub(crate) commit: Option<String>,
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) threads: usize,
}

impl Maker {
    /// This program on this machine.
    pub(crate) fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: rayon::current_num_threads(),
        }
    }

    /// In words.
    pub(crate) fn sentence(&self) -> String {
        let commit = self
            .commit
            .as_ref()
            .map_or_else(|| "commit not known".to_owned(), |commit| format!("commit {commit}"));
        let Self { version, processor, cores, threads, .. } = self;
        format!("dlfrm {version}, {commit}; {processor}, {cores} cores, {threads} threads")
    }
}

/// The commit that the builder names in `DLFRM_COMMIT`; otherwise that of the program's own repository, if the program or
/// its user is in there.
fn commit() -> Option<String> {
    if let Some(named) = option_env!("DLFRM_COMMIT") {
        return Some(named.to_owned());
    }
    let program = std::env::current_exe().ok().and_then(|file| file.parent().map(Path::to_owned));
    let here = std::env::current_dir().ok();
    program.into_iter().chain(here).find_map(|folder| {
        let top = PathBuf::from(git(&folder, &["rev-parse", "--show-toplevel"])?);
        let own = top.join("crates/dlfrm-cli/src/reproduce/paper.json").is_file();
        // Work that is not committed is told by a word behind the commit.
        own.then(|| git(&top, &["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]))?
    })
}

fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    let told = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !told.is_empty()).then_some(told)
}

/// The name of the processor, or its kind where the system does not tell.
fn processor() -> String {
    let table = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = table.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    name.filter(|name| !name.is_empty()).unwrap_or(std::env::consts::ARCH).to_owned()
}
