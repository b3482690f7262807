//! The splits: parts make up the whole, nothing stands in both, every pair has its turn.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::network::{Nodes, Unlisted};

fn network(n: usize, directed: bool, links: &[(u32, u32)]) -> Network {
    let links = links.iter().copied().filter(|(i, j)| i != j);
    Network::new(Arc::new(Nodes::numbered(n)), directed, links).unwrap()
}

/// Sources, targets and labels of both parts together.
fn together(split: &Split) -> HashSet<(u32, u32, bool)> {
    split.train.iter().chain(split.test.iter().copied()).map(|p| (p.source, p.target, p.link)).collect()
}

proptest! {
    #[test]
    fn parts_make_up_the_whole(
        n in 2_usize..12,
        links in prop::collection::vec((0_u32..12, 0_u32..12), 0..40),
        directed: bool,
        paper: bool,
        fraction in 0.01_f64..0.99,
        seed: u64,
    ) {
        let links: Vec<_> = links.iter().map(|&(i, j)| (i % n as u32, j % n as u32)).collect();
        let network = network(n, directed, &links);
        let protocol = if paper { Protocol::PaperPairs } else { Protocol::Pairs };
        let split = Split::new(&network, protocol, fraction, seed).unwrap();
        let mut whole: HashSet<_> = network.observed().map(|p| (p.source, p.target, p.link)).collect();
        if paper && !directed {
            whole.extend(network.observed().map(|p| (p.target, p.source, p.link)));
        }
        prop_assert_eq!(split.train.len() + split.test.len(), whole.len());
        prop_assert_eq!(split.test.len(), (fraction * whole.len() as f64).round() as usize);
        prop_assert_eq!(together(&split), whole);
        prop_assert_eq!(split.train.symmetric(), !directed && !paper);
        prop_assert!(split.test.is_sorted_by_key(|p| (p.source, p.target)));
        let again = Split::new(&network, protocol, fraction, seed).unwrap();
        prop_assert_eq!(again.test, split.test);
    }
}

#[test]
fn every_pair_is_held_out_equally_often() {
    // 45 pairs, 2000 seeds, 20 %: counts have mean 400 and deviation 17.9; five deviations fail by
    // chance for one of the 45 pairs with probability below 3e-5.
    let network = network(10, false, &[(0, 1), (2, 3)]);
    let mut counts = std::collections::HashMap::new();
    for seed in 0..2000 {
        for pair in Split::new(&network, Protocol::Pairs, 0.2, seed).unwrap().test {
            *counts.entry((pair.source, pair.target)).or_insert(0) += 1;
        }
    }
    assert_eq!(counts.len(), 45);
    assert!(counts.values().all(|&count: &i32| (count - 400).abs() < 90), "{counts:?}");
}

#[test]
fn directed_networks_have_one_split() {
    let network = network(9, true, &[(0, 1), (1, 0), (4, 8)]);
    let [one, other, links, paper_links, _] = Protocol::ALL.map(|p| Split::new(&network, p, 0.3, 5).unwrap());
    assert_eq!((one.test, links.test), (other.test, paper_links.test));
}

#[test]
fn links_are_held_out_with_as_many_non_links() {
    let ring: Vec<(u32, u32)> = (0..100).map(|i| (i, (i + 1) % 100)).collect();
    for directed in [false, true] {
        let network = network(100, directed, &ring);
        for protocol in [Protocol::Links, Protocol::PaperLinks] {
            let split = Split::with_negatives(&network, protocol, 0.2, 4.0, 3).unwrap();
            let links = if protocol == Protocol::PaperLinks && !directed { 200 } else { 100 };
            let (train_links, test_links) = (links * 4 / 5, links / 5);
            assert_eq!((split.train.links(), split.train.len()), (train_links, 5 * train_links));
            assert_eq!((split.test_links(), split.test_non_links()), (test_links, test_links));
            assert_eq!(together(&split).len(), 5 * train_links + 2 * test_links, "a pair stands twice");
            assert!(together(&split).iter().all(|&(i, j, link)| network.has_link(i, j) == link));
            assert!(split.test.is_sorted_by_key(|pair| (pair.source, pair.target)));
            assert_eq!(Split::with_negatives(&network, protocol, 0.2, 4.0, 3).unwrap().test, split.test);
            assert_ne!(Split::with_negatives(&network, protocol, 0.2, 4.0, 4).unwrap().test, split.test);
            if protocol == Protocol::Links && !directed {
                assert!(split.train.symmetric());
                assert!(together(&split).iter().all(|&(i, j, _)| i < j));
            }
        }
    }
}

/// Fewer non-links than are asked for: all there are, none in both parts.
#[test]
fn dense_networks_give_all_non_links() {
    // Every node is linked to the next `reach` ones: 20 links per step of it, of 190 pairs.
    let dense = |reach: u32| -> Vec<(u32, u32)> {
        (0..20).flat_map(|i| (1..=reach).map(move |step| (i, (i + step) % 20))).collect()
    };
    // Links, those tested, and non-links trained on and tested.
    let cases = [(3, 60, 12, (118, 12)), (7, 140, 28, (25, 25)), (9, 180, 36, (5, 5)), (1, 20, 4, (160, 4))];
    for (reach, links, test_links, non_links) in cases {
        let network = network(20, false, &dense(reach));
        assert_eq!(network.links().len(), links);
        for test_negatives in [TestNegatives::Uniform, TestNegatives::Degree] {
            let held_out = HeldOut::Fraction(0.2);
            let options = SplitOptions { held_out, test_negatives, ..SplitOptions::new(Protocol::Links) };
            let split = Split::with_options(&network, &options, 5).unwrap();
            assert_eq!((split.test_links(), split.train.links()), (test_links, links - test_links));
            assert_eq!((split.train.len() - split.train.links(), split.test_non_links()), non_links);
            let all = together(&split);
            assert_eq!(all.len(), split.train.len() + split.test.len(), "a pair stands twice");
            assert!(all.iter().all(|&(i, j, link)| network.has_link(i, j) == link));
            assert_eq!(
                split.train.non_link_share() == 1.0,
                reach > 1,
                "all that are not tested are trained on"
            );
        }
    }
    // Where little is trained on, the test keeps its size.
    let network = network(20, false, &dense(7));
    let split = Split::with_negatives(&network, Protocol::Links, 0.3, 0.2, 5).unwrap();
    assert_eq!((split.train.len() - split.train.links(), split.test_non_links()), (20, 30));
}

#[test]
fn everybody_keeps_a_link() {
    // A hub, a ring and a far pair: most links are the only one of a node, or become so.
    let spokes = (1..20).map(|j| (0, j));
    let ring = (1..20).map(|i| (i, i % 19 + 1));
    let links: Vec<(u32, u32)> = spokes.chain(ring).chain([(20, 21)]).collect();
    for directed in [false, true] {
        let network = network(24, directed, &links);
        for (fraction, seed) in [(0.2, 1), (0.5, 2), (0.9, 3)] {
            let split = Split::new(&network, Protocol::Connected, fraction, seed).unwrap();
            let mut kept = HashSet::new();
            for pair in split.train.iter().filter(|pair| pair.link) {
                kept.extend([pair.source, pair.target]);
            }
            assert_eq!(kept, (0..22).collect());
            assert_eq!(together(&split), network.observed().map(|p| (p.source, p.target, p.link)).collect());
            let wanted = (fraction * network.links().len() as f64).round() as usize;
            assert!(split.test_links() <= wanted && (fraction > 0.4 || split.test_links() == wanted));
            let non_links = network.observed_count() as usize - network.links().len();
            assert_eq!(split.test_non_links(), (fraction * non_links as f64).round() as usize);
        }
    }
}

#[test]
fn folds_test_everything_once() {
    let ring: Vec<(u32, u32)> = (0..31).map(|i| (i, (i + 1) % 31)).collect();
    for directed in [false, true] {
        let network = network(31, directed, &ring);
        for protocol in [Protocol::Pairs, Protocol::PaperPairs, Protocol::Links, Protocol::PaperLinks] {
            let (mut links, mut non_links) = (Vec::new(), Vec::new());
            for number in 0..4 {
                let options = SplitOptions {
                    held_out: HeldOut::Fold { number, of: 4 },
                    negatives: 2.0,
                    ..SplitOptions::new(protocol)
                };
                let split = Split::with_options(&network, &options, 9).unwrap();
                assert_eq!(
                    together(&split).len(),
                    split.train.len() + split.test.len(),
                    "a pair stands twice"
                );
                for pair in split.test {
                    if pair.link { &mut links } else { &mut non_links }.push((pair.source, pair.target));
                }
            }
            links.sort_unstable();
            let mut expected = sample::links(&network, protocol.ordered());
            expected.sort_unstable();
            assert_eq!(links, expected, "{protocol}");
            if !protocol.samples() {
                let count = non_links.len() as u64;
                non_links.sort_unstable();
                non_links.dedup();
                assert_eq!(non_links.len() as u64, count, "a non-link is tested twice");
                assert_eq!(count, sample::available(&network, protocol.ordered()));
            }
        }
    }
    let held_out = HeldOut::Fold { number: 0, of: 3 };
    let message =
        SplitOptions { held_out, ..SplitOptions::new(Protocol::Connected) }.check().unwrap_err().to_string();
    assert!(message.contains("connected has no folds (3 were asked for)"), "{message}");
    let held_out = HeldOut::Fold { number: 0, of: 1 };
    let message =
        SplitOptions { held_out, ..SplitOptions::new(Protocol::Pairs) }.check().unwrap_err().to_string();
    assert_eq!(message, "folds must be at least 2, is 1");
}

#[test]
fn explicit_labels_are_honoured() {
    let network =
        network(5, false, &[(0, 1)]).with_labels([(2, 3), (1, 4)], [], Unlisted::Unobserved).unwrap();
    assert_eq!(together(&Split::new(&network, Protocol::Pairs, 0.5, 1).unwrap()).len(), 3);
    assert_eq!(together(&Split::new(&network, Protocol::PaperPairs, 0.5, 1).unwrap()).len(), 6);
    for n in [0, 1] {
        let empty = Network::new(Arc::new(Nodes::numbered(n)), true, []).unwrap();
        assert!(Split::new(&empty, Protocol::Pairs, 0.5, 1).unwrap().test.is_empty());
    }
}

#[test]
fn mistakes_are_told() {
    let small = network(3, false, &[(0, 1)]);
    for bad in [0.0, 1.0, -0.2, f64::NAN, f64::INFINITY] {
        let error = Split::new(&small, Protocol::Pairs, bad, 1).unwrap_err();
        assert!(error.to_string().contains(&bad.to_string()), "{error}");
    }
    let error = "paper".parse::<Protocol>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown split 'paper'; known are pairs, paper-pairs, links, paper-links, connected"
    );
    let complete = network(3, false, &[(0, 1), (0, 2), (1, 2)]);
    let message = Split::new(&complete, Protocol::Links, 0.3, 1).unwrap_err().to_string();
    assert!(message.contains("non-links are asked for, but only 0"), "{message}");
    for protocol in Protocol::ALL {
        assert_eq!(protocol.to_string().parse::<Protocol>().unwrap(), protocol);
    }
    let large = network(100_000, true, &[]);
    assert!(Split::new(&large, Protocol::Pairs, 0.2, 1).is_err());
}
