//! The most probable of all pairs, found without scoring all of them.
//!
//! Pairs are taken by their first end, in batches. Each batch begins with the probability that the last of the best has so far,
//! so that the result and the work for it do not depend on the number of threads.

use rayon::prelude::*;

use crate::covariates::{Covariates, Distance, NearEnd};
use crate::kernel::workers::Workers;
use crate::network::Mode;

use super::cells::{Cell, cells};
use super::finalists::Finalists;
use super::from_first::{Found, FromFirst, Scratch};
use super::least_logit::LeastLogit;
use super::mean_draw::MeanDraw;
use super::scorer::Scorer;
use super::variation::Variation;
use super::{Posterior, Prediction, TopPairs};

/// Links whose probabilities are computed at once.
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
    /// What is listed comes from here.
    original: &'a Posterior,
    /// The same with nothing left to correct: what bounds are computed from.
    pub(super) posterior: &'a Posterior,
    pub(super) query: &'a TopPairs<'a>,
    pub(super) scorer: Scorer<'a>,
    pub(super) mean: MeanDraw<'a>,
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
    /// A search in a posterior, which is also given [corrected](Posterior::corrected).
    pub(super) fn new(original: &'a Posterior, posterior: &'a Posterior, query: &'a TopPairs<'a>) -> Self {
        let mean = MeanDraw::new(posterior);
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
            original,
            posterior,
            query,
            scorer: Scorer::new(posterior),
            variation: Variation::new(posterior.draws(), &mean.latent, posterior.nodes()),
            cells: cells(&mean, ends(posterior, Mode::Column)),
            seconds: (0..).zip(ranks).map(second).collect(),
            ranked: posterior.symmetric() && posterior.modes().is_none(),
            least_logit: mean.spread.map(LeastLogit::new),
            order,
            mean,
        }
    }

    /// The most probable pairs, and of how many the covariates were computed.
    pub(super) fn run(&self) -> (Vec<(u32, u32, Prediction)>, usize) {
        let TopPairs { count, exclude, .. } = *self.query;
        let mut finalists = Finalists::new(self.original, count, self.scorer, self.portions.finalists);
        // Bounds are those of pairs without a link: links that are not left out are all scored.
        let links = self.posterior.covariates().into_iter().flat_map(Covariates::links);
        let links: Vec<(u32, u32)> = links.filter(|&(i, j)| !exclude(i, j)).collect();
        for links in links.chunks(LINKS) {
            finalists.add(self.posterior.candidates(links));
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

    /// Whether a pair with this first end has this second end.
    pub(super) fn pairs_with(&self, first: u32, second: u32) -> bool {
        if self.posterior.modes().is_some() {
            return self.posterior.possible(first, second);
        }
        let [one, other] = [first, second].map(|node| self.seconds[node as usize].rank);
        if self.ranked { one < other } else { one != other }
    }

    /// The mean logit that a pair needs to have this probability.
    pub(super) fn needed(&self, probability: f64, distance: Distance) -> f64 {
        self.least_logit[distance as usize].of(probability) - self.scorer.slack
    }
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
