//! The unknowns of the linear part as one vector, and what they say of nodes.
//! See "The linear part" in `docs/model.md`.

use std::ops::Range;

use crate::covariates::{Attributes, Design};
use crate::model::{Linear, State, ValidSettings};

/// Where everything stands among the unknowns: intercept, coefficients of pairs' covariates, effects of sources, effects of
/// targets, coefficients of sources' attributes, coefficients of targets' attributes.
///
/// Sums over pairs know nothing of attributes. They see the unknowns [expanded](Self::expand): what all pairs have in
/// common, and what each node adds altogether.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    coefficients: usize,
    /// How many nodes add something to their pairs: all or none.
    nodes: usize,
    /// How many kinds of ends a pair has: one if it stands for both directions.
    pub(super) sides: usize,
    /// Whether nodes have effects of their own.
    own: bool,
    pub(super) attributes: Option<&'a Attributes>,
    /// What the intercept is multiplied with: nothing, if there is none.
    pub(super) one: f64,
}

impl<'a> Layout<'a> {
    pub(super) fn new(state: &State, settings: &ValidSettings, design: &'a Design, symmetric: bool) -> Self {
        let Linear { coefficients, effects, .. } = &state.linear;
        let (own, attributes) = (!effects[0].is_empty(), design.nodes.as_deref());
        Self {
            coefficients: coefficients.len(),
            nodes: if own || attributes.is_some() { state.features.nodes() } else { 0 },
            sides: if symmetric { 1 } else { 2 },
            own,
            attributes,
            one: f64::from(u8::from(settings.intercept)),
        }
    }

    /// The unknowns that every pair has: intercept and coefficients.
    pub(super) fn common(self) -> usize {
        1 + self.coefficients
    }

    pub(super) fn of_nodes(self) -> bool {
        self.nodes > 0
    }

    pub(super) fn expanded_len(self) -> usize {
        self.common() + self.sides * self.nodes
    }

    /// Where the expanded unknowns say what the ends of a pair add. Where both are of one kind the ranges are the same.
    pub(super) fn ends(self) -> [Range<usize>; 2] {
        [self.end(0), self.end(self.sides - 1)]
    }

    fn end(self, side: usize) -> Range<usize> {
        let first = self.common() + side * self.nodes;
        first..first + self.nodes
    }

    /// The effects of a side among the unknowns, if there are any: where it stands among the expanded ones.
    pub(super) fn effects_of(self, side: usize) -> Range<usize> {
        if self.own { self.end(side) } else { self.common()..self.common() }
    }

    /// The coefficients of a side's attributes among the unknowns.
    pub(super) fn attributes_of(self, side: usize) -> Range<usize> {
        let width = self.attributes.map_or(0, Attributes::width);
        let first = self.effects_of(self.sides - 1).end + side * width;
        first..first + width
    }

    /// What the unknowns say of all pairs and of each node.
    pub(super) fn expand(self, values: &[f64], expanded: &mut Vec<f64>) {
        expanded.clear();
        expanded.extend_from_slice(&values[..if self.own { self.expanded_len() } else { self.common() }]);
        expanded.resize(self.expanded_len(), 0.0);
        if let Some(attributes) = self.attributes {
            for side in 0..self.sides {
                attributes.add_products(&values[self.attributes_of(side)], &mut expanded[self.end(side)]);
            }
        }
    }

    /// The transpose of that.
    pub(super) fn contract(self, expanded: &[f64], values: &mut [f64]) {
        let kept = if self.own { self.expanded_len() } else { self.common() };
        values[..kept].copy_from_slice(&expanded[..kept]);
        if let Some(attributes) = self.attributes {
            for side in 0..self.sides {
                attributes.write_transposed(&expanded[self.end(side)], &mut values[self.attributes_of(side)]);
            }
        }
    }

    pub(super) fn gather(self, state: &State, values: &mut Vec<f64>) {
        let Linear { coefficients, effects, attributes, .. } = &state.linear;
        values.clear();
        values.push(self.one * state.intercept);
        values.extend(coefficients.iter().chain(effects.iter().flatten()).chain(attributes.iter().flatten()));
    }

    pub(super) fn scatter(values: &[f64], settings: &ValidSettings, state: &mut State) {
        let (intercept, mut rest) = values.split_first().expect("an intercept");
        if settings.intercept {
            state.intercept = *intercept;
        }
        let Linear { coefficients, effects, attributes, .. } = &mut state.linear;
        for list in std::iter::once(coefficients).chain(effects).chain(attributes) {
            let (values, others) = rest.split_at(list.len());
            list.copy_from_slice(values);
            rest = others;
        }
    }

    pub(super) fn for_each_precision(
        self,
        state: &State,
        settings: &ValidSettings,
        mut visit: impl FnMut(usize, f64),
    ) {
        visit(0, settings.intercept_precision());
        (1..self.common()).for_each(|at| visit(at, settings.coefficient_precision()));
        let Linear { precisions, attribute_precisions, .. } = &state.linear;
        for (side, &precision) in precisions.iter().enumerate().take(self.sides) {
            self.effects_of(side).for_each(|at| visit(at, precision));
        }
        let groups = self.attributes.map_or(&[][..], Attributes::groups);
        for (side, precisions) in attribute_precisions.iter().enumerate().take(self.sides) {
            let first = self.attributes_of(side).start;
            for (group, &precision) in groups.iter().zip(precisions) {
                group.clone().for_each(|column| visit(first + column, precision));
            }
        }
    }
}
