//! The cost of a sweep, step by step, as a ratio to its own augmentation step: of each model as in the paper, and with
//! covariates. Run with
//! `cargo bench -p dlfrm-bench --bench sweep` (after `--`, `--steps` leaves the
//! second table out, and a model's name the other models); `DLFRM_DATA` names the folder of the paper's networks.

use dlfrm::covariates::SideInfo;
use dlfrm::fit::Silent;
use dlfrm::model::{Model, Settings, Start};
use dlfrm::split::{Protocol, Split};
use dlfrm::testing::{Chain, run_chains};
use dlfrm_bench::{Times, known, seconds, small_pairs};

const SWEEPS: usize = 100;

fn main() {
    let (name, pairs) = small_pairs();
    println!("{name}: {} pairs, {SWEEPS} sweeps after 100, one thread", pairs.len());
    println!(
        "{:<14} {:>4} {:>10} {:>12}  of which, in augmentation steps",
        "model", "K", "ms/sweep", "augment = 1"
    );
    let named: Vec<Model> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let kinds: [fn(Model) -> Settings; 2] = [|model| Settings::paper_defaults(model, 0), Settings::for_model];
    for (model, kind) in Model::ALL.into_iter().flat_map(|model| kinds.map(|kind| (model, kind))) {
        if !named.is_empty() && !named.contains(&model) {
            continue;
        }
        let settings = Settings { burn_in: 100, ..kind(model) }.check().expect("sound");
        let mut chain = Chain::new(&pairs, &settings, 0).expect("sound");
        for _ in 0..100 {
            chain.sweep();
        }
        let times = Times::of(&mut chain, SWEEPS);
        let (total, augment) = (times.total(), times.augment());
        println!(
            "{:<14} {:>4.0} {:>10.2} {:>12.2}  {}",
            format!("{}{}", model.name(), if settings.linear() { " +" } else { "" }),
            times.features,
            1e3 * total / SWEEPS as f64,
            total / augment,
            times.shares(),
        );
        println!(
            "{:<14} {:>48.0} ns per pair in the augmentation step",
            "",
            1e9 * augment / (SWEEPS * pairs.len()) as f64
        );
    }
    println!();
    if std::env::args().any(|argument| argument == "--steps") {
        return;
    }
    for (name, limit) in [("nips234", 10.0), ("webkb", 240.0)] {
        let Some(network) = known(name) else {
            println!("{name}: skipped, DLFRM_DATA does not name a folder that has it");
            continue;
        };
        let split = Split::new(&network, Protocol::PaperPairs, 0.2, 1).expect("sound");
        let plain = Settings::paper_defaults(Settings::default().model, 0);
        let settings = Settings { chains: 1, burn_in: 150, draws: 100, start: Start::Annealed, ..plain };
        let settings = settings.check().expect("sound");
        let mut features = 0.0;
        let time = seconds(|| {
            let posterior =
                run_chains(&split.train, &SideInfo::default(), &settings, 0, &Silent).expect("sound");
            features = posterior.mean_features();
        });
        println!(
            "{name}: 250 sweeps of dlfrm-l, one chain, K {features:.0}: {time:.1} s (wanted: under {limit} s)"
        );
    }
}
