//! Standard error: what cannot be written there is no reason to end.

use std::io::Write;

use dlfrm_io::visible;

/// Prints a line for people.
pub(crate) fn print(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}
