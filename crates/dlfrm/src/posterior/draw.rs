//! One kept draw: features and weights, packed.

use std::ops::Deref;

use crate::covariates::Attributes;
use crate::model::{Linear, Shape, State};

use super::DrawParts;

/// A draw from the posterior, without augmentation variables: its [parts](DrawParts), found to hold together.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw(DrawParts);

impl Deref for Draw {
    type Target = DrawParts;

    fn deref(&self) -> &DrawParts {
        &self.0
    }
}

impl Draw {
    /// Packs a state whose slots are all active. What the attributes of nodes add is counted among their effects.
    pub fn new(
        state: &State,
        attributes: Option<&Attributes>,
        chain: usize,
        sweep: usize,
        log_joint: f64,
    ) -> Self {
        let features = state.features.slots();
        let shape = state.weights.shape();
        let mut starts = vec![0];
        let mut items = Vec::new();
        for node in 0..state.features.nodes() {
            items.extend_from_slice(state.features.row(node));
            starts.push(items.len() as u32);
        }
        let weights = match shape {
            Shape::Diagonal => state.weights.diagonal()[..features].to_vec(),
            Shape::Full | Shape::Symmetric => {
                (0..features).flat_map(|k| state.weights.row(k)[..features].iter().copied()).collect()
            }
        };
        Self(DrawParts {
            chain,
            sweep,
            log_joint,
            intercept: state.intercept,
            linear: state.linear.clone().gather_attributes(attributes),
            alpha: state.alpha,
            nu: state.nu,
            shape,
            features,
            starts,
            items,
            weights,
            feature_scale: 1.0,
        })
    }

    /// Of parts that were checked.
    pub(super) fn of(parts: DrawParts) -> Self {
        Self(parts)
    }

    /// The draw that a [combined](super::Combination) one was made of.
    pub(crate) fn uncombined(self, intercept: f64, linear: Linear) -> Self {
        Self(DrawParts { intercept, linear, feature_scale: 1.0, ..self.0 })
    }

    /// How many nodes it is about.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many features it has.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The features of a node, in increasing order.
    #[inline]
    pub fn row(&self, node: usize) -> &[u32] {
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The weight between two features.
    #[inline]
    pub fn weight(&self, k: usize, l: usize) -> f64 {
        match self.shape {
            Shape::Diagonal if k == l => self.weights[k],
            Shape::Diagonal => 0.0,
            Shape::Full | Shape::Symmetric => self.weights[k * self.features + l],
        }
    }

    /// The logit of a pair of nodes with these covariates (none, if the fit had none).
    pub fn logit(&self, source: usize, target: usize, covariates: &[f32]) -> f64 {
        let linear = self.intercept + self.linear.of(source, target, covariates);
        linear + self.feature_scale * self.latent(source, target)
    }

    /// The same for covariates that add up to this, each times its coefficient. `spare` has a zero for each feature.
    pub(super) fn logit_with(&self, source: usize, target: usize, covariates: f64, spare: &mut [f64]) -> f64 {
        let linear = self.intercept + self.linear.with(source, target, covariates);
        let latent = if self.shape == Shape::Diagonal {
            // Without a branch for every feature that the two do not share.
            let own = self.row(source);
            for &k in own {
                spare[k as usize] = self.weights[k as usize];
            }
            let sum = self.row(target).iter().map(|&l| spare[l as usize]).sum::<f64>();
            for &k in own {
                spare[k as usize] = 0.0;
            }
            sum
        } else {
            self.latent(source, target)
        };
        linear + self.feature_scale * latent
    }

    /// What the features of two nodes add up to, before it is scaled.
    pub(super) fn latent(&self, source: usize, target: usize) -> f64 {
        let mut sum = 0.0;
        let (source, target) = (self.row(source), self.row(target));
        if self.shape == Shape::Diagonal {
            for k in source {
                if target.contains(k) {
                    sum += self.weights[*k as usize];
                }
            }
        } else {
            for &k in source {
                let row = &self.weights[k as usize * self.features..(k as usize + 1) * self.features];
                for &l in target {
                    sum += row[l as usize];
                }
            }
        }
        sum
    }

    /// The nodes that have each feature.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.features];
        for node in 0..self.nodes() {
            for &slot in self.row(node) {
                members[slot as usize].push(node as u32);
            }
        }
        members
    }
}
