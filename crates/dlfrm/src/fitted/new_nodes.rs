//! Nodes that were not there at the fit: their features and effects given their links, without a refit.
//! See "New nodes" in `docs/model.md`.

use std::sync::Arc;

use rayon::prelude::*;

use crate::chain::{Draw, DrawParts};
use crate::covariates::{Covariates, Matrix, SideInfo};
use crate::error::{Error, PairsFor, Result};
use crate::fit::update::{extended, with_nodes, with_rows};
use crate::fit::{self, Checkpoint, FittedModel, FittedRelation};
use crate::kernel::{
    Context, RelationView,
    augment::Augmentation,
    new_nodes::{self, NewNodes, Scratch},
};
use crate::model::{Loss, Settings, State, ValidSettings};
use crate::network::{Division, Network, Pair, Pairs, Relation, Unlisted};
use crate::posterior::Posterior;
use crate::random::{StreamKey, run_seed};

/// New nodes with more pairs than this are refused.
const MOST_PAIRS: usize = 10_000_000;

impl FittedModel {
    /// The model with nodes that were not there at the fit, to predict with: they come after those that were.
    ///
    /// In every draw of the posterior the features and effects of the new nodes are drawn given their links, the other
    /// rows, and the weights. Covariates of their pairs are computed with their links, and counted with the coefficients of the
    /// draw. Nothing else changes. Attributes of new nodes are not known. The model cannot go on.
    ///
    /// A pair of two nodes that the model knows is an error, and so is a relation that it does not have.
    pub fn with_new_nodes(&self, links: &[Relation]) -> Result<Self> {
        let no_draws = |why| Error::Draws(format!("new nodes cannot be predicted: {why}"));
        let checkpoint = self.clone().into_checkpoint().map_err(no_draws)?;
        for Relation { network, .. } in links {
            let known = |&&(i, j): &&(u32, u32)| {
                [i, j].iter().all(|&id| self.nodes.get(network.nodes().name(id)).is_some())
            };
            let mut listed = network.links().iter().chain(network.non_links()).chain(network.unobserved());
            if let Some(&(i, j)) = listed.find(known) {
                let [i, j] = [i, j].map(|id| network.nodes().name(id));
                return Err(Error::Network(format!(
                    "the model knows both '{i}' and '{j}': new nodes have names of their own, and links between known \
                     ones are added by an update"
                )));
            }
        }
        let (relations, added) = extended(&checkpoint.relations, links)?;
        if added.nodes == 0 {
            return Err(Error::Network("there is no new node: the model knows all names".to_owned()));
        }
        let nodes = Arc::clone(relations[0].network.nodes());
        let known = self.nodes.len();
        if let Some(modes) = relations[0].network.modes() {
            (known as u32..nodes.len() as u32).try_for_each(|id| modes.check_node(&nodes, id))?;
        }
        let posteriors = Arrival::new(self, &checkpoint, &relations)?.posteriors()?;
        let fitted = self.relations.iter().zip(relations).zip(posteriors);
        let fitted = fitted.map(|((before, Relation { network, .. }), posterior)| FittedRelation {
            name: before.name.clone(),
            posterior,
            links: network.links().to_vec(),
            non_links: network.non_links().to_vec(),
            observed: before.observed,
            seconds: before.seconds,
            held_out: before.held_out.clone(),
            chains: None,
        });
        Ok(Self {
            name: self.name.clone(),
            nodes,
            directed: self.directed,
            interrupted: self.interrupted,
            versions: self.versions.clone(),
            relations: fitted.collect(),
            state: None,
        })
    }
}

struct Arrival<'a> {
    model: &'a FittedModel,
    checkpoint: &'a Checkpoint<'a>,
    /// The pairs of new nodes in each relation.
    pairs: Vec<Pairs>,
    /// What computes their covariates, and the covariates.
    covariates: Vec<Option<(Covariates, Matrix)>>,
}

impl<'a> Arrival<'a> {
    fn new(model: &'a FittedModel, checkpoint: &'a Checkpoint<'a>, relations: &[Relation]) -> Result<Self> {
        let nodes = relations[0].network.len();
        let pairs = (nodes - model.nodes.len()).saturating_mul(nodes);
        if pairs > MOST_PAIRS {
            return Err(Error::TooManyPairs { purpose: PairsFor::NewNodes { pairs, most: MOST_PAIRS } });
        }
        let side_info = with_nodes(&checkpoint.side_info, nodes)?;
        let (mut pairs, mut covariates) = (vec![], vec![]);
        for (fitted, Relation { name, network }) in model.relations.iter().zip(relations) {
            let symmetric = fitted.posterior.symmetric();
            let own = pairs_of_new(network, model.nodes.len() as u32, symmetric);
            let own = Pairs::new(nodes, symmetric, own).with_modes(network.modes());
            let known = covariates_of(fitted, network, &side_info, &own);
            covariates.push(known.map_err(|error| error.in_relation(name.as_deref()))?);
            pairs.push(own);
        }
        Ok(Self { model, checkpoint, pairs, covariates })
    }

    /// The posterior of each relation.
    fn posteriors(&self) -> Result<Vec<Posterior>> {
        let parts = &self.checkpoint.state.parts;
        let features = self.part(parts.features(), parts.covariates().is_none(), 0)?;
        let Some(covariates) = parts.covariates() else { return Ok(features) };
        let covariates = self.part(covariates, true, 1)?;
        let both = covariates.into_iter().zip(features).zip(&self.model.relations);
        let combined = both.map(|((covariates, features), fitted)| {
            let combination = fitted.posterior.combination().unwrap_or_default();
            Posterior::combine(covariates, features, combination)
        });
        Ok(combined.collect())
    }

    /// One part of each relation, from the chains that it was fitted with.
    fn part(&self, of: &fit::Part, with_covariates: bool, number: u64) -> Result<Vec<Posterior>> {
        let settings = &of.settings;
        let mut parts = vec![];
        for (relation, pairs) in self.pairs.iter().enumerate() {
            let covariates = self.covariates[relation].as_ref().filter(|_| with_covariates);
            let share = self.model.relations[relation].posterior.non_link_share();
            let seed = run_seed(settings.seed, u64::MAX - 2 * relation as u64 - number);
            parts.push(Part::new(pairs, covariates, &self.checkpoint.side_info, settings, share, seed)?);
        }
        let mut draws: Vec<Vec<&Draw>> =
            of.chains.iter().map(|runs| runs.iter().flat_map(|run| &run.draws).collect()).collect();
        if settings.max_new == 0 {
            let known = self.model.nodes.len();
            for (draws, part) in draws.iter_mut().zip(&parts) {
                *draws = part.resampled(draws, known)?;
            }
        }
        let known = self.model.nodes.len();
        let extended = if of.shared {
            extend(&parts, known, &draws)?
        } else {
            let each = parts
                .iter()
                .zip(&draws)
                .map(|(part, draws)| extend(std::slice::from_ref(part), known, std::slice::from_ref(draws)));
            each.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
        };
        let posterior = |((part, fitted), draws): ((&Part<'_>, &FittedRelation), Vec<Draw>)| {
            let pairs = part.pairs.clone().with_non_link_share(fitted.posterior.non_link_share());
            let covariates = part.covariates.map(|(covariates, _)| covariates.clone());
            Posterior::new(&pairs, settings, covariates, draws, fitted.posterior.traces().to_vec())
        };
        Ok(parts.iter().zip(&self.model.relations).zip(extended).map(posterior).collect())
    }
}

/// The observed pairs of new nodes; an undirected one in both directions, if pairs are ordered.
fn pairs_of_new(network: &Network, known: u32, symmetric: bool) -> Vec<Pair> {
    let nodes = network.len() as u32;
    let both_ways = !network.directed() && !symmetric;
    let mut pairs = vec![];
    let mut add = |source: u32, target: u32| {
        let stands = |list: &[(u32, u32)]| list.binary_search(&(source, target)).is_ok();
        let link = stands(network.links());
        let observed = match network.unlisted() {
            Unlisted::NonLink => !stands(network.unobserved()),
            Unlisted::Unobserved => link || stands(network.non_links()),
        };
        if network.possible(source, target) && observed {
            pairs.push(Pair { source, target, link });
            if both_ways {
                pairs.push(Pair { source: target, target: source, link });
            }
        }
    };
    for new in known..nodes {
        // A pair of two new nodes is seen from the later one.
        for other in 0..new {
            add(other, new);
            if network.directed() {
                add(new, other);
            }
        }
    }
    pairs
}

/// What computes the covariates of a relation with the links of new nodes, and the covariates of their pairs.
fn covariates_of(
    fitted: &FittedRelation,
    network: &Network,
    side_info: &SideInfo,
    pairs: &Pairs,
) -> Result<Option<(Covariates, Matrix)>> {
    let Some(before) = fitted.posterior.covariates() else { return Ok(None) };
    let both_ways = !network.directed() && !pairs.symmetric();
    let link = |(source, target)| Pair { source, target, link: true };
    let back = network.links().iter().filter(|_| both_ways).map(|&(i, j)| link((j, i)));
    let links =
        Pairs::new(network.len(), pairs.symmetric(), network.links().iter().copied().map(link).chain(back));
    let links = links.with_modes(network.modes());
    let set = fitted.posterior.settings().covariates;
    let covariates = Covariates::from_scales(&links, set, side_info, before.scales().to_vec());
    let covariates = covariates
        .ok_or_else(|| Error::Draws("the covariates of the model cannot be restored".to_owned()))?;
    let list: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.source, pair.target)).collect();
    if let Some((column, &(i, j))) =
        list.iter().find_map(|pair| covariates.unheard(*pair).map(|column| (column, pair)))
    {
        let [i, j] = [i, j].map(|id| network.nodes().name(id));
        return Err(Error::Network(format!(
            "the pair '{i}', '{j}' has no value of the covariate '{column}', which every pair of the fit had: new nodes \
             cannot be predicted"
        )));
    }
    let rows = covariates.rows(&list);
    Ok(Some((covariates, rows)))
}

/// Sweeps over the rows and effects of new nodes, for every draw of the model.
const SWEEPS: u64 = 30;
/// The least cost of a non-link.
const LEAST_COST: f64 = 1e-6;

/// What one posterior of a relation is given of new nodes.
struct Part<'a> {
    /// Their observed pairs: all of them, even if the fit had a sample of the non-links.
    pairs: &'a Pairs,
    /// What computes their covariates, and the covariates of the pairs.
    covariates: Option<&'a (Covariates, Matrix)>,
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
    fn new(
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

    /// Draws as often as the pairs of the new nodes speak for them: what the coefficients say of nodes that differ from all
    /// others, because they have few links, was never compared with data. Of draws without features, whose coefficients are
    /// all there is.
    fn resampled<'d>(&self, draws: &[&'d Draw], first: usize) -> Result<Vec<&'d Draw>> {
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
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let step = weights.iter().sum::<f64>() / draws.len() as f64;
        let mut kept = Vec::with_capacity(draws.len());
        let (mut number, mut sum) = (0, weights.first().copied().unwrap_or_default());
        for place in 0..draws.len() {
            while sum < (place as f64 + 0.5) * step && number + 1 < draws.len() {
                number += 1;
                sum += weights[number];
            }
            kept.push(draws[number]);
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
fn extend(parts: &[Part<'_>], first: usize, draws: &[Vec<&Draw>]) -> Result<Vec<Vec<Draw>>> {
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
mod tests {
    // Rows and effects of new nodes beside their exact conditional: all rows enumerated, effects integrated on a grid.
    //
    // Frequencies and means are within 5 standard errors of independent draws: some 200 comparisons, 1e-4 by chance.

    use super::*;
    use crate::model::{Linear, Shape};
    use crate::network::Pair;
    use crate::posterior::tests::draw_of;

    const KNOWN: usize = 6;
    const DRAWS: usize = 20_000;
    const FEATURES: usize = 3;

    /// Three features among six nodes.
    fn draw(shape: Shape, effects: [usize; 2]) -> Draw {
        let draw = draw_of(shape, &[&[0], &[0, 1], &[1], &[0, 2], &[2], &[]], 0.0);
        let weights = match shape {
            Shape::Diagonal => vec![2.0, 1.2, -1.5],
            Shape::Symmetric => vec![1.5, -0.6, 0.4, -0.6, 1.1, 0.3, 0.4, 0.3, -0.9],
            Shape::Full => vec![1.5, -0.6, 0.4, 0.8, 1.1, 0.3, -1.4, 0.2, -0.9],
        };
        let mut linear = Linear::new(0, effects, [0; 2], 0);
        for (side, effects) in linear.effects.iter_mut().enumerate() {
            let effect = |(i, effect): (usize, &mut f64)| *effect = 0.3 * i as f64 - 0.5 * side as f64;
            effects.iter_mut().enumerate().for_each(effect);
        }
        linear.precisions = [1.5, 0.8];
        Draw::from_parts(DrawParts { intercept: -0.7, linear, weights, ..(*draw).clone() }).unwrap()
    }

    /// The pairs of new nodes: labels that look random.
    fn pairs(symmetric: bool, new: usize) -> Pairs {
        let mut list = vec![];
        for late in KNOWN..KNOWN + new {
            for early in 0..late {
                // One pair is not observed.
                list.extend(((early, late) != (2, KNOWN)).then_some((early, late)));
                list.extend((!symmetric).then_some((late, early)));
            }
        }
        let pair = |(source, target): (usize, usize)| Pair {
            source: source as u32,
            target: target as u32,
            link: (source * 5 + target * 3) % 4 < 2,
        };
        Pairs::new(KNOWN + new, symmetric, list.into_iter().map(pair))
    }

    /// The log odds that the pairs of a node add, with the linear part of a pair moved.
    struct Case<'a> {
        settings: &'a ValidSettings,
        pairs: &'a Pairs,
        draw: Draw,
        shift: f64,
    }

    impl Case<'_> {
        fn log_likelihood(&self, wanted: impl Fn(&Pair) -> bool, effect: f64) -> f64 {
            let each = self.pairs.iter().filter(wanted).map(|pair| {
                let logit = self.draw.logit(pair.source as usize, pair.target as usize, &[]) + self.shift;
                let cost = self.settings.cost(pair.link);
                self.settings.model.loss.log_likelihood(pair.link, logit + effect, cost, self.settings.margin)
            });
            each.sum()
        }

        /// Integrates the effect of the only new node over some pairs: its evidence, and its mean.
        fn integrate(&self, wanted: impl Fn(&Pair) -> bool + Copy, precision: f64) -> [f64; 2] {
            let (mut evidence, mut mean) = (0.0, 0.0);
            let sd = precision.sqrt().recip();
            for step in -400..=400 {
                let effect = 8.0 * sd * f64::from(step) / 400.0;
                let density =
                    (-0.5 * precision * effect * effect + self.log_likelihood(wanted, effect)).exp();
                evidence += density * sd;
                mean += density * sd * effect;
            }
            [evidence, mean / evidence]
        }
    }

    /// The probability of every combination of rows, and the means of the effects.
    fn exact(part: &Part<'_>, draw: &Draw, new: usize) -> (Vec<f64>, [f64; 2]) {
        let effects = part.settings.node_effects;
        let symmetric = part.pairs.symmetric();
        let (mut weights, mut means) = (vec![], vec![]);
        for combination in 0..1_usize << (FEATURES * new) {
            let mut parts = DrawParts::clone(&with_rows(draw, KNOWN + new).unwrap());
            parts.starts.truncate(KNOWN + 1);
            let mut owners: Vec<f64> = draw.members().iter().map(|owners| owners.len() as f64).collect();
            let mut log_prior = 0.0;
            for node in 0..new {
                let row = combination >> (FEATURES * node);
                for (k, owners) in owners.iter_mut().enumerate() {
                    // The buffet: the next guest takes a dish with the share of guests that did, itself counted.
                    let probability = *owners / (KNOWN + node + 1) as f64;
                    if row >> k & 1 == 1 {
                        parts.items.push(k as u32);
                        *owners += 1.0;
                        log_prior += probability.ln();
                    } else {
                        log_prior += (1.0 - probability).ln();
                    }
                }
                parts.starts.push(parts.items.len() as u32);
            }
            let draw = Draw::from_parts(parts).unwrap();
            let case = Case { settings: &part.settings, pairs: part.pairs, draw, shift: part.shift };
            let precisions = case.draw.linear.precisions;
            if !effects {
                weights.push((log_prior + case.log_likelihood(|_| true, 0.0)).exp());
                means.push([0.0; 2]);
            } else if symmetric {
                let [evidence, mean] = case.integrate(|_| true, precisions[0]);
                weights.push(log_prior.exp() * evidence);
                means.push([mean, 0.0]);
            } else {
                let out = |pair: &Pair| pair.source as usize == KNOWN;
                let [one, other] =
                    [case.integrate(out, precisions[0]), case.integrate(|pair| !out(pair), precisions[1])];
                weights.push(log_prior.exp() * one[0] * other[0]);
                means.push([one[1], other[1]]);
            }
        }
        let total: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= total;
        }
        let mean = |side: usize| weights.iter().zip(&means).map(|(weight, means)| weight * means[side]).sum();
        let means = [mean(0), mean(1)];
        (weights, means)
    }

    /// Compares the draws of a kernel with enumeration.
    fn compare(model: &str, symmetric: bool, new: usize, node_effects: bool, share: f64, costs: [f64; 2]) {
        let model: crate::model::Model = model.parse().unwrap();
        let shape = match (model.diagonal(), symmetric) {
            (true, _) => Shape::Diagonal,
            (false, true) => Shape::Symmetric,
            (false, false) => Shape::Full,
        };
        let [c_pos, c_neg] = costs;
        let settings = Settings { model, node_effects, c_pos, c_neg, margin: 1.0, ..Settings::default() };
        let lengths = match (node_effects, symmetric) {
            (false, _) => [0; 2],
            (true, true) => [KNOWN, 0],
            (true, false) => [KNOWN; 2],
        };
        let (draw, pairs, side_info) = (draw(shape, lengths), pairs(symmetric, new), SideInfo::default());
        let part = Part::new(&pairs, None, &side_info, &settings, share, 77).unwrap();
        let (expected, means) = exact(&part, &draw, new);
        let found = extend(std::slice::from_ref(&part), KNOWN, &[vec![&draw; DRAWS]]).unwrap();
        let mut counts = vec![0.0; expected.len()];
        let mut sums = [[0.0; 2]; 2];
        for found in &found[0] {
            let mut combination = 0;
            for node in 0..new {
                for &k in found.row(KNOWN + node) {
                    combination |= 1 << (FEATURES * node + k as usize);
                }
            }
            counts[combination] += 1.0;
            for (sums, effects) in sums.iter_mut().zip(&found.linear.effects) {
                if let Some(effect) = effects.get(KNOWN) {
                    *sums = [sums[0] + effect, sums[1] + effect * effect];
                }
            }
            // Nobody else changes.
            assert!((0..KNOWN).all(|node| found.row(node) == draw.row(node)));
            assert_eq!(found.weights, draw.weights);
            let mut effects = found.linear.effects.iter().zip(&draw.linear.effects);
            assert!(effects.all(|(a, b)| a[..b.len()] == b[..]));
        }
        let n = DRAWS as f64;
        let what = format!("{model} {symmetric} {new} {node_effects} {share}");
        assert!(expected.iter().filter(|p| **p > 0.02).count() >= 3, "{what}: a case that says something");
        for (combination, (count, p)) in counts.iter().zip(&expected).enumerate() {
            let error = (p * (1.0 - p) / n).sqrt();
            let (share, z) = (count / n, (count / n - p) / error);
            let rare = (count - n * p).abs() < 3.0;
            assert!(z.abs() < 5.0 || rare, "{what} {combination:b}: {share} {p} {z}");
        }
        for (side, ([sum, squares], expected)) in sums.iter().zip(means).enumerate() {
            let mean = sum / n;
            let error = ((squares / n - mean * mean) / n).sqrt();
            let close = (mean - expected).abs() <= 5.0 * error;
            assert!(close, "{what} effect {side}: {mean} {expected} {error}");
        }
    }

    #[test]
    fn rows_are_drawn_from_their_conditional() {
        for model in ["dlfrm-l", "diag-dlfrm-l", "dlfrm-h", "diag-dlfrm-h"] {
            for symmetric in [true, false] {
                compare(model, symmetric, 1, false, 1.0, [1.0, 0.7]);
            }
        }
    }

    #[test]
    fn effects_are_drawn_with_them() {
        for model in ["dlfrm-l", "diag-dlfrm-h"] {
            for symmetric in [true, false] {
                compare(model, symmetric, 1, true, 1.0, [1.0, 1.0]);
            }
        }
    }

    #[test]
    fn new_nodes_may_be_linked_to_each_other() {
        compare("diag-dlfrm-l", true, 2, false, 1.0, [1.0, 1.0]);
        compare("dlfrm-l", false, 2, false, 1.0, [0.8, 0.5]);
    }

    #[test]
    fn a_sample_of_non_links_is_taken_into_account() {
        compare("diag-dlfrm-l", true, 1, true, 0.2, [1.0, 1.0]);
        compare("dlfrm-h", true, 1, false, 0.2, [1.0, 0.5]);
    }
}
