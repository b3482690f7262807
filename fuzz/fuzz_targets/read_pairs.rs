//! Whatever the bytes, reading pairs or names ends in a list or in an error.
#![no_main]

use dlfrm::network::Nodes;
use dlfrm_io::{ReadOptions, parse_names, parse_pairs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let nodes: Nodes = ["a", "b", "c d", "0", "1", "source"].into_iter().collect();
    if let Ok(pairs) = parse_pairs(data, "fuzz", &nodes, &ReadOptions::default()) {
        assert!(pairs.iter().all(|&(i, j)| i != j && i.max(j) < nodes.len() as u32));
    }
    if let Ok(names) = parse_names(data, "fuzz") {
        let distinct: Nodes = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }
});
