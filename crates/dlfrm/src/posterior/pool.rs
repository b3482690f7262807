//! Two posteriors of one network as one: a mixture of what covariates say and what features say, and how much each counts,
//! learned from held-out pairs. See "Covariates and features together" in `docs/model.md`.
//!
//! A pool of probabilities, not of logits: the draws of the mixture are draws of either part, so that its intervals are as wide
//! as what the parts know, and as how far they differ (Yao, Vehtari, Simpson and Gelman 2018).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chain::Draw;
use crate::model::Settings;

use super::{Beside, Posterior};

/// How much the posteriors of two parts count in their mixture: shares that add up to one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// The share of the posterior with covariates and without features.
    pub covariates: f64,
    /// The share of the posterior with features and without covariates.
    pub features: f64,
}

impl Default for Combination {
    /// What weights are shrunk to.
    fn default() -> Self {
        Self::of_features(0.5)
    }
}

impl Posterior {
    /// The mixture of two posteriors of the same pairs: of one with covariates and one with features.
    ///
    /// The features are those of the second. Predictions count both as much as the combination says.
    pub fn combine(covariates: Self, features: Self, combination: Combination) -> Self {
        let settings = features.settings.clone().combined_with(&covariates.settings);
        let beside = Beside { draws: covariates.draws, settings: covariates.settings, combination };
        // A run that was ended may have no draw of one of them.
        let beside = (!beside.draws.is_empty()).then_some(beside);
        Self { settings, covariates: covariates.covariates, beside, ..features }
    }

    /// How much its parts count, if it is a mixture.
    pub fn combination(&self) -> Option<Combination> {
        self.beside.as_ref().map(|beside| beside.combination)
    }

    /// Draws and settings of the part that has covariates and no features, if this is a mixture.
    pub fn covariates_part(&self) -> Option<(&[Draw], &Settings)> {
        self.beside.as_ref().map(|beside| (&beside.draws[..], &beside.settings))
    }

    /// How many draws predict.
    pub fn mixture_draws(&self) -> usize {
        self.mixture().len()
    }

    /// How many draws of the mixture are of either part, those of the features first, and what is taken from their logits.
    pub(super) fn part_counts(&self) -> [(usize, f64); 2] {
        let raised = self.raised_log_odds();
        let Some(Beside { settings, combination, .. }) = &self.beside else {
            return [(self.draws.len(), raised), (0, 0.0)];
        };
        let [features, covariates] = self.counts(*combination);
        [(features, raised), (covariates, self.raised_by(settings))]
    }

    /// How many draws of the features and of the covariates a mixture has.
    fn counts(&self, combination: Combination) -> [usize; 2] {
        // As many as the larger share needs for the draws of the features to be there once.
        let total = self.draws.len() as f64 / combination.features.max(0.5);
        [combination.features, combination.covariates]
            .map(|share| ((total * share).round() as usize).max(usize::from(share > 0.0)))
    }

    /// All draws of the features, and what is taken from their logits.
    pub(super) fn features_draws(&self) -> Vec<(&Draw, f64)> {
        let raised = self.raised_log_odds();
        self.draws.iter().map(|draw| (draw, raised)).collect()
    }

    /// The draws that predict, each as probable as any other, and what is taken from their logits. In a mixture the draws of
    /// the features come first.
    pub(crate) fn mixture(&self) -> Vec<(&Draw, f64)> {
        self.mixture_parts().concat()
    }

    /// The same for each part of a mixture, the features first; without a second part where there is no mixture.
    pub(super) fn mixture_parts(&self) -> [Vec<(&Draw, f64)>; 2] {
        let of = |draws: &'_ [Draw], count: usize| -> Vec<usize> {
            (0..count).map(|number| (2 * number + 1) * draws.len() / (2 * count)).collect()
        };
        let all = self.features_draws();
        let Some(Beside { draws, settings, combination }) = &self.beside else { return [all, vec![]] };
        let [features, covariates] = self.counts(*combination);
        let chosen = of(&self.draws, features).into_iter().map(|number| all[number]).collect();
        let others = of(draws, covariates);
        let raised = self.raised_by(settings);
        [chosen, others.into_iter().map(|number| (&draws[number], raised)).collect()]
    }
}

/// The log-odds of the mean of some probabilities, whose own log-odds are given.
pub(super) fn log_odds_of_mean(logits: impl Iterator<Item = f64>) -> f64 {
    let (mut yes, mut no) = (0.0, 0.0);
    for logit in logits {
        // Both to all digits, also where one of them is nearly one.
        let odds = (-logit.abs()).exp();
        let large = 1.0 / (1.0 + odds);
        let (p, q) = if logit > 0.0 { (large, odds * large) } else { (odds * large, large) };
        yes += p;
        no += q;
    }
    let [yes, no] = [yes, no].map(|sum: f64| sum.max(f64::MIN_POSITIVE).ln());
    yes - no
}

/// The score of a pair with these logits in the draws, one part after the other: the log-odds of the mean in each part, weighed by
/// its draws.
pub(super) fn score(mut logits: impl Iterator<Item = f64>, parts: [(usize, f64); 2]) -> f64 {
    let mut sum = 0.0;
    for (count, raised) in parts.into_iter().filter(|&(count, _)| count > 0) {
        sum += count as f64 * (log_odds_of_mean(logits.by_ref().take(count)) - raised);
    }
    sum / parts.iter().map(|&(count, _)| count as f64).sum::<f64>()
}

/// Pairs that shares are found by, about.
const PAIRS: usize = 30_000;

/// How many pairs the prior of the shares counts as, half of them predicted by each part.
const PRIOR: f64 = 20.0;

/// Bisections of the share of the features.
const BISECTIONS: usize = 40;

/// A held-out pair: its label, how many pairs it stands for, and its probability in either posterior.
struct HeldOut {
    link: bool,
    count: f64,
    covariates: f64,
    features: f64,
}

impl HeldOut {
    /// The probability of its label, and the difference between what features and covariates say of it.
    fn of_label(&self, features: f64) -> (f64, f64) {
        let label = |p: f64| (if self.link { p } else { 1.0 - p }).max(1e-12);
        let [one, other] = [self.covariates, self.features].map(label);
        ((1.0 - features) * one + features * other, other - one)
    }

    fn loss(&self, features: f64) -> f64 {
        -self.count * self.of_label(features).0.ln()
    }
}

impl Combination {
    /// Features with this share.
    pub(crate) fn of_features(features: f64) -> Self {
        Self { covariates: 1.0 - features, features }
    }

    /// The shares with the highest posterior density for held-out pairs and their labels, under a prior around one half. Features
    /// that do not improve predictions have the share zero. Each relation has its two posteriors.
    pub(crate) fn learn(relations: &[Relation<'_>]) -> Self {
        let learned = Learned::new(relations);
        Self::of_features(if learned.features_pay(1.0) { learned.features } else { 0.0 })
    }

    /// Whether it is clear, from many held-out links and fewer draws than there will be, that features do not improve
    /// predictions.
    pub(crate) fn clearly_alone(relations: &[Relation<'_>]) -> bool {
        let learned = Learned::new(relations);
        learned.many_links() && !learned.features_pay(2.0)
    }
}

/// The least part of the log-loss that features must save, where there are so many held-out links to tell.
const LEAST_SAVED: f64 = 0.01;
const LINKS_TO_TELL: usize = 1_000;

/// The best share of the features for held-out pairs.
struct Learned {
    held_out: Vec<HeldOut>,
    features: f64,
}

impl Learned {
    fn new(relations: &[Relation<'_>]) -> Self {
        let held_out: Vec<HeldOut> = relations.iter().flat_map(Relation::held_out).collect();
        let features = share(&held_out);
        Self { held_out, features }
    }

    fn many_links(&self) -> bool {
        self.held_out.iter().filter(|pair| pair.link).count() >= LINKS_TO_TELL
    }

    /// Whether features improve predictions: what they save of the log-loss is not clearly, by so many standard errors, too
    /// little to matter.
    fn features_pay(&self, errors: f64) -> bool {
        if !self.many_links() {
            return true;
        }
        let others: Vec<f64> = self.held_out.iter().map(|pair| pair.loss(0.0)).collect();
        let saved = |(pair, other): (&HeldOut, &f64)| other - pair.loss(self.features);
        let saved: Vec<f64> = self.held_out.iter().zip(&others).map(saved).collect();
        let sum: f64 = saved.iter().sum();
        let mean = sum / saved.len() as f64;
        let error = saved.iter().map(|saved| (saved - mean).powi(2)).sum::<f64>().sqrt();
        sum + errors * error >= LEAST_SAVED * others.iter().sum::<f64>()
    }
}

/// The share of the features with the highest posterior density: where the slope of the log density, which is concave, falls
/// through zero.
fn share(held_out: &[HeldOut]) -> f64 {
    let slope = |features: f64| {
        let each = held_out.iter().map(|pair| {
            let (p, change) = pair.of_label(features);
            pair.count * change / p
        });
        each.sum::<f64>() + 0.5 * PRIOR * (1.0 / features - 1.0 / (1.0 - features))
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// What shares are learned from: the posteriors of a relation with covariates and with features, and pairs that neither has
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
        let [covariates, features] = [self.covariates, self.features].map(|part| part.predict_mean(&pairs));
        // Probabilities are those of all pairs: a non-link stands for those that were not sampled, too.
        let of_non_link = every as f64 / self.features.non_link_share;
        let both = covariates.into_par_iter().zip(features).zip(chosen);
        both.map(|((covariates, features), number)| {
            let link = self.labels[number];
            HeldOut { link, count: if link { 1.0 } else { of_non_link }, covariates, features }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::small_posterior;
    use super::*;

    fn learned(held_out: Vec<(bool, f64, f64)>, times: usize) -> f64 {
        let pairs: Vec<(u32, u32)> = vec![(0, 1)];
        let none = small_posterior("dlfrm-l", true, 6);
        let relation = Relation { covariates: &none, features: &none, pairs: &pairs, labels: &[true] };
        assert_eq!(relation.held_out().len(), 1);
        let one = |(link, covariates, features)| HeldOut { link, count: times as f64, covariates, features };
        let held_out: Vec<HeldOut> = held_out.into_iter().map(one).collect();
        share(&held_out)
    }

    /// The part that predicts better counts more; without evidence both count alike, and little evidence moves little.
    #[test]
    fn shares_follow_the_evidence() {
        assert!((learned(vec![], 1) - 0.5).abs() < 1e-9);
        let better = || vec![(true, 0.1, 0.6), (false, 0.4, 0.1), (true, 0.3, 0.25)];
        let few = learned(better(), 1);
        let many = learned(better(), 1_000);
        assert!(few > 0.5 && few < 0.65 && many > 0.9, "{few} {many}");
        let worse = || vec![(true, 0.6, 0.1), (false, 0.1, 0.4)];
        assert!(learned(worse(), 1_000) < 0.1);
    }

    /// The log-odds of a mean are exact where it is next to nothing or to one.
    #[test]
    fn log_odds_of_means() {
        let of = |logits: &[f64]| log_odds_of_mean(logits.iter().copied());
        for logit in [-300.0, -40.0, -1.0, 0.0, 2.0, 50.0, 300.0] {
            assert!((of(&[logit; 3]) - logit).abs() < 1e-12 * (1.0 + f64::abs(logit)), "{logit}");
        }
        assert!((of(&[-40.0, -50.0]) - (-40.0 + (0.5 * (1.0 + f64::exp(-10.0))).ln())).abs() < 1e-12);
        assert!(of(&[9.0, -9.0]).abs() < 1e-12 && of(&[-1e4]).is_finite() && of(&[1e4]).is_finite());
    }

    /// The score is the mean of the log-odds of the parts, weighed, and means of draws are those before costs and sampled
    /// non-links are undone.
    #[test]
    fn scores_of_parts() {
        let logits = [1.0, 3.0, -2.0, 0.5, -6.0];
        let odds = |p: f64| (p / (1.0 - p)).ln();
        let mean = |part: &[f64]| {
            odds(part.iter().map(|&w| crate::model::sigmoid(w)).sum::<f64>() / part.len() as f64)
        };
        let found = score(logits.into_iter(), [(2, 0.7), (3, 1.5)]);
        let expected = 0.4 * (mean(&logits[..2]) - 0.7) + 0.6 * (mean(&logits[2..]) - 1.5);
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        let alone = score(logits.into_iter(), [(5, 0.7), (0, 0.0)]);
        assert!((alone - (mean(&logits) - 0.7)).abs() < 1e-12);
        let whole = small_posterior("dlfrm-l", true, 8);
        let sampled = Posterior { non_link_share: 0.01, ..whole.clone() };
        let pairs = [(0, 1), (3, 2), (7, 4)];
        for (one, other) in whole.score(&pairs).into_iter().zip(sampled.score(&pairs)) {
            assert!((one + 0.01_f64.ln() - other).abs() < 1e-12, "every pair by the same");
        }
    }

    /// Means of the mixture are means of the parts, weighed.
    #[test]
    fn a_mixture_predicts_the_weighed_mean() {
        let (covariates, features) =
            (small_posterior("dlfrm-l", false, 10), small_posterior("diag-dlfrm-l", false, 10));
        let features = Posterior { covariates: None, ..features };
        let strip = |draw: &Draw| {
            let mut parts = (**draw).clone();
            parts.linear.coefficients.clear();
            Draw::of(parts)
        };
        let features = Posterior { draws: features.draws.iter().map(strip).collect(), ..features };
        let pairs = [(0, 3), (2, 7), (8, 9)];
        let alone = [covariates.predict_mean(&pairs), features.predict_mean(&pairs)];
        for share in [0.0, 0.25, 0.5, 0.75] {
            let mixed =
                Posterior::combine(covariates.clone(), features.clone(), Combination::of_features(share));
            let draws = mixed.mixture().len();
            assert_eq!(mixed.predict_draws(&pairs).len(), draws * pairs.len());
            for (place, found) in mixed.predict(&pairs).into_iter().enumerate() {
                let expected = (1.0 - share) * alone[0][place] + share * alone[1][place];
                // Not all draws of the part that counts less are there.
                assert!((found.mean - expected).abs() < 0.1, "{share} {} {expected}", found.mean);
                assert!(found.low <= found.mean && found.mean <= found.high);
                if share == 0.5 {
                    assert!((found.mean - expected).abs() < 1e-12);
                }
            }
        }
    }
}
