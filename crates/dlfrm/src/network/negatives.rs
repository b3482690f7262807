//! Which non-links are tested beside held-out links: any, those of busy nodes, or those two steps apart.

use rand::RngExt;

use super::sample::{available, code, non_links, pair};
use super::{Adjacency, Network, Pair, Pairs, Unlisted};
use crate::error::{Error, Result};
use crate::named::named;
use crate::random::Stream;

/// Which non-links are tested, where links are held out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TestNegatives {
    /// Any observed non-link, all being equally likely (name: `uniform`).
    ///
    /// Most are between nodes of few links, so that degrees alone predict well.
    #[default]
    Uniform,
    /// A non-link with the probability of its ends meeting by chance: the source in proportion to its training links, the
    /// target to its own, one after the other without repeats (name: `degree`). Degrees alone predict little then.
    Degree,
    /// Any non-link whose ends have a common neighbour in training, directions ignored, all being equally likely (name:
    /// `hard`). Triadic closure alone predicts little then.
    Hard,
}

impl TestNegatives {
    /// Every kind that there is.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Degree, Self::Hard];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Degree => "degree",
            Self::Hard => "hard",
        }
    }
}

named!(TestNegatives, "kind of negatives", Self::ALL);

/// Networks with no more candidates than this are gone through; in others candidates are drawn.
const FEW: u64 = 5_000_000;
/// Draws for each non-link that is wanted, before it is said that there are too few.
const PATIENCE: usize = 200;

/// Draws `count` different non-links of a network of some kind, given the training links; sorted.
pub(super) fn draw(
    kind: TestNegatives,
    network: &Network,
    ordered: bool,
    train_links: &[(u32, u32)],
    count: usize,
    rng: &mut Stream,
) -> Result<Vec<(u32, u32)>> {
    if kind == TestNegatives::Hard && network.modes().is_some() {
        return Err(Error::Network(
            "test negatives hard are pairs two steps apart, and in a bipartite network no row is two steps from a column: take \
             uniform or degree"
                .to_owned(),
        ));
    }
    let asked = Asked { network, ordered, train_links, count, few: FEW };
    let kept = match kind {
        TestNegatives::Uniform => return non_links(network, ordered, count, rng),
        TestNegatives::Degree => by_degree(&asked, rng)?,
        TestNegatives::Hard => two_steps_apart(&asked, rng)?,
    };
    Ok(kept.into_iter().map(pair).collect())
}

/// What to draw: so many non-links of a network, given the training links.
#[derive(Clone, Copy)]
struct Asked<'a> {
    network: &'a Network,
    ordered: bool,
    train_links: &'a [(u32, u32)],
    count: usize,
    /// Up to so many candidates are gone through.
    few: u64,
}

/// The pair as it is tested: without an order the smaller id is first.
fn oriented(network: &Network, ordered: bool, source: u32, target: u32) -> (u32, u32) {
    let any = network.directed() || ordered;
    if any || source < target { (source, target) } else { (target, source) }
}

/// Whether a pair was observed and is no link.
fn is_non_link(network: &Network, source: u32, target: u32) -> bool {
    let key = if network.directed() || source < target { (source, target) } else { (target, source) };
    let stands = |list: &[(u32, u32)]| list.binary_search(&key).is_ok();
    network.possible(source, target)
        && !stands(network.links())
        && match network.unlisted() {
            Unlisted::NonLink => !stands(network.unobserved()),
            Unlisted::Unobserved => stands(network.non_links()),
        }
}

fn too_few(count: usize, found: usize, what: &str) -> Error {
    Error::Network(format!(
        "{count} test non-links are asked for, but only {found} {what}: take other test negatives, or hold out fewer links"
    ))
}

fn by_degree(asked: &Asked<'_>, rng: &mut Stream) -> Result<Vec<u64>> {
    let Asked { network, ordered, train_links, count, few } = *asked;
    let both_ways = !network.directed() && !ordered;
    let what = "were found between nodes with training links";
    if available(network, ordered) > few && network.unlisted() == Unlisted::NonLink {
        // The ends of random links: a source as often as it has links, and a target likewise.
        return by_drawing(count, what, || {
            let [one, other] = [0, 1].map(|_| train_links[rng.random_range(0..train_links.len())]);
            let (source, target) = if both_ways {
                let end = |(i, j): (u32, u32), rng: &mut Stream| if rng.random() { i } else { j };
                (end(one, rng), end(other, rng))
            } else {
                (one.0, other.1)
            };
            is_non_link(network, source, target).then(|| oriented(network, ordered, source, target))
        });
    }
    let (mut out, mut back) = (vec![0.0; network.len()], vec![0.0; network.len()]);
    for &(i, j) in train_links {
        out[i as usize] += 1.0;
        back[j as usize] += 1.0;
    }
    if both_ways {
        for (out, back) in out.iter_mut().zip(&mut back) {
            *out += *back;
            *back = *out;
        }
    }
    // Draws without repeats in proportion to weights are the smallest of exponential times with these rates.
    let mut times: Vec<(f64, u64)> = network
        .observed_in(ordered)
        .filter(|pair| !pair.link)
        .filter_map(|pair| {
            let rate = out[pair.source as usize] * back[pair.target as usize];
            let time = -(1.0 - rng.random::<f64>()).ln() / rate;
            (rate > 0.0).then(|| (time, code(pair.source, pair.target)))
        })
        .collect();
    if times.len() < count {
        return Err(too_few(count, times.len(), what));
    }
    times.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<u64> = times[..count].iter().map(|&(_, code)| code).collect();
    chosen.sort_unstable();
    Ok(chosen)
}

fn two_steps_apart(asked: &Asked<'_>, rng: &mut Stream) -> Result<Vec<u64>> {
    let Asked { network, ordered, train_links, count, few } = *asked;
    let mut once: Vec<(u32, u32)> = train_links.iter().map(|&(i, j)| (i.min(j), i.max(j))).collect();
    once.sort_unstable();
    once.dedup();
    let labelled = once.into_iter().map(|(source, target)| Pair { source, target, link: true });
    let graph = Adjacency::undirected(&Pairs::new(network.len(), true, labelled));
    let apart = |i: u32, j: u32| graph.neighbours(i).binary_search(&j).is_err() && is_non_link(network, i, j);
    let both_ways = network.directed() || ordered;
    let what = "pairs two steps apart in training are non-links";
    let wedges = |u: u32| graph.degree(u) as u64 * graph.degree(u).saturating_sub(1) as u64;
    // The wedges up to each node in their middle: where to look for a random one.
    let mut ends: Vec<u64> = Vec::with_capacity(graph.len());
    for u in 0..graph.len() as u32 {
        ends.push(ends.last().copied().unwrap_or(0) + wedges(u));
    }
    let all = ends.last().copied().unwrap_or(0);
    if all > few {
        return by_drawing(count, what, || {
            let place = rng.random_range(0..all);
            let middle = ends.partition_point(|&end| end <= place) as u32;
            let neighbours = graph.neighbours(middle);
            let source = rng.random_range(0..neighbours.len());
            let target = rng.random_range(0..neighbours.len() - 1);
            let (i, j) = (neighbours[source], neighbours[target + usize::from(target >= source)]);
            let (i, j) = oriented(network, ordered, i, j);
            let mut ways = 0;
            graph.for_each_common(i, j, |_| ways += 1);
            // A pair is met once for every common neighbour, and kept as if it had one.
            (apart(i, j) && rng.random_range(0..ways) == 0).then_some((i, j))
        });
    }
    let mut found: Vec<u64> = Vec::new();
    for middle in 0..graph.len() as u32 {
        let neighbours = graph.neighbours(middle);
        for &i in neighbours {
            for &j in neighbours.iter().filter(|&&j| j != i && (both_ways || i < j)) {
                if apart(i, j) {
                    found.push(code(i, j));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.len() < count {
        return Err(too_few(count, found.len(), what));
    }
    super::sample::drop_at_random(&mut found, count, rng);
    found.sort_unstable();
    Ok(found)
}

/// Draws candidates until so many different ones are found; sorted.
fn by_drawing(
    count: usize,
    what: &str,
    mut candidate: impl FnMut() -> Option<(u32, u32)>,
) -> Result<Vec<u64>> {
    let mut chosen = std::collections::BTreeSet::new();
    for _ in 0..PATIENCE.saturating_mul(count) {
        if chosen.len() == count {
            break;
        }
        if let Some((source, target)) = candidate() {
            chosen.insert(code(source, target));
        }
    }
    if chosen.len() < count {
        return Err(too_few(count, chosen.len(), what));
    }
    Ok(chosen.into_iter().collect())
}

#[cfg(test)]
mod tests;
