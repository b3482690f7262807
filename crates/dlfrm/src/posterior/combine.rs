//! Two posteriors of one network as one: what covariates say and what features say, weighed on the scale of logits, and how much
//! each counts, learned from held-out pairs. See "Covariates and features together" in `docs/model.md`.
//!
//! Both are linear in what a draw holds, so that a weighted sum of two draws is a draw again.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chain::{Draw, DrawParts};
use crate::covariates::Matrix;
use crate::model::{Linear, sigmoid};

use super::Posterior;

/// How much the logits of two posteriors count in their combination.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// What is added to every logit.
    pub intercept: f64,
    /// The weight of the posterior with covariates and without features.
    pub covariates: f64,
    /// The weight of the posterior with features and without covariates.
    pub features: f64,
}

impl Default for Combination {
    /// The weights that did best for networks of all kinds together (docs/defaults.md).
    fn default() -> Self {
        Self { intercept: 0.0, covariates: 0.7, features: 0.3 }
    }
}

impl Combination {
    /// What the weights say.
    pub(crate) fn in_words(self) -> String {
        if self.features == 0.0 {
            return "covariates alone, because features do not improve predictions".to_owned();
        }
        format!("covariates with weight {:.2} and features with weight {:.2}", self.covariates, self.features)
    }
}

impl Posterior {
    /// The combination of two posteriors of the same pairs: of one with covariates and one with features.
    ///
    /// Its draws are those of the second, each with a draw of the first: the two posteriors are independent, so that any
    /// pairing will do. A chain takes the draws of one chain in turn, so that chains of covariates that do not agree show.
    /// Features keep their weights; predictions count them as much as the combination says.
    pub(crate) fn combine(covariates: &Self, features: Self, combination: Combination) -> Self {
        let settings = features.settings.clone().combined_with(&covariates.settings);
        let [raised, raised_features] = [covariates, &features].map(Self::raised_log_odds);
        let base = combination.intercept + raised_features
            - combination.covariates * raised
            - combination.features * raised_features;
        let others = covariates.chains();
        // A run that was ended may have no draw of the first.
        let kept = if others.is_empty() { vec![] } else { features.chains() };
        let draws = kept.iter().flat_map(|chain| chain.iter().enumerate()).map(|(number, &draw)| {
            let chain = &others[draw.chain % others.len()];
            let other = chain[number % chain.len()];
            Draw::of(DrawParts {
                intercept: base
                    + combination.covariates * other.intercept
                    + combination.features * draw.intercept,
                linear: sum(combination, &other.linear, &draw.linear),
                feature_scale: combination.features,
                ..(**draw).clone()
            })
        });
        Self {
            draws: draws.collect(),
            settings,
            covariates: covariates.covariates.clone(),
            combination: Some(combination),
            ..features
        }
    }

    /// This posterior of covariates, weighed as in a combination in which features do not count.
    pub(crate) fn weighed(mut self, combination: Combination) -> Self {
        let raised = self.raised_log_odds();
        let scale = combination.covariates;
        for draw in &mut self.draws {
            *draw = Draw::of(DrawParts {
                intercept: combination.intercept + raised + scale * (draw.intercept - raised),
                linear: sum(combination, &draw.linear, &Linear::default()),
                ..(**draw).clone()
            });
        }
        self.combination = Some(combination);
        self
    }

    /// The same with how its draws were combined, for draws that were stored after that.
    #[must_use]
    pub fn with_combination(mut self, combination: Option<Combination>) -> Self {
        self.combination = combination;
        self
    }

    /// How the posterior was combined of two, if it was.
    pub fn combination(&self) -> Option<Combination> {
        self.combination
    }
}

/// The weighted sum of two linear parts.
fn sum(Combination { covariates, features, .. }: Combination, one: &Linear, other: &Linear) -> Linear {
    let scaled = |values: &[f64], by: f64| values.iter().map(|value| by * value).collect::<Vec<f64>>();
    let effects = [0, 1].map(|end| {
        let (one, other) = (&one.effects[end], &other.effects[end]);
        let at = |values: &[f64], node: usize| values.get(node).copied().unwrap_or_default();
        let both = |node| covariates * at(one, node) + features * at(other, node);
        (0..one.len().max(other.len())).map(both).collect()
    });
    Linear {
        coefficients: scaled(&one.coefficients, covariates),
        effects,
        precisions: other.precisions,
        attributes: one.attributes.each_ref().map(|values| scaled(values, covariates)),
        attribute_precisions: one.attribute_precisions.clone(),
    }
}

/// Standard deviations of the prior of the weights around their defaults: of the intercept, and of the other two.
const PRIOR_SD: [f64; 3] = [0.2, 0.1, 0.1];
/// Draws of each posterior that weights are found by, and pairs, about.
const DRAWS: usize = 40;
const PAIRS: usize = 30_000;

/// A held-out pair: its label, how many pairs it stands for, and its logits in some draws of both posteriors.
struct HeldOut {
    link: bool,
    count: f64,
    /// What the sample of non-links adds to its logit.
    raised: f64,
    logits: Vec<[f64; 2]>,
}

/// What weights say of a held-out pair: its probability, a mean over draws, and how that changes with each of them.
struct Predicted {
    p: f64,
    change: [f64; 3],
}

impl HeldOut {
    fn predict(&self, [intercept, covariates, features]: [f64; 3]) -> Predicted {
        let (mut mean, mut change) = (0.0, [0.0; 3]);
        for &[one, other] in &self.logits {
            let p = sigmoid(intercept + covariates * one + features * other + self.raised);
            mean += p;
            let slope = p * (1.0 - p);
            for (change, by) in change.iter_mut().zip([1.0, one, other]) {
                *change += slope * by;
            }
        }
        let draws = self.logits.len() as f64;
        Predicted { p: (mean / draws).clamp(1e-12, 1.0 - 1e-12), change: change.map(|change| change / draws) }
    }
}

fn log_score(link: bool, p: f64) -> f64 {
    if link { p.ln() } else { (-p).ln_1p() }
}

impl Combination {
    /// The weights with the highest posterior density for held-out pairs and their labels, under a Gaussian prior around the
    /// defaults. Features that do not improve predictions have the weight zero. Each relation has its two posteriors.
    pub(crate) fn learn(relations: &[Relation<'_>]) -> Self {
        let learned = Learned::new(relations);
        let [intercept, covariates, features] =
            if learned.features_pay(1.0) { learned.best } else { learned.without };
        Self { intercept, covariates: covariates.max(0.0), features }
    }

    /// Whether it is clear, from many held-out links and fewer draws than there will be, that features do not improve
    /// predictions.
    pub(crate) fn clearly_alone(relations: &[Relation<'_>]) -> bool {
        let learned = Learned::new(relations);
        learned.many_links() && !learned.features_pay(2.0)
    }

    fn values(self) -> [f64; 3] {
        [self.intercept, self.covariates, self.features]
    }
}

/// The least part of the log-loss that features must save, where there are so many held-out links to tell.
const LEAST_SAVED: f64 = 0.01;
const LINKS_TO_TELL: usize = 1_000;

/// Weights for held-out pairs.
struct Learned {
    held_out: Vec<HeldOut>,
    best: [f64; 3],
    /// The best ones of those that give features no weight.
    without: [f64; 3],
}

impl Learned {
    fn new(relations: &[Relation<'_>]) -> Self {
        let held_out: Vec<HeldOut> = relations.iter().flat_map(Relation::held_out).collect();
        let best = climb(&held_out, Combination::default().values(), [true; 3]);
        let without = climb(&held_out, [best[0], best[1], 0.0], [true, true, false]);
        Self { held_out, best, without }
    }

    fn many_links(&self) -> bool {
        self.held_out.iter().filter(|pair| pair.link).count() >= LINKS_TO_TELL
    }

    /// Whether features improve predictions: their weight is positive, and what they save of the log-loss is not clearly, by so
    /// many standard errors, too little to matter.
    fn features_pay(&self, errors: f64) -> bool {
        if self.best[2] <= 0.0 || !self.many_links() {
            return self.best[2] > 0.0;
        }
        let [losses, others] = [self.best, self.without].map(|weights| -> Vec<f64> {
            let loss = |pair: &HeldOut| -pair.count * log_score(pair.link, pair.predict(weights).p);
            self.held_out.iter().map(loss).collect()
        });
        let saved: Vec<f64> = losses.iter().zip(&others).map(|(loss, other)| other - loss).collect();
        let sum: f64 = saved.iter().sum();
        let mean = sum / saved.len() as f64;
        let error = saved.iter().map(|saved| (saved - mean).powi(2)).sum::<f64>().sqrt();
        sum + errors * error >= LEAST_SAVED * others.iter().sum::<f64>()
    }
}

/// What weights are learned from: the posteriors of a relation with covariates and with features, and pairs that neither has
/// seen, with their labels.
pub(crate) struct Relation<'a> {
    pub(crate) covariates: &'a Posterior,
    pub(crate) features: &'a Posterior,
    pub(crate) pairs: &'a [(u32, u32)],
    pub(crate) labels: &'a [bool],
}

impl Relation<'_> {
    /// All links and enough of the non-links.
    fn held_out(&self) -> Vec<HeldOut> {
        let links = self.labels.iter().filter(|&&link| link).count();
        let every = ((self.labels.len() - links) / PAIRS).max(1);
        let mut chosen = Vec::new();
        let mut non_links = 0;
        for (number, &link) in self.labels.iter().enumerate() {
            non_links += usize::from(!link);
            if link || non_links % every == 0 {
                chosen.push(number);
            }
        }
        let pairs: Vec<(u32, u32)> = chosen.iter().map(|&number| self.pairs[number]).collect();
        let both = [self.covariates, self.features].map(|posterior| Logits::new(posterior, &pairs));
        // Non-links are as rare among the held-out pairs as among those to learn from.
        let raised = -self.features.non_link_share.ln();
        (chosen.par_iter().enumerate())
            .map(|(place, &number)| {
                let logits = (0..DRAWS)
                    .map(|draw| [0, 1].map(|which: usize| both[which].of(draw, place, pairs[place])));
                HeldOut {
                    link: self.labels[number],
                    count: if self.labels[number] { 1.0 } else { every as f64 },
                    raised,
                    logits: logits.collect(),
                }
            })
            .collect()
    }
}

/// The logits of pairs in evenly spaced draws.
struct Logits<'a> {
    posterior: &'a Posterior,
    covariates: Matrix,
    raised: f64,
}

impl<'a> Logits<'a> {
    fn new(posterior: &'a Posterior, pairs: &[(u32, u32)]) -> Self {
        Self { posterior, covariates: posterior.covariates_of(pairs), raised: posterior.raised_log_odds() }
    }

    fn of(&self, draw: usize, place: usize, (i, j): (u32, u32)) -> f64 {
        let draws = self.posterior.draws();
        let draw = &draws[draw * draws.len() / DRAWS];
        draw.logit(i as usize, j as usize, self.covariates.row(place)) - self.raised
    }
}

/// Climbs from some weights to the best ones by Fisher scoring; those that are not free stay.
fn climb(held_out: &[HeldOut], mut at: [f64; 3], free: [bool; 3]) -> [f64; 3] {
    let mut here = Slope::at(held_out, at);
    for _ in 0..50 {
        let mut step = here.step(free);
        // A full step may overshoot; a tenth of a thousandth is as good as none.
        let (next, there) = loop {
            let next: [f64; 3] = std::array::from_fn(|k| at[k] + step[k]);
            let there = Slope::at(held_out, next);
            if there.density >= here.density || step.iter().all(|step| step.abs() < 1e-7) {
                break (next, there);
            }
            step = step.map(|step| step / 2.0);
        };
        let moved = (0..3).any(|k| (next[k] - at[k]).abs() > 1e-6);
        (at, here) = (next, there);
        if !moved {
            break;
        }
    }
    at
}

/// The log density of weights, its gradient and the expected curvature.
struct Slope {
    density: f64,
    gradient: [f64; 3],
    curvature: [[f64; 3]; 3],
}

impl Slope {
    fn at(held_out: &[HeldOut], weights: [f64; 3]) -> Self {
        let mut slope = Self { density: 0.0, gradient: [0.0; 3], curvature: [[0.0; 3]; 3] };
        let usual = Combination::default().values();
        for k in 0..3 {
            let precision = PRIOR_SD[k].powi(-2);
            let off = weights[k] - usual[k];
            slope.density -= 0.5 * precision * off * off;
            slope.gradient[k] -= precision * off;
            slope.curvature[k][k] += precision;
        }
        // Summed in a fixed order, so that threads do not change the sum.
        let parts: Vec<Self> = held_out.par_chunks(1024).map(|some| Self::of_pairs(some, weights)).collect();
        for part in parts {
            slope.density += part.density;
            for k in 0..3 {
                slope.gradient[k] += part.gradient[k];
                for l in 0..3 {
                    slope.curvature[k][l] += part.curvature[k][l];
                }
            }
        }
        slope
    }

    fn of_pairs(held_out: &[HeldOut], weights: [f64; 3]) -> Self {
        let mut slope = Self { density: 0.0, gradient: [0.0; 3], curvature: [[0.0; 3]; 3] };
        for pair in held_out {
            let HeldOut { link, count, .. } = pair;
            let Predicted { p, change } = pair.predict(weights);
            slope.density += count * log_score(*link, p);
            let residual = (f64::from(u8::from(*link)) - p) / (p * (1.0 - p));
            for k in 0..3 {
                slope.gradient[k] += count * residual * change[k];
                for l in 0..3 {
                    slope.curvature[k][l] += count * change[k] * change[l] / (p * (1.0 - p));
                }
            }
        }
        slope
    }

    /// Curvature^-1 gradient over the free weights, by elimination.
    fn step(&self, free: [bool; 3]) -> [f64; 3] {
        let mut rows: [[f64; 4]; 3] = std::array::from_fn(|k| {
            let [a, b, c] = self.curvature[k];
            [a, b, c, self.gradient[k]]
        });
        for k in (0..3).filter(|&k| !free[k]) {
            for row in &mut rows {
                row[k] = 0.0;
            }
            rows[k] = [0.0; 4];
            rows[k][k] = 1.0;
        }
        // Positive definite with a prior on every weight: pivots are positive.
        for k in 0..3 {
            let pivot = rows[k];
            for (other, row) in rows.iter_mut().enumerate() {
                if other != k {
                    let factor = row[k] / pivot[k];
                    for (value, pivot) in row.iter_mut().zip(pivot) {
                        *value -= factor * pivot;
                    }
                }
            }
        }
        std::array::from_fn(|k| rows[k][3] / rows[k][k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Silent;
    use crate::covariates::{CovariateSet, SideInfo};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::Settings;
    use crate::network::Pairs;
    use crate::posterior::run_chains;

    fn posteriors() -> (Posterior, Posterior) {
        let made = generate(&GenerateSettings { nodes: 40, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::observed(&made.network, false).with_non_link_share(0.5);
        let short = Settings { chains: 2, burn_in: 20, draws: 10, ..Settings::default() };
        let linear = Settings {
            covariates: CovariateSet::Topology,
            c_pos: 1.5,
            c_neg: 0.15,
            ..short.clone().linear()
        };
        let features = Settings { covariates: CovariateSet::None, node_effects: true, ..short };
        let fit = |settings: Settings| {
            run_chains(&pairs, &SideInfo::default(), &settings.check().unwrap(), 0, &Silent).unwrap()
        };
        (fit(linear), fit(features))
    }

    /// The logit of a combined draw is the weighted sum of the logits of two draws, both with the odds that their costs and
    /// samples raised brought back.
    #[test]
    fn logits_are_weighted_sums() {
        let (one, other) = posteriors();
        assert!(one.draws().iter().all(|draw| draw.features() == 0));
        let weights = Combination { intercept: 0.3, covariates: 0.6, features: 0.5 };
        let both = Posterior::combine(&one, other.clone(), weights);
        for (number, draw) in both.draws().iter().enumerate() {
            for pair in [(0, 1), (3, 20), (7, 39)] {
                let logit = |posterior: &Posterior, draw: &Draw| {
                    let covariates = posterior.covariates_of(&[pair]);
                    let logit = draw.logit(pair.0 as usize, pair.1 as usize, covariates.row(0));
                    logit - posterior.raised_log_odds()
                };
                let expected = 0.3
                    + 0.6 * logit(&one, &one.draws()[number])
                    + 0.5 * logit(&other, &other.draws()[number]);
                assert!((logit(&both, draw) - expected).abs() < 1e-9);
            }
        }
        assert_eq!(both.settings().covariates, CovariateSet::Topology);
        // Covariates alone are weighed as they are together with features that do not count.
        let weights = Combination { features: 0.0, ..weights };
        let pairs = [(0, 1), (3, 20), (7, 39)];
        let alone = one.clone().weighed(weights);
        assert_eq!(alone.combination(), Some(weights));
        let combined = Posterior::combine(&one, other, weights);
        for (alone, combined) in alone.predict_mean(&pairs).into_iter().zip(combined.predict_mean(&pairs)) {
            assert!((alone - combined).abs() < 1e-9, "{alone} {combined}");
        }
    }

    fn uniform() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// Weights that labels were drawn with are found again, within what the prior allows.
    #[test]
    fn weights_are_found_again() {
        let mut uniform = uniform();
        let truth = [-0.4, 0.9, 0.6];
        let held_out: Vec<HeldOut> = (0..20_000)
            .map(|_| {
                let logits = [6.0 * uniform() - 3.0, 6.0 * uniform() - 3.0];
                let p = sigmoid(truth[0] + truth[1] * logits[0] + truth[2] * logits[1] + 0.7);
                HeldOut { link: uniform() < p, count: 1.0, raised: 0.7, logits: vec![logits; 2] }
            })
            .collect();
        let found = climb(&held_out, Combination::default().values(), [true; 3]);
        for (found, truth) in found.into_iter().zip(truth) {
            // Four standard errors: the information per pair about a weight is above 0.3.
            assert!((found - truth).abs() < 0.05, "{found} {truth}");
        }
        let fixed = climb(&held_out, [0.0, 0.7, 0.0], [true, true, false]);
        assert_eq!(fixed[2], 0.0);
        assert!(Learned { held_out, best: found, without: fixed }.features_pay(1.0));
    }

    /// Features whose logits have nothing to do with the labels have no weight, once there are enough pairs to see it.
    #[test]
    fn features_that_say_nothing_do_not_pay() {
        let mut uniform = uniform();
        let pair = |_| {
            let logits = [6.0 * uniform() - 3.0, 6.0 * uniform() - 3.0];
            HeldOut { link: uniform() < sigmoid(logits[0]), count: 1.0, raised: 0.0, logits: vec![logits] }
        };
        let many: Vec<HeldOut> = (0..20_000).map(pair).collect();
        let (best, negative) = ([0.0, 1.0, 0.03], [0.0, 1.0, -0.1]);
        let mut learned = Learned { held_out: many, best, without: [0.0, 1.0, 0.0] };
        assert!(!learned.features_pay(1.0) && !learned.features_pay(2.0));
        assert!(learned.features_pay(1_000.0), "an error that large says nothing");
        learned.best = negative;
        assert!(!learned.features_pay(1.0), "a negative weight is none");
        // A few pairs cannot tell.
        learned.held_out.truncate(1_000);
        assert!(!learned.many_links() && !learned.features_pay(1.0));
        learned.best = best;
        assert!(learned.features_pay(1.0));
    }
}
