//! Names that differ in nothing but case, spaces, quotes, the forms of letters or the form of a number: often one thing that was written in two ways.

use std::collections::HashMap;

use dlfrm::network::Entities;
use unicode_normalization::UnicodeNormalization;

use crate::read::names::integer;

/// More names are not compared: it would take longer than to read them.
const MOST: usize = 2_000_000;

/// A remark about pairs of names that are alike, if there are any; `what` is what they name.
pub(in crate::read) fn alike(names: &[String], what: &str) -> Option<String> {
    // Numbers of one form are all different.
    if names.len() > MOST || names.iter().all(|name| integer(name).is_some()) {
        return None;
    }
    let mut seen: HashMap<String, &str> = HashMap::with_capacity(names.len());
    remark(names.iter().filter_map(|name| Some((seen.insert(plain(name), name)?, name.as_str()))), what)
}

/// A remark about names that are not among the known ones, but like one of them or of each other, if there are any.
pub fn alike_names(known: &Entities, given: &Entities) -> Option<String> {
    let numbers = |entities: &Entities| entities.names().iter().all(|name| integer(name).is_some());
    if known.len() + given.len() > MOST || numbers(known) && numbers(given) {
        return None;
    }
    let mut seen: HashMap<String, &str> =
        known.names().iter().map(|name| (plain(name), name.as_str())).collect();
    let new = given.names().iter().filter(|name| known.get(name).is_none());
    remark(new.filter_map(|name| Some((seen.insert(plain(name), name)?, name.as_str()))), "entities")
}

/// The known name that a name is like.
pub fn alike_name<'a>(known: &'a Entities, name: &str) -> Option<&'a str> {
    let given = plain(name);
    // Nothing is like an empty name.
    let mut names = known.names().iter().filter(|known| !given.is_empty() && plain(known) == given);
    names.next().map(String::as_str)
}

/// What is said of pairs of names.
fn remark<'a>(mut pairs: impl Iterator<Item = (&'a str, &'a str)>, what: &str) -> Option<String> {
    let (one, other) = pairs.next()?;
    let example = format!("'{one}' and '{other}' are two {what}");
    let more = more_such(pairs.count(), "pair");
    Some(format!(
        "{example}: their names differ in case, spaces, quotes, invisible marks or the form of letters or numbers alone{more}"
    ))
}

/// How many more things of a kind there are, after an example.
pub(super) fn more_such(more: usize, what: &str) -> String {
    match more {
        0 => String::new(),
        1 => format!("; there is 1 more such {what}"),
        more => format!("; there are {more} more such {what}s"),
    }
}

/// Marks without width: soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const INVISIBLE: [char; 6] = ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];

/// Accents as characters of their own.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// What two forms of a name have in common.
fn plain(name: &str) -> String {
    let visible = name.chars().filter(|c| !INVISIBLE.contains(c)).map(typewritten);
    // An accent may be a character of its own or missing, and letters may be wide or joined.
    let seen: String = if name.is_ascii() {
        visible.collect()
    } else {
        visible.nfkd().filter(|c| !ACCENTS.contains(c)).collect::<String>().replace('ß', "ss")
    };
    let seen = joined(&seen);
    let seen = unquoted(seen.trim());
    number(seen).unwrap_or_else(|| without_spaces(seen).to_lowercase())
}

/// The text with spaces in place of the signs that join words: an underscore, or a full stop or a hyphen between letters.
fn joined(text: &str) -> String {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    let mut all = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let mut within = || before.is_alphabetic() && chars.peek().is_some_and(|next| next.is_alphabetic());
        all.push(if c == '_' || matches!(c, '.' | '-') && within() { ' ' } else { c });
        before = c;
    }
    all
}

/// The sign that a typewriter has for an apostrophe or a hyphen.
fn typewritten(c: char) -> char {
    match c {
        '’' | '‘' | '´' | '`' | '\u{2bc}' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

/// Quotes around names: straight, curly, low and angled ones.
const QUOTES: [char; 13] = ['"', '\'', '`', '´', '“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// The text without the quotes around it.
fn unquoted(text: &str) -> &str {
    let within = text.strip_prefix(QUOTES).and_then(|rest| rest.strip_suffix(QUOTES)).map(str::trim);
    within.filter(|within| !within.is_empty()).unwrap_or(text)
}

/// So many characters of a number are all kept by its nearest floating point number.
const EXACT: usize = 15;

/// A number in its usual form: without leading zeros, groups of digits, an exponent or base 16.
fn number(text: &str) -> Option<String> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return None;
    }
    let digits = ungrouped(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = digits.trim_start_matches('0');
        return Some(if value.is_empty() { "0" } else { value }.to_owned());
    }
    let lower = text.to_ascii_lowercase();
    if let Some(value) = lower.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        return Some(value.to_string());
    }
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && text.len() <= EXACT)?;
    Some(value.to_string())
}

/// The digits of 1 000 or 1,000; any other text as it is.
fn ungrouped(text: &str) -> String {
    let groups: Vec<&str> = text.split(|c: char| c == ',' || c.is_whitespace()).collect();
    let first = (1..=3).contains(&groups[0].len());
    if first && groups[1..].iter().all(|group| group.len() == 3) { groups.concat() } else { text.to_owned() }
}

/// The text without its spaces; one between two digits stays, because 1 11 and 11 1 are different.
fn without_spaces(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut all = String::with_capacity(text.len());
    for word in words {
        if all.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit()) {
            all.push(' ');
        }
        all.push_str(word);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_two_forms_are_remarked_on() {
        let remark = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            alike(&names, "entities")
        };
        assert_eq!(
            remark(&["Ada", "Bob", "ada"]).unwrap(),
            "'Ada' and 'ada' are two entities: their names differ in case, spaces, quotes, invisible marks or the form of \
             letters or numbers alone"
        );
        let more = remark(&["01", "1", "x", "2.0", "2", "Jo  Roe", "Jo\u{a0}Roe"]).unwrap();
        assert!(
            more.starts_with("'01' and '1' are two entities: ")
                && more.ends_with("; there are 2 more such pairs"),
            "{more}"
        );
        assert!(remark(&["Ada", "\u{feff}Ada"]).is_some());
        for (one, other) in [
            ("1 000", "1000"),
            ("1,000,000", "1000000"),
            ("0x10", "16"),
            ("1e3", "1000"),
            ("00", "0"),
            ("Ada Lovelace", "AdaLovelace"),
            ("A 1", "a1"),
            ("Jose\u{301}", "Jos\u{e9}"),
            ("\u{ff21}\u{ff24}\u{ff21}", "ada"),
            ("\u{fb01}nn", "Finn"),
            ("“Ada”", "Ada"),
            ("„Ada“", "«ada»"),
            ("'7'", "07"),
            ("O'Hara", "O’Hara"),
            ("Ann-Lee", "Ann–Lee"),
            ("Strauß", "STRAUSS"),
            ("New_York", "New York"),
            ("New.York", "New-York"),
            ("José", "Jose"),
        ] {
            assert!(remark(&[one, other]).is_some(), "{one}, {other}");
        }
        for names in [
            &["Ada", "Bob"][..],
            &["1", "2", "10"],
            &["1a", "1b"],
            &["a-1", "a1"],
            &["A.", "A"],
            &["1 11", "11 1"],
            &["1,5", "15"],
            &["A'", "A", "''", "“”"],
            &["12345678901234567890", "12345678901234567891"],
            &["0.12345678901234567", "0.12345678901234568"],
        ] {
            assert_eq!(remark(names), None, "{names:?}");
        }
    }

    #[test]
    fn new_names_are_compared_with_known_ones() {
        let remark =
            |known: &[&str], given: &[&str]| alike_names(&known.iter().collect(), &given.iter().collect());
        let found = remark(&["Ada", "Bob"], &["Ada", "bob", "Cleo", " ada "]).unwrap();
        assert!(found.starts_with("'Bob' and 'bob' are two entities: "), "{found}");
        assert!(found.ends_with("alone; there is 1 more such pair"), "{found}");
        assert_eq!(remark(&["Ada", "ada"], &["Ada", "ada", "Cleo"]), None);
        let new = remark(&["Ada"], &["Cleo", "cleo"]).unwrap();
        assert!(new.starts_with("'Cleo' and 'cleo' are two entities: "), "{new}");
        assert_eq!(remark(&["1", "2"], &["1", "11"]), None);
        assert!(remark(&["1", "2"], &["01", "x"]).is_some());
    }
}
