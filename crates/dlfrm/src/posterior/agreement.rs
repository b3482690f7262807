//! Whether chains agree: on the most probable missing links, on probabilities of a fixed set of pairs, on features, and quantity
//! by quantity.
//! See "Do the chains agree?" in `docs/model.md`.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};

use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::chain::{Draw, Trace};
use crate::model::{Settings, sigmoid};
use crate::network::Mode;
use crate::random::{Purpose, stream};

use super::diagnose::{Diagnosis, FEWEST, diagnose, ess_bulk, r_hat};
use super::features::summarise;
use super::pool::log_odds_of_mean;
use super::predict::quantile;
use super::{Combination, Posterior};

/// Probed pairs of each kind: links, pairs at distance two, random pairs.
const EACH: usize = 100;
/// Pairs without a link of which the most probable are compared: all of them, or about so many.
const CANDIDATES: usize = 5_000;
/// How many of these are the most probable; half of all if there are fewer.
const TOP: usize = 20;
/// Up to this standard error nobody needs a better probability. A remedy halves a larger one, or reaches this.
const FINE: f64 = 0.01;
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
    /// Monte Carlo standard errors of the probabilities: 95 of 100 are below it. In a mixture what the chains of the features leave
    /// in the probability that is predicted: their own error times their share.
    pub error: Option<f64>,
    /// What would bring this error down, where it is not small.
    pub remedy: Option<Remedy>,
    /// Pairs without a link whose ranks were compared.
    pub candidates: usize,
    /// How many of these are in a list of the most probable.
    pub top: usize,
    /// How many of the most probable are in the list of each chain, on average. `None` without candidates.
    pub top_overlap: Option<f64>,
    /// Features that draws agree on.
    pub features: usize,
    /// Those that some chain does not have.
    pub disputed_features: usize,
}

/// What would bring the standard error of a probability down.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Remedy {
    /// What there would have to be more of.
    pub more: More,
    /// The standard error then.
    pub error: f64,
    /// About how long that takes.
    pub seconds: f64,
}

/// What there may be more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum More {
    /// So many draws more of each chain.
    Draws(usize),
    /// So many chains in all, because a chain seldom goes where the others are.
    Chains(usize),
}

impl Agreement {
    /// Chains agree on predictions up to this R-hat.
    pub(crate) const CONVERGED: f64 = 1.05;
    /// Beyond this R-hat chains that had all of their sweeps have found different things.
    const APART: f64 = 1.2;

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

impl Agreement {
    /// Which use the list of the most probable missing links is of.
    pub fn ranking(&self) -> Option<String> {
        let (top, overlap) = (self.top, self.top_overlap?);
        let who = if self.chains == 1 { "half of the only chain" } else { "chain" };
        let use_of = match overlap / top as f64 {
            share if share >= 0.8 => "the ranking can be used",
            share if share >= 0.5 => "the list can be used, not its order",
            _ => "neither the list nor its order can be relied on",
        };
        let (candidates, found) = (self.candidates, (10.0 * overlap).round() / 10.0);
        Some(format!(
            "Ranking: of the {top} most probable missing links (of {candidates} pairs), each {who} alone finds {found} on average; \
             {use_of}."
        ))
    }

    /// How exact probabilities are, and what would make them more exact.
    pub fn probabilities(&self) -> String {
        let (Some(r_hat), Some(error)) = (self.r_hat, self.error) else {
            return "There are too few draws to say whether chains agree. Run longer.".to_owned();
        };
        if !r_hat.is_finite() {
            let nothing = "Predictions do not move within a chain, so nothing can be said about agreement.";
            return format!("{nothing} Run longer.");
        }
        let who = if self.chains == 1 { "the halves of the only chain" } else { "chains" };
        let apart = self.remedy.is_some_and(|remedy| matches!(remedy.more, More::Chains(_)));
        let agree = match self.verdict() {
            Verdict::ChainsDisagree if apart => "do not agree, which more draws hardly change",
            Verdict::ChainsDisagree => "do not agree yet",
            _ => "agree",
        };
        // Not 1.05 for what is a little more.
        let hidden = self.disagrees() && r_hat < Self::CONVERGED + 0.005;
        let digits = if hidden { 4 } else { 2 };
        let rough = match self.verdict() {
            Verdict::RoughIntervals => "; intervals are rough, because there are few independent draws",
            _ => "",
        };
        let remedy = self.remedy.map(|Remedy { more, error, seconds }| {
            let what = match more {
                More::Draws(draws) => format!("{draws} more draws of each chain"),
                More::Chains(chains) => format!("A fit with {chains} chains"),
            };
            format!(" {what}, about {}, would make the standard error {error:.3}.", time(seconds))
        });
        format!(
            "Probabilities: the standard error is {error:.3}, and {who} {agree} (R-hat {r_hat:.digits$}){rough}.{}",
            remedy.unwrap_or_default()
        )
    }

    /// Whether the features of the chains are the same.
    pub fn groups(&self) -> Option<String> {
        let said = match (self.disputed_features, self.features) {
            (_, 0) => return None,
            _ if self.chains == 1 => "several chains would show whether they find the same".to_owned(),
            (0, 1) => "chains agree on the one feature".to_owned(),
            (0, all) => format!("chains agree on all {all} features"),
            (1, 1) => "chains disagree about the one feature, which is uncertain".to_owned(),
            (disputed, all) => {
                format!("chains disagree about {disputed} of {all} features, which are uncertain")
            }
        };
        Some(format!("Groups: {said}."))
    }
}

impl Display for Agreement {
    /// A line for each purpose: ranking, probabilities, groups.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let known = !matches!(self.verdict(), Verdict::TooFewDraws | Verdict::NothingMoves);
        let ranking = self.ranking().filter(|_| known).map(|line| line + "\n").unwrap_or_default();
        let groups = self.groups().filter(|_| known).map(|line| format!("\n{line}")).unwrap_or_default();
        write!(f, "{ranking}{}{groups}", self.probabilities())
    }
}

/// A time, roughly.
fn time(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{:.0} s", seconds.ceil()),
        ..5_400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3_600.0),
    }
}

impl Posterior {
    /// How far the chains agree; in a mixture those of the features, if these count. `links` are those of the network, sorted, and
    /// `seconds` the time that the fit took.
    pub fn agreement(&self, links: &[(u32, u32)], seconds: f64) -> Agreement {
        let chains = self.chains();
        let (probes, [r_hat, effective_draws, error]) = self.probe(links, &chains);
        let (features, disputed_features) = self.disputed();
        let (candidates, top, top_overlap) = self.top(links, chains.len());
        let remedy =
            r_hat.zip(error).and_then(|(r_hat, error)| self.remedy(chains.len(), r_hat, error, seconds));
        Agreement {
            chains: chains.len(),
            probes,
            r_hat,
            effective_draws: effective_draws.map(|negative| -negative),
            error,
            remedy,
            candidates,
            top,
            top_overlap,
            features,
            disputed_features,
        }
    }

    /// What would halve a standard error that is not small. It falls with the square root of the draws; or of the chains, where
    /// these have had all of their sweeps and still differ.
    fn remedy(&self, chains: usize, r_hat: f64, error: f64, seconds: f64) -> Option<Remedy> {
        let sweeps = self.traces().iter().map(|trace| trace.features.len()).max()?;
        let reached = (error / 2.0).max(FINE);
        // Less than a fifth off is not worth the time.
        if !r_hat.is_finite() || reached > 0.8 * error {
            return None;
        }
        let times = (error / reached).powi(2);
        let settings = self.settings();
        let (more, sweeps_more) = if chains > 1 && r_hat > Agreement::APART && sweeps >= Settings::SWEEPS {
            (More::Chains((chains as f64 * times).ceil() as usize), sweeps as f64 * times)
        } else {
            let counted = sweeps.saturating_sub(settings.burn_in);
            let draws = (counted as f64 * (times - 1.0) / settings.thin as f64).ceil();
            (More::Draws(draws as usize), draws * settings.thin as f64)
        };
        Some(Remedy { more, error: reached, seconds: seconds * sweeps_more / sweeps as f64 })
    }

    /// The number of candidates and of the most probable of them, and how many of these are in the list of each chain, on average.
    /// A chain ranks by what is predicted with its draws alone; in a mixture with those of the other part, too.
    fn top(&self, links: &[(u32, u32)], chains: usize) -> (usize, usize, Option<f64>) {
        let candidates = self.without_link(links);
        let top = TOP.min(candidates.len().div_ceil(2));
        let [features, covariates] = self.mixture_parts();
        let draws = if features.is_empty() { covariates } else { features };
        if top == 0 || draws.is_empty() {
            return (candidates.len(), top, None);
        }
        let owner = |(number, (draw, _)): (usize, &(&Draw, f64))| match chains {
            1 => 2 * number / draws.len(),
            _ => draw.chain,
        };
        let owners: Vec<usize> = draws.iter().enumerate().map(owner).collect();
        let mut counts = vec![0.0; owners.iter().max().map_or(0, |last| last + 1)];
        for &owner in &owners {
            counts[owner] += 1.0;
        }
        // Of every pair: in all draws, and in those of each chain.
        let lists = counts.len() + 1;
        let scores = self.over(&self.mixture(), &candidates, |logits, _| {
            let (own, other) = logits.split_at(owners.len());
            let weighed =
                |count: usize, log_odds: f64| if count == 0 { 0.0 } else { count as f64 * log_odds };
            let rest = weighed(other.len(), log_odds_of_mean(other.iter().copied()));
            let of = |chain: Option<usize>| {
                let draws =
                    own.iter().zip(&owners).filter(|(_, owner)| chain.is_none_or(|chain| chain == **owner));
                weighed(own.len(), log_odds_of_mean(draws.map(|(&logit, _)| logit))) + rest
            };
            let chains = (0..counts.len()).map(|chain| of(Some(chain)));
            std::iter::once(of(None)).chain(chains).collect::<Vec<_>>()
        });
        let list = |which: usize| {
            let score = |&pair: &usize| scores[pair * lists + which];
            let mut pairs: Vec<usize> = (0..candidates.len()).collect();
            pairs.sort_by(|one, other| score(other).total_cmp(&score(one)));
            pairs.truncate(top);
            pairs.into_iter().collect::<HashSet<usize>>()
        };
        let all = list(0);
        let of_chains: Vec<usize> = (1..lists).filter(|&chain| counts[chain - 1] > 0.0).collect();
        let common: usize = of_chains.iter().map(|&chain| list(chain).intersection(&all).count()).sum();
        (candidates.len(), top, Some(common as f64 / of_chains.len() as f64))
    }

    /// All pairs without a link, or a sample of them.
    fn without_link(&self, links: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let nodes = self.nodes as u32;
        let few =
            self.nodes.saturating_mul(self.nodes) <= if self.symmetric { 2 * CANDIDATES } else { CANDIDATES };
        let mut pairs: Vec<(u32, u32)> = if few {
            let all = (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j)));
            all.filter(|&(i, j)| (i < j || !self.symmetric) && self.possible(i, j)).collect()
        } else {
            self.probes(links, CANDIDATES / 2)
        };
        pairs.retain(|pair| links.binary_search(pair).is_err());
        pairs
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
        let probes = self.probes(links, EACH);
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
    fn probes(&self, links: &[(u32, u32)], each: usize) -> Vec<(u32, u32)> {
        let mut rng = stream(self.settings.seed, 0, 0, Purpose::Probe, 0);
        let oriented = |(i, j): (u32, u32)| if self.symmetric { (i.min(j), i.max(j)) } else { (i, j) };
        let mut probes: Vec<(u32, u32)> =
            links.iter().step_by(links.len().div_ceil(each).max(1)).copied().collect();
        let mut pick = |count: usize| rng.random_range(0..count);
        for _ in 0..if self.modes.is_some() { 0 } else { each } {
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
            for _ in 0..each {
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

    const LINKS: [(u32, u32); 3] = [(0, 1), (0, 2), (3, 4)];

    /// Two chains of 40 draws.
    fn posterior(draw: impl Fn(usize, usize) -> Draw) -> Posterior {
        let mut posterior = small_posterior("diag-dlfrm-l", false, 6);
        posterior.covariates = None;
        posterior.draws =
            (0..2).flat_map(|chain| (0..40).map(move |k| (chain, k))).map(|(c, k)| draw(c, k)).collect();
        posterior
    }

    fn agreement(draw: impl Fn(usize, usize) -> Draw) -> Agreement {
        posterior(draw).agreement(&LINKS, 2.0)
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
        let said = found.to_string();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(
            lines[0],
            "Ranking: of the 6 most probable missing links (of 12 pairs), each chain alone finds 6 on average; the ranking can be used."
        );
        assert!(lines[1].starts_with("Probabilities: the standard error is 0.0"), "{said}");
        assert!(lines[1].contains(", and chains agree (R-hat "), "{said}");
        assert_eq!(lines[2..], ["Groups: chains agree on all 2 features."]);
    }

    #[test]
    fn chains_that_do_not() {
        let found = agreement(|chain, k| of_chain(chain, 3.0 * chain as f64 + noise(chain, k), GROUPS));
        assert!(found.r_hat.unwrap() > 1.5, "{found:?}");
        assert!(found.to_string().contains("and chains do not agree yet (R-hat "), "{found}");
        let verdict = Agreement { r_hat: Some(1.0502), ..found }.to_string();
        assert!(verdict.contains("(R-hat 1.0502)"), "{verdict}");
        // One chain lacks the second group in a few draws less than half of all.
        let without: &[&[u32]] = &[&[0], &[0], &[0], &[], &[], &[]];
        let lacks = |chain: usize, k: usize| chain == 1 && k < 36;
        let found = agreement(|c, k| of_chain(c, noise(c, k), if lacks(c, k) { without } else { GROUPS }));
        assert_eq!((found.features, found.disputed_features), (2, 1));
        let said = "\nGroups: chains disagree about 1 of 2 features, which are uncertain.";
        assert!(found.to_string().ends_with(said), "{found}");
    }

    /// More draws where chains move, more chains where these have had all of their sweeps.
    #[test]
    fn what_makes_a_probability_more_exact() {
        let mut posterior = posterior(|c, k| of_chain(c, 3.0 * c as f64 + noise(c, k), GROUPS));
        let mut remedy = |burn_in: usize, thin: usize, sweeps: usize| {
            (posterior.settings.burn_in, posterior.settings.thin) = (burn_in, thin);
            posterior.traces[0].features = vec![1.0; sweeps];
            let found = posterior.agreement(&LINKS, 2.0);
            (found, found.remedy.unwrap())
        };
        // Half the error takes four times the sweeps after burn-in.
        let (found, Remedy { more, error, seconds }) = remedy(600, 2, 700);
        assert_eq!(
            (more, error, seconds),
            (More::Draws(150), found.error.unwrap() / 2.0, 2.0 * 300.0 / 700.0)
        );
        let said =
            format!(". 150 more draws of each chain, about 1 s, would make the standard error {error:.3}.");
        assert!(found.probabilities().ends_with(&said), "{found}");
        let (found, Remedy { more, seconds, .. }) = remedy(600, 2, 800);
        assert_eq!((more, seconds), (More::Chains(8), 8.0));
        assert!(found.probabilities().contains("do not agree, which more draws hardly change"), "{found}");
        assert!(found.probabilities().contains(". A fit with 8 chains, about 8 s, would make"), "{found}");
        // An error that is small needs none.
        let found = agreement(|_, _| of_chain(0, 0.5, GROUPS));
        assert_eq!((found.error, found.remedy), (Some(0.0), None));
        assert_eq!([0.2, 89.0, 600.0, 7_200.0].map(time), ["1 s", "89 s", "10 min", "2 h"]);
    }

    /// Each of two chains has another group, whose three pairs are the most probable.
    #[test]
    fn chains_that_rank_other_pairs_first() {
        let groups: [&[&[u32]]; 2] = [&[&[0], &[0], &[0], &[], &[], &[]], &[&[], &[], &[], &[0], &[0], &[0]]];
        let draw = |chain: usize, k: usize| {
            let parts = DrawParts {
                weights: vec![2.0 + noise(chain, k)],
                ..(*of_chain(chain, 0.0, groups[chain])).clone()
            };
            Draw::of(parts)
        };
        let mut posterior = posterior(draw);
        let found = posterior.agreement(&[], 2.0);
        // Fifteen pairs, of which the top eight have both groups: each chain has its own, and the first five of the others.
        assert_eq!((found.candidates, found.top), (15, 8));
        let overlap = found.top_overlap.unwrap();
        assert!((5.0..8.0).contains(&overlap), "{overlap}");
        let ranking = |overlap| Agreement { top_overlap: Some(overlap), ..found }.ranking().unwrap();
        assert!(ranking(6.5).ends_with("; the ranking can be used."));
        assert!(ranking(4.0).ends_with("finds 4 on average; the list can be used, not its order."));
        assert!(ranking(3.9).ends_with("neither the list nor its order can be relied on."));
        // Halves of one chain are compared as chains are.
        posterior.draws =
            posterior.draws.iter().map(|draw| Draw::of(DrawParts { chain: 0, ..(**draw).clone() })).collect();
        let halves = posterior.agreement(&[], 2.0);
        assert_eq!((halves.chains, halves.top_overlap), (1, Some(overlap)));
        assert!(halves.ranking().unwrap().contains("each half of the only chain alone finds"));
    }

    #[test]
    fn one_chain_agrees_with_itself_at_best() {
        let found = agreement(|_, k| of_chain(0, noise(0, k), GROUPS));
        assert!(found.converged(), "{found:?}");
        let verdict = found.to_string();
        assert!(verdict.contains(", and the halves of the only chain agree (R-hat "), "{verdict}");
        assert!(
            verdict.ends_with("Groups: several chains would show whether they find the same."),
            "{verdict}"
        );
    }

    #[test]
    fn probabilities_that_never_vary_are_agreed_on() {
        let found = agreement(|chain, _| of_chain(chain, 0.5, GROUPS));
        assert_eq!((found.r_hat, found.effective_draws, found.error), (Some(1.0), Some(80.0), Some(0.0)));
        assert!(found.to_string().contains("is 0.000, and chains agree (R-hat 1.00)"), "{found}");
        // Chains that never move but differ do not agree.
        let found = agreement(|chain, _| of_chain(chain, chain as f64, GROUPS));
        assert!(!found.converged(), "{found:?}");
        assert!(!found.to_string().contains("Ranking"), "{found}");
    }

    #[test]
    fn too_few_draws() {
        let mut posterior = small_posterior("diag-dlfrm-l", false, 6);
        posterior.draws.truncate(1);
        let found = posterior.agreement(&[], 1.0);
        assert_eq!((found.r_hat, found.converged()), (None, false));
        assert_eq!(found.to_string(), "There are too few draws to say whether chains agree. Run longer.");
    }
}
