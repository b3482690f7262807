//! The weights of the features at hand, split or merged: a Gaussian that is close to their conditional under the loss.
//!
//! From a start that the other side of the move gives, a few steps of the expectation of the augmentation (which never lead
//! downhill) and a last look at the curvature give mean and precision.

use rand_distr::{Distribution, StandardNormal};

use crate::model::{Checked, Loss, Shape, State};
use crate::random::Stream;

use super::super::super::{dense, wide};
use super::around::{Around, Touched};

/// Steps from the start.
const STEPS: usize = 2;
/// Under the hinge loss no pair is taken to be closer to its margin than this, which bounds its rate.
const CLOSEST: f64 = 0.5;

/// The free weights of one feature (merged) or two (split), as unknowns: with the other features, out and in, and among
/// themselves.
#[derive(Debug, Default)]
pub(super) struct Fit {
    /// One feature or two.
    parts: usize,
    width: usize,
    /// For each touched pair the unknowns that its logit has, and where they end.
    entries: Vec<u32>,
    ends: Vec<usize>,
    /// The weights as they are, or as they were drawn.
    pub(super) values: Vec<f64>,
    mean: Vec<f64>,
    linear: Vec<f64>,
    factor: Vec<f64>,
    log_determinant: f64,
}

impl Fit {
    /// Lists the unknowns of all touched pairs, for one feature or for two.
    pub(super) fn list(&mut self, parts: usize, around: &Around, state: &State) {
        let shape = state.weights.shape();
        let others = around.others.len();
        self.parts = parts;
        self.width = match shape {
            Shape::Diagonal => parts,
            Shape::Symmetric => parts * others + parts * (parts + 1) / 2,
            Shape::Full => 2 * parts * others + parts * parts,
        };
        self.entries.clear();
        self.ends.clear();
        let has = |entity: u32, part: usize| {
            let parts_of = around.parts[entity as usize];
            if parts == 1 { parts_of > 0 } else { parts_of >> part & 1 == 1 }
        };
        // Where the weights that features present as targets begin, and those among themselves.
        let (inward, among) = match shape {
            Shape::Full => (parts * others, 2 * parts * others),
            Shape::Symmetric | Shape::Diagonal => (0, parts * others),
        };
        let entries = &mut self.entries;
        for &Touched { source, target, .. } in &around.touched {
            for part in 0..parts {
                if shape == Shape::Diagonal {
                    if has(source, part) && has(target, part) {
                        entries.push(part as u32);
                    }
                    continue;
                }
                let first = part * others;
                if has(source, part) {
                    entries.extend(around.row(target, state).map(|place| first as u32 + place));
                    for other in (0..parts).filter(|&other| has(target, other)) {
                        let place = if shape == Shape::Full { part * parts + other } else { part + other };
                        entries.push((among + place) as u32);
                    }
                }
                if has(target, part) {
                    entries.extend(around.row(source, state).map(|place| (inward + first) as u32 + place));
                }
            }
            self.ends.push(entries.len());
        }
    }

    /// Calls `visit` for the two features of every unknown, in order.
    pub(super) fn for_each(
        &self,
        slots: [u32; 2],
        around: &Around,
        shape: Shape,
        mut visit: impl FnMut(usize, usize),
    ) {
        let slots = &slots[..self.parts];
        if shape == Shape::Diagonal {
            return slots.iter().for_each(|&slot| visit(slot as usize, slot as usize));
        }
        for &slot in slots {
            around.others.iter().for_each(|&other| visit(slot as usize, other as usize));
        }
        if shape == Shape::Full {
            for &slot in slots {
                around.others.iter().for_each(|&other| visit(other as usize, slot as usize));
            }
        }
        for (part, &slot) in slots.iter().enumerate() {
            let first = if shape == Shape::Full { 0 } else { part };
            slots[first..].iter().for_each(|&other| visit(slot as usize, other as usize));
        }
    }

    /// Takes the values from the weights.
    pub(super) fn read(&mut self, slots: [u32; 2], around: &Around, state: &State) {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        self.for_each(slots, around, state.weights.shape(), |k, l| values.push(state.weights.get(k, l)));
        self.values = values;
    }

    /// Makes the values the weights.
    pub(super) fn write(&self, slots: [u32; 2], around: &Around, state: &mut State) {
        let mut values = self.values.iter();
        let shape = state.weights.shape();
        self.for_each(slots, around, shape, |k, l| {
            state.weights.set(k, l, *values.next().expect("one each"));
        });
    }

    /// The unknowns of a pair.
    #[inline(always)]
    pub(super) fn line(&self, pair: usize) -> &[u32] {
        let first = pair.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[first..self.ends[pair]]
    }

    /// The logit of a pair.
    #[inline(always)]
    fn logit(&self, pair: usize, touched: &Touched, values: &[f64]) -> f64 {
        touched.base + self.line(pair).iter().map(|&entry| values[entry as usize]).sum::<f64>()
    }

    /// The logit of a pair with the values.
    #[inline(always)]
    pub(super) fn logit_now(&self, pair: usize, touched: &Touched) -> f64 {
        self.logit(pair, touched, &self.values)
    }

    /// The log likelihood of all touched pairs with the values.
    pub(super) fn log_likelihood(&self, around: &Around, settings: &Checked) -> f64 {
        let of = |(pair, touched): (usize, &Touched)| {
            let logit = self.logit(pair, touched, &self.values);
            settings.model.loss.log_likelihood(
                touched.link,
                logit,
                settings.cost(touched.link),
                settings.margin,
            )
        };
        around.touched.iter().enumerate().map(of).sum()
    }

    /// Finds the Gaussian of two features from the weights of the one that they were: both start as that.
    pub(super) fn fit_from_one(&mut self, one: &[f64], around: &Around, state: &State, settings: &Checked) {
        let (among, sides) = one.split_last().expect("the weight of a feature with itself");
        self.mean.clear();
        for side in sides.chunks(around.others.len().max(1)) {
            self.mean.extend_from_slice(side);
            self.mean.extend_from_slice(side);
        }
        self.mean.resize(self.width, *among);
        self.fit(around, state, settings);
    }

    /// Finds the Gaussian of one feature from the weights of the two that it was: it starts as their mean by owners.
    pub(super) fn fit_from_two(&mut self, two: &[f64], around: &Around, state: &State, settings: &Checked) {
        let [first, second] = around.counts().map(|count| count as f64);
        let shares = [first / (first + second), second / (first + second)];
        let mean_of = |[one, other]: [f64; 2]| shares[0] * one + shares[1] * other;
        let (sides, among) = two.split_at(2 * (self.width - 1));
        self.mean.clear();
        for side in sides.chunks(2 * around.others.len().max(1)) {
            let (one, other) = side.split_at(around.others.len());
            self.mean.extend(one.iter().zip(other).map(|(&one, &other)| mean_of([one, other])));
        }
        self.mean.push(match *among {
            [one, other] => mean_of([one, other]),
            [one, both, other] => mean_of([mean_of([one, both]), mean_of([both, other])]),
            [one, out, back, other] => mean_of([mean_of([one, out]), mean_of([back, other])]),
            _ => unreachable!("two features have two, three or four weights among themselves"),
        });
        self.fit(around, state, settings);
    }

    /// Finds the Gaussian from a mean to start from.
    fn fit(&mut self, around: &Around, state: &State, settings: &Checked) {
        debug_assert_eq!(self.mean.len(), self.width);
        wide(
            #[inline(always)]
            || {
                for _ in 0..STEPS {
                    self.step(around, state, settings);
                }
                self.gather(around, state, settings, false);
                dense::cholesky(&mut self.factor, self.width);
                self.log_determinant = dense::log_determinant(&self.factor, self.width);
            },
        );
    }

    /// The mean goes to where the loss with expected rates is least.
    #[inline(always)]
    fn step(&mut self, around: &Around, state: &State, settings: &Checked) {
        self.gather(around, state, settings, true);
        dense::cholesky(&mut self.factor, self.width);
        dense::solve_lower(&self.factor, self.width, &mut self.mean);
        dense::solve_upper(&self.factor, self.width, &mut self.mean);
    }

    /// Adds up the precision at the mean; if the rates are `expected` ones, the linear part takes the place of the mean.
    #[inline(always)]
    fn gather(&mut self, around: &Around, state: &State, settings: &Checked, expected: bool) {
        let width = self.width;
        let mut factor = std::mem::take(&mut self.factor);
        let mean = std::mem::take(&mut self.mean);
        let mut linear = std::mem::take(&mut self.linear);
        factor.clear();
        factor.resize(width * width, 0.0);
        factor.iter_mut().step_by(width + 1).for_each(|value| *value = state.nu * state.nu);
        linear.clear();
        linear.resize(width, 0.0);
        for (pair, touched) in around.touched.iter().enumerate() {
            let line = self.line(pair);
            if line.is_empty() {
                continue;
            }
            let rate = rate(self.logit(pair, touched, &mean), touched.link, expected, settings);
            let pull = settings.pull(touched.link, rate) - rate * touched.base;
            for &one in line {
                let one = one as usize;
                linear[one] += pull;
                for &other in line {
                    // The lower triangle is not read.
                    factor[one * width + other as usize] += rate;
                }
            }
        }
        self.factor = factor;
        (self.mean, self.linear) = if expected { (linear, mean) } else { (mean, linear) };
    }

    /// Draws the values.
    pub(super) fn draw(&mut self, rng: &mut Stream) {
        self.values.clear();
        self.values.extend((0..self.width).map(|_| -> f64 { StandardNormal.sample(rng) }));
        dense::solve_upper(&self.factor, self.width, &mut self.values);
        self.values.iter_mut().zip(&self.mean).for_each(|(value, mean)| *value += mean);
    }

    /// The log density of the values under their prior, less that of drawing them.
    pub(super) fn log_prior_to_draw(&self, state: &State) -> f64 {
        let (width, nu) = (self.width, state.nu);
        let squares: f64 = self.values.iter().map(|value| value * value).sum();
        let mut distance = 0.0;
        for i in 0..width {
            let row = &self.factor[i * width + i..(i + 1) * width];
            let deviations = self.values[i..].iter().zip(&self.mean[i..]).map(|(value, mean)| value - mean);
            let sum: f64 = row.iter().zip(deviations).map(|(factor, deviation)| factor * deviation).sum();
            distance += sum * sum;
        }
        width as f64 * nu.ln() - 0.5 * nu * nu * squares - 0.5 * self.log_determinant + 0.5 * distance
    }
}

/// The rate of a pair at a logit: the expectation of its augmentation, or the curvature of the loss.
#[inline(always)]
fn rate(logit: f64, link: bool, expected: bool, settings: &Checked) -> f64 {
    let cost = settings.cost(link);
    match settings.model.loss {
        Loss::Logistic if expected && logit.abs() < 1e-3 => 0.25 * cost,
        Loss::Logistic if expected => 0.5 * cost * (0.5 * logit).tanh() / logit,
        Loss::Logistic => {
            let odds = (-logit.abs()).exp();
            cost * odds / (1.0 + odds).powi(2)
        }
        Loss::Hinge => {
            let towards = if link { logit } else { -logit };
            cost / (settings.margin - towards).abs().max(CLOSEST)
        }
    }
}
