//! The features that draws agree on for people: who has them, how sure that is, how they interact.

use rayon::prelude::*;

use super::compared::Compared;
use super::{Draw, Posterior};

/// One feature of the consensus.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureSummary {
    /// Its number in the consensus.
    pub feature: usize,
    /// Who has it, the surest first, equally sure ones in the order of ids.
    pub members: Vec<Member>,
    /// Its weight with itself: what two of its members gain in their logit.
    pub own_weight: f64,
    /// Its weights towards the other features, the strongest first whatever the sign; none in a diagonal
    /// model. In a directed network the members of this feature are the sources.
    pub interactions: Vec<Interaction>,
    /// The mean over all draws of the overlap with the most similar feature there, as Jaccard's
    /// coefficient of the members: near 1 for a feature that every draw of every chain finds. `None` without draws.
    pub stability: Option<f64>,
}

/// A node that has a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// The node.
    pub node: u32,
    /// The part of the draws in which the most similar feature has it. `None` without draws.
    pub certainty: Option<f64>,
}

/// How a feature acts on another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interaction {
    /// The number of the other feature in the consensus.
    pub feature: usize,
    /// The weight from this feature to that one.
    pub weight: f64,
}

impl Posterior {
    /// The features of the [consensus](Self::consensus) of all draws, the largest first.
    ///
    /// Features have no names across draws: in every draw each of them is matched with the feature
    /// that shares most members with it (Jaccard's coefficient, the first of equals), and several may match
    /// the same one.
    pub fn summarise_features(&self) -> Vec<FeatureSummary> {
        self.consensus().map_or_else(Vec::new, |chosen| self.summarise(&chosen))
    }

    /// The features of a picture of all draws, which may be the [consensus](Self::consensus), the largest first.
    pub fn summarise(&self, chosen: &Draw) -> Vec<FeatureSummary> {
        summarise(self.draws(), chosen)
    }
}

/// How sure some draws are of the features of a picture, the largest first.
pub(super) fn summarise(draws: &[Draw], chosen: &Draw) -> Vec<FeatureSummary> {
    // One draw says nothing about how sure it is.
    let others = if draws.len() > 1 { draws } else { &[] };
    let others: Vec<Compared<'_>> = others.iter().map(Compared::new).collect();
    let members = chosen.members();
    let mut summaries: Vec<FeatureSummary> = members
        .par_iter()
        .enumerate()
        .map(|(feature, members)| FeatureSummary {
            feature,
            own_weight: chosen.weight(feature, feature),
            interactions: interactions(chosen, feature),
            ..compare(members, &others)
        })
        .collect();
    summaries.sort_by_key(|summary| (std::cmp::Reverse(summary.members.len()), summary.feature));
    summaries
}

/// The number that each feature of the consensus is known by: 1 for the largest.
pub fn feature_numbers(summaries: &[FeatureSummary]) -> Vec<usize> {
    let mut numbers = vec![0; summaries.len()];
    for (rank, summary) in summaries.iter().enumerate() {
        numbers[summary.feature] = rank + 1;
    }
    numbers
}

fn interactions(draw: &Draw, feature: usize) -> Vec<Interaction> {
    if draw.shape == crate::model::Shape::Diagonal {
        return Vec::new();
    }
    let mut all: Vec<Interaction> = (0..draw.features())
        .filter(|&other| other != feature)
        .map(|other| Interaction { feature: other, weight: draw.weight(feature, other) })
        .collect();
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    all
}

/// The most similar feature of a draw and the overlap with it, the first of equals; none if no member has any feature there.
fn most_similar(other: &Compared<'_>, members: &[u32], shared: &mut Vec<u32>) -> Option<(u32, f64)> {
    let mut best: Option<(u32, f64)> = None;
    for (slot, overlap) in other.overlaps(members, shared) {
        if overlap > 0.0 && best.is_none_or(|(_, most)| overlap > most) {
            best = Some((slot, overlap));
        }
    }
    best
}

/// The summary of a set of members, without its weights.
fn compare(members: &[u32], others: &[Compared<'_>]) -> FeatureSummary {
    let mut overlaps = 0.0;
    let mut kept = vec![0_usize; members.len()];
    let mut shared = Vec::new();
    for other in others {
        if let Some((slot, overlap)) = most_similar(other, members, &mut shared) {
            overlaps += overlap;
            for (kept, &node) in kept.iter_mut().zip(members) {
                *kept += usize::from(other.draw.row(node as usize).contains(&slot));
            }
        }
    }
    let part = |sum: f64| (!others.is_empty()).then(|| sum / others.len() as f64);
    let mut ranked: Vec<(usize, u32)> = kept.into_iter().zip(members.iter().copied()).collect();
    ranked.sort_by_key(|&(kept, node)| (std::cmp::Reverse(kept), node));
    FeatureSummary {
        feature: 0,
        members: ranked
            .into_iter()
            .map(|(kept, node)| Member { node, certainty: part(kept as f64) })
            .collect(),
        own_weight: 0.0,
        interactions: Vec::new(),
        stability: part(overlaps),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Shape;
    use crate::network::Pairs;
    use crate::posterior::tests::draw_of;

    use super::*;

    fn posterior(shape: Shape, draws: &[(&[&[u32]], f64)]) -> Posterior {
        let pairs = Pairs::new(4, true, []);
        let settings = crate::model::Settings::default().check().unwrap();
        let draws = draws.iter().map(|&(rows, log_joint)| draw_of(shape, rows, log_joint)).collect();
        Posterior::new(&pairs, &settings, None, draws, Vec::new())
    }

    #[test]
    fn members_are_matched_by_overlap() {
        // The first draw has the features of the second swapped, and lacks a member; the third lacks the larger feature.
        let posterior = posterior(
            Shape::Symmetric,
            &[
                (&[&[1], &[1], &[], &[0]], -5.0),
                (&[&[0], &[0], &[0], &[1]], -1.0),
                (&[&[], &[], &[], &[0]], -9.0),
            ],
        );
        let summary = posterior.summarise_features();
        let [large, small] = [0, 1].map(|number: usize| summary[number].feature);
        let members: Vec<_> = summary[0].members.iter().map(|m| (m.node, m.certainty)).collect();
        assert_eq!(members, [(0, Some(2.0 / 3.0)), (1, Some(2.0 / 3.0))]);
        assert!((summary[0].stability.unwrap() - 5.0 / 9.0).abs() < 1e-12);
        assert_eq!(summary[1].stability, Some(1.0));
        // draw_of gives the weight 10 k + l: means over the draws that have the features.
        assert_eq!((summary[0].own_weight, summary[1].own_weight), (11.0 / 2.0, 11.0 / 3.0));
        assert_eq!(summary[0].interactions, [Interaction { feature: small, weight: 1.0 }]);
        assert_eq!(summary[1].interactions, [Interaction { feature: large, weight: 1.0 }]);
    }

    #[test]
    fn a_single_draw_says_nothing_about_certainty() {
        let posterior = posterior(Shape::Diagonal, &[(&[&[0], &[0], &[1], &[]], 0.0)]);
        let summary = posterior.summarise_features();
        assert_eq!((summary[0].stability, summary[0].members[0].certainty), (None, None));
        assert!(summary[0].interactions.is_empty());
    }
}
