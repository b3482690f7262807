//! What is printed for people, and the exit code: 2 for what the user can put right, 130 for a run that was interrupted.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use dlfrm_io::visible;
use thiserror::Error;

use crate::words::flags_for;

/// A run was stopped by the user; the text says what is kept and how to go on.
#[derive(Debug, Clone, Error)]
#[error("{0}")]
pub struct Stopped(pub String);

impl Stopped {
    /// A run was stopped before its figures were complete; what is finished is kept in a folder, if anything is.
    pub fn unfinished(kept: Option<PathBuf>) -> Self {
        let kept = kept.map_or_else(String::new, |folder| {
            let folder = folder.display();
            format!("; what is finished is kept in {folder}: the same command goes on from there")
        });
        Self(format!("interrupted before the figures were complete{kept}"))
    }
}

/// Reports in one line what went wrong, and chooses the exit code. A closed pipe (`dlfrm ... | head`) is no failure.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let mut io = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if io.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let mut line = format!("dlfrm: {error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(flags) = error.chain().find_map(|cause| flags_for(cause.downcast_ref()?)) {
        line = format!("{line} ({flags})");
    }
    print(&line);
    let of_library = || error.chain().any(|cause| cause.downcast_ref() == Some(&dlfrm::Error::Interrupted));
    ExitCode::from(if error.is::<Stopped>() || of_library() { 130 } else { 2 })
}

/// Prints a line to standard error. What cannot be written there is no reason to end.
pub(crate) fn print(text: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(text));
}

/// Standard output: characters that move the cursor or turn the direction of writing are shown as codes.
pub(crate) struct PlainOutput<W> {
    pub(crate) inner: W,
    /// Passes everything on as it is: another program reads it.
    pub(crate) raw: bool,
}

impl<W: Write> Write for PlainOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(text) if !self.raw => self.inner.write_all(visible(text).as_bytes()),
            _ => self.inner.write_all(bytes),
        }
        .map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(named)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed on by map_err")]
fn named(cause: io::Error) -> io::Error {
    io::Error::new(cause.kind(), format!("standard output cannot be written: {cause}"))
}
