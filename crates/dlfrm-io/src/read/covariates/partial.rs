//! What is said of a table of pairs that does not have all of them, or that gives links away.

use dlfrm::covariates::{PairColumn, PairTable, PairValues};
use dlfrm::network::Relation;

use super::telling::{of_shares, telling};

/// A table gives links away if whether a pair has a value tells links from non-links as well as this (an AUC).
const TELLS: f64 = 0.9;

/// A column may give links away if its values tell links from non-links as well as this (an AUC).
const VALUES_TELL: f64 = 0.98;

/// Sentences for the user about observed pairs: how many have no value, and that having a value, or the value itself, gives a
/// link away, if it does. `name` is what the table is called.
pub fn partial_table_warnings(name: &str, table: &PairTable, relations: &[Relation]) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    for Relation { name: relation, network } in relations {
        let labels: Vec<Option<bool>> = table.pairs().iter().map(|&(i, j)| network.label(i, j)).collect();
        let observed = network.observed_count();
        let absent = observed.saturating_sub(labels.iter().flatten().count() as u64);
        let are = if absent == 1 { "is" } else { "are" };
        let warning = format!("{name}: {absent} of {observed} pairs {are} not there");
        if absent > 0 && !all.contains(&warning) {
            all.push(warning);
        }
        let links = network.links().len() as u64;
        let of = relation.as_ref().map_or(String::new(), |relation| format!(" of '{relation}'"));
        let gives_away = |column: &PairColumn| {
            let [known_links, known_non_links] = [true, false].map(|link| known(column, &labels, link));
            let non_links = observed - links;
            gives_away(known_links, links, known_non_links, non_links).then(|| {
                format!(
                    "{name}: {known_links} of {links} links{of} and {known_non_links} of {non_links} non-links have a value of \
                     '{}', so that having one gives a link away, and figures of an evaluation mean nothing: give the values of \
                     all pairs, or leave the table out",
                    column.name
                )
            })
        };
        let values_tell = |column: &PairColumn| {
            let area = telling(column, &labels).filter(|&area| area >= VALUES_TELL)?;
            Some(format!(
                "{name}: the value of '{}' alone tells links{of} from non-links (AUC {area:.2}): if it was made from the links, \
                 it gives a link away, and figures of an evaluation mean nothing, so leave the column out",
                column.name
            ))
        };
        let warning = table.columns().iter().find_map(gives_away);
        all.extend(warning.or_else(|| table.columns().iter().find_map(values_tell)));
    }
    all
}

/// Whether having a value tells links from non-links.
fn gives_away(known_links: u64, links: u64, known_non_links: u64, non_links: u64) -> bool {
    if links == 0 || non_links == 0 {
        return false;
    }
    of_shares(known_links as f64 / links as f64, known_non_links as f64 / non_links as f64) >= TELLS
}

/// How many links, or non-links, have a value.
fn known(column: &PairColumn, labels: &[Option<bool>], link: bool) -> u64 {
    let has = |place: usize| match &column.values {
        PairValues::Numbers(numbers) => numbers[place].is_some(),
        PairValues::Categories { chosen, .. } => chosen[place].is_some(),
    };
    labels.iter().enumerate().filter(|&(place, label)| *label == Some(link) && has(place)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, parse_network, parse_pair_table};

    /// The warnings of a table of an undirected network of six nodes.
    fn warnings(links: &str, pairs: &[(&str, &str)]) -> Vec<String> {
        let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
        let relations = parse_network(links.as_bytes(), "links", &options).unwrap().relations;
        let rows = pairs.iter().enumerate().map(|(at, (i, j))| format!("{i},{j},{}", at % 3));
        let text = format!("source,target,strength\n{}\n", rows.collect::<Vec<_>>().join("\n"));
        let nodes = relations[0].network.nodes();
        let read = parse_pair_table(text.as_bytes(), "ties.csv", nodes, false).unwrap();
        partial_table_warnings("ties.csv", &read.table, &relations)
    }

    const LINKS: [(&str, &str); 6] = [("a", "b"), ("b", "c"), ("a", "c"), ("d", "e"), ("e", "f"), ("d", "f")];

    fn rows(pairs: &[(&str, &str)]) -> String {
        let rows: Vec<String> = pairs.iter().map(|(i, j)| format!("{i} {j}")).collect();
        rows.join("\n")
    }

    #[test]
    fn pairs_without_a_value_are_counted() {
        let others = [("a", "d"), ("a", "e"), ("b", "f"), ("c", "d")];
        let some = [&LINKS[..2], &others].concat();
        assert_eq!(warnings(&rows(&LINKS), &some), ["ties.csv: 9 of 15 pairs are not there"]);
        let names = ["a", "b", "c", "d", "e", "f"];
        let all: Vec<(&str, &str)> = (0..6).flat_map(|j| (0..j).map(move |i| (names[i], names[j]))).collect();
        assert_eq!(warnings(&rows(&LINKS), &all), Vec::<String>::new());
        // Pairs that are not observed need no value.
        let labelled = "source target label\na b 1\nb c 1\nc d 0\nd e 0\n";
        let listed = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")];
        assert_eq!(warnings(labelled, &listed), Vec::<String>::new());
    }

    #[test]
    fn a_table_of_the_links_gives_them_away() {
        let gives_away = |links: usize, non_links: usize| {
            format!(
                "ties.csv: {links} of 6 links and {non_links} of 9 non-links have a value of 'strength', so that having one gives \
                 a link away, and figures of an evaluation mean nothing: give the values of all pairs, or leave the table out"
            )
        };
        assert_eq!(
            warnings(&rows(&LINKS), &LINKS),
            ["ties.csv: 9 of 15 pairs are not there".to_owned(), gives_away(6, 0)]
        );
        let nearly = [&LINKS[..], &[("a", "d")]].concat();
        assert_eq!(warnings(&rows(&LINKS), &nearly)[1], gives_away(6, 1));
        let less = [&LINKS[..], &[("a", "d"), ("a", "e")]].concat();
        assert_eq!(warnings(&rows(&LINKS), &less).len(), 1);
        // The other way round it does, too.
        let non_links = [
            ("a", "d"),
            ("a", "e"),
            ("a", "f"),
            ("b", "d"),
            ("b", "e"),
            ("b", "f"),
            ("c", "d"),
            ("c", "e"),
            ("c", "f"),
        ];
        assert_eq!(warnings(&rows(&LINKS), &non_links)[1], gives_away(0, 9));
    }

    /// All pairs of twelve nodes in two groups; links are some of those within the groups.
    fn of_values(value: impl Fn(bool, usize) -> String, linked: fn(usize, usize) -> bool) -> Vec<String> {
        let pairs: Vec<(usize, usize)> = (0..12).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        let within: Vec<&(usize, usize)> =
            pairs.iter().filter(|&&(i, j)| i % 2 == j % 2 && linked(i, j)).collect();
        let links: Vec<String> = within.iter().map(|(i, j)| format!("n{i} n{j}")).collect();
        let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
        let relations = parse_network(links.join("\n").as_bytes(), "links", &options).unwrap().relations;
        let row = |(at, pair): (usize, &(usize, usize))| {
            format!("n{},n{},{}\n", pair.0, pair.1, value(within.contains(&pair), at))
        };
        let rows: String = pairs.iter().enumerate().map(row).collect();
        let text = format!("source,target,strength\n{rows}");
        let nodes = relations[0].network.nodes();
        let read = parse_pair_table(text.as_bytes(), "ties.csv", nodes, false).unwrap();
        partial_table_warnings("ties.csv", &read.table, &relations)
    }

    #[test]
    fn values_that_tell_links_from_non_links_give_them_away() {
        let said = |area: &str| {
            vec![format!(
                "ties.csv: the value of 'strength' alone tells links from non-links (AUC {area}): if it was made from the links, \
                 it gives a link away, and figures of an evaluation mean nothing, so leave the column out"
            )]
        };
        let strength = |link: bool, at: usize| if link { 1 + at % 4 } else { 0 };
        assert_eq!(of_values(|link, at| strength(link, at).to_string(), |_, _| true), said("1.00"));
        assert_eq!(of_values(|link, at| format!("s{}", strength(link, at)), |_, _| true), said("1.00"));
        assert_eq!(
            of_values(|link, at| strength(link || [0, 12].contains(&at), at).to_string(), |_, _| true),
            said("0.99")
        );
        assert_eq!(
            of_values(|link, at| strength(link || at < 6, at).to_string(), |_, _| true),
            Vec::<String>::new()
        );
        // So few links may differ from non-links by chance.
        assert_eq!(
            of_values(|link, at| strength(link, at).to_string(), |i, j| j == i + 2 && i != 4),
            Vec::<String>::new()
        );
    }
}
