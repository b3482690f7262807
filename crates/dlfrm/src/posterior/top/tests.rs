//! The best pairs are those that scoring all pairs gives, to the last bit.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};

use super::search::{Portions, Search};
use super::*;
use crate::chain::{Draw, Silent};
use crate::covariates::{Attributes, CovariateSet, Covariates, Field, FieldValues, SideInfo};
use crate::model::{Linear, Nu, Settings, Shape};
use crate::network::{Mode, Modes, Pair, Pairs};
use crate::posterior::Combination;
use crate::posterior::run_chains;
use crate::posterior::tests::small_posterior;
use crate::posterior::{DrawParts, Trace};
use crate::random::Stream;

/// What a network and its fit are like.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn by itself")]
struct Kind {
    seed: u64,
    nodes: usize,
    directed: bool,
    /// An undirected network of rows and columns.
    bipartite: bool,
    full: bool,
    topology: bool,
    effects: bool,
    attributes: bool,
    draws: usize,
    /// How much coefficients and weights differ from draw to draw.
    spread: f64,
    intercept: f64,
}

impl Kind {
    fn new(seed: u64) -> Self {
        let rng = &mut Stream::seed_from_u64(!seed);
        let (directed, bipartite) = [(false, false), (true, false), (false, true)][rng.random_range(0..3)];
        let [full, topology, effects, attributes] = rng.random();
        let (nodes, draws) = (rng.random_range(2..40), rng.random_range(1..6));
        let (spread, intercept) = (rng.random_range(0.0..1.5), rng.random_range(-6.0..6.0));
        Self {
            seed,
            nodes,
            directed,
            bipartite,
            full,
            topology,
            effects,
            attributes,
            draws,
            spread,
            intercept,
        }
    }

    fn pairs(&self, rng: &mut Stream) -> Pairs {
        let n = self.nodes as u32;
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let modes = self.modes();
        let possible = |i: u32, j: u32| i != j && modes.as_ref().is_none_or(|modes| modes.across(i, j));
        let all: Vec<(u32, u32)> = all.filter(|&(i, j)| possible(i, j) && (self.directed || i < j)).collect();
        // The first node is a hub, the last has no link.
        let chance = |i: u32, j: u32| match (i.min(j), i.max(j) + 1 == n) {
            (_, true) => 0.0,
            (0, _) => 0.6,
            _ => 0.12,
        };
        let pair =
            |(source, target)| Pair { source, target, link: rng.random::<f64>() < chance(source, target) };
        Pairs::new(self.nodes, !self.directed, all.into_iter().map(pair).collect::<Vec<_>>())
            .with_modes(modes.as_ref())
    }

    /// Rows, columns and a node that is neither.
    fn modes(&self) -> Option<Arc<Modes>> {
        let of = |i: usize| match i {
            5 => None,
            i if i.is_multiple_of(3) => Some(Mode::Row),
            _ => Some(Mode::Column),
        };
        self.bipartite.then(|| Arc::new(Modes::new((0..self.nodes).map(of).collect())))
    }

    fn side_info(&self, rng: &mut Stream) -> SideInfo {
        if !self.attributes {
            return SideInfo::default();
        }
        let numbers = (0..self.nodes).map(|i| Some(i as f64 + rng.random::<f64>())).collect();
        let field = Field { name: "x".to_owned(), values: FieldValues::Numbers(numbers) };
        let attributes = Attributes::new(self.nodes, vec![field]).unwrap();
        SideInfo { nodes: Some(Arc::new(attributes)), pairs: None }
    }

    fn draw(&self, means: &[f64], sweep: usize, rng: &mut Stream) -> Draw {
        let mut number = |scale: f64| scale * (rng.random::<f64>() * 2.0 - 1.0);
        let features = if self.seed.is_multiple_of(7) { 0 } else { 1 + (self.seed % 5) as usize };
        let (mut starts, mut items) = (vec![0], vec![]);
        for _ in 0..self.nodes {
            items.extend((0..features as u32).filter(|_| number(1.0) > 0.3));
            starts.push(items.len() as u32);
        }
        let shape = match (self.full, self.directed) {
            (false, _) => Shape::Diagonal,
            (true, false) => Shape::Symmetric,
            (true, true) => Shape::Full,
        };
        let mut weights: Vec<f64> = (0..features * features).map(|_| number(2.0)).collect();
        match shape {
            Shape::Diagonal => weights.truncate(features),
            Shape::Symmetric => (0..features * features).for_each(|at| {
                let (k, l) = (at / features, at % features);
                weights[at] = weights[k.min(l) * features + k.max(l)];
            }),
            Shape::Full => {}
        }
        let attributes = usize::from(self.attributes);
        let lists = |count| if self.directed { [count, count] } else { [count, 0] };
        let own = self.effects || self.attributes;
        let linear = Linear {
            coefficients: means.iter().map(|mean| mean + number(self.spread)).collect(),
            effects: lists(if own { self.nodes } else { 0 })
                .map(|count| (0..count).map(|_| number(1.0)).collect()),
            precisions: [1.0; 2],
            attributes: lists(attributes).map(|count| vec![0.5; count]),
            attribute_precisions: lists(attributes).map(|count| vec![1.0; count]),
        };
        let intercept = self.intercept + number(self.spread);
        Draw::from_parts(DrawParts {
            chain: 0,
            sweep,
            log_joint: 0.0,
            intercept,
            linear,
            alpha: 1.0,
            nu: Nu::same(1.0),
            shape,
            features,
            starts,
            items,
            weights,
        })
        .unwrap()
    }

    /// A posterior, or a mixture of two.
    fn posterior(&self) -> Posterior {
        let posterior = self.one(self.seed);
        if self.seed.is_multiple_of(3) {
            return posterior;
        }
        let strip = |draw: &Draw, features: bool| {
            let mut parts = (**draw).clone();
            if features {
                parts.linear = Linear { coefficients: vec![], attributes: [vec![], vec![]], ..parts.linear };
            } else {
                (parts.features, parts.items, parts.weights) = (0, vec![], vec![]);
                parts.starts.fill(0);
            }
            Draw::of(parts)
        };
        let stripped = |posterior: &Posterior, features| {
            posterior.draws().iter().map(|draw| strip(draw, features)).collect()
        };
        let features = self.one(self.seed + 1);
        let features = Posterior { covariates: None, draws: stripped(&features, true), ..posterior.clone() };
        let covariates = Posterior { draws: stripped(&posterior, false), ..posterior };
        let share = [0.0, 0.2, 0.5, 0.8][(self.seed % 4) as usize];
        Posterior::combine(covariates, features, Combination::of_features(share))
    }

    fn one(&self, seed: u64) -> Posterior {
        let rng = &mut Stream::seed_from_u64(seed);
        let (pairs, side_info) = (self.pairs(rng), self.side_info(rng));
        let set = if self.topology { CovariateSet::Topology } else { CovariateSet::None };
        let (covariates, _) = Covariates::of_pairs(&pairs, set, &side_info);
        let columns = covariates.as_ref().map_or(0, |covariates| covariates.names().len());
        let means: Vec<f64> = (0..columns).map(|_| rng.random::<f64>() * 3.0 - 1.5).collect();
        let draws = (0..self.draws).map(|sweep| self.draw(&means, sweep, rng)).collect();
        let settings = Settings { covariates: set, ..Settings::default() };
        let share = if self.seed.is_multiple_of(2) { 0.1 } else { 1.0 };
        Posterior::from_parts(
            settings,
            !self.directed,
            share,
            self.nodes,
            covariates,
            draws,
            vec![Trace::default()],
        )
        .unwrap()
        .with_modes(self.modes())
    }
}

/// All pairs sorted by brute force.
fn by_hand(posterior: &Posterior, known: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32, Prediction)> {
    let n = posterior.nodes() as u32;
    let ordered = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let possible = |i, j| i != j && posterior.modes().is_none_or(|modes| modes.across(i, j));
    let wanted = |&(i, j): &(u32, u32)| possible(i, j) && !(posterior.symmetric() && i > j) && !known(i, j);
    let pairs: Vec<_> = ordered.filter(wanted).collect();
    let mut all: Vec<_> = pairs.iter().zip(posterior.predict(&pairs)).map(|(&(i, j), p)| (i, j, p)).collect();
    all.sort_by(|a, b| b.2.score.total_cmp(&a.2.score).then((a.0, a.1).cmp(&(b.0, b.1))));
    all
}

/// A search in small portions, so that most first ends know of what others have found.
fn search<'a>(posterior: &'a Posterior, query: &'a TopPairs<'a>) -> Search<'a> {
    let mut search = Search::new(posterior, query);
    search.portions = Portions { batches: [1, 3], shares: 7.0, kept: 5, finalists: 30 };
    search
}

/// Compares every way to find the best with sorting all.
fn check(posterior: &Posterior, known: &(dyn Fn(u32, u32) -> bool + Sync), node: u32) {
    let all = by_hand(posterior, known);
    let of_node: Vec<_> = all.iter().copied().filter(|&(i, j, _)| i == node || j == node).collect();
    for count in [1, 3, 20, usize::MAX] {
        let query = TopPairs { count, node: None, exclude: known };
        let best = &all[..count.min(all.len())];
        assert!(search(posterior, &query).run().0 == best, "search for {count}");
        let best = &of_node[..count.min(of_node.len())];
        assert!(posterior.top_pairs(&TopPairs { node: Some(node), ..query }) == best, "{count} of {node}");
    }
}

#[test]
fn the_best_are_those_of_all_pairs() {
    for seed in 0..300 {
        let kind = Kind::new(seed);
        println!("{kind:?}");
        let posterior = kind.posterior();
        let links: Vec<(u32, u32)> = posterior.covariates().into_iter().flat_map(Covariates::links).collect();
        let known = |i: u32, j: u32| match seed / 7 % 3 {
            0 => false,
            1 => links.binary_search(&(i, j)).is_ok(),
            _ => (i + j).is_multiple_of(4),
        };
        check(&posterior, &known, seed as u32 % kind.nodes as u32);
    }
}

#[test]
fn does_not_depend_on_threads() {
    let kind = Kind { nodes: 60, directed: false, bipartite: false, topology: true, ..Kind::new(5) };
    let posterior = kind.posterior();
    let query = TopPairs { count: 40, node: None, exclude: &|_, _| false };
    let top = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&posterior, &query).run())
    };
    assert_eq!(top(1), top(4));
}

/// A fit to a network of some thousand nodes whose draws agree: few pairs are scored. In smaller ones paths of all lengths
/// and random walks leave more open.
#[test]
fn most_pairs_are_not_scored() {
    let n = 6_000_u32;
    let rng = &mut Stream::seed_from_u64(3);
    let mut pairs = std::collections::BTreeMap::new();
    // Groups of 30 nodes, most links within them, some from nodes that link to many.
    while pairs.len() < 24_000 {
        let i = rng.random_range(0..n);
        let within = rng.random::<f64>() < 0.7;
        let j =
            if within { i / 30 * 30 + rng.random_range(0..30) } else { rng.random_range(0..n).pow(2) / n };
        if i != j {
            pairs.insert((i.min(j), i.max(j)), true);
        }
    }
    while pairs.len() < 100_000 {
        let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
        if i != j {
            pairs.entry((i.min(j), i.max(j))).or_insert(false);
        }
    }
    let list = pairs.iter().map(|(&(source, target), &link)| Pair { source, target, link });
    let pairs = Pairs::new(n as usize, true, list);
    let settings = Settings { chains: 2, burn_in: 20, draws: 5, max_new: 0, ..Settings::default() };
    let mut posterior =
        run_chains(&pairs, &SideInfo::default(), &settings.check().unwrap(), 0, &Silent).unwrap();
    // Draws that agree: nothing is lost to how much they differ.
    let last = posterior.draws().last().unwrap().clone();
    posterior.draws.fill(last);
    let covariates = posterior.covariates().unwrap();
    let known = |i: u32, j: u32| covariates.linked(i, j);
    let query = TopPairs { count: 10, node: None, exclude: &known };
    let (_, scored) = Search::new(&posterior, &query).run();
    let all = (n * (n - 1) / 2) as usize;
    assert!(scored < all / 20, "{scored} of {all}");
}

#[test]
fn nothing_to_list() {
    let posterior = small_posterior("dlfrm-l", false, 6);
    let top =
        |count, excluded| posterior.top_pairs(&TopPairs { count, node: None, exclude: &|_, _| excluded });
    assert!(top(5, true).is_empty() && top(0, false).is_empty());
    let query = TopPairs { count: 5, node: None, exclude: &|_, _| true };
    assert!(Search::new(&posterior, &query).run().0.is_empty());
}
