//! Step sizes that follow the derivatives (AdaGrad). See "Weights" in `docs/model.md`.

use crate::model::ValidSettings;

/// The sizes of AdaGrad's steps, one per weight; they are reset with every sweep, which has other features and rates.
#[derive(Debug, Default)]
pub(super) struct Adaptive {
    /// The current sizes.
    pub(super) sizes: Vec<f64>,
    squares: Vec<f64>,
}

impl Adaptive {
    /// Forgets all derivatives.
    pub(super) fn begin(&mut self, weights: usize) {
        for values in [&mut self.sizes, &mut self.squares] {
            values.clear();
            values.resize(weights, 0.0);
        }
    }

    /// Finds the sizes for the derivatives at hand, given the prior precision of a weight.
    pub(super) fn find(&mut self, settings: &ValidSettings, derivatives: &[f64], precision: f64) {
        for ((size, sum), derivative) in self.sizes.iter_mut().zip(&mut self.squares).zip(derivatives) {
            *sum += derivative * derivative;
            // A weight with next to no derivatives must not go further than its prior allows.
            *size = (settings.step / sum.sqrt()).min(1.0 / precision);
        }
    }
}
