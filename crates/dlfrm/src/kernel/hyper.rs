//! The mass of the buffet and the scale of the weights, each a Gamma draw given what it governs.
//! See "Intercept and hyperparameters" in `docs/model.md`.

use rand_distr::{Distribution, Gamma};

use crate::model::{Nu, Shape, State, ibp};
use crate::random::Purpose;

use super::Context;

/// Shape and rate of alpha's Gamma prior.
pub const ALPHA_PRIOR: (f64, f64) = (1.0, 1.0);
/// Shape and rate of the Gamma prior of nu^2, and of the inverse variances of effects.
pub const PRECISION_PRIOR: (f64, f64) = (2.0, 0.5);
/// Shape and rate of the Gamma prior of the ratio of the two precisions of weights.
pub const RATIO_PRIOR: (f64, f64) = (2.0, 0.5);

/// Draws alpha ~ Gamma(a + K, b + H_N), if it is learned.
pub fn update_alpha(context: &Context<'_>, state: &mut State) {
    if context.settings.learn_alpha {
        let mut rng = context.stream(Purpose::Hyper, 0);
        let shape = ALPHA_PRIOR.0 + state.features.active() as f64;
        let rate = ALPHA_PRIOR.1 + ibp::harmonic(state.features.nodes());
        state.alpha = gamma(shape, rate, &mut rng);
    }
}

/// Draws the scales of the weights, if they are learned: nu^2 ~ Gamma(a + W/2, b + (S + r B)/2) over all W free weights, S
/// and B being the sums of squares of own weights and of those between two features; and then the ratio r of the precision of
/// the latter to that of the former, r ~ Gamma(c + W'/2, d + nu^2 B/2) over the W' weights between features.
pub fn update_nu(context: &Context<'_>, state: &mut State) {
    if context.settings.learn_nu {
        let mut rng = context.stream(Purpose::Hyper, 1);
        let (mut counts, mut squares) = ([0.0; 2], [0.0; 2]);
        state.weights.for_each_free(state.features.slots(), |k, l, weight| {
            let kind = usize::from(k != l);
            counts[kind] += 1.0;
            squares[kind] += weight * weight;
        });
        let ratio = (state.nu.between / state.nu.own).powi(2);
        let square = precision(counts[0] + counts[1], squares[0] + ratio * squares[1], &mut rng);
        state.nu = Nu::same(square.sqrt());
        if state.weights.shape() != Shape::Diagonal {
            let ratio =
                gamma(RATIO_PRIOR.0 + 0.5 * counts[1], RATIO_PRIOR.1 + 0.5 * square * squares[1], &mut rng);
            state.nu.between *= ratio.sqrt();
        }
    }
}

/// An inverse variance given so many normal numbers with this sum of squares.
pub(super) fn precision(count: f64, squares: f64, rng: &mut impl rand::Rng) -> f64 {
    gamma(PRECISION_PRIOR.0 + 0.5 * count, PRECISION_PRIOR.1 + 0.5 * squares, rng)
}

fn gamma(shape: f64, rate: f64, rng: &mut impl rand::Rng) -> f64 {
    Gamma::new(shape, 1.0 / rate).expect("shape and rate are positive").sample(rng)
}
