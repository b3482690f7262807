//! What is printed for people: characters that move the cursor or turn the direction of writing are shown as codes.

use std::io::{self, Write};

use dlfrm_io::visible;

/// Standard output: passes text on with such characters shown as codes, or as it is.
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

/// The same error with the name of what could not be written.
#[expect(clippy::needless_pass_by_value, reason = "it is passed on by map_err")]
pub(crate) fn named(cause: io::Error) -> io::Error {
    io::Error::new(cause.kind(), format!("standard output cannot be written: {cause}"))
}

/// Prints a line to standard error. What cannot be written there is no reason to end.
pub(crate) fn print(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}
