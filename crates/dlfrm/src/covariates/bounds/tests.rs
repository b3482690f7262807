//! Bounds hold, and are tight where they should be.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};

use crate::covariates::{
    Attributes, Bounds, CovariateSet, Covariates, Distance, End, Field, FieldValues, PairColumn, PairTable,
    PairValues, SideInfo,
};
use crate::network::{Mode, Modes, Pair, Pairs};
use crate::random::Stream;

const NODES: u32 = 40;

/// Every fourth node is a row.
fn modes() -> Arc<Modes> {
    let mode = |i: u32| if i.is_multiple_of(4) { Mode::Row } else { Mode::Column };
    Arc::new(Modes::new((0..NODES).map(|i| Some(mode(i))).collect()))
}

/// A network with a hub, a clique, chains and nodes without a link.
fn pairs(directed: bool, bipartite: bool, rng: &mut Stream) -> Pairs {
    let modes = bipartite.then(modes);
    let all = (0..NODES).flat_map(|i| (0..NODES).map(move |j| (i, j)));
    let linked = |i: u32, j: u32, rng: &mut Stream| match (i.min(j), i.max(j)) {
        (_, high) if high >= 38 => false,
        (3, high) => high % 2 == 0,
        (low, high) if low >= 20 && high < 26 => true,
        (low, high) if low >= 26 => high == low + 1,
        _ => rng.random::<f64>() < 0.07,
    };
    let possible = |i, j| i != j && modes.as_ref().is_none_or(|modes| modes.across(i, j));
    let all = all.filter(|&(i, j)| possible(i, j) && (directed || i < j));
    let list: Vec<Pair> =
        all.map(|(source, target)| Pair { source, target, link: linked(source, target, rng) }).collect();
    Pairs::new(NODES as usize, !directed, list).with_modes(modes.as_ref())
}

fn side_info(directed: bool, rng: &mut Stream) -> SideInfo {
    let mut number = || rng.random::<f64>();
    let numbers = FieldValues::Numbers((0..NODES).map(|i| (i % 7 > 0).then(&mut number)).collect());
    let list =
        |i: u32| if i.is_multiple_of(5) { vec![] } else { vec![(0, 1.0), (1 + i % 2, f64::from(i % 3 + 1))] };
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let words = FieldValues::Words { words, lists: (0..NODES).map(list).collect() };
    let field = |name: &str, values| Field { name: name.to_owned(), values };
    let fields = vec![field("x", numbers), field("w", words)];
    let pairs: Vec<(u32, u32)> = (0..NODES - 1).map(|i| (i, i + 1)).collect();
    let values = PairValues::Numbers(pairs.iter().map(|&(i, _)| (i % 4 > 0).then(&mut number)).collect());
    let column = PairColumn { name: "d".to_owned(), values };
    let table = PairTable::new(NODES as usize, !directed, &pairs, &[column]).unwrap();
    let attributes = Attributes::new(NODES as usize, fields).unwrap();
    SideInfo { nodes: Some(Arc::new(attributes)), pairs: Some(Arc::new(table)) }
}

/// All pairs without a link, the first end first; with whether they are near, their bound and what is true.
fn compare(covariates: &Covariates, coefficients: &[f64], mut check: impl FnMut((u32, u32), bool, f64, f64)) {
    let bounds = Bounds::new(covariates, coefficients);
    let topology = covariates.topology.as_ref().unwrap();
    let mut walker = covariates.walker().unwrap();
    for first in 0..NODES {
        covariates.walk(Some(&mut walker), first);
        for second in (0..NODES).filter(|&second| second != first) {
            let rank = |node: u32| (std::cmp::Reverse(topology.outgoing.degree(node)), node);
            let second_is_first = match &topology.modes {
                Some(modes) => !modes.across(first, second) || modes.mode(first) == Some(Mode::Column),
                None => !topology.directed && rank(second) < rank(first),
            };
            let linked_back = topology.directed && topology.linked(second, first);
            if second_is_first || linked_back || topology.linked(first, second) {
                continue;
            }
            let ends =
                if topology.directed { (first, second) } else { (first.min(second), first.max(second)) };
            let line = covariates.rows(&[ends]);
            let value: f64 = line.row(0).iter().zip(coefficients).map(|(&x, beta)| f64::from(x) * beta).sum();
            let [one, other] = [&bounds.first()[first as usize], &bounds.second()[second as usize]];
            let near = walker.has_reached(second);
            let (apart, distance) = if near {
                let ends = [bounds.near_end(one, first), bounds.near_end(other, second)];
                (bounds.near_apart(&walker, &ends[0], &ends[1], second), Distance::Near)
            } else {
                (bounds.far_apart(one, other), Distance::Far)
            };
            let (three, exact) =
                (bounds.three_most(one, other, distance), bounds.longer_paths(&walker, first, second));
            assert!(three <= bounds.three_most_of_all() + 1e-9 && exact <= three + 1e-9);
            assert!(near || bounds.far(one, other) == apart + three);
            check(ends, near, apart + exact, value);
            let backwards = covariates.rows_of(Some(&walker), first, &[second], false);
            assert!(
                backwards
                    .row(0)
                    .iter()
                    .zip(line.row(0))
                    .all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + b.abs()))
            );
        }
    }
}

#[test]
fn no_pair_is_above_its_bound() {
    for seed in 0..60 {
        let rng = &mut Stream::seed_from_u64(seed);
        let (directed, bipartite) = (seed % 3 == 0, seed % 3 == 1);
        let (pairs, side_info) = (pairs(directed, bipartite, rng), side_info(directed, rng));
        let (covariates, _) = Covariates::of_pairs(&pairs, CovariateSet::Topology, &side_info);
        let covariates = covariates.unwrap();
        let coefficients: Vec<f64> =
            covariates.names().iter().map(|_| rng.random::<f64>() * 4.0 - 2.0).collect();
        let ranges = [Distance::Far, Distance::Near].map(|distance| covariates.ranges(distance));
        compare(&covariates, &coefficients, |ends, near, bound, value| {
            assert!(bound >= value - 1e-4, "{seed} {ends:?} {near}: {bound} {value}");
            let line = covariates.rows(&[ends]);
            for (column, (&x, [low, high])) in line.row(0).iter().zip(&ranges[usize::from(near)]).enumerate()
            {
                let (x, name) = (f64::from(x), &covariates.names()[column]);
                assert!(x >= low - 1e-4 && x <= high + 1e-4, "{name}: {x} of {low} to {high}");
            }
        });
        // Several ends together are bounded by what each of them is.
        let bounds = Bounds::new(&covariates, &coefficients);
        let hull = bounds.second().iter().copied().reduce(|one, other| one.or(&other)).unwrap();
        let far = |first: &End, second: &End| bounds.far(first, second);
        for first in bounds.first() {
            assert!(bounds.second().iter().all(|second| far(first, second) <= far(first, &hull) + 1e-9));
        }
    }
}

/// Without side information nothing of up to three steps is left open once longer paths are known.
#[test]
fn what_depends_on_links_is_exact() {
    for (directed, bipartite) in [(false, false), (true, false), (false, true)] {
        let rng = &mut Stream::seed_from_u64(7);
        let pairs = pairs(directed, bipartite, rng);
        let (covariates, _) = Covariates::of_pairs(&pairs, CovariateSet::Topology, &SideInfo::default());
        let covariates = covariates.unwrap();
        let mut coefficients: Vec<f64> =
            covariates.names().iter().map(|_| rng.random::<f64>() * 4.0 - 2.0).collect();
        // What lies beyond three steps is left open.
        let topology = covariates.topology.as_ref().unwrap();
        for (column, coefficient) in topology.columns().iter().zip(&mut coefficients).skip(topology.near()) {
            if !column.name.contains("row") && !column.name.contains("column") {
                *coefficient = 0.0;
            }
        }
        let mut seen = [0; 2];
        compare(&covariates, &coefficients, |ends, near, bound, value| {
            seen[usize::from(near)] += 1;
            assert!((bound - value).abs() < 1e-4, "{directed} {ends:?} {near}: {bound} {value}");
        });
        assert!(seen[0] > 100 && (seen[1] > 100) != bipartite, "{seen:?}");
    }
}
