//! What makes up the log-odds of a pair: groups of covariates, effects of its ends, features.
//!
//! A logit is a sum, so every draw gives each part a number. Covariates are standardised and effects are taken from their
//! mean: a part is what the pair has more or less than an average pair. A group of covariates counts for what it adds beyond
//! the groups before it.

use rayon::prelude::*;
use serde::Serialize;

use crate::chain::Draw;
use crate::covariates::{Attributes, Covariates, Group, Origin};
use crate::kernel::linalg;
use crate::model::sigmoid;

use super::predict::quantile;
use super::{Combination, Posterior};

/// What a part of the log-odds comes from. A kind of covariate counts for what it adds beyond the kinds before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// How many links the ends and those around them have; and the effects of the two nodes in the posterior of the
    /// features.
    Activity,
    /// The link in the other direction.
    Reciprocity,
    /// Nodes that both ends are linked with.
    CommonNeighbours,
    /// Paths of more than two links, distances and walks.
    LongerPaths,
    /// Attributes of the ends, and how alike they are.
    Attributes,
    /// Covariates of pairs that the user gave.
    PairCovariates,
    /// The effects of the two nodes, in a model without covariates of links.
    Effects,
    /// Features of the two nodes.
    Features,
}

impl PartKind {
    /// All of them, in the order in which they count.
    pub const ALL: [Self; 8] = [
        Self::Activity,
        Self::Reciprocity,
        Self::CommonNeighbours,
        Self::LongerPaths,
        Self::Attributes,
        Self::PairCovariates,
        Self::Effects,
        Self::Features,
    ];

    /// The kind of a covariate.
    pub(super) fn of_covariate(origin: Origin) -> Self {
        match origin {
            Origin::Pairs => Self::PairCovariates,
            Origin::Attributes => Self::Attributes,
            Origin::Links(Group::CommonNeighbours) => Self::CommonNeighbours,
            Origin::Links(Group::LongerPaths) => Self::LongerPaths,
            Origin::Links(Group::Activity) => Self::Activity,
            Origin::Links(Group::Reciprocity) => Self::Reciprocity,
        }
    }
}

/// What one kind of evidence adds to the log-odds of a pair, beside an average pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// Where it comes from.
    pub kind: PartKind,
    /// Posterior mean.
    pub log_odds: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
    /// The probability of the link if the pair were an average one in this.
    pub probability_without: f64,
}

/// What the log-odds of a pair are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakdown {
    /// The strongest first; kinds that the model does not have are left out.
    pub parts: Vec<Part>,
    /// The probability of a pair that is an average one in all of them: its log-odds are the mean over draws.
    pub average: f64,
}

/// What nodes add in a draw: by their attributes and beside them, both less the mean of all nodes.
struct Ends {
    /// By the side of a pair: the source's list, and the target's where it has its own.
    sides: [Vec<[f64; 2]>; 2],
}

impl Ends {
    fn of(draw: &Draw, known: Option<&Attributes>) -> Self {
        let side = |side: usize| {
            let effects = &draw.linear.effects[side];
            let mut attributes = vec![0.0; effects.len()];
            if let (Some(known), coefficients) = (known, &draw.linear.attributes[side])
                && !coefficients.is_empty()
                && !effects.is_empty()
            {
                known.add_products(coefficients, &mut attributes);
            }
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let (mean_effect, mean_attribute) = (mean(effects), mean(&attributes));
            let both = effects.iter().zip(&attributes).map(|(effect, attribute)| {
                let of_attributes = attribute - mean_attribute;
                [of_attributes, effect - mean_effect - of_attributes]
            });
            both.collect::<Vec<_>>()
        };
        Self { sides: [side(0), side(1)] }
    }

    fn add(&self, source: u32, target: u32) -> [f64; 2] {
        let [of_sources, own] = &self.sides;
        let of_targets = if own.is_empty() { of_sources } else { own };
        let at = |list: &Vec<[f64; 2]>, node: u32| list.get(node as usize).copied().unwrap_or_default();
        let (one, other) = (at(of_sources, source), at(of_targets, target));
        [one[0] + other[0], one[1] + other[1]]
    }
}

impl Posterior {
    /// What the log-odds of each pair are made of.
    pub fn parts(&self, pairs: &[(u32, u32)]) -> Vec<Breakdown> {
        let matrix = self.covariates_of(pairs);
        let attribution = self.covariates().map(Attribution::of);
        let kinds = attribution.as_ref().map_or(&[][..], Attribution::kinds);
        let lines: Vec<Vec<f64>> = attribution
            .iter()
            .flat_map(|attribution| (0..pairs.len()).map(|pair| attribution.values(matrix.row(pair))))
            .collect();
        let known = self.covariates().and_then(|covariates| covariates.side_info().nodes.as_deref());
        // Both say how active the ends are.
        let of_effects =
            if kinds.contains(&PartKind::Activity) { PartKind::Activity } else { PartKind::Effects };
        // A line for each draw: the parts of every pair, and its logit.
        let lines_of = |draws: &[Draw], raised: f64| -> Vec<Vec<Logit>> {
            let line = |draw: &Draw| {
                let ends = Ends::of(draw, known);
                let coefficients = attribution
                    .as_ref()
                    .filter(|_| !draw.linear.coefficients.is_empty())
                    .map(|attribution| attribution.coefficients(&draw.linear.coefficients));
                let of_pair = |(number, &(source, target)): (usize, &(u32, u32))| {
                    let mut parts = [0.0; PartKind::ALL.len()];
                    for (coefficients, values) in coefficients.iter().zip(lines.get(number)) {
                        for ((coefficient, value), &kind) in coefficients.iter().zip(values).zip(kinds) {
                            parts[kind as usize] += coefficient * value;
                        }
                    }
                    let [by_attributes, by_effects] = ends.add(source, target);
                    let (i, j) = (source as usize, target as usize);
                    parts[PartKind::Attributes as usize] += by_attributes;
                    parts[of_effects as usize] += by_effects;
                    parts[PartKind::Features as usize] += draw.latent(i, j);
                    Logit { parts, whole: draw.logit(i, j, matrix.row(number)) - raised }
                };
                pairs.iter().enumerate().map(of_pair).collect()
            };
            draws.par_iter().map(line).collect()
        };
        let mut draws = lines_of(&self.draws, self.raised_log_odds());
        if let (Some((others, settings)), Some(shares)) = (self.covariates_part(), self.combination()) {
            // The log-odds of a mixture are no sum: they are taken for the mean of those of its parts.
            let others = lines_of(others, self.raised_by(settings));
            for (number, logits) in draws.iter_mut().enumerate() {
                let others = &others[number % others.len()];
                logits.iter_mut().zip(others).for_each(|(logit, other)| *logit = logit.mixed(other, shares));
            }
        }
        (0..pairs.len())
            .map(|pair| summarised(&draws.iter().map(|draw| draw[pair]).collect::<Vec<_>>()))
            .collect()
    }
}

/// A logit in a draw, and its parts.
#[derive(Debug, Clone, Copy)]
struct Logit {
    parts: [f64; PartKind::ALL.len()],
    whole: f64,
}

impl Logit {
    fn mixed(&self, other: &Self, Combination { covariates, features }: Combination) -> Self {
        let mixed = |one: f64, other: f64| features * one + covariates * other;
        Self {
            parts: std::array::from_fn(|kind| mixed(self.parts[kind], other.parts[kind])),
            whole: mixed(self.whole, other.whole),
        }
    }
}

/// The parts of one pair over all draws.
fn summarised(draws: &[Logit]) -> Breakdown {
    let mut parts: Vec<Part> = Vec::new();
    let mean = |value: &dyn Fn(&Logit) -> f64| draws.iter().map(value).sum::<f64>() / draws.len() as f64;
    for kind in PartKind::ALL {
        let of_kind = |logit: &Logit| logit.parts[kind as usize];
        let mut values: Vec<f64> = draws.iter().map(of_kind).collect();
        if values.iter().all(|&value| value == 0.0) {
            continue;
        }
        values.sort_unstable_by(f64::total_cmp);
        let [low, high] = [0.05, 0.95].map(|level| quantile(&values, level));
        let probability_without = mean(&|logit| sigmoid(logit.whole - of_kind(logit)));
        parts.push(Part { kind, log_odds: mean(&of_kind), low, high, probability_without });
    }
    parts.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then(a.kind.cmp(&b.kind)));
    let average = sigmoid(mean(&|logit| logit.whole - logit.parts.iter().sum::<f64>()));
    Breakdown { parts, average }
}

/// Added to the variance of each standardised column, so that a column that others make up is left to those.
const RIDGE: f64 = 1e-4;

/// Turns columns into what each adds beyond those before it.
///
/// Covariates of the links around a pair overlap: nodes with many links have many common neighbours, and these make many longer
/// paths. Their coefficients may cancel each other, and only the sum is known well. So each column is replaced by what the columns
/// before it do not say of it, which keeps the sum, and leaves the groups of columns uncorrelated. See "Reasons" in
/// `docs/model.md`.
pub(super) struct Attribution {
    /// The columns, group by group.
    order: Vec<usize>,
    /// The kind of each column in that order.
    kinds: Vec<PartKind>,
    /// R with R'R the covariances of the columns in that order.
    factor: Vec<f64>,
}

impl Attribution {
    /// By the covariances over the reference pairs.
    pub(super) fn of(covariates: &Covariates) -> Self {
        let width = covariates.names().len();
        let kind = |column: usize| PartKind::of_covariate(covariates.origin(column));
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by_key(|&column| kind(column));
        let kinds: Vec<PartKind> = order.iter().map(|&column| kind(column)).collect();
        let pairs = covariates.reference_pairs();
        let rows = covariates.rows(&pairs);
        let mut sums = vec![0.0; width];
        let mut factor = vec![0.0; width * width];
        let count = pairs.len().max(1) as f64;
        for line in 0..pairs.len() {
            let row = rows.row(line);
            for (i, &one) in order.iter().enumerate() {
                let value = f64::from(row[one]);
                sums[i] += value;
                for (sum, &other) in factor[i * width..][i..width].iter_mut().zip(&order[i..]) {
                    *sum += value * f64::from(row[other]);
                }
            }
        }
        for i in 0..width {
            for j in i..width {
                let covariance = factor[i * width + j] / count - sums[i] * sums[j] / (count * count);
                factor[i * width + j] = covariance + if i == j { RIDGE } else { 0.0 };
            }
        }
        linalg::cholesky(&mut factor, width);
        Self { order, kinds, factor }
    }

    /// What each column of a pair says beyond those before it.
    pub(super) fn values(&self, row: &[f32]) -> Vec<f64> {
        let mut values: Vec<f64> = self.order.iter().map(|&column| f64::from(row[column])).collect();
        linalg::solve_lower(&self.factor, self.order.len(), &mut values);
        values
    }

    /// The coefficients of these values: all that a column adds to a logit, by itself and through the columns behind it.
    pub(super) fn coefficients(&self, coefficients: &[f64]) -> Vec<f64> {
        let width = self.order.len();
        let ordered: Vec<f64> = self.order.iter().map(|&column| coefficients[column]).collect();
        (0..width).map(|i| linalg::dot(&self.factor[i * width..][i..width], &ordered[i..])).collect()
    }

    pub(super) fn kinds(&self) -> &[PartKind] {
        &self.kinds
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::small_posterior;
    use super::*;

    /// The parts and what an average pair has make up the logit.
    #[test]
    fn parts_add_up() {
        for directed in [false, true] {
            let posterior = small_posterior("diag-dlfrm-l", directed, 14);
            let mean_logit = |(i, j): (u32, u32)| {
                let matrix = posterior.covariates_of(&[(i, j)]);
                let logits =
                    posterior.draws().iter().map(|draw| draw.logit(i as usize, j as usize, matrix.row(0)));
                logits.sum::<f64>() / posterior.draws().len() as f64
            };
            for pair in [(0, 1), (2, 5), (3, 13), (7, 8)] {
                let Breakdown { parts, average } = &posterior.parts(&[pair])[0];
                let sum = parts.iter().map(|part| part.log_odds).sum::<f64>();
                let expected = sigmoid(mean_logit(pair) - posterior.raised_log_odds() - sum);
                assert!((average - expected).abs() < 1e-9, "{average} {expected}");
                for part in parts {
                    assert!(part.low <= part.high && (0.0..=1.0).contains(&part.probability_without));
                }
            }
            let [one, other] = [(0, 1), (3, 13)].map(|pair| posterior.parts(&[pair])[0].average);
            assert!((one - other).abs() < 1e-9, "an average pair is the same for all: {one} {other}");
        }
    }

    fn variance<const PARTS: usize>(parts: &[[f64; PARTS]]) -> f64 {
        let count = parts.len() as f64;
        let of = |part: usize| {
            let mean = parts.iter().map(|parts| parts[part]).sum::<f64>() / count;
            parts.iter().map(|parts| (parts[part] - mean).powi(2)).sum::<f64>() / count
        };
        (0..PARTS).map(of).sum()
    }

    /// Over the reference pairs groups of covariates do not vary together, so that one does not take back what another adds.
    /// Sums of the raw terms do vary together.
    #[test]
    fn groups_of_covariates_do_not_cancel_each_other() {
        let posterior = small_posterior("diag-dlfrm-l", false, 40);
        let covariates = posterior.covariates().unwrap();
        let (attribution, pairs) = (Attribution::of(covariates), covariates.reference_pairs());
        let rows = covariates.rows(&pairs);
        let raw_kind = |column: usize| PartKind::of_covariate(covariates.origin(column));
        // Groups that vary together, as those of any network do.
        let sign = |column| if raw_kind(column) == PartKind::Activity { 1.0 } else { -1.0 };
        let coefficients: Vec<f64> = (0..covariates.names().len()).map(sign).collect();
        let turned = attribution.coefficients(&coefficients);
        let groups = |terms: &mut dyn Iterator<Item = (PartKind, f64)>| {
            let mut parts = [0.0; PartKind::ALL.len()];
            terms.for_each(|(kind, term)| parts[kind as usize] += term);
            parts
        };
        let (mut raw, mut beyond, mut whole) = (vec![], vec![], vec![]);
        for pair in 0..pairs.len() {
            let row = rows.row(pair);
            let terms =
                row.iter().zip(&coefficients).map(|(&value, coefficient)| f64::from(value) * coefficient);
            raw.push(groups(&mut terms.enumerate().map(|(column, term)| (raw_kind(column), term))));
            let values = attribution.values(row);
            let terms = values.iter().zip(&turned).map(|(value, coefficient)| value * coefficient);
            beyond.push(groups(&mut attribution.kinds().iter().copied().zip(terms)));
            whole.push([raw[pair].iter().sum::<f64>()]);
            assert!((beyond[pair].iter().sum::<f64>() - whole[pair][0]).abs() < 1e-9);
        }
        let total = variance(&whole);
        let [raw, beyond] = [variance(&raw), variance(&beyond)].map(|variance| variance / total);
        assert!((beyond - 1.0).abs() < 0.05, "{beyond}");
        assert!((raw - 1.0).abs() > 0.2, "{raw}");
    }
}
