//! What the benchmarks share: the networks they run on and a stopwatch.

use std::time::Instant;

use dlfrm::generate::{GenerateSettings, generate};
use dlfrm::network::{Network, Pairs, Protocol, Split};
use dlfrm_io::{datasets, read_network};

/// One of the paper's networks if `DLFRM_DATA` names a folder that has it.
pub fn known(name: &str) -> Option<Network> {
    let dataset = datasets::known(name)?;
    let path = dataset.path(&datasets::folder()?);
    Some(read_network(&path, &dataset.options()).ok()?.relations.swap_remove(0).network)
}

/// The training pairs of NIPS234 (80 % of the ordered pairs), or of a generated network of its size.
pub fn small_pairs() -> (&'static str, Pairs) {
    let (name, network) = if let Some(network) = known("nips234") {
        ("nips234", network)
    } else {
        let settings = GenerateSettings { entities: 234, intercept: -5.0, ..GenerateSettings::default() };
        let made = generate(&settings).expect("the settings are sound");
        ("a generated network of 234 entities", made.network)
    };
    (name, Split::new(&network, Protocol::PaperPairs, 0.2, 1).expect("the fraction is sound").train)
}

/// Seconds that something takes.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}
