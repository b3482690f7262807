//! The predicted links, each with its interval and with what explains it.

use std::collections::BTreeMap;

use dlfrm::fit::{Explainer, FittedModel, FittedRelation};
use dlfrm::posterior::{Draw, Prediction};
use serde::Serialize;

use super::rounded::Rounded;

/// Pairs of features that are named for a link.
const NAMED: usize = 3;

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
        let contributions = contributions(draw, (i as usize, j as usize), relation.posterior.symmetric());
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
            explained: named.into_iter().take(NAMED).map(|(k, l, weight)| (k, l, Rounded(weight))).collect(),
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
fn contributions(draw: &Draw, (i, j): (usize, usize), symmetric: bool) -> BTreeMap<(u32, u32), f64> {
    let mut sums = BTreeMap::new();
    for &k in draw.row(i) {
        for &l in draw.row(j) {
            let weight = draw.feature_scale * draw.weight(k as usize, l as usize);
            if weight != 0.0 {
                let key = if symmetric { (k.min(l), k.max(l)) } else { (k, l) };
                *sums.entry(key).or_insert(0.0) += weight;
            }
        }
    }
    sums
}
