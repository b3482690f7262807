//! The features that all draws and chains agree on: one picture of them, who has them, how sure that is, how they interact. See "Features of all draws" in `docs/model.md`.
//!
//! Features have no names across draws. Those of a draw are matched with those of the picture one to one, and a node has
//! a feature of the picture if the matched features of most draws have it: the rule that loses least where a missing and a
//! wrong member count alike (Dahl, Johnson and Andros, 2023). Pictures and matches are found in turn until nothing changes.

use rayon::prelude::*;
use serde::Serialize;

use crate::chain::{Draw, DrawParts};
use crate::model::{Linear, Nu, Shape};

use super::Posterior;

/// A draw and the sizes of its features.
pub(super) struct Compared<'a> {
    pub(super) draw: &'a Draw,
    pub(super) sizes: Vec<u32>,
}

impl<'a> Compared<'a> {
    pub(super) fn new(draw: &'a Draw) -> Self {
        let mut sizes = vec![0; draw.features()];
        draw.items.iter().for_each(|&slot| sizes[slot as usize] += 1);
        Self { draw, sizes }
    }

    /// Each feature of the draw with its overlap with some nodes, as Jaccard's coefficient; `shared` is memory.
    pub(super) fn overlaps<'b>(
        &'b self,
        members: &[u32],
        shared: &'b mut Vec<u32>,
    ) -> impl Iterator<Item = (u32, f64)> + use<'a, 'b> {
        shared.clear();
        shared.resize(self.sizes.len(), 0);
        for &node in members {
            for &slot in self.draw.row(node as usize) {
                shared[slot as usize] += 1;
            }
        }
        let count = members.len() as f64;
        (0..).zip(shared.iter().zip(&self.sizes)).map(move |(slot, (&shared, &size))| {
            (slot, f64::from(shared) / (count + f64::from(size) - f64::from(shared)))
        })
    }
}

/// The most draws that are compared, and the most of them that a picture is begun with.
const COMPARED: usize = 100;
const BEGINNINGS: usize = 8;
/// The most rounds of matching; two or three are usual.
const ROUNDS: usize = 10;
/// Features of two draws that have less than this in common (Jaccard's coefficient) are different features.
const ALIKE: f64 = 0.2;

/// The members of each feature, in increasing order.
type Cover = Vec<Vec<u32>>;

impl Posterior {
    /// The features that most draws have, as one draw: with the means of the matched weights, of the intercept and of the
    /// linear part. Its chain, sweep and log joint density are those of the draw that is most like it. `None` without draws.
    pub fn consensus(&self) -> Option<Draw> {
        let every = self.draws.len().div_ceil(COMPARED).max(1);
        let draws: Vec<Compared<'_>> = self.draws.iter().step_by(every).map(Compared::new).collect();
        let first = draws.first()?;
        if draws.len() == 1 {
            return Some(first.draw.clone());
        }
        let mut cover = begin(&draws);
        let mut matches = match_all(&cover, &draws);
        for _ in 0..ROUNDS {
            let next = vote(&cover, &draws, &matches);
            let settled = next == cover;
            cover = next;
            matches = match_all(&cover, &draws);
            if settled {
                break;
            }
        }
        Some(self.packed(&cover, &draws, &matches))
    }

    fn packed(&self, cover: &Cover, draws: &[Compared<'_>], matches: &[Vec<Option<u32>>]) -> Draw {
        let losses = draws.iter().zip(matches).map(|(draw, matches)| draw.loss(cover, matches));
        let nearest =
            losses.enumerate().min_by_key(|&(number, loss)| (loss, number)).map_or(0, |best| best.0);
        let nearest = draws[nearest].draw;
        let mut rows = vec![Vec::new(); self.nodes];
        for (feature, members) in cover.iter().enumerate() {
            for &node in members {
                rows[node as usize].push(feature as u32);
            }
        }
        let mut starts = vec![0];
        let mut items = Vec::new();
        for row in rows {
            items.extend_from_slice(&row);
            starts.push(items.len() as u32);
        }
        let features = cover.len();
        let weight = |k: usize, l: usize| {
            let both = draws.iter().zip(matches).filter_map(|(compared, matches)| {
                Some(compared.draw.weight(matches[k]? as usize, matches[l]? as usize))
            });
            mean(both)
        };
        let weights = match nearest.shape {
            Shape::Diagonal => (0..features).map(|k| weight(k, k)).collect(),
            Shape::Full | Shape::Symmetric => (0..features * features)
                .into_par_iter()
                .map(|at| weight(at / features, at % features))
                .collect(),
        };
        let of_all = |value: &dyn Fn(&Draw) -> f64| mean(self.draws.iter().map(value));
        Draw::of(DrawParts {
            intercept: of_all(&|draw| draw.intercept),
            linear: self.mean_linear(),
            alpha: of_all(&|draw| draw.alpha),
            nu: Nu { own: of_all(&|draw| draw.nu.own), between: of_all(&|draw| draw.nu.between) },
            features,
            starts,
            items,
            weights,
            ..(**nearest).clone()
        })
    }

    fn mean_linear(&self) -> Linear {
        let mut sum = self.draws[0].linear.clone();
        let share = 1.0 / self.draws.len() as f64;
        for value in values_mut(&mut sum) {
            *value *= share;
        }
        for draw in &self.draws[1..] {
            let mut linear = draw.linear.clone();
            for (sum, value) in values_mut(&mut sum).zip(values_mut(&mut linear)) {
                *sum += share * *value;
            }
        }
        sum
    }
}

fn values_mut(linear: &mut Linear) -> impl Iterator<Item = &mut f64> {
    let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = linear;
    let lists = effects.iter_mut().chain(attributes).chain(attribute_precisions);
    coefficients.iter_mut().chain(precisions).chain(lists.flatten())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

impl Compared<'_> {
    /// Matches the features of a picture with those of the draw one to one, the most similar first.
    fn matches(&self, cover: &Cover) -> Vec<Option<u32>> {
        let mut shared = Vec::new();
        let mut alike = Vec::new();
        for (feature, members) in cover.iter().enumerate() {
            for (slot, overlap) in self.overlaps(members, &mut shared) {
                if overlap >= ALIKE {
                    alike.push((overlap, feature, slot as usize));
                }
            }
        }
        alike.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut matches = vec![None; cover.len()];
        let mut taken = vec![false; self.sizes.len()];
        for (_, feature, slot) in alike {
            if matches[feature].is_none() && !taken[slot] {
                matches[feature] = Some(slot as u32);
                taken[slot] = true;
            }
        }
        matches
    }

    /// In how many entries the matched features of the draw differ from a picture, the unmatched ones counted whole.
    fn loss(&self, cover: &Cover, matches: &[Option<u32>]) -> usize {
        let all: usize = cover.iter().map(Vec::len).sum::<usize>() + self.draw.items.len();
        let shared = cover.iter().zip(matches).map(|(members, slot)| {
            let has = |&&node: &&u32| slot.is_some_and(|slot| self.draw.row(node as usize).contains(&slot));
            members.iter().filter(has).count()
        });
        all - 2 * shared.sum::<usize>()
    }
}

fn match_all(cover: &Cover, draws: &[Compared<'_>]) -> Vec<Vec<Option<u32>>> {
    draws.par_iter().map(|draw| draw.matches(cover)).collect()
}

/// The draw that differs least from the others, with features of other draws that it has nothing like.
fn begin(draws: &[Compared<'_>]) -> Cover {
    let tried: Vec<&Compared<'_>> = draws.iter().step_by(draws.len().div_ceil(BEGINNINGS)).collect();
    let loss = |begin: &&Compared<'_>| -> usize {
        let cover = begin.draw.members();
        draws.iter().map(|draw| draw.loss(&cover, &draw.matches(&cover))).sum()
    };
    let losses: Vec<usize> = tried.par_iter().map(loss).collect();
    let best = (0..tried.len()).min_by_key(|&number| (losses[number], number)).expect("a draw was tried");
    let mut cover = tried[best].draw.members();
    for other in tried {
        let matched: Vec<u32> = other.matches(&cover).into_iter().flatten().collect();
        let members = other.draw.members().into_iter().enumerate();
        cover.extend(
            members.filter(|&(slot, _)| !matched.contains(&(slot as u32))).map(|(_, members)| members),
        );
    }
    cover
}

/// The nodes that the matched features of more than half of the draws have. Features without any are dropped.
fn vote(cover: &Cover, draws: &[Compared<'_>], matches: &[Vec<Option<u32>>]) -> Cover {
    let mut votes: Vec<Vec<u32>> = vec![Vec::new(); cover.len()];
    for (compared, matches) in draws.iter().zip(matches) {
        let mut feature_of = vec![None; compared.sizes.len()];
        for (feature, slot) in matches.iter().enumerate() {
            if let &Some(slot) = slot {
                feature_of[slot as usize] = Some(feature);
            }
        }
        for node in 0..compared.draw.nodes() {
            for &slot in compared.draw.row(node) {
                if let Some(feature) = feature_of[slot as usize] {
                    votes[feature].push(node as u32);
                }
            }
        }
    }
    let elected = |mut votes: Vec<u32>| -> Vec<u32> {
        votes.sort_unstable();
        let groups = votes.chunk_by(|a, b| a == b);
        groups.filter(|group| 2 * group.len() > draws.len()).map(|group| group[0]).collect()
    };
    votes.into_par_iter().map(elected).filter(|members: &Vec<u32>| !members.is_empty()).collect()
}

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

/// What a feature is for the nodes that have it.
///
/// A feature is a **group** if its own weight is positive, so that two nodes that have it are more likely to be linked, and if
/// fewer than nine in ten nodes have it. The members of the group are the nodes that have the feature in the
/// [consensus](Posterior::consensus) of all draws. Groups may overlap, and a node may be in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureRole {
    /// A group.
    Group,
    /// Nine in ten nodes or more have it: it is part of the intercept.
    Common,
    /// Two nodes that have it are less likely to be linked: they avoid each other.
    Avoidance,
}

impl FeatureRole {
    /// The role of a feature that `members` of `nodes` nodes have.
    pub fn of(members: usize, nodes: usize, own_weight: f64) -> Self {
        if 10 * members >= 9 * nodes {
            Self::Common
        } else if own_weight > 0.0 {
            Self::Group
        } else {
            Self::Avoidance
        }
    }
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

impl FeatureSummary {
    /// Whether it is a group of so many nodes, or what else it is.
    pub fn role(&self, nodes: usize) -> FeatureRole {
        FeatureRole::of(self.members.len(), nodes, self.own_weight)
    }
}

impl Posterior {
    /// The features of the [consensus](Self::consensus) of all draws, the largest first.
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
    use super::super::tests::{draw_of, small_posterior};
    use super::*;
    use crate::network::Pairs;

    fn consensus(draws: Vec<Draw>, nodes: u32) -> Draw {
        let mut posterior = small_posterior("diag-dlfrm-l", false, nodes);
        posterior.draws = draws;
        posterior.consensus().unwrap()
    }

    /// Two features under changing numbers, a stray one, and a member that one draw of three lacks.
    #[test]
    fn most_draws_decide() {
        let draws = vec![
            draw_of(Shape::Diagonal, &[&[0], &[0], &[0, 1], &[1], &[1], &[]], -9.0),
            draw_of(Shape::Diagonal, &[&[1], &[1], &[0, 1], &[0], &[0], &[2]], -1.0),
            draw_of(Shape::Diagonal, &[&[0], &[0], &[1], &[1], &[1], &[]], -5.0),
        ];
        let draw = consensus(draws, 6);
        let mut members = draw.members();
        members.sort();
        assert_eq!(members, [vec![0, 1, 2], vec![2, 3, 4]]);
        assert_eq!((draw.chain, draw.log_joint), (0, -9.0), "the first draw is the picture");
        // The weight of feature k of draw_of is 11 k: {0, 1, 2} was number 0, 1, 0 and the other 1, 0, 1.
        let first = draw.members().iter().position(|members| members[0] == 0).unwrap();
        assert!((draw.weight(first, first) - 11.0 / 3.0).abs() < 1e-12);
    }

    /// A feature that the first draws lack is found, if most draws have it.
    #[test]
    fn features_of_other_draws_enter() {
        let without = draw_of(Shape::Diagonal, &[&[0], &[0], &[], &[]], 0.0);
        let with = draw_of(Shape::Diagonal, &[&[0], &[0], &[1], &[1]], -3.0);
        let draw = consensus(vec![without, with.clone(), with], 4);
        assert_eq!(draw.features(), 2);
    }

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
    fn a_single_draw_is_its_own_picture_and_says_nothing_about_certainty() {
        let posterior = posterior(Shape::Diagonal, &[(&[&[0], &[0], &[1], &[]], 0.0)]);
        assert_eq!(posterior.consensus().as_ref(), posterior.draws().first());
        let summary = posterior.summarise_features();
        assert_eq!((summary[0].stability, summary[0].members[0].certainty), (None, None));
        assert!(summary[0].interactions.is_empty());
    }
}
