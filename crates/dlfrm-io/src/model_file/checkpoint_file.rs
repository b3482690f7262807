//! The checkpoint of a fit on disk: beside the model, locked as long as a run uses it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use dlfrm::fit::{Checkpoint, Keeper};

use super::checkpoint::{CHECKPOINT, checkpoint_from_bytes, checkpoint_to_bytes};
use super::{ModelFileError, store};

/// Where the checkpoint of a model is.
pub fn checkpoint_path(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_owned();
    name.push(".checkpoint");
    model.with_file_name(name)
}

/// Reads a checkpoint without taking it.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint<'static>, ModelFileError> {
    checkpoint_from_bytes(&store::read(path, &CHECKPOINT)?, &path.display().to_string())
}

/// Whether a file can be read as a checkpoint.
pub fn is_checkpoint(path: &Path) -> bool {
    store::is_model(path) && read_checkpoint(path).is_ok()
}

/// The checkpoint of a fit on disk. Whoever has it is the only one, until it is dropped or the program ends in any way.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    every: Duration,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// The locked file; none if nothing was written yet.
    file: Option<File>,
    at: Instant,
}

impl CheckpointFile {
    /// Takes the checkpoint of a model that is, or will be, at `model`; an error if another run has it.
    pub fn take(model: &Path, every: Duration) -> Result<Self, ModelFileError> {
        let path = checkpoint_path(model);
        let file = lock(&path)?;
        store::remove_parts(&path);
        store::remove_parts(model);
        Ok(Self { path, every, kept: Mutex::new(Kept { file, at: Instant::now() }) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is one.
    pub fn exists(&self) -> bool {
        self.kept().file.is_some()
    }

    /// Reads it.
    pub fn read(&self) -> Result<Checkpoint<'static>, ModelFileError> {
        read_checkpoint(&self.path)
    }

    /// Removes it, once the model is complete.
    pub fn remove(self) -> Result<(), ModelFileError> {
        if !self.exists() {
            return Ok(());
        }
        let file = self.path.display().to_string();
        fs::remove_file(&self.path).map_err(|cause| ModelFileError::Unwritable { file, cause })
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().expect("nobody panics with it")
    }
}

impl Keeper for CheckpointFile {
    fn due(&self) -> bool {
        self.kept().at.elapsed() >= self.every
    }

    fn keep(&self, checkpoint: &Checkpoint<'_>) -> Result<(), String> {
        let bytes = checkpoint_to_bytes(checkpoint);
        let mut kept = self.kept();
        // After a failure, too, the next attempt waits.
        kept.at = Instant::now();
        let replace = kept.file.is_some();
        match store::write_locked(&self.path, &bytes, replace) {
            Ok(file) => kept.file = Some(file),
            Err(ModelFileError::Unwritable { cause, .. }) if cause.kind() == io::ErrorKind::AlreadyExists => {
                return Err(ModelFileError::InUse { file: self.path.display().to_string() }.to_string());
            }
            Err(error) => return Err(error.to_string()),
        }
        kept.at = Instant::now();
        Ok(())
    }
}

/// A run that was killed holds its lock until the system has taken its memory back.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks the file at a path, if there is one.
fn lock(path: &Path) -> Result<Option<File>, ModelFileError> {
    let name = || path.display().to_string();
    let unreadable = |cause| ModelFileError::Unreadable { file: name(), cause };
    let began = Instant::now();
    loop {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(unreadable(cause)),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 40);
                continue;
            }
            Err(TryLockError::WouldBlock) => return Err(ModelFileError::InUse { file: name() }),
            Err(TryLockError::Error(cause)) => return Err(unreadable(cause)),
        }
        // The run that had it may have put another file in its place, or removed it, before it ended.
        if same_file(&file, path) {
            return Ok(Some(file));
        }
    }
}

#[cfg(unix)]
fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: fs::Metadata| (found.dev(), found.ino());
    let there = fs::metadata(path).map(number);
    file.metadata().map(number).is_ok_and(|held| there.is_ok_and(|there| there == held))
}

/// A locked file cannot be replaced elsewhere.
#[cfg(not(unix))]
fn same_file(_: &File, _: &Path) -> bool {
    true
}
