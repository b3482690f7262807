//! Full and symmetric weights by stochastic gradient Langevin dynamics (Welling & Teh 2011), as in the paper's stoDLFRM.
//! See "Weights" in `docs/model.md`.
//!
//! Given the augmentation the weights are Gaussian; a Langevin step follows the gradient of their log density, estimated
//! from some of the pairs, and adds noise:
//!
//! ```text
//! u <- u + e/2 (-nu^2 u + M/m sum (pull - rate w) a) + N(0, e)
//! ```
//!
//! **An approximation**, unlike every other kernel: it is right in the limit of many small steps. What it is made of: an
//! estimate of the gradient (`gradient.rs`), a rule for the step sizes e (`model/schedule.rs`,
//! `adaptive.rs`), and the step itself (`integrator.rs`).

mod adaptive;
mod gradient;
mod integrator;

use crate::model::State;
use crate::random::Purpose;

use super::weights::Info;
use super::{Context, outer};

use gradient::Gradient;
use integrator::Integrator;

/// No weight of a posterior is so large.
const LARGEST: f64 = 1e6;

/// Reused memory of this kernel.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    weights: Vec<f64>,
    gradient: Gradient,
    integrator: Integrator,
}

/// Takes as many Langevin steps as the settings say.
pub(super) fn update(context: &Context<'_>, state: &mut State, scratch: &mut Scratch) -> Info {
    if state.features.slots() == 0 {
        return Info::default();
    }
    let settings = context.settings;
    let Scratch { weights, gradient, integrator } = scratch;
    // Inner steps count from 1: their streams are others.
    let mut rng = context.stream(Purpose::Weights, 0);
    outer::copy(state, weights);
    integrator.begin(context, state);
    for step in 1..=settings.inner_steps {
        gradient.estimate(context, state, weights, settings.batch, step);
        integrator.step(settings, state, step, &gradient.values, weights, &mut rng);
    }
    // Steps that are too large lead away for ever: the weights stay as they are.
    let diverged = !weights.iter().all(|weight| weight.abs() <= LARGEST);
    if !diverged {
        outer::restore(weights, state);
    }
    Info { langevin_steps: settings.inner_steps, diverged: usize::from(diverged), ..Info::default() }
}

#[cfg(test)]
mod tests {
    use crate::kernel::linalg;
    use crate::kernel::test_support::{free, precision, synthetic};
    use crate::model::{Model, Settings, Shape, ValidSettings};
    use crate::network::Division;
    use crate::random::StreamKey;

    use super::*;

    const KEY: StreamKey = StreamKey { seed: 1, chain: 0, sweep: 0 };

    fn settings(more: impl FnOnce(Settings) -> Settings) -> ValidSettings {
        let model: Model = "sto-dlfrm-l".parse().unwrap();
        more(Settings::for_model(model)).check().unwrap()
    }

    /// Estimates from a part of the pairs have the gradient as their mean.
    #[test]
    fn gradients_are_unbiased() {
        for shape in [Shape::Full, Shape::Symmetric] {
            let (pairs, state) = synthetic(shape, 9, 4);
            let settings = settings(|settings| settings);
            let mut weights = vec![];
            outer::copy(&state, &mut weights);
            let mut gradient = Gradient::default();
            let division = Division::fine(&pairs);
            let context = Context::new(&pairs, &settings, &division, KEY);
            gradient.estimate(&context, &state, &weights, 1.0, 1);
            let exact = gradient.values.clone();
            let runs = 20_000;
            let mut sums = vec![[0.0; 2]; exact.len()];
            for sweep in 1..=runs {
                let key = StreamKey { sweep, ..KEY };
                let context = Context::new(&pairs, &settings, &division, key);
                gradient.estimate(&context, &state, &weights, 0.1, 1);
                for ([sum, squares], (value, exact)) in
                    sums.iter_mut().zip(gradient.values.iter().zip(&exact))
                {
                    *sum += value - exact;
                    *squares += (value - exact).powi(2);
                }
            }
            // Five standard errors, 32 comparisons: 2e-5 by chance.
            for [sum, squares] in sums {
                assert!(
                    sum.abs() <= 5.0 * squares.sqrt(),
                    "{shape:?}: off by {} errors",
                    sum / squares.sqrt()
                );
            }
        }
    }

    /// The gradient is that of the Gaussian which the other kernels draw from: it vanishes at their mean, and falls
    /// away from it with their precision.
    #[test]
    fn the_gradient_belongs_to_the_precision() {
        for shape in [Shape::Full, Shape::Symmetric] {
            let (pairs, state) = synthetic(shape, 9, 4);
            let settings = settings(|settings| settings);
            let mut gradient = Gradient::default();
            let division = Division::fine(&pairs);
            let context = Context::new(&pairs, &settings, &division, KEY);
            let mut at = |weights: &[f64]| {
                gradient.estimate(&context, &state, weights, 1.0, 1);
                free(&state, &gradient.values)
            };
            let mut weights = vec![];
            outer::copy(&state, &mut weights);
            let zero = at(&vec![0.0; weights.len()]);
            let there = at(&weights);
            let weights = free(&state, &weights);
            let precision = precision(&pairs, &state);
            for (line, (zero, there)) in precision.chunks_exact(weights.len()).zip(zero.iter().zip(there)) {
                let fall = linalg::dot(line, &weights);
                assert!(
                    (zero - there - fall).abs() < 1e-6 * fall.abs().max(1.0),
                    "{shape:?}: {zero} {there} {fall}"
                );
            }
        }
    }

    /// With all pairs and small steps the weights have the mean and the variance that the factorisation gives, and the
    /// variance gets closer in proportion to the step.
    #[test]
    fn small_steps_draw_from_the_gaussian() {
        // To hand a step to other threads would take longer than to make it.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| [Shape::Full, Shape::Symmetric].into_iter().for_each(small_steps));
    }

    fn small_steps(shape: Shape) {
        let (pairs, state) = synthetic(shape, 6, 2);
        // Rates within a few orders, so that the chain forgets its start soon enough.
        let rates = state.rates.iter().map(|rate| rate.powf(0.2)).collect();
        let state = State { rates, ..state };
        let precision = precision(&pairs, &state);
        let mut excesses = vec![];
        for step in [0.8, 0.2] {
            let settings = settings(|settings| Settings {
                batch: 1.0,
                inner_steps: (16.0 / step) as usize,
                step,
                step_decay: 0.0,
                ..settings
            });
            let mut scratch = Scratch::default();
            let mut chain = state.clone();
            let mut gradient = Gradient::default();
            let division = Division::fine(&pairs);
            let context = Context::new(&pairs, &settings, &division, KEY);
            gradient.estimate(&context, &state, &[0.0; 4], 1.0, 1);
            let mut mean = free(&state, &gradient.values);
            let count = mean.len();
            let mut factor = precision.clone();
            linalg::cholesky(&mut factor, count);
            linalg::solve_lower(&factor, count, &mut mean);
            linalg::solve_upper(&factor, count, &mut mean);
            let (sweeps, mut sum, mut weights) = (20_000, 0.0, vec![]);
            let mut means = vec![0.0; count];
            for sweep in 1..=sweeps {
                let key = StreamKey { sweep, ..KEY };
                let context = Context::new(&pairs, &settings, &division, key);
                update(&context, &mut chain, &mut scratch);
                outer::copy(&chain, &mut weights);
                let off: Vec<f64> = free(&state, &weights).iter().zip(&mean).map(|(w, m)| w - m).collect();
                for (line, (left, total)) in precision.chunks_exact(count).zip(off.iter().zip(&mut means)) {
                    sum += left * linalg::dot(line, &off);
                    *total += left / sweeps as f64;
                }
            }
            // E (u - mean)' Q (u - mean) is the number of weights; its standard error here is below 0.02.
            excesses.push(sum / sweeps as f64 / count as f64 - 1.0);
            let square: f64 = precision
                .chunks_exact(count)
                .zip(&means)
                .map(|(line, left)| left * linalg::dot(line, &means))
                .sum();
            assert!(square < 0.01 * count as f64, "{shape:?}, step {step}: the mean is off by {square}");
        }
        println!("{shape:?}: {excesses:?}");
        assert!(
            excesses[0] > 0.03 && excesses[0] < 0.4 && excesses[1].abs() < 0.05,
            "{shape:?}: {excesses:?}"
        );
    }
}
