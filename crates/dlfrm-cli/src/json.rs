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

/// Prints an object with its version.
pub fn print(value: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    out.write_all(&to_vec(value)?)?;
    Ok(())
}

/// Prints a list of objects, each with its version: a list has no other place for it.
pub(crate) fn print_list<T: Serialize>(values: &[T], out: &mut dyn Write) -> anyhow::Result<()> {
    let versioned: Vec<_> = values.iter().map(Versioned::new).collect();
    serde_json::to_writer_pretty(&mut *out, &versioned)?;
    writeln!(out)?;
    Ok(())
}
