//! The features that draws agree on, with the weights between them, and the links that they predict.

use std::collections::BTreeMap;

use dlfrm::fit::{Explainer, FittedModel, FittedRelation};
use dlfrm::model::Shape;
use dlfrm::posterior::{Draw, FeatureRole, FeatureSummary, Posterior, Prediction, feature_numbers};
use serde::Serialize;

use super::rounded::Rounded;

/// Of more features the page shows the largest.
const MOST_FEATURES: usize = 300;
/// Members that are named.
const NAMED: usize = 30;

/// The features that draws agree on.
#[derive(Debug, Serialize)]
pub(super) struct Features<'a> {
    chain: usize,
    sweep: usize,
    /// How many there are; the lists below may have fewer.
    count: usize,
    diagonal: bool,
    intercept: Rounded,
    list: Vec<Feature<'a>>,
    /// Row by row, from feature 1 on; of a diagonal model one number per feature.
    weights: Vec<Rounded>,
    /// The number of each feature of the draw: 1 for the largest.
    #[serde(skip)]
    pub(super) numbers: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Feature<'a> {
    size: usize,
    stability: Option<Rounded>,
    /// Whether nearly all nodes have it: it is part of the intercept then, and no group.
    common: bool,
    /// Whether its members avoid each other: it is no group then, either.
    avoidance: bool,
    /// The surest first.
    members: Vec<&'a str>,
    /// The share of the draws in which each of them is a member; empty without other draws.
    certainties: Vec<Rounded>,
}

impl<'a> Features<'a> {
    pub(super) fn new(model: &'a FittedModel, posterior: &Posterior, draw: &Draw) -> Self {
        let summaries = posterior.summarise(draw);
        let numbers = feature_numbers(&summaries);
        let shown = &summaries[..summaries.len().min(MOST_FEATURES)];
        let diagonal = draw.shape == Shape::Diagonal;
        let row = |one: &FeatureSummary| {
            let others = shown.iter().filter(|other| !diagonal || other.feature == one.feature);
            others.map(|other| Rounded(draw.weight(one.feature, other.feature))).collect::<Vec<_>>()
        };
        let feature = |summary: &FeatureSummary| Feature {
            size: summary.members.len(),
            stability: summary.stability.map(Rounded),
            common: summary.role(model.nodes.len()) == FeatureRole::Common,
            avoidance: summary.role(model.nodes.len()) == FeatureRole::Avoidance,
            members: summary.members.iter().take(NAMED).map(|one| model.nodes.name(one.node)).collect(),
            certainties: summary
                .members
                .iter()
                .take(NAMED)
                .filter_map(|one| one.certainty.map(Rounded))
                .collect(),
        };
        Self {
            chain: draw.chain + 1,
            sweep: draw.sweep,
            count: summaries.len(),
            diagonal,
            intercept: Rounded(draw.intercept),
            list: shown.iter().map(feature).collect(),
            weights: shown.iter().flat_map(row).collect(),
            numbers,
        }
    }
}

/// Pairs of features that are named for a link.
const NAMED_PAIRS: usize = 3;

/// Sentences for a link.
const REASONS: usize = 2;

/// A predicted link.
#[derive(Debug, Serialize)]
pub(super) struct PredictedLink<'a> {
    source: &'a str,
    target: &'a str,
    probability: Rounded,
    low: Rounded,
    high: Rounded,
    /// What all features of its ends add to its logit in the consensus of all draws.
    by_features: Rounded,
    /// What the links around it and its ends themselves add.
    by_others: Rounded,
    /// The pairs of features with the largest contributions: one of the source, one of the target, and the weight.
    explained: Vec<(usize, usize, Rounded)>,
    /// The strongest reasons in words, as `dlfrm explain` has them.
    why: String,
    /// The other reasons, and what the strongest one matters.
    more: Vec<String>,
}

/// The most probable missing links; `numbers` are those of the features of the consensus `draw`.
pub(super) fn predicted_links<'a>(
    model: &'a FittedModel,
    relation: &FittedRelation,
    numbers: &[usize],
    count: usize,
    draw: &Draw,
) -> Vec<PredictedLink<'a>> {
    let found = model.missing_of(relation, count, None);
    let pairs: Vec<(u32, u32)> = found.iter().map(|&(i, j, _)| (i, j)).collect();
    let covariates = relation.posterior.covariates().map(|covariates| covariates.rows(&pairs));
    let explainer = Explainer::with_consensus(model, relation, Some(draw.clone()));
    let reasons = explainer.explain(&pairs);
    let link = |(number, &(i, j, prediction)): (usize, &(u32, u32, Prediction))| {
        let row = covariates.as_ref().map_or(&[][..], |rows| rows.row(number));
        let share = relation.posterior.combination().map_or(1.0, |shares| shares.features);
        let contributions =
            contributions(draw, share, (i as usize, j as usize), relation.posterior.symmetric());
        let mut named: Vec<_> = contributions
            .iter()
            .map(|(&(k, l), &weight)| (numbers[k as usize], numbers[l as usize], weight))
            .collect();
        let (source, target) = model.row_first((i, j));
        if source != i {
            for (k, l, _) in &mut named {
                std::mem::swap(k, l);
            }
        }
        named.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        PredictedLink {
            source: model.nodes.name(source),
            target: model.nodes.name(target),
            probability: Rounded(prediction.mean),
            low: Rounded(prediction.low),
            high: Rounded(prediction.high),
            by_features: Rounded(contributions.values().sum()),
            by_others: Rounded(draw.linear.of(i as usize, j as usize, row)),
            explained: named
                .into_iter()
                .take(NAMED_PAIRS)
                .map(|(k, l, weight)| (k, l, Rounded(weight)))
                .collect(),
            why: reasons[number].summary(REASONS),
            more: {
                let others = reasons[number].reasons().into_iter().skip(REASONS);
                others.chain(reasons[number].balance()).collect()
            },
        }
    };
    found.iter().enumerate().map(link).collect()
}

/// What each pair of features adds to a logit; where directions are one, (k, l) and (l, k) are one pair.
fn contributions(
    draw: &Draw,
    share: f64,
    (i, j): (usize, usize),
    symmetric: bool,
) -> BTreeMap<(u32, u32), f64> {
    let mut sums = BTreeMap::new();
    for &k in draw.row(i) {
        for &l in draw.row(j) {
            let weight = share * draw.weight(k as usize, l as usize);
            if weight != 0.0 {
                let key = if symmetric { (k.min(l), k.max(l)) } else { (k, l) };
                *sums.entry(key).or_insert(0.0) += weight;
            }
        }
    }
    sums
}
