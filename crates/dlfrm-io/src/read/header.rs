//! Whether the first row is a header, and what its words mean.

use std::collections::HashMap;

use dlfrm::network::Entities;

use super::columns::{Column, Columns};
use super::names::whole;

/// What a word of a header says about its column, if it is one of the usual words.
fn meaning(word: &str) -> Option<Column> {
    let plain: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match plain.as_str() {
        "source" | "sourceid" | "sourcenode" | "src" | "from" | "fromid" | "fromnode" | "fromnodeid"
        | "sender" | "citing" | "subject" | "head" | "ego" => Some(Column::Source),
        "target" | "targetid" | "targetnode" | "dst" | "dest" | "destination" | "to" | "toid" | "tonode"
        | "tonodeid" | "receiver" | "recipient" | "cited" | "object" | "tail" | "alter" => {
            Some(Column::Target)
        }
        "relation" | "rel" | "predicate" => Some(Column::Relation),
        "label" | "labels" | "link" | "islink" | "linklabel" | "edgelabel" => Some(Column::Label),
        "weight" | "weights" => Some(Column::Weight),
        _ => None,
    }
}

/// The columns that a header names. The first columns whose words have no known meaning are a source or a
/// target that is not named; all others are skipped.
pub(crate) fn columns(header: &[String]) -> Option<Columns> {
    let mut list: Vec<Option<Column>> = Vec::with_capacity(header.len());
    for word in header {
        let found = meaning(word);
        // A second column of the same meaning, such as a second weight, is not read.
        let again = found.is_some() && list.contains(&found);
        list.push(if again { Some(Column::Skip) } else { found });
    }
    for wanted in [Column::Source, Column::Target] {
        if !list.contains(&Some(wanted)) {
            *list.iter_mut().find(|column| column.is_none())? = Some(wanted);
        }
    }
    Columns::new(list.into_iter().map(|column| column.unwrap_or(Column::Skip)).collect()).ok()
}

/// Two columns with one title that has a meaning.
pub(crate) fn repeated(header: &[String]) -> Option<(usize, usize)> {
    (0..header.len()).find_map(|second| {
        meaning(&header[second])?;
        let first = header[..second].iter().position(|title| title.eq_ignore_ascii_case(&header[second]))?;
        Some((first, second))
    })
}

/// Whether a header has words for the source and for the target.
pub(crate) fn names_ends(header: &[String]) -> bool {
    let named = |wanted| header.iter().any(|word| meaning(word) == Some(wanted));
    named(Column::Source) && named(Column::Target)
}

/// How many words of a header have no known meaning.
pub(crate) fn unknown(header: &[String]) -> usize {
    header.iter().filter(|word| meaning(word).is_none()).count()
}

/// Words that title a column of entities, alone or with others, as in `user_id` or `node 1`.
const TITLES: &[&str] = &[
    "actor",
    "article",
    "artist",
    "author",
    "book",
    "buyer",
    "callee",
    "caller",
    "character",
    "child",
    "city",
    "company",
    "consumer",
    "country",
    "customer",
    "disease",
    "doc",
    "document",
    "drug",
    "employee",
    "entity",
    "event",
    "followee",
    "follower",
    "friend",
    "gene",
    "group",
    "host",
    "id",
    "identifier",
    "index",
    "item",
    "key",
    "manager",
    "member",
    "movie",
    "name",
    "node",
    "nodes",
    "num",
    "number",
    "organisation",
    "organization",
    "page",
    "paper",
    "parasite",
    "parent",
    "patient",
    "person",
    "plant",
    "player",
    "pollinator",
    "predator",
    "prey",
    "product",
    "protein",
    "reader",
    "reviewer",
    "seller",
    "song",
    "species",
    "station",
    "student",
    "supplier",
    "teacher",
    "team",
    "user",
    "vertex",
    "word",
];

/// Whether a cell is made of words that title columns; one letter or a number may follow them.
fn is_title(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let known = |word: &str| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        TITLES.contains(&stem) || stem.strip_suffix("id").is_some_and(|stem| TITLES.contains(&stem))
    };
    words.next().is_some_and(known) && words.all(|word| known(word) || word.chars().count() == 1)
}

/// What the first row looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It has a word for the source and one for the target.
    Words,
    /// It has words where all other rows have integers.
    WordsAboveIntegers,
    /// It has words that title columns, and no other row has them.
    Titles,
    /// It has words that no other row has: it may be a header.
    Alone,
}

impl Sign {
    /// Whether the row is taken for a header.
    pub(crate) fn header(self) -> bool {
        self != Self::Alone
    }

    /// The notice, if a user may not expect how the row is taken.
    pub(crate) fn remark(self, row: &[String]) -> Option<String> {
        let row = row.join(", ");
        match self {
            Self::Words => None,
            Self::WordsAboveIntegers | Self::Titles => {
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
/// entities, if they are known beforehand.
pub(crate) fn sign(
    rows: &[Vec<String>],
    columns: Option<&Columns>,
    known: Option<&Entities>,
) -> Option<Sign> {
    let (first, others) = rows.split_first()?;
    let columns = columns.cloned().or_else(|| self::columns(first)).unwrap_or_default();
    let ends = [columns.position(Column::Source)?, columns.position(Column::Target)?];
    let names = |row: &[String]| ends.map(|position| row.get(position).cloned().unwrap_or_default());
    let words = names(first);
    if known.is_some_and(|known| words.iter().any(|word| known.get(word).is_some())) {
        return None;
    }
    // A word that is the name of an entity further down is no title; a header that is there again is one.
    let elsewhere =
        others.iter().any(|row| row != first && names(row).iter().any(|name| words.contains(name)));
    if names_ends(first) && !elsewhere {
        return Some(Sign::Words);
    }
    let all_words = words.iter().all(|word| !word.is_empty() && word.parse::<f64>().is_err());
    let integers = |row: &Vec<String>| names(row).iter().all(|name| whole(name));
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
    let letters = |word: &String| word.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | ' '));
    (words.iter().all(letters) && words.iter().all(|word| word.len() > 1) && rare(others, names))
        .then_some(Sign::Alone)
}

/// Whether there are some rows, and few of them have names that no other row has.
fn rare(rows: &[Vec<String>], names: impl Fn(&[String]) -> [String; 2]) -> bool {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in rows.iter().flat_map(|row| names(row)) {
        *counts.entry(name).or_default() += 1;
    }
    let alone = rows.iter().filter(|row| names(row).iter().all(|name| counts[name] == 1)).count();
    rows.len() > 3 && 10 * alone <= rows.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.split('/').map(|row| row.split(' ').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn headers_are_distinguished_from_data() {
        assert_eq!(sign(&rows("Source TARGET/a b"), None, None), Some(Sign::Words));
        assert_eq!(sign(&rows("FromNodeId ToNodeId"), None, None), Some(Sign::Words));
        assert_eq!(sign(&rows("id_a id_b/1 2/3 4"), None, None), Some(Sign::WordsAboveIntegers));
        assert_eq!(sign(&rows("a b/1 2/3 x"), None, None), None);
        assert_eq!(sign(&rows("1 2/3 4"), None, None), None);
        assert_eq!(sign(&rows("1 b/3 4"), None, None), None);
        assert_eq!(sign(&rows("a b"), None, None), None);
        // Here the words are names.
        assert_eq!(sign(&rows("source target/target sink"), None, None), None);
        let known = ["source", "b"].into_iter().collect();
        assert_eq!(sign(&rows("source target/a b"), None, Some(&known)), None);
        assert_eq!(sign(&rows("user item/Ada tea/Bob tea"), None, None), Some(Sign::Titles));
        assert_eq!(sign(&rows("user_id node-b/Ada tea/Bob tea"), None, None), Some(Sign::Titles));
        assert_eq!(sign(&rows("friend teacher/student child/paper book"), None, None), None);
        assert_eq!(sign(&rows("user item/item tea/Bob tea"), None, None), None);
        assert_eq!(sign(&rows("is has/a b/b c/c a/a c"), None, None), Some(Sign::Alone));
        assert_eq!(sign(&rows("is has/a b/c d/e f/g h"), None, None), None);
        let columns = "relation,source,target".parse().unwrap();
        assert_eq!(sign(&rows("r a b/likes 1 2"), Some(&columns), None), Some(Sign::WordsAboveIntegers));
    }

    #[test]
    fn words_choose_the_columns() {
        let named = |text: &str| columns(&rows(text)[0]).map(|columns| columns.to_string());
        assert_eq!(named("weight from to").as_deref(), Some("weight,source,target"));
        assert_eq!(named("a b").as_deref(), Some("source,target"));
        assert_eq!(named("relation a b time").as_deref(), Some("relation,source,target,skip"));
        assert_eq!(named("source x weight weights").as_deref(), Some("source,target,weight,skip"));
        assert_eq!(named("source"), None);
    }
}
