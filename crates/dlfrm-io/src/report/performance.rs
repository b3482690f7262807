//! How well a fit predicts pairs whose labels are known: held-out ones, or those that it learned from.

use dlfrm::covariates::Covariates;
use dlfrm::fit::{FittedModel, FittedRelation, HeldOutPairs};
use dlfrm::network::{Network, Pair};
use dlfrm::posterior::{Draw, Posterior};
use dlfrm::score::{
    CalibrationBin, area_of_precision, auc, precision_recall_curve, roc_curve, thin_curve,
    weighted_calibration_curve,
};
use rayon::prelude::*;
use serde::Serialize;

use super::rounded::{Rounded, points, rounded};

/// In a network with more pairs than this a sample is evaluated.
const MOST_PAIRS: usize = 200_000;
/// The trace of the AUC takes at most so many links, and as many non-links.
const MOST_OF_A_KIND: usize = 10_000;
/// And at most so many draws, spread evenly.
const MOST_DRAWS: usize = 400;
const BINS: usize = 10;
const MOST_POINTS: usize = 400;

/// Pairs whose labels are known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labelled {
    /// The ends of each pair.
    pub pairs: Vec<(u32, u32)>,
    /// Whether it is a link.
    pub labels: Vec<bool>,
}

impl Labelled {
    /// Gathers labelled pairs.
    pub fn new(pairs: &[Pair]) -> Self {
        let ends = pairs.iter().map(|pair| (pair.source, pair.target));
        Self { pairs: ends.collect(), labels: pairs.iter().map(|pair| pair.link).collect() }
    }

    /// How many of the pairs a model learned from, as far as it knows ([`FittedModel::learned_from`]).
    pub fn learned(&self, model: &FittedModel, relation: &FittedRelation) -> usize {
        model.learned_from(relation, &self.pairs).into_iter().filter(|&learned| learned).count()
    }

    fn push(&mut self, pair: (u32, u32), link: bool) {
        self.pairs.push(pair);
        self.labels.push(link);
    }

    fn count(&self, link: bool) -> usize {
        self.labels.iter().filter(|label| **label == link).count()
    }

    /// At most so many links and so many non-links, spread evenly over the list: what AUC needs.
    fn thinned(&self, most: usize) -> Self {
        let mut kept = Self::default();
        let mut seen = [0_usize; 2];
        let all = [false, true].map(|link| self.count(link));
        for (&pair, &link) in self.pairs.iter().zip(&self.labels) {
            let kind = usize::from(link);
            let (place, wanted) = (seen[kind], all[kind].min(most));
            seen[kind] += 1;
            // Whether a whole number lies between place and place + 1 on the scale of those wanted.
            if place * wanted / all[kind] < (place + 1) * wanted / all[kind] {
                kept.push(pair, link);
            }
        }
        kept
    }
}

/// How well a fit predicts.
#[derive(Debug, Serialize)]
pub(super) struct Performance {
    held_out: bool,
    pairs: usize,
    links: usize,
    /// How many non-links each of the pairs stands for; 1 unless the pairs are a sample.
    non_link_weight: Rounded,
    /// How many of the held-out pairs the fit learned from, as links or as non-links.
    learned: usize,
    auc: Option<Rounded>,
    average_precision: Option<Rounded>,
    /// Of the pairs that were held out of the fit.
    log_loss: Option<Rounded>,
    roc: Vec<[Rounded; 2]>,
    precision_recall: Vec<[Rounded; 2]>,
    calibration: Vec<Bin>,
    /// The AUC of single draws, chain after chain.
    traces: Vec<AucTrace>,
}

#[derive(Debug, Serialize)]
struct Bin {
    pairs: usize,
    probability: Rounded,
    rate: Rounded,
}

#[derive(Debug, Serialize)]
struct AucTrace {
    chain: usize,
    sweeps: Vec<usize>,
    auc: Vec<Rounded>,
}

impl Performance {
    /// On held-out pairs.
    pub(super) fn held_out(model: &FittedModel, relation: &FittedRelation, test: &Labelled) -> Self {
        let learned = test.learned(model, relation);
        Self { held_out: true, learned, ..Self::new(&relation.posterior, test, 1.0) }
    }

    /// On the pairs that were held out of the fit, if any were.
    pub(super) fn of_the_fit(model: &FittedModel, relation: &FittedRelation) -> Option<Self> {
        let HeldOutPairs { left_out, scores } = relation.held_out.as_ref()?;
        let log_loss = scores.log_loss.map(Rounded);
        Some(Self { log_loss, ..Self::held_out(model, relation, &Labelled::new(&left_out.pairs)) })
    }

    /// On the network itself. None if the model file does not have which pairs were non-links.
    pub(super) fn in_sample(model: &FittedModel, relation: &FittedRelation, seed: u64) -> Option<Self> {
        if !every_pair_is_observed(model, relation) {
            return None;
        }
        let network = Network::new(model.nodes.clone(), model.directed, relation.links.iter().copied())
            .and_then(|network| match model.modes() {
                Some(modes) => network.with_modes(modes.clone()),
                None => Ok(network),
            })
            .expect("the links of a model are pairs of its nodes");
        let sample = network.sample(MOST_PAIRS, seed);
        Some(Self::new(&relation.posterior, &Labelled::new(&sample.pairs), sample.non_link_weight))
    }

    fn new(posterior: &Posterior, labelled: &Labelled, non_link_weight: f64) -> Self {
        let probabilities = posterior.predict_mean(&labelled.pairs);
        let scores = posterior.score(&labelled.pairs);
        let labels = &labelled.labels;
        let precision_recall = precision_recall_curve(&scores, labels, non_link_weight);
        let bins = weighted_calibration_curve(&probabilities, labels, BINS, non_link_weight);
        let bin = |CalibrationBin { count, mean_probability, link_rate }| Bin {
            pairs: count,
            probability: Rounded(mean_probability),
            rate: Rounded(link_rate),
        };
        let auc = auc(&scores, labels);
        Self {
            held_out: false,
            pairs: labels.len(),
            links: labelled.count(true),
            non_link_weight: Rounded(non_link_weight),
            learned: 0,
            // Of links alone any ranking is perfect.
            average_precision: auc.and(area_of_precision(&precision_recall)).map(Rounded),
            auc: auc.map(Rounded),
            log_loss: None,
            roc: points(&thin_curve(&roc_curve(&scores, labels), MOST_POINTS)),
            precision_recall: points(&thin_curve(&precision_recall, MOST_POINTS)),
            calibration: bins.into_iter().map(bin).collect(),
            traces: auc_traces(posterior, &labelled.thinned(MOST_OF_A_KIND)),
        }
    }
}

/// Whether all pairs without a link were observed not to have one: the model file has their number, not the pairs.
fn every_pair_is_observed(model: &FittedModel, relation: &FittedRelation) -> bool {
    let share = relation.posterior.non_link_share();
    // A sample of ordered pairs counts both directions, also in an undirected network.
    let twice = share < 1.0 && !model.directed && !relation.posterior.symmetric();
    let directions = if twice { 2.0 } else { 1.0 };
    let n = model.nodes.len() as f64;
    let all = if model.directed { n * (n - 1.0) } else { n * (n - 1.0) / 2.0 };
    let all = directions * model.modes().map_or(all, |modes| modes.pairs() as f64);
    let links = directions * relation.links.len() as f64;
    ((relation.observed as f64 - links) / share - (all - links)).abs() < 0.5
}

/// The AUC of each draw alone, by the logits of the pairs. Empty if the labels leave it undefined.
fn auc_traces(posterior: &Posterior, labelled: &Labelled) -> Vec<AucTrace> {
    let rows = posterior.covariates().map(|covariates: &Covariates| covariates.rows(&labelled.pairs));
    let score = |draw: &&Draw| {
        let logit = |(number, &(i, j)): (usize, &(u32, u32))| {
            let row = rows.as_ref().map_or(&[][..], |rows| rows.row(number));
            draw.logit(i as usize, j as usize, row)
        };
        let logits: Vec<f64> = labelled.pairs.iter().enumerate().map(logit).collect();
        auc(&logits, &labelled.labels).map(|area| (draw.chain, draw.sweep, area))
    };
    let step = posterior.draws().len().div_ceil(MOST_DRAWS).max(1);
    let drawn: Vec<&Draw> = posterior.draws().iter().step_by(step).collect();
    let scored: Option<Vec<(usize, usize, f64)>> = drawn.par_iter().map(score).collect();
    let scored = scored.unwrap_or_default();
    let chains = scored.chunk_by(|one, other| one.0 == other.0);
    chains
        .map(|chain| AucTrace {
            chain: chain[0].0,
            sweeps: chain.iter().map(|draw| draw.1).collect(),
            auc: rounded(chain.iter().map(|draw| draw.2)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_thinned_evenly() {
        let mut all = Labelled::default();
        // Links and non-links by turns: every other pair would be of one kind.
        (0..40).for_each(|i| all.push((i, i + 1), i % 2 == 0));
        let few = all.thinned(5);
        assert_eq!((few.count(true), few.count(false)), (5, 5));
        assert!(few.pairs.is_sorted() && few.pairs.last().unwrap().0 >= 38, "{:?}", few.pairs);
        assert_eq!(all.thinned(20), all);
        assert_eq!(Labelled::default().thinned(3), Labelled::default());
    }
}
