//! What a caller may choose about a fit, which pairs are learned from (all that are observed, or a sample of the non-links), and
//! the memory that it takes.

use serde::{Deserialize, Serialize};

use crate::covariates::{SideInfo, bytes_a_pair};
use crate::error::{Error, NothingToLearn, PairsFor, Result};
use crate::model::{Loss, Model, Overrides, ValidSettings, ibp};
use crate::network::{Division, Network, Pairs};
use crate::split::{Protocol, check_negatives};

/// Whether several relations have the same features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// A development set decides, in networks that are not large.
    #[default]
    Auto,
    /// Each relation has features of its own, as in the paper.
    Separate,
    /// All relations have the same features, and weights of their own.
    Shared,
}

/// What a caller may choose about a fit. The default is what `dlfrm fit` does without flags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FitOptions {
    /// The model; `None` for the one that is usual for so many pairs ([`Model::usual`]).
    pub model: Option<Model>,
    /// Settings that differ from the defaults of the model and of the size of the network.
    pub settings: Overrides,
    /// Treat an undirected link as two directed ones with a full weight matrix, as the paper does.
    pub asymmetric: bool,
    /// Non-links per link that are learned from, drawn at random. `None` learns from all of them, or from ten per link
    /// where there are more than 50 million pairs.
    pub negatives: Option<f64>,
    /// Whether several relations have the same features.
    pub sharing: Sharing,
    /// The share of the pairs that is held out of the fit to be scored on; of the links, with as many non-links, where
    /// non-links are sampled.
    pub hold_out: Option<f64>,
    /// Bytes that the fit may take: it is refused if the estimate is larger.
    pub memory_limit: Option<f64>,
}

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

    /// How many pairs all of them have together.
    pub fn all<'a>(self, networks: impl IntoIterator<Item = &'a Network>) -> f64 {
        networks.into_iter().map(|network| self.count(network)).sum()
    }

    /// Refuses networks that are too large together, before their pairs fill the memory.
    pub fn check<'a>(self, networks: impl IntoIterator<Item = &'a Network>) -> Result<()> {
        if let Some(negatives) = self.negatives {
            check_negatives(negatives)?;
        }
        let pairs: f64 = networks.into_iter().map(|network| self.asked(network)).sum();
        let most = if self.negatives.is_some() { MOST_SAMPLED_PAIRS } else { MOST_PAIRS };
        if pairs > most as f64 {
            return Err(Error::TooManyPairs { purpose: PairsFor::Fit { pairs, most } });
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
        let each = networks
            .into_iter()
            .map(|network| estimate(network.len(), self.count(network), side_info, settings, threads));
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

/// The bytes of a pair: while it is gathered and sorted, once it is in place, and its rate (and its offset, if it has one
/// of its own) in each running chain.
const GATHERED: f64 = 24.0;
const IN_PLACE: f64 = 14.0;
const RATE: f64 = 8.0;
/// What a node takes in the lists of the pairs, and in each running chain beside its features.
const LISTED: f64 = 16.0;
const NODE: f64 = 64.0;

/// Estimates the bytes of a fit to so many pairs of nodes, with as many chains running at once as there are threads; in a
/// large network one chain runs after the other.
///
/// Intercept and coefficients alone take nothing per pair beside the covariates. K is not known before: five times what the
/// buffet expects is assumed, with two alpha of the features per node. The network itself and the side information are not
/// counted, but what these add to pairs and draws is.
fn estimate(nodes: usize, pairs: f64, side_info: &SideInfo, settings: &ValidSettings, threads: usize) -> f64 {
    let nodes = nodes as f64;
    let features = 5.0 * settings.alpha * ibp::harmonic(nodes as usize);
    let row = 4.0 * (1.0 + 2.0 * settings.alpha);
    let lists = pairs * IN_PLACE + nodes * LISTED;
    let lines = if settings.model.diagonal() || 4.0 * pairs < nodes * nodes {
        0.0
    } else {
        // In a dense network collapsed rows have what each feature does to all nodes, on two sides; as odds, too, under the
        // logistic loss.
        let tables = if settings.model.loss == Loss::Logistic { 4.0 } else { 2.0 };
        tables * 8.0 * nodes * features
    };
    let covariates = bytes_a_pair(settings.covariates, side_info) as f64;
    let linear = pairs * covariates;
    let offset = if settings.linear() || !side_info.is_empty() { RATE } else { 0.0 };
    // An effect of each node on either end, and in a running chain the sums over the pairs of each end: of rates, and of
    // rates times covariates, which are twice as wide as in the lines of the pairs.
    let ends = settings.node_effects || side_info.nodes.is_some();
    let (effects, sums) = if ends { (16.0, 2.0 * (8.0 + 2.0 * covariates)) } else { (0.0, 0.0) };
    let rates = if settings.without_rates(0) && !ends { 0.0 } else { pairs * (RATE + offset) };
    let chain = rates + nodes * (NODE + 2.0 * row + effects + sums) + lines;
    let weights = 8.0 * if settings.model.diagonal() { features } else { features * features };
    let draws = (settings.chains * settings.draws) as f64 * (nodes * (row + effects) + weights);
    let at_once = if pairs > Division::LARGE as f64 { 1 } else { settings.chains.min(threads) };
    let running = at_once as f64 * chain + draws + linear;
    lists + running.max(pairs * GATHERED)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::covariates::{Attributes, Field, FieldValues};
    use crate::model::Settings;
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

    #[test]
    fn more_of_anything_takes_more() {
        let bytes = |nodes, pairs, chains, threads, model: &str| {
            let settings = Settings { chains, ..Settings::for_model(model.parse().unwrap()) };
            estimate(nodes, pairs, &SideInfo::default(), &settings.check().unwrap(), threads)
        };
        let base = bytes(1000, 1e5, 4, 2, "dlfrm-l");
        assert!(base > 1e5 * (IN_PLACE + 2.0 * RATE));
        for (nodes, pairs, chains, threads) in
            [(2000, 1e5, 4, 2), (1000, 1e6, 4, 2), (1000, 1e5, 8, 2), (1000, 1e5, 4, 4)]
        {
            assert!(bytes(nodes, pairs, chains, threads, "dlfrm-l") > base);
        }
        assert!(bytes(1000, 9e5, 4, 2, "diag-dlfrm-l") < bytes(1000, 9e5, 4, 2, "dlfrm-l"));
        // Chains of large networks take turns, and threads without chains do nothing.
        assert_eq!(bytes(1000, 2e6, 4, 2, "dlfrm-l"), bytes(1000, 2e6, 4, 4, "dlfrm-l"));
        assert_eq!(bytes(1000, 1e5, 4, 9, "dlfrm-l"), bytes(1000, 1e5, 4, 4, "dlfrm-l"));
        let with = |node_effects, side_info: &SideInfo| {
            let settings = Settings { node_effects, ..Settings::default() };
            estimate(1000, 1e6, side_info, &settings.check().unwrap(), 2)
        };
        let nothing = SideInfo::default();
        // As many numbers as a block has columns: however full the last block is, there is one more.
        let number = |field: u32| {
            let values = (0..1000).map(|node| Some(f64::from(node % (field + 2)))).collect();
            Field { name: format!("number {field}"), values: FieldValues::Numbers(values) }
        };
        let numbers = Attributes::new(1000, (0..8).map(number).collect()).unwrap();
        let known = SideInfo { nodes: Some(Arc::new(numbers)), pairs: None };
        // Two chains run, and each has sums of covariates, which are numbers of eight bytes, for either end.
        let columns = 2.0 * bytes_a_pair(Settings::default().covariates, &nothing) as f64;
        assert!(with(true, &nothing) > with(false, &nothing) + 2.0 * 1000.0 * 2.0 * columns);
        // A further block of covariates.
        assert!(with(false, &known) > with(true, &nothing) + 1e6 * 32.0 - 1.0);
    }
}
