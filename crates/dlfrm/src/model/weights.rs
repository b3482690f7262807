//! How features interact: the weight matrix U in its three shapes.

use serde::{Deserialize, Serialize};

use super::Model;

/// Which entries of the weight matrix are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Every entry: directed networks, and the paper's treatment of undirected ones.
    Full,
    /// The upper triangle; the lower one mirrors it: undirected networks.
    Symmetric,
    /// The diagonal; the rest is zero (the paper's diagDLFRM).
    Diagonal,
}

impl Shape {
    /// That of a model, where pairs have a direction or stand for both.
    pub fn of(model: Model, symmetric: bool) -> Self {
        match (model.diagonal(), symmetric) {
            (true, _) => Self::Diagonal,
            (false, true) => Self::Symmetric,
            (false, false) => Self::Full,
        }
    }

    /// How many free weights `features` features have.
    pub fn free(self, features: usize) -> usize {
        match self {
            Self::Full => features * features,
            Self::Symmetric => features * (features + 1) / 2,
            Self::Diagonal => features,
        }
    }
}

/// Inverse standard deviations of the weights: a feature that joins its own nodes says little of how it meets others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nu {
    /// Of the weight of a feature with itself.
    pub own: f64,
    /// Of a weight between two features.
    pub between: f64,
}

impl Nu {
    /// The same for all weights.
    pub fn same(nu: f64) -> Self {
        Self { own: nu, between: nu }
    }

    /// That of one weight.
    #[inline]
    pub fn of(self, k: usize, l: usize) -> f64 {
        if k == l { self.own } else { self.between }
    }

    /// The prior precision of one weight.
    #[inline]
    pub fn precision(self, k: usize, l: usize) -> f64 {
        self.of(k, l).powi(2)
    }
}

/// The weights by feature slot. A diagonal is stored as a vector, the other shapes as a square with room.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    shape: Shape,
    stride: usize,
    values: Vec<f64>,
}

impl Weights {
    /// Zero weights with room for `slots` features.
    pub fn new(shape: Shape, slots: usize) -> Self {
        let mut weights = Self { shape, stride: 0, values: Vec::new() };
        weights.reserve(slots.max(8));
        weights
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Makes room for `slots` features; doubles, so that growth is rare.
    pub fn reserve(&mut self, slots: usize) {
        if slots <= self.stride {
            return;
        }
        let stride = slots.next_multiple_of(8).max(self.stride * 3 / 2);
        if self.shape == Shape::Diagonal {
            self.values.resize(stride, 0.0);
        } else {
            let mut values = vec![0.0; stride * stride];
            if self.stride > 0 {
                for (new, old) in values.chunks_exact_mut(stride).zip(self.values.chunks_exact(self.stride)) {
                    new[..self.stride].copy_from_slice(old);
                }
            }
            self.values = values;
        }
        self.stride = stride;
    }

    /// The weight between two features.
    #[inline]
    pub fn get(&self, k: usize, l: usize) -> f64 {
        match self.shape {
            Shape::Diagonal if k == l => self.values[k],
            Shape::Diagonal => 0.0,
            _ => self.values[k * self.stride + l],
        }
    }

    /// Sets a free weight (and its mirror image in a symmetric matrix).
    #[inline]
    pub fn set(&mut self, k: usize, l: usize, value: f64) {
        match self.shape {
            Shape::Diagonal => {
                debug_assert_eq!(k, l);
                self.values[k] = value;
            }
            Shape::Full => self.values[k * self.stride + l] = value,
            Shape::Symmetric => {
                self.values[k * self.stride + l] = value;
                self.values[l * self.stride + k] = value;
            }
        }
    }

    /// The weights of a diagonal matrix.
    #[inline]
    pub fn diagonal(&self) -> &[f64] {
        debug_assert_eq!(self.shape, Shape::Diagonal);
        &self.values
    }

    /// Row `k` of a full or symmetric matrix, with room at its end.
    #[inline]
    pub fn row(&self, k: usize) -> &[f64] {
        debug_assert_ne!(self.shape, Shape::Diagonal);
        &self.values[k * self.stride..(k + 1) * self.stride]
    }

    /// Calls `visit` for every free weight among the first `features` features.
    pub fn for_each_free(&self, features: usize, mut visit: impl FnMut(usize, usize, f64)) {
        for k in 0..features {
            match self.shape {
                Shape::Diagonal => visit(k, k, self.values[k]),
                Shape::Full => (0..features).for_each(|l| visit(k, l, self.get(k, l))),
                Shape::Symmetric => (k..features).for_each(|l| visit(k, l, self.get(k, l))),
            }
        }
    }

    /// Renumbers the features: slot `new` gets the weights of slot `order[new]`. `spare` is memory.
    pub fn compact(&mut self, order: &[u32], spare: &mut Vec<f64>) {
        if order.iter().enumerate().all(|(new, &old)| new == old as usize) {
            return;
        }
        spare.clear();
        match self.shape {
            Shape::Diagonal => spare.extend(order.iter().map(|&old| self.values[old as usize])),
            Shape::Full | Shape::Symmetric => {
                for &k in order {
                    let row = &self.values[k as usize * self.stride..][..self.stride];
                    spare.extend(order.iter().map(|&l| row[l as usize]));
                    spare.resize(spare.len() + self.stride - order.len(), 0.0);
                }
            }
        }
        spare.resize(self.values.len(), 0.0);
        std::mem::swap(&mut self.values, spare);
    }

    /// The logits' left factor: `sum[l] = sum over k in row of U[k][l]`, the first `features` of them.
    #[inline]
    pub fn add_rows(&self, row: &[u32], features: usize, sum: &mut [f64]) {
        let sum = &mut sum[..features];
        sum.fill(0.0);
        for &k in row {
            if self.shape == Shape::Diagonal {
                sum[k as usize] = self.values[k as usize];
            } else {
                for (sum, weight) in sum.iter_mut().zip(self.row(k as usize)) {
                    *sum += weight;
                }
            }
        }
    }

    /// The same from the other side: `sum[l] = sum over k in row of U[l][k]`.
    #[inline]
    pub fn add_columns(&self, row: &[u32], features: usize, sum: &mut [f64]) {
        for (l, sum) in sum[..features].iter_mut().enumerate() {
            *sum = row.iter().map(|&k| self.get(l, k as usize)).sum();
        }
    }

    /// The logit of a pair without its offset: z_i U z_j'.
    pub fn logit(&self, source: &[u32], target: &[u32]) -> f64 {
        let mut sum = 0.0;
        for &k in source {
            for &l in target {
                sum += self.get(k as usize, l as usize);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_know_their_free_entries() {
        for (shape, free) in [(Shape::Full, 9), (Shape::Symmetric, 6), (Shape::Diagonal, 3)] {
            let mut weights = Weights::new(shape, 3);
            let mut count = 0;
            weights.clone().for_each_free(3, |k, l, _| {
                count += 1;
                weights.set(k, l, (10 * k + l) as f64);
            });
            assert_eq!((count, shape.free(3)), (free, free));
            weights.reserve(100);
            assert_eq!(weights.get(2, 2), 22.0);
            assert_eq!(weights.get(1, 0), [10.0, 1.0, 0.0][shape as usize]);
            weights.compact(&[2, 0], &mut Vec::new());
            assert_eq!((weights.get(0, 0), weights.get(1, 1)), (22.0, 0.0));
            assert_eq!(weights.get(1, 0), [2.0, 2.0, 0.0][shape as usize]);
        }
    }

    #[test]
    fn row_sums_give_the_logits() {
        let mut weights = Weights::new(Shape::Full, 2);
        for (k, l, value) in [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 3.0), (1, 1, 4.0)] {
            weights.set(k, l, value);
        }
        let mut sum = [0.0; 2];
        weights.add_rows(&[0, 1], 2, &mut sum);
        assert_eq!(sum, [4.0, 6.0]);
        weights.add_columns(&[0, 1], 2, &mut sum);
        assert_eq!(sum, [3.0, 7.0]);
        assert_eq!(weights.logit(&[0, 1], &[1]), 6.0);
    }
}
