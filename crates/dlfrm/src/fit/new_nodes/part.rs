//! Draws of one posterior with rows and effects of new nodes.

use rayon::prelude::*;

use super::super::update::with_rows;
use crate::covariates::{Covariates, Matrix, SideInfo};
use crate::error::{Error, Result};
use crate::kernel::Context;
use crate::kernel::augment::Augmentation;
use crate::kernel::new_nodes::{self, NewNodes, Scratch};
use crate::kernel::relation_view::RelationView;
use crate::model::{Loss, Settings, State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::posterior::{Draw, DrawParts};
use crate::random::StreamKey;

/// Sweeps over the rows and effects of new nodes, for every draw of the model.
const SWEEPS: u64 = 30;
/// The least cost of a non-link.
const LEAST_COST: f64 = 1e-6;

/// What one posterior of a relation is given of new nodes.
pub(super) struct Part<'a> {
    /// Their observed pairs: all of them, even if the fit had a sample of the non-links.
    pub(super) pairs: &'a Pairs,
    /// What computes their covariates, and the covariates of the pairs.
    pub(super) covariates: Option<&'a (Covariates, Matrix)>,
    side_info: &'a SideInfo,
    settings: ValidSettings,
    augmentation: Augmentation,
    division: Division,
    /// What a sample of the non-links takes from every logit.
    shift: f64,
    seed: u64,
}

impl<'a> Part<'a> {
    /// A fit had `share` of the non-links. In a likelihood all of them count at the odds that they have without a sample.
    /// Other losses count all of them with the cost that the sample had.
    pub(super) fn new(
        pairs: &'a Pairs,
        covariates: Option<&'a (Covariates, Matrix)>,
        side_info: &'a SideInfo,
        settings: &Settings,
        share: f64,
        seed: u64,
    ) -> Result<Self> {
        let likelihood =
            settings.model.loss == Loss::Logistic && settings.c_pos == 1.0 && settings.c_neg == 1.0;
        let (shift, cost) = if likelihood { (share.ln(), 1.0) } else { (0.0, share) };
        let c_neg = if cost < 1.0 { (settings.c_neg * cost).max(LEAST_COST) } else { settings.c_neg };
        let settings = Settings { c_neg, ..settings.clone() }.check()?;
        let augmentation = Augmentation::new(&settings)?;
        let division = Division::whole(pairs);
        Ok(Self { pairs, covariates, side_info, settings, augmentation, division, shift, seed })
    }

    /// Draws as often as the pairs of the new nodes speak for them, within each chain: what the coefficients say of
    /// nodes that differ from all others, because they have few links, was never compared with data. Of draws without
    /// features, whose coefficients are all there is.
    pub(super) fn resampled<'d>(&self, draws: &[&'d Draw], first: usize) -> Result<Vec<&'d Draw>> {
        let settings = &self.settings;
        let log_likelihood = |draw: &&Draw| {
            let state = self.state(draw, first)?;
            let each = self.pairs.iter().zip(&state.offsets).map(|(pair, &logit)| {
                let cost = settings.cost(pair.link);
                settings.model.loss.log_likelihood(pair.link, logit, cost, settings.margin)
            });
            Ok(each.sum::<f64>())
        };
        let logs: Vec<f64> = draws.par_iter().map(log_likelihood).collect::<Result<_>>()?;
        let mut kept = Vec::with_capacity(draws.len());
        let mut done = 0;
        for chain in draws.chunk_by(|one, other| one.chain == other.chain) {
            let logs = &logs[done..done + chain.len()];
            done += chain.len();
            let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
            let step = weights.iter().sum::<f64>() / chain.len() as f64;
            let (mut number, mut sum) = (0, weights[0]);
            for place in 0..chain.len() {
                while sum < (place as f64 + 0.5) * step && number + 1 < chain.len() {
                    number += 1;
                    sum += weights[number];
                }
                kept.push(chain[number]);
            }
        }
        Ok(kept)
    }

    /// The prior means of the effects of a node whose attributes are not known.
    fn means(&self, draw: &Draw) -> [f64; 2] {
        let known = self.side_info.nodes.as_deref();
        let product = |coefficients: &Vec<f64>| {
            known
                .filter(|_| !coefficients.is_empty())
                .map_or(0.0, |known| known.product_of_unknown(coefficients))
        };
        draw.linear.attributes.each_ref().map(product)
    }

    /// The state of a draw with rows for the new nodes, which have no feature yet.
    fn state(&self, draw: &Draw, first: usize) -> Result<State> {
        let mut state = with_rows(draw, self.pairs.nodes())?.state();
        let means = self.means(draw);
        for (effects, mean) in state.linear.effects.iter_mut().zip(means) {
            effects.iter_mut().skip(first).for_each(|effect| *effect = mean);
        }
        let offset = |(number, pair): (usize, crate::network::Pair)| {
            let line = self.covariates.map_or(&[][..], |(_, rows)| rows.row(number));
            let linear = state.linear.of(pair.source as usize, pair.target as usize, line);
            state.intercept + self.shift + linear
        };
        let offsets = self.pairs.iter().enumerate().map(offset).collect();
        state.offsets = offsets;
        state.rates = vec![0.0; self.pairs.len()];
        Ok(state)
    }
}

/// The draws of relations that share their features, or of one relation, with rows and effects of the nodes from `first` on.
pub(super) fn extend(parts: &[Part<'_>], first: usize, draws: &[Vec<&Draw>]) -> Result<Vec<Vec<Draw>>> {
    let count = draws[0].len();
    if draws.iter().any(|draws| draws.len() != count) {
        return Err(Error::Draws("the relations do not have as many draws as each other".to_owned()));
    }
    let each = (0..count).into_par_iter().map_init(Scratch::default, |scratch, number| {
        let draws: Vec<&Draw> = draws.iter().map(|draws| draws[number]).collect();
        extend_draw(parts, first, &draws, number as u64, scratch)
    });
    let each: Vec<Vec<Draw>> = each.collect::<Result<_>>()?;
    let mut of_relations = vec![Vec::with_capacity(count); parts.len()];
    for draws in each {
        of_relations.iter_mut().zip(draws).for_each(|(relation, draw)| relation.push(draw));
    }
    Ok(of_relations)
}

/// One draw of each relation; the number is that of the random streams.
fn extend_draw(
    parts: &[Part<'_>],
    first: usize,
    draws: &[&Draw],
    number: u64,
    scratch: &mut Scratch,
) -> Result<Vec<Draw>> {
    let states = parts.iter().zip(draws).map(|(part, draw)| part.state(draw, first));
    let mut states: Vec<State> = states.collect::<Result<_>>()?;
    for sweep in 1..=SWEEPS {
        let relations = parts.iter().zip(draws).zip(&mut states).map(|((part, draw), state)| {
            let Part { pairs, settings, division, seed, augmentation, .. } = part;
            let key = StreamKey { seed: *seed, chain: number, sweep };
            let effects = settings.node_effects.then(|| part.means(draw));
            let view = RelationView { context: Context::new(pairs, settings, division, key), state };
            NewNodes { view, augmentation, effects }
        });
        new_nodes::update(&mut relations.collect::<Vec<_>>(), first, scratch);
    }
    let packed = draws.iter().zip(states).map(|(draw, state)| {
        let mut parts = DrawParts { linear: state.linear, ..(***draw).clone() };
        for node in first..state.features.nodes() {
            parts.items.extend_from_slice(state.features.row(node));
            parts.starts.push(parts.items.len() as u32);
        }
        Draw::from_parts(parts)
    });
    packed.collect()
}

#[cfg(test)]
mod tests;
