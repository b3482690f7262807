//! Names that are other names with signs around them, or with a note or a comment behind them.

use std::iter::successors;

use dlfrm::network::Nodes;

use super::alike::more_such;

/// Signs behind a name that are rarely part of it. A plus, a hash and a prime are: C++, C#, A'.
const BEHIND: [char; 8] = [',', ';', ':', '/', '*', '?', '.', '@'];

/// Signs in front of a name. Those of numbers and of opposites are none: -1, +1, ~a, !a.
const IN_FRONT: [char; 16] =
    [',', ';', ':', '/', '*', '?', '.', '@', '#', '%', '&', '$', '>', '\\', '•', '·'];

const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];

/// A name without its outermost sign, brackets or note.
fn peeled(name: &str) -> Option<&str> {
    let brackets =
        || BRACKETS.into_iter().find_map(|(open, close)| name.strip_prefix(open)?.strip_suffix(close));
    let note = || {
        let (open, close) = BRACKETS.into_iter().take(2).find(|(_, close)| name.ends_with(*close))?;
        Some(name.strip_suffix(close)?.rsplit_once(open)?.0)
    };
    // A point or a sign of money in front of a digit belongs to the number.
    let in_front = || {
        let of_number = name.starts_with(['.', '$', '>', '/', '%', '&']);
        let rest = name.strip_prefix(IN_FRONT)?;
        let first = rest.trim_start().chars().next()?;
        (!(of_number && first.is_ascii_digit())).then_some(rest)
    };
    let rest = name.strip_suffix(BEHIND).or_else(brackets).or_else(note).or_else(in_front)?.trim();
    (!rest.is_empty()).then_some(rest)
}

/// What is said of names that are other names with signs around them, such as a comma, an at sign or brackets, or with a note
/// behind them.
pub(crate) fn marks_around(nodes: &Nodes) -> Option<String> {
    let without = |name: &str| successors(peeled(name), |rest| peeled(rest)).find_map(|rest| nodes.get(rest));
    let mut names = nodes.names().iter().filter_map(|name| Some((name, without(name)?)));
    let (name, own) = names.next()?;
    let more = more_such(names.count(), "name");
    let own = nodes.name(own);
    let place = match (name.starts_with(own), name.ends_with(own)) {
        (true, _) => "behind",
        (false, true) => "in front of",
        (false, false) => "around",
    };
    Some(format!(
        "'{own}' and '{name}' are two nodes: what is {place} the first name is part of the other{more}"
    ))
}

/// What is said of names that are other names with a comment behind them.
pub(crate) fn comments_behind(nodes: &Nodes) -> Option<String> {
    let without = |name: &String| {
        let (before, behind) = name.split_once(['#', '%']).or_else(|| name.split_once(" //"))?;
        nodes.get(before.trim_end()).filter(|_| !behind.trim().is_empty())
    };
    let mut names = nodes.names().iter().filter_map(|name| Some((name, without(name)?)));
    let (name, own) = names.next()?;
    let more = more_such(names.count(), "name");
    let own = nodes.name(own);
    Some(format!(
        "'{own}' and '{name}' are two nodes: a line that begins with # or % is a comment, and nothing else is{more}"
    ))
}
