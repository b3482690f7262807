//! Whatever the bytes, reading a network ends in a network or in an error.
#![no_main]

use dlfrm_io::{Declared, ReadOptions, parse_network};
use libfuzzer_sys::fuzz_target;

// The first byte chooses the options, the rest is the file.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, file)) = data.split_first() else { return };
    let columns = match choice & 7 {
        0 | 1 => None,
        2 => Some("source,target"),
        3 => Some("relation,source,target"),
        4 => Some("source,target,label"),
        5 => Some("source,target,weight"),
        6 => Some("target,skip,source,label,weight,relation"),
        _ => Some("label,source,_,target"),
    };
    let options = ReadOptions {
        columns: columns.map(|columns| columns.parse().unwrap()),
        directed: Some(choice & 8 == 0),
        header: [None, None, Some(true), Some(false)][usize::from(choice >> 4 & 3)],
        nodes: match choice >> 6 {
            2 => Some(Declared::Count(10)),
            3 => Some(Declared::Names(["a", "b", "c", "1"].map(String::from).to_vec())),
            _ => None,
        },
        max_nodes: 10_000,
        ..ReadOptions::default()
    };
    let Ok(dataset) = parse_network(file, "fuzz", &options) else { return };
    let mut links = 0;
    for relation in &dataset.relations {
        assert!(relation.network.len() == dataset.report.nodes);
        links += relation.network.links().len() as u64;
    }
    assert_eq!(links, dataset.report.counts.links);
    dataset.report.warnings.iter().for_each(|warning| assert!(!warning.to_string().is_empty()));
    assert!(!dataset.report.to_string().is_empty());
});
