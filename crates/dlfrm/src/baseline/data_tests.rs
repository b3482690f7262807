//! The baselines on networks of the paper, where the variable DLFRM_DATA names a folder that has them.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use super::{HEURISTICS, Heuristic, katz};
use crate::graph::Adjacency;
use crate::network::{Network, Nodes, Pair, Pairs};
use crate::score::auc;
use crate::split::{Protocol, Split};

/// The network in a gzipped list of two columns, or `None` with a message if there is no such data here.
fn read(file: &str, n: usize, directed: bool) -> Option<Network> {
    let Some(folder) = std::env::var_os("DLFRM_DATA") else {
        println!("skipped: DLFRM_DATA is not set, so there is no {file}");
        return None;
    };
    let path = Path::new(&folder).join(file);
    let output = Command::new("gzip").arg("-dc").arg(&path).output().expect("gzip runs");
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let links = text.lines().map(|line| {
        let (source, target) = line.split_once('\t').expect("two columns");
        (source.parse().expect("an id"), target.parse().expect("an id"))
    });
    Some(Network::new(Arc::new(Nodes::numbered(n)), directed, links).expect("a sound network"))
}

/// Mean AUC over five splits of 20 %.
fn mean_auc(network: &Network, protocol: Protocol, baseline: &Heuristic) -> f64 {
    let aucs = (1..=5).map(|seed| {
        let split = Split::new(network, protocol, 0.2, seed).unwrap();
        auc(&baseline.score(&split.train, &split.test_pairs()), &split.test_labels()).unwrap()
    });
    aucs.sum::<f64>() / 5.0
}

#[test]
fn coauthors_of_nips() {
    let Some(network) = read("nips234.tsv.gz", 234, false) else { return };
    for protocol in Protocol::ALL {
        for baseline in HEURISTICS {
            let area = mean_auc(&network, protocol, baseline);
            println!("nips234 {protocol:<12}{baseline:<8}{area:.4}");
            // The literature has 0.875 to 0.886 on such splits.
            if protocol == Protocol::Pairs && matches!(baseline.name, "cn" | "ra") {
                assert!((0.85..=0.91).contains(&area), "{baseline} {area}");
            }
        }
    }
}

#[test]
fn pages_of_webkb() {
    let Some(network) = read("webkb.tsv.gz", 877, true) else { return };
    for baseline in HEURISTICS {
        let [pairs, paper] =
            [Protocol::Pairs, Protocol::PaperPairs].map(|protocol| mean_auc(&network, protocol, baseline));
        println!("webkb   pairs       {baseline:<8}{pairs:.4}");
        assert_eq!(pairs.to_bits(), paper.to_bits(), "one split for a directed network");
        assert!(pairs > 0.5, "{baseline} {pairs}");
    }
}

/// A line of the files that scripts/reference_baselines.py writes: a pair, and its scores in the order of their titles.
fn reference(text: &str) -> Vec<((u32, u32), [f64; 6])> {
    let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
    assert_eq!(lines.next(), Some("source\ttarget\tcn\tjaccard\taa\tra\tpa\tkatz"));
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [source, target] = [0, 1].map(|column| fields[column].parse().expect("an id"));
        ((source, target), std::array::from_fn(|column| fields[2 + column].parse().expect("a score")))
    };
    lines.map(read).collect()
}

/// The weight of a Katz step in these files.
const REFERENCE_BETA: f64 = 0.02;

#[test]
fn agrees_with_networkx_pair_by_pair() {
    let references = [
        ("nips234.tsv.gz", 234, false, include_str!("reference/nips234.tsv")),
        ("webkb.tsv.gz", 877, true, include_str!("reference/webkb.tsv")),
        // Too large for paths of all lengths.
        ("astroph.tsv.gz", 17903, false, include_str!("reference/astroph.tsv")),
    ];
    for (file, n, directed, text) in references {
        let Some(network) = read(file, n, directed) else { return };
        let links = network.links().iter().map(|&(source, target)| Pair { source, target, link: true });
        let train = Pairs::new(n, !directed, links);
        let expected = reference(text);
        let test: Vec<(u32, u32)> = expected.iter().map(|&(pair, _)| pair).collect();
        assert_eq!(test.len(), 1000);
        for (column, name) in ["cn", "jaccard", "aa", "ra", "pa", "katz"].into_iter().enumerate() {
            let baseline = Heuristic::named(name).unwrap();
            let scores = if baseline.name == "katz" {
                let (outgoing, incoming) = (Adjacency::outgoing(&train), Adjacency::incoming(&train));
                katz::sum_paths(&outgoing, &incoming, &test, REFERENCE_BETA, n < 1000)
            } else {
                baseline.score(&train, &test)
            };
            for (score, (pair, expected)) in scores.iter().zip(&expected) {
                let error = (score - expected[column]).abs();
                assert!(error <= 1e-9 * expected[column], "{file} {baseline} {pair:?}: {score} {expected:?}");
            }
        }
    }
}
