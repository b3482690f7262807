//! Whatever the bytes, reading attributes, covariates of pairs, labelled pairs or groups ends in them or in an error.
#![no_main]

use dlfrm::network::Nodes;
use dlfrm_io::{LabelledOptions, parse_attributes, parse_groups, parse_labelled_pairs, parse_pair_table};
use libfuzzer_sys::fuzz_target;

// The first byte chooses the reader, the rest is the file.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, file)) = data.split_first() else { return };
    let nodes: Nodes = ["a", "b", "c d", "0", "1", "source"].into_iter().collect();
    let count = nodes.len() as u32;
    let directed = choice & 4 == 0;
    match choice & 3 {
        0 => drop(parse_attributes(file, "fuzz", &nodes)),
        1 => drop(parse_pair_table(file, "fuzz", &nodes, directed)),
        2 => {
            let options = LabelledOptions {
                columns: None,
                nodes: &nodes,
                relations: vec![Some("likes"), Some("knows")],
                relation: (choice & 8 == 0).then_some(0),
                directed,
                learned: &[],
                others: &[],
            };
            if let Ok(found) = parse_labelled_pairs(file, "fuzz", &options) {
                let mut pairs = found.pairs.iter().flatten();
                assert!(pairs.all(|pair| pair.source != pair.target && pair.source.max(pair.target) < count));
            }
        }
        _ => {
            if let Ok(found) = parse_groups(file, "fuzz", &nodes) {
                assert!(found.groups.iter().flatten().all(|&node| node < count));
            }
        }
    }
});
