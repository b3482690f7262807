//! The most that the scores of the pairs of a node can be, by the means over draws and by how much the draws differ.
//!
//! A pair is bounded by the most that intercept, effects, covariates and features add to its mean logit. The least mean logit that a
//! score needs follows from how far the logits of single draws may be from their mean.

use rayon::prelude::*;

use crate::chain::Draw;
use crate::covariates::{Bounds, Covariates, Distance, End, NearEnd, Walker};
use crate::model::{Linear, Shape, sigmoid};
use crate::posterior::pool::log_odds_of_mean;

/// The features of all draws, one after the other, so that one list has all features of a node.
#[derive(Debug)]
pub(super) struct Latent<'a> {
    draws: Vec<&'a Draw>,
    /// The number that the first feature of each draw has, and at the end the number of all.
    first: Vec<usize>,
    starts: Vec<usize>,
    items: Vec<u32>,
    /// The most that the features of each node add to the mean logit, as a source and as a target.
    pub(super) most: [Vec<f64>; 2],
    /// How far the logit of any pair in one draw may be from its mean over draws.
    pub(super) spread: f64,
    extremes: Vec<Extremes>,
}

/// What the features of one draw add.
#[derive(Debug)]
struct Extremes {
    /// The least and the most to pairs from a node that has the feature, and to pairs to it.
    least: [Vec<f64>; 2],
    most: [Vec<f64>; 2],
    /// To any pair, at least and at most.
    range: [f64; 2],
}

impl<'a> Latent<'a> {
    pub(super) fn new(draws: &[&'a Draw], nodes: usize) -> Self {
        let mut first = vec![0];
        first.extend(draws.iter().scan(0, |end, draw| {
            *end += draw.features();
            Some(*end)
        }));
        let mut starts = vec![0];
        let mut items = Vec::with_capacity(draws.iter().map(|draw| draw.items.len()).sum());
        for node in 0..nodes {
            for (draw, first) in draws.iter().zip(&first) {
                items.extend(draw.row(node).iter().map(|&k| *first as u32 + k));
            }
            starts.push(items.len());
        }
        let extremes: Vec<Extremes> = draws.par_iter().map(|draw| Extremes::new(draw)).collect();
        let count = draws.len() as f64;
        let most = [0, 1].map(|end| {
            let of_features: Vec<f64> =
                extremes.iter().flat_map(|one| one.most[end].iter().copied()).collect();
            let sum = |node: usize| {
                let items = &items[starts[node]..starts[node + 1]];
                items.iter().map(|&feature| of_features[feature as usize]).sum::<f64>() / count
            };
            (0..nodes).map(sum).collect()
        });
        let mean = [0, 1].map(|end| extremes.iter().map(|one| one.range[end]).sum::<f64>() / count);
        let spread = |one: &Extremes| (one.range[1] - mean[0]).max(mean[1] - one.range[0]);
        let spread = extremes.iter().map(spread).fold(0.0, f64::max);
        Self { draws: draws.to_vec(), first, starts, items, most, spread, extremes }
    }

    /// For each node, as a source and as a target, the root of the mean over draws of the square of the most, positive or
    /// negative, that its features add.
    pub(super) fn root_mean_squares(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|end| {
            let mut squares = vec![0.0; self.starts.len() - 1];
            for (draw, one) in self.draws.iter().zip(&self.extremes) {
                for (node, square) in squares.iter_mut().enumerate() {
                    let row = draw.row(node).iter();
                    let [least, most] = [&one.least[end], &one.most[end]]
                        .map(|of| row.clone().map(|&k| of[k as usize]).sum::<f64>().abs());
                    *square += least.max(most).powi(2) / self.draws.len() as f64;
                }
            }
            squares.into_iter().map(f64::sqrt).collect()
        })
    }

    /// The most that features add to the mean logit of a pair.
    pub(super) fn most_of(&self, source: u32, target: u32) -> f64 {
        self.most[0][source as usize].min(self.most[1][target as usize])
    }

    fn items(&self, node: u32) -> &[u32] {
        &self.items[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// For every feature of every draw what it adds to the mean logit of a pair from a node, as the target's.
    pub(super) fn write_row(&self, source: u32, row: &mut Vec<f64>) {
        let count = self.draws.len() as f64;
        row.clear();
        row.resize(self.first[self.draws.len()], 0.0);
        for (draw, ends) in self.draws.iter().zip(self.first.windows(2)) {
            let part = &mut row[ends[0]..ends[1]];
            for &k in draw.row(source as usize) {
                let k = k as usize;
                match draw.shape {
                    Shape::Diagonal => part[k] = draw.weights[k] / count,
                    Shape::Full | Shape::Symmetric => {
                        let weights = &draw.weights[k * draw.features()..][..draw.features()];
                        part.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight / count);
                    }
                }
            }
        }
    }

    /// What features add to the mean logit of the pair from the source that the row is of.
    pub(super) fn of(&self, row: &[f64], target: u32) -> f64 {
        self.items(target).iter().map(|&feature| row[feature as usize]).sum()
    }
}

impl Extremes {
    fn new(draw: &Draw) -> Self {
        let features = draw.features();
        let (most, least) = match draw.shape {
            Shape::Diagonal => {
                let most: Vec<f64> = draw.weights.iter().map(|weight| weight.max(0.0)).collect();
                let least: Vec<f64> = draw.weights.iter().map(|weight| weight.min(0.0)).collect();
                ([most.clone(), most], [least.clone(), least])
            }
            Shape::Full | Shape::Symmetric => {
                let turned: Vec<f64> =
                    (0..features * features).map(|at| draw.weight(at % features, at / features)).collect();
                let [from, to] = [&turned, &draw.weights].map(|weights| extremes(draw, weights));
                ([from.1, to.1], [from.0, to.0])
            }
        };
        let sum = |of: &[f64], node| draw.row(node).iter().map(|&k| of[k as usize]).sum::<f64>();
        let low = (0..draw.nodes()).map(|node| sum(&least[0], node)).fold(0.0, f64::min);
        let high = (0..draw.nodes()).map(|node| sum(&most[0], node)).fold(0.0, f64::max);
        Self { least, most, range: [low, high] }
    }
}

/// The least and the most that the features of any node add up to in each column of a matrix.
fn extremes(draw: &Draw, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let features = draw.features();
    let mut least = vec![f64::INFINITY; features];
    let mut most = vec![f64::NEG_INFINITY; features];
    let mut sums = vec![0.0; features];
    for node in 0..draw.nodes() {
        sums.fill(0.0);
        for &k in draw.row(node) {
            let row = &weights[k as usize * features..][..features];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        for ((least, most), &sum) in least.iter_mut().zip(&mut most).zip(&sums) {
            *least = least.min(sum);
            *most = most.max(sum);
        }
    }
    (least, most)
}

/// The mean of all draws: what the mean logit of a pair is, at most before its covariates are known, and how far the logits of
/// single draws may be from it.
#[derive(Debug)]
pub(super) struct MeanDraw<'a> {
    pub(super) latent: Latent<'a>,
    pub(super) bounds: Option<Bounds<'a>>,
    intercept: f64,
    coefficients: Vec<f64>,
    /// What each node adds as the first and as the second end of a pair.
    pub(super) effects: [Vec<f64>; 2],
    /// The logit of a pair in any draw is no further from its mean over draws, by distance.
    pub(super) spread: [f64; 2],
}

impl<'a> MeanDraw<'a> {
    /// Of some draws, which have these covariates.
    pub(super) fn new(draws: &[&'a Draw], covariates: Option<&'a Covariates>, nodes: usize) -> Self {
        let mean =
            |of: &dyn Fn(&Draw) -> f64| draws.iter().map(|draw| of(draw)).sum::<f64>() / draws.len() as f64;
        let intercept = mean(&|draw| draw.intercept);
        let columns = 0..covariates.map_or(0, |covariates| covariates.names().len());
        let coefficients: Vec<f64> =
            columns.map(|column| mean(&|draw| draw.linear.coefficients[column])).collect();
        let effect = |end: fn(&Linear, usize) -> f64| -> Vec<f64> {
            (0..nodes).map(|node| mean(&|draw| end(&draw.linear, node))).collect()
        };
        let effects = [effect(Linear::source), effect(Linear::target)];
        let latent = Latent::new(draws, nodes);
        let bounds = covariates.map(|covariates| Bounds::new(covariates, &coefficients));
        let spread = [latent.spread; 2];
        let mut mean = Self { latent, bounds, intercept, coefficients, effects, spread };
        for distance in [Distance::Far, Distance::Near] {
            let ranges = covariates.map_or(vec![], |covariates| covariates.ranges(distance));
            let spread = draws.iter().map(|draw| mean.spread_of(draw, &ranges)).fold(0.0, f64::max);
            mean.spread[distance as usize] += spread;
        }
        mean
    }

    /// How far a draw's logits may be from the means, features apart.
    fn spread_of(&self, draw: &Draw, ranges: &[[f64; 2]]) -> f64 {
        let intercept = draw.intercept - self.intercept;
        let columns = self.coefficients.iter().zip(&draw.linear.coefficients).zip(ranges);
        // Below and above the mean: correlated coefficients differ in opposite directions.
        let [below, above] = columns.fold([intercept; 2], |[below, above], ((mean, one), range)| {
            let [least, most] = range.map(|x| (one - mean) * x);
            [below + least.min(most), above + least.max(most)]
        });
        let effects = |means: &[f64], of: fn(&Linear, usize) -> f64| {
            let each = means.iter().enumerate().map(|(node, mean)| (of(&draw.linear, node) - mean).abs());
            each.fold(0.0, f64::max)
        };
        above.max(-below)
            + effects(&self.effects[0], Linear::source)
            + effects(&self.effects[1], Linear::target)
    }

    /// What a node adds to bounds as the first end of a pair.
    pub(super) fn first(&self, node: u32) -> End {
        self.bounds.as_ref().map_or_else(End::default, |bounds| bounds.first()[node as usize])
    }

    /// What a node adds to bounds as the second end of a pair.
    pub(super) fn second(&self, node: u32) -> End {
        self.bounds.as_ref().map_or_else(End::default, |bounds| bounds.second()[node as usize])
    }

    /// The same for pairs with a path of length two.
    pub(super) fn near_end(&self, node: u32) -> NearEnd {
        let end = |bounds: &Bounds<'_>| bounds.near_end(&bounds.second()[node as usize], node);
        self.bounds.as_ref().map_or_else(NearEnd::default, end)
    }

    /// What intercept and effect add for the first end of a pair.
    pub(super) fn of_first(&self, first: u32) -> f64 {
        self.intercept + self.effects[0][first as usize]
    }

    /// What intercept and effects add to the mean logit of a pair.
    pub(super) fn of_ends(&self, first: u32, second: u32) -> f64 {
        self.of_first(first) + self.effects[1][second as usize]
    }

    /// The most that covariates add to pairs without a path of length two.
    pub(super) fn far(&self, first: &End, second: &End) -> f64 {
        self.bounds.as_ref().map_or_else(|| first.own() + second.own(), |bounds| bounds.far(first, second))
    }

    /// The most that all but features add to the mean logit of a pair without a path of length two, whose first end was walked
    /// from.
    pub(super) fn far_exactly(&self, walker: Option<&Walker>, first: u32, second: u32) -> f64 {
        let ends = (self.first(first), self.second(second));
        let Some(bounds) = &self.bounds else { return self.of_ends(first, second) };
        let longer = walker.map_or(0.0, |walker| bounds.longer_paths(walker, first, second));
        self.of_ends(first, second) + bounds.far_apart(&ends.0, &ends.1) + longer
    }

    pub(super) fn of_covariates(&self, line: &[f32]) -> f64 {
        self.coefficients.iter().zip(line).map(|(beta, &x)| beta * f64::from(x)).sum()
    }
}

/// Cells for each unit of the logarithm of the degree.
const CELLS_A_UNIT: f64 = 8.0;

/// Nodes of like degree, bounded together as the second ends of pairs.
#[derive(Debug)]
pub(super) struct Cell {
    /// An end that adds at least as much as any of them, effects included in what it adds by itself.
    end: End,
    /// The most that features add for any of them.
    latent: f64,
    /// The nodes with what each adds by itself at most, features included; the most first.
    members: Vec<(u32, f64)>,
}

/// All nodes that are the second end of some pair.
pub(super) fn cells(mean: &MeanDraw<'_>, seconds: impl Iterator<Item = u32>) -> Vec<Cell> {
    let mut by_degree: std::collections::BTreeMap<usize, Vec<u32>> = std::collections::BTreeMap::new();
    for node in seconds {
        by_degree.entry((mean.second(node).logarithm() * CELLS_A_UNIT) as usize).or_default().push(node);
    }
    by_degree.into_values().map(|members| Cell::new(mean, &members)).collect()
}

impl Cell {
    fn new(mean: &MeanDraw<'_>, nodes: &[u32]) -> Self {
        let latent = |node: u32| mean.latent.most[1][node as usize];
        let end = |node: u32| mean.second(node).with(mean.effects[1][node as usize]);
        let ends = nodes.iter().map(|&node| end(node));
        let mut members: Vec<(u32, f64)> =
            nodes.iter().map(|&node| (node, end(node).own() + latent(node))).collect();
        members.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self {
            end: ends.reduce(|one, other| one.or(&other)).expect("a cell is not empty"),
            latent: nodes.iter().map(|&node| latent(node)).fold(f64::NEG_INFINITY, f64::max),
            members,
        }
    }

    pub(super) fn least_logarithm(&self) -> f64 {
        self.end.least_logarithm()
    }

    /// The members whose pairs with a first end may have a mean logit of `needed` or more as far as the cell tells, if there is no path
    /// of length two. `base` is what intercept and effect add for the first end, `latent` the most that its features add.
    pub(super) fn members_within(
        &self,
        mean: &MeanDraw<'_>,
        first: &End,
        base: f64,
        latent: f64,
        needed: f64,
    ) -> impl Iterator<Item = u32> {
        let most = base + mean.far(first, &self.end);
        let none = most + latent.min(self.latent) < needed;
        let without_own = most - self.end.own();
        let members = if none { &[][..] } else { &self.members };
        members.iter().take_while(move |(_, own)| without_own + own >= needed).map(|&(node, _)| node)
    }
}

/// Half the largest second derivative of the sigmoid, rounded up.
const CURVATURE: f64 = 0.048_113;

/// More covariates are not bounded by their variance.
const COLUMNS: usize = 128;

/// How much the logits of a pair vary from draw to draw.
///
/// The second derivative of the sigmoid is at most 1 / (6 root 3), so the mean of sigmoid(w) over draws is at most sigmoid(mean of
/// w) + variance of w / (12 root 3). Where probabilities are neither near 0 nor near 1 this is the tighter bound.
#[derive(Debug)]
pub(super) struct Variation {
    /// Intercept and coefficients: their covariances row by row.
    covariance: Vec<f64>,
    /// The standard deviation of what each node adds by itself, and at most with its features: as first and as second end.
    effects: [Vec<f64>; 2],
    features: [Vec<f64>; 2],
}

impl Variation {
    pub(super) fn new(draws: &[&Draw], latent: &Latent<'_>, nodes: usize) -> Self {
        let count = draws.len() as f64;
        let width = 1 + draws.first().map_or(0, |draw| draw.linear.coefficients.len());
        let numbers = |draw: &Draw| -> Vec<f64> {
            std::iter::once(draw.intercept).chain(draw.linear.coefficients.iter().copied()).collect()
        };
        let mut means = vec![0.0; width];
        for draw in draws {
            means.iter_mut().zip(numbers(draw)).for_each(|(mean, number)| *mean += number / count);
        }
        let mut covariance = vec![0.0; width * width];
        for draw in draws {
            let moved: Vec<f64> =
                numbers(draw).iter().zip(&means).map(|(number, mean)| number - mean).collect();
            for (row, one) in covariance.chunks_exact_mut(width).zip(&moved) {
                row.iter_mut().zip(&moved).for_each(|(sum, other)| *sum += one * other / count);
            }
        }
        let deviation = |of: fn(&Linear, usize) -> f64| -> Vec<f64> {
            let one = |node| {
                let values = draws.iter().map(|draw| of(&draw.linear, node));
                let mean = values.clone().sum::<f64>() / count;
                (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
            };
            (0..nodes).map(one).collect()
        };
        let effects = [deviation(Linear::source), deviation(Linear::target)];
        Self { covariance, effects, features: latent.root_mean_squares() }
    }

    /// No pair with these ends and covariates, whose mean logit is not above this one, has higher log-odds of the mean.
    pub(super) fn most(&self, first: u32, second: u32, line: &[f32], logit: f64) -> f64 {
        if line.len() >= COLUMNS {
            return f64::INFINITY;
        }
        let mut numbers = [0.0; COLUMNS];
        let mut products = [0.0; COLUMNS];
        let width = 1 + line.len();
        let (numbers, products) = (&mut numbers[..width], &mut products[..width]);
        numbers[0] = 1.0;
        numbers[1..].iter_mut().zip(line).for_each(|(number, &x)| *number = f64::from(x));
        // Row after row, as sums that do not wait for each other.
        for (&number, row) in numbers.iter().zip(self.covariance.chunks_exact(width)) {
            products.iter_mut().zip(row).for_each(|(product, c)| *product += number * c);
        }
        let covariates: f64 = numbers.iter().zip(products).map(|(number, product)| number * *product).sum();
        let (first, second) = (first as usize, second as usize);
        let features = self.features[0][first].min(self.features[1][second]);
        let deviation =
            covariates.max(0.0).sqrt() + self.effects[0][first] + self.effects[1][second] + features;
        let more = CURVATURE * deviation * deviation;
        let (p, q) = (sigmoid(logit) + more, sigmoid(-logit) - more);
        if q > 0.0 { (p / q).ln() } else { f64::INFINITY }
    }
}

/// How far apart the logits are that the table has an entry for, and the least of them.
const STEP: f64 = 0.25;
const LEAST: f64 = -30.0;
/// Bisections of an interval.
const BISECTIONS: usize = 40;
/// Times a bound on a probability that may be off in its last bits: where it is nearly one its log-odds are far off.
const ROUNDED_UP: f64 = 1.0 + 1e-12;

/// The least mean logit for the log-odds of each mean probability.
///
/// Where the sigmoid is concave, the mean of probabilities is at most the probability of the mean logit (Jensen). It is not concave
/// below zero. But the logits of a pair differ from their mean by no more than some spread, and the mean of the sigmoid over
/// numbers of an interval is at most its concave envelope there: the line from the lower end that touches the sigmoid, and from
/// that point on the sigmoid itself.
#[derive(Debug)]
pub(super) struct LeastLogit {
    /// From here on the envelope is the sigmoid.
    kink: f64,
    /// The least mean logits for logits from [`LEAST`] to the kink.
    table: Vec<f64>,
}

impl LeastLogit {
    /// Where logits differ from their mean by no more than `spread`.
    pub(super) fn new(spread: f64) -> Self {
        let touches = |mean: f64| tangent(mean - spread) <= mean;
        let kink = bisect(0.0, spread, touches);
        let entries = ((kink - LEAST) / STEP).ceil() as usize;
        let least = |entry| {
            let logit = LEAST + entry as f64 * STEP;
            let probability = sigmoid(logit);
            // The lower end of the last interval: surely not more than the least.
            bisect(logit - spread, logit, |mean| envelope(mean, spread) * ROUNDED_UP >= probability) - 1e-9
        };
        Self { kink, table: (0..entries).map(least).collect() }
    }

    /// No pair with a smaller mean logit has a mean probability with these log-odds.
    pub(super) fn of(&self, logit: f64) -> f64 {
        if logit >= self.kink {
            return logit - 1e-9 * (1.0 + logit.abs());
        }
        // No number, if two bounds are infinite.
        if logit.is_nan() || logit < LEAST {
            return f64::NEG_INFINITY;
        }
        self.table[((logit - LEAST) / STEP) as usize]
    }
}

/// The most that the log-odds of the mean probability can be for each mean logit.
#[derive(Debug)]
struct MostProbable(Vec<f64>);

impl MostProbable {
    /// Where logits differ from their mean by no more than `spread`.
    fn new(spread: f64) -> Self {
        let entries = (-2.0 * LEAST / STEP) as usize;
        let most = |entry| {
            let p = envelope(LEAST + entry as f64 * STEP, spread) * ROUNDED_UP;
            if p < 1.0 { (p / (1.0 - p)).ln() } else { f64::INFINITY }
        };
        Self((0..=entries).map(most).collect())
    }

    fn of(&self, logit: f64) -> f64 {
        // The entry above: the envelope rises.
        let entry = ((logit - LEAST) / STEP).max(0.0).floor() as usize + 1;
        self.0.get(entry).copied().unwrap_or(f64::INFINITY)
    }
}

/// The other part of a mixture, which has features and no covariates: what it adds to the score of a pair.
#[derive(Debug)]
pub(super) struct Others<'a> {
    draws: Vec<&'a Draw>,
    mean: MeanDraw<'a>,
    most: MostProbable,
    /// The most that features and effect add for any second end.
    second: f64,
    /// How much this part counts.
    share: f64,
}

impl<'a> Others<'a> {
    pub(super) fn new(draws: Vec<&'a Draw>, nodes: usize, share: f64) -> Self {
        let mean = MeanDraw::new(&draws, None, nodes);
        let most = MostProbable::new(mean.spread[Distance::Far as usize]);
        let second = mean.effects[1].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { draws, mean, most, second, share }
    }

    /// The most that it adds for a pair with this first end.
    pub(super) fn most_of_first(&self, first: u32) -> f64 {
        let logit = self.mean.of_first(first) + self.second + self.mean.latent.most[0][first as usize];
        self.share * self.most.of(logit)
    }

    /// The most that it adds for a pair.
    pub(super) fn most_of(&self, first: u32, second: u32) -> f64 {
        let logit = self.mean.of_ends(first, second) + self.mean.latent.most_of(first, second);
        self.share * self.most.of(logit)
    }

    /// What it adds for a pair, but for rounding.
    pub(super) fn of(&self, source: u32, target: u32) -> f64 {
        let logits = self.draws.iter().map(|draw| draw.logit(source as usize, target as usize, &[]));
        self.share * log_odds_of_mean(logits)
    }
}

/// The most that the mean probability is for logits of this mean that are within `spread` of it.
fn envelope(mean: f64, spread: f64) -> f64 {
    let (low, high) = (mean - spread, mean + spread);
    let touching = tangent(low);
    if mean >= touching {
        sigmoid(mean)
    } else if high <= touching {
        0.5 * (sigmoid(low) + sigmoid(high))
    } else {
        sigmoid(low) + slope(touching) * spread
    }
}

/// Where the line from the sigmoid at `low` touches it further up; there at once if the sigmoid is concave from `low` on.
fn tangent(low: f64) -> f64 {
    if low >= 0.0 {
        return low;
    }
    let above = |x: f64| sigmoid(x) - sigmoid(low) >= slope(x) * (x - low);
    bisect(0.0, 60.0, above)
}

fn slope(x: f64) -> f64 {
    sigmoid(x) * sigmoid(-x)
}

/// The upper end of a tiny interval within which something begins to hold, which it does at `high`.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two logits, one of them at the lower end of what is allowed, or at both ends: the mean probability is never larger than
    /// the envelope, and with one that is touched it is as large.
    #[test]
    fn no_pair_of_logits_is_above_the_envelope() {
        for spread in [0.0, 0.3, 2.0, 11.0, 40.0] {
            let least = LeastLogit::new(spread);
            for step in -60..=60 {
                let mean = f64::from(step) * 0.25;
                let most = envelope(mean, spread);
                assert!(least.of((most / (1.0 - most)).ln()) <= mean, "{spread} {mean}");
                let mut best = 0.0_f64;
                for part in 0..=400 {
                    let (below, above) = (spread, spread * f64::from(part) / 400.0);
                    if above == 0.0 {
                        continue;
                    }
                    // `below` with the weight that makes the mean right.
                    let weight = above / (above + below);
                    let value = weight * sigmoid(mean - below) + (1.0 - weight) * sigmoid(mean + above);
                    assert!(value <= most + 1e-12, "{spread} {mean} {part}");
                    best = best.max(value);
                }
                assert!(most - best.max(sigmoid(mean)) < 1e-3, "{spread} {mean}: {most} {best}");
            }
        }
    }

    /// A pair whose logits are all the same has that probability.
    #[test]
    fn without_spread_it_is_the_logit() {
        let least = LeastLogit::new(0.0);
        for logit in [-20.0, -1.0, 0.0, 3.0, 20.0] {
            let found = least.of(logit);
            assert!(found <= logit && found > logit - STEP - 1e-6, "{logit} {found}");
        }
        assert_eq!(least.of(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(least.of(f64::NAN), f64::NEG_INFINITY);
    }
}
