//! Whether the first row is a header, and what its words mean.

use dlfrm::network::Entities;

use super::columns::{Column, Columns};
use super::names::integer;

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
        "label" | "link" | "islink" => Some(Column::Label),
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

/// Why the first row is taken for a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It has a word for the source and one for the target.
    Words,
    /// It has words where all other rows have integers.
    WordsAboveIntegers,
}

/// Whether the first of these rows looks like a header. `columns` are those of the user, `known` the
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
    let named = [Column::Source, Column::Target]
        .iter()
        .all(|&wanted| first.iter().any(|word| meaning(word) == Some(wanted)));
    // A word that is the name of an entity further down is no title.
    if named && !others.iter().any(|row| names(row).iter().any(|name| words.contains(name))) {
        return Some(Sign::Words);
    }
    let all_words = words.iter().all(|word| !word.is_empty() && word.parse::<f64>().is_err());
    let integers = |row: &Vec<String>| names(row).iter().all(|name| integer(name).is_some());
    (all_words && !others.is_empty() && others.iter().all(integers)).then_some(Sign::WordsAboveIntegers)
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
