//! Test non-links: each is drawn as often as its weight says, however it is found.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::*;
use crate::network::{HeldOut, Nodes, Protocol, Split, SplitOptions};
use crate::random::{Purpose, stream};

/// A path with two hubs.
fn network(directed: bool) -> Network {
    let links = (0..11).map(|i| (i, i + 1)).chain((2..8).map(|j| (0, j))).chain((5..9).map(|i| (i, 11)));
    Network::new(Arc::new(Nodes::numbered(14)), directed, links).unwrap()
}

fn degrees(network: &Network) -> (Vec<f64>, Vec<f64>) {
    let (mut out, mut back) = (vec![0.0; network.len()], vec![0.0; network.len()]);
    for &(i, j) in network.links() {
        out[i as usize] += 1.0;
        back[j as usize] += 1.0;
    }
    if network.directed() {
        return (out, back);
    }
    let both: Vec<f64> = out.iter().zip(&back).map(|(a, b)| a + b).collect();
    (both.clone(), both)
}

/// Asks for one non-link, of candidates that are gone through or drawn.
fn one(network: &Network, few: u64) -> Asked<'_> {
    Asked { network, ordered: false, train_links: network.links(), count: 1, few }
}

/// How often each is drawn if one is asked for, against its weight: five deviations, some 500 counts, 3e-4 by chance.
fn compare(network: &Network, expected: &HashMap<(u32, u32), f64>, one: impl Fn(u64) -> (u32, u32)) {
    let runs = 20_000;
    let mut counts: HashMap<(u32, u32), f64> = HashMap::new();
    for seed in 0..runs {
        *counts.entry(one(seed)).or_default() += 1.0;
    }
    assert!(counts.keys().all(|pair| expected.contains_key(pair)), "{}", network.directed());
    let total: f64 = expected.values().sum();
    for (pair, weight) in expected {
        let p = weight / total;
        let sd = (runs as f64 * p * (1.0 - p)).sqrt();
        let off = counts.get(pair).copied().unwrap_or(0.0) - p * runs as f64;
        assert!(off.abs() < 5.0 * sd.max(1.0), "{} {pair:?}: {off} of {sd}", network.directed());
    }
}

#[test]
fn ends_meet_in_proportion_to_their_links() {
    for directed in [false, true] {
        let network = network(directed);
        let (out, back) = degrees(&network);
        let pairs = network.observed().filter(|pair| !pair.link);
        let expected: HashMap<(u32, u32), f64> = pairs
            .map(|p| ((p.source, p.target), out[p.source as usize] * back[p.target as usize]))
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        for few in [0, FEW] {
            compare(&network, &expected, |seed| {
                let mut rng = stream(seed, 0, 0, Purpose::Split, 7);
                pair(by_degree(&one(&network, few), &mut rng).unwrap()[0])
            });
        }
    }
}

#[test]
fn hard_ones_are_two_steps_apart() {
    for directed in [false, true] {
        let network = network(directed);
        let linked = |i, j| network.has_link(i, j) || network.has_link(j, i);
        let apart = |i: u32, j: u32| i != j && !linked(i, j) && (0..14).any(|u| linked(i, u) && linked(u, j));
        let all = (0..14).flat_map(|i| (0..14).map(move |j| (i, j)));
        let expected: HashMap<(u32, u32), f64> =
            all.filter(|&(i, j)| apart(i, j) && (directed || i < j)).map(|pair| (pair, 1.0)).collect();
        for few in [0, FEW] {
            compare(&network, &expected, |seed| {
                let mut rng = stream(seed, 0, 0, Purpose::Split, 8);
                pair(two_steps_apart(&one(&network, few), &mut rng).unwrap()[0])
            });
        }
        let mut rng = stream(1, 0, 0, Purpose::Split, 8);
        let message =
            draw(TestNegatives::Hard, &network, false, network.links(), 1000, &mut rng).unwrap_err();
        let message = message.to_string();
        let count = expected.len();
        assert!(message.contains(&format!("only {count} pairs two steps apart in training")), "{message}");
    }
}

#[test]
fn large_networks_are_drawn_from() {
    // Beyond what is gone through: degrees by drawing, and a hub of 3,000 with 9 million wedges.
    let links = (1..3000).map(|j| (0, j)).chain((1..2000).map(|i| (i, i + 1)));
    for directed in [false, true] {
        let network = Network::new(Arc::new(Nodes::numbered(4000)), directed, links.clone()).unwrap();
        for kind in [TestNegatives::Degree, TestNegatives::Hard] {
            for protocol in [Protocol::Links, Protocol::PaperLinks] {
                let options = SplitOptions {
                    held_out: HeldOut::Fraction(0.1),
                    negatives: 2.0,
                    test_negatives: kind,
                    ..SplitOptions::new(protocol)
                };
                let split = Split::with_options(&network, &options, 3).unwrap();
                assert_eq!(split.test_links(), split.test_non_links());
                let train: HashSet<_> = split.train.iter().map(|p| (p.source, p.target)).collect();
                assert_eq!(split.train.len(), 3 * split.train.links());
                for pair in &split.test {
                    assert_eq!(network.has_link(pair.source, pair.target), pair.link);
                    assert!(!train.contains(&(pair.source, pair.target)));
                    assert!(network.directed() || protocol.ordered() || pair.source < pair.target);
                }
            }
        }
    }
}

#[test]
fn mistakes_are_told() {
    let options = SplitOptions { test_negatives: TestNegatives::Hard, ..SplitOptions::new(Protocol::Pairs) };
    assert_eq!(
        options.check().unwrap_err().to_string(),
        "test-negatives must be uniform unless the split is links or paper-links, is hard"
    );
    for kind in TestNegatives::ALL {
        assert_eq!(kind.to_string().parse::<TestNegatives>().unwrap(), kind);
    }
}
