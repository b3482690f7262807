//! Times the reading of a network: `read_time FILE [undirected]`.

use std::path::Path;
use std::time::Instant;

use dlfrm_io::{ReadOptions, read_network};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: read_time FILE [undirected]");
        std::process::exit(2);
    };
    let directed = arguments.get(1).map(|word| word != "undirected");
    let options = ReadOptions { directed, ..ReadOptions::default() };
    let start = Instant::now();
    match read_network(Path::new(file), &options) {
        Ok(dataset) => {
            let seconds = start.elapsed().as_secs_f64();
            let links = dataset.report.counts.links;
            println!("{}\n{links} links in {seconds:.3} s", dataset.report);
            dataset.report.warnings.iter().for_each(|warning| println!("note: {warning}"));
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    }
}
