//! What the linear part costs a sweep, as a ratio to the augmentation step: with topological covariates on small and large
//! networks, with effects of nodes, and with the words of WebKB. Run with `cargo bench -p dlfrm-bench --bench linear`
//! (after `--`, a case's name leaves the others out); `DLFRM_DATA` names the folder of the paper's networks.

use std::sync::Arc;

use dlfrm::covariates::{Attributes, Covariates, SideInfo};
use dlfrm::model::{Model, Settings};
use dlfrm::split::{Protocol, Split};
use dlfrm::testing::{Chain, Division, Step};
use dlfrm_bench::{Times, known};
use dlfrm_io::{datasets, read_attributes};

/// Past the first sweeps, which draw the linear part each time.
const WARM_UP: usize = 8;
/// A multiple of three and of five: the linear part is drawn in every third sweep, or in every fifth.
const SWEEPS: usize = 15;

/// The name of a case, its network, its split, and whether words and effects are part of it.
type Case = (&'static str, &'static str, Protocol, bool, bool);

const CASES: [Case; 6] = [
    ("nips234", "nips234", Protocol::Pairs, false, false),
    ("webkb", "webkb", Protocol::Pairs, false, false),
    ("webkb-effects", "webkb", Protocol::Pairs, false, true),
    ("webkb-words", "webkb", Protocol::Pairs, true, false),
    ("astroph", "astroph", Protocol::Links, false, false),
    ("astroph-effects", "astroph", Protocol::Links, false, true),
];

fn main() {
    let named: Vec<String> = std::env::args().collect();
    let chosen = |case: &&Case| {
        CASES.iter().all(|(name, ..)| !named.iter().any(|n| n == name)) || named.iter().any(|n| n == case.0)
    };
    println!("diag-dlfrm-l, {SWEEPS} sweeps after {WARM_UP}, one thread");
    println!(
        "{:<16} {:>9} {:>12} {:>14}  the sweep, in augmentation steps",
        "case", "pairs", "linear, ms", "of augment"
    );
    for (case, name, protocol, words, effects) in CASES.iter().filter(chosen) {
        let Some(network) = known(name) else {
            println!("{case}: skipped, DLFRM_DATA does not name a folder that has {name}");
            continue;
        };
        let mut given = SideInfo::default();
        if *words {
            let file = datasets::known(name).and_then(|known| known.attributes).expect("it has words");
            let path = datasets::folder().expect("the network was found in it").join(file);
            let fields = read_attributes(&path, network.nodes()).expect("a sound file").fields;
            let attributes = Attributes::new(network.nodes().len(), fields).expect("sound attributes");
            given.nodes = Some(Arc::new(attributes));
        }
        let fraction = if *protocol == Protocol::Links { 0.1 } else { 0.2 };
        let pairs = Split::new(&network, *protocol, fraction, 1).expect("sound").train;
        let settings = Settings {
            burn_in: 10,
            node_effects: *effects,
            ..Settings::defaults("diag-dlfrm-l".parse::<Model>().expect("a model"), pairs.len())
        };
        let settings = settings.check().expect("sound");
        let (_, design) = Covariates::of_pairs(&pairs, settings.covariates, &given);
        let division = Arc::new(Division::new(&pairs));
        dlfrm_bench::pool(1).install(|| {
            let mut chain = Chain::divided(&pairs, Arc::new(design), &settings, 0, division).expect("sound");
            for _ in 0..WARM_UP {
                chain.sweep();
            }
            let times = Times::of(&mut chain, SWEEPS);
            let linear = times.step(Step::Linear);
            println!(
                "{case:<16} {:>9} {:>12.1} {:>14.2}  {}",
                pairs.len(),
                1e3 * linear / SWEEPS as f64,
                linear / times.augment(),
                times.shares(),
            );
        });
    }
}
