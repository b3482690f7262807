//! Which pairs of a network are learned from: all that are observed, or a sample of the non-links.

use serde::{Deserialize, Serialize};

use super::memory;
use crate::covariates::SideInfo;
use crate::error::{Error, NothingToLearn, Result};
use crate::model::{ValidSettings, number};
use crate::network::{Network, Pairs};
use crate::split::{Protocol, check_negatives};

/// Where there are more pairs than this, non-links are sampled. A pair takes about 25 bytes while the pairs are
/// gathered, 13 afterwards and 8 in every chain that runs: some 3 GB at this number and four chains.
const MOST_PAIRS: u64 = 50_000_000;
/// More than these are refused even so.
const MOST_SAMPLED_PAIRS: u64 = 500_000_000;

/// Which pairs are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairPlan {
    /// Whether an undirected pair stands for two, one in each direction.
    pub ordered: bool,
    /// Non-links per link, where they are sampled; `None` if all observed pairs are learned from.
    pub negatives: Option<f64>,
}

impl PairPlan {
    /// As many non-links per link as the caller chooses. Without a choice all are learned from, unless the networks have
    /// too many pairs together.
    pub fn new<'a>(
        networks: impl IntoIterator<Item = &'a Network>,
        ordered: bool,
        negatives: Option<f64>,
    ) -> Self {
        let all = Self { ordered, negatives: None };
        let pairs: f64 = networks.into_iter().map(|network| all.count(network)).sum();
        Self { ordered, negatives: negatives.or((pairs > MOST_PAIRS as f64).then_some(Protocol::NEGATIVES)) }
    }

    /// How many pairs of a network are learned from: no more than are observed.
    pub fn count(self, network: &Network) -> f64 {
        let all = Self { negatives: None, ..self };
        self.asked(network).min(all.asked(network))
    }

    /// How many pairs of a network are asked for. Any number is possible.
    fn asked(self, network: &Network) -> f64 {
        let pairs = match self.negatives {
            Some(negatives) => (1.0 + negatives) * network.links().len() as f64,
            None => network.observed_count() as f64,
        };
        if self.ordered && !network.directed() { 2.0 * pairs } else { pairs }
    }

    /// How many pairs the largest of some networks has: what the defaults depend on.
    pub fn largest<'a>(self, networks: impl IntoIterator<Item = &'a Network>) -> f64 {
        networks.into_iter().map(|network| self.count(network)).fold(0.0, f64::max)
    }

    /// Refuses networks that are too large together, before their pairs fill the memory.
    pub fn check<'a>(self, networks: impl IntoIterator<Item = &'a Network>) -> Result<()> {
        if let Some(negatives) = self.negatives {
            check_negatives(negatives)?;
        }
        let pairs: f64 = networks.into_iter().map(|network| self.asked(network)).sum();
        let most = if self.negatives.is_some() { MOST_SAMPLED_PAIRS } else { MOST_PAIRS };
        if pairs > most as f64 {
            return Err(Error::Network(format!(
                "{} pairs are more than {most}: sample fewer non-links (negatives)",
                number(pairs.round())
            )));
        }
        Ok(())
    }

    /// Gathers the pairs of a network; the seed decides which non-links are sampled.
    pub fn gather(self, network: &Network, seed: u64) -> Result<Pairs> {
        match self.negatives {
            None => Ok(Pairs::observed(network, self.ordered)),
            Some(negatives) => Pairs::sampled(network, self.ordered, negatives, seed),
        }
    }

    /// The estimated bytes of fits to some networks.
    pub fn memory<'a>(
        self,
        networks: impl IntoIterator<Item = &'a Network>,
        side_info: &SideInfo,
        settings: &ValidSettings,
    ) -> f64 {
        let threads = rayon::current_num_threads();
        let each = networks.into_iter().map(|network| {
            memory::estimate(network.len(), self.count(network), side_info, settings, threads)
        });
        each.sum()
    }
}

/// Refuses a network that nothing can be learned from.
pub fn check_network(network: &Network) -> Result<()> {
    learnable(network).map_err(Error::NothingToLearn)
}

/// Whether something can be learned from a network.
pub(super) fn learnable(network: &Network) -> std::result::Result<(), NothingToLearn> {
    let (nodes, pairs, links) = (network.len(), network.observed_count(), network.links().len() as u64);
    let mixed = nodes > 1 && 0 < links && links < pairs;
    if mixed { Ok(()) } else { Err(NothingToLearn { nodes, pairs, links }) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::network::Nodes;

    fn network(n: usize, directed: bool, links: &[(u32, u32)]) -> Network {
        Network::new(Arc::new(Nodes::numbered(n)), directed, links.iter().copied()).unwrap()
    }

    #[test]
    fn nothing_to_learn() {
        let refused =
            |n, links: &[(u32, u32)]| check_network(&network(n, true, links)).unwrap_err().to_string();
        assert!(refused(1, &[]).contains("this one has 1"));
        assert!(refused(3, &[]).contains("none of the 6"));
        assert!(refused(2, &[(0, 1), (1, 0)]).contains("all 2"));
    }

    #[test]
    fn large_networks_are_sampled() {
        let negatives =
            |networks: &[Network], ordered, asked| PairPlan::new(networks, ordered, asked).negatives;
        let network = |n, directed| network(n, directed, &[(0, 1)]);
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
        let network = network(20_000, true, &[(0, 1), (1, 2)]);
        let check = |negatives| PairPlan { ordered: false, negatives }.check([&network]);
        let message = check(None).unwrap_err().to_string();
        assert!(message.starts_with("399980000 pairs are more than 50000000:"), "{message}");
        assert!(check(Some(10.0)).is_ok());
        assert!(check(Some(1e9)).is_err());
    }
}
