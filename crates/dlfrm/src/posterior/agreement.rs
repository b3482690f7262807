//! Whether chains agree: on link probabilities of a fixed set of pairs, on features, and quantity by quantity.
//! See "Do the chains agree?" in `docs/model.md`.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};

use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::chain::{Draw, Trace};
use crate::model::sigmoid;
use crate::network::Mode;
use crate::random::{Purpose, stream};

use super::diagnose::{Diagnosis, FEWEST, diagnose, ess_bulk, r_hat};
use super::features::summarise;
use super::predict::quantile;
use super::{Combination, Posterior};

/// Probed pairs of each kind: links, pairs at distance two, random pairs.
const EACH: usize = 100;
/// An interval from fewer effective draws than this is rough.
const ENOUGH: f64 = 100.0;
/// A chain has a feature if the most similar one of its draws has at least half of both in common, on average.
const SAME: f64 = 0.5;

/// How far the chains of a fit agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// How many chains there are. One is compared with itself: its first half with its second.
    pub chains: usize,
    /// Pairs whose probabilities were compared.
    pub probes: usize,
    /// R-hat of the probabilities: 95 of 100 are below it. `None` if there are too few draws.
    pub r_hat: Option<f64>,
    /// Effective draws of the probabilities: 95 of 100 have more.
    pub effective_draws: Option<f64>,
    /// Monte Carlo standard errors of the probabilities: 95 of 100 are below it.
    pub error: Option<f64>,
    /// Features that draws agree on.
    pub features: usize,
    /// Those that some chain does not have.
    pub disputed_features: usize,
}

impl Agreement {
    /// Chains agree on predictions up to this R-hat.
    pub(crate) const CONVERGED: f64 = 1.05;

    /// Whether there are enough draws to say that predictions of the chains do not agree.
    pub fn disagrees(&self) -> bool {
        self.r_hat.is_some_and(|r_hat| r_hat.is_finite() && r_hat > Self::CONVERGED)
    }

    /// Whether the predictions of the chains agree.
    pub fn converged(&self) -> bool {
        self.r_hat.is_some_and(|r_hat| r_hat <= Self::CONVERGED)
    }

    /// What it says: the first that holds.
    pub fn verdict(&self) -> Verdict {
        match self.r_hat {
            None => Verdict::TooFewDraws,
            Some(r_hat) if !r_hat.is_finite() => Verdict::NothingMoves,
            Some(r_hat) if r_hat > Self::CONVERGED => Verdict::ChainsDisagree,
            Some(_) if self.chains == 1 => Verdict::OneChain,
            Some(_) if self.disputed_features > 0 => Verdict::DisputedFeatures,
            Some(_) if self.effective_draws.is_some_and(|draws| draws < ENOUGH) => Verdict::RoughIntervals,
            Some(_) => Verdict::ChainsAgree,
        }
    }
}

/// What the agreement of chains says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There are too few draws to say anything.
    TooFewDraws,
    /// Predictions do not move within a chain, so nothing can be said.
    NothingMoves,
    /// Chains do not agree on predictions yet.
    ChainsDisagree,
    /// The halves of the only chain agree: several chains would show whether they find the same.
    OneChain,
    /// Chains agree on predictions, but not on features.
    DisputedFeatures,
    /// Chains agree, but intervals are rough, because there are few independent draws.
    RoughIntervals,
    /// Chains agree.
    ChainsAgree,
}

impl Display for Agreement {
    /// What it says, with the figures and what to do; `{:#}` has no full stop, so that more can follow.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let verdict = self.verdict();
        let agree = self.converged();
        match (self.r_hat, self.error) {
            (Some(r_hat), Some(error)) if verdict != Verdict::NothingMoves => {
                let who = if self.chains == 1 { "The halves of the only chain" } else { "Chains" };
                let agree = if agree { "agree on predictions" } else { "do not agree on predictions yet" };
                // Not 1.05 for what is a little more.
                let hidden = !self.converged() && r_hat < Self::CONVERGED + 0.005;
                let digits = if hidden { 4 } else { 2 };
                write!(
                    f,
                    "{who} {agree} (R-hat {r_hat:.digits$}, standard error of a probability {error:.3})"
                )?;
            }
            (Some(_), _) => {
                f.write_str(
                    "Predictions do not move within a chain, so nothing can be said about agreement",
                )?;
            }
            _ => f.write_str("There are too few draws to say whether chains agree")?,
        }
        let they = if agree { " and" } else { "; they agree" };
        match (self.disputed_features, self.features) {
            (_, 0) => {}
            _ if self.chains == 1 => {}
            (0, 1) => write!(f, "{they} on the one feature")?,
            (0, 2) => write!(f, "{they} on both features")?,
            (0, all) => write!(f, "{they} on all {all} features")?,
            (1, 1) => f.write_str("; they disagree about the one feature")?,
            (disputed, all) => write!(f, "; they disagree about {disputed} of {all} features")?,
        }
        f.write_str(match verdict {
            Verdict::TooFewDraws | Verdict::NothingMoves | Verdict::ChainsDisagree => ". Run longer",
            Verdict::OneChain => "; several chains would show whether they find the same",
            Verdict::DisputedFeatures if self.features == 1 => ", which is uncertain",
            Verdict::DisputedFeatures => ", which are uncertain",
            Verdict::RoughIntervals => "; intervals are rough, because there are few independent draws",
            Verdict::ChainsAgree => "",
        })?;
        f.write_str(if f.alternate() { "" } else { "." })
    }
}

impl Posterior {
    /// How far the chains agree; in a mixture those of the features, if these count. `links` are those of the network, sorted.
    pub fn agreement(&self, links: &[(u32, u32)]) -> Agreement {
        let chains = self.chains();
        let (probes, [r_hat, effective_draws, error]) = self.probe(links, &chains);
        let (features, disputed_features) = self.disputed();
        let effective_draws = effective_draws.map(|negative| -negative);
        Agreement { chains: chains.len(), probes, r_hat, effective_draws, error, features, disputed_features }
    }

    /// The R-hat of the agreement, alone.
    pub(crate) fn probe_r_hat(&self, links: &[(u32, u32)]) -> Option<f64> {
        self.probe(links, &self.chains()).1[0]
    }

    /// The R-hat between earlier and later draws, all chains taken together: whether they still move to somewhere else.
    pub(crate) fn probe_drift(&self, links: &[(u32, u32)]) -> Option<f64> {
        let mut draws: Vec<&Draw> = self.compared().0.iter().collect();
        draws.sort_by_key(|draw| draw.sweep);
        self.probe(links, &[draws]).1[0]
    }

    /// The draws that are compared, with what is taken from their logits and how much their part counts.
    fn compared(&self) -> (&[Draw], f64, f64) {
        match (self.covariates_part(), self.combination()) {
            (Some((draws, settings)), Some(Combination { features: 0.0, .. })) => {
                (draws, self.raised_by(settings), 1.0)
            }
            (_, shares) => {
                (&self.draws, self.raised_log_odds(), shares.map_or(1.0, |shares| shares.features))
            }
        }
    }

    /// The draws of each chain.
    fn chains(&self) -> Vec<Vec<&Draw>> {
        self.compared().0.chunk_by(|a, b| a.chain == b.chain).map(|chain| chain.iter().collect()).collect()
    }

    /// The number of probes; R-hat, negative effective draws and standard errors of their probabilities, 95 of 100 being below.
    fn probe(&self, links: &[(u32, u32)], chains: &[Vec<&Draw>]) -> (usize, [Option<f64>; 3]) {
        let probes = self.probes(links);
        let covariates = self.covariates_of(&probes);
        let (_, raised, share) = self.compared();
        let diagnosed: Vec<Option<[f64; 3]>> = (probes.par_iter().enumerate())
            .map(|(number, &(i, j))| {
                let line = covariates.row(number);
                let probability = |draw: &&Draw| sigmoid(draw.logit(i as usize, j as usize, line) - raised);
                let values: Vec<Vec<f64>> =
                    chains.iter().map(|chain| chain.iter().map(probability).collect()).collect();
                let slices: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
                let (r_hat, effective) = (r_hat(&slices)?, ess_bulk(&slices)?);
                let all = values.concat();
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let variance = all.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / all.len() as f64;
                Some([r_hat, -effective, share * (variance / effective).sqrt()])
            })
            .collect();
        let shortest = chains.iter().map(Vec::len).min().unwrap_or(0);
        // Probabilities that never vary are agreed on.
        let constant = shortest >= FEWEST && !probes.is_empty() && diagnosed.iter().all(Option::is_none);
        if constant {
            let draws = chains.iter().map(Vec::len).sum::<usize>() as f64;
            return (probes.len(), [Some(1.0), Some(-draws), Some(0.0)]);
        }
        let worst = |which: usize| {
            let mut values: Vec<f64> = diagnosed.iter().flatten().map(|values| values[which]).collect();
            values.sort_unstable_by(f64::total_cmp);
            (!values.is_empty()).then(|| quantile(&values, 0.95))
        };
        (probes.len(), [0, 1, 2].map(worst))
    }

    /// Links, pairs whose ends have a link to the same node (in a bipartite network pairs of ends of random links), and random
    /// pairs: the same for the same network and seed.
    fn probes(&self, links: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut rng = stream(self.settings.seed, 0, 0, Purpose::Probe, 0);
        let oriented = |(i, j): (u32, u32)| if self.symmetric { (i.min(j), i.max(j)) } else { (i, j) };
        let mut probes: Vec<(u32, u32)> =
            links.iter().step_by(links.len().div_ceil(EACH).max(1)).copied().collect();
        let mut pick = |count: usize| rng.random_range(0..count);
        for _ in 0..if self.modes.is_some() { 0 } else { EACH } {
            if !links.is_empty() {
                let (hub, one) = links[pick(links.len())];
                let first = links.partition_point(|link| link.0 < hub);
                let others = links[first..].iter().take_while(|link| link.0 == hub).count();
                probes.push((one, links[first + pick(others)].1));
            }
            probes.push((pick(self.nodes) as u32, pick(self.nodes) as u32));
        }
        if let Some(modes) = &self.modes {
            // In a bipartite network a row is three steps from a column that it has no link to, or further.
            let [rows, columns] = [Mode::Row, Mode::Column].map(|mode| modes.members(mode));
            for _ in 0..EACH {
                if !links.is_empty() {
                    let [one, other] = [0, 1].map(|_| modes.row_first(links[pick(links.len())]));
                    probes.push((one.0, other.1));
                }
                if !rows.is_empty() && !columns.is_empty() {
                    probes.push((rows[pick(rows.len())], columns[pick(columns.len())]));
                }
            }
        }
        let mut seen = HashSet::new();
        probes
            .into_iter()
            .map(oriented)
            .filter(|&(i, j)| self.possible(i, j) && seen.insert((i, j)))
            .collect()
    }

    /// How many features draws agree on, and how many of them some chain does not have.
    fn disputed(&self) -> (usize, usize) {
        let Some(consensus) = self.consensus() else { return (0, 0) };
        let mut disputed = vec![false; consensus.features()];
        for chain in self.draws().chunk_by(|a, b| a.chain == b.chain) {
            for summary in summarise(chain, &consensus) {
                disputed[summary.feature] |= summary.stability.is_some_and(|stability| stability < SAME);
            }
        }
        (disputed.len(), disputed.iter().filter(|&&disputed| disputed).count())
    }
}

/// The diagnosis of one quantity over the sweeps after burn-in.
#[derive(Debug, Clone, Serialize)]
pub struct Convergence {
    /// What was traced.
    pub quantity: &'static str,
    /// R-hat: near 1 where chains agree.
    pub r_hat: f64,
    /// Effective sample size of the bulk.
    pub ess_bulk: f64,
    /// Effective sample size of the tails.
    pub ess_tail: f64,
}

/// One quantity of a trace, sweep by sweep.
type Column = fn(&Trace) -> &[f64];

const QUANTITIES: [(&str, Column); 6] = [
    ("K", |trace| &trace.features),
    ("log joint", |trace| &trace.log_joint),
    ("alpha", |trace| &trace.alpha),
    ("nu", |trace| &trace.nu),
    ("nu-between", |trace| &trace.nu_between),
    ("intercept", |trace| &trace.intercept),
];

impl Posterior {
    /// The diagnosis of every quantity that varies; nothing if the chains are too short.
    pub fn convergence(&self) -> Vec<Convergence> {
        let burn_in = self.settings().burn_in;
        let diagnose_one = |(quantity, of): (&'static str, Column)| {
            // A fit that was ended early may have chains without a kept draw.
            let chains: Vec<&[f64]> = self
                .traces()
                .iter()
                .filter_map(|trace| of(trace).get(burn_in..))
                .filter(|values| !values.is_empty())
                .collect();
            let Diagnosis { r_hat, ess_bulk, ess_tail } = diagnose(&chains)?;
            Some(Convergence { quantity, r_hat, ess_bulk, ess_tail })
        };
        QUANTITIES.into_iter().filter_map(diagnose_one).collect()
    }

    /// The largest R-hat of all quantities; `None` if the chains are too short.
    pub fn worst_r_hat(&self) -> Option<f64> {
        self.convergence().iter().map(|one| one.r_hat).max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{draw_of, small_posterior};
    use super::*;
    use crate::chain::DrawParts;
    use crate::model::Shape;

    fn of_chain(chain: usize, intercept: f64, rows: &[&[u32]]) -> Draw {
        let draw = draw_of(Shape::Diagonal, rows, 0.0);
        Draw::of(DrawParts { chain, intercept, ..(*draw).clone() })
    }

    fn agreement(draw: impl Fn(usize, usize) -> Draw) -> Agreement {
        let mut posterior = small_posterior("diag-dlfrm-l", false, 6);
        posterior.covariates = None;
        posterior.draws =
            (0..2).flat_map(|chain| (0..40).map(move |k| (chain, k))).map(|(c, k)| draw(c, k)).collect();
        posterior.agreement(&[(0, 1), (0, 2), (3, 4)])
    }

    const GROUPS: &[&[u32]] = &[&[0], &[0], &[0], &[1], &[1], &[]];

    /// A pseudo-random number between 0 and 1.
    fn noise(chain: usize, k: usize) -> f64 {
        ((chain * 7919 + k * 104_729) % 997) as f64 / 997.0
    }

    #[test]
    fn chains_that_agree() {
        let found = agreement(|chain, k| of_chain(chain, noise(chain, k), GROUPS));
        assert!(found.converged(), "{found:?}");
        assert_eq!((found.features, found.disputed_features), (2, 0));
        assert!(found.to_string().starts_with("Chains agree on predictions (R-hat "), "{found}");
        assert!(found.to_string().contains(" and on both features"), "{found}");
    }

    #[test]
    fn chains_that_do_not() {
        let found = agreement(|chain, k| of_chain(chain, 3.0 * chain as f64 + noise(chain, k), GROUPS));
        assert!(found.r_hat.unwrap() > 1.5, "{found:?}");
        assert!(found.to_string().starts_with("Chains do not agree on predictions yet"), "{found}");
        let verdict = Agreement { r_hat: Some(1.0502), ..found }.to_string();
        assert!(verdict.contains("(R-hat 1.0502, "), "{verdict}");
        // One chain lacks the second group in a few draws less than half of all.
        let without: &[&[u32]] = &[&[0], &[0], &[0], &[], &[], &[]];
        let lacks = |chain: usize, k: usize| chain == 1 && k < 36;
        let found = agreement(|c, k| of_chain(c, noise(c, k), if lacks(c, k) { without } else { GROUPS }));
        assert_eq!((found.features, found.disputed_features), (2, 1));
        assert!(found.to_string().contains("disagree about 1 of 2 features"), "{found}");
    }

    #[test]
    fn one_chain_agrees_with_itself_at_best() {
        let found = agreement(|_, k| of_chain(0, noise(0, k), GROUPS));
        assert!(found.converged(), "{found:?}");
        let verdict = found.to_string();
        let begins = verdict.starts_with("The halves of the only chain agree on predictions (R-hat ");
        assert!(begins && verdict.ends_with("find the same.") && !verdict.contains("feature"), "{verdict}");
    }

    #[test]
    fn probabilities_that_never_vary_are_agreed_on() {
        let found = agreement(|chain, _| of_chain(chain, 0.5, GROUPS));
        assert_eq!((found.r_hat, found.effective_draws, found.error), (Some(1.0), Some(80.0), Some(0.0)));
        assert!(found.to_string().starts_with("Chains agree on predictions (R-hat 1.00, "), "{found}");
        // Chains that never move but differ do not agree.
        let found = agreement(|chain, _| of_chain(chain, chain as f64, GROUPS));
        assert!(!found.converged(), "{found:?}");
    }

    #[test]
    fn too_few_draws() {
        let mut posterior = small_posterior("diag-dlfrm-l", false, 6);
        posterior.draws.truncate(1);
        let found = posterior.agreement(&[]);
        assert_eq!((found.r_hat, found.converged()), (None, false));
        assert!(found.to_string().starts_with("There are too few draws"), "{found}");
    }
}
