//! The most probable of all pairs, found without scoring all of them.
//!
//! Pairs are taken by their first end. Those that a walk of two steps reaches are bounded one by one, the others in cells of like
//! second ends. A pair whose bound is too low to be among the best is not looked at further; of the others the mean logit
//! is computed, which bounds the mean probability, and if need be the probability itself.

use rayon::prelude::*;

use crate::covariates::{Distance, NearEnd, Walker};
use crate::kernel::workers::Workers;

use super::candidate::{Best, Candidate};
use super::cells::{Cell, cells};
use super::finalists::{Finalists, settle};
use super::least_logit::LeastLogit;
use super::mean_draw::MeanDraw;
use super::scorer::Scorer;
use super::variation::Variation;
use super::{Posterior, Prediction, TopPairs};

/// Pairs whose covariates are computed at once.
const PAIRS: usize = 1_024;

/// With more draws features are looked at last.
const FEW_DRAWS: usize = 64;

/// How much is done and kept at the same time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portions {
    /// First ends that are searched before the others learn what they have found: few at first, while nothing is known of the
    /// best, then some from everywhere.
    pub(super) batches: [usize; 3],
    /// Pairs of one first end that are kept, unless more are asked for.
    pub(super) kept: usize,
    /// Pairs of all of them that are kept until the end, unless more are asked for.
    pub(super) finalists: usize,
}

impl Default for Portions {
    fn default() -> Self {
        Self { batches: [16, 256, 2_048], kept: 4_096, finalists: 1 << 20 }
    }
}

/// What is needed to search.
pub(super) struct Search<'a> {
    pub(super) portions: Portions,
    posterior: &'a Posterior,
    query: &'a TopPairs<'a>,
    scorer: Scorer<'a>,
    mean: MeanDraw<'a>,
    variation: Variation,
    least_logit: LeastLogit,
    cells: Vec<Cell>,
    /// Whether the first end of a pair is that of the lower rank, as where a pair stands for both directions.
    ranked: bool,
    seconds: Vec<Second>,
    /// All entities by rank.
    order: Vec<u32>,
}

/// What is looked up of a second end that a walk has reached: close together, as most of the time is spent on it.
struct Second {
    end: NearEnd,
    /// What effect and features add at most.
    others: f64,
    rank: u32,
}

/// Reused memory.
#[derive(Default)]
struct Scratch {
    walker: Option<Walker>,
    row: Vec<f64>,
}

/// What was found, and how much was looked at for it.
#[derive(Debug, Default)]
pub(super) struct Found {
    list: Vec<Candidate>,
    /// Pairs whose covariates were computed.
    looked_at: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(posterior: &'a Posterior, query: &'a TopPairs<'a>) -> Self {
        let mean = MeanDraw::new(posterior);
        let mut order: Vec<u32> = (0..posterior.entities() as u32).collect();
        // Whatever the order is, ranks follow it: with covariates of links the first end has the larger degree.
        let own = |entity: u32| {
            let place = entity as usize;
            mean.first(entity).own() + mean.effects[0][place] + mean.latent.most[0][place]
        };
        let key: Vec<(f64, f64)> = order.iter().map(|&entity| (mean.first(entity).logarithm(), own(entity))).collect();
        let links = posterior.covariates().is_some_and(|covariates| covariates.know_links());
        order.sort_by(|&a, &b| {
            let (a, b) = (key[a as usize], key[b as usize]);
            if links { b.0.total_cmp(&a.0) } else { b.1.total_cmp(&a.1) }
        });
        let mut ranks = vec![0; order.len()];
        (0..).zip(&order).for_each(|(rank, &entity)| ranks[entity as usize] = rank);
        let second = |(entity, rank): (u32, u32)| Second {
            end: mean.near_end(entity),
            others: mean.effects[1][entity as usize] + mean.latent.most[1][entity as usize],
            rank,
        };
        let (ranked, seconds) = (posterior.symmetric(), (0..).zip(ranks).map(second).collect());
        let least_logit = LeastLogit::new(mean.spread);
        let (scorer, cells) = (Scorer::new(posterior), cells(&mean));
        let portions = Portions::default();
        let variation = Variation::new(posterior.draws(), &mean.latent, posterior.entities());
        Self { portions, posterior, query, scorer, mean, variation, least_logit, cells, ranked, seconds, order }
    }

    /// The most probable pairs, and how many were looked at.
    pub(super) fn run(&self) -> (Vec<(u32, u32, Prediction)>, usize) {
        let mut finalists = Finalists::new(self.posterior, self.query.count, self.scorer, self.portions.finalists);
        let mut looked_at = 0;
        // Bounds are those of pairs without a link.
        let links = self.posterior.covariates().into_iter().flat_map(|covariates| covariates.links());
        let links: Vec<(u32, u32)> = links.filter(|&(i, j)| !(self.query.exclude)(i, j)).collect();
        looked_at += links.len();
        for links in links.chunks(1 << 16) {
            finalists.add(self.posterior.candidates(links));
        }
        let workers = Workers::<Scratch>::default();
        for batch in self.batches() {
            let least = finalists.least();
            let search = |&first: &u32| workers.with(|scratch| self.from(first, least, scratch));
            let found: Vec<Found> = batch.par_iter().map(search).collect();
            looked_at += found.iter().map(|found| found.looked_at).sum::<usize>();
            finalists.add(found.into_iter().flat_map(|found| found.list).collect());
        }
        (finalists.finish(), looked_at)
    }

    /// All first ends.
    fn batches(&self) -> Vec<Vec<u32>> {
        let [few, some, many] = self.portions.batches;
        let (start, left) = self.order.split_at(few.min(self.order.len()));
        let stride = left.len().div_ceil(some).max(1);
        let everywhere = left.iter().copied().step_by(stride).collect();
        let others = left.iter().copied().enumerate().filter(|(place, _)| place % stride > 0);
        let others: Vec<u32> = others.map(|(_, entity)| entity).collect();
        let mut batches = vec![start.to_vec(), everywhere];
        batches.extend(others.chunks(many).map(<[u32]>::to_vec));
        batches
    }

    /// Whether a pair with this first end has this second end.
    fn pairs_with(&self, first: u32, second: u32) -> bool {
        let [one, other] = [first, second].map(|entity| self.seconds[entity as usize].rank);
        if self.ranked { one < other } else { one != other }
    }

    fn from(&self, first: u32, least: f64, scratch: &mut Scratch) -> Found {
        let covariates = self.posterior.covariates();
        if scratch.walker.is_none() {
            scratch.walker = covariates.and_then(|covariates| covariates.walker());
        }
        let mut source = FromSource {
            search: self,
            first,
            best: Best::new(self.query.count),
            needed: self.needed(least),
            least,
            row_is_known: false,
            found: Found::default(),
        };
        if let (Some(covariates), Some(walker), Some(bounds)) = (covariates, &mut scratch.walker, &self.mean.bounds) {
            covariates.walk(Some(walker), first);
            let [reached, linked_back] = covariates.near(walker, first);
            let end = self.mean.first(first);
            let near_end = bounds.near_end(&end, first);
            let rank = self.seconds[first as usize].rank;
            let needed = source.needed - self.mean.of_first(first);
            let bound = |&second: &u32| {
                let known = &self.seconds[second as usize];
                if self.ranked && known.rank < rank {
                    return None;
                }
                let apart = bounds.near_apart(walker, &near_end, &known.end, second);
                if apart + bounds.three_most_of_all() + known.others < needed {
                    return None;
                }
                let three = bounds.three_most(&end, &self.mean.second(second), Distance::Near);
                if apart + three + known.others < needed {
                    return None;
                }
                let most = apart + bounds.longer_paths(walker, first, second) + self.mean.of_ends(first, second);
                (most + self.mean.latent.most_of(first, second) >= source.needed).then_some((second, most))
            };
            let mut near: Vec<(u32, f64)> = reached.iter().filter_map(bound).collect();
            // These are few, and their bounds do not know of the link back.
            near.retain(|&(second, _)| linked_back.binary_search(&second).is_err());
            near.extend(linked_back.iter().map(|&second| (second, f64::INFINITY)));
            source.look_at(&near, scratch);
        }
        let far = self.far(&source, scratch.walker.as_ref());
        source.look_at(&far, scratch);
        let mut found = source.found;
        if found.list.len() > self.portions.kept.max(self.query.count.saturating_mul(2)) {
            settle(self.posterior, self.query.count, &mut found.list);
        }
        found
    }

    /// The second ends without a path of length two to the first one whose bound is high enough.
    fn far(&self, source: &FromSource<'_>, walker: Option<&Walker>) -> Vec<(u32, f64)> {
        let (first, needed) = (source.first, source.needed);
        let end = self.mean.first(first);
        let base = self.mean.of_first(first);
        let latent = self.mean.latent.most[0][first as usize];
        let covariates = self.posterior.covariates();
        let near = |second: u32| {
            walker.is_some_and(|walker| walker.has_reached(second))
                || (!self.ranked && covariates.is_some_and(|covariates| covariates.linked(second, first)))
        };
        let mut far = vec![];
        for cell in &self.cells {
            if self.ranked && cell.least_logarithm() > end.logarithm() {
                continue;
            }
            for second in cell.members_within(&self.mean, &end, base, latent, needed) {
                let others = self.mean.of_ends(first, second) + self.mean.latent.most_of(first, second);
                let other = self.mean.second(second);
                if others + self.mean.far(&end, &other) < needed || !self.pairs_with(first, second) || near(second) {
                    continue;
                }
                let most = self.mean.far_exactly(walker, first, second);
                if most + self.mean.latent.most_of(first, second) >= needed {
                    far.push((second, most));
                }
            }
        }
        far
    }

    /// The mean logit that a pair needs to have this probability.
    fn needed(&self, probability: f64) -> f64 {
        self.least_logit.of(probability) - self.scorer.slack
    }
}

/// The search from one first end.
struct FromSource<'a> {
    search: &'a Search<'a>,
    first: u32,
    best: Best,
    least: f64,
    needed: f64,
    row_is_known: bool,
    found: Found,
}

impl FromSource<'_> {
    /// Looks at second ends with bounds of their mean logits, features apart.
    fn look_at(&mut self, seconds: &[(u32, f64)], scratch: &mut Scratch) {
        let mean = &self.search.mean;
        if seconds.is_empty() {
            return;
        }
        if !self.row_is_known {
            mean.latent.write_row(self.first, &mut scratch.row);
            self.row_is_known = true;
        }
        let latent = |second| mean.latent.of(&scratch.row, second);
        for seconds in seconds.chunks(PAIRS) {
            let needed = self.needed;
            // With many draws covariates cost less.
            let features_first = self.search.posterior.draws().len() <= FEW_DRAWS;
            let within = |&&(second, most): &&(u32, f64)| !features_first || most + latent(second) >= needed;
            let kept: Vec<u32> = seconds.iter().filter(within).map(|&(second, _)| second).collect();
            self.score(&kept, latent, scratch.walker.as_ref());
        }
    }

    /// Scores the pairs with these second ends, as far as they may be among the best.
    fn score(&mut self, seconds: &[u32], latent: impl Fn(u32) -> f64, walker: Option<&Walker>) {
        let Search { mean, scorer, query, posterior, variation, .. } = self.search;
        let first = self.first;
        let lines = scorer.rows_of(walker, first, seconds, false);
        self.found.looked_at += seconds.len();
        let bound = |&(number, most): &(usize, f64), needed: f64, least: f64| {
            most >= needed && {
                let probability = variation.most(first, seconds[number], lines.row(number), most + scorer.slack);
                probability + scorer.margin(probability) >= least
            }
        };
        let apart = |number: usize| mean.of_ends(first, seconds[number]) + mean.of_covariates(lines.row(number));
        let most = |number: usize| (number, apart(number) + mean.latent.most_of(first, seconds[number]));
        let logit = |(number, _)| (number, apart(number) + latent(seconds[number]));
        let mut logits: Vec<(usize, f64)> = (0..seconds.len())
            .map(most)
            .filter(|pair| bound(pair, self.needed, self.least))
            .map(logit)
            .filter(|pair| bound(pair, self.needed, self.least))
            .collect();
        logits.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for pair in logits {
            let second = seconds[pair.0];
            let turned = posterior.symmetric() && first > second;
            let (source, target) = if turned { (second, first) } else { (first, second) };
            let linked = || posterior.covariates().is_some_and(|known| known.linked(first, second));
            if !bound(&pair, self.needed, self.least) || linked() || (query.exclude)(source, target) {
                continue;
            }
            let probability = scorer.probability(first, second, lines.row(pair.0));
            if probability + scorer.margin(probability) >= self.least {
                self.add(Candidate { mean: probability, source, target });
            }
        }
    }

    fn add(&mut self, candidate: Candidate) {
        let scorer = &self.search.scorer;
        self.found.list.push(candidate);
        self.best.offer(candidate);
        if let Some(worst) = self.best.worst() {
            let least = worst.mean - scorer.margin(worst.mean);
            if least > self.least {
                self.least = least;
                self.needed = self.search.needed(least);
            }
        }
    }
}
