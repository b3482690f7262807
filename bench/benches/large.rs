//! The steps of a sweep over a large network, as ratios to its own augmentation step, on one thread and on two. Run with
//! `cargo bench -p dlfrm-bench --bench large` (after `--`, a model's name leaves the others out, and `gowalla` takes that
//! network instead of AstroPh); `DLFRM_DATA` names the folder of the paper's networks.

use dlfrm::model::{Model, Settings};
use dlfrm::split::{Protocol, Split};
use dlfrm::testing::{Chain, Division};
use dlfrm_bench::{Times, known};

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
    let classes = pairs.nodes() as f64 / Division::new(pairs).mean_class();
    println!("{name}: {} pairs, {classes:.0} classes, {SWEEPS} sweeps after {WARM_UP}", pairs.len());
    println!(
        "{:<14} {:>7} {:>4} {:>9} {:>11} {:>10}  of which, in augmentation steps",
        "model", "threads", "K", "s/sweep", "augment = 1", "times as 1"
    );
    for model in Model::ALL {
        if !named.is_empty() && !named.contains(&model) {
            continue;
        }
        let settings = Settings { burn_in: 10, ..Settings::paper_defaults(model, pairs.len()) };
        let settings = settings.check().expect("sound");
        let mut one = 0.0;
        for threads in [1, 2] {
            dlfrm_bench::pool(threads).install(|| {
                let mut chain = Chain::new(pairs, &settings, 0).expect("sound");
                for _ in 0..WARM_UP {
                    chain.sweep();
                }
                let times = Times::of(&mut chain, SWEEPS);
                let (total, augment) = (times.total(), times.augment());
                if threads == 1 {
                    one = total;
                }
                println!(
                    "{:<14} {threads:>7} {:>4.0} {:>9.2} {:>11.2} {:>10.2}  {} ({:.0} ns per pair in the augmentation)",
                    model.name(),
                    times.features,
                    total / SWEEPS as f64,
                    total / augment,
                    one / total,
                    times.shares(),
                    1e9 * augment / (SWEEPS * pairs.len()) as f64,
                );
            });
        }
    }
}
