//! Signs that stand between names where no delimiter is.

use std::collections::HashSet;

use super::super::fields::Delimiter;

/// Signs that are rarely in a name, ...
const SIGNS: [&str; 14] = [
    "，", "、", "；", "｜", "\u{1}", "\u{1e}", "\u{1f}", "\u{a0}", "\u{2002}", "\u{2003}", "\u{3000}", "\\t",
    "~", "^",
];
/// ... and others, which may be delimiters where nothing else is.
const IN_NAMES: [&str; 5] = ["->", ":", "/", "=", "-"];

/// So many rows of ten have the sign.
const OF_TEN: usize = 9;
/// In fewer rows a sign may be there by chance.
const FEW: usize = 3;

/// A sign that nearly every row has once, and an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sign<'a> {
    text: &'static str,
    every: bool,
    line: &'a str,
}

/// The sign between two texts in nearly every row, if spaces or other delimiters are in names.
pub(crate) fn between(sample: &[(u64, String)]) -> Option<Sign<'_>> {
    let bar = find(sample, "|").filter(|bar| bar.every);
    bar.or_else(|| SIGNS.iter().find_map(|sign| find(sample, sign)).filter(|_| sample.len() >= FEW))
}

/// The same, if some text is on either side, or the sign is rarely in a name.
pub(crate) fn surely_between(sample: &[(u64, String)]) -> Option<Sign<'_>> {
    let found = between(sample)?;
    let sides = || sample.iter().filter_map(|(_, line)| cut(line, found.text));
    let sources: HashSet<&str> = sides().map(|[source, _]| source).collect();
    let alone = sample.iter().all(|(_, line)| line.split_whitespace().any(|word| word == found.text));
    let sure = !found.text.is_ascii() || found.is_control();
    (!alone && (sure || sides().any(|[_, target]| sources.contains(target)))).then_some(found)
}

/// The sign between two texts in nearly every row, if no delimiter is there.
pub(crate) fn undivided(sample: &[(u64, String)], line: &str) -> Option<String> {
    let in_names = || IN_NAMES.iter().find_map(|sign| find(sample, sign));
    let found = between(sample).or_else(in_names).filter(|found| cut(line, found.text).is_some())?;
    Some(format!("{}: if names stand on either side of it, {}", found.said(), found.instead()))
}

/// What stands on either side of the one such sign in a line.
fn cut<'a>(line: &'a str, sign: &str) -> Option<[&'a str; 2]> {
    let sides = line.split_once(sign).filter(|(_, after)| !after.contains(sign))?;
    let [before, after] = [sides.0.trim(), sides.1.trim()];
    (!before.is_empty() && !after.is_empty() && !line.contains('"')).then_some([before, after])
}

fn find<'a>(sample: &'a [(u64, String)], sign: &'static str) -> Option<Sign<'a>> {
    let mut with = sample.iter().filter(|(_, line)| cut(line, sign).is_some());
    let line = with.next()?.1.as_str();
    let count = 1 + with.count();
    (10 * count >= OF_TEN * sample.len()).then_some(Sign { text: sign, every: count == sample.len(), line })
}

impl Sign<'_> {
    pub(crate) fn is_control(&self) -> bool {
        self.text.starts_with(char::is_control)
    }

    /// What is said of rows that are cut elsewhere.
    pub(crate) fn remark(&self, delimiter: Delimiter) -> String {
        let (said, cut, instead) = (self.said(), delimiter.cut(), self.instead());
        format!("{said}, and is {cut}: if names stand on either side of it, {instead}")
    }

    fn said(&self) -> String {
        let rows = if self.every { "every" } else { "nearly every" };
        let code = self.text.chars().next().filter(|_| self.is_control() || !self.text.is_ascii());
        let shown = code.map_or(self.text.to_owned(), |c| format!("U+{:04X}", u32::from(c)));
        format!("{rows} row has a {shown}, as in '{}'", self.line)
    }

    /// What to do if it is a delimiter.
    fn instead(&self) -> String {
        match self.text.parse::<Delimiter>() {
            Ok(Delimiter::Bar) => "say --delimiter bar".to_owned(),
            _ => "put tabs in its place".to_owned(),
        }
    }
}
