//! Pairs that are held out of a fit, and how well it predicts them.

use serde::{Deserialize, Serialize};

use super::options::{FitOptions, PairPlan, check_network};
use crate::error::{Error, Result};
use crate::model::{Loss, Settings, number};
use crate::network::{Network, Pair, Relation, Unlisted};
use crate::posterior::Posterior;
use crate::random::run_seed;
use crate::score::{auc, average_precision, log_loss};
use crate::split::{HeldOut, Protocol, Split, SplitOptions};

/// Pairs that are held out of a fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LeftOut {
    /// The pairs, in the order of (source, target); an undirected one with the smaller id first.
    pub pairs: Vec<Pair>,
    /// Those of them that the network lists as non-links, in the same order.
    pub non_links: Vec<(u32, u32)>,
}

/// Pairs that were held out of a fit, with how well it predicts them.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOutPairs {
    /// The pairs.
    pub left_out: LeftOut,
    /// How well they are predicted.
    pub scores: HeldOutScores,
}

/// How well a fit predicts pairs that it did not learn from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeldOutScores {
    /// How many pairs were held out.
    pub pairs: usize,
    /// How many of them are links.
    pub links: usize,
    /// Area under the ROC curve; `None` if all of them are links, or none is.
    pub auc: Option<f64>,
    /// Average precision.
    pub ap: Option<f64>,
    /// Mean log loss; `None` for scores that are no probabilities, and where as many non-links as links are held out:
    /// links are not as frequent there as in the network.
    pub log_loss: Option<f64>,
}

impl HeldOutPairs {
    /// Scores a posterior on pairs that it did not learn from; none if there is no pair.
    pub(super) fn new(left_out: LeftOut, posterior: &Posterior) -> Option<Self> {
        let pairs = &left_out.pairs;
        if pairs.is_empty() {
            return None;
        }
        let ends: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.source, pair.target)).collect();
        let labels: Vec<bool> = pairs.iter().map(|pair| pair.link).collect();
        let ranks = posterior.score(&ends);
        let calibrated =
            posterior.settings().model.loss == Loss::Logistic && posterior.non_link_share() >= 1.0;
        let scores = HeldOutScores {
            pairs: pairs.len(),
            links: labels.iter().filter(|&&link| link).count(),
            auc: auc(&ranks, &labels),
            ap: average_precision(&ranks, &labels),
            log_loss: if calibrated { log_loss(&posterior.predict_mean(&ends), &labels) } else { None },
        };
        Some(Self { left_out, scores })
    }
}

impl LeftOut {
    /// Whether a pair is held out as a link or as a non-link; nothing if it is not held out.
    pub fn label(&self, pair: (u32, u32)) -> Option<bool> {
        position(&self.pairs, pair).ok().map(|at| self.pairs[at].link)
    }

    /// The links among the pairs.
    pub fn links(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pairs.iter().filter(|pair| pair.link).map(|pair| (pair.source, pair.target))
    }
}

impl FitOptions {
    /// Refuses a share of held-out pairs that is none.
    pub fn check_hold_out(&self) -> Result<()> {
        match self.hold_out {
            Some(share) if !(share > 0.0 && share < 1.0) => {
                let expected = "between 0 and 1, both excluded";
                Err(Error::Setting { name: "hold-out", expected, value: number(share) })
            }
            _ => Ok(()),
        }
    }
}

/// The relations without a share of their pairs, and those pairs: of all pairs as `dlfrm evaluate` holds them out in its first
/// run; of the links, with as many non-links, where non-links are sampled.
pub(super) fn hold_out(
    relations: &[Relation],
    share: f64,
    options: &FitOptions,
) -> Result<(Vec<Relation>, Vec<LeftOut>)> {
    options.check_hold_out()?;
    let networks = relations.iter().map(|relation| &relation.network);
    let sampled = PairPlan::new(networks, options.asymmetric, options.negatives).negatives.is_some();
    let protocol = if sampled { Protocol::Links } else { Protocol::Pairs };
    let split = SplitOptions { held_out: HeldOut::Fraction(share), ..SplitOptions::new(protocol) };
    // All relations hold out the same pairs of nodes, so that no relation shows what another one hides.
    let seed = run_seed(options.settings.over(Settings::default()).seed, 0);
    let (mut rest, mut held_out) = (vec![], vec![]);
    for Relation { name, network } in relations {
        let divide = || {
            let pairs = Split::with_options(network, &split, seed)?.test;
            let listed = network.non_links().iter().copied();
            let non_links = listed.filter(|&pair| position(&pairs, pair).is_ok()).collect();
            Ok((without(network, &pairs)?, LeftOut { pairs, non_links }))
        };
        let (network, out) = divide().map_err(|error: Error| error.in_relation(name.as_deref()))?;
        if out.pairs.is_empty() {
            return Err(Error::HoldOut { share, held_out: false }.in_relation(name.as_deref()));
        }
        rest.push(Relation { name: name.clone(), network });
        held_out.push(out);
    }
    let learnable = |some: &[Relation]| some.iter().any(|relation| check_network(&relation.network).is_ok());
    if learnable(relations) && !learnable(&rest) {
        return Err(Error::HoldOut { share, held_out: true });
    }
    Ok((rest, held_out))
}

/// A network that knows nothing of some of its pairs.
pub(super) fn without(network: &Network, held_out: &[Pair]) -> Result<Network> {
    let kept = |list: &[(u32, u32)]| -> Vec<(u32, u32)> {
        list.iter().copied().filter(|&pair| position(held_out, pair).is_err()).collect()
    };
    let rest = Network::new(network.nodes().clone(), network.directed(), kept(network.links()))?;
    let listed = network.unlisted() == Unlisted::NonLink;
    let unknown = held_out.iter().filter(|_| listed).map(|pair| (pair.source, pair.target));
    let unobserved = network.unobserved().iter().copied().chain(unknown);
    let rest = rest.with_labels(kept(network.non_links()), unobserved, network.unlisted())?;
    match network.modes() {
        Some(modes) => rest.with_modes(modes.clone()),
        None => Ok(rest),
    }
}

/// Where a pair is among pairs in order.
fn position(pairs: &[Pair], pair: (u32, u32)) -> std::result::Result<usize, usize> {
    pairs.binary_search_by_key(&pair, |pair| (pair.source, pair.target))
}

#[cfg(test)]
mod tests {
    use super::super::Fit;
    use super::*;
    use crate::evaluate::{Evaluation, Splits};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::Overrides;

    fn network(directed: bool) -> Network {
        let settings = GenerateSettings { nodes: 40, directed, seed: 3, ..GenerateSettings::default() };
        generate(&settings).unwrap().network
    }

    fn options(hold_out: f64, draws: usize) -> FitOptions {
        let settings =
            Overrides { chains: Some(2), burn_in: Some(8), draws: Some(draws), ..Overrides::default() };
        FitOptions { settings, hold_out: Some(hold_out), ..FitOptions::default() }
    }

    #[test]
    fn pairs_are_those_of_an_evaluation_and_not_learned_from() {
        for directed in [false, true] {
            let network = network(directed);
            let relations = [Relation::from(network.clone())];
            let (rest, held_out) = hold_out(&relations, 0.1, &options(0.1, 4)).unwrap();
            let how = SplitOptions { held_out: HeldOut::Fraction(0.1), ..SplitOptions::new(Protocol::Pairs) };
            let evaluation =
                Evaluation { splits: Splits::Drawn(how), seed: 1, ..Evaluation::new(&relations) };
            assert_eq!(held_out[0].pairs, evaluation.draw(0).unwrap()[0].test);
            let (all, left) = (network.observed_count(), rest[0].network.observed_count());
            assert_eq!(all - left, held_out[0].pairs.len() as u64);
            let links = held_out[0].links().count();
            assert!(links > 0 && rest[0].network.links().len() + links == network.links().len());
            let sampled = FitOptions { negatives: Some(2.0), ..options(0.1, 4) };
            let (_, held_out) = hold_out(&relations, 0.1, &sampled).unwrap();
            let links = held_out[0].links().count();
            assert_eq!(
                (links, held_out[0].pairs.len()),
                ((0.1 * network.links().len() as f64).round() as usize, 2 * links)
            );
        }
    }

    #[test]
    fn a_fit_is_scored_on_them() {
        let fit = |options| Fit::network(network(false)).options(options).run().unwrap();
        let model = fit(options(0.2, 6));
        let relation = &model.relations[0];
        let HeldOutPairs { left_out, scores } = relation.held_out.as_ref().unwrap();
        let pairs = &left_out.pairs;
        let labels: Vec<bool> = pairs.iter().map(|pair| pair.link).collect();
        let ends: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.source, pair.target)).collect();
        let probabilities = relation.posterior.predict_mean(&ends);
        assert_eq!(scores.auc, auc(&relation.posterior.score(&ends), &labels));
        assert_eq!(scores.log_loss, log_loss(&probabilities, &labels));
        assert!(scores.auc.unwrap() > 0.5 && scores.pairs == 156, "{scores:?}");
        // Known links are no missing ones; other pairs that were held out may be.
        let missing = model.missing_of(relation, 1000, None);
        assert_eq!(missing.len(), 780 - network(false).links().len());
        assert!(missing.iter().all(|&(i, j, _)| left_out.label((i, j)) != Some(true)));
        assert_eq!(relation.known_links(), network(false).links());
        // A sample has other rates of links.
        let sampled = fit(FitOptions { negatives: Some(2.0), ..options(0.2, 6) });
        let scores = sampled.relations[0].held_out.as_ref().unwrap().scores;
        assert!(scores.auc.is_some() && scores.log_loss.is_none());
    }
}
