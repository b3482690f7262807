//! Relations that are often none: a text of its own for each row, and marks of missing values.

use super::names::{is_missing, may_be_missing};

/// So few rows may each have a relation of their own.
const FEW: u64 = 10;

/// What is said of relations with these names and numbers of rows.
pub(crate) fn odd_relations(names: &[String], rows: &[u64]) -> Vec<String> {
    let all: u64 = rows.iter().sum();
    let own = || names.iter().zip(rows).filter(|(_, rows)| **rows == 1);
    let count = own().count() as u64;
    let texts = own().next().filter(|_| all >= FEW && 2 * count > all).map(|(name, _)| {
        format!(
            "{count} of {all} rows have a relation of their own, such as '{name}': if the column has no relations, skip it \
             (--columns)"
        )
    });
    let missing = names
        .iter()
        .zip(rows)
        .filter(|(name, _)| is_missing(name))
        .map(|(name, &count)| may_be_missing(count, name, "a relation, which is taken for its name"));
    texts.into_iter().chain(missing).collect()
}
