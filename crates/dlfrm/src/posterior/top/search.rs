//! The best of all pairs, found without scoring all of them.
//!
//! Pairs are taken by their first end, in batches. Each batch begins with the score that the last of the best has so far,
//! so that the result and the work for it do not depend on the number of threads. The pairs of a first end that a walk of two
//! steps reaches are bounded one by one, the others in cells of like second ends. What a bound leaves is bounded more closely,
//! at more cost: by the paths of length three, by the covariates, by the features of all draws. Only what is left then is scored.

use rayon::prelude::*;

use crate::chain::Draw;
use crate::covariates::{Bounds, Covariates, Distance, NearEnd, Walker};
use crate::kernel::workers::Workers;
use crate::network::Mode;
use crate::posterior::{Posterior, Prediction};

use super::bounds::{Cell, LeastLogit, MeanDraw, Others, Variation, cells};
use super::candidates::{Best, Candidate, Finalists, Scorer, TopPairs, settle};

/// Links whose scores are computed at once.
const LINKS: usize = 1 << 16;

/// How much is done and kept at the same time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portions {
    /// First ends in the first batch, while nothing is known of the best, and the most in any batch.
    pub(super) batches: [usize; 2],
    /// Batches there would be if each had as much work as the largest may have.
    pub(super) shares: f64,
    /// Pairs of one first end that are kept, unless more are asked for.
    pub(super) kept: usize,
    /// Pairs of all of them that are kept until the end, unless more are asked for.
    pub(super) finalists: usize,
}

impl Default for Portions {
    fn default() -> Self {
        Self { batches: [16, 2_048], shares: 256.0, kept: 4_096, finalists: 1 << 20 }
    }
}

/// What a search needs to know.
pub(super) struct Search<'a> {
    pub(super) portions: Portions,
    pub(super) posterior: &'a Posterior,
    pub(super) query: &'a TopPairs<'a>,
    pub(super) scorer: Scorer<'a>,
    /// Of all draws, or of those with covariates in a mixture; and how much these count.
    pub(super) mean: MeanDraw<'a>,
    share: f64,
    /// The features of a mixture.
    others: Option<Others<'a>>,
    pub(super) variation: Variation,
    pub(super) cells: Vec<Cell>,
    pub(super) seconds: Vec<Second>,
    /// Whether the first end of a pair is that of the lower rank, as where a pair stands for both directions; not in bipartite
    /// networks, where it is the row.
    pub(super) ranked: bool,
    /// By distance.
    least_logit: [LeastLogit; 2],
    /// All first ends by rank.
    order: Vec<u32>,
}

/// What is looked up of a second end that a walk has reached: close together, as most of the time is spent on it.
pub(super) struct Second {
    pub(super) end: NearEnd,
    /// What effect and features add at most.
    pub(super) others: f64,
    pub(super) rank: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(posterior: &'a Posterior, query: &'a TopPairs<'a>) -> Self {
        let [draws, of_features] = divided(posterior);
        let nodes = posterior.nodes();
        let mean = MeanDraw::new(&draws, posterior.covariates(), nodes);
        let all = (draws.len() + of_features.len()) as f64;
        let share = draws.len() as f64 / all;
        let order = order(posterior, &mean);
        let mut ranks = vec![0; posterior.nodes()];
        (0..).zip(&order).for_each(|(rank, &node)| ranks[node as usize] = rank);
        let second = |(node, rank): (u32, u32)| Second {
            end: mean.near_end(node),
            others: mean.effects[1][node as usize] + mean.latent.most[1][node as usize],
            rank,
        };
        Self {
            portions: Portions::default(),
            posterior,
            query,
            scorer: Scorer::new(posterior),
            variation: Variation::new(&draws, &mean.latent, nodes),
            share,
            others: (!of_features.is_empty()).then(|| Others::new(of_features, nodes, 1.0 - share)),
            cells: cells(&mean, ends(posterior, Mode::Column)),
            seconds: (0..).zip(ranks).map(second).collect(),
            ranked: posterior.symmetric() && posterior.modes().is_none(),
            least_logit: mean.spread.map(LeastLogit::new),
            order,
            mean,
        }
    }

    /// The best pairs, and of how many the covariates were computed.
    pub(super) fn run(&self) -> (Vec<(u32, u32, Prediction)>, usize) {
        let TopPairs { count, exclude, .. } = *self.query;
        let mut finalists = Finalists::new(self.posterior, count, &self.scorer, self.portions.finalists);
        // Bounds are those of pairs without a link: links that are not left out are all scored.
        let links = self.posterior.covariates().into_iter().flat_map(Covariates::links);
        let links: Vec<(u32, u32)> = links.filter(|&(i, j)| !exclude(i, j)).collect();
        for links in links.chunks(LINKS) {
            finalists.add(self.scorer.candidates(links));
        }
        let mut scored = links.len();
        let workers = Workers::<Scratch>::default();
        // The best mostly have a path of length two, and what is known of them spares most of the others.
        for distance in [Distance::Near, Distance::Far] {
            for batch in self.batches(distance) {
                let least = finalists.least();
                let search = |&first: &u32| {
                    workers.with(|scratch| FromFirst::new(self, first, least, distance).run(scratch))
                };
                let found: Vec<Found> = batch.par_iter().map(search).collect();
                scored += found.iter().map(|found| found.scored).sum::<usize>();
                finalists.add(found.into_iter().flat_map(|found| found.list).collect());
            }
        }
        (finalists.finish(), scored)
    }

    /// The first ends of the pairs with and without a path of length two; none if such paths are not known. Each batch has up
    /// to twice as many as the one before. With a path, those of small degree come first: they have few such pairs, so
    /// that the best are nearly known before it comes to those with many.
    fn batches(&self, distance: Distance) -> Vec<Vec<u32>> {
        let mut left = self.order.clone();
        let near = distance == Distance::Near;
        // In a bipartite network two steps from a row lead to rows.
        if near && (self.posterior.modes().is_some() || !know_links(self.posterior)) {
            return vec![];
        }
        if !near {
            left.reverse();
        }
        // What is looked at from a first end grows with its degree, of which this is the logarithm.
        let work = |first: u32| if near { self.mean.first(first).logarithm().exp() } else { 1.0 };
        let all = left.iter().map(|&first| work(first)).sum::<f64>();
        let share = if near { all / self.portions.shares } else { all };
        let [mut most, largest] = self.portions.batches;
        let mut batches = vec![];
        while let Some(first) = left.pop() {
            let (mut batch, mut sum) = (vec![first], work(first));
            while let Some(&first) = left.last()
                && batch.len() < most
                && sum < share
            {
                batch.push(first);
                sum += work(first);
                left.pop();
            }
            batches.push(batch);
            most = largest.min(2 * most);
        }
        batches
    }

    pub(super) fn pairs_with(&self, first: u32, second: u32) -> bool {
        if self.posterior.modes().is_some() {
            return self.posterior.possible(first, second);
        }
        let [one, other] = [first, second].map(|node| self.seconds[node as usize].rank);
        if self.ranked { one < other } else { one != other }
    }

    /// The mean logit that a pair needs to have this score, if the features of a mixture add so much.
    pub(super) fn needed(&self, score: f64, others: f64, distance: Distance) -> f64 {
        self.least_logit[distance as usize].of((score - others) / self.share) - self.scorer.slack
    }

    /// The same for any pair with this first end.
    fn needed_from(&self, score: f64, first: u32, distance: Distance) -> f64 {
        let others = self.others.as_ref().map_or(0.0, |others| others.most_of_first(first));
        self.needed(score, others, distance)
    }
}

/// The draws that bounds are found for: those with covariates, and those of the features in a mixture.
fn divided(posterior: &Posterior) -> [Vec<&Draw>; 2] {
    let mut draws: Vec<&Draw> = posterior.mixture().into_iter().map(|(draw, _)| draw).collect();
    if posterior.combination().is_none() {
        return [draws, vec![]];
    }
    let covariates = draws.split_off(posterior.part_counts()[0].0);
    [covariates, draws]
}

/// Whether there are covariates of the links around a pair.
fn know_links(posterior: &Posterior) -> bool {
    posterior.covariates().is_some_and(Covariates::know_links)
}

/// The nodes that may be one end of a pair: in a bipartite network those of one mode.
fn ends(posterior: &Posterior, mode: Mode) -> impl Iterator<Item = u32> {
    let may = move |node: &u32| posterior.modes().is_none_or(|modes| modes.mode(*node) == Some(mode));
    (0..posterior.nodes() as u32).filter(may)
}

/// All first ends by rank: by the degree if there are covariates of links, as the first end then is that of the larger one, and
/// else those first that may add most.
fn order(posterior: &Posterior, mean: &MeanDraw<'_>) -> Vec<u32> {
    let links = know_links(posterior);
    let key = |node: u32| {
        let (place, end) = (node as usize, mean.first(node));
        if links { end.logarithm() } else { end.own() + mean.effects[0][place] + mean.latent.most[0][place] }
    };
    let keys: Vec<f64> = (0..posterior.nodes() as u32).map(key).collect();
    let mut order: Vec<u32> = ends(posterior, Mode::Row).collect();
    // Stable: of equal ones the smaller id is the first end.
    order.sort_by(|&a, &b| keys[b as usize].total_cmp(&keys[a as usize]));
    order
}

/// Pairs whose covariates are computed at once.
const PAIRS: usize = 1_024;
/// With more draws features cost more than covariates.
const FEW_DRAWS: usize = 64;

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

pub(super) struct FromFirst<'a> {
    search: &'a Search<'a>,
    first: u32,
    best: Best,
    /// The score that the last of the best has at least, and the mean logit that a pair needs for it.
    least: f64,
    needed: f64,
    /// Of the pairs that are looked at now.
    distance: Distance,
    found: Found,
}

impl<'a> FromFirst<'a> {
    pub(super) fn new(search: &'a Search<'a>, first: u32, least: f64, distance: Distance) -> Self {
        let best = Best::new(search.query.count);
        let needed = search.needed_from(least, first, distance);
        Self { search, first, best, least, needed, distance, found: Found::default() }
    }

    pub(super) fn run(mut self, scratch: &mut Scratch) -> Found {
        let Search { posterior, query, portions, mean, .. } = self.search;
        let mut seconds = match self.distance {
            Distance::Near => {
                let (covariates, walker) = self.walk(scratch).expect("links are known");
                self.near(covariates, mean.bounds.as_ref().expect("there are covariates"), walker)
            }
            Distance::Far => self.far(scratch),
        };
        if let Some(others) = &self.search.others {
            let most = |second| others.most_of(self.first, second);
            seconds.retain(|&(second, logit)| {
                logit >= self.search.needed(self.least, most(second), self.distance)
            });
        }
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
        let features_first = self.search.scorer.draws() <= FEW_DRAWS;
        for seconds in seconds.chunks(PAIRS) {
            let within = |&(second, most): &(u32, f64)| {
                let others = self.search.others.as_ref().map(|others| {
                    let (source, target) = self.oriented(second);
                    others.of(source, target)
                });
                let enough = match others {
                    Some(others) => most >= self.search.needed(self.least, others, self.distance),
                    None => !features_first || most + latent(second) >= self.needed,
                };
                enough.then_some((second, others.unwrap_or(0.0)))
            };
            let kept: Vec<(u32, f64)> = seconds.iter().filter_map(within).collect();
            self.score(&kept, latent, scratch.walker.as_ref());
        }
    }

    /// The pair with a second end as it is listed.
    fn oriented(&self, second: u32) -> (u32, u32) {
        let turned = self.search.posterior.symmetric() && self.first > second;
        if turned { (second, self.first) } else { (self.first, second) }
    }

    /// Scores the pairs with these second ends, as far as they may be among the best. Each has with it what the features of a
    /// mixture add to its score.
    fn score(&mut self, seconds: &[(u32, f64)], latent: impl Fn(u32) -> f64, walker: Option<&Walker>) {
        let Search { mean, scorer, query, posterior, .. } = self.search;
        let first = self.first;
        let (seconds, others): (Vec<u32>, Vec<f64>) = seconds.iter().copied().unzip();
        let lines = scorer.rows_of(walker, first, &seconds, false);
        self.found.scored += seconds.len();
        let apart =
            |number: usize| mean.of_ends(first, seconds[number]) + mean.of_covariates(lines.row(number));
        let mut logits: Vec<(usize, f64)> = (0..seconds.len())
            .filter(|&number| {
                let most = apart(number) + mean.latent.most_of(first, seconds[number]);
                self.may_enter(seconds[number], lines.row(number), most, others[number])
            })
            .map(|number| (number, apart(number) + latent(seconds[number])))
            .filter(|&(number, logit)| {
                self.may_enter(seconds[number], lines.row(number), logit, others[number])
            })
            .collect();
        logits.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (number, logit) in logits {
            let (second, line) = (seconds[number], lines.row(number));
            let (source, target) = self.oriented(second);
            let linked = || posterior.covariates().is_some_and(|known| known.linked(first, second));
            if !self.may_enter(second, line, logit, others[number])
                || linked()
                || (query.exclude)(source, target)
            {
                continue;
            }
            let score = scorer.score(first, second, line);
            if score + scorer.margin >= self.least {
                self.add(Candidate { score, source, target });
            }
        }
    }

    /// Whether a pair whose mean logit is not above this one may be among the best, if the features of a mixture add so much.
    fn may_enter(&self, second: u32, line: &[f32], logit: f64, others: f64) -> bool {
        let Search { scorer, variation, share, .. } = self.search;
        logit >= self.needed && {
            let most = share * variation.most(self.first, second, line, logit + scorer.slack) + others;
            most + scorer.margin >= self.least
        }
    }

    fn add(&mut self, candidate: Candidate) {
        self.found.list.push(candidate);
        self.best.offer(candidate);
        if let Some(worst) = self.best.worst() {
            let least = worst.score - self.search.scorer.margin;
            if least > self.least {
                self.least = least;
                self.needed = self.search.needed_from(least, self.first, self.distance);
            }
        }
    }
}
