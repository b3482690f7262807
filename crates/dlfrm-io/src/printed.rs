//! What is printed: objects of JSON with the version of their fields, and texts without characters that a reader does not see; on a terminal or a page those that would move the cursor or turn the direction of
//! writing are shown as codes.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Serialize;

/// Whether a character is shown as its code: a control character other than the end of a line and a tab, or one that
/// changes the direction of what follows.
fn hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The text with the codes of characters that would change what is around them. In a string of JSON a code is the same character.
///
/// ```
/// assert_eq!(dlfrm_io::visible("A\u{1b}[2J\u{202e}b"), "A\\u001b[2J\\u202eb");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hidden(c) {
            write!(shown, "\\u{:04x}", u32::from(c)).expect("a string takes everything");
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

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
