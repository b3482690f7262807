//! From a network that was read to the pairs that a model learns from.

use anyhow::bail;
use dlfrm::covariates::SideInfo;
use dlfrm::memory;
use dlfrm::model::ValidSettings;
use dlfrm::network::{Network, Pairs, Protocol};

/// Where there are more pairs than this, non-links are sampled. A pair takes about 25 bytes while the pairs are
/// gathered, 13 afterwards and 8 in every chain that runs: some 3 GB at this number and four chains.
const MOST_PAIRS: u64 = 50_000_000;
/// More than these are refused even so.
const MOST_SAMPLED_PAIRS: u64 = 500_000_000;

/// Refuses a network that nothing can be learned from.
pub(crate) fn check(network: &Network) -> anyhow::Result<()> {
    let n = network.len();
    let links = network.links().len() as u64;
    match (n, network.observed_count(), links) {
        (0 | 1, _, _) => bail!("a network needs at least two entities, this one has {n}"),
        (_, 0, _) => bail!("no pair is observed, so there is nothing to learn"),
        (_, pairs, 0) => bail!("none of the {pairs} observed pairs is a link, so there is nothing to learn"),
        (_, pairs, _) if links == pairs => {
            bail!("all {pairs} observed pairs are links, so there is nothing to learn")
        }
        _ => Ok(()),
    }
}

/// How many non-links a link are sampled: as many as the user asks for; if nothing is asked for, none are sampled
/// but all are learned from, unless the networks have too many pairs for that.
pub(crate) fn negatives<'a>(
    networks: impl IntoIterator<Item = &'a Network>,
    asymmetric: bool,
    asked: Option<f64>,
) -> Option<f64> {
    let pairs: f64 = networks.into_iter().map(|network| pairs(network, asymmetric, None)).sum();
    asked.or((pairs > MOST_PAIRS as f64).then_some(Protocol::NEGATIVES))
}

/// Refuses networks that are too large together, before their pairs fill the memory.
pub(crate) fn check_size<'a>(
    networks: impl IntoIterator<Item = &'a Network>,
    asymmetric: bool,
    negatives: Option<f64>,
) -> anyhow::Result<()> {
    let pairs: f64 = networks.into_iter().map(|network| pairs(network, asymmetric, negatives)).sum();
    let most = if negatives.is_some() { MOST_SAMPLED_PAIRS } else { MOST_PAIRS };
    if pairs > most as f64 {
        bail!("{pairs:.0} pairs are more than {most}: sample fewer non-links (--negatives)");
    }
    Ok(())
}

/// The pairs of a network to learn from: all observed ones, or so many non-links a link.
pub(crate) fn from(
    network: &Network,
    asymmetric: bool,
    negatives: Option<f64>,
    seed: u64,
) -> dlfrm::Result<Pairs> {
    match negatives {
        None => Ok(Pairs::observed(network, asymmetric)),
        Some(negatives) => Pairs::sampled(network, asymmetric, negatives, seed),
    }
}

/// How many pairs the largest of some networks has to learn from: what the defaults go by.
pub(crate) fn most_pairs<'a>(
    networks: impl IntoIterator<Item = &'a Network>,
    asymmetric: bool,
    negatives: Option<f64>,
) -> f64 {
    networks.into_iter().map(|network| pairs(network, asymmetric, negatives)).fold(0.0, f64::max)
}

/// The bytes that fits to some networks take, one after the other or all at once.
pub(crate) fn memory<'a>(
    networks: impl IntoIterator<Item = &'a Network>,
    asymmetric: bool,
    negatives: Option<f64>,
    given: &SideInfo,
    settings: &ValidSettings,
) -> f64 {
    let threads = rayon::current_num_threads();
    let each = networks.into_iter().map(|network| {
        memory::estimate(network.len(), pairs(network, asymmetric, negatives), given, settings, threads)
    });
    each.sum()
}

/// How many pairs of a network are learned from. A number of any size, as a user may ask for any.
fn pairs(network: &Network, asymmetric: bool, negatives: Option<f64>) -> f64 {
    let pairs = match negatives {
        Some(negatives) => (1.0 + negatives) * network.links().len() as f64,
        None => network.observed_count() as f64,
    };
    if asymmetric && !network.directed() { 2.0 * pairs } else { pairs }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dlfrm::network::Entities;

    use super::*;

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
    fn large_networks_are_sampled() {
        let network =
            |n, directed| Network::new(Arc::new(Entities::numbered(n)), directed, [(0, 1)]).unwrap();
        assert_eq!(negatives(&[network(20_000, true)], false, None), Some(10.0));
        assert_eq!(negatives(&[network(20_000, true)], false, Some(3.0)), Some(3.0));
        assert_eq!(negatives(&[network(200, true)], false, Some(3.0)), Some(3.0));
        // Relations are too large together, and both directions of a pair count where they stand apart.
        let five = vec![network(3_500, true); 5];
        assert_eq!(negatives(&five[..4], false, None), None);
        assert_eq!(negatives(&five, false, None), Some(10.0));
        assert_eq!(negatives(&[network(8_000, false)], false, None), None);
        assert_eq!(negatives(&[network(8_000, false)], true, None), Some(10.0));
    }

    #[test]
    fn too_many_pairs_are_refused() {
        let network = Network::new(Arc::new(Entities::numbered(20_000)), true, [(0, 1), (1, 2)]).unwrap();
        let told = check_size([&network], false, None).unwrap_err().to_string();
        assert!(told.starts_with("399980000 pairs are more than 50000000:"), "{told}");
        assert!(check_size([&network], false, Some(10.0)).is_ok());
        assert!(check_size([&network], false, Some(1e9)).is_err());
    }
}
