//! The origin of figures: the program, as exactly as it knows itself, and the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

/// A program on a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit; none if the program was built outside of its repository.
    pub commit: Option<String>,
    /// The processor of the machine.
    pub processor: String,
    /// Its cores.
    pub cores: usize,
    /// The threads that the program used.
    pub threads: usize,
}

impl Provenance {
    /// This program on this machine.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: rayon::current_num_threads(),
        }
    }

    /// In words.
    pub fn sentence(&self) -> String {
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
        let own = top.join("crates/dlfrm-paper/src/paper.json").is_file();
        // A word behind the commit says that there is work that is not committed.
        own.then(|| git(&top, &["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]))?
    })
}

fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !answer.is_empty()).then_some(answer)
}

/// The name of the processor, or its architecture where the system does not name it.
fn processor() -> String {
    let table = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = table.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    name.filter(|name| !name.is_empty()).unwrap_or(std::env::consts::ARCH).to_owned()
}
