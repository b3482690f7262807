//! Names that are often none: marks of missing values, names in quotes that stay, and names that a program has changed.

use dlfrm::network::Nodes;

use crate::read::old::collect::{Names, NumberedRows};
use crate::read::old::names::{integer, whole};

/// What programs and people write where a value is missing, in any case, between brackets or not.
const MISSING: [&str; 9] = ["na", "n/a", "n.a.", "nan", "null", "?", "-", "--", "."];

/// The same in this case alone: others are names and categories.
const MISSING_AS_WRITTEN: [&str; 4] = ["None", "NONE", "NaT", "\\N"];

/// Words that say it of the end of a link, and that may be categories, ...
const MISSING_ENDS: [&str; 12] =
    ["none", "undefined", "nil", "missing", "unknown", "blank", "—", "–", "_", "nobody", "noone", "no-one"];

/// ... and those that are names without brackets around them.
const IN_BRACKETS: [&str; 2] = ["deleted", "empty"];

/// Names that differ from a mark in case alone: sodium, a woman and a family.
const NAMES: [&str; 3] = ["Na", "Nan", "Noone"];

/// What spreadsheets write where a value is missing or wrong.
const OF_SPREADSHEETS: [&str; 7] = ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#NULL!", "#DIV/0!", "#NUM!"];

/// Answers of surveys that say it of a category.
const MISSING_ANSWERS: [&str; 10] = [
    "refused",
    "don'tknow",
    "don’tknow",
    "dontknow",
    "n/k",
    "notapplicable",
    "notavailable",
    "notknown",
    "k.a.",
    "keineangabe",
];

/// Numbers that stand for missing values.
const CODES: [u64; 4] = [99, 999, 9999, 99999];

/// What is between brackets, and between spaces.
fn within_brackets(text: &str) -> &str {
    let brackets = [('(', ')'), ('<', '>'), ('[', ']')];
    let within = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    brackets.into_iter().find_map(within).unwrap_or(text).trim()
}

/// Whether a text is a word in small letters, but for case and spaces.
fn is_word(text: &str, word: &str) -> bool {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).eq(word.chars())
}

/// Whether a name may be a mark of a missing value.
pub(crate) fn is_missing(name: &str) -> bool {
    let bare = within_brackets(name);
    let among = |words: &[&str]| words.iter().any(|word| is_word(bare, word));
    let word = missing_value(name) || among(&MISSING_ENDS) || bare.len() < name.len() && among(&IN_BRACKETS);
    word && !NAMES.contains(&name)
}

/// Whether a category may be a mark of a missing value, among these.
pub(crate) fn is_missing_category(name: &str, all: &[String]) -> bool {
    let bare = within_brackets(name);
    let answer = MISSING_ANSWERS.iter().any(|word| is_word(bare, word));
    // It is a country beside others.
    let short = || all.iter().any(|other| other != name && other.chars().count() < 3);
    is_missing(name) || answer || is_word(bare, "dk") && !short()
}

/// Whether a cell of a table says that its value is not known.
pub(crate) fn missing_value(cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty()
        || MISSING_AS_WRITTEN.contains(&cell)
        || OF_SPREADSHEETS.iter().any(|mark| cell.eq_ignore_ascii_case(mark))
        || MISSING.iter().any(|word| is_word(within_brackets(cell), word))
}

/// What is said of ends that may be missing values.
pub(crate) fn missing(rows: &NumberedRows, names: &Names) -> Vec<String> {
    let remark = |name: &str| {
        let count = rows.with_node(names, names.nodes.get(name)?);
        let taken = "an end, which is taken for the name of a node";
        (count > 0).then(|| may_be_missing(count as u64, name, taken))
    };
    let all = names.nodes.names();
    let odd = all.iter().filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
    let words = odd.map(String::as_str).filter(|name| is_missing(name));
    words.chain(codes(all)).chain(code_among_words(all)).filter_map(remark).collect()
}

/// A number that stands for a missing value and is the only one among words.
fn code_among_words(names: &[String]) -> Option<&str> {
    let mut numbers = names.iter().filter(|name| !name.contains(char::is_alphabetic) && !is_missing(name));
    let only = numbers.next().filter(|_| numbers.next().is_none() && names.len() > FEW_OTHERS)?;
    let code = integer(only).is_some_and(|value| value == 0 || CODES.contains(&value));
    (code || matches!(only.as_str(), "-1" | "-9" | "-99" | "-999")).then_some(only)
}

/// Numbers among others that may stand for missing values: the only negative ones, and one of nines that is far above all
/// others, which are nearly without gaps.
fn codes(names: &[String]) -> Vec<&str> {
    if !names.iter().all(|name| whole(name)) {
        return vec![];
    }
    let code = |name: &str| integer(name).is_some_and(|value| CODES.contains(&value));
    let (negative, others): (Vec<&str>, Vec<&str>) =
        names.iter().map(String::as_str).partition(|name| name.starts_with('-'));
    let known = |name: &str| matches!(name, "-1" | "-9") || code(&name[1..]);
    let alone = negative.iter().all(|name| known(name));
    let mut found: Vec<&str> = negative.into_iter().filter(|_| alone).collect();
    let (nines, others): (Vec<&str>, Vec<&str>) = others.into_iter().partition(|name| code(name));
    let largest = others.iter().filter_map(|name| integer(name)).max().unwrap_or(0);
    if let [only] = nines[..]
        && integer(only).is_some_and(|value| 2 * largest < value)
        && others.len() as u64 > largest / 2
        && others.len() > FEW_OTHERS
    {
        found.push(only);
    }
    found
}

/// Fewer numbers may have any other beside them.
const FEW_OTHERS: usize = 5;

/// What is said of rows with a name that may be a missing value; `taken` is what it is taken for.
pub(crate) fn may_be_missing(count: u64, name: &str, taken: &str) -> String {
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
pub(crate) fn kept_quotes(names: &[String]) -> Option<String> {
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
pub(crate) fn colons(rows: &NumberedRows, names: &Names) -> Option<String> {
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

/// What is said of names that a program has written in another way than they are read: with escapes, with the bytes of UTF-8
/// taken for Latin-1, or as a spreadsheet shows numbers, dates and texts.
pub(crate) fn rewritten(nodes: &Nodes) -> Vec<String> {
    let find = |test: &dyn Fn(&str) -> bool| nodes.names().iter().find(|name| test(name));
    let mut all = vec![];
    all.extend(find(&escaped).map(|name| {
        format!(
            "'{name}' has an escaped character, which is part of the name, as in pages, addresses and JSON"
        )
    }));
    all.extend(find(&|name| name.contains(char::REPLACEMENT_CHARACTER)).map(|name| {
        format!("'{name}' has U+FFFD, which programs write for letters that they lost, so that different names may be the same here")
    }));
    all.extend(find(&latin_1).map(|name| {
        format!("'{name}' looks like UTF-8 that was taken for Latin-1 when the file was written")
    }));
    let all_whole = nodes.names().iter().filter(|name| !short_exponent(name)).all(|name| whole(name));
    let whole_others = all_whole && nodes.names().iter().filter(|name| whole(name)).count() >= FEW_OTHERS;
    let is_shortened = |name: &str| shortened(name) || whole_others && short_exponent(name);
    all.extend(find(&is_shortened).map(|name| {
        format!("'{name}' looks like a long number as a spreadsheet shortens it, so that different ones may be the same here")
    }));
    let dates = nodes.names().iter().filter(|name| is_date(name)).count();
    if 10 * dates <= nodes.len() {
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

/// Whether a text has a character as pages, addresses or programs write it: `&amp;`, `&#233;`, `%20`, `%C3%A9`, `\u00e9`. Names
/// that are addresses are written so.
fn escaped(name: &str) -> bool {
    let hexadecimal = |text: Option<&str>| text.and_then(|text| u32::from_str_radix(text, 16).ok());
    let behind = |mark: &'static str| name.match_indices(mark).map(move |(at, _)| &name[at + mark.len()..]);
    let in_pages = behind("&").filter_map(|rest| rest.split_once(';')).any(|(word, _)| {
        let digits = word.strip_prefix('#');
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (2..=LONGEST_ESCAPE).contains(&word.len()) && plain(digits.unwrap_or(word))
    });
    // The first two bytes of a letter in UTF-8 that is none of ASCII.
    let letter = |rest: &str| {
        let [first, second] =
            [rest.get(..2), rest.get(2..).and_then(|rest| rest.strip_prefix('%')?.get(..2))];
        matches!((hexadecimal(first), hexadecimal(second)), (Some(0xc2..=0xf4), Some(0x80..=0xbf)))
    };
    let in_addresses = behind("%").any(|rest| rest.starts_with("20") || letter(rest));
    let in_programs = behind("\\u").any(|rest| hexadecimal(rest.get(..4)).is_some());
    in_pages || in_programs || in_addresses && !name.contains("://")
}

/// No word between & and ; in pages has more letters.
const LONGEST_ESCAPE: usize = 8;

/// Whether a text has the first byte of a letter in UTF-8, and a further one behind it, as characters of Latin-1.
fn latin_1(name: &str) -> bool {
    let mut before = ' ';
    name.chars().any(|c| {
        let found = matches!(before, 'Ã' | 'Â') && matches!(c, '\u{80}'..='\u{bf}');
        before = c;
        found
    })
}

/// Whether a text is a number such as 1.23457E+17 or 1e+05: no code has a plus there.
fn shortened(name: &str) -> bool {
    name.contains('+') && short_exponent(name)
}

/// Whether a text is a number such as 1.23457E+17, 1e+05 or 1E5, with one digit before the point and the exponent.
fn short_exponent(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once(['E', 'e']).is_some_and(|(digits, exponent)| {
        let (one, more) = digits.split_once('.').unwrap_or((digits, "0"));
        one.len() == 1
            && number(one)
            && number(more)
            && number(exponent.strip_prefix('+').unwrap_or(exponent))
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
