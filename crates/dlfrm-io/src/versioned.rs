//! Objects of JSON with the version of their fields.

use serde::Serialize;

/// The version of the fields. It changes when a field goes away or gets another meaning, not when one is added.
const SCHEMA: u32 = 1;

/// An object with the version of its fields before them.
#[derive(Debug, Serialize)]
pub struct Versioned<'a, T> {
    schema: u32,
    #[serde(flatten)]
    value: &'a T,
}

impl<'a, T: Serialize> Versioned<'a, T> {
    /// Takes anything that is written as an object.
    pub fn new(value: &'a T) -> Self {
        Self { schema: SCHEMA, value }
    }
}
