//! Pieces of long work on disk, and the program and machine that made them: one method in one run of one split, or one trial, is a small file, complete or absent.
//!
//! A piece has everything that decides its figures beside them. One that was made with something else is refused: it must
//! not stand in a table that says otherwise, and it must not be replaced, as it may have taken hours.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::model_file::{ModelFileError, remove_parts, write_file};

/// What can go wrong with pieces.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PieceError {
    /// A piece cannot be written.
    #[error(transparent)]
    Write(#[from] ModelFileError),
    /// A folder cannot be made.
    #[error("{} cannot be made: {cause}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A file among the pieces is something else.
    #[error("{} is no piece of finished work: {cause}", .path.display())]
    NoPiece {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: serde_json::Error,
    },
    /// A piece was made with other settings.
    #[error(
        "{} was made with other settings: {difference}; choose another folder or remove the piece",
        .path.display()
    )]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
}

type Result<T> = std::result::Result<T, PieceError>;

/// A finished piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece<F> {
    /// The fingerprint: everything that decides what is found, but for the program.
    pub made_with: Value,
    /// The program.
    pub made_by: Provenance,
    /// What was found.
    pub found: F,
}

/// The folder of the pieces.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The pieces in the folder `output`. Nothing is written yet.
    pub fn new(output: &Path) -> Self {
        Self { folder: output.join("pieces") }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    /// Whether there is a piece of this name, made with any settings.
    pub fn has(&self, name: &str) -> bool {
        self.file(name).is_file()
    }

    /// The piece of this name, if it is there; an error if it was made with something else.
    pub fn load<F: DeserializeOwned>(&self, name: &str, made_with: &Value) -> Result<Option<Piece<F>>> {
        let file = self.file(name);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(PieceError::Io { path: file, cause: source }),
        };
        let piece: Piece<F> = match serde_json::from_str(&text) {
            Ok(piece) => piece,
            Err(source) => return Err(PieceError::NoPiece { path: file, cause: source }),
        };
        match difference("", &piece.made_with, made_with) {
            Some(difference) => Err(PieceError::OtherSettings { path: file, difference }),
            None => Ok(Some(piece)),
        }
    }

    /// Keeps a piece.
    pub fn save<F: Serialize>(&self, name: &str, piece: &Piece<F>) -> Result<()> {
        create_folder(&self.folder)?;
        let text = serde_json::to_string_pretty(piece).expect("a piece is JSON") + "\n";
        Ok(write_file(&self.file(name), text.as_bytes())?)
    }

    /// Removes pieces, what a program that was killed has left of them, and the folders that are empty then.
    pub fn remove<'a>(&self, names: impl IntoIterator<Item = &'a String>) -> Result<()> {
        for file in names.into_iter().map(|name| self.file(name)) {
            remove_parts(&file);
            match fs::remove_file(&file) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(PieceError::Io { path: file, cause: source });
                }
                _ => {}
            }
        }
        // What is not empty stays.
        let folders = [Some(&*self.folder), self.folder.parent()];
        folders.into_iter().flatten().take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
        Ok(())
    }
}

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

/// Makes a folder and those above it.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|source| PieceError::Folder { path: folder.to_owned(), cause: source })
}

/// The checksum of a file.
pub fn checksum(file: &Path) -> Result<String> {
    let bytes = fs::read(file).map_err(|source| PieceError::Io { path: file.to_owned(), cause: source })?;
    Ok(format!("{:08x}", crc32fast::hash(&bytes)))
}

/// The first thing in which two values differ, in words.
fn difference(path: &str, there: &Value, here: &Value) -> Option<String> {
    let inside = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (there, here) {
        (Value::Object(there), Value::Object(here)) => {
            let names = there.keys().chain(here.keys().filter(|name| !there.contains_key(*name)));
            let value = |object: &serde_json::Map<String, Value>, name: &str| {
                object.get(name).cloned().unwrap_or(Value::Null)
            };
            names
                .into_iter()
                .find_map(|name| difference(&inside(name), &value(there, name), &value(here, name)))
        }
        _ if there == here => None,
        _ => {
            let [there, here] = [there, here].map(|value| match value {
                Value::Null => "not given".to_owned(),
                value => value.to_string(),
            });
            Some(format!("{path} is {there} there and {here} here"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_named() {
        let one = json!({"seed": 1, "settings": {"draws": 50, "nu": 1.5}});
        assert_eq!(difference("", &one, &one.clone()), None);
        let other = json!({"seed": 1, "settings": {"draws": 10, "nu": 1.5}});
        assert_eq!(difference("", &one, &other).as_deref(), Some("settings.draws is 50 there and 10 here"));
        let more = json!({"seed": 1, "settings": {"draws": 50, "nu": 1.5}, "words": true});
        assert_eq!(difference("", &one, &more).as_deref(), Some("words is not given there and true here"));
    }

    #[test]
    fn pieces_are_read_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let made_with = json!({"seed": 3, "test-fraction": 0.1});
        assert_eq!(store.load::<[f64; 3]>("a", &made_with).unwrap(), None);
        let found = [0.1 + 0.2, 1.0 / 3.0, 1e-7];
        let piece = Piece { made_with: made_with.clone(), made_by: Provenance::this(), found };
        store.save("a", &piece).unwrap();
        assert_eq!(store.load("a", &made_with).unwrap(), Some(piece));
        let message =
            store.load::<[f64; 3]>("a", &json!({"seed": 4, "test-fraction": 0.1})).unwrap_err().to_string();
        assert!(message.contains("seed is 3 there and 4 here"), "{message}");
        std::fs::write(folder.path().join("pieces/a.json"), "{}").unwrap();
        let message = store.load::<[f64; 3]>("a", &made_with).unwrap_err().to_string();
        assert!(message.contains("a.json is no piece of finished work: missing field"), "{message}");
    }
}
