//! Whether the first row is a header, and what its words mean.

use std::collections::HashMap;

use dlfrm::network::Nodes;

use super::columns::{Column, Columns};
use super::layout::ENDS;
use super::names::whole;
use super::titles::{is_title, two_kinds};

/// What a word of a header says about its column, if it is one of the usual words.
pub(crate) fn meaning(word: &str) -> Option<Column> {
    let plain: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match plain.as_str() {
        "source" | "sourceid" | "sourcenode" | "sourcename" | "src" | "from" | "fromid" | "fromnode"
        | "fromnodeid" | "fromuser" | "fromuserid" | "startnode" | "startid" | "sender" | "citing"
        | "citingpaper" | "caller" | "follower" | "orig" | "quelle" | "subject" | "head" | "ego" => {
            Some(Column::Source)
        }
        "target" | "targetid" | "targetnode" | "targetname" | "dst" | "dest" | "destination" | "to"
        | "toid" | "tonode" | "tonodeid" | "touser" | "touserid" | "endnode" | "endid" | "receiver"
        | "recipient" | "cited" | "citedpaper" | "callee" | "called" | "followee" | "followed" | "ziel"
        | "object" | "tail" | "alter" => Some(Column::Target),
        "relation" | "rel" | "predicate" => Some(Column::Relation),
        "label" | "labels" | "link" | "islink" | "linklabel" | "edgelabel" => Some(Column::Label),
        "weight" | "weights" => Some(Column::Weight),
        _ => None,
    }
}

/// What a word says about its column if no other word says so: the ends of a journey, or of a stretch of time.
fn weak_meaning(word: &str) -> Option<Column> {
    match word.to_lowercase().as_str() {
        "start" | "begin" | "origin" => Some(Column::Source),
        "end" | "finish" => Some(Column::Target),
        _ => None,
    }
}

/// What the words of a header say about their columns.
fn meanings(header: &[String]) -> Vec<Option<Column>> {
    let strong: Vec<Option<Column>> = header.iter().map(|word| meaning(word)).collect();
    let weak: Vec<Option<Column>> = header
        .iter()
        .zip(&strong)
        .map(|(word, own)| own.or_else(|| weak_meaning(word).filter(|end| !strong.contains(&Some(*end)))))
        .collect();
    // A start and an end beside columns that mean something else are times.
    let times = ENDS.iter().all(|end| !strong.contains(&Some(*end))) && weak.contains(&None);
    if times { strong } else { weak }
}

/// The columns that a header names. The first columns whose words have no known meaning are a source or a
/// target that is not named; all others are skipped.
pub(crate) fn columns(header: &[String]) -> Option<Columns> {
    let mut list: Vec<Option<Column>> = Vec::with_capacity(header.len());
    for found in meanings(header) {
        // A second column of the same meaning, such as a second weight, is not read.
        let again = found.is_some() && list.contains(&found);
        list.push(if again { Some(Column::Skip) } else { found });
    }
    for wanted in ENDS {
        if !list.contains(&Some(wanted)) {
            *list.iter_mut().find(|column| column.is_none())? = Some(wanted);
        }
    }
    Columns::new(list.into_iter().map(|column| column.unwrap_or(Column::Skip)).collect()).ok()
}

/// The columns that a header names, if it has words for the source and for the target.
pub(crate) fn named_columns(header: &[String]) -> Option<Columns> {
    names_ends(header).then(|| columns(header))?
}

/// The columns that a header names, if it has sure words for source and target, each with one meaning.
pub(crate) fn sure_columns(header: &[String]) -> Option<Columns> {
    let sure = surely_names_ends(header) && !header.iter().any(|word| ambiguous(word));
    sure.then(|| columns(header))?
}

/// Two columns with one title that has a meaning.
pub(crate) fn repeated(header: &[String]) -> Option<(usize, usize)> {
    (0..header.len()).find_map(|second| {
        meaning(&header[second])?;
        let first = header[..second].iter().position(|title| title.eq_ignore_ascii_case(&header[second]))?;
        Some((first, second))
    })
}

/// Titles that `dlfrm predict` and `dlfrm export` write beside source and target.
pub(crate) const WRITTEN: [&str; 5] = ["probability", "low", "high", "known_link", "why"];

/// Whether a word titles a column that is none of the ends.
fn beside_ends(word: &str) -> bool {
    meaning(word).is_some_and(|column| !ENDS.contains(&column)) || WRITTEN.contains(&word)
}

/// Whether a row has a sure word for the source and one for the target.
pub(crate) fn surely_names_ends(row: &[String]) -> bool {
    ENDS.iter().all(|end| row.iter().any(|word| meaning(word) == Some(*end)))
}

/// Whether a header has words for the source and for the target.
pub(crate) fn names_ends(header: &[String]) -> bool {
    let meanings = meanings(header);
    ENDS.iter().all(|end| meanings.contains(&Some(*end)))
}

/// How many words of a header have no known meaning.
pub(crate) fn unknown(header: &[String]) -> usize {
    meanings(header).iter().filter(|meaning| meaning.is_none()).count()
}

/// Whether a word says one thing in knowledge graphs and the opposite in graph theory.
fn ambiguous(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "head" | "tail")
}

/// What is said of a header whose words for the ends are ambiguous. With a relation they are those of knowledge graphs.
pub(crate) fn ambiguous_ends(header: &[String], columns: &Columns) -> Option<String> {
    let [source, target] = columns.ends().map(|position| header.get(position));
    let (source, target) = (source?, target?);
    let unclear = (ambiguous(source) || ambiguous(target)) && columns.position(Column::Relation).is_none();
    unclear.then(|| {
        format!(
            "links go from '{source}' to '{target}', as in knowledge graphs; if they go the other way, as in graph theory, \
             say --columns {}",
            columns.turned()
        )
    })
}

/// What is said of columns whose titles have another meaning than the one that the user gives them.
pub(crate) fn against_titles(header: &[String], columns: &Columns) -> Option<String> {
    let titled = || header.iter().enumerate().zip(columns.list());
    let sure = |title: &String| meaning(title).filter(|_| !ambiguous(title));
    // A text that is called a label may well be a relation.
    let another = |title: &String, read: Column| {
        let other =
            sure(title).filter(|own| *own != read && (*own, read) != (Column::Label, Column::Relation));
        other.is_some() && read != Column::Skip
    };
    let read = titled().find(|((_, title), read)| another(title, **read)).map(|((at, title), read)| {
        format!("column {} is called '{title}' and is read as the {read}, as --columns says", at + 1)
    });
    // An end that is skipped in favour of a column with another title.
    let skipped = || {
        titled().filter(|(_, read)| **read == Column::Skip).find_map(|((at, title), _)| {
            let end = sure(title).filter(|end| ENDS.contains(end))?;
            let instead = columns.position(end)?;
            let other = header.get(instead).filter(|other| meaning(other) != Some(end))?;
            Some(format!(
                "column {} is called '{title}' and is skipped, and column {} ('{other}') is read as the {end}, as --columns says",
                at + 1,
                instead + 1
            ))
        })
    };
    read.or_else(skipped)
}

/// The titles of source and target, if they name different kinds of nodes.
pub(crate) fn kinds(header: &[String], columns: &Columns) -> Option<[String; 2]> {
    let [source, target] = columns.ends().map(|position| header.get(position));
    let (source, target) = (source?, target?);
    two_kinds(source, target).then(|| [source.clone(), target.clone()])
}

/// The titles of source and target, if they are different words of one kind, neither of which says which end it is.
pub(crate) fn unclear_ends(header: &[String], columns: &Columns) -> Option<[String; 2]> {
    let [source, target] = columns.ends().map(|position| header.get(position));
    let ends = [source?, target?];
    let words = ends.iter().all(|title| letters(title) && title.len() > 1);
    let unknown = !names_ends(header) && ends.iter().all(|title| meaning(title).is_none());
    (words && unknown && !two_kinds(ends[0], ends[1]) && !ends[0].eq_ignore_ascii_case(ends[1]))
        .then(|| ends.map(Clone::clone))
}

/// What is said of a header that the user takes for a link, where its columns are not understood.
pub(crate) fn refused(row: &[String]) -> String {
    format!(
        "the first row ({}) looks like a header, and --no-header takes it for a link: leave --no-header out",
        row.join(", ")
    )
}

/// What the first row looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It has a word for the source and one for the target.
    Words,
    /// The same, and one of the words is the name of a node, too.
    WordsAndName,
    /// The same, and both words are names that are known beforehand: it is taken for a link.
    Names,
    /// It has words where all other rows have integers.
    WordsAboveIntegers,
    /// It has words that title columns, and no other row has them.
    Titles,
    /// It has the numbers of the columns from 0, as pandas writes them, where no other row has integers.
    Positions,
    /// It has words that no other row has: it may be a header.
    Alone,
}

impl Sign {
    /// Whether the row is taken for a header.
    pub(crate) fn header(self) -> bool {
        !matches!(self, Self::Alone | Self::Names)
    }

    /// The warning, if a user may not expect how the row is taken.
    pub(crate) fn remark(self, row: &[String]) -> Option<String> {
        let row = row.join(", ");
        match self {
            Self::Words => None,
            Self::WordsAndName => Some(format!(
                "the first row ({row}) was taken for a header, though a word of it is a node, too: --no-header takes \
                 it for a link"
            )),
            Self::Names => Some(format!(
                "the first row ({row}) was taken for a link, because both words are nodes: --header takes it for a \
                 header"
            )),
            Self::WordsAboveIntegers | Self::Titles | Self::Positions => {
                Some(format!("the first row ({row}) was taken for a header"))
            }
            Self::Alone => Some(format!(
                "the first row ({row}) was taken for a link, and its names are in no other row: --header takes it \
                 for a header"
            )),
        }
    }
}

/// What the first of these rows looks like, if it may be a header. `columns` are those of the user, `known` the
/// nodes, if they are known beforehand.
pub(crate) fn sign(rows: &[Vec<String>], columns: Option<&Columns>, known: Option<&Nodes>) -> Option<Sign> {
    let (first, others) = rows.split_first()?;
    // A header that is there again, where files were put together, says nothing of the rows.
    let others: Vec<&Vec<String>> = others.iter().filter(|row| *row != first).collect();
    let columns = columns.cloned().or_else(|| self::columns(first)).unwrap_or_default();
    let ends = columns.ends();
    let names = |row: &[String]| ends.map(|position| row.get(position).cloned().unwrap_or_default());
    let words = names(first);
    let sure = surely_names_ends(first);
    if sure && first.iter().any(|word| beside_ends(word)) {
        return Some(Sign::Words);
    }
    let taken = words.iter().filter(|word| known.is_some_and(|known| known.get(word).is_some())).count();
    // A word that is the name of a node further down is no title.
    let elsewhere = others.iter().any(|row| names(row).iter().any(|name| words.contains(name)));
    match (sure, taken) {
        (true, 2) => return Some(Sign::Names),
        (true, _) if taken > 0 || elsewhere => return Some(Sign::WordsAndName),
        (true, _) => return Some(Sign::Words),
        (false, 1..) => return None,
        (false, 0) if names_ends(first) && !elsewhere => return Some(Sign::Titles),
        (false, 0) => {}
    }
    let any_integer = |row: &&Vec<String>| names(row).iter().any(|name| whole(name));
    if first.iter().enumerate().all(|(at, word)| *word == at.to_string()) && !others.iter().any(any_integer) {
        return match others.len() {
            0 => None,
            1..=2 => Some(Sign::Alone),
            _ => Some(Sign::Positions),
        };
    }
    let all_words = words.iter().all(|word| !word.is_empty() && word.parse::<f64>().is_err());
    let integers = |row: &&Vec<String>| names(row).iter().all(|name| whole(name));
    if all_words && !others.is_empty() && others.iter().all(integers) {
        return Some(Sign::WordsAboveIntegers);
    }
    if elsewhere || !all_words || known.is_some() {
        return None;
    }
    let titles = |row: &[String]| names(row).iter().all(|name| is_title(name));
    if titles(first) && !others.is_empty() && !others.iter().any(|row| titles(row)) {
        return Some(Sign::Titles);
    }
    let long = words.iter().all(|word| letters(word) && word.len() > 1);
    let short = shape(&words[0]).filter(|own| shape(&words[1]).as_ref() == Some(own));
    let other_shape =
        |own: &&str| !others.iter().flat_map(|row| names(row)).any(|name| shape(&name) == Some(*own));
    ((long || short.as_ref().is_some_and(other_shape)) && rare(&others, names)).then_some(Sign::Alone)
}

/// What is before the number of a short title, such as V1: nothing, if it is a letter alone.
fn shape(word: &str) -> Option<&str> {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut chars = word.chars();
    match (chars.next().is_some_and(char::is_alphabetic), chars.next()) {
        (true, None) => Some(""),
        (true, Some(_)) => Some(stem).filter(|stem| stem.len() < word.len() && letters(stem)),
        (false, _) => None,
    }
}

/// Whether a name has letters alone, and what joins them.
pub(crate) fn letters(word: &str) -> bool {
    word.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | ' '))
}

/// Whether there are some rows, and few of them have names that no other row has.
fn rare(rows: &[&Vec<String>], names: impl Fn(&[String]) -> [String; 2]) -> bool {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in rows.iter().flat_map(|row| names(row)) {
        *counts.entry(name).or_default() += 1;
    }
    let alone = rows.iter().filter(|row| names(row).iter().all(|name| counts[name] == 1)).count();
    rows.len() > 2 && 10 * alone <= rows.len()
}
