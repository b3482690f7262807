//! Geweke's joint distribution test: the sampler against simulation from the model itself.
//!
//! With the logistic loss and c+ = c- = 1 the model is a likelihood, and parameters and labels have a joint
//! distribution that can be drawn from directly (features from the Indian buffet process, weights, intercept
//! and hyperparameters from their priors, labels given all of them). A correct kernel leaves it alone when
//! labels and augmentation variables are drawn again before each of its moves.
//!
//! - The whole sweep: one long run that alternates fresh labels with a sweep (Geweke's successive-conditional
//!   simulation) must agree with independent draws. Errors accumulate over the run, so this sees small ones.
//! - Each kernel: it may leave some variables alone, and a long run of it would not forget them. Instead many
//!   short runs each start from a draw of the joint distribution itself and make a few moves; the end of a run
//!   then has the distribution of its start, whatever the kernel leaves out. The difference between end and
//!   start is averaged over independent runs, so its standard error is the plain one.
//!
//! Compared are 45 functions of parameters and labels with first and second moments (see `joint`); those that a
//! case cannot change are skipped. The labels that a function sees are those that the move was made with.
//!
//! Error budget: |z| < 5. Long runs have 100 batch means (t distribution, 99 degrees of freedom, 2.5e-6 a
//! comparison), short runs 6e-7. There are at most 9 x 45 and 20 x 45 comparisons: a false alarm rate below
//! 1.6e-3 for the whole file. Seeds are fixed.

mod joint;

use dlfrm::model::Settings;
use dlfrm::network::{Pair, Pairs};
use dlfrm::random::run_seed;
use dlfrm::testing::{Step, StreamKey, weights};
use joint::{FUNCTIONS, LEARNED, Point, Simulator, values};

const SEED: u64 = 2004;
const BATCHES: usize = 100;
const SWEEPS: usize = 100_000;
const DRAWS: usize = 200_000;
const RUNS: usize = 30_000;
const MOVES: usize = 6;
const FACTORISED: usize = weights::LARGEST_FACTOR;

/// Fourteen of the twenty ordered pairs of five nodes; the last node has no pair that starts at it.
fn directed() -> Pairs {
    let targets: [&[u32]; 4] = [&[1, 2, 3, 4], &[0, 2, 4], &[0, 1, 3, 4], &[0, 1, 2]];
    let list = (0..).zip(targets).flat_map(|(source, targets)| targets.iter().map(move |&t| (source, t)));
    Pairs::new(5, false, list.map(|(source, target)| Pair { source, target, link: false }))
}

/// Eleven of the fifteen unordered pairs of six nodes.
fn undirected() -> Pairs {
    let targets: [&[u32]; 5] = [&[1, 2, 4, 5], &[2, 3], &[3, 4, 5], &[4], &[5]];
    let list = (0..).zip(targets).flat_map(|(source, targets)| targets.iter().map(move |&t| (source, t)));
    Pairs::new(6, true, list.map(|(source, target)| Pair { source, target, link: false }))
}

fn settings(model: &str) -> Settings {
    Settings {
        model: model.parse().unwrap(),
        c_pos: 1.0,
        c_neg: 1.0,
        alpha: 0.9,
        nu: 0.8,
        intercept: true,
        intercept_sd: 1.0,
        // More features of one's own than this have a prior probability below 1e-12.
        max_new: 8,
        ..Settings::default()
    }
}

/// With hyperparameters drawn from their priors: alpha / N seldom exceeds 2.
fn learned(model: &str) -> Settings {
    Settings { learn_alpha: true, learn_nu: true, max_new: 16, ..settings(model) }
}

/// Mean and standard error of each function.
struct Estimate {
    means: Vec<f64>,
    errors: Vec<f64>,
}

impl Estimate {
    /// From values that are independent, or nearly so: draws or means of batches.
    fn new(rows: impl Iterator<Item = Vec<f64>>) -> Self {
        let functions = FUNCTIONS.len() + LEARNED.len();
        let (mut count, mut means, mut squares) = (0.0, vec![0.0; functions], vec![0.0; functions]);
        for row in rows {
            count += 1.0;
            for ((mean, square), value) in means.iter_mut().zip(&mut squares).zip(row) {
                let step = value - *mean;
                *mean += step / count;
                *square += step * (value - *mean);
            }
        }
        let errors = squares.iter().map(|square| (square / (count - 1.0) / count).sqrt()).collect();
        Self { means, errors }
    }

    /// Prints the worst deviation from `expected` and insists that it is below five standard errors.
    fn compare(&self, expected: &Self, case: &str) {
        let (mut worst, mut report) = (0.0, String::new());
        for (index, name) in FUNCTIONS.iter().chain(&LEARNED).enumerate() {
            let error = self.errors[index].hypot(expected.errors[index]);
            let (seen, wanted) = (self.means[index], expected.means[index]);
            if error == 0.0 || (seen - wanted).abs() < 1e-12 {
                continue;
            }
            let z = (seen - wanted) / error;
            assert!(z.is_finite(), "{case}: {name}: seen {seen}, expected {wanted}");
            if z.abs() > worst {
                worst = z.abs();
                report = format!("{name}: seen {seen:.5}, expected {wanted:.5}, z {z:.2}");
            }
        }
        println!("{case}: {report}");
        assert!(!report.is_empty(), "{case}: nothing moved");
        assert!(worst < 5.0, "{case}: {report}");
    }
}

/// The keys of a case: its seed follows from its name, so that no two cases share their draws.
fn keys(case: &str) -> impl Fn(u64, usize) -> StreamKey + Copy + use<> {
    let seed = case.bytes().fold(SEED, |seed, byte| run_seed(seed, u64::from(byte)));
    move |chain, sweep| StreamKey { seed, chain, sweep: sweep as u64 }
}

fn whole_sweep(pairs: Pairs, settings: Settings, case: &str) {
    whole_sweep_of(Simulator::new(pairs, settings.check().unwrap(), FACTORISED), case);
}

fn whole_sweep_of(mut simulator: Simulator, case: &str) {
    let key = keys(case);
    let expected = Estimate::new((0..DRAWS).map(|draw| values(&simulator.draw(key(0, draw)))));
    // The start is a draw of the joint distribution: there is no burn-in to wait for.
    let mut point = simulator.draw(key(1, 0));
    let length = SWEEPS / BATCHES;
    let batches = (0..BATCHES).map(|batch| {
        let mut sums = vec![0.0; FUNCTIONS.len() + LEARNED.len()];
        for sweep in 0..length {
            let key = key(2, batch * length + sweep);
            simulator.redraw_labels(&mut point, key);
            for step in Step::SWEEP {
                simulator.step(step, &mut point, key);
            }
            for (sum, value) in sums.iter_mut().zip(values(&point)) {
                *sum += value / length as f64;
            }
        }
        sums
    });
    Estimate::new(batches).compare(&expected, case);
}

fn kernel(pairs: Pairs, settings: Settings, largest_factor: usize, steps: &[Step], case: &str) {
    kernel_of(Simulator::new(pairs, settings.check().unwrap(), largest_factor), steps, case);
}

fn kernel_of(mut simulator: Simulator, steps: &[Step], case: &str) {
    let key = keys(case);
    let mut run = |run: usize| -> Vec<f64> {
        let mut point: Point = simulator.draw(key(3, run));
        let start = values(&point);
        for number in 0..MOVES {
            let key = key(4, run * MOVES + number);
            simulator.redraw_labels(&mut point, key);
            for &step in steps {
                simulator.step(step, &mut point, key);
            }
        }
        values(&point).iter().zip(start).map(|(end, start)| end - start).collect()
    };
    let differences = Estimate::new((0..RUNS).map(&mut run));
    let functions = differences.means.len();
    let none = Estimate { means: vec![0.0; functions], errors: vec![0.0; functions] };
    differences.compare(&none, case);
}

#[test]
fn sweep_with_full_weights() {
    whole_sweep(directed(), settings("dlfrm-l"), "sweep, full");
}

#[test]
fn sweep_with_symmetric_weights() {
    whole_sweep(undirected(), settings("dlfrm-l"), "sweep, symmetric");
}

#[test]
fn sweep_with_diagonal_weights() {
    whole_sweep(directed(), settings("diag-dlfrm-l"), "sweep, diagonal, directed");
    whole_sweep(undirected(), settings("diag-dlfrm-l"), "sweep, diagonal, undirected");
}

#[test]
fn sweep_with_learned_alpha_and_nu() {
    whole_sweep(directed(), learned("dlfrm-l"), "sweep, full, learned");
    whole_sweep(undirected(), learned("dlfrm-l"), "sweep, symmetric, learned");
    whole_sweep(directed(), learned("diag-dlfrm-l"), "sweep, diagonal, learned");
}

/// Covariates and effects of nodes in the sweep, and the linear step alone.
#[test]
fn linear_part() {
    let with = |pairs, model| {
        let settings = Settings { node_effects: true, coefficient_sd: 1.0, ..settings(model) };
        Simulator::new(pairs, settings.check().unwrap(), FACTORISED).with_covariates()
    };
    whole_sweep_of(with(directed(), "dlfrm-l"), "sweep, full, linear");
    whole_sweep_of(with(undirected(), "diag-dlfrm-l"), "sweep, diagonal, linear");
    kernel_of(with(directed(), "dlfrm-l"), &[Step::Linear], "linear, directed");
    kernel_of(with(undirected(), "dlfrm-l"), &[Step::Linear], "linear, undirected");
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| {
        kernel_of(with(directed(), "dlfrm-l").in_classes(), &[Step::Linear], "linear, divided");
    });
}

#[test]
fn attributes_of_nodes() {
    let with = |pairs, model, node_effects| {
        let settings = Settings { node_effects, coefficient_sd: 1.0, ..settings(model) };
        Simulator::new(pairs, settings.check().unwrap(), FACTORISED).with_attributes()
    };
    whole_sweep_of(with(directed(), "dlfrm-l", false).with_covariates(), "sweep, full, attributes");
    whole_sweep_of(with(undirected(), "diag-dlfrm-l", true), "sweep, diagonal, attributes");
    kernel_of(with(directed(), "dlfrm-l", true).with_covariates(), &[Step::Linear], "attributes, directed");
    kernel_of(with(undirected(), "dlfrm-l", false), &[Step::Linear], "attributes, undirected");
}

#[test]
fn features() {
    let steps = [Step::Features];
    kernel(directed(), settings("dlfrm-l"), FACTORISED, &steps, "features, full");
    kernel(undirected(), settings("dlfrm-l"), FACTORISED, &steps, "features, symmetric");
    kernel(directed(), settings("diag-dlfrm-l"), FACTORISED, &steps, "features, diagonal");
}

#[test]
fn features_under_the_loss_itself() {
    // The rates are not valid before the augmentation has followed. The names of cases are their seeds, and so older than
    // the name of the step.
    let steps = [Step::CollapsedRows, Step::Augment];
    kernel(directed(), settings("dlfrm-l"), FACTORISED, &steps, "flips, full");
    kernel(undirected(), settings("dlfrm-l"), FACTORISED, &steps, "flips, symmetric");
    kernel(directed(), settings("diag-dlfrm-l"), FACTORISED, &steps, "flips, diagonal");
}

/// A ring of six nodes: those with even and those with odd numbers are updated at once.
#[test]
fn rows_in_classes() {
    let ring = (0..6).map(|source| Pair { source, target: (source + 1) % 6, link: false });
    let pairs = Pairs::new(6, false, ring);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| {
        for (model, name) in [("dlfrm-l", "full"), ("diag-dlfrm-l", "diagonal")] {
            for (step, what) in [(Step::Features, "features"), (Step::CollapsedRows, "flips")] {
                // Collapsed rows leave rates behind that are no longer valid.
                let steps = [step, Step::Augment];
                let simulator =
                    Simulator::new(pairs.clone(), settings(model).check().unwrap(), 0).in_classes();
                kernel_of(simulator, &steps, &format!("{what} in classes, {name}"));
            }
        }
    });
}

#[test]
fn weights() {
    let steps = [Step::Weights];
    kernel(directed(), settings("dlfrm-l"), FACTORISED, &steps, "weights, full");
    kernel(directed(), settings("dlfrm-l"), 0, &steps, "weights, full, by conjugate gradients");
    kernel(undirected(), settings("dlfrm-l"), FACTORISED, &steps, "weights, symmetric");
    kernel(directed(), settings("diag-dlfrm-l"), FACTORISED, &steps, "weights, diagonal");
}

#[test]
fn intercept() {
    kernel(directed(), settings("dlfrm-l"), FACTORISED, &[Step::Intercept], "intercept");
}

#[test]
fn alpha_and_nu() {
    kernel(directed(), learned("dlfrm-l"), FACTORISED, &[Step::Alpha], "alpha");
    kernel(directed(), learned("dlfrm-l"), FACTORISED, &[Step::Nu], "nu");
}
