//! Whether a table of pairs says of a pair that it is a link: by having a value of it, or by the value.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;
use thiserror::Error;

use super::table::{PairColumn, PairTable, PairValues};
use crate::network::Relation;
use crate::score::auc;

/// Having a value tells links from non-links if it does so as well as this (an AUC).
const TELLS: f64 = 0.9;

/// A value may be made from the links if it tells them from non-links as well as this (an AUC).
const VALUES_TELL: f64 = 0.98;

/// So many links and so many non-links are needed: few may differ by chance.
const ENOUGH: usize = 10;

/// What a user may not expect of a table of pairs, beside the links.
#[derive(Debug, Error, Clone, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum PairTableWarning {
    /// Observed pairs are not in the table.
    #[error("{absent} of {observed} pairs {} not there", if *.absent == 1 { "is" } else { "are" })]
    AbsentPairs {
        /// How many.
        absent: u64,
        /// How many there are.
        observed: u64,
    },
    /// Having a value tells links from non-links.
    #[error(
        "{} of {} links{} and {} of {} non-links have a value of '{column}', so that having one gives a link away, and figures of \
         an evaluation mean nothing: give the values of all pairs, or leave the table out",
        .links[0], .links[1], of(.relation.as_deref()), .non_links[0], .non_links[1]
    )]
    PresenceLeaks {
        /// The column.
        column: String,
        /// The relation of the links, if there are several.
        relation: Option<String>,
        /// How many links have a value, and how many links there are.
        links: [u64; 2],
        /// The same of non-links.
        non_links: [u64; 2],
    },
    /// The value tells links from non-links.
    #[error(
        "the value of '{column}' alone tells links{} from non-links (AUC {auc:.2}): if it was made from the links, it gives a \
         link away, and figures of an evaluation mean nothing, so leave the column out",
        of(.relation.as_deref())
    )]
    ValueLeaks {
        /// The column.
        column: String,
        /// The relation of the links, if there are several.
        relation: Option<String>,
        /// How well: 1 is always.
        auc: f64,
    },
}

fn of(relation: Option<&str>) -> String {
    relation.map_or_else(String::new, |relation| format!(" of '{relation}'"))
}

impl PairTable {
    /// What it leaves out of these networks, and whether it gives their links away.
    pub fn warnings(&self, relations: &[Relation]) -> Vec<PairTableWarning> {
        let mut all = vec![];
        for Relation { name, network } in relations {
            let labels: Vec<Option<bool>> = self.pairs().iter().map(|&(i, j)| network.label(i, j)).collect();
            let observed = network.observed_count();
            let absent = observed.saturating_sub(labels.iter().flatten().count() as u64);
            let warning = PairTableWarning::AbsentPairs { absent, observed };
            if absent > 0 && !all.contains(&warning) {
                all.push(warning);
            }
            let links = network.links().len() as u64;
            let presence = |column: &PairColumn| {
                let [links, non_links] = [(true, links), (false, observed - links)]
                    .map(|(link, all)| [column.known(&labels, link), all]);
                let share = |[known, all]: [u64; 2]| known as f64 / all as f64;
                let mixed = links[1] > 0 && non_links[1] > 0;
                let tells = mixed && of_shares(share(links), share(non_links)) >= TELLS;
                tells.then(|| PairTableWarning::PresenceLeaks {
                    column: column.name.clone(),
                    relation: name.clone(),
                    links,
                    non_links,
                })
            };
            let value = |column: &PairColumn| {
                let auc = column.tells(&labels).filter(|&auc| auc >= VALUES_TELL)?;
                let (column, relation) = (column.name.clone(), name.clone());
                Some(PairTableWarning::ValueLeaks { column, relation, auc })
            };
            let leak = self.columns().iter().find_map(presence);
            all.extend(leak.or_else(|| self.columns().iter().find_map(value)));
        }
        all
    }
}

impl PairColumn {
    fn known(&self, labels: &[Option<bool>], link: bool) -> u64 {
        let has = |place: usize| match &self.values {
            PairValues::Numbers(numbers) => numbers[place].is_some(),
            PairValues::Categories { chosen, .. } => chosen[place].is_some(),
        };
        labels.iter().enumerate().filter(|&(place, label)| *label == Some(link) && has(place)).count() as u64
    }

    /// The AUC over the pairs with a label and a value: that of the numbers, or of whether a pair has the value that tells
    /// most, in the direction that tells more. None if there are too few pairs.
    fn tells(&self, labels: &[Option<bool>]) -> Option<f64> {
        match &self.values {
            PairValues::Numbers(numbers) => {
                let (numbers, labels) = with_both(numbers, labels)?;
                // Zeros of both signs are one value.
                let by_value = of_one_value(numbers.iter().map(|number| (number + 0.0).to_bits()), &labels);
                Some(by_value.max(either_way(auc(&numbers, &labels)?)))
            }
            PairValues::Categories { chosen, .. } => {
                let (chosen, labels) = with_both(chosen, labels)?;
                Some(of_one_value(chosen.into_iter(), &labels))
            }
        }
    }
}

/// The AUC of a score of two values, which these shares of the links and of the non-links have the larger one of.
fn of_shares(links: f64, non_links: f64) -> f64 {
    either_way(0.5 + (links - non_links) / 2.0)
}

fn either_way(area: f64) -> f64 {
    area.max(1.0 - area)
}

/// The values and labels of the pairs that have both, if there are enough links and non-links.
fn with_both<T: Copy>(values: &[Option<T>], labels: &[Option<bool>]) -> Option<(Vec<T>, Vec<bool>)> {
    let both = values.iter().zip(labels).filter_map(|(value, label)| Some(((*value)?, (*label)?)));
    let (values, labels): (Vec<T>, Vec<bool>) = both.unzip();
    let links = labels.iter().filter(|&&link| link).count();
    (links >= ENOUGH && labels.len() - links >= ENOUGH).then_some((values, labels))
}

/// The AUC of whether a pair has the value that tells most.
fn of_one_value<T: Eq + Hash>(values: impl Iterator<Item = T>, labels: &[bool]) -> f64 {
    let mut counts: HashMap<T, [usize; 2]> = HashMap::default();
    let mut all = [0_usize; 2];
    for (value, &link) in values.zip(labels) {
        counts.entry(value).or_default()[usize::from(link)] += 1;
        all[usize::from(link)] += 1;
    }
    let share = |count: usize, link: usize| count as f64 / all[link] as f64;
    let each = counts.values().map(|&[non_links, links]| of_shares(share(links, 1), share(non_links, 0)));
    each.fold(0.5, f64::max)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::network::{Network, Nodes, Unlisted};

    fn warnings(network: Network, pairs: &[(u32, u32)], values: PairValues) -> Vec<PairTableWarning> {
        let column = PairColumn { name: "strength".to_owned(), values };
        let table = PairTable::new(network.len(), true, pairs, &[column]).unwrap();
        table.warnings(&[network.into()])
    }

    fn network(nodes: usize, links: &[(u32, u32)]) -> Network {
        Network::new(Arc::new(Nodes::numbered(nodes)), false, links.iter().copied()).unwrap()
    }

    fn pairs(nodes: u32) -> Vec<(u32, u32)> {
        (0..nodes).flat_map(|j| (0..j).map(move |i| (i, j))).collect()
    }

    #[test]
    fn having_a_value_may_give_links_away() {
        const LINKS: [(u32, u32); 6] = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)];
        let of = |network: Network, pairs: &[(u32, u32)]| {
            let numbers = (0..pairs.len()).map(|at| Some((at % 3) as f64)).collect();
            warnings(network, pairs, PairValues::Numbers(numbers))
        };
        let absent = |absent| PairTableWarning::AbsentPairs { absent, observed: 15 };
        let links = network(6, &LINKS);
        let some = [&LINKS[..2], &[(0, 3), (0, 4), (1, 5), (2, 3)]].concat();
        assert_eq!(of(links.clone(), &some), [absent(9)]);
        assert_eq!(of(links.clone(), &pairs(6)), []);
        let all = of(links.clone(), &LINKS);
        assert_eq!((all.len(), &all[0]), (2, &absent(9)));
        assert_eq!(
            all[1].to_string(),
            "6 of 6 links and 0 of 9 non-links have a value of 'strength', so that having one gives a link away, and figures \
             of an evaluation mean nothing: give the values of all pairs, or leave the table out"
        );
        assert_eq!(of(links.clone(), &[&LINKS[..], &[(0, 3), (0, 4)]].concat()).len(), 1);
        // The other way round it does, too.
        let others: Vec<(u32, u32)> = pairs(6).into_iter().filter(|pair| !LINKS.contains(pair)).collect();
        assert!(matches!(of(links, &others)[1], PairTableWarning::PresenceLeaks { links: [0, 6], .. }));
        // Pairs that are not observed need no value.
        let labelled = network(5, &[(0, 1), (1, 2)]);
        let labelled = labelled.with_labels([(2, 3), (3, 4)], [], Unlisted::Unobserved).unwrap();
        assert_eq!(of(labelled, &[(0, 1), (1, 2), (2, 3), (3, 4)]), []);
    }

    #[test]
    fn values_may_give_links_away() {
        // Links are some of the pairs within two groups.
        let of = |value: &dyn Fn(bool, usize) -> f64, linked: fn(u32, u32) -> bool, as_names: bool| {
            let within = |&(i, j): &(u32, u32)| i % 2 == j % 2 && linked(i, j);
            let links: Vec<(u32, u32)> = pairs(12).into_iter().filter(within).collect();
            let pairs = pairs(12);
            let numbers = pairs.iter().enumerate().map(|(at, pair)| Some(value(within(pair), at)));
            let values = if as_names {
                let chosen = numbers.map(|number| number.map(|number| number as u32)).collect();
                PairValues::Categories { names: (0..5).map(|name| format!("s{name}")).collect(), chosen }
            } else {
                PairValues::Numbers(numbers.collect())
            };
            match &warnings(network(12, &links), &pairs, values)[..] {
                [] => None,
                [PairTableWarning::ValueLeaks { auc, .. }] => Some((100.0 * auc).round()),
                other => panic!("{other:?}"),
            }
        };
        let strength = |link: bool, at: usize| if link { (1 + at % 4) as f64 } else { 0.0 };
        assert_eq!(of(&strength, |_, _| true, false), Some(100.0));
        assert_eq!(of(&strength, |_, _| true, true), Some(100.0));
        assert_eq!(of(&|link, at| strength(link || at < 6, at), |_, _| true, false), None);
        // So few links may differ from non-links by chance.
        assert_eq!(of(&strength, |i, j| j == i + 2 && i != 4, false), None);
    }
}
