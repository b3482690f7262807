//! Seconds for the posterior means of a million pairs of a model file. Run with
//! `cargo bench -p dlfrm-bench --bench predict -- MODEL`.

use std::path::Path;

use dlfrm::random::{Purpose, stream};
use dlfrm_bench::seconds;
use dlfrm_io::load_model;
use rand::RngExt;

const PAIRS: usize = 1_000_000;

fn main() {
    let Some(file) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("predict: skipped, no model file was named");
        return;
    };
    let fitted = load_model(Path::new(&file)).expect("a model file");
    let posterior = &fitted.relations[0].posterior;
    let nodes = posterior.nodes() as u32;
    let mut random = stream(1, 0, 0, Purpose::Split, 0);
    let pairs: Vec<(u32, u32)> = (0..PAIRS)
        .map(|_| {
            let first = random.random_range(0..nodes);
            (first, (first + random.random_range(1..nodes)) % nodes)
        })
        .collect();
    println!("{:.4}", seconds(|| assert_eq!(posterior.predict_mean(&pairs).len(), PAIRS)));
}
