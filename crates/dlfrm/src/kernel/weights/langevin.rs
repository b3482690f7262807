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
//! **An approximation**, unlike every other kernel: it is right in the limit of many small steps. It is made of an
//! estimate of the gradient, a rule for the step sizes e, and the step itself.
//!
//! Weights that many pairs depend on are known a thousand times as well as others, and one step size suits not
//! both. Under the polynomial rule the step is preconditioned: with P the Kronecker approximation of the precision Q,
//!
//! ```text
//! u <- u + e/2 P^-1 gradient + N(0, e P^-1)
//! ```
//!
//! has the same limit for any fixed P. The size e is in units of 1 / L, where L is the largest eigenvalue of P^-1 Q by some
//! steps of power iteration: beyond 4 / L steps would diverge. `AdaGrad` has a size for each weight instead, as in the paper.

use rand::RngExt;

use crate::model::{Schedule, State, ValidSettings};
use crate::random::{Purpose, Stream};

use super::super::{Context, linalg};
use super::Info;
use super::kronecker::Kronecker;
use super::outer::{self, Outer};
use super::precision::Precision;

/// No weight of a posterior is so large.
const LARGEST: f64 = 1e6;

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

/// Products with the precision to find the largest eigenvalue by. Too small a value costs accuracy, and four times too
/// small a one stability: these few come within a few percent.
const POWER_STEPS: usize = 4;

/// What the steps of a sweep need to know.
#[derive(Debug, Default)]
struct Integrator {
    kronecker: Kronecker,
    largest: f64,
    adaptive: Adaptive,
    precision: Precision,
    vector: Vec<f64>,
    product: Vec<f64>,
}

impl Integrator {
    fn begin(&mut self, context: &Context<'_>, state: &State) {
        match context.settings.schedule {
            Schedule::Adagrad => self.adaptive.begin(state.features.slots().pow(2)),
            Schedule::Polynomial => {
                self.kronecker.prepare(context.pairs, state);
                self.find_largest(context, state);
            }
        }
    }

    /// The largest eigenvalue of P^-1 Q, from below.
    fn find_largest(&mut self, context: &Context<'_>, state: &State) {
        let Self { kronecker, largest, precision, vector, product, .. } = self;
        precision.prepare(context, state);
        let width = state.features.slots();
        vector.clear();
        // No entry of Q is negative: neither are those of its leading vector.
        vector.resize(width * width, 1.0);
        product.clear();
        product.resize(width * width, 0.0);
        *largest = 1.0;
        for _ in 0..POWER_STEPS {
            let size = linalg::dot(vector, vector).sqrt();
            for value in vector.iter_mut() {
                *value /= size;
            }
            precision.multiply(context, state, vector, product);
            kronecker.solve(product, vector);
            *largest = linalg::dot(vector, vector).sqrt();
        }
    }

    fn step(
        &mut self,
        settings: &ValidSettings,
        state: &State,
        step: usize,
        derivatives: &[f64],
        weights: &mut [f64],
        rng: &mut Stream,
    ) {
        let Self { kronecker, largest, adaptive, product, .. } = self;
        match settings.schedule {
            Schedule::Polynomial => {
                let size = Schedule::polynomial(settings, step) / *largest;
                kronecker.solve(derivatives, product);
                linalg::add_scaled(weights, 0.5 * size, product);
                kronecker.add_noise(size.sqrt(), rng, weights);
            }
            Schedule::Adagrad => {
                adaptive.find(settings, derivatives, state.nu.own.max(state.nu.between).powi(2));
                for ((weight, derivative), size) in weights.iter_mut().zip(derivatives).zip(&adaptive.sizes) {
                    *weight += 0.5 * size * derivative;
                }
                let (shape, width) = (state.weights.shape(), state.features.slots());
                outer::add_noise(shape, width, weights, |k, l| adaptive.sizes[k * width + l].sqrt(), rng);
            }
        }
    }
}

/// Estimates -nu^2 u + sum (pull - rate w) a, with a = z_i' z_j, from some of the pairs: the paper's update rule.
#[derive(Debug, Default)]
struct Gradient {
    outer: Outer,
    /// By rows, as wide as the features; a free weight of a symmetric matrix has its derivative in both entries.
    values: Vec<f64>,
}

impl Gradient {
    /// Estimates it at `weights` for inner step number `step` from a share of the pairs, each of them in or not by
    /// itself: the batch is found by skipping ahead, in the order in which the pairs stand.
    fn estimate(&mut self, context: &Context<'_>, state: &State, weights: &[f64], share: f64, step: usize) {
        let Context { pairs, settings, division, .. } = *context;
        let Self { outer, values } = self;
        let width = state.features.slots();
        values.clear();
        values.resize(width * width, 0.0);
        let residual = |pair: usize, logit: f64| {
            let (rate, link) = (state.rates[pair], pairs.label(pair));
            let pull = settings.pull(link, rate);
            pull - rate * (state.offset(pair) + logit)
        };
        let (parts, scale) = (division.parts().len(), (-share).ln_1p().recip());
        outer.sum(context, &state.features, weights, values, |number| {
            let mut rng = context.stream(Purpose::Weights, (step * parts + number) as u64);
            // Geometric: the pairs passed over before one is in.
            let gap = move || {
                if share < 1.0 { ((1.0 - rng.random::<f64>()).ln() * scale) as usize } else { outer::none() }
            };
            (|pair, logit| residual(pair, logit) / share, gap)
        });
        outer::fold(state.weights.shape(), width, values);
        outer::add_prior(state, -1.0, weights, values);
    }
}

/// The sizes of AdaGrad's steps, one per weight; they are reset with every sweep, which has other features and rates.
#[derive(Debug, Default)]
struct Adaptive {
    sizes: Vec<f64>,
    squares: Vec<f64>,
}

impl Adaptive {
    fn begin(&mut self, weights: usize) {
        for values in [&mut self.sizes, &mut self.squares] {
            values.clear();
            values.resize(weights, 0.0);
        }
    }

    /// Finds the sizes for the derivatives at hand, given the prior precision of a weight.
    fn find(&mut self, settings: &ValidSettings, derivatives: &[f64], precision: f64) {
        for ((size, sum), derivative) in self.sizes.iter_mut().zip(&mut self.squares).zip(derivatives) {
            *sum += derivative * derivative;
            // A weight with next to no derivatives must not go further than its prior allows.
            *size = (settings.step / sum.sqrt()).min(1.0 / precision);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::test_support::{free, precision, synthetic};
    use crate::model::{Model, Settings, Shape};
    use crate::network::Division;
    use crate::random::StreamKey;

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
                assert!(sum.abs() <= 5.0 * squares.sqrt(), "{shape:?}: {sum} {squares}");
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
            let lines = precision.chunks_exact(count).zip(&means);
            let square: f64 = lines.map(|(line, left)| left * linalg::dot(line, &means)).sum();
            assert!(square < 0.01 * count as f64, "{shape:?}, step {step}: the mean is off by {square}");
        }
        let [large, small] = excesses[..] else { panic!("two steps") };
        assert!(large > 0.03 && large < 0.4 && small.abs() < 0.05, "{shape:?}: {large} {small}");
    }
}
