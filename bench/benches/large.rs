//! The steps of a sweep over a large network, as ratios to its own augmentation step, on one thread and on two. Run with
//! `cargo bench -p dlfrm-bench --bench large` (after `--`, a model's name leaves the others out, and `gowalla` takes that
//! network instead of AstroPh); `DLFRM_DATA` names the folder of the paper's networks.

use dlfrm::chain::{Chain, Step};
use dlfrm::model::{Model, Settings};
use dlfrm::network::{Protocol, Split};
use dlfrm_bench::{known, seconds};

const WARM_UP: usize = 5;
const SWEEPS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let name = if arguments.iter().any(|argument| argument == "gowalla") { "gowalla" } else { "astroph" };
    let Some(network) = known(name) else {
        println!("{name}: skipped, DLFRM_DATA does not name a folder that has it");
        return;
    };
    let named: Vec<Model> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let split = Split::new(&network, Protocol::PaperLinks, 0.1, 1).expect("sound");
    let pairs = &split.train;
    println!("{name}: {} pairs, {SWEEPS} sweeps after {WARM_UP}", pairs.len());
    println!(
        "{:<14} {:>7} {:>4} {:>9} {:>11} {:>10}  of which, in augmentation steps",
        "model", "threads", "K", "s/sweep", "augment = 1", "times as 1"
    );
    for model in Model::ALL {
        if !named.is_empty() && !named.contains(&model) {
            continue;
        }
        let settings = Settings { burn_in: 10, ..Settings::for_pairs(model, pairs.len()) };
        let settings = settings.check().expect("sound");
        let mut one = 0.0;
        for threads in [1, 2] {
            dlfrm_bench::pool(threads).install(|| {
                let mut chain = Chain::new(pairs, &settings, 0).expect("sound");
                (0..WARM_UP).for_each(|_| chain.sweep());
                let mut times = [0.0; Step::SWEEP.len()];
                for _ in 0..SWEEPS {
                    chain.begin_sweep();
                    for (time, step) in times.iter_mut().zip(Step::SWEEP) {
                        *time += seconds(|| chain.step(step));
                    }
                }
                let total: f64 = times.iter().sum();
                if threads == 1 {
                    one = total;
                }
                let augment = times[Step::SWEEP.len() - 1];
                let parts: Vec<String> = Step::SWEEP
                    .iter()
                    .zip(times)
                    .filter(|(_, time)| *time > 0.005 * augment)
                    .map(|(step, time)| format!("{step} {:.2}", time / augment))
                    .collect();
                println!(
                    "{:<14} {threads:>7} {:>4} {:>9.2} {:>11.2} {:>10.2}  {} ({:.0} ns a pair in the augmentation)",
                    model.name(),
                    chain.state().features.active(),
                    total / SWEEPS as f64,
                    total / augment,
                    one / total,
                    parts.join(", "),
                    1e9 * augment / (SWEEPS * pairs.len()) as f64,
                );
            });
        }
    }
}
