//! The pairs of one first end that may be among the most probable ones.
//!
//! Those that a walk of two steps reaches are bounded one by one, the others in cells of like second ends. What a bound leaves
//! is bounded more closely, at more cost: by the paths of length three, by the covariates, by the features of all draws. Only
//! what is left then is scored.

use crate::covariates::{Bounds, Covariates, Distance, Walker};

use super::candidate::{Best, Candidate};
use super::finalists::settle;
use super::search::Search;

/// Pairs whose covariates are computed at once.
const PAIRS: usize = 1_024;
/// With more draws features cost more than covariates.
const FEW_DRAWS: usize = 64;

/// Reused memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    walker: Option<Walker>,
    row: Vec<f64>,
}

/// What was found, and how much was looked at for it.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) list: Vec<Candidate>,
    /// Pairs whose covariates were computed.
    pub(super) scored: usize,
}

/// The search from one first end.
pub(super) struct FromFirst<'a> {
    search: &'a Search<'a>,
    first: u32,
    best: Best,
    /// The probability that the last of the best has at least, and the mean logit that a pair needs for it.
    least: f64,
    needed: f64,
    /// Of the pairs that are looked at now.
    distance: Distance,
    found: Found,
}

impl<'a> FromFirst<'a> {
    pub(super) fn new(search: &'a Search<'a>, first: u32, least: f64, distance: Distance) -> Self {
        let best = Best::new(search.query.count);
        let needed = search.needed(least, distance);
        Self { search, first, best, least, needed, distance, found: Found::default() }
    }

    pub(super) fn run(mut self, scratch: &mut Scratch) -> Found {
        let Search { posterior, query, portions, mean, .. } = self.search;
        let seconds = match self.distance {
            Distance::Near => {
                let (covariates, walker) = self.walk(scratch).expect("links are known");
                self.near(covariates, mean.bounds.as_ref().expect("there are covariates"), walker)
            }
            Distance::Far => self.far(scratch),
        };
        self.look_at(&seconds, scratch);
        if self.found.list.len() > portions.kept.max(query.count.saturating_mul(2)) {
            settle(posterior, query.count, &mut self.found.list);
        }
        self.found
    }

    /// Walks two steps from the first end, if links are known.
    fn walk<'s>(&self, scratch: &'s mut Scratch) -> Option<(&'a Covariates, &'s Walker)> {
        let covariates = self.search.posterior.covariates().filter(|covariates| covariates.know_links())?;
        let walker = scratch.walker.get_or_insert_with(|| covariates.walker().expect("it knows links"));
        covariates.walk(Some(walker), self.first);
        Some((covariates, walker))
    }

    /// The second ends with a path of length two whose bound is high enough, with the most that all but features add.
    fn near(&self, covariates: &Covariates, bounds: &Bounds<'_>, walker: &Walker) -> Vec<(u32, f64)> {
        let Search { mean, seconds, ranked, .. } = self.search;
        let first = self.first;
        let [reached, linked_back] = covariates.near(walker, first);
        let end = mean.first(first);
        let near_end = bounds.near_end(&end, first);
        let rank = seconds[first as usize].rank;
        let needed = self.needed - mean.of_first(first);
        let bound = |&second: &u32| {
            let known = &seconds[second as usize];
            if *ranked && known.rank < rank {
                return None;
            }
            let apart = bounds.near_apart(walker, &near_end, &known.end, second);
            if apart + bounds.three_most_of_all() + known.others < needed {
                return None;
            }
            let three = bounds.three_most(&end, &mean.second(second), Distance::Near);
            if apart + three + known.others < needed {
                return None;
            }
            let most = apart + bounds.longer_paths(walker, first, second) + mean.of_ends(first, second);
            (most + mean.latent.most_of(first, second) >= self.needed).then_some((second, most))
        };
        let mut near: Vec<(u32, f64)> = reached.iter().filter_map(bound).collect();
        // These are few, and their bounds do not know of the link back.
        near.retain(|&(second, _)| linked_back.binary_search(&second).is_err());
        near.extend(linked_back.iter().map(|&second| (second, f64::INFINITY)));
        near
    }

    /// The same for those without a path of length two.
    fn far(&self, scratch: &mut Scratch) -> Vec<(u32, f64)> {
        let Search { mean, cells, posterior, ranked, .. } = self.search;
        let (first, needed) = (self.first, self.needed);
        let end = mean.first(first);
        let (base, latent) = (mean.of_first(first), mean.latent.most[0][first as usize]);
        let mut seconds = vec![];
        // Where pairs are ranked, the second end does not have the larger degree.
        for cell in cells.iter().filter(|cell| !ranked || cell.least_logarithm() <= end.logarithm()) {
            seconds.extend(cell.members_within(mean, &end, base, latent, needed).filter(|&second| {
                let others = mean.of_ends(first, second) + mean.latent.most_of(first, second);
                others + mean.far(&end, &mean.second(second)) >= needed
                    && self.search.pairs_with(first, second)
            }));
        }
        if seconds.is_empty() {
            return vec![];
        }
        let walker = self.walk(scratch).map(|(_, walker)| walker);
        let linked_back = |second| posterior.covariates().is_some_and(|known| known.linked(second, first));
        let near = |second| {
            walker.is_some_and(|walker| walker.has_reached(second)) || (!ranked && linked_back(second))
        };
        let most = |second| mean.far_exactly(walker, first, second);
        let seconds = seconds.into_iter().filter(|&second| !near(second));
        let bounded = seconds.map(|second| (second, most(second)));
        bounded.filter(|&(second, most)| most + mean.latent.most_of(first, second) >= needed).collect()
    }

    /// Looks at second ends with the most that all but features add to the mean logits of their pairs.
    fn look_at(&mut self, seconds: &[(u32, f64)], scratch: &mut Scratch) {
        let mean = &self.search.mean;
        if seconds.is_empty() {
            return;
        }
        mean.latent.write_row(self.first, &mut scratch.row);
        let latent = |second| mean.latent.of(&scratch.row, second);
        let features_first = self.search.posterior.draws().len() <= FEW_DRAWS;
        for seconds in seconds.chunks(PAIRS) {
            let within =
                |&&(second, most): &&(u32, f64)| !features_first || most + latent(second) >= self.needed;
            let kept: Vec<u32> = seconds.iter().filter(within).map(|&(second, _)| second).collect();
            self.score(&kept, latent, scratch.walker.as_ref());
        }
    }

    /// Scores the pairs with these second ends, as far as they may be among the best.
    fn score(&mut self, seconds: &[u32], latent: impl Fn(u32) -> f64, walker: Option<&Walker>) {
        let Search { mean, scorer, query, posterior, .. } = self.search;
        let first = self.first;
        let lines = scorer.rows_of(walker, first, seconds, false);
        self.found.scored += seconds.len();
        let apart =
            |number: usize| mean.of_ends(first, seconds[number]) + mean.of_covariates(lines.row(number));
        let mut logits: Vec<(usize, f64)> = (0..seconds.len())
            .filter(|&number| {
                let most = apart(number) + mean.latent.most_of(first, seconds[number]);
                self.may_enter(seconds[number], lines.row(number), most)
            })
            .map(|number| (number, apart(number) + latent(seconds[number])))
            .filter(|&(number, logit)| self.may_enter(seconds[number], lines.row(number), logit))
            .collect();
        logits.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (number, logit) in logits {
            let (second, line) = (seconds[number], lines.row(number));
            let turned = posterior.symmetric() && first > second;
            let (source, target) = if turned { (second, first) } else { (first, second) };
            let linked = || posterior.covariates().is_some_and(|known| known.linked(first, second));
            if !self.may_enter(second, line, logit) || linked() || (query.exclude)(source, target) {
                continue;
            }
            let probability = scorer.probability(first, second, line);
            if probability + scorer.margin(probability) >= self.least {
                self.add(Candidate { mean: probability, source, target });
            }
        }
    }

    /// Whether a pair whose mean logit is not above this one may be among the best.
    fn may_enter(&self, second: u32, line: &[f32], logit: f64) -> bool {
        let Search { scorer, variation, .. } = self.search;
        logit >= self.needed && {
            let most = variation.most(self.first, second, line, logit + scorer.slack);
            most + scorer.margin(most) >= self.least
        }
    }

    fn add(&mut self, candidate: Candidate) {
        self.found.list.push(candidate);
        self.best.offer(candidate);
        if let Some(worst) = self.best.worst() {
            let least = worst.mean - self.search.scorer.margin(worst.mean);
            if least > self.least {
                self.least = least;
                self.needed = self.search.needed(least, self.distance);
            }
        }
    }
}
