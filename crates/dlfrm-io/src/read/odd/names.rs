//! Names that are often none: marks of missing values, names in quotes that stay, and names with a comment behind them.

use dlfrm::network::Entities;

use super::alike::more_such;
use crate::read::collect::{Names, NumberedRows};

/// What programs write where a value is missing. Other writings, such as `na`, are more often names.
const MISSING: [&str; 18] = [
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
];

/// What spreadsheets write where a value is missing or wrong.
pub(in crate::read) const OF_SPREADSHEETS: [&str; 7] =
    ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#NULL!", "#DIV/0!", "#NUM!"];

/// Whether a name may be a mark of a missing value.
pub(super) fn is_missing(name: &str) -> bool {
    MISSING.contains(&name)
}

/// What is said of ends that may be missing values.
pub(in crate::read) fn missing(rows: &NumberedRows, names: &Names) -> Vec<String> {
    let remark = |name: &&str| {
        let count = rows.with_entity(names, names.entities.get(name)?);
        let taken = "an end, which is taken for the name of an entity";
        (count > 0).then(|| may_be_missing(count as u64, name, taken))
    };
    MISSING.iter().chain(&OF_SPREADSHEETS).filter_map(remark).collect()
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

/// What is said of names that are other names with a comma or a semicolon behind them.
pub(in crate::read) fn marks_behind(entities: &Entities) -> Option<String> {
    let marked = |name: &&String| {
        name.strip_suffix([',', ';']).is_some_and(|rest| entities.get(rest.trim_end()).is_some())
    };
    let mut names = entities.names().iter().filter(marked);
    let name = names.next()?;
    let more = more_such(names.count(), "name");
    let own = name.trim_end_matches([',', ';']).trim_end();
    Some(format!("'{own}' and '{name}' are two entities: the last character is part of the name{more}"))
}

/// What is said of names that are other names with a comment behind them.
pub(in crate::read) fn comments_behind(entities: &Entities) -> Option<String> {
    let without = |name: &String| {
        let (before, behind) = name.split_once(['#', '%'])?;
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
