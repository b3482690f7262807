//! A row under full or symmetric weights. See "Rows given the augmentation" in `docs/model.md`.
//!
//! While the non-singleton features are drawn, the weights of the node's singletons are integrated out: otherwise they
//! explain its links so well that other features have nothing left to gain. With k singletons and c = nu^2 / k the
//! integral turns the side's form t.x - x'Sx/2 into one of the same kind, with c (S + cI)^-1 t and cI - c^2 (S + cI)^-1.

use crate::model::State;

use super::super::{Context, dense_columns::DenseColumns, incident::Direction, linalg, row::Row, sums::Sums};

/// The sides of the row at hand.
#[derive(Debug, Default)]
pub(super) struct FullRow {
    sides: [SideScratch; 2],
    used: usize,
    /// How strongly the log posterior bends when the row takes each feature, over all sides.
    curvatures: Vec<f64>,
}

impl FullRow {
    /// What new features would have to explain, a side each.
    pub(super) fn sides(&self) -> &[SideScratch] {
        &self.sides[..self.used]
    }

    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        node: usize,
        context: &Context<'_>,
        state: &State,
        dense_columns: &DenseColumns,
    ) {
        let directions = Direction::of(state);
        self.used = directions.len();
        for (work, &direction) in self.sides.iter_mut().zip(directions) {
            work.direction = direction;
            work.sums.gather(direction, node, context, state, dense_columns);
        }
    }

    /// Gets ready to draw the non-singleton features of a node that has so many singletons.
    #[inline(always)]
    pub(super) fn prepare(&mut self, node: usize, singletons: usize, state: &State) {
        self.curvatures.clear();
        self.curvatures.resize(state.features.slots(), 0.0);
        for work in &mut self.sides[..self.used] {
            work.prepare(node, singletons, state);
            let width = work.sums.width();
            if width > 0 {
                let rows = work.presented.chunks_exact(width).zip(work.effects.chunks_exact(width));
                for (curvature, (presented, effect)) in self.curvatures.iter_mut().zip(rows) {
                    *curvature += linalg::dot(presented, effect);
                }
            }
        }
    }

    /// What is left to explain, if the node has the features of a row.
    #[inline(always)]
    pub(super) fn explain(&mut self, row: &[u32], state: &State) {
        for work in &mut self.sides[..self.used] {
            work.explain(row, state);
        }
    }

    /// What bounds the evidence for new features, once it is known what is left to explain.
    #[inline(always)]
    pub(super) fn evidence_bound(&self, precision: f64) -> EvidenceBound {
        let mut bound = EvidenceBound::default();
        self.sides().iter().for_each(|side| bound.add_side(side, precision));
        bound
    }

    /// The same, before anything is gathered.
    #[inline(always)]
    pub(super) fn evidence_bound_from_pairs(
        &mut self,
        node: usize,
        context: &Context<'_>,
        state: &State,
    ) -> EvidenceBound {
        let mut bound = EvidenceBound::default();
        for (work, &direction) in self.sides.iter_mut().zip(Direction::of(state)) {
            let SideScratch { sums, presented, .. } = work;
            direction.present(state.features.row(node), state, presented);
            let (square, trace) = sums.bound_terms(direction, node, context, state, presented);
            bound.add(square, trace, state.nu.between.powi(2));
        }
        bound
    }
}

impl Row for FullRow {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, _: &State) -> f64 {
        let mut gain = (f64::from(u8::from(has)) - 0.5) * self.curvatures[k];
        for work in &self.sides[..self.used] {
            gain += work.fit(k);
        }
        gain
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, _: &State) {
        for work in &mut self.sides[..self.used] {
            work.shift(k, -sign);
        }
    }
}

/// One side of the row at hand: what the row's features explain there, and what is left to explain.
#[derive(Debug, Default)]
pub(in crate::kernel) struct SideScratch {
    direction: Direction,
    pub(in crate::kernel) sums: Sums,
    /// What a new feature would have to explain: `linear - quadratic * (sum of the row's weights)`.
    pub(in crate::kernel) residual: Vec<f64>,
    /// The weights of each slot towards the support, a row per slot.
    presented: Vec<f64>,
    /// `presented * quadratic`: how the residual changes with each feature.
    effects: Vec<f64>,
    /// The quadratic form with the node's singletons integrated out, if it has any.
    collapsed: Vec<f64>,
    factor: Vec<f64>,
    blocks: linalg::Blocks,
}

/// What bounds the evidence for new features of one node, summed over its sides.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::kernel) struct EvidenceBound {
    pub(in crate::kernel) square: f64,
    pub(in crate::kernel) log_det: f64,
}

impl EvidenceBound {
    /// Adds a side with |g|^2 and the trace of S: for every k, g'(S + (nu^2/k) I)^-1 g <= k |g|^2 / nu^2 and
    /// det(I + A) >= 1 + trace A.
    #[inline(always)]
    pub(in crate::kernel) fn add(&mut self, square: f64, trace: f64, precision: f64) {
        self.square += square / precision;
        self.log_det += (trace / precision).ln_1p();
    }

    /// The same of a side that has been gathered.
    #[inline(always)]
    pub(in crate::kernel) fn add_side(&mut self, side: &SideScratch, precision: f64) {
        let trace = side.sums.quadratic.iter().step_by(side.sums.width() + 1).sum();
        self.add(linalg::dot(&side.residual, &side.residual), trace, precision);
    }
}

impl SideScratch {
    /// Fills what the row's non-singleton features present and explain, given that it has so many singletons.
    #[inline(always)]
    fn prepare(&mut self, node: usize, singletons: usize, state: &State) {
        self.residual.clear();
        self.residual.extend_from_slice(&self.sums.linear);
        let (slots, width) = (state.features.slots(), self.sums.width());
        self.presented.clear();
        match self.direction {
            Direction::Out | Direction::Both if width == slots => {
                for k in 0..slots {
                    self.presented.extend_from_slice(&state.weights.row(k)[..width]);
                }
            }
            Direction::Out | Direction::Both => {
                for k in 0..slots {
                    let row = state.weights.row(k);
                    self.presented.extend(self.sums.support.iter().map(|&l| row[l as usize]));
                }
            }
            Direction::In => {
                self.presented.resize(slots * width, 0.0);
                for (position, &l) in self.sums.support.iter().enumerate() {
                    for (k, &weight) in state.weights.row(l as usize)[..slots].iter().enumerate() {
                        self.presented[k * width + position] = weight;
                    }
                }
            }
        }
        self.effects.clear();
        self.effects.resize(slots * width, 0.0);
        if singletons > 0 {
            self.collapse(state.nu.between.powi(2) / singletons as f64);
        }
        let form = if singletons > 0 { &self.collapsed } else { &self.sums.quadratic };
        linalg::multiply(&self.presented, form, width, &mut self.effects, &mut self.blocks);
        for &slot in state.features.row(node) {
            if state.features.counts()[slot as usize] > 1 {
                self.shift(slot as usize, -1.0);
            }
        }
    }

    /// Integrates out singletons whose summed weights have the prior precision `ridge`.
    #[inline(always)]
    fn collapse(&mut self, ridge: f64) {
        let width = self.sums.width();
        self.factor.clear();
        self.factor.extend_from_slice(&self.sums.quadratic);
        for diagonal in self.factor.iter_mut().step_by(width + 1) {
            *diagonal += ridge;
        }
        linalg::cholesky(&mut self.factor, width);
        linalg::solve_lower(&self.factor, width, &mut self.residual);
        linalg::solve_upper(&self.factor, width, &mut self.residual);
        for value in &mut self.residual {
            *value *= ridge;
        }
        linalg::invert(&self.factor, width, &mut self.collapsed);
        for value in &mut self.collapsed {
            *value *= -ridge * ridge;
        }
        for diagonal in self.collapsed.iter_mut().step_by(width + 1) {
            *diagonal += ridge;
        }
    }

    /// The residual of a row's features, with nothing integrated out.
    #[inline(always)]
    fn explain(&mut self, row: &[u32], state: &State) {
        let width = self.sums.width();
        self.direction.present(row, state, &mut self.presented);
        self.factor.clear();
        self.factor.extend(self.sums.support.iter().map(|&l| self.presented[l as usize]));
        self.residual.clear();
        self.residual.extend_from_slice(&self.sums.linear);
        for (position, residual) in self.residual.iter_mut().enumerate() {
            *residual -=
                linalg::dot(&self.sums.quadratic[position * width..(position + 1) * width], &self.factor);
        }
    }

    /// What taking feature k gains to first order.
    #[inline(always)]
    fn fit(&self, k: usize) -> f64 {
        let width = self.sums.width();
        linalg::dot(&self.presented[k * width..(k + 1) * width], &self.residual)
    }

    /// residual += sign * (effect of feature k).
    #[inline(always)]
    fn shift(&mut self, k: usize, sign: f64) {
        let width = self.sums.width();
        linalg::add_scaled(&mut self.residual, sign, &self.effects[k * width..(k + 1) * width]);
    }
}
