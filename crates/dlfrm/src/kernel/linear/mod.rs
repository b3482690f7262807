//! The linear part of the logit: intercept, coefficients of covariates and effects of entities, one Gaussian draw.
//!
//! Given the augmentation they are Gaussian with precision Q = A' R A + L, where a line of A has 1, the covariates of a pair,
//! and a 1 and the attributes for each of its ends, R the rates, and L the prior precisions. As with many weights (`weights_conjugate.rs`)
//! the right-hand side is perturbed with covariance Q and the system solved by conjugate gradients. The preconditioner has
//! the block of intercept and coefficients, factorised, and the diagonal of the rest: without that rest, and with so
//! few pairs that all of them are in the block, one iteration is a draw by factorisation.

mod layout;
mod lines;

use rand_distr::{Distribution, StandardNormal};

use crate::covariates::Design;
use crate::model::{Checked, Linear, State};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream};

use super::conjugate::{self, Report, System};
use super::{Place, dense, hyper};

use layout::Layout;
use lines::{Lines, Sums, Term};

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Sums,
    values: Vec<f64>,
    residual: Vec<f64>,
    block: Vec<f64>,
    diagonal: Vec<f64>,
    conjugate: conjugate::Scratch,
}

/// Draws the whole linear part, and then the precisions of effects and attributes.
pub fn update(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    design: &Design,
    division: &Division,
    place: Place,
    scratch: &mut Scratch,
) -> Report {
    let Scratch { sums, values, residual, block, diagonal, conjugate } = scratch;
    let layout = Layout::new(state, settings, design, pairs.symmetric());
    let lines = Lines { pairs, covariates: &design.pairs, division, layout };
    layout.gather(state, values);
    residual.clear();
    residual.resize(layout.len(), 0.0);
    let stream = |block| place.stream(Purpose::Linear, block);

    lines.sum(sums, values, residual, |number| Perturbed {
        pairs,
        state,
        settings,
        presented: vec![0.0; state.features.slots()],
        rng: stream(1 + number as u64),
    });
    let mut rng = stream(0);
    layout.for_each_precision(state, settings, |at, precision| {
        let normal: f64 = StandardNormal.sample(&mut rng);
        residual[at] += precision.sqrt() * normal - precision * values[at];
    });

    diagonal.clear();
    diagonal.resize(layout.len(), 0.0);
    if layout.of_entities() {
        lines.diagonal(sums, &state.rates, diagonal);
    }
    layout.for_each_precision(state, settings, |at, precision| diagonal[at] += precision);
    lines.fill_block(state, settings, block);

    let mut system = Precision { lines, state, settings, sums, block, diagonal };
    let report = conjugate::solve(&mut system, values.len(), values, residual, conjugate);
    Layout::scatter(values, settings, state);
    lines.write_offsets(sums, values, &mut state.offsets);
    update_precisions(&mut state.linear, design, &mut stream(u64::MAX));
    report
}

/// Fills the offsets of all pairs from intercept and linear part.
pub fn fill_offsets(
    pairs: &Pairs,
    state: &mut State,
    settings: &Checked,
    design: &Design,
    division: &Division,
) {
    if state.linear.is_empty() {
        return;
    }
    let layout = Layout::new(state, settings, design, pairs.symmetric());
    let mut values = vec![];
    layout.gather(state, &mut values);
    state.offsets.resize(pairs.len(), 0.0);
    let lines = Lines { pairs, covariates: &design.pairs, division, layout };
    lines.write_offsets(&mut Sums::default(), &values, &mut state.offsets);
}

/// The inverse variances of effects and of the coefficients of attributes, Gamma given these.
fn update_precisions(linear: &mut Linear, design: &Design, rng: &mut Stream) {
    let Linear { effects, precisions, attributes, attribute_precisions, .. } = linear;
    let mut draw = |values: &[f64], precision: &mut f64| {
        *precision = hyper::precision(values.len() as f64, dense::dot(values, values), rng);
    };
    for (effects, precision) in effects.iter().zip(precisions) {
        if !effects.is_empty() {
            draw(effects, precision);
        }
    }
    let Some(known) = &design.entities else { return };
    for (coefficients, precisions) in attributes.iter().zip(attribute_precisions) {
        for (group, precision) in known.groups().iter().zip(precisions) {
            draw(&coefficients[group.clone()], precision);
        }
    }
}

/// The perturbed right-hand side less Q times what is known.
struct Perturbed<'a> {
    pairs: &'a Pairs,
    state: &'a State,
    settings: &'a Checked,
    presented: Vec<f64>,
    rng: Stream,
}

impl Term for Perturbed<'_> {
    #[inline(always)]
    fn begin(&mut self, source: usize) {
        let (features, weights) = (&self.state.features, &self.state.weights);
        weights.add_rows(features.row(source), features.slots(), &mut self.presented);
    }

    #[inline(always)]
    fn of(&mut self, pair: usize, product: f64) -> f64 {
        let row = self.state.features.row(self.pairs.targets()[pair] as usize);
        let latent: f64 = row.iter().map(|&slot| self.presented[slot as usize]).sum();
        let (rate, link) = (self.state.rates[pair], self.pairs.label(pair));
        let normal: f64 = StandardNormal.sample(&mut self.rng);
        self.settings.pull(link, rate) - rate * (product + latent) + rate.sqrt() * normal
    }
}

/// A product with A' R A.
struct Product<'a>(&'a [f64]);

impl Term for Product<'_> {
    #[inline(always)]
    fn of(&mut self, pair: usize, product: f64) -> f64 {
        self.0[pair] * product
    }
}

/// Q, and the preconditioner.
struct Precision<'a> {
    lines: Lines<'a>,
    state: &'a State,
    settings: &'a Checked,
    sums: &'a mut Sums,
    block: &'a [f64],
    diagonal: &'a [f64],
}

impl System for Precision<'_> {
    fn multiply(&mut self, vector: &[f64], product: &mut [f64]) {
        let Self { lines, state, settings, sums, .. } = self;
        lines.sum(sums, vector, product, |_| Product(&state.rates));
        lines.layout.for_each_precision(state, settings, |at, precision| {
            product[at] += precision * vector[at];
        });
    }

    fn precondition(&mut self, residual: &[f64], solved: &mut [f64]) {
        let width = self.lines.layout.common();
        for ((solved, residual), diagonal) in solved.iter_mut().zip(residual).zip(self.diagonal) {
            *solved = residual / diagonal;
        }
        let common = &mut solved[..width];
        common.copy_from_slice(&residual[..width]);
        dense::solve_lower(self.block, width, common);
        dense::solve_upper(self.block, width, common);
    }
}
