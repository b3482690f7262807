//! Reading files of names, one per line.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::comments::skipped;
use super::error::ReadError;
use super::fields::{Delimiter, Fields};
use super::input::Input;
use super::lines::Lines;
use super::options::ReadOptions;

/// Reads names, one per line, from a file (standard input for `-`). Blank lines and comments are skipped;
/// a name that begins with `#` or `%` must be in double quotes. A repeated name is an error.
pub fn read_names(path: &Path) -> Result<Vec<String>, ReadError> {
    names(Input::open(path)?)
}

/// Reads names from a stream (see [`read_names`]); `name` is its name in messages.
pub fn parse_names(reader: impl Read, name: &str) -> Result<Vec<String>, ReadError> {
    names(Input::new(reader, name)?)
}

fn names(input: Input<'_>) -> Result<Vec<String>, ReadError> {
    names_up_to(ReadOptions::default().max_entities, input)
}

fn names_up_to(most: u32, input: Input<'_>) -> Result<Vec<String>, ReadError> {
    let mut lines = Lines::new(input);
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut all = Vec::new();
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        let Some(name) = whole_line(line) else {
            return Err(ReadError::OpenQuote { location: lines.location() });
        };
        if name.is_empty() {
            return Err(ReadError::EmptyField { location: lines.location(), what: "name" });
        }
        if all.len() as u64 == u64::from(most) {
            return Err(ReadError::too_many(lines.file(), most, "names"));
        }
        if let Some(first) = seen.insert(name.clone(), lines.number()) {
            return Err(ReadError::RepeatedName { location: lines.location(), name, first });
        }
        all.push(name);
    }
    if all.is_empty() {
        return Err(ReadError::Empty { file: lines.file().to_owned(), what: "has no names" });
    }
    Ok(all)
}

/// The name on a line that holds one name, quoted or not; nothing if a quote stays open.
fn whole_line(line: &str) -> Option<String> {
    let line = line.trim_ascii();
    let mut fields = Fields::default();
    if !line.starts_with('"') {
        return Some(line.to_owned());
    }
    fields.cut(line, Delimiter::Tab).ok()?;
    Some(if fields.len() == 1 { fields.get(line, 0).into_owned() } else { line.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_per_line() {
        let read = |text: &str| parse_names(text.as_bytes(), "names");
        assert_eq!(
            read("# all\nDoe, J\n\n \"#tag\" \r\nBob \"B\" Roe").unwrap(),
            ["Doe, J", "#tag", "Bob \"B\" Roe"]
        );
        let error = read("a\nb\na\n").unwrap_err().to_string();
        assert_eq!(error, "names, line 3: the name 'a' is in line 1 already");
        assert_eq!(read("").unwrap_err().to_string(), "names has no names");
        let names = |most| names_up_to(most, Input::new(&b"a\nb\nc\n"[..], "names").unwrap());
        assert_eq!(names(2).unwrap_err().to_string(), "names has more than 2 names");
        assert_eq!(names(3).unwrap().len(), 3);
        assert!(read("\"a").unwrap_err().to_string().contains("not closed"));
    }
}
