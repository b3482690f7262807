//! How the cost of a sweep grows with the number of pairs, and what threads bring. Run with
//! `cargo bench -p dlfrm-bench --bench growth` (after `--`, a model's name leaves the others out, and numbers of nodes
//! take the place of the usual ones: 1000000 is a network of 10^8 pairs).
//!
//! The networks are synthetic: nodes with three of fifty features, ten links per node, ten non-links per link. A chain starts at
//! the features that made them, so that all sizes have about as many.

use dlfrm::covariates::SideInfo;
use dlfrm::fit::Silent;
use dlfrm::model::{Features, Model, Settings, Start};
use dlfrm::network::Pairs;
use dlfrm::testing::{Chain, Step, run_chains};
use dlfrm_bench::{bandwidth, planted, seconds};

/// All of them are large networks, with more than a million pairs, so that the same kernels run.
const SIZES: [usize; 4] = [10_000, 20_000, 40_000, 80_000];
const SWEEPS: usize = 3;

/// The bytes of a pair that a sweep must at least move: targets (4), labels (1) and rates (8) as the steps read and write
/// them. Augmentation 13; rows from both ends, with and without rates, 26 and 18; weights 13; intercept, where it is drawn
/// apart, 13.
fn bytes(model: Model) -> f64 {
    let intercept = if model.diagonal() { 0.0 } else { 13.0 };
    13.0 + 26.0 + 18.0 + 13.0 + intercept
}

fn main() {
    let bandwidth = bandwidth();
    println!("one core reads {:.1} GB/s; {SWEEPS} sweeps after 2, one thread", bandwidth / 1e9);
    let given: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if given.is_empty() { SIZES.to_vec() } else { given };
    let named: Vec<Model> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    println!(
        "{:<14} {:>9} {:>5} {:>9} {:>8} {:>9} {:>9}",
        "model", "pairs", "K", "ms/sweep", "ns/pair", "floors", "exponent"
    );
    for model in Model::ALL {
        if !named.is_empty() && !named.contains(&model) {
            continue;
        }
        let mut first = None;
        for &nodes in &sizes {
            // Made again for each model: several at once may not fit into memory.
            let (pairs, rows, slots) = planted(nodes);
            let (time, features) = sweep(model, &pairs, &rows, slots);
            let (size, per_pair) = (pairs.len() as f64, time / pairs.len() as f64);
            let (first_size, first_time) = *first.get_or_insert((size, time));
            let exponent = (time / first_time).ln() / (size / first_size).ln();
            let exponent = if size > first_size { format!("{exponent:.2}") } else { "-".to_owned() };
            println!(
                "{:<14} {size:>9} {features:>5} {:>9.1} {:>8.1} {:>9.1} {exponent:>9}",
                model.name(),
                1e3 * time,
                1e9 * per_pair,
                per_pair * bandwidth / bytes(model),
            );
        }
    }
    println!();
    let pairs = &planted(sizes[sizes.len().min(2) - 1]).0;
    for model in Model::ALL {
        if (named.is_empty() && model.diagonal()) || named.contains(&model) {
            let [one, two] = [1, 2].map(|threads| chains(model, pairs, threads));
            println!(
                "{model}, {} pairs: two chains take {one:.2} s on one thread, {two:.2} s on two, {:.2} times as fast",
                pairs.len(),
                one / two
            );
        }
    }
}

/// Seconds per sweep, and K at the end.
fn sweep(model: Model, pairs: &Pairs, rows: &[Vec<u32>], slots: usize) -> (f64, usize) {
    let settings =
        Settings { start: Start::Prior, ..Settings::paper_defaults(model, 0) }.check().expect("sound");
    let mut chain = Chain::new(pairs, &settings, 0).expect("sound");
    let mut state = chain.state().clone();
    state.features = Features::from_rows(rows, slots);
    state.weights.reserve(slots);
    for k in 0..slots {
        for l in 0..slots {
            if k == l || (!model.diagonal() && k <= l) {
                state.weights.set(k, l, if k == l { 4.0 } else { -0.1 });
            }
        }
    }
    chain.set_state(state);
    // The rates are those of another state, and the weights are guessed: rows that saw them would have new features.
    for _ in 0..5 {
        chain.begin_sweep();
        for step in [Step::Augment, Step::Weights, Step::Intercept] {
            chain.step(step);
        }
    }
    chain.step(Step::Augment);
    for _ in 0..2 {
        chain.sweep();
    }
    let time = seconds(|| {
        for _ in 0..SWEEPS {
            chain.sweep();
        }
    });
    (time / SWEEPS as f64, chain.state().features.active())
}

/// Seconds of a fit with two chains on so many threads.
fn chains(model: Model, pairs: &Pairs, threads: usize) -> f64 {
    let settings = Settings { chains: 2, burn_in: 3, draws: 1, ..Settings::paper_defaults(model, 0) }
        .check()
        .expect("sound");
    let pool = dlfrm_bench::pool(threads);
    seconds(|| {
        pool.install(|| run_chains(pairs, &SideInfo::default(), &settings, 0, &Silent)).expect("sound");
    })
}
