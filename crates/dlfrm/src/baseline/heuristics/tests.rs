//! The heuristics against their definitions by brute force, against networkx, and on networks of the paper where the variable
//! DLFRM_DATA names a folder that has them.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::network::{Network, Nodes};

/// The heuristics that [`Dense::score`] defines; the others are compared with networkx.
const DEFINED: [&str; 4] = ["lp", "lrw", "ppr", "spd"];

/// Which nodes training links lead to from each node, or with directions forgotten connect it with.
struct Dense(Vec<Vec<bool>>);

impl Dense {
    fn new(train: &Pairs, directed: bool) -> Self {
        let mut links = vec![vec![false; train.nodes()]; train.nodes()];
        for pair in train.iter().filter(|pair| pair.link) {
            let (i, j) = (pair.source as usize, pair.target as usize);
            links[i][j] = true;
            links[j][i] |= train.symmetric() || !directed;
        }
        Self(links)
    }

    fn score(&self, name: &str, i: usize, j: usize) -> f64 {
        let degrees: Vec<f64> =
            self.0.iter().map(|row| row.iter().filter(|&&link| link).count() as f64).collect();
        let degree = |u: usize| degrees[u];
        match name {
            "lp" => self.walks(i, j, 2, |_| 1.0) + 0.01 * self.walks(i, j, 3, |_| 1.0),
            "lrw" => {
                let links = (0..self.0.len()).map(degree).sum::<f64>() / 2.0;
                let at = |i: usize, j: usize, t| degree(i) / (2.0 * links) * self.walks(i, j, t, degree);
                (1..=10).map(|t| at(i, j, t) + at(j, i, t)).filter(|score| score.is_finite()).sum()
            }
            "ppr" => {
                // As the fixed point of r = 0.15 e_i + 0.85 P' r.
                let rank = |i: usize, j: usize| {
                    let mut rank = vec![0.0; self.0.len()];
                    for _ in 0..160 {
                        let from = |v: usize| (0..self.0.len()).filter(move |&u| self.0[u][v]);
                        let arrive = |v: usize| from(v).map(|u| rank[u] / degree(u)).sum::<f64>();
                        rank = (0..self.0.len())
                            .map(|v| 0.85 * arrive(v) + if v == i { 0.15 } else { 0.0 })
                            .collect();
                    }
                    rank[j]
                };
                rank(i, j) + rank(j, i)
            }
            "spd" => {
                let mut without = Self(self.0.clone());
                without.0[i][j] = false;
                without.0[j][i] = false;
                let length = (1..self.0.len()).find(|&length| without.walks(i, j, length, |_| 1.0) > 0.0);
                length.map_or(0.0, |length| 1.0 / length as f64)
            }
            other => unreachable!("{other} has its own test"),
        }
    }

    /// The walks of a length from i to j, each counted by 1 / the product of what `part` says of the
    /// nodes that it leaves.
    fn walks(&self, i: usize, j: usize, length: usize, part: impl Fn(usize) -> f64) -> f64 {
        let mut at = vec![0.0; self.0.len()];
        at[i] = 1.0;
        for _ in 0..length {
            let from = |v: usize| (0..self.0.len()).filter(move |&u| self.0[u][v]);
            at = (0..self.0.len()).map(|v| from(v).map(|u| at[u] / part(u)).sum()).collect();
        }
        at[j]
    }
}

/// Pairs with random labels, of up to 14 nodes, on one side or both.
fn some_pairs() -> impl Strategy<Value = Pairs> {
    (2_usize..14, any::<bool>(), 0.0_f64..1.0).prop_flat_map(|(n, symmetric, density)| {
        prop::collection::vec(0.0_f64..1.0, n * n).prop_map(move |draws| {
            let ids = (0..n as u32).flat_map(|i| (0..n as u32).map(move |j| (i, j)));
            let pairs = ids
                .zip(&draws)
                // Some pairs are left out, as a split does; both orientations of symmetric ones occur.
                .filter(|&((i, j), &draw)| {
                    i != j && draw < 0.8 && (!symmetric || ((i < j) == ((i + j) % 2 == 0)))
                })
                .map(|((source, target), &draw)| Pair { source, target, link: draw < 0.8 * density });
            Pairs::new(n, symmetric, pairs)
        })
    })
}

fn all_pairs(n: usize) -> Vec<(u32, u32)> {
    let n = n as u32;
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-11 * one.abs().max(other.abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn agrees_with_the_definitions(train in some_pairs()) {
        let dense = Dense::new(&train, false);
        let test = all_pairs(train.nodes());
        for baseline in HEURISTICS.iter().filter(|heuristic| DEFINED.contains(&heuristic.name)) {
            for (&(i, j), score) in test.iter().zip(baseline.score(&train, &test)) {
                let expected = dense.score(baseline.name, i as usize, j as usize);
                // The series of `ppr` ends where what is left is below 1e-10.
                let close = close(score, expected) || baseline.name == "ppr" && (score - expected).abs() < 1e-9;
                prop_assert!(close, "{} of {:?}: {} {}", baseline, (i, j), score, expected);
            }
        }
    }

    /// In large networks walks have three steps.
    #[test]
    fn walks_of_three_steps(train in some_pairs()) {
        let dense = Dense::new(&train, false);
        let test = all_pairs(train.nodes());
        let weights = [0.5, 1.0, 0.25, 0.125, 7.0];
        let graph = Adjacency::undirected(&train);
        let found = sum_walks(&graph, &test, &weights, false, |graph, i, _| graph.degree(i) as f64);
        let degree = |u: usize| graph.degree(u as u32) as f64;
        for (&(i, j), score) in test.iter().zip(found) {
            let (i, j) = (i as usize, j as usize);
            let step = |t: usize| weights[t] * degree(i) * dense.walks(i, j, t, degree);
            let expected: f64 = (1..=3).map(step).sum();
            prop_assert!(close(score, expected), "{:?}: {} {}", (i, j), score, expected);
        }
    }

    /// In large networks paths have three steps; those of all lengths are compared with networkx.
    #[test]
    fn katz_of_three_steps(train in some_pairs()) {
        let (dense, test, beta) = (Dense::new(&train, true), all_pairs(train.nodes()), 0.07_f64);
        let found = sum_paths(&Adjacency::outgoing(&train), &Adjacency::incoming(&train), &test, beta, false);
        for (&(i, j), score) in test.iter().zip(found) {
            let step = |t: i32| beta.powi(t) * dense.walks(i as usize, j as usize, t as usize, |_| 1.0);
            let expected: f64 = (1..=3).map(step).sum();
            prop_assert!(close(score, expected), "{:?}: {} {}", (i, j), score, expected);
        }
    }
}

/// The links that the script makes.
fn networkx_example(symmetric: bool) -> Pairs {
    let mut links: Vec<(u32, u32)> = (0..30)
        .flat_map(|i| [(i, (7 * i + 3) % 30), (i, (i * i + 1) % 30)])
        .filter(|(i, j)| i != j)
        .collect();
    if symmetric {
        links = links.into_iter().map(|(i, j)| (i.min(j), i.max(j))).collect();
    }
    links.sort_unstable();
    links.dedup();
    Pairs::new(30, symmetric, links.into_iter().map(|(source, target)| Pair { source, target, link: true }))
}

#[test]
fn agrees_with_networkx() {
    // scripts/reference_heuristics.py, networkx 3.6.1
    let (both, one_way) = (&[true, false][..], &[false][..]);
    let expected = [
        ("cn", both, [0.0, 0.0, 2.0, 1.0], 13_960.0),
        ("jaccard", both, [0.0, 0.0, 2.0 / 7.0, 1.0 / 9.0], 2_390.914_682_539_682_4),
        ("aa", both, [0.0, 0.0, 1.531_574_161_186_449, 0.621_334_934_559_611_9], 10_279.830_363_108_882),
        ("ra", both, [0.0, 0.0, 0.533_333_333_333_333_3, 0.2], 3_496.633_333_333_333),
        ("pa", &[true], [18.0, 20.0, 18.0, 24.0], 501_206.0),
        ("pa", one_way, [10.0, 6.0, 10.0, 6.0], 161_044.0),
        (
            "katz",
            &[true],
            [
                6.614_561_087_112_302e-5,
                0.051_551_540_867_378_01,
                0.005_201_505_858_161_85,
                0.002_630_806_360_397_277,
            ],
            289.482_253_363_569_16,
        ),
        (
            "katz",
            one_way,
            [1.270_561_218_214_564_7e-5, 0.050_377_836_939_585_63, 0.002_525_252_643_921_897, 0.0],
            146.668_598_130_562_03,
        ),
    ];
    let every = all_pairs(30);
    for (name, symmetries, four, weighted_sum) in expected {
        let baseline = Heuristic::named(name).unwrap();
        for &symmetric in symmetries {
            let train = networkx_example(symmetric);
            let found = baseline.score(&train, &[(3, 17), (5, 26), (28, 2), (17, 7)]);
            for (found, expected) in found.into_iter().zip(four) {
                assert!((found - expected).abs() < 1e-14 + 1e-10 * expected, "{baseline} {found} {expected}");
            }
            let sum: f64 = every
                .iter()
                .zip(baseline.score(&train, &every))
                .map(|(&(i, j), score)| f64::from((31 * i + j) % 97) * score)
                .sum();
            assert!((sum / weighted_sum - 1.0).abs() < 1e-11, "{baseline} {sum} {weighted_sum}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let train = networkx_example(false);
    let test: Vec<(u32, u32)> = all_pairs(30).into_iter().cycle().take(20_000).collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| HEURISTICS.iter().map(|baseline| baseline.score(&train, &test)).collect::<Vec<_>>())
    };
    assert!(on(1) == on(2) && on(1) == on(4));
}

#[test]
fn long_chains_and_empty_networks_end() {
    // No cycle: the series is finite, whatever beta. Far ends underflow to 0 without harm.
    let chain = (0..400).map(|i| Pair { source: i, target: i + 1, link: true });
    let chain = Pairs::new(401, false, chain);
    let scores = katz(&chain, &[(0, 1), (0, 10), (10, 0), (0, 400)]);
    assert!((scores[0] - 0.05).abs() < 1e-15 && close(scores[1], 0.05_f64.powi(10)), "{scores:?}");
    assert_eq!(scores[2..], [0.0, 0.0]);
    let none = Pairs::new(3, true, [Pair { source: 0, target: 1, link: false }]);
    for baseline in HEURISTICS {
        assert_eq!(baseline.score(&none, &[(0, 1), (1, 2)]), [0.0, 0.0], "{baseline}");
        assert!(baseline.score(&none, &[]).is_empty());
    }
}

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
        ("nips234.tsv.gz", 234, false, include_str!("../reference/nips234.tsv")),
        ("webkb.tsv.gz", 877, true, include_str!("../reference/webkb.tsv")),
        // Too large for paths of all lengths.
        ("astroph.tsv.gz", 17903, false, include_str!("../reference/astroph.tsv")),
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
                sum_paths(&outgoing, &incoming, &test, REFERENCE_BETA, n < 1000)
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

/// Groups of ten along a ring: near groups are linked, so that paths of four steps still predict something.
fn made_up(symmetric: bool, non_links: bool) -> Pairs {
    let mut rng = stream(4, 0, 0, Purpose::Generate, 0);
    let mut pairs = Vec::new();
    for source in 0..200_u32 {
        for target in 0..200_u32 {
            if source == target || (symmetric && source > target) {
                continue;
            }
            let apart = (source / 10).abs_diff(target / 10);
            let rate = [0.3, 0.1][..].get(apart.min(20 - apart) as usize).copied().unwrap_or(0.002);
            let link = rng.random::<f64>() < rate;
            if link || non_links {
                pairs.push(Pair { source, target, link });
            }
        }
    }
    Pairs::new(200, symmetric, pairs)
}

#[test]
fn development_pairs_are_hidden_from_the_rest() {
    for symmetric in [true, false] {
        for non_links in [true, false] {
            let train = made_up(symmetric, non_links);
            let mut rng = stream(1, 0, 0, Purpose::Development, 0);
            let (rest, development) = develop(&train, &mut rng);
            let links = development.iter().filter(|pair| pair.link).count();
            assert_eq!((links + rest.links(), development.len()), (train.links(), 2 * links));
            assert_eq!(links, train.links() / 10);
            let (left, all) = (Adjacency::outgoing(&rest), Adjacency::outgoing(&train));
            for pair in &development {
                let stands =
                    |graph: &Adjacency| graph.neighbours(pair.source).binary_search(&pair.target).is_ok();
                assert!(!stands(&left) && stands(&all) == pair.link);
            }
        }
    }
}

#[test]
fn the_weight_converges_and_few_links_keep_the_usual_one() {
    for symmetric in [true, false] {
        let train = made_up(symmetric, true);
        let graph = Adjacency::outgoing(&train);
        let bound = radius_bound(&graph);
        for all_lengths in [true, false] {
            let beta = chosen_beta(&train, &graph, all_lengths);
            assert!(beta > 0.0 && beta <= MARGIN / bound * (1.0 + 1e-12));
            assert_eq!(beta.to_bits(), chosen_beta(&train, &graph, all_lengths).to_bits());
        }
        let few = train.iter().filter(|pair| pair.link).take(LEAST_LINKS - 1);
        let few = Pairs::new(200, symmetric, few);
        let graph = Adjacency::outgoing(&few);
        assert_eq!(chosen_beta(&few, &graph, true), usual_beta(radius_bound(&graph)));
    }
}
