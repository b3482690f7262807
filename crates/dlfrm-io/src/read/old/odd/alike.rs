//! Names that look alike: they differ in nothing but case, spaces and signs between words, quotes, invisible marks, the forms of
//! letters or the form of a number, and are often one thing that was written in two ways.

use std::collections::HashMap;

use dlfrm::network::Nodes;
use unicode_normalization::UnicodeNormalization;

use crate::printed::{coded, invisible};
use crate::read::old::names::integer;

/// More names are not compared: it would take longer than to read them.
const MOST: usize = 2_000_000;

/// A remark about pairs of names that are alike, if there are any; `what` is what they name.
pub(crate) fn alike(names: &[String], what: &str) -> Option<String> {
    // Numbers of one form are all different.
    if names.len() > MOST || names.iter().all(|name| integer(name).is_some()) {
        return None;
    }
    let mut seen = Seen::default();
    remark(names.iter().filter_map(|name| Some((seen.like(name)?, name.as_str()))), what)
}

/// A remark about names that are not among the known ones, but like one of them or of each other, if there are any.
pub fn alike_names(known: &Nodes, given: &Nodes) -> Option<String> {
    let numbers = |nodes: &Nodes| nodes.names().iter().all(|name| integer(name).is_some());
    if known.len() + given.len() > MOST || numbers(known) && numbers(given) {
        return None;
    }
    let mut seen = Seen::default();
    for name in known.names() {
        seen.like(name);
    }
    let new = given.names().iter().filter(|name| known.get(name).is_none());
    remark(new.filter_map(|name| Some((seen.like(name)?, name.as_str()))), "nodes")
}

/// Names that were seen, by what their forms have in common.
#[derive(Default)]
struct Seen<'a>(HashMap<String, &'a str>);

impl<'a> Seen<'a> {
    /// The last name before this one that is like it.
    fn like(&mut self, name: &'a str) -> Option<&'a str> {
        let seen = without_marks(name);
        let like = self.0.insert(plain(&seen), name);
        // A name in another script is in both, because names of that script may differ in case.
        let in_latin = latin(&seen).map(|latin| plain(&latin)).filter(|latin| latin.chars().nth(1).is_some());
        let look = in_latin.and_then(|latin| self.0.insert(latin, name));
        like.or(look)
    }
}

/// The known name that a name is like.
pub fn alike_name<'a>(known: &'a Nodes, name: &str) -> Option<&'a str> {
    let given = plain(name);
    // Nothing is like an empty name.
    let mut names = known.names().iter().filter(|known| !given.is_empty() && plain(known) == given);
    names.next().map(String::as_str)
}

/// What is said of pairs of names.
fn remark<'a>(mut pairs: impl Iterator<Item = (&'a str, &'a str)>, what: &str) -> Option<String> {
    let (one, other) = pairs.next()?;
    let [one, other] = [one, other].map(|name| coded(name, invisible));
    let example = format!("'{one}' and '{other}' are two {what}");
    let more = more_such(pairs.count(), "pair");
    Some(format!(
        "{example}: their names differ in case, spaces and signs between words, quotes, invisible marks, look-alike \
         letters of two scripts or the form of letters or numbers alone{more}"
    ))
}

/// How many more things of a kind there are, after an example.
pub(crate) fn more_such(more: usize, what: &str) -> String {
    match more {
        0 => String::new(),
        1 => format!("; there is 1 more such {what}"),
        more => format!("; there are {more} more such {what}s"),
    }
}

/// Accents as characters of their own.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// A name without marks that may be missing: an accent may be a character of its own or missing, and letters may be wide or
/// joined.
fn without_marks(name: &str) -> String {
    let visible = name.chars().filter(|&c| !invisible(c)).map(typewritten);
    if name.is_ascii() {
        return visible.collect();
    }
    visible.nfkd().filter(|c| !ACCENTS.contains(c)).collect::<String>().replace('ß', "ss")
}

/// What two forms of a name without marks have in common.
fn plain(name: &str) -> String {
    let seen = joined(name);
    let seen = unquoted(seen.trim());
    number(seen).unwrap_or_else(|| without_spaces(seen).to_lowercase())
}

/// Letters of Cyrillic and Greek, and those of Latin that look alike.
const LOOK_ALIKE: [(&str, &str); 4] = [
    ("АВЕКМНОРСТУХЅІЈ", "ABEKMHOPCTYXSIJ"),
    ("адеорсухѕіј", "adeopcyxsij"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αικνορυχ", "aikvopux"),
];

/// The text with letters of Latin in place of those that look alike, if it has such letters.
fn latin(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let like = |c: char| {
        let mut all = LOOK_ALIKE.iter().flat_map(|(others, latin)| others.chars().zip(latin.chars()));
        all.find(|(other, _)| *other == c).map(|(_, latin)| latin)
    };
    text.chars().any(|c| like(c).is_some()).then(|| text.chars().map(|c| like(c).unwrap_or(c)).collect())
}

/// The text with spaces in place of the signs that join words: an underscore, a hyphen between letters, or a full stop behind a
/// letter that is not the end.
fn joined(text: &str) -> String {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    let mut all = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let next = |test: fn(char) -> bool| next.is_some_and(test);
        let joins = match c {
            '_' => true,
            '-' => before.is_alphabetic() && next(char::is_alphabetic),
            '.' => before.is_alphabetic() && (next(char::is_alphabetic) || next(char::is_whitespace)),
            _ => false,
        };
        all.push(if joins { ' ' } else { c });
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
