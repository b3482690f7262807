//! The unknowns of the linear part as one vector.

use std::ops::Range;

use crate::model::{Checked, Linear, State};

/// Where everything stands among the unknowns: intercept, coefficients, effects of sources, effects of targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    coefficients: usize,
    pub(super) senders: usize,
    receivers: usize,
    /// What the intercept is multiplied with: nothing, if there is none.
    pub(super) one: f64,
}

impl Layout {
    pub(super) fn new(state: &State, settings: &Checked) -> Self {
        let Linear { coefficients, effects: [senders, receivers], .. } = &state.linear;
        Self {
            coefficients: coefficients.len(),
            senders: senders.len(),
            receivers: receivers.len(),
            one: f64::from(u8::from(settings.intercept)),
        }
    }

    /// The unknowns that every pair has: intercept and coefficients.
    pub(super) fn common(self) -> usize {
        1 + self.coefficients
    }

    /// The effects of the ends of a pair. Where both are of one kind they stand in one place.
    pub(super) fn effects(self) -> [Range<usize>; 2] {
        let senders = self.common()..self.common() + self.senders;
        let receivers = senders.end..senders.end + self.receivers;
        if receivers.is_empty() { [senders.clone(), senders] } else { [senders, receivers] }
    }

    pub(super) fn gather(self, state: &State, values: &mut Vec<f64>) {
        let Linear { coefficients, effects: [senders, receivers], .. } = &state.linear;
        values.clear();
        values.push(self.one * state.intercept);
        values.extend(coefficients.iter().chain(senders).chain(receivers));
    }

    pub(super) fn scatter(values: &[f64], settings: &Checked, state: &mut State) {
        let (intercept, mut rest) = values.split_first().expect("an intercept");
        if settings.intercept {
            state.intercept = *intercept;
        }
        let Linear { coefficients, effects: [senders, receivers], .. } = &mut state.linear;
        for list in [coefficients, senders, receivers] {
            let (values, others) = rest.split_at(list.len());
            list.copy_from_slice(values);
            rest = others;
        }
    }

    pub(super) fn for_each_precision(
        self,
        state: &State,
        settings: &Checked,
        mut visit: impl FnMut(usize, f64),
    ) {
        visit(0, settings.intercept_precision());
        (1..self.common()).for_each(|at| visit(at, settings.coefficient_precision()));
        let [senders, receivers] = state.linear.precisions;
        let first = self.common() + self.senders;
        (self.common()..first).for_each(|at| visit(at, senders));
        (first..first + self.receivers).for_each(|at| visit(at, receivers));
    }
}
