//! Reading files of names, one per line.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::fields::{Delimiter, Fields};
use super::old::comments::{skipped, skipped_though};
use super::old::error::ReadError;
use super::old::input::Input;
use super::old::lines::Lines;
use super::old::options::ReadOptions;
use super::old::titles::is_title;

/// Reads names, one per line, from a file (standard input for `-`), with a warning of lines that were skipped and look like
/// names, if there are any. Blank lines and comments are skipped; a name that begins with `#` or `%` must be in double quotes. A
/// repeated name is an error.
pub fn read_names(path: &Path) -> Result<(Vec<String>, Option<String>), ReadError> {
    let (names, like_names) = names(Input::open(path)?)?;
    let warning = skipped_though(like_names, "", ["it looks like a name", "they look like names"]);
    Ok((names, warning))
}

/// Reads names from a stream (see [`read_names`]); `name` is its name in messages.
pub fn parse_names(reader: impl Read, name: &str) -> Result<Vec<String>, ReadError> {
    Ok(names(Input::new(reader, name)?)?.0)
}

/// The names, and how many comments look like names.
fn names(input: Input<'_>) -> Result<(Vec<String>, u64), ReadError> {
    names_up_to(ReadOptions::default().max_nodes, input)
}

fn names_up_to(most: u32, input: Input<'_>) -> Result<(Vec<String>, u64), ReadError> {
    let mut lines = Lines::new(input);
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut all = Vec::new();
    let mut like_names = 0;
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            like_names += u64::from(like_name(line));
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
    Ok((all, like_names))
}

/// Whether a comment is one word behind one mark, and no title.
fn like_name(line: &str) -> bool {
    let line = line.trim();
    let word = line.strip_prefix(['#', '%']).unwrap_or_default();
    !word.is_empty()
        && !word.starts_with(['#', '%'])
        && !word.contains(char::is_whitespace)
        && !is_title(word)
        && word.contains(char::is_alphanumeric)
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
        assert_eq!(names(3).unwrap().0.len(), 3);
        let like_names = |text: &str| super::names(Input::new(text.as_bytes(), "names").unwrap()).unwrap().1;
        assert_eq!(like_names("#ai\n%x\n\"#b\"\nAda\n"), 2);
        assert_eq!(like_names("#name\n# ai\n##\n#ai or bots\n#---\nAda\n"), 0);
        assert!(read("\"a").unwrap_err().to_string().contains("not closed"));
    }
}
