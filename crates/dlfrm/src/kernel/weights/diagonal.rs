//! Diagonal weights: one Gaussian as wide as there are features, and the intercept with them, which is correlated with the
//! weights of features that nearly all nodes have. See "Weights" in `docs/model.md`.

use std::ops::Range;

use crate::model::{FeatureBits, Features, State};
use crate::random::Purpose;

use super::super::dense_columns::{DenseColumns, Purpose as Use};
use super::super::incident::{Direction, Incident};
use super::super::near::{NearPair, NearPairs};
use super::super::table_sums::{column_sums, products};
use super::super::{ABSENT, Context, LANES, linalg, unsampled, with_simd};
use super::Info;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    dense_columns: DenseColumns,
    bits: FeatureBits,
    near: NearPairs,
    parts: Vec<Part>,
    sum: Part,
    blocks: linalg::Blocks,
}

/// What the pairs of a part say.
#[derive(Debug, Default)]
struct Part {
    /// Empty where there are many features.
    precision: Vec<f64>,
    linear: Vec<f64>,
    /// Where there are many, the precision of each feature by itself, and what pairs add to that of two.
    own: Vec<f64>,
    entries: Vec<(usize, f64)>,
    incident: Incident,
    /// The position of each feature among those of the source at hand.
    position: Vec<u32>,
    /// Which of the source's features each target has: a line per pair.
    table: Vec<f64>,
    lines: Vec<u32>,
    /// The features that both ends of the pair at hand have.
    common: Vec<usize>,
    square: Vec<f64>,
    sums: Vec<f64>,
}

/// Nodes with fewer features in common than this, on average, have their pairs added one by one.
const FEW_IN_COMMON: f64 = 1.0;

/// From this width on, pairs that are added one by one leave most entries of the precision at zero.
const WIDE: usize = 256;

/// Whether two random nodes have few features in common, on average.
pub(in crate::kernel) fn scattered(features: &Features) -> bool {
    let nodes = features.nodes() as f64;
    let common: f64 = features.counts().iter().map(|&count| (f64::from(count) / nodes).powi(2)).sum();
    common < FEW_IN_COMMON
}

/// Draws all weights at once from N(P^-1 b, P^-1): with x = z_i o z_j the features that both ends have,
/// P = nu^2 I + sum rate x'x and b = sum pull x. An intercept is one more entry of x, always 1.
pub(super) fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    let Context { pairs, settings, division, .. } = *context;
    let mut rng = context.stream(Purpose::Weights, 0);
    let features = state.features.slots();
    let width = features + usize::from(settings.intercept);
    let Scratch { dense_columns, bits, near, parts, sum, blocks } = scratch;
    let scattered = scattered(&state.features);
    if scattered {
        bits.fill(&state.features);
        if context.near.is_none() {
            near.fill(pairs, division, bits);
        }
    } else {
        dense_columns.fill(&state.features, Use::Sums);
    }
    let near = context.near.unwrap_or(near);
    let wide = scattered && width >= WIDE;
    let add_prior = |precision: &mut [f64]| {
        for (k, diagonal) in precision.iter_mut().step_by(width + 1).enumerate() {
            *diagonal += if k < features { state.nu.own.powi(2) } else { settings.intercept_precision() };
        }
    };
    division.for_parts(parts, |number, sources, part| {
        part.begin(features, width, wide);
        if number == 0 && !wide {
            add_prior(&mut part.precision);
        }
        if scattered {
            with_simd(
                #[inline(always)]
                || {
                    if settings.intercept {
                        part.add_intercept(sources.clone(), context, state);
                    }
                    part.scatter(near.of_part(number, sources.clone(), pairs), context, state, bits);
                },
            );
        } else {
            sources.for_each(|source| part.add_source(source, context, state, dense_columns));
        }
    });
    sum.begin(features, width, false);
    let Part { precision, linear, .. } = sum;
    for part in parts {
        part.add_to(precision, linear);
    }
    if wide {
        add_prior(precision);
    }
    for (k, term) in unsampled::augment(context, state, &mut rng).into_iter().enumerate() {
        // As in a pair that has this feature in common and nothing else.
        let pull = term.pull - term.rate * unsampled::log_share(context);
        precision[k * (width + 1)] += term.rate;
        linear[k] += pull;
        if settings.intercept {
            precision[(k + 1) * width - 1] += term.rate;
            precision[width * width - 1] += term.rate;
            linear[width - 1] += pull;
        }
    }
    linalg::draw_gaussian(precision, width, linear, blocks, &mut rng);
    for (slot, &value) in linear[..features].iter().enumerate() {
        state.weights.set(slot, slot, value);
    }
    if settings.intercept {
        state.set_intercept(linear[features]);
    }
    Info { factorisations: 1, ..Info::default() }
}

impl Part {
    fn begin(&mut self, features: usize, width: usize, wide: bool) {
        self.precision.clear();
        self.own.clear();
        self.entries.clear();
        if wide {
            self.own.resize(width, 0.0);
        } else {
            self.precision.resize(width * width, 0.0);
        }
        self.linear.clear();
        self.linear.resize(width, 0.0);
        self.position.clear();
        self.position.resize(features, ABSENT);
    }

    /// Adds what the pairs of this part say to the sum.
    fn add_to(&self, precision: &mut [f64], linear: &mut [f64]) {
        let width = linear.len();
        linalg::add_scaled(linear, 1.0, &self.linear);
        if !self.precision.is_empty() {
            linalg::add_scaled(precision, 1.0, &self.precision);
        }
        for (k, &own) in self.own.iter().enumerate() {
            precision[k * (width + 1)] += own;
        }
        for &(entry, rate) in &self.entries {
            precision[entry] += rate;
        }
        // Every pair has the intercept in common.
        if self.own.len() > self.position.len() {
            for (k, &own) in self.own[..width - 1].iter().enumerate() {
                precision[(k + 1) * width - 1] += own;
            }
        }
    }

    /// Adds what the pairs that start in a range of nodes say of the intercept by itself.
    #[inline(always)]
    fn add_intercept(&mut self, sources: Range<usize>, context: &Context<'_>, state: &State) {
        let width = self.linear.len();
        let own = self.own.last_mut();
        let own = own.unwrap_or_else(|| self.precision.last_mut().expect("there is an intercept"));
        for source in sources {
            let (mut rates, mut pulls) = (0.0, 0.0);
            for pair in context.pairs.from(source) {
                rates += state.rates[pair];
                pulls += pull(pair, context, state);
            }
            self.linear[width - 1] += pulls;
            *own += rates;
        }
    }

    /// Adds pairs one by one, where two nodes have few features in common.
    #[inline(always)]
    fn scatter(
        &mut self,
        near: impl Iterator<Item = NearPair>,
        context: &Context<'_>,
        state: &State,
        bits: &FeatureBits,
    ) {
        let intercept = context.settings.intercept;
        let Self { precision, own, entries, linear, common, .. } = self;
        let (width, wide) = (linear.len(), precision.is_empty());
        for NearPair { number, source, target } in near {
            let rate = state.rates[number];
            common.clear();
            bits.for_common(&state.features, source, target, |k| {
                linear[k] += pull(number, context, state);
                // The factorisation reads the upper triangle: l < k.
                let both = common.iter().map(|l| l * width + k);
                if wide {
                    entries.extend(both.map(|entry| (entry, rate)));
                    own[k] += rate;
                } else {
                    both.for_each(|entry| precision[entry] += rate);
                    precision[k * (width + 1)] += rate;
                    if intercept {
                        precision[(k + 1) * width - 1] += rate;
                    }
                }
                common.push(k);
            });
        }
    }

    /// Adds the pairs that start at one node: only products of the source's own features matter.
    fn add_source(
        &mut self,
        source: usize,
        context: &Context<'_>,
        state: &State,
        dense_columns: &DenseColumns,
    ) {
        let settings = context.settings;
        let row = state.features.row(source);
        if row.is_empty() && !settings.intercept {
            return;
        }
        self.incident.list(Direction::Out, source, context, state);
        let Incident { partners, rates, pulls, .. } = &mut self.incident;
        let width = self.linear.len();
        if settings.intercept {
            // The intercept is drawn too: nothing is explained by it beforehand.
            for (pull, rate) in pulls.iter_mut().zip(&*rates) {
                *pull += rate * state.intercept;
            }
            self.linear[width - 1] += pulls.iter().sum::<f64>();
            self.precision[width * width - 1] += rates.iter().sum::<f64>();
        }
        if row.is_empty() {
            return;
        }
        for (position, &slot) in row.iter().enumerate() {
            self.position[slot as usize] = position as u32;
        }
        let columns = row.len().next_multiple_of(LANES);
        let common_row = &row[..row.len() - dense_columns.rare(row).len()];
        self.table.clear();
        self.table.resize(partners.len() * columns, 0.0);
        for (line, &target) in self.table.chunks_exact_mut(columns).zip(&*partners) {
            let known = dense_columns.line(target as usize);
            for (entry, &slot) in line.iter_mut().zip(common_row) {
                *entry = known[slot as usize];
            }
            for &slot in dense_columns.rare(state.features.row(target as usize)) {
                let position = self.position[slot as usize];
                if position != ABSENT {
                    line[position as usize] = 1.0;
                }
            }
        }
        for number in self.lines.len()..partners.len() {
            self.lines.push(number as u32);
        }
        self.square.resize(self.square.len().max(columns * columns), 0.0);
        self.sums.resize(self.sums.len().max(columns), 0.0);
        let lines = &self.lines[..partners.len()];
        products(&self.table, columns, lines, rates, &mut self.square[..columns * columns]);
        column_sums(&self.table, columns, lines, pulls, &mut self.sums[..columns]);
        for (position, &k) in row.iter().enumerate() {
            self.linear[k as usize] += self.sums[position];
            for (other, &l) in row[..=position].iter().enumerate() {
                // The factorisation reads the upper triangle; rows are sorted, so l <= k.
                self.precision[l as usize * width + k as usize] += self.square[position * columns + other];
            }
            if settings.intercept {
                self.precision[(k as usize + 1) * width - 1] += self.square[position * columns + position];
            }
            self.position[k as usize] = ABSENT;
        }
    }
}

/// What the label of a pair pulls its features by. The intercept is drawn too: nothing is explained by it beforehand.
#[inline(always)]
fn pull(pair: usize, context: &Context<'_>, state: &State) -> f64 {
    let Context { pairs, settings, .. } = *context;
    let (rate, base) = (state.rates[pair], if settings.intercept { state.intercept } else { 0.0 });
    settings.pull(pairs.label(pair), rate) - rate * (state.offset(pair) - base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::test_support::synthetic;
    use crate::model::{Settings, Shape};
    use crate::network::Division;
    use crate::random::StreamKey;

    #[test]
    fn many_features_have_the_sums_of_few() {
        let (pairs, mut state) = synthetic(Shape::Diagonal, 23, 5);
        state.rates = (0..pairs.len()).map(|pair| 0.1 + (pair % 7) as f64).collect();
        for intercept in [false, true] {
            let settings = Settings { intercept, ..Settings::default() }.check().unwrap();
            let (division, key) = (Division::fine(&pairs), StreamKey { seed: 1, chain: 0, sweep: 1 });
            let context = Context::new(&pairs, &settings, &division, key);
            let features = state.features.slots();
            let width = features + usize::from(intercept);
            let mut bits = FeatureBits::default();
            bits.fill(&state.features);
            let mut near = NearPairs::default();
            near.fill(&pairs, &Division::whole(&pairs), &bits);
            let [dense, wide] = [false, true].map(|wide| {
                let mut part = Part::default();
                part.begin(features, width, wide);
                if intercept {
                    part.add_intercept(0..pairs.nodes(), &context, &state);
                }
                part.scatter(near.of_part(0, 0..pairs.nodes(), &pairs), &context, &state, &bits);
                let (mut precision, mut linear) = (vec![0.0; width * width], vec![0.0; width]);
                part.add_to(&mut precision, &mut linear);
                (precision, linear)
            });
            assert!(dense.0.iter().filter(|&&entry| entry != 0.0).count() > width);
            assert_eq!(dense.1, wide.1);
            for (dense, wide) in dense.0.iter().zip(&wide.0) {
                assert!((dense - wide).abs() <= 1e-9 * dense.abs(), "{dense} {wide}");
            }
        }
    }
}
