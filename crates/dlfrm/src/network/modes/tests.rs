//! Modes are found where they are, and every pair that is enumerated, drawn or held out is of a row and a column.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::network::{HeldOut, Network, Pairs, Protocol, Split, SplitOptions, TestNegatives, Unlisted};

const ROWS: [u32; 5] = [0, 3, 4, 7, 9];

/// Ten nodes, five of which are rows, and one that is neither; most pairs are links.
fn network() -> Network {
    let columns = (0..10).filter(|id| !ROWS.contains(id));
    let links =
        columns.flat_map(|column| ROWS.map(|row| (row, column))).filter(|(i, j)| (i * 7 + j * 3) % 5 < 3);
    let links: Vec<(u32, u32)> = links.collect();
    let modes = Modes::found(11, links.iter().copied()).unwrap();
    Network::new(Arc::new(Nodes::numbered(11)), true, links).unwrap().with_modes(Arc::new(modes)).unwrap()
}

fn across(i: u32, j: u32) -> bool {
    ROWS.contains(&i) != ROWS.contains(&j) && i < 10 && j < 10
}

#[test]
fn a_tree_has_no_modes_and_a_table_has() {
    let found = |pairs: &[(u32, u32)]| Modes::found(12, pairs.iter().copied());
    let star: Vec<(u32, u32)> = (1..12).map(|leaf| (0, leaf)).collect();
    assert_eq!(found(&star), None);
    let table: Vec<(u32, u32)> = (0..3).flat_map(|row| (3..12).map(move |column| (row, column))).collect();
    let modes = found(&table).unwrap();
    assert_eq!((modes.members(Mode::Row), modes.pairs()), (&[0, 1, 2][..], 27));
    assert_eq!(modes.partners(5), [0, 1, 2]);
    // Repeated rows are no cycles, and a node that is a source and a target may be of one kind with any other.
    assert_eq!(found(&[star.clone(), star.clone()].concat()), None);
    assert_eq!(found(&[table.clone(), vec![(5, 1)]].concat()), None);
    // Two rows of four columns have three cycles, three rows of four columns have six.
    let small =
        |rows: u32| (0..rows).flat_map(|row| (8..12).map(move |column| (row, column))).collect::<Vec<_>>();
    assert!(found(&small(2)).is_none() && found(&small(3)).is_some());
}

#[test]
fn what_is_asked_for_follows_from_the_pairs() {
    let names = Nodes::numbered(7);
    let asked = |pairs: &[(u32, u32)]| Modes::asked(&names, pairs.iter().copied());
    // A chain whose links are written either way, and a pair of its own: rows are where most sources are.
    let modes = asked(&[(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (1, 4)]).unwrap();
    let kinds: Vec<_> = (0..7).map(|id| modes.mode(id)).collect();
    let (row, column) = (Some(Mode::Row), Some(Mode::Column));
    assert_eq!(kinds, [row, column, row, column, row, row, column]);
    let turned = asked(&[(1, 0), (1, 2), (2, 3)]).unwrap();
    assert_eq!([0, 1, 2, 3, 4].map(|id| turned.mode(id)), [column, row, column, row, None]);
    let message = asked(&[(0, 1), (1, 2), (2, 0)]).unwrap_err().to_string();
    assert!(message.contains("closes a cycle of odd length"), "{message}");
}

#[test]
fn more_pairs_give_modes_to_more_nodes() {
    let modes = Modes::new(vec![Some(Mode::Row), Some(Mode::Column), None, None, None, None, None]);
    let more = modes.extended(7, &[(3, 2), (2, 0), (5, 4)]);
    let (row, column) = (Some(Mode::Row), Some(Mode::Column));
    assert_eq!(
        (0..7).map(|id| more.mode(id)).collect::<Vec<_>>(),
        [row, column, column, row, column, row, None]
    );
}

#[test]
fn pairs_within_a_mode_are_refused_by_name() {
    let network = network();
    let modes = network.modes().unwrap().clone();
    let message = |pair| modes.check(network.nodes(), pair).unwrap_err().to_string();
    assert!(
        message((0, 3)).contains("the pair '0', '3' is not possible in a bipartite network: both are rows")
    );
    assert!(message((2, 1)).contains("both are columns"));
    assert!(message((0, 10)).contains("'10' has no link"));
    let links = Network::new(network.nodes().clone(), true, [(0, 3), (0, 1)]).unwrap();
    assert!(links.with_modes(modes).unwrap_err().to_string().contains("'0', '3'"));
    let labelled = network.with_labels([(1, 2)], [], Unlisted::Unobserved).unwrap_err().to_string();
    assert!(labelled.contains("'1', '2'"), "{labelled}");
}

#[test]
fn all_pairs_across_are_observed_once() {
    let network = network();
    let seen: Vec<(u32, u32)> = network.observed().map(|pair| (pair.source, pair.target)).collect();
    let all = (0..11).flat_map(|i| (i + 1..11).map(move |j| (i, j))).filter(|&(i, j)| across(i, j));
    assert_eq!(seen, all.collect::<Vec<_>>());
    assert_eq!((network.observed_count(), network.directed()), (25, false));
    let links = network.observed().filter(|pair| pair.link).map(|pair| (pair.source, pair.target));
    assert_eq!(links.collect::<Vec<_>>(), network.links());
    let hidden = network.clone().with_labels([], [(seen[3].0, seen[3].1)], Unlisted::NonLink).unwrap();
    assert_eq!((hidden.observed_count(), hidden.observed().count()), (24, 24));
    assert_eq!(Pairs::observed(&hidden, true).len(), 48);
}

proptest! {
    #[test]
    fn everything_that_is_drawn_is_across(seed in any::<u64>(), negatives in 0.1..0.6) {
        let network = network();
        let check = |pairs: &Pairs| pairs.iter().all(|pair| across(pair.source, pair.target));
        let sampled = Pairs::sampled(&network, false, negatives, seed).unwrap();
        prop_assert!(check(&sampled) && sampled.modes() == network.modes());
        prop_assert!(sampled.iter().all(|pair| pair.link == network.has_link(pair.source, pair.target)));
        let share = (sampled.len() - sampled.links()) as f64 / (25 - network.links().len()) as f64;
        prop_assert!((sampled.non_link_share() - share).abs() < 1e-12);
        for pair in &network.sample(12, seed).pairs {
            prop_assert!(across(pair.source, pair.target));
        }
        for protocol in Protocol::ALL {
            for test_negatives in [TestNegatives::Uniform, TestNegatives::Degree] {
                let options = SplitOptions {
                    held_out: HeldOut::Fraction(0.3),
                    negatives: 0.5,
                    test_negatives: if protocol.samples() { test_negatives } else { TestNegatives::Uniform },
                    ..SplitOptions::new(protocol)
                };
                let split = Split::with_options(&network, &options, seed).unwrap();
                prop_assert!(check(&split.train) && split.train.modes() == network.modes());
                prop_assert!(split.test.iter().all(|pair| across(pair.source, pair.target)));
                prop_assert!(protocol.samples() || split.train.len() + split.test.len() >= 25);
            }
        }
        let hard = SplitOptions { test_negatives: TestNegatives::Hard, ..SplitOptions::new(Protocol::Links) };
        let message = Split::with_options(&network, &hard, seed).unwrap_err().to_string();
        prop_assert!(message.contains("no row is two steps from a column"), "{}", message);
    }
}

/// Few of many are drawn one by one: every non-link of a row and a column equally often.
#[test]
fn sampled_non_links_are_uniform() {
    let mut counts = std::collections::HashMap::new();
    let runs = 3000;
    for seed in 0..runs {
        let sampled = Pairs::sampled(&network(), false, 0.2, seed).unwrap();
        for pair in sampled.iter().filter(|pair| !pair.link) {
            *counts.entry((pair.source, pair.target)).or_insert(0.0) += 1.0;
        }
    }
    let network = network();
    let available = 25 - network.links().len();
    assert_eq!(counts.len(), available);
    let share = (0.2 * network.links().len() as f64).round() / available as f64;
    // Five deviations of 10 counts: 6e-6 by chance, with fixed seeds.
    let deviation = (f64::from(runs as u32) * share * (1.0 - share)).sqrt();
    for (pair, count) in counts {
        let off: f64 = count - share * f64::from(runs as u32);
        assert!(off.abs() < 5.0 * deviation, "{pair:?}: {off} of {deviation}");
    }
}
