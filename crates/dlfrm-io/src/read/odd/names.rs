//! Names that are often none: marks of missing values, names in quotes that stay, and names with a comment behind them.

use dlfrm::network::Entities;

use super::alike::more_such;
use crate::read::collect::{Names, NumberedRows};
use crate::read::names::integer;

/// What programs write where a value is missing. Other writings, such as `na`, are more often names.
const MISSING: [&str; 31] = [
    "NA",
    "N/A",
    "<NA>",
    "NaN",
    "nan",
    "NULL",
    "null",
    "None",
    "NONE",
    "-",
    "?",
    "(null)",
    "n.a.",
    "NaT",
    "--",
    ".",
    "undefined",
    "\\N",
    "n/a",
    "N.A.",
    "nil",
    "NIL",
    "missing",
    "Missing",
    "unknown",
    "Unknown",
    "UNKNOWN",
    "[deleted]",
    "(blank)",
    "—",
    "–",
];

/// What spreadsheets write where a value is missing or wrong.
const OF_SPREADSHEETS: [&str; 7] = ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#NULL!", "#DIV/0!", "#NUM!"];

/// Whether a name may be a mark of a missing value.
pub(super) fn is_missing(name: &str) -> bool {
    MISSING.contains(&name)
}

/// Whether a cell of a table says that its value is not known.
pub(in crate::read) fn missing_value(cell: &str) -> bool {
    // In small letters `none` may be a category.
    matches!(cell, "" | "?" | "-" | "--" | "." | "None" | "NONE" | "NaT" | "\\N")
        || OF_SPREADSHEETS.contains(&cell)
        || ["na", "n/a", "n.a.", "<na>", "nan", "null", "(null)"]
            .iter()
            .any(|word| cell.eq_ignore_ascii_case(word))
}

/// What is said of ends that may be missing values.
pub(in crate::read) fn missing(rows: &NumberedRows, names: &Names) -> Vec<String> {
    let remark = |name: &&str| {
        let count = rows.with_entity(names, names.entities.get(name)?);
        let taken = "an end, which is taken for the name of an entity";
        (count > 0).then(|| may_be_missing(count as u64, name, taken))
    };
    let whole = |name: &String| name == "-1" || integer(name).is_some();
    let minus_one = names.entities.names().iter().all(whole).then_some(&"-1");
    MISSING.iter().chain(&OF_SPREADSHEETS).chain(minus_one).filter_map(remark).collect()
}

/// What is said of rows with a name that may be a missing value; `taken` is what it is taken for.
pub(super) fn may_be_missing(count: u64, name: &str, taken: &str) -> String {
    let (rows, them) = match count {
        1 => ("1 row has".to_owned(), "the row"),
        _ => (format!("{count} rows have"), "these rows"),
    };
    format!("{rows} '{name}' as {taken}: if it is a missing value, take {them} out")
}

/// Quotes that are part of a name: what they are called, how they look, and which are taken off.
const KEPT: [(&str, &[char], &str); 2] =
    [("single", &['\''], "double"), ("curly", &['“', '”', '„', '‘', '’', '‚', '«', '»'], "straight double")];

/// What is said of names that all are in quotes that are part of them.
pub(in crate::read) fn kept_quotes(names: &[String]) -> Option<String> {
    let first = names.first()?;
    let within = |name: &str, quotes: &[char]| {
        name.strip_prefix(quotes)
            .and_then(|rest| rest.strip_suffix(quotes))
            .is_some_and(|rest| !rest.is_empty())
    };
    let all = |(_, quotes, _): &&(_, &[char], _)| names.iter().all(|name| within(name, quotes));
    let (kind, _, others) = KEPT.iter().find(all)?;
    Some(format!(
        "every name is in {kind} quotes, which are part of it, as in {first}: {others} quotes are taken off"
    ))
}

/// What is said of sources that all end with a colon, if no target does: in an adjacency list the neighbours follow.
pub(in crate::read) fn colons(rows: &NumberedRows, names: &Names) -> Option<String> {
    let colon = |number: u32| names.name(number).ends_with(':');
    let mut pairs = rows.pairs();
    let (source, _) = pairs.clone().next()?;
    pairs.all(|(source, target)| colon(source) && !colon(target)).then(|| {
        format!(
            "every row begins with a name and a colon, which is part of the name, as in '{}': if the rows are an adjacency list \
             with one neighbour in each, take the colons out (sed 's/: */\\t/')",
            names.name(source)
        )
    })
}

/// What is said of names that are other names with a comma, a colon, a slash, the mark of a note or a text in parentheses behind
/// them.
pub(in crate::read) fn marks_behind(entities: &Entities) -> Option<String> {
    let without = |name: &String| {
        let note = || name.strip_suffix(']').and_then(|rest| Some(rest.rsplit_once('[')?.0));
        let parentheses = || name.strip_suffix(')').and_then(|rest| Some(rest.rsplit_once('(')?.0));
        let signs = [',', ';', ':', '/', '*', '?', '.'];
        let rest = name.strip_suffix(signs).or_else(note).or_else(parentheses)?;
        entities.get(rest.trim_end())
    };
    let mut names = entities.names().iter().filter_map(|name| Some((name, without(name)?)));
    let (name, own) = names.next()?;
    let more = more_such(names.count(), "name");
    let own = entities.name(own);
    Some(format!(
        "'{own}' and '{name}' are two entities: what is behind the first name is part of the other{more}"
    ))
}

/// What pages and addresses write for some characters.
const ESCAPES: [&str; 6] = ["&amp;", "&quot;", "&#39;", "&lt;", "&gt;", "%20"];

/// What is said of names that a program has written in another way than they are read: with escapes, with the bytes of UTF-8
/// taken for Latin-1, or as a spreadsheet shows numbers, dates and texts.
pub(in crate::read) fn rewritten(entities: &Entities) -> Vec<String> {
    let find = |test: &dyn Fn(&str) -> bool| entities.names().iter().find(|name| test(name));
    let mut all = vec![];
    let escaped = |name: &str| ESCAPES.iter().any(|escape| name.contains(escape));
    all.extend(find(&escaped).map(|name| {
        format!("'{name}' has an escaped character, which is part of the name, as in pages and addresses")
    }));
    all.extend(find(&latin_1).map(|name| {
        format!("'{name}' looks like UTF-8 that was taken for Latin-1 when the file was written")
    }));
    all.extend(find(&shortened).map(|name| {
        format!("'{name}' looks like a long number as a spreadsheet shortens it, so that different ones may be the same here")
    }));
    let dates = entities.names().iter().filter(|name| is_date(name)).count();
    if 10 * dates <= entities.len() {
        all.extend(find(&is_date).map(|name| {
            format!("'{name}' looks like a date: spreadsheets turn names such as MARCH1 into dates")
        }));
    }
    let guarded = |name: &str| name.starts_with("=\"") && name.ends_with('"');
    all.extend(find(&guarded).map(|name| {
        format!("'{name}' is in =\"\", which spreadsheets put around texts: it is part of the name")
    }));
    all
}

/// Whether a text has the first byte of a letter in UTF-8, and a further one behind it, as characters of Latin-1.
fn latin_1(name: &str) -> bool {
    let mut before = ' ';
    name.chars().any(|c| {
        let found = matches!(before, 'Ã' | 'Â') && matches!(c, '\u{80}'..='\u{bf}');
        before = c;
        found
    })
}

/// Whether a text is a number such as 1.23457E+17.
fn shortened(name: &str) -> bool {
    name.split_once("E+").is_some_and(|(digits, exponent)| {
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.split_once('.').is_some_and(|(one, more)| one.len() == 1 && number(one) && number(more))
            && number(exponent)
    })
}

/// Whether a text is a date such as 1-Mar.
fn is_date(name: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    name.split_once('-').is_some_and(|(day, month)| {
        day.len() < 3 && day.bytes().all(|byte| byte.is_ascii_digit()) && MONTHS.contains(&month)
    })
}

/// What is said of names that are other names with a comment behind them.
pub(in crate::read) fn comments_behind(entities: &Entities) -> Option<String> {
    let without = |name: &String| {
        let (before, behind) = name.split_once(['#', '%']).or_else(|| name.split_once(" //"))?;
        entities.get(before.trim_end()).filter(|_| !behind.trim().is_empty())
    };
    let mut names = entities.names().iter().filter_map(|name| Some((name, without(name)?)));
    let (name, own) = names.next()?;
    let more = more_such(names.count(), "name");
    let own = entities.name(own);
    Some(format!(
        "'{own}' and '{name}' are two entities: a line that begins with # or % is a comment, and nothing else is{more}"
    ))
}
