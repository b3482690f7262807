//! From a network that was read to the pairs that a model learns from.

use anyhow::bail;
use dlfrm::network::{Network, Pair, Pairs, Unlisted};

/// More pairs than this need the methods for large networks. A pair takes about 25 bytes while the pairs are
/// gathered, 13 afterwards and 8 in every chain that runs: some 3 GB at this number and four chains.
const MOST_PAIRS: u64 = 50_000_000;

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

/// Refuses networks that are too large together, before their pairs fill the memory.
pub(crate) fn check_size<'a>(
    networks: impl IntoIterator<Item = &'a Network>,
    asymmetric: bool,
) -> anyhow::Result<()> {
    let mut pairs = 0_u64;
    for network in networks {
        let copies = if asymmetric && !network.directed() { 2 } else { 1 };
        pairs = pairs.saturating_add(count_observed(network).saturating_mul(copies));
    }
    if pairs > MOST_PAIRS {
        bail!(
            "{pairs} pairs are more than {MOST_PAIRS}: larger networks need pairs that are sampled, which a \
             later version will do"
        );
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
    }

    #[test]
    fn relations_are_too_large_together() {
        let network =
            |n, directed| Network::new(Arc::new(Entities::numbered(n)), directed, [(0, 1)]).unwrap();
        let told = |networks: &[Network], asymmetric| match check_size(networks, asymmetric) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        assert!(told(&[network(20_000, true)], false).starts_with("399980000 pairs are more than 50000000:"));
        let five = vec![network(3_500, true); 5];
        assert_eq!(told(&five[..4], false), "");
        assert!(told(&five, false).starts_with("61232500 pairs"));
        assert_eq!(told(&[network(8_000, false)], false), "");
        assert!(told(&[network(8_000, false)], true).starts_with("63992000 pairs"));
    }
}
