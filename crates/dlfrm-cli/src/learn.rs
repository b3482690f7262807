//! From a network that was read to the pairs that a model learns from.

use anyhow::bail;
use dlfrm::network::{Network, Pair, Pairs, Unlisted};

/// More pairs than this need the methods for large networks.
const MOST_PAIRS: u64 = 200_000_000;

/// How many pairs of a network are observed, each counted once.
pub(crate) fn count_observed(network: &Network) -> u64 {
    let n = network.len() as u64;
    match network.unlisted() {
        Unlisted::NonLink => {
            let all = n * n.saturating_sub(1) / if network.directed() { 1 } else { 2 };
            all - network.unobserved().len() as u64
        }
        Unlisted::Unobserved => (network.links().len() + network.non_links().len()) as u64,
    }
}

/// Refuses a network that nothing can be learned from.
pub(crate) fn check(network: &Network) -> anyhow::Result<()> {
    let n = network.len();
    let links = network.links().len() as u64;
    match (n, count_observed(network), links) {
        (0 | 1, _, _) => bail!("a network needs at least two entities, this one has {n}"),
        (_, 0, _) => bail!("no pair is observed, so there is nothing to learn"),
        (_, pairs, 0) => bail!("none of the {pairs} observed pairs is a link, so there is nothing to learn"),
        (_, pairs, _) if links == pairs => {
            bail!("all {pairs} observed pairs are links, so there is nothing to learn")
        }
        _ => Ok(()),
    }
}

/// Refuses a network that is too large, before its pairs fill the memory.
pub(crate) fn check_size(network: &Network, asymmetric: bool) -> anyhow::Result<()> {
    let copies = if asymmetric && !network.directed() { 2 } else { 1 };
    let pairs = copies * count_observed(network);
    if pairs > MOST_PAIRS {
        bail!("{pairs} pairs are more than {MOST_PAIRS}: networks of this size come in a later version");
    }
    Ok(())
}

/// All observed pairs. An undirected pair stands once and for both directions, or with `asymmetric` once for
/// each direction, as in the paper.
pub(crate) fn observed(network: &Network, asymmetric: bool) -> Pairs {
    let doubled = asymmetric && !network.directed();
    let back = |pair: Pair| doubled.then_some(Pair { source: pair.target, target: pair.source, ..pair });
    let pairs = network.observed().flat_map(|pair| std::iter::once(pair).chain(back(pair)));
    Pairs::new(network.len(), !network.directed() && !asymmetric, pairs)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dlfrm::network::Entities;

    use super::*;

    #[test]
    fn undirected_pairs_stand_once_or_twice() {
        let network = Network::new(Arc::new(Entities::numbered(4)), false, [(2, 1), (0, 3)]).unwrap();
        let (once, twice) = (observed(&network, false), observed(&network, true));
        assert_eq!((once.len(), once.links(), once.symmetric()), (6, 2, true));
        assert_eq!((twice.len(), twice.links(), twice.symmetric()), (12, 4, false));
        assert_eq!(count_observed(&network), 6);
    }

    #[test]
    fn nothing_to_learn() {
        let network = |n, links: &[(u32, u32)]| {
            Network::new(Arc::new(Entities::numbered(n)), true, links.iter().copied()).unwrap()
        };
        let refused = |n, links: &[(u32, u32)]| check(&network(n, links)).unwrap_err().to_string();
        assert!(refused(1, &[]).contains("this one has 1"));
        assert!(refused(3, &[]).contains("none of the 6"));
        assert!(refused(2, &[(0, 1), (1, 0)]).contains("all 2"));
        let large = check_size(&network(20_000, &[(0, 1)]), false).unwrap_err().to_string();
        assert!(large.contains("399980000 pairs are more than 200000000"), "{large}");
    }
}
