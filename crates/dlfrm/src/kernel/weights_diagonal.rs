//! Diagonal weights: one Gaussian as wide as there are features, and the intercept with them, which trades
//! places with the weights of features that nearly everybody has.

use crate::model::{State, ValidSettings};
use crate::network::{Division, Pairs};
use crate::random::Purpose;

use super::common::{Common, Purpose as Use, column_sums, products};
use super::incident::{Direction, Incident};
use super::{ABSENT, LANES, StreamKey, dense};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    common: Common,
    parts: Vec<Part>,
}

/// What the pairs of a part say.
#[derive(Debug, Default)]
struct Part {
    precision: Vec<f64>,
    linear: Vec<f64>,
    incident: Incident,
    /// The place of each feature among those of the source at hand.
    place: Vec<u32>,
    /// Which of the source's features each target has: a line a pair.
    table: Vec<f64>,
    lines: Vec<u32>,
    square: Vec<f64>,
    sums: Vec<f64>,
}

/// Draws all weights at once from N(P^-1 b, P^-1): with x = z_i o z_j the features that both ends have,
/// P = nu^2 I + sum rate x'x and b = sum pull x. An intercept is one more entry of x, always 1.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &ValidSettings,
    division: &Division,
    place: StreamKey,
    scratch: &mut Scratch,
) {
    let mut rng = place.stream(Purpose::Weights, 0);
    let features = state.features.slots();
    let width = features + usize::from(settings.intercept);
    let Scratch { common, parts } = scratch;
    common.fill(&state.features, Use::Sums);
    division.for_parts(parts, |number, sources, part| {
        part.begin(features, width);
        if number == 0 {
            for diagonal in part.precision.iter_mut().step_by(width + 1) {
                *diagonal = state.nu * state.nu;
            }
            if settings.intercept {
                part.precision[width * width - 1] = settings.intercept_precision();
            }
        }
        for source in sources {
            part.add_source(source, pairs, state, settings, common);
        }
    });
    let (first, others) = parts.split_first_mut().expect("there is a part");
    for other in others {
        dense::add_scaled(&mut first.precision, 1.0, &other.precision);
        dense::add_scaled(&mut first.linear, 1.0, &other.linear);
    }
    let Part { precision, linear, .. } = first;
    dense::draw_gaussian(precision, width, linear, &mut rng);
    for (slot, &value) in linear[..features].iter().enumerate() {
        state.weights.set(slot, slot, value);
    }
    if settings.intercept {
        state.set_intercept(linear[features]);
    }
}

impl Part {
    fn begin(&mut self, features: usize, width: usize) {
        self.precision.clear();
        self.precision.resize(width * width, 0.0);
        self.linear.clear();
        self.linear.resize(width, 0.0);
        self.place.clear();
        self.place.resize(features, ABSENT);
    }

    /// Adds the pairs that start at one entity: only products of the source's own features matter.
    fn add_source(
        &mut self,
        source: usize,
        pairs: &Pairs,
        state: &State,
        settings: &ValidSettings,
        common: &Common,
    ) {
        let row = state.features.row(source);
        if row.is_empty() && !settings.intercept {
            return;
        }
        self.incident.list(Direction::Out, source, pairs, state, settings);
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
        for (place, &slot) in row.iter().enumerate() {
            self.place[slot as usize] = place as u32;
        }
        let columns = row.len().next_multiple_of(LANES);
        let common_row = &row[..row.len() - common.rare(row).len()];
        self.table.clear();
        self.table.resize(partners.len() * columns, 0.0);
        for (line, &target) in self.table.chunks_exact_mut(columns).zip(&*partners) {
            let known = common.line(target as usize);
            for (entry, &slot) in line.iter_mut().zip(common_row) {
                *entry = known[slot as usize];
            }
            for &slot in common.rare(state.features.row(target as usize)) {
                let place = self.place[slot as usize];
                if place != ABSENT {
                    line[place as usize] = 1.0;
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
        for (place, &k) in row.iter().enumerate() {
            self.linear[k as usize] += self.sums[place];
            for (other, &l) in row[..=place].iter().enumerate() {
                // The factorisation reads the upper triangle; rows are sorted, so l <= k.
                self.precision[l as usize * width + k as usize] += self.square[place * columns + other];
            }
            if settings.intercept {
                self.precision[(k as usize + 1) * width - 1] += self.square[place * columns + place];
            }
            self.place[k as usize] = ABSENT;
        }
    }
}
