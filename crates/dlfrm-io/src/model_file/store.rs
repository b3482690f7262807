//! Model files on disk: written complete or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::ModelFileError;
use super::arrays::{Format, OPENING};

/// Checks that a file can be written to this path: call it before a long fit, not after it.
pub fn check_writable(path: &Path) -> Result<(), ModelFileError> {
    let target = target(path)?;
    begin(&target).map(drop).map_err(|cause| unwritable(path, cause))
}

/// Writes a temporary file beside `path`, makes sure that it is on disk, and moves it to `path`.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ModelFileError> {
    put(path, bytes, |file, target| Ok(file.persist(target)?)).map(drop)
}

/// The same with a file that is locked from the moment in which it is there. Without `replace` it must not be there yet.
pub(super) fn write_locked(path: &Path, bytes: &[u8], replace: bool) -> Result<File, ModelFileError> {
    put(path, bytes, |file, target| {
        file.as_file().try_lock()?;
        Ok(if replace { file.persist(target)? } else { file.persist_noclobber(target)? })
    })
}

fn put(
    path: &Path,
    bytes: &[u8],
    persist: impl FnOnce(NamedTempFile, &Path) -> io::Result<File>,
) -> Result<File, ModelFileError> {
    let target = target(path)?;
    let done = || -> io::Result<File> {
        let mut file = begin(&target)?;
        // Whoever tidies up sees that it is in use. A file system without locks does without.
        let _ = file.as_file().try_lock();
        // The name of the temporary file would say nothing to the user.
        if let Some(permissions) = permissions(&target) {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file_mut().write_all(bytes)?;
        file.as_file().sync_all()?;
        let file = persist(file, &target)?;
        sync_folder(folder(&target))?;
        Ok(file)
    };
    done().map_err(|cause| unwritable(path, cause))
}

/// Who may read and write the file that is replaced, and the model that a new checkpoint is of.
fn permissions(target: &Path) -> Option<fs::Permissions> {
    let model =
        || target.extension().filter(|ending| *ending == "checkpoint").map(|_| target.with_extension(""));
    let found = fs::metadata(target).or_else(|error| model().map_or(Err(error), fs::metadata));
    found.ok().map(|found| found.permissions())
}

/// Removes what a program that was killed while it wrote this file has left. A file that somebody is writing is locked, and
/// stays.
pub fn remove_parts(path: &Path) {
    let Ok(target) = target(path) else { return };
    let Ok(files) = fs::read_dir(folder(&target)) else { return };
    let beginning = beginning(&target);
    for file in files.flatten() {
        let name = file.file_name();
        let name = name.to_string_lossy();
        let left = || File::open(file.path()).is_ok_and(|part| part.try_lock().is_ok());
        if name.starts_with(&beginning) && name.ends_with(ENDING) && left() {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// How the names of temporary files begin and end.
fn beginning(target: &Path) -> String {
    format!(".{}-", target.file_name().unwrap_or_default().to_string_lossy())
}

const ENDING: &str = ".part";

/// Whether a file is a model file of this program, of any version. What is not there or cannot be read is none, and neither is a
/// pipe, whose bytes can be read once only.
pub fn is_model(path: &Path) -> bool {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && begins_as_model(&head)
}

/// How many bytes show that a file is a model.
const HEAD: u64 = 8 + OPENING.len() as u64;

fn begins_as_model(head: &[u8]) -> bool {
    head.get(8..).is_some_and(|opening| !opening.is_empty() && OPENING.starts_with(opening))
}

pub(super) fn read(path: &Path, format: &Format) -> Result<Vec<u8>, ModelFileError> {
    let file = path.display().to_string();
    if path.is_dir() {
        return Err(ModelFileError::NoFile { file, what: "a directory" });
    }
    let failed = |cause: io::Error| match cause.kind() {
        io::ErrorKind::NotFound => ModelFileError::Missing { file: file.clone() },
        _ => ModelFileError::Unreadable { file: file.clone(), cause },
    };
    let mut opened = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut opened).take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
    // A device that never ends, or a large file of another kind, is not read further.
    if !begins_as_model(&bytes) {
        return Err(ModelFileError::NotAModel { file, kind: format.name });
    }
    opened.read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The file to replace: behind a link, and never a device or a folder.
fn target(path: &Path) -> Result<PathBuf, ModelFileError> {
    let file = path.display().to_string();
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(ModelFileError::NoFile { file, what: "a directory" }),
        Ok(found) if !found.is_file() => Err(ModelFileError::NoFile { file, what: "a device or a pipe" }),
        Ok(_) => path.canonicalize().map_err(|cause| unwritable(path, cause)),
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            Err(ModelFileError::NoFile { file, what: "the name of a folder" })
        }
        // The file that is written would take the place of the link.
        Err(_) if path.is_symlink() => {
            Err(ModelFileError::NoFile { file, what: "a link that leads to no file" })
        }
        Err(_) if path.file_name().is_none() => Err(ModelFileError::NoFile { file, what: "a directory" }),
        Err(_) => Ok(path.to_owned()),
    }
}

fn begin(target: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    if !folder.exists() {
        return Err(io::Error::other(format!("there is no folder {}", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    let beginning = beginning(target);
    builder.prefix(&beginning).suffix(ENDING);
    #[cfg(unix)]
    {
        // As readable as any new file of the user's; temporary files are private otherwise.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Only the system's reason is kept, not the name of the temporary file.
    builder.tempfile_in(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(format!("{} takes no files", folder.display())),
        kind => io::Error::from(kind),
    })
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The move itself is on disk only after the folder is. Windows cannot open folders and needs no such step.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn unwritable(path: &Path, cause: io::Error) -> ModelFileError {
    ModelFileError::Unwritable { file: path.display().to_string(), cause }
}
