//! What commands print as JSON, with the version of its fields.

use std::io::Write;

use dlfrm_io::Versioned;
use serde::Serialize;

/// The bytes of an object with its version, and a line end.
pub(crate) fn to_vec(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(&Versioned::new(value))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Prints an object with its version, or as text for people.
pub fn show<W: Write + ?Sized>(
    value: &impl Serialize,
    json: bool,
    out: &mut W,
    text: impl FnOnce(&mut W) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if json { Ok(out.write_all(&to_vec(value)?)?) } else { text(out) }
}

/// The same for a list of objects, each with its version: a list has no other place for it.
pub(crate) fn show_list<T: Serialize, W: Write + ?Sized>(
    values: &[T],
    json: bool,
    out: &mut W,
    text: impl FnOnce(&mut W) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if !json {
        return text(out);
    }
    let versioned: Vec<_> = values.iter().map(Versioned::new).collect();
    serde_json::to_writer_pretty(&mut *out, &versioned)?;
    Ok(writeln!(out)?)
}
