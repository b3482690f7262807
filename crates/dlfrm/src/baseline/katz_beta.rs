//! How much a step of a Katz path counts: chosen on a development set taken from the training pairs.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::katz::{MARGIN, sum_paths, usual_beta};
use crate::graph::Adjacency;
use crate::graph::katz::radius_bound;
use crate::network::{Pair, Pairs};
use crate::random::{Purpose, Stream, stream};
use crate::score::auc;

/// Fewer training links than this leave too few to choose by.
const LEAST_LINKS: usize = 200;
/// The part of the training links that is held out, and the most of them: more would not choose better.
const DEVELOPMENT: f64 = 0.1;
const MOST: usize = 10_000;
/// What is tried beside the usual weight, as parts of the largest one that is sure to converge.
const SHARES: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];

/// The weight of a step. A tenth of the training links (at most 10,000) is held out with as many training non-links (pairs without a
/// training link, if there are none), and the weight that separates them best by AUC is taken, relative to where the
/// series diverges. It depends on the training pairs alone: neither on what is tested nor on a seed.
pub(super) fn chosen(train: &Pairs, graph: &Adjacency, all_lengths: bool) -> f64 {
    let bound = radius_bound(graph);
    if train.links() < LEAST_LINKS || bound == 0.0 {
        return usual_beta(bound);
    }
    let mut rng = stream(0, 0, 0, Purpose::Development, 0);
    let (rest, development) = develop(train, &mut rng);
    let (outgoing, incoming) = (Adjacency::outgoing(&rest), Adjacency::incoming(&rest));
    let rest_bound = radius_bound(&outgoing);
    let pairs: Vec<(u32, u32)> = development.iter().map(|pair| (pair.source, pair.target)).collect();
    let labels: Vec<bool> = development.iter().map(|pair| pair.link).collect();
    let score = |beta: f64| auc(&sum_paths(&outgoing, &incoming, &pairs, beta, all_lengths), &labels);
    let mut best = (score(usual_beta(rest_bound)), usual_beta(bound));
    if rest_bound > 0.0 {
        for share in SHARES.map(|share| share * MARGIN) {
            let here = score(share / rest_bound);
            // A tie leaves what is usual.
            if here > best.0 {
                best = (here, share / bound);
            }
        }
    }
    best.1
}

/// The links that are left, and the pairs to choose by.
fn develop(train: &Pairs, rng: &mut Stream) -> (Pairs, Vec<Pair>) {
    let (mut links, mut non_links): (Vec<Pair>, Vec<Pair>) = train.iter().partition(|pair| pair.link);
    let count = MOST.min((DEVELOPMENT * links.len() as f64) as usize);
    links.shuffle(rng);
    let mut development = links.split_off(links.len() - count);
    if non_links.is_empty() {
        development.extend(strangers(train, count, rng));
    } else {
        let (drawn, _) = non_links.partial_shuffle(rng, count);
        development.extend_from_slice(drawn);
    }
    (Pairs::new(train.nodes(), train.symmetric(), links).with_modes(train.modes()), development)
}

/// Pairs at random that are no training links.
fn strangers(train: &Pairs, count: usize, rng: &mut Stream) -> Vec<Pair> {
    let graph = Adjacency::outgoing(train);
    let nodes = train.nodes() as u32;
    // A network that has next to no such pairs has none to choose by, either.
    let draws = (0..100 * count).map(|_| (rng.random_range(0..nodes), rng.random_range(0..nodes)));
    draws
        .filter(|&(i, j)| i != j && graph.neighbours(i).binary_search(&j).is_err())
        .map(|(source, target)| Pair { source, target, link: false })
        .take(count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let beta = chosen(&train, &graph, all_lengths);
                assert!(beta > 0.0 && beta <= MARGIN / bound * (1.0 + 1e-12));
                assert_eq!(beta.to_bits(), chosen(&train, &graph, all_lengths).to_bits());
            }
            let few = train.iter().filter(|pair| pair.link).take(LEAST_LINKS - 1);
            let few = Pairs::new(200, symmetric, few);
            let graph = Adjacency::outgoing(&few);
            assert_eq!(chosen(&few, &graph, true), usual_beta(radius_bound(&graph)));
        }
    }
}
