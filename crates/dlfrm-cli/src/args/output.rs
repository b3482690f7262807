//! Files that a command writes: never one that it reads, and never one that somebody else wrote.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use dlfrm_io::model_file::{check_writable, checkpoint_path, is_model};
use dlfrm_io::report::is_report;

use super::model_file::{NAMED_CHECKPOINT, unfinished};

/// Whether two paths are one file. Standard input and output are none.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| {
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            path.file_name().map_or_else(|| path.to_owned(), |name| folder.join(name))
        })
    };
    one != Path::new("-") && other != Path::new("-") && real(one) == real(other)
}

/// Refuses an output that is one of the files that the command reads, or another output. `flag` names it in the message.
pub(crate) fn check_distinct(flag: &str, output: &Path, others: &[&Path]) -> anyhow::Result<()> {
    if others.iter().any(|other| same(output, other)) {
        bail!("{flag} {}: the command reads or writes this file already; name another one", output.display());
    }
    Ok(())
}

fn filled(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// Refuses a new file that is read or written already, that is there or that cannot be written.
pub(crate) fn check_new(flag: &str, file: &Path, others: &[&Path], force: bool) -> anyhow::Result<()> {
    check_distinct(flag, file, others)?;
    check_absent(file, force)?;
    Ok(check_writable(file)?)
}

/// Refuses to replace a file, unless it is empty or `force` is given.
pub(crate) fn check_absent(file: &Path, force: bool) -> anyhow::Result<()> {
    ensure!(force || !filled(file), "{} is there: it is replaced with --force only", file.display());
    Ok(())
}

/// Refuses to replace a file that is not `what`, as `ours` knows it, unless it is empty or `force` is given.
fn check_ours(file: &Path, force: bool, what: &str, ours: impl Fn(&Path) -> bool) -> anyhow::Result<()> {
    if !force && filled(file) && !ours(file) {
        bail!("{} is there and is not {what}: it is replaced with --force only", file.display());
    }
    Ok(())
}

/// Refuses a trace that would replace anything but a trace.
pub(crate) fn check_trace_output(file: &Path, inputs: &[&Path], output: &Path) -> anyhow::Result<()> {
    ensure!(file != Path::new("-"), "a trace is not written to standard output: name a file with --trace");
    check_distinct("--trace", file, &[inputs, &[output, &checkpoint_path(output)]].concat())?;
    let is_trace = |path: &Path| {
        let mut line = String::new();
        let file = fs::File::open(path).map(|file| BufReader::new(file.take(LONGEST_LINE)));
        let read = file.and_then(|mut file| file.read_line(&mut line));
        read.is_ok()
            && serde_json::from_str(&line).is_ok_and(|line: serde_json::Value| !line["sweep"].is_null())
    };
    if filled(file) && !is_trace(file) {
        bail!("--trace {}: it is there and is not a trace; name another file", file.display());
    }
    Ok(())
}

/// A line of a trace is shorter, and so is what stands before the title of a report.
const LONGEST_LINE: u64 = 1 << 16;

/// Refuses to begin where the checkpoint would replace a file that is read, or one that is no checkpoint.
pub(crate) fn check_checkpoint(output: &Path, inputs: &[&Path]) -> anyhow::Result<()> {
    let path = checkpoint_path(output);
    check_distinct("the checkpoint", &path, inputs)?;
    if path.is_dir() || filled(&path) && !is_model(&path) {
        bail!(
            "{} is there and is not a checkpoint of dlfrm: rename it, or name another model with -o",
            path.display()
        );
    }
    Ok(())
}

pub(crate) fn check_folder(folder: &Path) -> anyhow::Result<()> {
    ensure!(!folder.exists() || folder.is_dir(), "{} is a file, a folder is needed", folder.display());
    Ok(())
}

pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    check_folder(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// Refuses a model that would replace another file, go to standard output or be named as a checkpoint.
pub(crate) fn check_model_output(output: &Path, force: bool) -> anyhow::Result<()> {
    ensure!(output != Path::new("-"), "a model is not written to standard output: name a file with -o");
    if let Some(unfinished) = unfinished(output).filter(|_| !force) {
        bail!("{unfinished}; name another file with -o");
    }
    // A run that goes on with the fit would take the model for its own checkpoint, with --force, too.
    if output.to_string_lossy().ends_with(NAMED_CHECKPOINT) {
        let output = output.display();
        bail!(
            "{output}: a name that ends with {NAMED_CHECKPOINT} is that of a checkpoint: name another file with -o"
        );
    }
    check_ours(output, force, "a model of dlfrm", is_model)
}

pub(crate) fn check_page_output(output: &Path, force: bool) -> anyhow::Result<()> {
    check_ours(output, force, "a report of dlfrm", |path| {
        let mut head = Vec::new();
        let read = fs::File::open(path).and_then(|file| file.take(LONGEST_LINE).read_to_end(&mut head));
        read.is_ok() && is_report(&String::from_utf8_lossy(&head))
    })
}
