//! Every column of every pair against its definition in the network without the pair's own link.

use proptest::prelude::*;

use super::*;
use crate::graph::walks::LENGTH;
use crate::network::{Pair, Pairs};

/// A network as a matrix without directions and without the links between two nodes.
fn without(pairs: &Pairs, ends: (u32, u32)) -> Vec<Vec<bool>> {
    let n = pairs.nodes();
    let mut matrix = vec![vec![false; n]; n];
    for Pair { source, target, .. } in pairs.iter().filter(|pair| pair.link) {
        if (source, target) != ends && (target, source) != ends {
            matrix[source as usize][target as usize] = true;
            matrix[target as usize][source as usize] = true;
        }
    }
    matrix
}

/// The columns by their definitions.
fn defined(matrix: &[Vec<bool>], (i, j): (usize, usize)) -> [f64; COLUMNS.len()] {
    let n = matrix.len();
    let degree = |u: usize| matrix[u].iter().filter(|&&link| link).count() as f64;
    // Steps by as many rounds over all links as there are nodes.
    let steps = |from: usize| {
        let mut steps = vec![usize::MAX; n];
        steps[from] = 0;
        for _ in 0..n {
            for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))) {
                if matrix[u][v] && steps[u] != usize::MAX {
                    steps[v] = steps[v].min(steps[u] + 1);
                }
            }
        }
        steps
    };
    let size = |from: usize| steps(from).iter().filter(|&&steps| steps != usize::MAX).count() as f64;
    let mut walk: Vec<f64> = (0..n).map(|u| f64::from(u8::from(u == i))).collect();
    let mut sum = 0.0;
    for length in 1..=LENGTH {
        walk = (0..n).map(|v| (0..n).filter(|&u| matrix[u][v]).map(|u| walk[u] / degree(u)).sum()).collect();
        if length > 1 {
            sum += degree(i) * walk[j];
        }
    }
    let walks = (sum + 1e-4).ln();
    let (larger, smaller) = (degree(i).max(degree(j)), degree(i).min(degree(j)));
    let chain = [larger == 1.0, larger == 2.0, smaller == 1.0].map(|yes| f64::from(u8::from(yes)));
    let connection = match steps(i)[j] {
        usize::MAX => {
            let (one, other) = (size(i).ln(), size(j).ln());
            [0.0, 0.0, 0.0, 1.0, one.min(other), one.max(other)]
        }
        steps => {
            let logarithm = (steps as f64).ln();
            let even = f64::from(u8::from(steps % 2 == 0));
            [logarithm, logarithm * logarithm, even, 0.0, 0.0, 0.0]
        }
    };
    let values: Vec<f64> = connection.into_iter().chain(chain).chain([walks]).collect();
    values.try_into().expect("one value for each name")
}

fn columns(far: &Far, pairs: &[(u32, u32)]) -> Matrix {
    let mut matrix = Matrix::new(far.columns().len(), pairs.len());
    Sources::with_pairs(pairs, &mut matrix, |sources, matrix| far.fill(sources, 0, matrix));
    matrix
}

/// Sparse networks of up to 18 nodes, with trees, cycles and parts that are not connected.
fn some_links() -> impl Strategy<Value = Pairs> {
    (2_usize..18, any::<bool>(), 0.3_f64..3.0).prop_flat_map(|(n, symmetric, degree)| {
        prop::collection::vec(0.0_f64..1.0, n * n).prop_map(move |draws| {
            let ids = (0..n as u32).flat_map(|i| (0..n as u32).map(move |j| (i, j)));
            let links = ids
                .zip(&draws)
                .filter(|&((i, j), &draw)| i != j && (!symmetric || i < j) && draw < degree / n as f64)
                .map(|((source, target), _)| Pair { source, target, link: true });
            Pairs::new(n, symmetric, links)
        })
    })
}

fn all_pairs(n: usize) -> Vec<(u32, u32)> {
    let n = n as u32;
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn columns_are_those_of_the_network_without_the_link(links in some_links()) {
        let pairs = all_pairs(links.nodes());
        let exact = Far::new(Adjacency::undirected(&links), None);
        // A search that may look at every arc, for pairs without a link, too.
        let searched = Far { most_arcs: Some(usize::MAX), ..exact.clone() };
        for far in [exact, searched] {
            let found = columns(&far, &pairs);
            for (line, &(i, j)) in pairs.iter().enumerate() {
                let expected = defined(&without(&links, (i, j)), (i as usize, j as usize));
                for ((&found, expected), name) in found.row(line).iter().zip(expected).zip(COLUMNS.map(|column| column.name)) {
                    let difference = (f64::from(found) - expected).abs();
                    prop_assert!(difference < 1e-5, "{} of {:?}: {} {}", name, (i, j), found, expected);
                }
            }
        }
    }

    /// A bounded search says the same of a pair in both orders, and the same with its link as without.
    #[test]
    fn bounds_do_not_see_the_link_either(links in some_links(), most_arcs in 1_usize..12) {
        let bounded = |links: &Pairs| Far { most_arcs: Some(most_arcs), walks: None, ..Far::new(Adjacency::undirected(links), None) };
        let whole = bounded(&links);
        for (i, j) in all_pairs(links.nodes()) {
            let others = links.iter().filter(|pair| {
                (pair.source, pair.target) != (i, j) && (pair.target, pair.source) != (i, j)
            });
            let without = bounded(&Pairs::new(links.nodes(), links.symmetric(), others));
            let found = columns(&whole, &[(i, j), (j, i)]);
            prop_assert_eq!(found.row(0), found.row(1));
            let expected = columns(&without, &[(i, j)]);
            prop_assert_eq!(found.row(0), expected.row(0));
            let exact = defined(&self::without(&links, (i, j)), (i as usize, j as usize))[0] as f32;
            prop_assert!(found.row(0)[0] <= exact, "a bound above the distance");
        }
    }
}

#[test]
fn long_chains_are_searched_and_threads_do_not_matter() {
    let link = |i: u32| Pair { source: i, target: i + 1, link: true };
    let chain = Pairs::new(50_000, true, (0..49_999).map(link));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let far = Far::new(Adjacency::undirected(&chain), None);
            let pairs: Vec<(u32, u32)> = (0..100).map(|i| (i * 400, i * 400 + 1 + i % 3)).collect();
            (far.columns().len(), columns(&far, &[vec![(0, 49_999)], pairs].concat()))
        })
    };
    let (names, found) = on(1);
    assert_eq!((names, found.clone()), on(4));
    // The first step from either end looks at one arc and every other one at two: 501 steps are taken with 1,000 arcs.
    assert_eq!(found.row(0)[0], 502_f64.ln() as f32);
    // A link of a chain is a bridge, with 1 and 49,999 nodes on its sides.
    assert_eq!(found.row(1)[3..6], [1.0, 0.0, 49_999_f32.ln()]);
}
